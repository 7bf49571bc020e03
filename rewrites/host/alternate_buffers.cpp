#include "rewrites/host/alternate_buffers.h"

#include <algorithm>

#include "rewrites/host/each_block.h"

namespace heddle::host {

namespace {

template <class Node, class F>
auto find(std::vector<Stmt>& stmts, F wanted) {
  return std::ranges::find_if(stmts, [&](const Stmt& s) {
    const auto* node = std::get_if<Node>(&s->node);
    return node && wanted(*node);
  });
}

nest::NameSet bound_in(const Loop& loop) {
  struct Bound : Walker<Bound> {
    nest::NameSet names;
    void bind(const Name& n) { names.insert(n); }
  } bound;
  pieces(loop, bound);
  return std::move(bound.names);
}

// Adds a spare block for the i-th parameter, if it is made anew in each iteration. What is to stand before and behind the loop goes
// to `before` and `behind`.
void alternate(Loop& loop, size_t i, NameSource& names, std::vector<Stmt>& before, std::vector<Stmt>& behind) {
  const LoopParam param = loop.params[i];
  const auto* made = std::get_if<Name>(&loop.body.yields[i]);
  if (!made) return;
  auto alloc = find<Alloc>(loop.body.stmts, [&](const Alloc& a) { return a.name == *made && !a.from; });
  auto free = find<Free>(loop.body.stmts, [&](const Free& f) { return f.array == param.binder.name; });
  if (alloc == loop.body.stmts.end() || free == loop.body.stmts.end()) return;
  if (free < alloc) return;  // one block may do
  Alloc from_spare = std::get<Alloc>((*alloc)->node);
  nest::NameSet bound = bound_in(loop);
  for (const Expr& e : from_spare.shape) {
    for (const Name& n : nest::free_names(e)) {
      if (bound.contains(n)) return;
    }
  }

  Name first = names.fresh("spare"), spare = names.fresh("spare"), last = names.fresh("spare");
  std::vector<Expr> nothing(from_spare.shape.size(), nest::constant(int64_t{0}));
  before.push_back(stmt(Alloc{first, from_spare.elem, std::move(nothing), row_major(from_spare.shape.size())}));
  behind.push_back(stmt(Free{last}));
  from_spare.from = spare;
  *alloc = stmt(std::move(from_spare));
  loop.body.stmts.erase(free);
  loop.body.yields.emplace_back(param.binder.name);
  loop.params.push_back({{spare, param.binder.type}, first});
  loop.results.push_back(last);
}

}  // namespace

Program alternate_buffers(Program program) {
  NameSource names(next_tag(program));
  each_block(program, [&](Block& b) {
    std::vector<Stmt> all;
    for (Stmt& s : b.stmts) {
      const auto* found = std::get_if<Loop>(&s->node);
      if (!found) {
        all.push_back(s);
        continue;
      }
      Loop loop = *found;
      std::vector<Stmt> behind;
      for (size_t i = 0, most = loop.params.size(); i < most; ++i) alternate(loop, i, names, all, behind);
      all.push_back(behind.empty() ? s : stmt(std::move(loop)));
      all.insert(all.end(), behind.begin(), behind.end());
    }
    b.stmts = std::move(all);
  });
  return program;
}

}  // namespace heddle::host
