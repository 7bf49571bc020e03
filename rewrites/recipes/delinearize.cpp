#include "rewrites/recipes/delinearize.h"

#include <algorithm>
#include <optional>

#include "rewrites/nest/digits.h"

namespace heddle::lower {

namespace {

using nest::Block;
using nest::Expr;
using nest::Store;
using nest::TwoIndices;
using prim::Type;
using recognize::Index;

bool is_var(const Expr& e, const Name& name) {
  const auto* v = std::get_if<nest::Var>(&e->node);
  return v && v->name == name;
}

struct SplitLoop : nest::Rebuilder<SplitLoop> {
  const nest::Facts::Digits& digits;
  NameSource& names;
  SplitLoop(const nest::Facts::Digits& digits, NameSource& names) : digits(digits), names(names) {}

  void expr(Expr&) {}
  void stmts(const nest::Stmt& s, Block& out) {
    const auto* loop = std::get_if<nest::For>(&s->node);
    if (!loop || loop->index != digits.index) return Rebuilder::stmts(s, out);
    out.push_back(TwoIndices(digits, names).in(*loop));
  }
};

// Where a buffer is stored to at an index.
struct Stored {
  Name buffer;
  size_t dim;
};

// The only one, which is all that is done with the buffer.
std::optional<std::vector<Stored>> stored_at(const Name& index, const Block& work) {
  std::vector<Stored> found;
  nest::NameSet loaded;
  bool possible = true;
  nest::for_each_expr(work, [&](const Expr& e) {
    if (const auto* l = std::get_if<nest::Load>(&e->node)) loaded.insert(l->buffer);
  });
  nest::for_each_stmt(work, [&](const nest::Stmt& s) {
    const auto* store = std::get_if<Store>(&s->node);
    if (!store) return;
    for (size_t d = 0; d < store->index.size(); ++d) {
      if (!is_var(store->index[d], index)) continue;
      auto same = [&](const Stored& x) { return x.buffer == store->buffer; };
      possible &= std::none_of(found.begin(), found.end(), same) && !loaded.contains(store->buffer);
      found.push_back({store->buffer, d});
    }
  });
  if (!possible) return std::nullopt;
  return found;
}

void put_two(std::vector<Expr>& list, size_t at, Expr first, Expr second) {
  list[at] = std::move(first);
  list.insert(list.begin() + static_cast<long>(at) + 1, std::move(second));
}

struct StoreInTwo : nest::Rebuilder<StoreInTwo> {
  const std::vector<Stored>& stored;
  const TwoIndices& two;
  StoreInTwo(const std::vector<Stored>& stored, const TwoIndices& two) : stored(stored), two(two) {}

  void expr(Expr&) {}
  void stmts(const nest::Stmt& s, Block& out) {
    const auto* store = std::get_if<Store>(&s->node);
    auto is_here = [&](const Stored& x) { return store && x.buffer == store->buffer; };
    auto it = std::find_if(stored.begin(), stored.end(), is_here);
    if (it == stored.end()) return Rebuilder::stmts(s, out);
    Store changed = *store;
    put_two(changed.index, it->dim, nest::var(two.outer, Type::I64), nest::var(two.inner, Type::I64));
    out.push_back(nest::stmt(std::move(changed)));
  }
};

}  // namespace

bool delinearize(const nest::Facts::Digits& digits, const PointWork& point, NameSource& names) {
  auto same = [&](const Index& e) { return e.name == digits.index; };
  auto it = std::find_if(point.indices.begin(), point.indices.end(), same);
  if (it == point.indices.end()) {
    SplitLoop(digits, names).body(point.work);
    return true;
  }
  std::optional<std::vector<Stored>> stored = stored_at(digits.index, point.work);
  if (!stored) return false;
  TwoIndices two(digits, names);
  StoreInTwo(*stored, two).body(point.work);
  point.work = two.in(point.work);
  for (nest::Buffer& b : point.buffers) {
    for (const Stored& s : *stored) {
      if (s.buffer != b.name) continue;
      put_two(b.dims, s.dim, two.rows, two.by);
      Expr stride = b.strides[s.dim];
      put_two(b.strides, s.dim, nest::mul(two.by, stride), stride);
    }
  }
  *it = {two.outer, two.rows};
  point.indices.insert(it + 1, {two.inner, two.by});
  return true;
}

}  // namespace heddle::lower
