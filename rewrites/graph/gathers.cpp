#include "rewrites/graph/gathers.h"

#include <algorithm>
#include <unordered_set>

#include "ir/seg/traverse.h"

namespace heddle::graph {

namespace {

// Operations beyond which reading an element is taken to be cheaper than finding it.
constexpr size_t kMaxOperations = 64;

class Gather {
 public:
  bool stms(const seg::Stms& stms) {
    return std::all_of(stms.begin(), stms.end(), [&](const seg::StmPtr& s) { return stm(*s); });
  }

 private:
  bool is_element(const seg::SubExp& x) const { return x.is_var() && elements_.contains(x.name()); }

  bool stm(const seg::Stm& s) {
    if (++count_ > kMaxOperations || s.pat.size() != 1) return false;
    if (std::holds_alternative<seg::Assert>(s.exp)) return true;
    const Name& name = s.pat[0].name;
    if (const auto* e = std::get_if<seg::PrimOp>(&s.exp)) {
      return std::none_of(e->args.begin(), e->args.end(), [&](const seg::SubExp& x) { return is_element(x); });
    }
    if (const auto* e = std::get_if<seg::Atom>(&s.exp)) {
      if (is_element(e->value)) elements_.insert(name);
      return true;
    }
    if (const auto* e = std::get_if<seg::Index>(&s.exp)) {
      elements_.insert(name);
      return std::all_of(e->slice.begin(), e->slice.end(), [&](const seg::DimIndex& d) {
        const auto* at = std::get_if<seg::DimFix>(&d);
        return at && !is_element(at->index);
      });
    }
    const auto* m = std::get_if<seg::Match>(&s.exp);
    if (!m || std::any_of(m->subjects.begin(), m->subjects.end(), [&](const auto& x) { return is_element(x); }))
      return false;
    bool simple = stms(m->otherwise->stms);
    for (const seg::Case& c : m->cases) simple = simple && stms(c.body->stms);
    elements_.insert(name);
    return simple;
  }

  std::unordered_set<Name> elements_;  // read from arrays, or chosen among such
  size_t count_ = 0;
};

}  // namespace

bool is_gather(const seg::SegOp& op) {
  if (op.kind != seg::SegKind::Map || op.level.kind != seg::LevelKind::Thread || op.body->results.size() != 1)
    return false;
  const auto* result = std::get_if<seg::Returns>(&op.body->results[0]);
  return result && result->certs.empty() && op.types.size() == 1 && op.types[0].is_scalar() &&
         op.types[0].elem != prim::Type::Unit && Gather().stms(op.body->stms);
}

std::vector<Name> arrays_read(const seg::SegOp& op) {
  std::vector<Name> arrays;
  struct Find {
    std::vector<Name>& arrays;
    seg::NameSet bound;
    void use(const Name&) {}
    void bind(const Name&) {}
    bool enter(const seg::BodyPtr& b) { return stms(b->stms), false; }
    bool enter(const seg::KernelBodyPtr& b) { return stms(b->stms), false; }
    void stms(const seg::Stms& all) {
      for (const seg::StmPtr& s : all) {
        if (const auto* e = std::get_if<seg::Index>(&s->exp); e && !bound.contains(e->array))
          arrays.push_back(e->array);
        for (const seg::PatElem& p : s->pat) bound.insert(p.name);
        seg::walk(*this, s->exp);
      }
    }
  } find{arrays, {}};
  find.stms(op.body->stms);
  return arrays;
}

}  // namespace heddle::graph
