#include "rewrites/nest/meanings.h"

#include <algorithm>

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

namespace {

constexpr size_t kMostTerms = 8;
constexpr int kMostNames = 16, kMostOfExpr = 64;  // that are looked through in one expression, and its size

}  // namespace

Meanings::Meanings(const Block& body) {
  for_each_stmt(body, [&](const Stmt& s) {
    if (const auto* let = std::get_if<Let>(&s->node)) values_.emplace(let->name, let->value);
  });
}

std::optional<Polynomial> Meanings::polynomial(const Expr& index) const {
  return from_expr(index, [this](const Name& n) { return short_polynomial(n); });
}

Expr Meanings::short_polynomial(const Name& n) const {
  auto value = values_.find(n);
  if (value == values_.end()) return nullptr;
  auto [known, is_new] = polynomials_.try_emplace(n);
  if (!is_new) return known->second;
  auto p = polynomial(value->second);
  return polynomials_[n] = p && p->terms().size() <= kMostTerms ? to_expr(*p) : nullptr;
}

std::optional<std::vector<Polynomial>> Meanings::place(const std::vector<Expr>& index, const NameSet& bound) const {
  std::vector<Polynomial> result;
  for (const Expr& e : index) {
    auto p = polynomial(e);
    if (!p || std::ranges::any_of(p->names(), [&](const Name& n) { return bound.contains(n); })) return std::nullopt;
    result.push_back(*p);
  }
  return result;
}

Expr Meanings::without(const Expr& e, const NameSet& bound) const {
  Expr result = e;
  for (int names = 0; names <= kMostNames; ++names) {
    int size = 0;
    for_each_expr(result, [&](const Expr&) { ++size; });
    if (size > kMostOfExpr || !is_movable(result)) return nullptr;
    const NameSet free = free_names(result);
    auto inner = std::ranges::find_if(free, [&](const Name& n) { return bound.contains(n); });
    if (inner == free.end()) return result;
    auto value = values_.find(*inner);
    if (value == values_.end()) return nullptr;
    result = substitute({{*inner, value->second}}, result);
  }
  return nullptr;
}

}  // namespace heddle::nest
