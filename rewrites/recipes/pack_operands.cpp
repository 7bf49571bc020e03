#include "rewrites/recipes/pack_operands.h"

#include <algorithm>
#include <map>

#include "rewrites/contraction/schedule.h"
#include "runtime/device/limits.h"

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

// The dimension along which a thread needs neighbouring elements, if it is not the last and may become it: where its
// elements are a window's, neighbours share them either way.
std::optional<size_t> dimension_to_move(const recognize::Contraction& match, const Structure& s, size_t o) {
  // The copy is one of arrays.
  std::vector<size_t> order = contraction::staged_order(match, s, o);
  if (!contraction::is_transposed(order) || s.maps[o].size() > HD_MAX_RANK) return std::nullopt;
  const contraction::DimMap& map = s.maps[o][order.back()];
  bool by_point = false;
  for (size_t i = 0; i < map.coefficients.size(); ++i) {
    if (i >= match.parallel.size() && depends(map, i)) return std::nullopt;
    by_point |= i < match.parallel.size() && nest::int_constant(map.coefficients[i].value) == 1;
  }
  return by_point ? std::optional(order.back()) : std::nullopt;
}

// What the expressions need of a launch's scalars.
void take_scalars(Pack& pack, const Launch& launch) {
  nest::NameSet used;
  for (const auto* list : {&pack.shape, &pack.from_strides, &pack.to_strides}) {
    for (const Expr& e : *list) used.merge(nest::free_names(e));
  }
  for (size_t i = 0; i < launch.scalar_args.size(); ++i) {
    if (!used.contains(launch.kernel.scalars[i].name)) continue;
    pack.scalars.push_back(launch.kernel.scalars[i]);
    pack.scalar_args.push_back(launch.scalar_args[i]);
  }
}

// The copy of `of` with this dimension last.
Name pack(Way& way, const Name& of, size_t dim, NameSource& names) {
  const Buffer source = buffer_of(way, of);
  Buffer target{names.fresh(of.base + "_packed"), source.elem, nest::Space::Global, source.dims, {}};
  move_last(target.dims, dim);
  target.strides = nest::dense_strides(target.dims);
  Pack r{argument_of(way, source.name),
         {static_cast<int>(way.temporaries.size())},
         target.dims,
         source.strides,
         target.strides,
         {},
         {}};
  move_last(r.from_strides, dim);
  take_scalars(r, way.direct);
  way.before.push_back(std::move(r));
  add_temporary(way, target);
  return target.name;
}

}  // namespace

void put_contiguous_last(Way& way) {
  for (Buffer& b : way.direct.kernel.buffers) put_contiguous_last(way.match, b);
}

std::optional<Way> packed(Way way, NameSource& names) {
  Structure s = contraction::structure_of(way.match, way.direct.kernel.buffers);
  // Operands that are parts of one array, as the real and the imaginary one, share its copy.
  std::map<std::pair<Name, size_t>, Name> copies;
  for (size_t o = 0; o < way.match.operands.size(); ++o) {
    recognize::Operand& operand = way.match.operands[o];
    auto dim = dimension_to_move(way.match, s, o);
    if (!dim) continue;
    auto known = copies.find({operand.buffer, *dim});
    if (known == copies.end())
      known = copies.emplace(std::pair(operand.buffer, *dim), pack(way, operand.buffer, *dim, names)).first;
    operand.buffer = known->second;
    move_last(operand.index, *dim);
  }
  return copies.empty() ? std::nullopt : std::optional(std::move(way));
}

}  // namespace heddle::lower
