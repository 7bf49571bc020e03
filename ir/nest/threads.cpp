#include "ir/nest/threads.h"

#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

// The iterations of each outermost nest, equal ones once.
std::vector<Expr> distinct_totals(const Kernel& kernel, Parallel sort) {
  std::vector<Expr> totals;
  for (const For* loop : outermost_loops(kernel.body, sort)) {
    Expr n = num_iterations(nest_extents(*loop));
    bool known = false;
    for (const Expr& other : totals) known |= equal(n, other);
    if (!known) totals.push_back(std::move(n));
  }
  return totals;
}

Expr launched(const Kernel& kernel, Parallel sort) {
  std::vector<Expr> totals = distinct_totals(kernel, sort);
  if (totals.empty()) return constant(int64_t{1});
  Expr most = totals[0];
  for (size_t i = 1; i < totals.size(); ++i) most = max(most, totals[i]);
  return most;
}

}  // namespace

std::optional<Parallel> parallel(Role role) {
  switch (role) {
    case Role::Grid:
      return Parallel::Blocks;
    case Role::Block:
    case Role::Warp:
    case Role::Lane:
      return Parallel::Threads;
    case Role::Serial:
    case Role::Unrolled:
    case Role::Vector:
      return std::nullopt;
  }
  return std::nullopt;
}

std::vector<const For*> outermost_loops(const Block& block, Parallel sort) {
  struct Find : Walker<Find> {
    Parallel sort;
    std::vector<const For*> found;
    explicit Find(Parallel sort) : sort(sort) {}
    void expr(const Expr&) {}
    void stmt(const Stmt& s) {
      const auto* loop = std::get_if<For>(&s->node);
      if (loop && parallel(loop->role) == sort) {
        found.push_back(loop);
      } else {
        Walker::stmt(s);
      }
    }
  } find(sort);
  find.body(block);
  return std::move(find.found);
}

std::vector<Expr> nest_extents(const For& loop) {
  std::vector<Expr> extents;
  for (const For* l = &loop; l;) {
    extents.push_back(l->extent);
    std::vector<const For*> inner = outermost_loops(l->body, *parallel(l->role));
    l = inner.empty() ? nullptr : inner.front();
  }
  return extents;
}

Expr num_iterations(const std::vector<Expr>& extents) {
  // Two negative factors must not make a positive product. One alone may stay as it is.
  int unknown = 0;
  for (const Expr& e : extents) unknown += !int_constant(e);
  Expr product = constant(int64_t{1});
  for (const Expr& e : extents) {
    product = mul(product, unknown <= 1 && !int_constant(e) ? e : max(constant(int64_t{0}), e));
  }
  return product;
}

Expr num_blocks(const Kernel& kernel) { return launched(kernel, Parallel::Blocks); }

Expr block_size(const Kernel& kernel) { return launched(kernel, Parallel::Threads); }

bool has_surplus(const Kernel& kernel, Parallel sort) { return distinct_totals(kernel, sort).size() > 1; }

}  // namespace heddle::nest
