#include "rewrites/nest/drop_fills.h"

#include <algorithm>

#include "rewrites/nest/meanings.h"
#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

namespace {

// What each step of a loop stores in straight line, if it is one element of the array.
const Store* only_store(const For& loop, const Name& array) {
  const Store* found = nullptr;
  int stores = 0;
  for_each_stmt(loop.body, [&](const Stmt& s) {
    const auto* store = std::get_if<Store>(&s->node);
    stores += store && store->buffer == array;
  });
  for (const Stmt& s : loop.body) {
    const auto* store = std::get_if<Store>(&s->node);
    if (store && store->buffer == array) found = store;
  }
  return stores == 1 ? found : nullptr;
}

bool reads(const Block& block, const Name& array) {
  bool found = false;
  for_each_expr(block, [&](const Expr& e) {
    const auto* l = std::get_if<Load>(&e->node);
    found |= l && l->buffer == array;
  });
  return found;
}

class DropFills : public Rebuilder<DropFills> {
 public:
  explicit DropFills(const Kernel& kernel) : meanings_(kernel.body) {
    for (const Buffer& b : kernel.buffers) {
      if (b.exchanged) exchanged_.insert(b.name);
    }
  }

  void expr(Expr&) {}
  void body(Block& b) {
    Rebuilder::body(b);
    for (size_t k = b.size(); k-- > 0;) {
      if (is_stored_again(b, k)) b.erase(b.begin() + static_cast<long>(k));
    }
  }

 private:
  using Place = std::vector<Polynomial>;

  std::optional<Place> place(const For& loop, const Store& store) const {
    return meanings_.place(store.index, bound_in(loop.body));
  }

  // Whether the statement fills an array, and the next one that mentions it is a loop that stores the same elements without reading any.
  bool is_stored_again(const Block& b, size_t k) const {
    const auto* fill = std::get_if<For>(&b[k]->node);
    if (!fill || fill->role != Role::Serial || fill->body.size() != 1) return false;
    const auto* store = std::get_if<Store>(&fill->body[0]->node);
    if (!store || exchanged_.contains(store->buffer) || !std::holds_alternative<Const>(store->value->node))
      return false;
    for (size_t next = k + 1; next < b.size(); ++next) {
      if (may_be_disturbed({b[next]})) return false;
      if (!free_names(Block{b[next]}).contains(store->buffer)) continue;
      const auto* loop = std::get_if<For>(&b[next]->node);
      if (!loop || loop->role != Role::Serial || !equal(loop->extent, fill->extent)) return false;
      const Store* again = only_store(*loop, store->buffer);
      return again && !reads(loop->body, store->buffer) && are_same(*fill, *store, *loop, *again);
    }
    return false;
  }

  bool are_same(const For& fill, const Store& store, const For& loop, const Store& again) const {
    std::optional<Place> filled = place(fill, store);
    const std::optional<Place> stored = place(loop, again);
    if (!filled || !stored) return false;
    for (Polynomial& p : *filled) p = p.substitute(fill.index, Polynomial::of(loop.index));
    return *filled == *stored;
  }

  Meanings meanings_;
  NameSet exchanged_;
};

}  // namespace

Kernel drop_fills(Kernel kernel) {
  DropFills(kernel).body(kernel.body);
  return kernel;
}

}  // namespace heddle::nest
