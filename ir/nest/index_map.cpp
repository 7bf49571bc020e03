#include "ir/nest/index_map.h"

#include "ir/support/error.h"

namespace heddle::nest {

Name DivisionAtoms::name(DivisionAtom atom) {
  auto it = names_of_.find(atom);
  if (it != names_of_.end()) return it->second;
  Name name = names_->fresh(atom.is_remainder ? "remainder" : "quotient");
  names_of_.emplace(atom, name);
  atoms_.emplace(name, std::move(atom));
  return name;
}

const DivisionAtom* DivisionAtoms::find(const Name& name) const {
  auto it = atoms_.find(name);
  return it == atoms_.end() ? nullptr : &it->second;
}

namespace {

// Operations and variables beyond which an expression is no index that anybody wrote.
constexpr int kMaxSteps = 10000;

std::optional<Polynomial> convert(const Expr& e, const Definitions& definitions, DivisionAtoms* atoms,
                                  int& steps_left) {
  if (e->type != prim::Type::I64 || steps_left-- <= 0) return std::nullopt;
  if (std::optional<int64_t> value = int_constant(e)) return *value;
  if (const auto* v = std::get_if<Var>(&e->node)) {
    if (Expr definition = definitions(v->name)) {
      if (auto p = convert(definition, definitions, atoms, steps_left)) return p;
    }
    return Polynomial::of(v->name);
  }
  const auto* o = std::get_if<Operation>(&e->node);
  if (!o || o->args.empty()) return std::nullopt;
  std::optional<Polynomial> a = convert(o->args[0], definitions, atoms, steps_left);
  if (!a) return std::nullopt;
  if (o->op.family == prim::Family::Neg) return -*a;
  if (o->args.size() != 2) return std::nullopt;
  std::optional<Polynomial> b = convert(o->args[1], definitions, atoms, steps_left);
  if (!b) return std::nullopt;
  auto division = [&](bool is_remainder) -> std::optional<Polynomial> {
    if (!atoms) return std::nullopt;
    return Polynomial::of(atoms->name({*a, *b, is_remainder}));
  };
  switch (o->op.family) {
    case prim::Family::Add:
    case prim::Family::AddNw:
      return *a + *b;
    case prim::Family::Sub:
    case prim::Family::SubNw:
      return *a - *b;
    case prim::Family::Mul:
    case prim::Family::MulNw:
      return *a * *b;
    case prim::Family::SDiv:
      return division(false);
    case prim::Family::SMod:
      return division(true);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Polynomial> from_expr(const Expr& e, const Definitions& definitions, DivisionAtoms* atoms) try {
  int steps_left = kMaxSteps;
  return convert(e, definitions, atoms, steps_left);
} catch (const Refused&) {
  return std::nullopt;
}

Expr to_expr(const Polynomial& p, const DivisionAtoms* atoms) {
  auto factor = [&](const Name& name) {
    const DivisionAtom* atom = atoms ? atoms->find(name) : nullptr;
    if (!atom) return var(name, prim::Type::I64);
    Expr numerator = to_expr(atom->numerator, atoms), divisor = to_expr(atom->divisor, atoms);
    return atom->is_remainder ? mod(numerator, divisor) : div(numerator, divisor);
  };
  // Terms with a factor below zero are subtracted, after those that are added.
  Expr sum = constant(p.constant_term());
  auto add_terms = [&](bool negative) {
    for (const poly::Term& t : p.terms()) {
      if (t.monomial.empty() || (t.coefficient < 0) != negative) continue;
      bool subtract = negative && t.coefficient != INT64_MIN;
      Expr product = factor(t.monomial[0]);
      for (size_t k = 1; k < t.monomial.size(); ++k) product = mul(product, factor(t.monomial[k]));
      product = mul(product, constant(subtract ? -t.coefficient : t.coefficient));
      sum = subtract ? sub(sum, product) : add(sum, product);
    }
  };
  add_terms(false);
  add_terms(true);
  return sum;
}

}  // namespace heddle::nest
