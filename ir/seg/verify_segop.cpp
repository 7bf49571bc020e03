// The GPU form: segops, tuning parameters and device code.
#include <algorithm>

#include "ir/seg/verify_checker.h"

namespace heddle::seg {

namespace {

std::string_view name(SegKind kind) {
  switch (kind) {
    case SegKind::Map:
      return "segmap";
    case SegKind::Red:
      return "segred";
    case SegKind::Scan:
      return "segscan";
    case SegKind::Hist:
      return "seghist";
  }
  return "";
}

Shape first_sizes(const SegSpace& space, size_t count) {
  Shape shape;
  for (size_t i = 0; i < count; i++) shape.push_back(space.dims[i].size);
  return shape;
}

// What a result of type `t` of every point is after the segop.
Type result_type(const SegSpace& space, const Type& t, const KernelResult& result) {
  if (std::holds_alternative<WriteReturns>(result)) return t;
  Shape shape;
  if (auto* r = std::get_if<TileReturns>(&result)) {
    for (const TileDim& d : r->dims) shape.push_back(d.dim);
  } else if (auto* r = std::get_if<RegTileReturns>(&result)) {
    for (const RegTileDim& d : r->dims) shape.push_back(d.dim);
  } else {
    shape = first_sizes(space, space.dims.size());
  }
  return array_of(shape, t);
}

}  // namespace

void Checker::check_level(const SegLevel& level) {
  if (level.kind == LevelKind::InBlock) {
    if (!level_ || level_->kind != LevelKind::Block) problem("An inblock segop must be directly in a block segop.");
  } else if (level_ && (level.kind == LevelKind::Block || level.grid)) {
    // A thread segop without a grid of its own runs on the threads of the block around it, or else on the thread that comes to it, as what
    // kernels call does (rewrites/seg/inline_functions.h).
    problem("A {} segop can't be inside another segop.", level.kind == LevelKind::Thread ? "thread" : "block");
  }
  if (level.grid) {
    require(level.grid->num_blocks, prim::Type::I64, "The number of blocks of a grid");
    require(level.grid->block_size, prim::Type::I64, "The block size of a grid");
  }
}

void Checker::check_space(const SegSpace& space) {
  for (const SegDim& d : space.dims) require(d.size, prim::Type::I64, "The size of a segspace's dimension");
  for (const SegDim& d : space.dims) bind(d.index, i64_type(), {});
  bind(space.flat, i64_type(), {});
}

Outs Checker::rule(const SegOp& e) {
  std::string what(name(e.kind));
  check_level(e.level);
  if (e.space.dims.empty()) {
    problem("The segspace of {} needs at least one dimension.", what);
    return std::nullopt;
  }
  if ((e.kind == SegKind::Map && !e.ops.empty()) || (e.kind == SegKind::Hist) != !e.hists.empty()) {
    problem("{} has operators of the wrong kind.", what);
    return std::nullopt;
  }
  Shape segment = first_sizes(e.space, e.space.dims.size() - 1);
  const Shape& outer = e.kind == SegKind::Scan ? first_sizes(e.space, e.space.dims.size()) : segment;
  std::vector<Type> combined, results;
  bool known = true;

  size_t mark = scope_mark();
  check_space(e.space);
  for (const Type& t : e.types) check_type(t);
  for (const SegBinOp& op : e.ops) {
    require_sizes(op.shape, "A size of an operator");
    auto types = use_all(op.neutral);
    known = known && types;
    if (!types) continue;
    check_operator(op.lambda, *types, what);
    for (const Type& t : *types) {
      combined.push_back(array_of(op.shape, t));
      results.push_back(array_of(outer, combined.back()));
    }
  }
  std::vector<Type> values;
  for (const HistOp& op : e.hists) {
    auto types = check_hist_op(op, segment);
    combined.insert(combined.end(), op.shape.size(), i64_type());
    known = known && types;
    if (!types) continue;
    for (const Type& t : *types) {
      values.push_back(array_of(op.op_shape, t));
      Shape shape = segment;
      shape.insert(shape.end(), op.shape.begin(), op.shape.end());
      results.push_back(array_of(shape, values.back()));
    }
  }
  combined.insert(combined.end(), values.begin(), values.end());
  if (known) {
    bool ok = e.types.size() >= combined.size() && same(std::span(e.types).first(combined.size()), combined) &&
              (e.kind != SegKind::Hist || e.types.size() == combined.size());
    if (!ok) {
      problem("Each point of {} yields {}, but its first results must be what is to be combined: {}.", what,
              print(e.types), print(combined));
      known = false;
    }
  }
  check_kernel_body(e);
  leave_scope(mark);

  size_t count = e.body ? e.body->results.size() : 0;
  if (!known || e.types.size() != count) return std::nullopt;
  if (e.kind != SegKind::Hist) {
    for (size_t i = combined.size(); i < count; i++) {
      results.push_back(result_type(e.space, e.types[i], e.body->results[i]));
    }
  }
  return fresh(std::move(results));
}

void Checker::check_kernel_body(const SegOp& e) {
  if (!e.body) return;
  size_t mark = scope_mark();
  const SegLevel* outer = level_;
  level_ = &e.level;
  // Whatever is written to as a result must not be used in the body at all.
  for (const KernelResult& r : e.body->results) {
    if (auto* w = std::get_if<WriteReturns>(&r)) consume(w->array);
  }
  check_stms(e.body->stms);
  if (e.types.size() != e.body->results.size()) {
    problem("Each point yields {} values, but the body returns {}.", e.types.size(), e.body->results.size());
  } else {
    for (size_t i = 0; i < e.types.size(); i++) {
      std::visit(
          [&](const auto& r) {
            check_certs(r.certs);
            check_result(r, e.types[i]);
          },
          e.body->results[i]);
    }
  }
  level_ = outer;
  leave_scope(mark);
}

void Checker::check_result(const Returns& r, const Type& type) { require(r.value, type, "What a point returns"); }

void Checker::check_result(const WriteReturns& r, const Type& type) {
  const Type* array = type_of(r.array);
  if (!array) return;
  if (!same(*array, type)) {
    problem("A point writes to {} of type {}, but is declared to yield {}.", r.array.text(), print(*array),
            print(type));
    return;
  }
  for (const Write& w : r.writes) {
    check_slice(w.slice, type, r.array);
    require(w.value, with_shape(type, sizes(w.slice)), "What a point writes");
  }
}

void Checker::check_result(const TileReturns& r, const Type& type) {
  Shape tile;
  for (const TileDim& d : r.dims) {
    require(d.dim, prim::Type::I64, "The size of a tiled dimension");
    require(d.tile, prim::Type::I64, "The size of a tile");
    tile.push_back(d.tile);
  }
  require(r.array, array_of(tile, type), "A tile");
}

void Checker::check_result(const RegTileReturns& r, const Type& type) {
  Shape tile, inner;
  for (const RegTileDim& d : r.dims) {
    require(d.dim, prim::Type::I64, "The size of a tiled dimension");
    require(d.block_tile, prim::Type::I64, "The size of a block tile");
    require(d.reg_tile, prim::Type::I64, "The size of a register tile");
    tile.push_back(d.block_tile);
    inner.push_back(d.reg_tile);
  }
  tile.insert(tile.end(), inner.begin(), inner.end());
  require(r.array, array_of(tile, type), "A register tile");
}

Outs Checker::rule(const GetSize&) { return fresh({i64_type()}); }

Outs Checker::rule(const GetSizeMax&) { return fresh({i64_type()}); }

Outs Checker::rule(const CmpSize& e) {
  require(e.value, prim::Type::I64, "What a tuning parameter is compared with");
  return fresh({scalar_type(prim::Type::Bool)});
}

Outs Checker::rule(const CalcNumBlocks& e) {
  require(e.width, prim::Type::I64, "The width given to calc_num_tblocks");
  require(e.block_size, prim::Type::I64, "The block size given to calc_num_tblocks");
  return fresh({i64_type()});
}

Outs Checker::rule(const GpuBody& e) {
  if (level_) problem("gpu can't be inside a segop.");
  for (const Type& t : e.types) check_type(t);
  if (e.body) check_body(*e.body, [&](const std::vector<BodyValue>& values) { match_types(values, e.types, "gpu"); });
  std::vector<Type> results;
  for (const Type& t : e.types) results.push_back(array_of({SubExp(prim::Value::i64(1))}, t));
  return fresh(std::move(results));
}

}  // namespace heddle::seg
