#include "ir/poly/inequalities.h"

#include <algorithm>
#include <numeric>

#include "ir/support/error.h"

namespace heddle::poly {

namespace {

// g*q + c >= 0 says as much as q + floor(c/g) >= 0.
Polynomial tightened(const Polynomial& p) {
  int64_t g = 0;
  for (const Term& t : p.terms()) {
    if (!t.monomial.empty()) g = std::gcd(g, t.coefficient);
  }
  if (g <= 1) return p;
  Polynomial out;
  for (Term t : p.terms()) {
    int64_t remainder = t.coefficient % g;
    t.coefficient = t.coefficient / g - (remainder < 0 ? 1 : 0);
    out = out + Polynomial::of(std::move(t));
  }
  return out;
}

}  // namespace

void Inequalities::add(Polynomial not_negative) {
  not_negative = tightened(not_negative);
  for (const Name& n : not_negative.names()) {
    if (not_negative.degree_in(n) == 1) facts_about_[n].push_back(facts_.size());
  }
  facts_.push_back(std::move(not_negative));
}

void Inequalities::shrink(size_t size) {
  while (facts_.size() > size) {
    for (const Name& n : facts_.back().names()) {
      auto it = facts_about_.find(n);
      if (it == facts_about_.end() || it->second.empty() || it->second.back() != facts_.size() - 1) continue;
      it->second.pop_back();
      if (it->second.empty()) facts_about_.erase(it);
    }
    facts_.pop_back();
  }
}

struct Inequalities::Search {
  const Inequalities& known;
  const std::unordered_set<Name>* bounded;
  int64_t bound;
  int steps_left;
  int nesting = 0;  // of searches for the sign of a factor
  std::unordered_set<Polynomial> tried{};

  enum class Sign { Unknown, Positive, Negative };

  const std::vector<size_t>& facts_about(const Name& n) const {
    static const std::vector<size_t> none;
    auto it = known.facts_about_.find(n);
    return it == known.facts_about_.end() ? none : it->second;
  }

  bool is_bounded(const Name& n) const { return bounded && bounded->contains(n); }

  // Where facts first speak of the name.
  size_t age(const Name& n) const {
    const auto& facts = facts_about(n);
    return facts.empty() ? 0 : facts.front();
  }

  bool never_negative(const Name& n) const {
    for (size_t k : facts_about(n)) {
      if (known.facts_[k].as_name() == n) return true;
    }
    return false;
  }

  bool obviously_not_negative(const Polynomial& p) const {
    return std::all_of(p.terms().begin(), p.terms().end(), [&](const Term& t) {
      return t.coefficient > 0 &&
             std::all_of(t.monomial.begin(), t.monomial.end(), [&](const Name& n) { return never_negative(n); });
    });
  }

  // Of a polynomial that is a factor. Zero counts as either.
  Sign sign(const Polynomial& p) {
    if (auto c = p.as_constant()) return *c >= 0 ? Sign::Positive : Sign::Negative;
    if (obviously_not_negative(p)) return Sign::Positive;
    if (obviously_not_negative(-p)) return Sign::Negative;
    if (nested(p)) return Sign::Positive;
    if (nested(-p)) return Sign::Negative;
    return Sign::Unknown;
  }

  bool nested(const Polynomial& p) {
    constexpr int kMaxNesting = 2;
    constexpr int kMaxSteps = 12;
    if (nesting == kMaxNesting) return false;
    Search inner{known, bounded, bound, std::min(steps_left, kMaxSteps), nesting + 1};
    int before = inner.steps_left;
    bool proved = inner.prove(p);
    steps_left -= before - inner.steps_left;
    return proved;
  }

  bool at_least_one(const Polynomial& p) {
    if (auto c = p.as_constant()) return *c >= 1;
    return nested(p - 1);
  }

  // What `name` is multiplied with, once: p == factor * name + p.without(name).
  static Polynomial factor_of(const Polynomial& p, const Name& name) {
    Polynomial out;
    for (Term t : p.terms()) {
      auto it = std::find(t.monomial.begin(), t.monomial.end(), name);
      if (it == t.monomial.end()) continue;
      t.monomial.erase(it);
      out = out + Polynomial::of(std::move(t));
    }
    return out;
  }

  bool prove(const Polynomial& p) {
    if (auto c = p.as_constant()) return *c >= 0;
    if (obviously_not_negative(p)) return true;
    constexpr size_t kMaxTerms = 30;
    if (steps_left <= 0 || p.terms().size() > kMaxTerms || !tried.insert(p).second) return false;
    --steps_left;

    struct Elimination {
      Name name;
      Polynomial factor;
      bool negative;
      size_t age;
    };
    std::vector<Elimination> eliminations;
    for (Name& n : p.names()) {
      Polynomial factor = factor_of(p, n);
      Sign s = sign(factor);
      if (s == Sign::Unknown) continue;
      bool negative = s == Sign::Negative;
      size_t when = age(n);
      eliminations.push_back({std::move(n), std::move(factor), negative, when});
    }
    std::sort(eliminations.begin(), eliminations.end(),
              [](const Elimination& a, const Elimination& b) { return a.age > b.age; });
    for (const Elimination& e : eliminations) {
      bool possible = false;
      for (size_t k : facts_about(e.name)) {
        const Polynomial& fact = known.facts_[k];
        Polynomial factor = fact.coefficient(e.name);
        Polynomial size = e.negative ? -factor : factor;
        if (!at_least_one(size)) continue;
        possible = true;
        if (prove(rest(p, e.negative ? -e.factor : e.factor, fact, size))) return true;
      }
      if (is_bounded(e.name)) {
        possible = true;
        Polynomial v = Polynomial::of(e.name);
        Polynomial fact = e.negative ? bound - v : v + bound;
        if (prove(rest(p, e.negative ? -e.factor : e.factor, fact, 1))) return true;
      }
      // Nothing bounds the name in the direction needed, so no order of eliminations gets rid of it.
      if (!possible && e.factor.as_constant()) return false;
    }
    return false;
  }

  // The goal that is left of `p`, in which `factor` (its size) multiplies a name, once `fact`, in which `divisor` does,
  // is taken away from it.
  static Polynomial rest(const Polynomial& p, const Polynomial& factor, const Polynomial& fact,
                         const Polynomial& divisor) {
    if (auto quotient = factor.divided_by(divisor)) return p - *quotient * fact;
    return divisor * p - factor * fact + divisor - 1;
  }
};

namespace {
constexpr int kSteps = 120;
}

bool Inequalities::prove(const Polynomial& goal) const try {
  return Search{*this, nullptr, 0, kSteps}.prove(goal);
} catch (const Refused&) {
  return false;
}

bool Inequalities::prove_within(const Polynomial& goal, const std::unordered_set<Name>& bounded, int64_t bound) const
    try {
  return Search{*this, &bounded, bound, kSteps}.prove(goal);
} catch (const Refused&) {
  return false;
}

}  // namespace heddle::poly
