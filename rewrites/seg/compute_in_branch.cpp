#include "rewrites/seg/compute_in_branch.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "ir/seg/has_checks.h"
#include "ir/seg/traverse.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/updates.h"

namespace heddle::seg {

namespace {

// Whether it takes a kernel, or memory, or has the host wait.
bool takes_time(const Stm& s) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  return op || std::holds_alternative<Replicate>(s.exp) || std::holds_alternative<Iota>(s.exp) ||
         std::holds_alternative<Concat>(s.exp) || std::holds_alternative<Manifest>(s.exp) ||
         std::holds_alternative<Rearrange>(s.exp) || std::holds_alternative<Reshape>(s.exp) ||
         std::holds_alternative<Index>(s.exp);
}

// Branches of a match, each with what it mentions.
class Branches {
 public:
  explicit Branches(const Match& match) : match_(match) {
    for (const Case& c : match.cases) add(*c.body);
    add(*match.otherwise);
  }

  // The branch that mentions one of these, if it is one alone.
  std::optional<size_t> only(const Pat& pat) const {
    std::optional<size_t> found;
    for (size_t k = 0; k < all_.size(); ++k) {
      if (std::ranges::none_of(pat, [&](const PatElem& p) { return all_[k].mentions.contains(p.name); })) continue;
      if (found) return std::nullopt;
      found = k;
    }
    return found;
  }

  // Statements come last to first.
  void prepend(size_t branch, const StmPtr& s, const NameSet& mentions) {
    all_[branch].added.push_back(s);
    for (const PatElem& p : s->pat) all_[branch].mentions.erase(p.name);
    all_[branch].mentions.insert(mentions.begin(), mentions.end());
  }

  Match with_added() const {
    Match changed = match_;
    for (size_t k = 0; k < changed.cases.size(); ++k) changed.cases[k].body = body(all_[k], *match_.cases[k].body);
    changed.otherwise = body(all_.back(), *match_.otherwise);
    return changed;
  }

 private:
  struct Branch {
    NameSet mentions;
    Stms added;  // last to first
  };

  void add(const Body& b) { all_.push_back({free_names(b), {}}); }
  static BodyPtr body(const Branch& branch, const Body& b) {
    Stms stms(branch.added.rbegin(), branch.added.rend());
    stms.insert(stms.end(), b.stms.begin(), b.stms.end());
    return std::make_shared<const Body>(Body{std::move(stms), b.result});
  }

  const Match& match_;
  std::vector<Branch> all_;
};

// Statements of a body, last to first.
class Sinking {
 public:
  Sinking(const Stms& stms, const std::vector<SubExpRes>& results) : stms_(stms) {
    for (const SubExpRes& r : results) use(free_names(r), kSeveral);
  }

  Stms run() {
    for (size_t i = stms_.size(); i-- > 0;) {
      const NameSet mentions = free_names(*stms_[i]);
      const std::optional<size_t> reader = reader_of(i);
      const std::optional<size_t> branch = reader ? branches(*reader).only(stms_[i]->pat) : std::nullopt;
      if (branch) {
        branches_.at(*reader).prepend(*branch, stms_[i], mentions);
        use(mentions, *reader);
        stms_[i] = nullptr;
        continue;
      }
      use(mentions, i);
      if (updates_any(*stms_[i])) overwritten_ = i;
    }
    for (const auto& [i, branches] : branches_) {
      Stm changed = *stms_[i];
      changed.exp = branches.with_added();
      stms_[i] = std::make_shared<const Stm>(std::move(changed));
    }
    std::erase(stms_, nullptr);
    return std::move(stms_);
  }

 private:
  static constexpr size_t kSeveral = std::numeric_limits<size_t>::max();

  void use(const NameSet& names, size_t reader) {
    for (const Name& n : names) {
      auto [known, is_new] = readers_.try_emplace(n, reader);
      if (!is_new && known->second != reader) known->second = kSeveral;
    }
  }

  // The match that alone reads what a statement binds, if the statement may be behind all in between.
  std::optional<size_t> reader_of(size_t i) const {
    const Stm& s = *stms_[i];
    if (!takes_time(s) || updates_any(s) || has_checks({stms_[i]})) return std::nullopt;
    std::optional<size_t> reader;
    for (const PatElem& p : s.pat) {
      const auto found = readers_.find(p.name);
      if (found == readers_.end()) continue;
      if (found->second == kSeveral || (reader && *reader != found->second)) return std::nullopt;
      reader = found->second;
    }
    if (!reader || *reader > overwritten_ || !std::holds_alternative<Match>(stms_[*reader]->exp)) return std::nullopt;
    const NameSet outside = outside_branches(*stms_[*reader]);
    const bool decides = std::ranges::any_of(s.pat, [&](const PatElem& p) { return outside.contains(p.name); });
    return decides ? std::nullopt : reader;
  }

  // What decides between a match's branches, and sizes of results.
  static NameSet outside_branches(const Stm& s) {
    auto match = std::get<Match>(s.exp);
    const auto nothing = std::make_shared<const Body>();
    for (Case& c : match.cases) c.body = nothing;
    match.otherwise = nothing;
    return free_names(Stm{s.pat, s.attrs, s.certs, std::move(match), s.position});
  }

  Branches& branches(size_t i) { return branches_.try_emplace(i, std::get<Match>(stms_[i]->exp)).first->second; }

  Stms stms_;
  std::unordered_map<Name, size_t> readers_;
  std::unordered_map<size_t, Branches> branches_;
  size_t overwritten_ = kSeveral;  // the first statement behind that overwrites something
};

// Outer bodies first, as what a branch gets may be for a branch in it.
class ComputeInBranch : public HostCodeAlone {
 public:
  BodyPtr body(const BodyPtr& b) {
    Stms all;
    for (const StmPtr& s : Sinking(b->stms, b->result).run())
      all.push_back(runs_on_device(s->exp) ? s : std::make_shared<const Stm>(rebuild(*this, *s)));
    return std::make_shared<const Body>(Body{std::move(all), b->result});
  }
  using HostCodeAlone::body;
};

}  // namespace

Result<Program> compute_in_branch(const Program& program) {
  Program out = program;
  for (FunDef& f : out.functions) f.body = ComputeInBranch().body(f.body);
  return out;
}

}  // namespace heddle::seg
