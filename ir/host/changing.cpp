#include "ir/host/changing.h"

#include <algorithm>

#include "ir/host/traverse.h"

namespace heddle::host {

namespace {

// What a statement binds where it stands.
struct Bound : Walker<Bound> {
  std::vector<Name> names;
  void expr(const Expr&) {}
  void body(const Block&) {}
  void bind(const Name& n) { names.push_back(n); }
};

struct Changing : Walker<Changing> {
  nest::NameSet names;
  int loops = 0;  // around

  bool mentions_any(const Stmt& s) const {
    return std::ranges::any_of(free_names(s), [&](const Name& n) { return names.contains(n); });
  }

  void stmt(const Stmt& s) {
    const auto* loop = std::get_if<Loop>(&s->node);
    if (loops > 0 && (std::holds_alternative<ReadElement>(s->node) || mentions_any(s))) {
      Bound bound;
      bound.stmt(s);
      names.insert(bound.names.begin(), bound.names.end());
    }
    if (loop) {
      if (const auto* each = std::get_if<ForEach>(&loop->form)) names.insert(each->index);
      for (const LoopParam& p : loop->params) {
        if (p.binder.type.rank == 0) names.insert(p.binder.name);
      }
    }
    loops += loop ? 1 : 0;
    Walker<Changing>::stmt(s);
    loops -= loop ? 1 : 0;
  }
};

}  // namespace

nest::NameSet changing_names(const Block& body) {
  Changing v;
  v.body(body);
  return std::move(v.names);
}

bool sizes_change(const Way& way, const nest::NameSet& changing) {
  auto changes = [&](const Expr& e) {
    return std::ranges::any_of(nest::free_names(e), [&](const Name& n) { return changing.contains(n); });
  };
  return std::ranges::any_of(way.sizes, changes) || std::ranges::any_of(way.fixed, changes);
}

}  // namespace heddle::host
