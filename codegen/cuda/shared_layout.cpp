#include "codegen/cuda/shared_layout.h"

#include "ir/nest/traverse.h"

namespace heddle::codegen {

using nest::constant;
using nest::Expr;

Expr extent_in_elements(const nest::Buffer& b) {
  Expr n = constant(int64_t{1});
  for (size_t i = 0; i < b.dims.size(); ++i) {
    n = nest::add(n, nest::mul(nest::sub(b.dims[i], constant(int64_t{1})), b.strides[i]));
  }
  // Padded strides make this negative where a dim is 0.
  return nest::operation(prim::Op(prim::Family::SMax, prim::Type::I64), {constant(int64_t{0}), n});
}

SharedLayout shared_layout(const nest::Kernel& kernel) {
  constexpr int64_t kAlignment = 16;
  SharedLayout layout{{}, {}, constant(int64_t{0})};
  nest::for_each_stmt(kernel.body, [&](const nest::Stmt& s) {
    const auto* alloc = std::get_if<nest::Alloc>(&s->node);
    if (!alloc || alloc->buffer.space != nest::Space::Shared) return;
    const nest::Buffer& b = alloc->buffer;
    layout.offsets.emplace(b.name, layout.total);
    Expr bytes = nest::mul(extent_in_elements(b), constant(int64_t{prim::size_bytes(b.elem)}));
    // Among constants C does the division, and numbers that are small stay so.
    Expr size = kernel.constants.empty()
                    ? nest::operation(prim::Op(prim::Family::And, prim::Type::I64),
                                      {nest::add(bytes, constant(kAlignment - 1)), constant(-kAlignment)})
                    : nest::mul(nest::ceil_div(bytes, constant(kAlignment)), constant(kAlignment));
    layout.order.emplace_back(b.name, size);
    layout.total = nest::add(layout.total, size);
  });
  return layout;
}

}  // namespace heddle::codegen
