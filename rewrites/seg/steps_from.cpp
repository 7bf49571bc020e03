#include "rewrites/seg/steps_from.h"

#include <algorithm>
#include <unordered_map>

#include "rewrites/seg/block_operators.h"

namespace heddle::seg {

namespace {

constexpr size_t kMostSteps = 4;

// What computes a scalar, where that is one step that cannot fail.
const PrimOp* as_step(const Stm& s, const NameSet& of_point) {
  const auto* op = std::get_if<PrimOp>(&s.exp);
  const bool is_checked = std::ranges::any_of(s.certs, [&](const Name& c) { return of_point.contains(c); });
  return op && !is_checked && !prim::can_fail(op->op) ? op : nullptr;
}

class Search {
 public:
  Search(const SegOp& op, const NameSet& from) : known_(from) {
    for (const StmPtr& s : op.body->stms) {
      for (const PatElem& p : s->pat) {
        made_by_.emplace(p.name, &s);
        of_point_.insert(p.name);
      }
    }
    of_point_.insert(op.space.flat);
    for (const SegDim& d : op.space.dims) of_point_.insert(d.index);
  }

  Scalar narrowest(Scalar value) const {
    Scalar best = value;
    for (size_t steps = 0; steps < kMostSteps && value.value.is_var(); ++steps) {
      const auto made = made_by_.find(value.value.name());
      const PrimOp* op = made == made_by_.end() ? nullptr : as_step(**made->second, of_point_);
      if (!op) break;
      const SubExp* only = nullptr;
      for (const SubExp& a : op->args) {
        if (!a.is_var() || !of_point_.contains(a.name())) continue;
        if (only && !(*only == a)) return best;
        only = &a;
      }
      const auto of = only ? made_by_.find(only->name()) : made_by_.end();
      if (of == made_by_.end()) break;
      const auto type = std::ranges::find((*of->second)->pat, only->name(), &PatElem::name)->type;
      if (!is_stored_scalar(type)) break;
      value = {*only, type};
      if (prim::size_bytes(type.elem) < prim::size_bytes(best.type.elem)) best = value;
    }
    return best;
  }

  bool follows(const SubExp& e) {
    if (!e.is_var() || known_.contains(e.name())) return true;
    const auto made = made_by_.find(e.name());
    if (made == made_by_.end()) return !of_point_.contains(e.name());
    const PrimOp* op = as_step(**made->second, of_point_);
    if (!op || !std::ranges::all_of(op->args, [this](const SubExp& a) { return follows(a); })) return false;
    if (steps_.size() == kMostSteps) return false;
    steps_.push_back(*made->second);
    known_.insert(e.name());
    return true;
  }

  Stms take() { return std::move(steps_); }

 private:
  NameSet known_, of_point_;
  std::unordered_map<Name, const StmPtr*> made_by_;
  Stms steps_;
};

}  // namespace

std::optional<Stms> steps_from(const SegOp& op, const NameSet& from, const SubExp& value) {
  Search search(op, from);
  if (!search.follows(value)) return std::nullopt;
  return search.take();
}

Scalar narrowest(const SegOp& op, const Scalar& value) {
  return is_stored_scalar(value.type) ? Search(op, {}).narrowest(value) : value;
}

}  // namespace heddle::seg
