#include "frontend_bridge/cli/host_sizes.h"

#include <utility>

#include "ir/nest/eval.h"
#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "ir/seg/host_stms.h"

namespace heddle::cli {

namespace {

// Whether the sum, difference or product of two 64-bit integers is none.
bool overflows(const prim::Op& op, const std::vector<nest::Expr>& args) {
  auto a = nest::int_constant(args[0]), b = nest::int_constant(args.back());
  if (op.type != prim::Type::I64 || args.size() != 2 || !a || !b) return false;
  int64_t result = 0;
  switch (op.family) {
    case prim::Family::Add:
    case prim::Family::AddNw:
      return __builtin_add_overflow(*a, *b, &result);
    case prim::Family::Sub:
    case prim::Family::SubNw:
      return __builtin_sub_overflow(*a, *b, &result);
    case prim::Family::Mul:
    case prim::Family::MulNw:
      return __builtin_mul_overflow(*a, *b, &result);
    default:
      return false;
  }
}

// Puts values in the place of names, from the leaves upwards, and notes what leaves 64 bits.
struct Evaluation : nest::Rebuilder<Evaluation> {
  const std::unordered_map<Name, prim::Value>& values;
  std::optional<nest::Expr> overflowing = {};

  explicit Evaluation(const std::unordered_map<Name, prim::Value>& values) : values(values) {}

  void expr(nest::Expr& e) {
    nest::Expr original = e;
    if (const auto* v = std::get_if<nest::Var>(&e->node)) {
      auto value = values.find(v->name);
      if (value != values.end()) e = nest::constant(value->second);
      return;
    }
    auto copy = e->node;
    std::visit([&](auto& node) { nest::parts(node, *this); }, copy);
    const auto* o = std::get_if<nest::Operation>(&copy);
    if (o && overflows(o->op, o->args) && !overflowing) overflowing = original;
    e = nest::remake(e, std::move(copy));
  }
};

}  // namespace

HostSizes::HostSizes(const seg::Program& program, std::vector<std::pair<std::string, int64_t>> given)
    : given_(std::move(given)) {
  seg::for_each_host_stm(program, [&](const seg::StmPtr& s) {
    if (s->pat.size() == 1 && s->pat[0].type.is_scalar()) statements_.emplace(s->pat[0].name, s);
  });
  for (const seg::FunDef& f : program.functions) {
    for (const seg::Param& p : f.params) {
      if (p.type.is_scalar()) params_.emplace(p.name, p.type.elem);
    }
  }
}

std::optional<prim::Value> HostSizes::known(const Name& name) {
  auto param = params_.find(name);
  for (const auto& [text, value] : given_) {
    if (text != name.text() && (param == params_.end() || text != name.base)) continue;
    used_.insert(text);
    return prim::Value::i64(value);
  }
  if (std::optional<prim::Value> value = computed(name)) return value;
  missing_.insert(param != params_.end() ? name.base : name.text());
  return std::nullopt;
}

// By the statement that defines it. Of what cannot be computed, the operands are not asked for.
std::optional<prim::Value> HostSizes::computed(const Name& name) {
  auto found = statements_.find(name);
  if (found == statements_.end()) return std::nullopt;
  auto of = [&](const seg::SubExp& x) { return x.is_var() ? known(x.name()) : std::optional(x.value()); };
  if (const auto* atom = std::get_if<seg::Atom>(&found->second->exp)) return of(atom->value);
  const auto* op = std::get_if<seg::PrimOp>(&found->second->exp);
  if (!op) return std::nullopt;
  std::vector<nest::Expr> args;
  for (const seg::SubExp& a : op->args) {
    // What is missing has been noted; going on finds what else is.
    std::optional<prim::Value> value = of(a);
    args.push_back(nest::constant(value.value_or(prim::Value::i64(1))));
  }
  if (overflows(op->op, args) && overflowing_.empty()) overflowing_ = name.text();
  return nest::evaluate(nest::operation(op->op, args), {});
}

int64_t HostSizes::value(const nest::Expr& e) {
  std::unordered_map<Name, prim::Value> values;
  for (const Name& n : nest::free_names(e)) {
    if (std::optional<prim::Value> value = known(n)) values.emplace(n, *value);
  }
  Evaluation evaluation(values);
  nest::Expr result = e;
  evaluation.expr(result);
  if (evaluation.overflowing && overflowing_.empty()) overflowing_ = nest::to_text(*evaluation.overflowing);
  const auto* c = std::get_if<nest::Const>(&result->node);
  return c ? c->value.i : 1;
}

std::optional<int64_t> HostSizes::value_if_known(const nest::Expr& e) {
  std::set<std::string> missing = std::exchange(missing_, {});
  std::string overflowing = std::exchange(overflowing_, "");
  const int64_t found = value(e);
  const bool known = missing_.empty() && overflowing_.empty();
  missing_ = std::move(missing);
  overflowing_ = std::move(overflowing);
  return known ? std::optional(found) : std::nullopt;
}

std::vector<std::string> HostSizes::unused() const {
  std::vector<std::string> result;
  for (const auto& [text, value] : given_) {
    if (!used_.contains(text)) result.push_back(text);
  }
  return result;
}

}  // namespace heddle::cli
