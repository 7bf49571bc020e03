#include "rewrites/points/deferred.h"

#include <algorithm>
#include <unordered_map>

#include "ir/seg/traverse.h"

namespace heddle::lower {

namespace {

struct Uses {
  int depth = 0;              // of the definition
  int count = 0;              // at that depth; a use further inside may happen many times
  bool only_as_whole = true;  // by SOACs, reshapes, transpositions and results
  std::vector<Name> seen_as;  // the names of its reshapes and transpositions
};

class Survey {
 public:
  void stms(const seg::Stms& stms, int depth) {
    for (const seg::StmPtr& s : stms) stm(*s, depth);
  }

  void use_as_whole(const Name& n, int depth) { use(n, depth, true); }

  std::unordered_set<Name> deferrable() const {
    std::unordered_set<Name> found;
    for (const seg::Stm* s : maps_) {
      if (read_once(s->pat[0].name)) found.insert(s->pat[0].name);
    }
    return found;
  }

 private:
  void use(const Name& n, int depth, bool as_whole) {
    auto it = uses_.find(n);
    if (it == uses_.end()) return;
    it->second.count += depth == it->second.depth ? 1 : 2;
    it->second.only_as_whole &= as_whole;
  }

  void stm(const seg::Stm& s, int depth) {
    const auto* soac = std::get_if<seg::Screma>(&s.exp);
    const auto* reshape = std::get_if<seg::Reshape>(&s.exp);
    const auto* rearrange = std::get_if<seg::Rearrange>(&s.exp);
    struct V {
      Survey& survey;
      const seg::Screma* soac;
      bool view;
      int depth;
      const seg::Pat& pat;
      void use(const Name& n) {
        bool input = soac && std::find(soac->arrays.begin(), soac->arrays.end(), n) != soac->arrays.end();
        survey.use(n, depth, input || view);
        if (view && survey.uses_.contains(n)) survey.uses_.at(n).seen_as.push_back(pat[0].name);
      }
      void bind(const Name& n) { survey.uses_[n].depth = depth + 1; }
      bool enter(const seg::BodyPtr& body) {
        survey.stms(body->stms, depth + 1);
        for (const seg::SubExpRes& r : body->result) {
          if (r.value.is_var()) survey.use(r.value.name(), depth + 1, true);
        }
        return false;
      }
    } v{*this, soac, reshape || rearrange, depth, s.pat};
    seg::walk(v, s.exp);
    for (const seg::PatElem& p : s.pat) uses_[p.name].depth = depth;
    bool is_map = soac && soac->scans.empty() && soac->reduces.empty() && s.pat.size() == 1 && s.pat[0].type.is_array();
    if (is_map && is_cheap(*soac->map.body)) maps_.push_back(&s);
  }

  // No loops, so that computing an element again for each of its parts costs little.
  static bool is_cheap(const seg::Body& body) {
    return std::all_of(body.stms.begin(), body.stms.end(), [](const seg::StmPtr& s) {
      const seg::Exp& e = s->exp;
      if (const auto* m = std::get_if<seg::Match>(&e)) {
        bool cheap = is_cheap(*m->otherwise);
        for (const seg::Case& c : m->cases) cheap = cheap && is_cheap(*c.body);
        return cheap;
      }
      if (const auto* soac = std::get_if<seg::Screma>(&e))
        return soac->scans.empty() && soac->reduces.empty() && is_cheap(*soac->map.body);
      return std::holds_alternative<seg::PrimOp>(e) || std::holds_alternative<seg::Atom>(e) ||
             std::holds_alternative<seg::Opaque>(e) || std::holds_alternative<seg::Index>(e) ||
             std::holds_alternative<seg::Apply>(e) ||  // of builtin functions: all others have been inlined
             std::holds_alternative<seg::Assert>(e) || std::holds_alternative<seg::Iota>(e) ||
             std::holds_alternative<seg::Replicate>(e) || std::holds_alternative<seg::Reshape>(e) ||
             std::holds_alternative<seg::Rearrange>(e);
    });
  }

  bool read_once(const Name& n) const {
    const Uses& u = uses_.at(n);
    if (u.count != 1 || !u.only_as_whole) return false;
    return std::all_of(u.seen_as.begin(), u.seen_as.end(), [&](const Name& view) { return read_once(view); });
  }

  std::unordered_map<Name, Uses> uses_;
  std::vector<const seg::Stm*> maps_;
};

}  // namespace

std::unordered_set<Name> deferrable_maps(const seg::Stms& stms, const std::vector<seg::KernelResult>& results) {
  Survey survey;
  survey.stms(stms, 0);
  for (const seg::KernelResult& r : results) {
    const auto* returns = std::get_if<seg::Returns>(&r);
    if (returns && returns->value.is_var()) survey.use_as_whole(returns->value.name(), 0);
  }
  return survey.deferrable();
}

}  // namespace heddle::lower
