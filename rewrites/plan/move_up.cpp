#include "rewrites/plan/move_up.h"

#include <algorithm>

#include "rewrites/plan/arrays_used.h"

namespace heddle::lower {

namespace {

// By itself and by its plan.
seg::NameSet needed_by(const seg::StmPtr& s, const PlannedProgram& planned) {
  seg::NameSet names = arrays_used(seg::Stms{s}, planned, [](const seg::Stm&) { return false; });
  names.merge(seg::free_names(*s));
  return names;
}

}  // namespace

bool makes_any(const seg::Stm& s, const seg::NameSet& names, const PlannedProgram& planned) {
  auto is_named = [&](const Name& n) { return names.contains(n); };
  auto plan = planned.plans.find(&s);
  return std::ranges::any_of(s.pat, is_named, &seg::PatElem::name) ||
         (plan != planned.plans.end() && std::ranges::any_of(plan->second.also_makes, is_named));
}

std::optional<size_t> move_up(seg::Body& body, size_t from, size_t to, const seg::Stms& late,
                              const PlannedProgram& planned, const graph::Graph& graph) {
  seg::NameSet needed = needed_by(body.stms[from], planned), passed_use;
  seg::Stms moved = {body.stms[from]}, passed;  // each from the last to the first
  for (size_t at = from; --at > to;) {
    const seg::StmPtr& s = body.stms[at];
    seg::NameSet needs = needed_by(s, planned);
    if (!makes_any(*s, needed, planned)) {
      passed.push_back(s);
      passed_use.merge(needs);
      continue;
    }
    if (std::ranges::any_of(late, [&](const seg::StmPtr& l) { return makes_any(*l, needs, planned); }))
      return std::nullopt;
    needed.merge(needs);
    moved.push_back(s);
  }
  for (const seg::StmPtr& l : late) passed_use.merge(needed_by(l, planned));
  if (overwrite_any(moved, passed_use, graph)) return std::nullopt;
  const auto behind = body.stms.begin() + static_cast<long>(to) + 1;
  std::ranges::copy(moved.rbegin(), moved.rend(), behind);
  std::ranges::copy(passed.rbegin(), passed.rend(), behind + std::ssize(moved));
  return to + moved.size();
}

}  // namespace heddle::lower
