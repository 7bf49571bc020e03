// SOACs, one element after the other.
#include <algorithm>

#include "ir/seg/eval_machine.h"

namespace heddle::seg {

Cells Machine::soac_inputs(int64_t width, const std::vector<Name>& arrays) {
  if (width < 0) broken("A SOAC has width {}.", width);
  Cells inputs;
  for (const Name& n : arrays) {
    inputs.push_back(lookup(n));
    auto* a = std::get_if<Array>(&inputs.back());
    if (std::holds_alternative<prim::Value>(inputs.back()) || (a && a->shape[0] != width)) {
      broken("A SOAC of width {} is given {}, which has another size.", width, n.text());
    }
  }
  return inputs;
}

Cells Machine::soac_row(const Cells& inputs, int64_t i) {
  Cells row;
  for (const Cell& c : inputs) {
    auto* a = std::get_if<Array>(&c);
    if (!a) {
      row.push_back(c);
      continue;
    }
    std::vector<int64_t> inner(a->shape.begin() + 1, a->shape.end());
    int64_t size = *element_count(inner);
    row.push_back(part(*a, i * size, std::move(inner)));
  }
  return row;
}

Cells Machine::eval(const Screma& e) {
  int64_t width = integer(e.width);
  Cells inputs = soac_inputs(width, e.arrays);
  // What is combined so far, for each scan, then each reduction.
  struct Running {
    const Lambda* lambda;
    bool scan;
    Cells value;
  };
  std::vector<Running> running;
  for (const ScanOp& s : e.scans) running.push_back({&s.lambda, true, neutral(s.lambda, {}, s.neutral)});
  for (const ReduceOp& r : e.reduces) running.push_back({&r.lambda, false, neutral(r.lambda, {}, r.neutral)});
  std::vector<Collector> scanned, mapped;
  size_t combined = 0;
  for (const Running& r : running) {
    combined += r.value.size();
    for (size_t k = 0; r.scan && k < r.value.size(); k++)
      scanned.emplace_back(*this, std::vector{width}, r.lambda->ret[k]);
  }
  if (e.map.ret.size() < combined) broken("The map part of a SOAC yields too few values.");
  for (size_t k = combined; k < e.map.ret.size(); k++) {
    mapped.emplace_back(*this, std::vector{width}, e.map.ret[k]);
    // An accumulator is returned as it is, even by a map over nothing.
    if (e.map.ret[k].is_acc()) mapped.back().put(0, accumulator(e.map.ret[k]));
  }
  for (int64_t i = 0; i < width; i++) {
    Cells results = call(e.map, soac_row(inputs, i));
    if (results.size() != e.map.ret.size())
      broken("A lambda yields {} values, not {}.", results.size(), e.map.ret.size());
    size_t next = 0, next_scanned = 0;
    for (Running& r : running) {
      auto begin = results.begin() + static_cast<std::ptrdiff_t>(next);
      Cells operands(begin, begin + static_cast<std::ptrdiff_t>(r.value.size()));
      next += r.value.size();
      r.value = combine(*r.lambda, {}, r.value, operands);
      for (size_t k = 0; r.scan && k < r.value.size(); k++) scanned[next_scanned++].put(i, r.value[k]);
    }
    for (Collector& c : mapped) c.put(i, std::move(results[next++]));
  }
  Cells outs;
  for (Collector& c : scanned) outs.push_back(c.finish());
  for (Running& r : running) {
    if (!r.scan) outs.insert(outs.end(), r.value.begin(), r.value.end());
  }
  for (Collector& c : mapped) outs.push_back(c.finish());
  return outs;
}

Cells Machine::eval(const Scatter& e) {
  int64_t width = integer(e.width);
  Cells inputs = soac_inputs(width, e.arrays);
  std::vector<Array> dests;
  std::vector<std::vector<int64_t>> shapes;
  size_t num_indices = 0, num_values = 0;
  for (const ScatterDest& d : e.dests) {
    dests.push_back(take(d.array));
    own(dests.back());
    shapes.push_back(sizes(d.shape));
    if (shapes.back().size() > dests.back().shape.size()) broken("scatter into an array of too few dimensions.");
    num_indices += d.shape.size() * static_cast<size_t>(d.num_writes);
    num_values += static_cast<size_t>(d.num_writes);
  }
  for (int64_t i = 0; i < width; i++) {
    Cells results = call(e.lambda, soac_row(inputs, i));
    if (results.size() != num_indices + num_values) broken("The lambda of scatter yields {} values.", results.size());
    size_t next_index = 0, next_value = num_indices;
    for (size_t k = 0; k < dests.size(); k++) {
      for (int w = 0; w < e.dests[k].num_writes; w++) {
        std::vector<int64_t> index;
        for (size_t d = 0; d < shapes[k].size(); d++) {
          auto* v = std::get_if<prim::Value>(&results[next_index++]);
          if (!v) broken("An index of scatter is not a scalar.");
          index.push_back(v->i);
        }
        const Cell& value = results[next_value++];
        int64_t flat = 0;
        if (!flat_index(dests[k].shape, index, flat)) continue;
        int64_t size =
            *element_count({dests[k].shape.begin() + static_cast<std::ptrdiff_t>(index.size()), dests[k].shape.end()});
        put_part(dests[k], flat * size, value, size);
      }
    }
  }
  return {std::make_move_iterator(dests.begin()), std::make_move_iterator(dests.end())};
}

std::vector<Array> Machine::take_dests(const HistOp& op, const std::vector<int64_t>& segment) {
  std::vector<int64_t> outer = segment;
  for (const Shape* s : {&op.shape, &op.op_shape}) {
    std::vector<int64_t> more = sizes(*s);
    outer.insert(outer.end(), more.begin(), more.end());
  }
  std::vector<Array> dests;
  for (const Name& n : op.dests) {
    dests.push_back(take(n));
    own(dests.back());
    const std::vector<int64_t>& shape = dests.back().shape;
    if (shape.size() < outer.size() || !std::equal(outer.begin(), outer.end(), shape.begin())) {
      broken("A histogram's array {} is of another shape than the histogram.", n.text());
    }
  }
  if (dests.size() != op.op.ret.size())
    broken("A histogram has {} arrays, but its operator yields {} values.", dests.size(), op.op.ret.size());
  return dests;
}

void Machine::hist_update(const HistOp& op, std::vector<Array>& dests, int64_t segment, const Cell* indices,
                          const Cell* values) {
  std::vector<int64_t> shape = sizes(op.shape), index;
  for (size_t d = 0; d < shape.size(); d++) {
    auto* v = std::get_if<prim::Value>(indices + d);
    if (!v) broken("An index of a histogram is not a scalar.");
    index.push_back(v->i);
  }
  int64_t flat = 0;
  if (!flat_index(shape, index, flat)) return;
  flat += segment * *element_count(shape);
  Cells current;
  std::vector<int64_t> size;
  for (const Array& d : dests) {
    // The array's dimensions are those of the segment, of the histogram, and of what is combined.
    size_t inner_rank = op.op_shape.size() + static_cast<size_t>(op.op.ret[current.size()].rank());
    if (inner_rank > d.shape.size()) broken("A histogram's array has too few dimensions.");
    std::vector<int64_t> inner(d.shape.end() - static_cast<std::ptrdiff_t>(inner_rank), d.shape.end());
    size.push_back(*element_count(inner));
    if ((flat + 1) * size.back() > d.size()) broken("A histogram's array is too small.");
    current.push_back(part(d, flat * size.back(), std::move(inner)));
  }
  Cells combined = combine(op.op, sizes(op.op_shape), current, Cells(values, values + dests.size()));
  current.clear();
  for (size_t k = 0; k < dests.size(); k++) {
    own(dests[k]);
    put_part(dests[k], flat * size[k], combined.at(k), size[k]);
  }
}

Cells Machine::eval(const Hist& e) {
  int64_t width = integer(e.width);
  Cells inputs = soac_inputs(width, e.arrays);
  std::vector<std::vector<Array>> dests;
  size_t num_indices = 0, num_values = 0;
  for (const HistOp& op : e.ops) {
    dests.push_back(take_dests(op, {}));
    num_indices += op.shape.size();
    num_values += op.dests.size();
  }
  for (int64_t i = 0; i < width; i++) {
    Cells results = call(e.bucket, soac_row(inputs, i));
    if (results.size() != num_indices + num_values) broken("The lambda of hist yields {} values.", results.size());
    const Cell* index = results.data();
    const Cell* value = results.data() + num_indices;
    for (size_t k = 0; k < e.ops.size(); k++) {
      hist_update(e.ops[k], dests[k], 0, index, value);
      index += e.ops[k].shape.size();
      value += dests[k].size();
    }
  }
  Cells outs;
  for (auto& arrays : dests)
    outs.insert(outs.end(), std::make_move_iterator(arrays.begin()), std::make_move_iterator(arrays.end()));
  return outs;
}

// All in one chunk.
Cells Machine::eval(const Stream& e) {
  int64_t width = integer(e.width);
  Cells args{prim::Value::i64(width)};
  for (const SubExp& a : e.accs) args.push_back(get(a));
  Cells inputs = soac_inputs(width, e.arrays);
  args.insert(args.end(), std::make_move_iterator(inputs.begin()), std::make_move_iterator(inputs.end()));
  return call(e.lambda, std::move(args));
}

Cells Machine::eval(const Derivative& e) {
  throw Stop{Outcome::Unsupported, fmt::format("The evaluator does not know {}.", e.reverse ? "vjp" : "jvp"), {}};
}

}  // namespace heddle::seg
