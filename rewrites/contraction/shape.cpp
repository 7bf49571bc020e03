#include "rewrites/contraction/shape.h"

#include <algorithm>

#include "rewrites/contraction/products.h"
#include "rewrites/contraction/schedule.h"

namespace heddle::contraction {

namespace {

OperandShape operand_shape(const recognize::Contraction& c, const Structure& structure,
                           const std::vector<nest::Buffer>& buffers, size_t o) {
  const recognize::Operand& operand = c.operands[o];
  auto buffer = std::ranges::find(buffers, operand.buffer, &nest::Buffer::name);
  std::vector<size_t> order = staged_order(c, structure, o);
  OperandShape shape{static_cast<size_t>(buffer - buffers.begin()),
                     operand.elem,
                     {},
                     {},
                     {},
                     buffer->dims.empty() ? nest::constant(int64_t{0}) : buffer->dims.back(),
                     loads_by_group(structure, o, order, c.parallel.size()),
                     is_transposed(order)};
  Box all;
  for (const auto* list : {&c.parallel, &c.reduction}) {
    for (const recognize::Index& i : *list) all.push_back({nest::constant(int64_t{0}), i.extent});
  }
  for (size_t d : order) {
    const DimMap& m = structure.maps[o][d];
    for (const nest::Coefficient& k : m.coefficients) shape.coefficients.push_back(k.value);
    shape.constants.push_back(m.constant);
    shape.reach.push_back(footprint(m, all).extent);
  }
  return shape;
}

}  // namespace

Shape shape_of(const recognize::Contraction& c, const std::vector<nest::Buffer>& buffers) {
  Structure structure = structure_of(c, buffers);
  Shape shape{c.parallel.size(), c.reduction.size(),   {}, structure.separable, structure.window, structure.may_overrun,
              c.neutral.type,    c.result.value->type, {}, most_products(c)};
  for (const auto* list : {&c.parallel, &c.reduction}) {
    for (const recognize::Index& i : *list) shape.extents.push_back(i.extent);
  }
  for (size_t o = 0; o < c.operands.size(); ++o) shape.operands.push_back(operand_shape(c, structure, buffers, o));
  return shape;
}

}  // namespace heddle::contraction
