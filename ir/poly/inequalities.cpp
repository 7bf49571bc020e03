#include "ir/poly/inequalities.h"

#include <algorithm>
#include <numeric>

#include "ir/support/error.h"

namespace heddle::poly {

namespace {

// g*q + c >= 0 says as much as q + floor(c/g) >= 0.
Polynomial tightened(Polynomial p) {
  int64_t g = 0;
  for (const Term& t : p.terms()) {
    if (!t.monomial.empty()) g = std::gcd(g, t.coefficient);
  }
  if (g <= 1) return p;
  Polynomial out;
  for (const Term& t : p.terms()) {
    int64_t remainder = t.coefficient % g;
    out = out + Polynomial::of({t.monomial, t.coefficient / g - (remainder < 0 ? 1 : 0)});
  }
  return out;
}

}  // namespace

void Inequalities::add(Polynomial not_negative) {
  not_negative = tightened(std::move(not_negative));
  for (const Name& n : not_negative.names()) {
    if (not_negative.degree_in(n) != 1) continue;
    Polynomial factor = not_negative.coefficient(n);
    std::optional<int64_t> c = factor.as_constant();
    bool is_name = c == 1 && not_negative.terms().size() == 1;
    bounds_[n].push_back({facts_.size(), std::move(factor), !c ? 0 : *c > 0 ? 1 : -1, is_name});
  }
  facts_.push_back(std::move(not_negative));
  numbers_.push_back(next_number_++);
}

// Asks for no memory: it also runs where there is none left, on the way out of scopes.
void Inequalities::shrink(size_t size) {
  while (facts_.size() > size) {
    for (const Term& t : facts_.back().terms()) {
      for (const Name& n : t.monomial) {
        auto it = bounds_.find(n);
        if (it == bounds_.end() || it->second.back().fact != facts_.size() - 1) continue;
        it->second.pop_back();
        if (it->second.empty()) bounds_.erase(it);
      }
    }
    facts_.pop_back();
    numbers_.pop_back();
  }
}

bool Inequalities::is_valid(const Answer& a) const {
  if (a.num_facts > facts_.size() || (!a.proved && a.num_facts != facts_.size())) return false;
  return a.num_facts == 0 || numbers_[a.num_facts - 1] == a.last_fact;
}

struct Inequalities::Search {
  // Polynomials that differ by a constant only are the same to these two.
  struct HashBesidesConstant {
    size_t operator()(const Polynomial& p) const {
      size_t h = 0;
      for (const Term& t : p.terms()) {
        if (t.monomial.empty()) continue;
        h = h * 31 + static_cast<size_t>(t.coefficient);
        for (const Name& n : t.monomial) h = h * 31 + std::hash<Name>{}(n);
      }
      return h;
    }
  };
  struct EqualBesidesConstant {
    bool operator()(const Polynomial& a, const Polynomial& b) const {
      auto begin = [](const Polynomial& p) { return p.terms().begin() + (p.constant_term() != 0 ? 1 : 0); };
      return std::equal(begin(a), a.terms().end(), begin(b), b.terms().end());
    }
  };

  const Inequalities& known;
  const std::unordered_set<Name>* bounded;
  int64_t bound;
  int steps_left;
  int nesting;                                    // of searches for the sign of a factor
  std::unordered_map<Polynomial, bool>* factors;  // whether they have been proved not to be negative
  // Goals that were tried: what is not constant in them, and the largest constant with it.
  std::unordered_map<Polynomial, int64_t, HashBesidesConstant, EqualBesidesConstant> tried{};

  enum class Sign { Unknown, Positive, Negative };

  const std::vector<Bound>& bounds_of(const Name& n) const {
    static const std::vector<Bound> none;
    auto it = known.bounds_.find(n);
    return it == known.bounds_.end() ? none : it->second;
  }

  bool is_bounded(const Name& n) const { return bounded && bounded->contains(n); }

  // Where facts first speak of the name.
  size_t age(const Name& n) const {
    const auto& bounds = bounds_of(n);
    return bounds.empty() ? 0 : bounds.front().fact;
  }

  bool never_negative(const Name& n) const {
    for (const Bound& b : bounds_of(n)) {
      if (b.is_name) return true;
    }
    return false;
  }

  // Whether some fact may bound the name from below (sign 1) or above (-1).
  bool may_bound(const Name& n, int sign) const {
    if (is_bounded(n)) return true;
    for (const Bound& b : bounds_of(n)) {
      if (b.sign == 0 || b.sign == sign) return true;
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
    auto [it, is_new] = factors->try_emplace(p, false);
    if (!is_new) return it->second;
    Search inner{known, bounded, bound, std::min(steps_left, kMaxSteps), nesting + 1, factors};
    int before = inner.steps_left;
    bool proved = inner.prove(p);
    steps_left -= before - inner.steps_left;
    return (*factors)[p] = proved;
  }

  bool at_least_one(const Polynomial& p) {
    if (auto c = p.as_constant()) return *c >= 1;
    return nested(p - 1);
  }

  // What `name` is multiplied with, once: p == factor * name + p.without(name).
  static Polynomial factor_of(const Polynomial& p, const Name& name) {
    Polynomial out;
    for (const Term& t : p.terms()) {
      auto it = std::find(t.monomial.begin(), t.monomial.end(), name);
      if (it == t.monomial.end()) continue;
      Term rest{{}, t.coefficient};
      rest.monomial.reserve(t.monomial.size() - 1);
      rest.monomial.insert(rest.monomial.end(), t.monomial.begin(), it);
      rest.monomial.insert(rest.monomial.end(), it + 1, t.monomial.end());
      out = out.is_zero() ? Polynomial::of(std::move(rest)) : out + Polynomial::of(std::move(rest));
    }
    return out;
  }

  // `scalings`: how often the goal may still be multiplied with something. Each makes it harder to see through.
  bool prove(const Polynomial& p, int scalings = 2) {
    if (auto c = p.as_constant()) return *c >= 0;
    if (obviously_not_negative(p)) return true;
    if (p.constant_term() < 0 && obviously_not_negative(-p)) return false;
    constexpr size_t kMaxTerms = 30;
    if (steps_left <= 0 || p.terms().size() > kMaxTerms || was_tried(p)) return false;
    --steps_left;
    ++known.effort_;

    struct Elimination {
      Name name;
      Polynomial factor;
      int sign;
      size_t age;
    };
    std::vector<Elimination> eliminations;
    for (Name& n : p.names()) {
      Polynomial factor = factor_of(p, n);
      Sign s = sign(factor);
      if (s == Sign::Unknown) continue;
      int direction = s == Sign::Negative ? -1 : 1;
      if (factor.as_constant() && !may_bound(n, direction)) return false;
      size_t when = age(n);
      eliminations.push_back({std::move(n), std::move(factor), direction, when});
    }
    std::sort(eliminations.begin(), eliminations.end(),
              [](const Elimination& a, const Elimination& b) { return a.age > b.age; });
    for (const Elimination& e : eliminations) {
      Polynomial factor = e.sign < 0 ? -e.factor : e.factor;
      for (const Bound& b : bounds_of(e.name)) {
        if (b.sign == -e.sign) continue;
        Polynomial divisor = e.sign < 0 ? -b.factor : b.factor;
        if (!at_least_one(divisor)) continue;
        std::optional<Polynomial> quotient = factor.divided_by(divisor);
        if (quotient) {
          if (prove(p - *quotient * known.facts_[b.fact], scalings)) return true;
        } else if (scalings > 0) {
          Polynomial scaled = divisor * p - factor * known.facts_[b.fact] + divisor - 1;
          if (prove(scaled, scalings - 1)) return true;
        }
      }
      if (is_bounded(e.name)) {
        Polynomial v = Polynomial::of(e.name);
        if (prove(p - factor * (e.sign < 0 ? bound - v : v + bound), scalings)) return true;
      }
      // The name must go, and the order in which names go matters little.
      if (e.factor.as_constant()) return false;
    }
    return false;
  }

  // Whether this goal, or one that is easier by a constant, was tried already.
  bool was_tried(const Polynomial& p) {
    int64_t constant = p.constant_term();
    auto [it, is_new] = tried.try_emplace(p, constant);
    if (is_new) return false;
    if (it->second >= constant) return true;
    it->second = constant;
    return false;
  }
};

namespace {
constexpr int kSteps = 40;
}

bool Inequalities::prove(const Polynomial& goal) const try {
  if (auto it = answers_.find(goal); it != answers_.end() && is_valid(it->second)) return it->second.proved;
  std::unordered_map<Polynomial, bool> factors;
  bool proved = Search{*this, nullptr, 0, kSteps, 0, &factors}.prove(goal);
  answers_.insert_or_assign(goal, Answer{proved, facts_.size(), last_fact()});
  return proved;
} catch (const Refused&) {
  return false;
}

bool Inequalities::prove_within(const Polynomial& goal, const std::unordered_set<Name>& bounded, int64_t bound) const
    try {
  std::unordered_map<Polynomial, bool> factors;
  return Search{*this, &bounded, bound, kSteps, 0, &factors}.prove(goal);
} catch (const Refused&) {
  return false;
}

}  // namespace heddle::poly
