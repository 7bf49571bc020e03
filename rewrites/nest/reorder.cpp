#include "rewrites/nest/reorder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "ir/nest/printer.h"

namespace heddle::nest {

namespace {

struct Reorder : Rebuilder<Reorder> {
  const Name& name;
  const std::vector<size_t>& order;
  Reorder(const Name& name, const std::vector<size_t>& order) : name(name), order(order) {}

  std::vector<Expr> reordered(const std::vector<Expr>& parts) const {
    std::vector<Expr> result;
    for (size_t d : order) result.push_back(parts[d]);
    return result;
  }

  void expr(Expr& e) {
    Rebuilder::expr(e);
    const auto* l = std::get_if<Load>(&e->node);
    if (l && l->buffer == name) e = load(name, e->type, reordered(l->index));
  }

  void stmts(const Stmt& s, Block& out) {
    Rebuilder::stmts(s, out);
    auto node = out.back()->node;
    if (auto* alloc = std::get_if<Alloc>(&node); alloc && alloc->buffer.name == name) {
      alloc->buffer.dims = reordered(alloc->buffer.dims);
      alloc->buffer.strides = dense_strides(alloc->buffer.dims);
    } else if (auto* store = std::get_if<Store>(&node); store && store->buffer == name) {
      store->index = reordered(store->index);
    } else if (auto* update = std::get_if<AtomicUpdate>(&node); update && update->buffer == name) {
      update->index = reordered(update->index);
    } else if (auto* copy = std::get_if<AsyncCopy>(&node); copy && copy->to == name) {
      if (int_constant(copy->elems) != 1 && order.back() + 1 != order.size())
        refuse(fmt::format("{} elements are copied to {} at once", to_text(copy->elems), name.text()));
      copy->to_index = reordered(copy->to_index);
    } else {
      return;
    }
    out.back() = stmt(std::move(node));
  }
};

}  // namespace

Result<Rewritten> reorder(const Kernel& kernel, const Name& buffer, const std::vector<size_t>& order) {
  return rewrite([&]() -> Rewritten {
    Buffer b = allocated(kernel, buffer);
    std::vector<size_t> sorted = order, all(b.dims.size());
    std::ranges::sort(sorted);
    std::iota(all.begin(), all.end(), size_t{0});
    if (sorted != all) refuse(fmt::format("{} is no order of {} dimensions", fmt::join(order, ", "), b.dims.size()));
    std::vector<Expr> dense = dense_strides(b.dims);
    if (!std::equal(dense.begin(), dense.end(), b.strides.begin(), equal))
      refuse(fmt::format("the rows of {} are padded", buffer.text()));
    Kernel result = kernel;
    Reorder(buffer, order).body(result.body);
    return {result, fmt::format("every access to {} changes with it", buffer.text()), {}};
  });
}

}  // namespace heddle::nest
