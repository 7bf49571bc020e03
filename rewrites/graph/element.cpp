#include "rewrites/graph/element.h"

#include <algorithm>

namespace heddle::graph {

namespace {

// Without memory, though of whole arrays.
bool is_view(const seg::Exp& e) {
  return std::holds_alternative<seg::Opaque>(e) || std::holds_alternative<seg::Iota>(e) ||
         std::holds_alternative<seg::Replicate>(e) || std::holds_alternative<seg::Reshape>(e) ||
         std::holds_alternative<seg::Rearrange>(e);
}

}  // namespace

void Element::stms(const seg::Stms& all) {
  for (const seg::StmPtr& s : all) stm(*s);
}

void Element::stm(const seg::Stm& s) {
  ++operations_;
  if (s.pat.size() != 1) moved_ = false;
  const Name result = s.pat.empty() ? Name{} : s.pat[0].name;
  if (const auto* op = std::get_if<seg::PrimOp>(&s.exp)) {
    if (std::ranges::any_of(op->args, [&](const seg::SubExp& x) { return is_element(x); })) moved_ = false;
    return;
  }
  if (const auto* atom = std::get_if<seg::Atom>(&s.exp)) {
    if (is_element(atom->value)) elements_.insert(result);
    return;
  }
  if (const auto* e = std::get_if<seg::Match>(&s.exp)) {
    scalar_code_ &= std::ranges::all_of(s.pat, [](const seg::PatElem& p) { return p.type.is_scalar(); });
    return match(result, *e);
  }
  scalar_code_ = false;
  if (std::holds_alternative<seg::Assert>(s.exp)) return;
  if (const auto* e = std::get_if<seg::Index>(&s.exp)) return index(result, *e);
  moved_ = false;
  // All functions but the builtin ones have been inlined.
  if (is_view(s.exp) || std::holds_alternative<seg::Apply>(s.exp)) return;
  const auto* soac = std::get_if<seg::Screma>(&s.exp);
  if (soac && soac->scans.empty() && soac->reduces.empty()) return stms(soac->map.body->stms);
  straight_ = false;
}

void Element::index(const Name& result, const seg::Index& e) {
  elements_.insert(result);
  bool single = std::ranges::all_of(e.slice, [&](const seg::DimIndex& d) {
    const auto* at = std::get_if<seg::DimFix>(&d);
    return at && !is_element(at->index);
  });
  if (!single) moved_ = false;
}

void Element::match(const Name& result, const seg::Match& e) {
  if (std::ranges::any_of(e.subjects, [&](const seg::SubExp& x) { return is_element(x); })) moved_ = false;
  stms(e.otherwise->stms);
  for (const seg::Case& c : e.cases) stms(c.body->stms);
  elements_.insert(result);
}

}  // namespace heddle::graph
