// Segops, one point after the other: blocks and threads make no difference to what they compute.
#include <algorithm>

#include "ir/seg/eval_machine.h"
#include "ir/seg/verify_types.h"

namespace heddle::seg {

// Where the results of the points go that are not combined.
class Machine::KernelResults {
 public:
  // From result number `first` on.
  KernelResults(Machine& m, const SegOp& e, const std::vector<int64_t>& dims, size_t first)
      : m_(m), e_(e), first_(first) {
    for (size_t k = first; k < e.body->results.size(); k++) {
      std::visit([&](const auto& r) { prepare(r, e.types[k], dims); }, e.body->results[k]);
    }
  }

  void put(const std::vector<int64_t>& index, int64_t flat) {
    for (size_t k = 0; k < outs_.size(); k++) {
      std::visit([&](const auto& r) { put(r, outs_[k], index, flat); }, e_.body->results[first_ + k]);
    }
  }

  void finish(Cells& results) {
    for (Out& o : outs_) results.push_back(o.collector ? o.collector->finish() : Cell(std::move(o.array)));
  }

 private:
  struct Out {
    std::optional<Collector> collector;  // for returns, and for all accumulators, which are returned as they are
    Array array;                         // otherwise
    std::vector<int64_t> dims, tile, reg_tile;
  };

  void prepare(const Returns&, const Type& type, const std::vector<int64_t>& dims) {
    Out out{Collector(m_, dims, type), {}, {}, {}, {}};
    // Even if there are no points.
    if (type.is_acc()) out.collector->put(0, m_.accumulator(type));
    outs_.push_back(std::move(out));
  }
  void prepare(const WriteReturns& r, const Type&, const std::vector<int64_t>&) {
    Out out;
    out.array = m_.take(r.array);
    m_.own(out.array);
    outs_.push_back(std::move(out));
  }
  void prepare(const TileReturns& r, const Type& type, const std::vector<int64_t>& dims) {
    if (type.is_acc()) return prepare(Returns{}, type, dims);
    Out out;
    for (const TileDim& d : r.dims) {
      out.dims.push_back(m_.integer(d.dim));
      out.tile.push_back(m_.integer(d.tile));
    }
    out.array = m_.make_array(type.elem, out.dims);
    outs_.push_back(std::move(out));
  }
  void prepare(const RegTileReturns& r, const Type& type, const std::vector<int64_t>& dims) {
    if (type.is_acc()) return prepare(Returns{}, type, dims);
    Out out;
    for (const RegTileDim& d : r.dims) {
      out.dims.push_back(m_.integer(d.dim));
      out.tile.push_back(m_.integer(d.block_tile));
      out.reg_tile.push_back(m_.integer(d.reg_tile));
    }
    out.array = m_.make_array(type.elem, out.dims);
    outs_.push_back(std::move(out));
  }

  void put(const Returns& r, Out& out, const std::vector<int64_t>&, int64_t flat) {
    out.collector->put(flat, m_.get(r.value));
  }

  void put(const WriteReturns& r, Out& out, const std::vector<int64_t>&, int64_t) {
    for (const Write& w : r.writes) {
      std::vector<int64_t> shape, cells;
      if (m_.slice_cells(out.array, w.slice, shape, cells)) m_.write_cells(out.array, cells, m_.get(w.value));
    }
  }

  void put(const TileReturns& r, Out& out, const std::vector<int64_t>& index, int64_t flat) {
    // A one-dimensional tile is numbered by the block, whatever the segspace.
    std::vector<int64_t> origin = out.tile.size() == 1 ? std::vector{flat} : index;
    put_tile(r.array, out, origin, std::vector<int64_t>(out.tile.size(), 1));
  }
  void put(const RegTileReturns& r, Out& out, const std::vector<int64_t>& index, int64_t) {
    put_tile(r.array, out, index, out.reg_tile);
  }

  // A tile has the dimensions of the block tile, then those of the register tile; what sticks out is cut off.
  void put_tile(const Name& name, Out& out, const std::vector<int64_t>& origin, const std::vector<int64_t>& reg_tile) {
    if (out.collector) return out.collector->put(0, m_.get(name));
    const Array& tile = m_.array(name);
    size_t rank = out.dims.size();
    if (origin.size() != rank || tile.elem != out.array.elem || tile.shape.size() < rank) {
      broken("The tile {} does not fit its array.", name.text());
    }
    bool registers = tile.shape.size() == 2 * rank;
    std::vector<int64_t> at(tile.shape.size(), 0), to(rank);
    for (int64_t i = 0; i < tile.size(); i++) {
      for (size_t d = 0; d < rank; d++) {
        to[d] = reg_tile[d] * (out.tile[d] * origin[d] + at[d]) + (registers ? at[rank + d] : 0);
      }
      int64_t flat = 0;
      if (flat_index(out.dims, to, flat)) out.array.set(flat, tile.at(i));
      next_index(tile.shape, at);
    }
    m_.tick(tile.size() / 4);
  }

  Machine& m_;
  const SegOp& e_;
  size_t first_;
  std::vector<Out> outs_;
};

Cells Machine::eval(const SegOp& e) {
  std::vector<int64_t> dims;
  for (const SegDim& d : e.space.dims) dims.push_back(integer(d.size));
  auto points = element_count(dims);
  if (!points || dims.empty()) broken("A segspace is [{}].", fmt::join(dims, "]["));
  if (e.types.size() != e.body->results.size())
    broken("A segop has {} types for {} results.", e.types.size(), e.body->results.size());
  // All but the last dimension, which is the one that is combined.
  std::vector<int64_t> segments(dims.begin(), dims.end() - 1);
  bool scan = e.kind == SegKind::Scan;

  struct Combined {
    const SegBinOp* op;
    std::vector<int64_t> shape;
    Cells start, value;
    std::vector<Collector> results;
  };
  std::vector<Combined> combined;
  size_t num_combined = 0;
  for (const SegBinOp& op : e.ops) {
    Combined c{&op, sizes(op.shape), {}, {}, {}};
    c.start = neutral(op.lambda, c.shape, op.neutral);
    num_combined += c.start.size();
    for (const Type& t : op.lambda.ret) c.results.emplace_back(*this, scan ? dims : segments, array_of(op.shape, t));
    combined.push_back(std::move(c));
  }
  std::vector<std::vector<Array>> dests;
  size_t num_indices = 0;
  for (const HistOp& op : e.hists) {
    dests.push_back(take_dests(op, segments));
    num_indices += op.shape.size();
    num_combined += op.shape.size() + op.dests.size();
  }
  if (num_combined > e.types.size()) broken("The points of a segop yield too few values.");
  KernelResults results(*this, e, dims, num_combined);

  auto returned = [&](size_t k) {
    auto* r = std::get_if<Returns>(&e.body->results[k]);
    if (!r) broken("What is combined must be returned.");
    return get(r->value);
  };
  auto point = [&](const std::vector<int64_t>& index, int64_t flat, int64_t segment) {
    Nesting nesting(*this);
    tick();
    for (size_t d = 0; d < index.size(); d++) env_->insert_or_assign(e.space.dims[d].index, prim::Value::i64(index[d]));
    env_->insert_or_assign(e.space.flat, prim::Value::i64(flat));
    eval_stms(e.body->stms);
    size_t next = 0;
    for (Combined& c : combined) {
      Cells operands;
      for (size_t k = 0; k < c.start.size(); k++) operands.push_back(returned(next++));
      c.value = combine(c.op->lambda, c.shape, c.value, operands);
      for (size_t k = 0; scan && k < c.results.size(); k++) c.results[k].put(flat, c.value.at(k));
    }
    if (!e.hists.empty()) {
      Cells values;
      for (size_t k = 0; k < num_combined; k++) values.push_back(returned(k));
      const Cell* i = values.data();
      const Cell* v = values.data() + num_indices;
      for (size_t k = 0; k < e.hists.size(); k++) {
        hist_update(e.hists[k], dests[k], segment, i, v);
        i += e.hists[k].shape.size();
        v += dests[k].size();
      }
    }
    results.put(index, flat);
    drop_arrays(e.body->stms);
  };

  int64_t num_segments = *element_count(segments), width = dims.back(), flat = 0;
  std::vector<int64_t> index(dims.size(), 0);
  for (int64_t segment = 0; segment < num_segments; segment++) {
    tick();
    for (Combined& c : combined) c.value = c.start;
    for (int64_t i = 0; i < width; i++) {
      point(index, flat++, segment);
      next_index(dims, index);
    }
    for (Combined& c : combined) {
      for (size_t k = 0; !scan && k < c.results.size(); k++) c.results[k].put(segment, std::move(c.value.at(k)));
    }
  }

  Cells outs;
  for (Combined& c : combined) {
    for (Collector& r : c.results) outs.push_back(r.finish());
  }
  for (auto& arrays : dests) {
    outs.insert(outs.end(), std::make_move_iterator(arrays.begin()), std::make_move_iterator(arrays.end()));
  }
  results.finish(outs);
  return outs;
}

}  // namespace heddle::seg
