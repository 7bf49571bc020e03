#include <algorithm>

#include "tests/campaign/stages/pipeline.h"

namespace heddle::campaign {

namespace {

// Without stages that nobody reads and that are no results.
Pipeline without_unread(Pipeline p) {
  for (size_t s = p.stages.size(); s-- > 0;) {
    auto reads_it = [&](const Read& r) { return r.stage == static_cast<int>(s); };
    bool is_read = std::ranges::find(p.results, s) != p.results.end();
    for (const Stage& other : p.stages) {
      for (const std::vector<Term>& terms : other.terms) {
        for (const Term& t : terms) is_read |= std::ranges::any_of(t.reads, reads_it);
      }
    }
    is_read |= std::ranges::find(p.folds, s, &Fold::stage) != p.folds.end();
    if (is_read) continue;
    p.stages.erase(p.stages.begin() + static_cast<long>(s));
    for (size_t& r : p.results) r -= r > s;
    for (Fold& f : p.folds) f.stage -= f.stage > s;
    for (Stage& other : p.stages) {
      for (std::vector<Term>& terms : other.terms) {
        for (Term& t : terms) {
          for (Read& r : t.reads) r.stage -= r.stage > static_cast<int>(s);
        }
      }
    }
  }
  return p;
}

}  // namespace

std::vector<Pipeline> smaller(const Pipeline& p) {
  std::vector<Pipeline> all;
  auto with = [&](auto change) {
    Pipeline less = p;
    change(less);
    all.push_back(without_unread(std::move(less)));
  };
  if (p.layered) with([&](Pipeline& q) { q.layered = false; });
  for (size_t k = 0; k < p.folds.size(); ++k)
    with([&](Pipeline& q) { q.folds.erase(q.folds.begin() + static_cast<long>(k)); });
  for (size_t r = 0; p.results.size() > 1 && r < p.results.size(); ++r)
    with([&](Pipeline& q) { q.results.erase(q.results.begin() + static_cast<long>(r)); });
  if (!p.repeated && p.stages.size() > 1 && p.results.size() == 1) {
    for (size_t s = 0; s + 1 < p.stages.size(); ++s) with([&](Pipeline& q) { q.results = {s}; });
  }
  for (size_t s = 0; s < p.stages.size(); ++s) {
    for (size_t k = 0; k < p.stages[s].terms.size(); ++k) {
      for (size_t t = 0; t < p.stages[s].terms[k].size(); ++t) {
        const Term& old = p.stages[s].terms[k][t];
        auto term_of = [=](Pipeline& q) -> Term& { return q.stages[s].terms[k][t]; };
        with([&](Pipeline& q) { q.stages[s].terms[k].erase(q.stages[s].terms[k].begin() + static_cast<long>(t)); });
        if (old.kind == Term::Kind::Sum || old.kind == Term::Kind::Least) {
          for (size_t r = 0; old.reads.size() > 1 && r < old.reads.size(); ++r)
            with([&](Pipeline& q) { term_of(q).reads.erase(term_of(q).reads.begin() + static_cast<long>(r)); });
        } else {
          with([&](Pipeline& q) { term_of(q).kind = Term::Kind::Sum; });
        }
        for (size_t r = 0; r < old.reads.size(); ++r) {
          for (size_t d = 0; d < old.reads[r].at.size(); ++d) {
            const Index& i = old.reads[r].at[d];
            if (i.along < 0) continue;
            if (i.offset != 0) with([&](Pipeline& q) { term_of(q).reads[r].at[d].offset = 0; });
            if (i.offset != 0 && i.border != Border::Clamp)
              with([&](Pipeline& q) { term_of(q).reads[r].at[d].border = Border::Clamp; });
          }
        }
      }
    }
  }
  return all;
}

}  // namespace heddle::campaign
