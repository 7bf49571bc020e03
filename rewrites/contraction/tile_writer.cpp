#include "rewrites/contraction/tile_writer.h"

namespace heddle::contraction {

using nest::add;
using nest::Expr;
using nest::mul;

TileWriter::TileWriter(const recognize::Contraction& c, const Tiling& t, const std::vector<nest::Buffer>& buffers,
                       seg::NameSource& names)
    : StatementWriter(names),
      c_(c),
      t_(t),
      structure_(structure_of(c, buffers)),
      num_parallel_(c.parallel.size()),
      num_threads_(index_of(t.slices)) {
  for (const ParallelTile& p : t.parallel) {
    points_.push_back(index_of(p.points));
    run_.push_back(index_of(p.run));
    threads_.push_back(mul(index_of(p.warps), index_of(p.lanes)));
    num_threads_ = mul(num_threads_, threads_.back());
    block_tile_.push_back(mul(threads_.back(), points_.back()));
  }
}

Expr TileWriter::place(size_t p, const Expr& thread, const Expr& point) const {
  return add(mul(thread, run_[p]), from_first_point(p, point));
}

Expr TileWriter::from_first_point(size_t p, const Expr& point) const {
  if (!structure_.separable[p]) return point;
  return add(mul(nest::div(point, run_[p]), mul(threads_[p], run_[p])), nest::mod(point, run_[p]));
}

Expr TileWriter::as_value(const Expr& index) {
  nest::Buffer value = alloc("value", prim::Type::I64, nest::Space::Register, {});
  emit(nest::Store{value.name, {}, index});
  return nest::load(value.name, prim::Type::I64, {});
}

}  // namespace heddle::contraction
