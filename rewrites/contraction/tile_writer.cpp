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
      geometry_(geometry_of(c, structure_, t)),
      num_parallel_(c.parallel.size()),
      points_(geometry_.points) {
  for (const ParallelTile& p : t.parallel) run_.push_back(index_of(p.run));
}

Expr TileWriter::place(size_t p, const Expr& thread, const Expr& point) const {
  return add(mul(thread, run_[p]), from_first_point(p, point));
}

Expr TileWriter::from_first_point(size_t p, const Expr& point) const {
  if (!structure_.separable[p]) return point;
  return add(mul(nest::div(point, run_[p]), mul(geometry_.threads_along[p], run_[p])), nest::mod(point, run_[p]));
}

Expr TileWriter::as_value(const Expr& index) {
  nest::Buffer value = alloc("value", prim::Type::I64, nest::Space::Register, {});
  emit(nest::Store{value.name, {}, index});
  return nest::load(value.name, prim::Type::I64, {});
}

}  // namespace heddle::contraction
