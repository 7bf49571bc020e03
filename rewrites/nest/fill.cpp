#include "rewrites/nest/fill.h"

#include <algorithm>
#include <numeric>

#include "ir/nest/threads.h"
#include "ir/nest/uniform.h"

namespace heddle::nest {

namespace {

using prim::Type;

Expr number(const Name& piece, const Team& team) { return add(mul(var(piece, Type::I64), team.size), team.thread); }

// Whether the store goes to each element once: its indices are the digits of `at` in some order.
bool fills(const Stmt& s, const Buffer& buffer, const Team& team) {
  std::optional<Filling> f = filling(s, team);
  if (!f || f->body->empty()) return false;
  const auto* store = std::get_if<Store>(&f->body->back()->node);
  if (!store || store->buffer != buffer.name) return false;
  std::vector<size_t> order(buffer.dims.size());
  std::iota(order.begin(), order.end(), size_t{0});
  do {
    std::vector<Expr> dims;
    for (size_t d : order) dims.push_back(buffer.dims[d]);
    std::vector<Expr> expected = digits(f->at, dims);
    bool fits = equal(f->count, num_elements(dims));
    for (size_t k = 0; k < order.size(); ++k) fits &= equal(expected[k], store->index[order[k]]);
    if (fits) return true;
  } while (std::ranges::next_permutation(order).found);
  return false;
}

class Finder {
 public:
  explicit Finder(const Kernel& kernel) : varying_(varying(kernel, Scope::Block)) {}

  void block(const Block& b) {
    std::vector<Buffer> made;
    for (const Stmt& s : b) {
      if (const auto* alloc = std::get_if<Alloc>(&s->node); alloc && alloc->buffer.space == Space::Shared)
        made.push_back(alloc->buffer);
      for (const Buffer& buffer : made) {
        if (fills(s, buffer, team_of(around_))) found_.insert(buffer.name);
      }
      if (const auto* f = std::get_if<For>(&s->node)) {
        around_.push_back(f);
        block(f->body);
        around_.pop_back();
      }
      // All threads take the same branch, or none fills anything for others.
      if (const auto* branch = std::get_if<If>(&s->node); branch && !varying_.depends(branch->condition)) {
        block(branch->then_body);
        block(branch->else_body);
      }
    }
  }

  NameSet take() { return std::move(found_); }

 private:
  Varying varying_;
  std::vector<const For*> around_;
  NameSet found_;
};

}  // namespace

Team team_of(const std::vector<const For*>& around) {
  Team team{constant(int64_t{0}), constant(int64_t{1})};
  for (const For* f : around) {
    if (parallel(f->role) != Parallel::Threads) continue;
    team.thread = add(mul(team.thread, f->extent), var(f->index, Type::I64));
    team.size = mul(team.size, f->extent);
  }
  return team;
}

Expr num_elements(const std::vector<Expr>& dims) {
  Expr n = constant(int64_t{1});
  for (const Expr& d : dims) n = mul(n, d);
  return n;
}

// The outermost dimension of more than one element takes what the others leave.
std::vector<Expr> digits(const Name& at, const std::vector<Expr>& dims) {
  std::vector<Expr> result(dims.size(), constant(int64_t{0}));
  std::vector<size_t> wide;
  for (size_t d = 0; d < result.size(); ++d) {
    if (int_constant(dims[d]) != 1) wide.push_back(d);
  }
  Expr rest = var(at, Type::I64);
  for (size_t k = wide.size(); k-- > 1;) {
    result[wide[k]] = mod(rest, dims[wide[k]]);
    rest = div(rest, dims[wide[k]]);
  }
  if (!wide.empty()) result[wide[0]] = rest;
  return result;
}

std::optional<Filling> filling(const Stmt& s, const Team& team) {
  const auto* loop = std::get_if<For>(&s->node);
  if (!loop || loop->body.size() != 2) return std::nullopt;
  const auto* at = std::get_if<Let>(&loop->body[0]->node);
  const auto* test = std::get_if<If>(&loop->body[1]->node);
  if (!at || !test || !test->else_body.empty() || !equal(at->value, number(loop->index, team))) return std::nullopt;
  const auto* below = std::get_if<Operation>(&test->condition->node);
  if (!below || below->op.family != prim::Family::Slt || !equal(below->args[0], var(at->name, Type::I64)))
    return std::nullopt;
  if (!equal(loop->extent, ceil_div(below->args[1], team.size))) return std::nullopt;
  return Filling{at->name, below->args[1], &test->then_body};
}

Stmt fill(const std::vector<Expr>& dims, const Team& team, const std::function<Block(const std::vector<Expr>&)>& store,
          NameSource& names) {
  Name piece = names.fresh("piece"), at = names.fresh("at");
  Expr n = num_elements(dims);
  Block body = {stmt(Let{at, number(piece, team)}), stmt(If{less(var(at, Type::I64), n), store(digits(at, dims)), {}})};
  return stmt(For{piece, ceil_div(n, team.size), Role::Serial, std::move(body)});
}

NameSet filled_buffers(const Kernel& kernel) {
  Finder finder(kernel);
  finder.block(kernel.body);
  return finder.take();
}

}  // namespace heddle::nest
