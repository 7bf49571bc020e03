#include "rewrites/plan/unread.h"

#include <algorithm>

#include "rewrites/plan/arrays_used.h"

namespace heddle::lower {

void drop_unread(seg::Body& body, const PlannedProgram& planned, const seg::NameSet& candidates) {
  if (candidates.empty()) return;
  struct Collect {
    const PlannedProgram& planned;
    seg::NameSet used{};
    void use(const Name& n) { used.insert(n); }
    void bind(const Name&) {}
    bool enter(const seg::BodyPtr& b) {
      stms(b->stms);
      for (const seg::SubExpRes& r : b->result) seg::walk(*this, r.value);
      return false;
    }
    bool enter(const seg::KernelBodyPtr&) { return false; }
    void stms(const seg::Stms& stms) {
      for (const seg::StmPtr& s : stms) {
        seg::walk(*this, s->exp);
        if (auto it = planned.plans.find(s.get()); it != planned.plans.end()) add_arguments(it->second, used);
      }
    }
  };
  size_t before;
  do {
    before = body.stms.size();
    Collect live{planned};
    live.stms(body.stms);
    for (const seg::SubExpRes& r : body.result) seg::walk(live, r.value);
    std::erase_if(body.stms, [&](const seg::StmPtr& s) {
      bool view = std::holds_alternative<seg::Reshape>(s->exp) || std::holds_alternative<seg::Rearrange>(s->exp) ||
                  (std::holds_alternative<seg::Atom>(s->exp) && s->pat.size() == 1 && s->pat[0].type.is_array());
      return !s->pat.empty() && std::ranges::all_of(s->pat, [&](const seg::PatElem& p) {
        return !live.used.contains(p.name) && (view || candidates.contains(p.name));
      });
    });
  } while (body.stms.size() < before);
}

}  // namespace heddle::lower
