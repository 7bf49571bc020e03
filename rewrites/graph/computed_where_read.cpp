#include "rewrites/graph/computed_where_read.h"

#include <algorithm>
#include <unordered_map>

#include "ir/seg/traverse.h"
#include "rewrites/graph/element.h"

namespace heddle::graph {

namespace {

// Statements beyond which reading an element is taken to be cheaper than computing or finding it; of several results, for each.
constexpr size_t kMostComputed = 24;
constexpr size_t kMostToFind = 64;

bool is_plain(const seg::KernelResult& r) {
  const auto* returns = std::get_if<seg::Returns>(&r);
  return returns && returns->certs.empty();
}

// ---- Within a point. ----

struct Uses {
  int depth = 0;              // of the definition
  int count = 0;              // at that depth; a use further inside may happen many times
  bool only_as_whole = true;  // by SOACs, reshapes, transpositions and results
  std::vector<Name> seen_as;  // the names of its reshapes and transpositions
};

class Survey {
 public:
  explicit Survey(RowsMade rows) : rows_(rows) {}

  void stms(const seg::Stms& stms, int depth) {
    for (const seg::StmPtr& s : stms) stm(*s, depth);
  }

  void use_as_whole(const Name& n, int depth) { use(n, depth, true); }

  std::unordered_set<Name> maps_read_once() const {
    std::unordered_set<Name> found;
    for (const seg::Stm* s : maps_) {
      if (computed_by_reader(*s)) found.insert(s->pat[0].name);
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
    if (is_map && Element(soac->map.body->stms).is_straight()) maps_.push_back(&s);
  }

  bool read_once(const Name& n) const {
    const Uses& u = uses_.at(n);
    if (u.count != 1 || !u.only_as_whole) return false;
    return std::all_of(u.seen_as.begin(), u.seen_as.end(), [&](const Name& view) { return read_once(view); });
  }

  bool computed_by_reader(const seg::Stm& map) const {
    if (!read_once(map.pat[0].name)) return false;
    // What a row is computed from is computed again for each of its elements.
    bool of_rows = map.pat[0].type.rank() > 1;
    return rows_ == RowsMade::Again || !of_rows || !stores_arrays(std::get<seg::Screma>(map.exp).map.body->stms);
  }

  // Whether statements make arrays that their readers do not compute.
  bool stores_arrays(const seg::Stms& stms) const {
    return std::ranges::any_of(stms, [&](const seg::StmPtr& s) {
      bool makes = std::holds_alternative<seg::Screma>(s->exp) || std::holds_alternative<seg::Match>(s->exp);
      if (!makes || std::ranges::none_of(s->pat, [](const seg::PatElem& p) { return p.type.is_array(); })) return false;
      return std::ranges::find(maps_, s.get()) == maps_.end() || !computed_by_reader(*s);
    });
  }

  RowsMade rows_;
  std::unordered_map<Name, Uses> uses_;
  std::vector<const seg::Stm*> maps_;
};

}  // namespace

ComputedBy computed_by(const seg::SegOp& op) {
  bool is_map = op.kind == seg::SegKind::Map && op.level.kind == seg::LevelKind::Thread;
  bool of_scalars = std::ranges::all_of(op.types, [](const seg::Type& t) { return t.is_scalar(); });
  if (!is_map || !of_scalars || !std::ranges::all_of(op.body->results, is_plain)) return ComputedBy::Itself;
  const Element element(op.body->stms);
  if (element.is_scalar_code() && element.operations() <= kMostComputed * op.types.size()) return ComputedBy::Readers;
  bool finds_value = op.types.size() == 1 && op.types[0].elem != prim::Type::Unit;
  if (finds_value && element.is_moved() && element.operations() <= kMostToFind) return ComputedBy::Contractions;
  return ComputedBy::Itself;
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

std::unordered_set<Name> maps_read_once(const seg::Stms& stms, const std::vector<seg::KernelResult>& results,
                                        RowsMade rows) {
  Survey survey(rows);
  survey.stms(stms, 0);
  for (const seg::KernelResult& r : results) {
    const auto* returns = std::get_if<seg::Returns>(&r);
    if (returns && returns->value.is_var()) survey.use_as_whole(returns->value.name(), 0);
  }
  return survey.maps_read_once();
}

}  // namespace heddle::graph
