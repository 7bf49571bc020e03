#include "rewrites/nest/split_indices.h"

#include <algorithm>
#include <unordered_map>

#include "ir/nest/index_map.h"
#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

struct Split : Rebuilder<Split> {
  const Name& round;
  std::unordered_map<Name, Expr> definitions;

  explicit Split(const Name& round) : round(round) {}

  Expr split(const Expr& index) const {
    auto definition = [this](const Name& n) {
      auto it = definitions.find(n);
      return it == definitions.end() ? nullptr : it->second;
    };
    const std::optional<Polynomial> place = from_expr(index, definition);
    if (!place || place->degree_in(round) != 1) return index;
    const std::optional<int64_t> factor = place->coefficient(round).as_constant();
    if (!factor) return index;
    const Polynomial added = Polynomial(*factor) * Polynomial::of(round) + place->constant_term();
    const Polynomial same = *place - added;
    return same.is_zero() ? to_expr(added) : add(to_expr(same), to_expr(added));
  }

  void expr(Expr& e) {
    Rebuilder::expr(e);
    const auto* l = std::get_if<Load>(&e->node);
    if (!l) return;
    Load load = *l;
    for (Expr& index : load.index) index = split(index);
    e = nest::load(load.buffer, e->type, load.index);
  }
  void stmts(const Stmt& s, Block& out) {
    Rebuilder::stmts(s, out);
    if (const auto* let = std::get_if<Let>(&out.back()->node)) {
      definitions.emplace(let->name, let->value);
    } else if (const auto* stored = std::get_if<Store>(&out.back()->node)) {
      Store store = *stored;
      for (Expr& index : store.index) index = split(index);
      out.back() = nest::stmt(std::move(store));
    }
  }
};

}  // namespace

Block split_indices(const Block& body, const Name& round) {
  Block result = body;
  Split(round).body(result);
  return result;
}

}  // namespace heddle::nest
