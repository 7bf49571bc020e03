#include "rewrites/nest/fill.h"

#include <algorithm>

#include "ir/nest/threads.h"

namespace heddle::nest {

namespace {

using prim::Type;

Expr num_elements(const Buffer& buffer) {
  Expr n = constant(int64_t{1});
  for (const Expr& d : buffer.dims) n = mul(n, d);
  return n;
}

Expr number(const Name& piece, const Team& team) { return add(mul(var(piece, Type::I64), team.size), team.thread); }

// The outermost dimension of more than one element takes what the others leave.
std::vector<Expr> digits(const Name& at, const Buffer& buffer) {
  std::vector<Expr> result(buffer.dims.size(), constant(int64_t{0}));
  std::vector<size_t> wide;
  for (size_t d = 0; d < result.size(); ++d) {
    if (int_constant(buffer.dims[d]) != 1) wide.push_back(d);
  }
  Expr rest = var(at, Type::I64);
  for (size_t k = wide.size(); k-- > 1;) {
    result[wide[k]] = mod(rest, buffer.dims[wide[k]]);
    rest = div(rest, buffer.dims[wide[k]]);
  }
  if (!wide.empty()) result[wide[0]] = rest;
  return result;
}

bool fills(const Stmt& s, const Buffer& buffer, const Team& team) {
  Expr n = num_elements(buffer);
  const auto* loop = std::get_if<For>(&s->node);
  if (!loop || !equal(loop->extent, ceil_div(n, team.size)) || loop->body.size() != 2) return false;
  const auto* at = std::get_if<Let>(&loop->body[0]->node);
  const auto* test = std::get_if<If>(&loop->body[1]->node);
  if (!at || !test || !equal(at->value, number(loop->index, team))) return false;
  if (!equal(test->condition, less(var(at->name, Type::I64), n)) || test->then_body.empty()) return false;
  const auto* store = std::get_if<Store>(&test->then_body.back()->node);
  if (!store || store->buffer != buffer.name) return false;
  std::vector<Expr> expected = digits(at->name, buffer);
  return std::equal(expected.begin(), expected.end(), store->index.begin(), store->index.end(), equal);
}

class Finder {
 public:
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
    }
  }

  NameSet take() { return std::move(found_); }

 private:
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

Stmt fill(const Buffer& buffer, const Team& team, const std::function<Block(const std::vector<Expr>&)>& store,
          seg::NameSource& names) {
  Name piece = names.fresh("piece"), at = names.fresh("at");
  Expr n = num_elements(buffer);
  Block body = {stmt(Let{at, number(piece, team)}),
                stmt(If{less(var(at, Type::I64), n), store(digits(at, buffer)), {}})};
  return stmt(For{piece, ceil_div(n, team.size), Role::Serial, std::move(body)});
}

NameSet filled_buffers(const Kernel& kernel) {
  Finder finder;
  finder.block(kernel.body);
  return finder.take();
}

}  // namespace heddle::nest
