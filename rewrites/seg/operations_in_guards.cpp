#include "rewrites/seg/operations_in_guards.h"

#include <algorithm>
#include <unordered_map>

#include "ir/seg/traverse.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/overwrites_nothing.h"

namespace heddle::seg {

namespace {

bool is_guard(const Exp& e) {
  const auto* match = std::get_if<Match>(&e);
  return match && match->sort == MatchSort::Fallback && match->is_if();
}

// Operations, and what arrays are seen as on the way from them. Scalars cost nothing, and say how large arrays are.
bool may_move(const Stm& s) {
  if (!overwrites_nothing(s.exp)) return false;
  return std::holds_alternative<SegOp>(s.exp) || std::holds_alternative<Rearrange>(s.exp) ||
         std::holds_alternative<Reshape>(s.exp) || std::holds_alternative<Replicate>(s.exp) ||
         std::holds_alternative<Iota>(s.exp);
}

// Whether nothing is overwritten while it is passed by.
bool may_be_passed(const Exp& e) {
  const auto* match = std::get_if<Match>(&e);
  if (!match) return overwrites_nothing(e);
  auto is_pure = [](const BodyPtr& b) {
    return std::ranges::all_of(b->stms, [](const StmPtr& s) { return may_be_passed(s->exp); });
  };
  return is_pure(match->otherwise) && std::ranges::all_of(match->cases, [&](const Case& c) { return is_pure(c.body); });
}

class Guards {
 public:
  explicit Guards(const Body& body) : stms_(body.stms) {
    for (const SubExpRes& r : body.result) use(r);
    for (const StmPtr& s : stms_) use(*s);
  }

  Stms run() {
    for (size_t i = stms_.size(); i-- > 0;) {
      if (is_guard(stms_[i]->exp)) i = filled(i);
    }
    return std::move(stms_);
  }

 private:
  template <class Node>
  void use(const Node& node) {
    for (const Name& n : free_names(node)) ++users_[n];
  }

  // Whether nobody but the guarded body needs what the statement makes.
  bool is_needed_by_guarded(const Stm& s, const Stm& guard) const {
    const auto& match = std::get<Match>(guard.exp);
    Match unguarded = match;
    unguarded.cases[0].body = match.otherwise;
    Stm rest = guard;
    rest.exp = std::move(unguarded);
    const NameSet of_body = free_names(*match.cases[0].body), of_rest = free_names(rest);
    auto is_read = [&](const PatElem& p) { return of_body.contains(p.name); };
    auto is_read_elsewhere = [&](const PatElem& p) {
      const auto users = users_.find(p.name);
      return users != users_.end() && (users->second > 1 || of_rest.contains(p.name) || !of_body.contains(p.name));
    };
    return std::ranges::any_of(s.pat, is_read) && std::ranges::none_of(s.pat, is_read_elsewhere);
  }

  // Moves into the guard at i what only its body needs; where it is then.
  size_t filled(size_t i) {
    for (size_t k = i; k-- > 0;) {
      const StmPtr s = stms_[k];
      if (may_move(*s) && is_needed_by_guarded(*s, *stms_[i])) {
        move(k, i);
        --i;
      } else if (!may_be_passed(s->exp)) {
        break;
      }
    }
    return i;
  }

  void move(size_t from, size_t to) {
    const StmPtr moved = stms_[from];
    Stm guard = *stms_[to];
    const NameSet used = free_names(guard);
    for (const Name& n : free_names(*moved)) {
      if (used.contains(n)) --users_[n];
    }
    auto& guarded = std::get<Match>(guard.exp).cases[0].body;
    Body body = *guarded;
    body.stms.insert(body.stms.begin(), moved);
    guarded = std::make_shared<const Body>(std::move(body));
    stms_[to] = std::make_shared<const Stm>(std::move(guard));
    stms_.erase(stms_.begin() + static_cast<std::ptrdiff_t>(from));
  }

  Stms stms_;
  std::unordered_map<Name, int> users_;  // statements of the body, and its results
};

struct InBodies : HostCodeAlone {
  using HostCodeAlone::body;
  BodyPtr body(const BodyPtr& b) {
    Body inner = *b;
    for (StmPtr& s : inner.stms) {
      if (!runs_on_device(s->exp)) s = std::make_shared<const Stm>(rebuild(*this, *s));
    }
    const bool guards = std::ranges::any_of(inner.stms, [](const StmPtr& s) { return is_guard(s->exp); });
    if (guards) inner.stms = Guards(inner).run();
    return std::make_shared<const Body>(std::move(inner));
  }
};

}  // namespace

Result<Program> operations_in_guards(const Program& program) {
  Program out = program;
  InBodies bodies;
  for (FunDef& f : out.functions) f.body = bodies.body(f.body);
  return out;
}

}  // namespace heddle::seg
