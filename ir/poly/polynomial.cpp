#include "ir/poly/polynomial.h"

#include <algorithm>

#include "ir/support/error.h"

namespace heddle::poly {

namespace {

[[noreturn]] void overflow() { refuse("the factors in an index computation do not fit into 64 bits"); }

int64_t add(int64_t a, int64_t b) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) overflow();
  return sum;
}

int64_t mul(int64_t a, int64_t b) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) overflow();
  return product;
}

Monomial product(const Monomial& a, const Monomial& b) {
  Monomial out;
  out.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

// The monomial q with q * b == a, if there is one.
std::optional<Monomial> quotient(const Monomial& a, const Monomial& b) {
  if (!std::includes(a.begin(), a.end(), b.begin(), b.end())) return std::nullopt;
  Monomial out;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

// The last term of the highest degree: a term order for division (graded, then by names).
const Term& leading(const std::vector<Term>& terms) {
  return *std::max_element(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
    if (a.monomial.size() != b.monomial.size()) return a.monomial.size() < b.monomial.size();
    return b.monomial < a.monomial;
  });
}

// Sorts terms and adds up those of the same monomial.
std::vector<Term> collect(std::vector<Term> terms) {
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.monomial < b.monomial; });
  std::vector<Term> out;
  for (Term& t : terms) {
    if (!out.empty() && out.back().monomial == t.monomial) {
      out.back().coefficient = add(out.back().coefficient, t.coefficient);
    } else {
      if (!out.empty() && out.back().coefficient == 0) out.pop_back();
      out.push_back(std::move(t));
    }
  }
  if (!out.empty() && out.back().coefficient == 0) out.pop_back();
  return out;
}

// a + sign * b
std::vector<Term> sum(const std::vector<Term>& a, const std::vector<Term>& b, int64_t sign) {
  std::vector<Term> out;
  out.reserve(a.size() + b.size());
  size_t i = 0, j = 0;
  auto take_second = [&] {
    out.push_back({b[j].monomial, mul(b[j].coefficient, sign)});
    ++j;
  };
  while (i < a.size() && j < b.size()) {
    auto order = a[i].monomial <=> b[j].monomial;
    if (order < 0) {
      out.push_back(a[i++]);
    } else if (order > 0) {
      take_second();
    } else {
      int64_t coefficient = add(a[i].coefficient, mul(b[j].coefficient, sign));
      if (coefficient != 0) out.push_back({a[i].monomial, coefficient});
      ++i;
      ++j;
    }
  }
  out.insert(out.end(), a.begin() + static_cast<long>(i), a.end());
  while (j < b.size()) take_second();
  return out;
}

}  // namespace

Polynomial::Polynomial(int64_t constant) {
  if (constant != 0) terms_.push_back({{}, constant});
}

Polynomial Polynomial::of(Name name) { return of(Term{{std::move(name)}, 1}); }

Polynomial Polynomial::of(Term term) {
  if (term.coefficient == 0) return {};
  std::sort(term.monomial.begin(), term.monomial.end());
  Polynomial p;
  p.terms_.push_back(std::move(term));
  return p;
}

std::optional<int64_t> Polynomial::as_constant() const {
  if (terms_.empty()) return 0;
  if (terms_.size() == 1 && terms_[0].monomial.empty()) return terms_[0].coefficient;
  return std::nullopt;
}

std::optional<Name> Polynomial::as_name() const {
  if (terms_.size() == 1 && terms_[0].coefficient == 1 && terms_[0].monomial.size() == 1) return terms_[0].monomial[0];
  return std::nullopt;
}

int64_t Polynomial::constant_term() const {
  return !terms_.empty() && terms_[0].monomial.empty() ? terms_[0].coefficient : 0;
}

std::vector<Name> Polynomial::names() const {
  std::vector<Name> out;
  for (const Term& t : terms_) out.insert(out.end(), t.monomial.begin(), t.monomial.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool Polynomial::mentions(const Name& name) const { return degree_in(name) > 0; }

int Polynomial::degree_in(const Name& name) const {
  int degree = 0;
  for (const Term& t : terms_) {
    degree = std::max(degree, static_cast<int>(std::count(t.monomial.begin(), t.monomial.end(), name)));
  }
  return degree;
}

Polynomial Polynomial::coefficient(const Name& name) const {
  std::vector<Term> out;
  for (const Term& t : terms_) {
    if (std::count(t.monomial.begin(), t.monomial.end(), name) != 1) continue;
    Term rest = t;
    rest.monomial.erase(std::find(rest.monomial.begin(), rest.monomial.end(), name));
    out.push_back(std::move(rest));
  }
  return Polynomial(collect(std::move(out)));
}

Polynomial Polynomial::without(const Name& name) const {
  std::vector<Term> out;
  for (const Term& t : terms_) {
    if (!std::binary_search(t.monomial.begin(), t.monomial.end(), name)) out.push_back(t);
  }
  return Polynomial(std::move(out));
}

Polynomial Polynomial::substitute(const Name& name, const Polynomial& replacement) const {
  Polynomial out = without(name);
  for (const Term& t : terms_) {
    auto [first, last] = std::equal_range(t.monomial.begin(), t.monomial.end(), name);
    if (first == last) continue;
    Term rest{{}, t.coefficient};
    rest.monomial.insert(rest.monomial.end(), t.monomial.begin(), first);
    rest.monomial.insert(rest.monomial.end(), last, t.monomial.end());
    Polynomial product = of(std::move(rest));
    for (auto power = last - first; power > 0; --power) product = product * replacement;
    out = out + product;
  }
  return out;
}

std::optional<Polynomial> Polynomial::divided_by(const Polynomial& divisor) const {
  if (divisor.is_zero()) return std::nullopt;
  if (divisor.as_constant() == 1) return *this;
  const Term& by = leading(divisor.terms_);
  Polynomial rest = *this;
  Polynomial out;
  while (!rest.is_zero()) {
    const Term& t = leading(rest.terms_);
    std::optional<Monomial> monomial = quotient(t.monomial, by.monomial);
    if (!monomial) return std::nullopt;
    // INT64_MIN / -1 is no int64_t.
    bool negated = by.coefficient == -1;
    if (!negated && t.coefficient % by.coefficient != 0) return std::nullopt;
    int64_t coefficient = negated ? mul(t.coefficient, -1) : t.coefficient / by.coefficient;
    Polynomial step = Polynomial::of(Term{std::move(*monomial), coefficient});
    out = out + step;
    rest = rest - step * divisor;
  }
  return out;
}

Polynomial::Division Polynomial::divided_with_rest(const Polynomial& divisor) const {
  const Term& by = leading(divisor.terms_);
  Polynomial todo = *this;
  Division d;
  while (!todo.is_zero()) {
    Term t = leading(todo.terms_);
    std::optional<Monomial> monomial = quotient(t.monomial, by.monomial);
    bool whole =
        by.coefficient == 1 || by.coefficient == -1 || t.monomial.empty() || t.coefficient % by.coefficient == 0;
    if (!monomial || !whole) {
      d.rest = d.rest + Polynomial::of(t);
      todo = todo - Polynomial::of(t);
      continue;
    }
    // Of constants, the rest has the divisor's sign.
    int64_t coefficient = by.coefficient == -1 ? mul(t.coefficient, -1) : t.coefficient / by.coefficient;
    int64_t left = by.coefficient == -1 ? 0 : t.coefficient % by.coefficient;
    if (left != 0 && (left < 0) != (by.coefficient < 0)) {
      --coefficient;
      left += by.coefficient;
    }
    Polynomial step = Polynomial::of(Term{std::move(*monomial), coefficient});
    d.quotient = d.quotient + step;
    d.rest = d.rest + left;
    todo = todo - step * divisor - left;
  }
  return d;
}

std::optional<int64_t> Polynomial::eval(const std::function<int64_t(const Name&)>& value) const {
  int64_t sum = 0;
  for (const Term& t : terms_) {
    int64_t product = t.coefficient;
    for (const Name& n : t.monomial) {
      if (__builtin_mul_overflow(product, value(n), &product)) return std::nullopt;
    }
    if (__builtin_add_overflow(sum, product, &sum)) return std::nullopt;
  }
  return sum;
}

size_t Polynomial::hash() const {
  size_t h = terms_.size();
  auto mix = [&](size_t x) { h ^= x + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2); };
  for (const Term& t : terms_) {
    mix(static_cast<size_t>(t.coefficient));
    for (const Name& n : t.monomial) mix(std::hash<Name>{}(n));
  }
  return h;
}

std::string Polynomial::to_string() const {
  std::string out;
  // The constant last, as people write it.
  auto print = [&](const Term& t) {
    bool negative = t.coefficient < 0;
    std::string factor = std::to_string(t.coefficient).substr(negative ? 1 : 0);
    if (out.empty()) {
      if (negative) out += "-";
    } else {
      out += negative ? " - " : " + ";
    }
    bool first = true;
    if (factor != "1" || t.monomial.empty()) {
      out += factor;
      first = false;
    }
    for (const Name& n : t.monomial) {
      out += (first ? "" : "*") + n.text();
      first = false;
    }
  };
  for (const Term& t : terms_) {
    if (!t.monomial.empty()) print(t);
  }
  if (!terms_.empty() && terms_[0].monomial.empty()) print(terms_[0]);
  return out.empty() ? "0" : out;
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) { return Polynomial(sum(a.terms_, b.terms_, 1)); }
Polynomial operator-(const Polynomial& a, const Polynomial& b) { return Polynomial(sum(a.terms_, b.terms_, -1)); }

Polynomial operator-(const Polynomial& a) {
  std::vector<Term> out = a.terms_;
  for (Term& t : out) t.coefficient = mul(t.coefficient, -1);
  return Polynomial(std::move(out));
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  if (a.as_constant() == 1) return b;
  if (b.as_constant() == 1) return a;
  // More than that, no index has; powers of powers would have many more.
  constexpr size_t kMaxTerms = 10000, kMaxDegree = 100;
  auto degree = [](const Polynomial& p) { return p.terms_.empty() ? 0 : leading(p.terms_).monomial.size(); };
  if (a.terms_.size() * b.terms_.size() > kMaxTerms || degree(a) + degree(b) > kMaxDegree)
    refuse("an index computation has too many terms");
  std::vector<Term> out;
  out.reserve(a.terms_.size() * b.terms_.size());
  for (const Term& x : a.terms_) {
    for (const Term& y : b.terms_) {
      out.push_back({product(x.monomial, y.monomial), mul(x.coefficient, y.coefficient)});
    }
  }
  return Polynomial(collect(std::move(out)));
}

}  // namespace heddle::poly
