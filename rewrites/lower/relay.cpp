#include "rewrites/lower/relay.h"

#include <algorithm>

#include "rewrites/contraction/structure.h"

namespace heddle::lower {

namespace {

using contraction::Structure;
using nest::Buffer;
using nest::Expr;

template <class T>
void move_last(std::vector<T>& list, size_t dim) {
  std::rotate(list.begin() + static_cast<long>(dim), list.begin() + static_cast<long>(dim) + 1, list.end());
}

void put_contiguous_last(recognize::Contraction& match, Buffer& b) {
  if (b.strides.empty() || nest::int_constant(b.strides.back()) == 1) return;
  // What is done to the sum reads the buffer in the order that it has.
  if (nest::free_names(match.result.value).contains(b.name)) return;
  for (size_t d = 0; d + 1 < b.dims.size(); ++d) {
    if (nest::int_constant(b.strides[d]) != 1) continue;
    move_last(b.dims, d);
    move_last(b.strides, d);
    for (recognize::Operand& o : match.operands) {
      if (o.buffer == b.name) move_last(o.index, d);
    }
    if (match.result.buffer == b.name) move_last(match.result.index, d);
    return;
  }
}

// The dimension along which a thread needs neighbouring elements, if it is not the last: where the last one is moved
// along by a window only, it has few elements, and they belong to one point.
std::optional<size_t> dimension_to_move(const recognize::Contraction& match, const Structure& s, size_t o) {
  const std::vector<contraction::DimMap>& maps = s.maps[o];
  if (maps.size() < 2) return std::nullopt;
  size_t num_parallel = match.parallel.size();
  for (size_t p = 0; p < num_parallel; ++p) {
    if (depends(maps.back(), p)) return std::nullopt;
  }
  bool along_window = false;
  for (size_t r = 0; r < match.reduction.size(); ++r)
    along_window |= depends(maps.back(), num_parallel + r) && s.window[r];
  if (!along_window) return std::nullopt;
  for (size_t d = 0; d + 1 < maps.size(); ++d) {
    bool by_reduction = false, by_point = false;
    for (size_t r = 0; r < match.reduction.size(); ++r) by_reduction |= depends(maps[d], num_parallel + r);
    for (size_t p = 0; p < num_parallel; ++p) by_point |= nest::int_constant(maps[d].coefficients[p]) == 1;
    if (by_point && !by_reduction) return d;
  }
  return std::nullopt;
}

// One thread per element of the target, so that it is the writes that are to neighbours.
void relay(Way& way, size_t o, size_t dim, seg::NameSource& names) {
  recognize::Operand& operand = way.match.operands[o];
  const Buffer source = buffer_of(way, operand.buffer);
  Buffer target{names.fresh(operand.buffer.base + "_relaid"), operand.elem, nest::Space::Global, source.dims, {}};
  move_last(target.dims, dim);
  target.strides = nest::dense_strides(target.dims);

  std::vector<recognize::Index> box;
  std::vector<Expr> to;
  for (const Expr& d : target.dims) {
    box.push_back({names.fresh("at"), d});
    to.push_back(nest::var(box.back().name, prim::Type::I64));
  }
  std::vector<Expr> from = to;
  std::rotate(from.begin() + static_cast<long>(dim), from.end() - 1, from.end());
  nest::Block point = {nest::stmt(nest::Store{target.name, to, nest::load(source.name, source.elem, from)})};
  add_temporary(way, target);
  std::string suffix = "_relay" + std::to_string(way.before.size());
  way.before.push_back(launch_per_point(way, suffix, box, std::move(point), names));
  operand.buffer = target.name;
  move_last(operand.index, dim);
}

}  // namespace

void put_contiguous_last(Way& way) {
  for (Buffer& b : way.direct.kernel.buffers) put_contiguous_last(way.match, b);
}

std::optional<Way> relaid(Way way, seg::NameSource& names) {
  Structure s = contraction::structure_of(way.match, way.direct.kernel.buffers);
  bool any = false;
  for (size_t o = 0; o < way.match.operands.size(); ++o) {
    auto dim = dimension_to_move(way.match, s, o);
    if (dim) relay(way, o, *dim, names);
    any |= dim.has_value();
  }
  return any ? std::optional(std::move(way)) : std::nullopt;
}

}  // namespace heddle::lower
