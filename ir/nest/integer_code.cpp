#include "ir/nest/integer_code.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "ir/nest/printer.h"
#include "ir/nest/share.h"
#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

// Most divisors are powers of two, by which shifting is much faster.
int64_t floor_div(int64_t a, int64_t b) {
  if (b > 0 && (b & (b - 1)) == 0) return a >> std::countr_zero(static_cast<uint64_t>(b));
  if (b == 0) return 0;
  int64_t q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

}  // namespace

struct IntegerCode::Compiler {
  IntegerCode& code;
  std::unordered_map<Name, uint32_t> slots = {};
  std::map<int64_t, uint32_t> constants = {};

  static std::optional<int64_t> constant_of(const Expr& e) {
    const auto* c = std::get_if<Const>(&e->node);
    return c ? std::optional(c->value.i) : std::nullopt;
  }

  uint32_t fresh() { return static_cast<uint32_t>(code.num_slots_++); }

  void number_constants(const std::vector<Expr>& all) {
    std::set<int64_t> found;
    for (const Expr& e : all) {
      for_each_expr(e, [&](const Expr& part) {
        if (auto c = constant_of(part)) found.insert(*c);
      });
    }
    for (int64_t c : found) constants.emplace(c, fresh());
    code.constants_.assign(found.begin(), found.end());
  }

  // Where its value is.
  uint32_t slot(const Expr& e) {
    if (auto c = constant_of(e)) return constants.at(*c);
    if (const auto* v = std::get_if<Var>(&e->node)) {
      auto known = slots.find(v->name);
      if (known == slots.end()) fail(e);
      return known->second;
    }
    Step step{Code::Select, 0, 0, 0, 0};
    if (const auto* s = std::get_if<Select>(&e->node)) {
      step.a = slot(s->condition);
      step.b = slot(s->if_true);
      step.c = slot(s->if_false);
    } else if (const auto* o = std::get_if<Operation>(&e->node)) {
      step.code = code_of(e, o->op);
      step.a = slot(o->args[0]);
      step.b = slot(o->args.back());
    } else {
      fail(e);
    }
    step.dst = fresh();
    code.steps_.push_back(step);
    return step.dst;
  }

  static Code code_of(const Expr& e, const prim::Op& op) {
    using prim::Family;
    static const std::map<Family, Code> on_integers = {
        {Family::Add, Code::Add},   {Family::AddNw, Code::Add}, {Family::Sub, Code::Sub},
        {Family::SubNw, Code::Sub}, {Family::Mul, Code::Mul},   {Family::MulNw, Code::Mul},
        {Family::SDiv, Code::Div},  {Family::SMod, Code::Mod},  {Family::SDivUp, Code::DivUp},
        {Family::SMin, Code::Min},  {Family::SMax, Code::Max},  {Family::Slt, Code::Less}};
    static const std::map<Family, Code> on_bools = {{Family::LogAnd, Code::And}, {Family::Neg, Code::Not}};
    const auto& codes = op.type == prim::Type::Bool ? on_bools : on_integers;
    auto found = codes.find(op.family);
    if (found == codes.end() || (op.type != prim::Type::Bool && op.type != prim::Type::I64)) fail(e);
    return found->second;
  }

  [[noreturn]] static void fail(const Expr& e) {
    throw std::invalid_argument("not known as arithmetic of integers: " + to_text(e));
  }
};

IntegerCode::IntegerCode(const std::vector<Name>& inputs, const std::vector<Expr>& values)
    : num_inputs_(inputs.size()) {
  int next_tag = 0;
  Compiler compiler{*this};
  for (const Name& n : inputs) {
    compiler.slots.emplace(n, compiler.fresh());
    next_tag = std::max(next_tag, n.tag + 1);
  }
  NameSource names(next_tag);
  Shared shared = share(values, names);
  std::vector<Expr> all = shared.values;
  for (const Let& l : shared.lets) all.push_back(l.value);
  compiler.number_constants(all);
  for (const Let& l : shared.lets) {
    uint32_t slot = compiler.slot(l.value);
    compiler.slots.emplace(l.name, slot);
  }
  for (const Expr& e : shared.values) results_.push_back(compiler.slot(e));
}

void IntegerCode::run(const int64_t* inputs, int64_t* values) const {
  thread_local std::vector<int64_t> slots;
  if (slots.size() < num_slots_) slots.resize(num_slots_);
  int64_t* s = slots.data();
  std::copy_n(inputs, num_inputs_, s);
  std::copy(constants_.begin(), constants_.end(), s + num_inputs_);
  for (const Step& step : steps_) {
    int64_t a = s[step.a], b = s[step.b];
    int64_t& dst = s[step.dst];
    switch (step.code) {
      case Code::Add:
        dst = a + b;
        break;
      case Code::Sub:
        dst = a - b;
        break;
      case Code::Mul:
        dst = a * b;
        break;
      case Code::Div:
        dst = floor_div(a, b);
        break;
      case Code::Mod:
        dst = b == 0 ? 0 : a - floor_div(a, b) * b;
        break;
      case Code::DivUp:
        dst = floor_div(a + b - 1, b);
        break;
      case Code::Min:
        dst = std::min(a, b);
        break;
      case Code::Max:
        dst = std::max(a, b);
        break;
      case Code::Less:
        dst = a < b ? 1 : 0;
        break;
      case Code::And:
        dst = a & b;
        break;
      case Code::Not:
        dst = 1 - a;
        break;
      case Code::Select:
        dst = a != 0 ? b : s[step.c];
        break;
    }
  }
  for (size_t i = 0; i < results_.size(); ++i) values[i] = s[results_[i]];
}

}  // namespace heddle::nest
