// Whatever is proved is true: random facts and conditions over small and over extreme values.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "ir/nest/facts.h"
#include "ir/nest/traverse.h"

namespace heddle::nest {
namespace {

using prim::Family;
using prim::Op;
using prim::Type;

const Name kSizes[] = {{"n", 1}, {"m", 2}};
const Name kIndices[] = {{"i", 3}, {"j", 4}};
const Name kFree[] = {{"s", 5}, {"t", 6}};
const Name kLet{"x", 7}, kChosen{"y", 8}, kFlag{"f", 9};

template <class T>
T pick(const std::vector<T>& of) {
  return of[static_cast<size_t>(*rc::gen::inRange<int>(0, static_cast<int>(of.size())))];
}

// Integers of one type; `names` of that type.
Expr random_integer(const std::vector<Name>& names, Type type, int depth) {
  int kind = *rc::gen::inRange(0, depth > 0 ? 10 : 4);
  if (kind < 3) return var(pick(names), type);
  if (kind == 3) return constant(prim::Value::of_int(type, *rc::gen::inRange(-4, 5)));
  Expr a = random_integer(names, type, depth - 1), b = random_integer(names, type, depth - 1);
  static const std::vector<Family> families = {Family::Add,  Family::Sub,       Family::Mul,     Family::SMin,
                                               Family::SMax, Family::SDivSafe,  Family::Add,     Family::SModSafe,
                                               Family::And,  Family::SQuotSafe, Family::SRemSafe};
  if (kind == 9) return operation(Op(pick(std::vector{Family::Abs, Family::Neg}), type), {a});
  return operation(Op(pick(families), type), {a, b});
}

Expr random_condition(const std::vector<Name>& names, Type type, int depth) {
  int kind = *rc::gen::inRange(0, depth > 0 ? 7 : 4);
  if (kind < 4) {
    Family f = pick(std::vector{Family::Slt, Family::Sle, Family::Eq, Family::Ult});
    return operation(Op(f, type), {random_integer(names, type, 2), random_integer(names, type, 1)});
  }
  if (kind == 4) return negate(random_condition(names, type, depth - 1));
  return operation(Op(kind == 5 ? Family::LogAnd : Family::LogOr, Type::Bool),
                   {random_condition(names, type, depth - 1), random_condition(names, type, depth - 1)});
}

using Values = std::unordered_map<Name, prim::Value>;

bool holds(const Expr& condition, const Values& values) {
  Substitution s;
  for (const auto& [name, value] : values) s.emplace(name, constant(value));
  Expr result = substitute(s, condition);
  return std::get<Const>(result->node).value.as_bool();
}

prim::Value evaluate(const Expr& e, const Values& values) {
  Substitution s;
  for (const auto& [name, value] : values) s.emplace(name, constant(value));
  return std::get<Const>(substitute(s, e)->node).value;
}

int64_t random_free(Type type) {
  static const std::vector<int64_t> extremes = {INT64_MAX,     INT64_MIN,        INT64_MAX - 1, INT64_MIN + 1,
                                                INT64_MAX / 2, int64_t{1} << 62, 100,           -100};
  if (*rc::gen::inRange(0, 3) == 0) return prim::Value::of_int(type, pick(extremes)).i;
  return *rc::gen::inRange(-4, 7);
}

// Extents, a definition and assumptions, then a condition: if it is proved, it holds for all values that obey the
// facts.
void check(Type type, bool with_sizes) {
  std::vector<Name> names(std::begin(kFree), std::end(kFree));
  if (with_sizes) {
    names.insert(names.end(), std::begin(kSizes), std::end(kSizes));
    names.insert(names.end(), std::begin(kIndices), std::end(kIndices));
  }
  NameSource source(100);
  Facts facts(source, no_definition);
  std::vector<Expr> extents;
  if (with_sizes) {
    for (const Name& n : kSizes) facts.size(n);
    for (size_t k = 0; k < 2; ++k) {
      std::vector<Name> earlier(std::begin(kSizes), std::end(kSizes));
      if (k > 0) earlier.push_back(kIndices[0]);
      extents.push_back(random_integer(earlier, type, 1));
      facts.index(kIndices[k], extents[k]);
    }
  }
  Expr definition = random_integer(names, type, 1);
  facts.define(kLet, definition);
  names.push_back(kLet);
  Expr flag_definition = random_condition(names, type, 1), flag = var(kFlag, Type::Bool);
  facts.define(kFlag, flag_definition);
  Expr chosen = select(flag, random_integer(names, type, 1), random_integer(names, type, 1));
  facts.define(kChosen, chosen);
  names.push_back(kChosen);

  using Conditions = std::vector<std::pair<Expr, bool>>;
  Conditions assumed;
  auto assume = [&] {
    Expr condition = *rc::gen::inRange(0, 5) == 0 ? flag : random_condition(names, type, 1);
    assumed.emplace_back(condition, *rc::gen::arbitrary<bool>());
    facts.assume(condition, assumed.back().second);
  };
  for (int k = *rc::gen::inRange(0, 4); k > 0; --k) assume();

  std::vector<Expr> asked = {flag};
  for (int k = 0; k < 8; ++k) asked.push_back(random_condition(names, type, 1));
  // What was proved, and what it was proved from: the same questions before a scope with assumptions of its own, in it,
  // and after it.
  struct Proved {
    Expr condition;
    bool value;
    Conditions in_scope;
  };
  std::vector<Proved> proved;
  size_t outside = assumed.size();
  auto ask = [&] {
    for (const Expr& condition : asked) {
      std::optional<bool> value = facts.decide(condition);
      if (!value) continue;
      proved.push_back({condition, *value, Conditions(assumed.begin() + static_cast<long>(outside), assumed.end())});
    }
  };
  ask();
  for (int scopes = 0; scopes < 2; ++scopes) {
    facts.scope([&] {
      assume();
      ask();
      facts.scope([&] {
        assume();
        ask();
      });
    });
    assumed.resize(outside);
    ask();
  }
  RC_CLASSIFY(!proved.empty(), "something was proved");
  if (proved.empty()) return;

  for (int trial = 0; trial < 60; ++trial) {
    Values values;
    auto set = [&](const Name& n, int64_t v) { values.insert_or_assign(n, prim::Value::of_int(type, v)); };
    for (const Name& n : kFree) set(n, random_free(type));
    bool possible = true;
    if (with_sizes) {
      for (const Name& n : kSizes) set(n, *rc::gen::inRange(0, 6));
      for (size_t k = 0; k < 2; ++k) {
        int64_t extent = evaluate(extents[k], values).i;
        if (extent <= 0) possible = false;
        set(kIndices[k], possible ? *rc::gen::inRange<int64_t>(0, std::min<int64_t>(extent, 50)) : 0);
      }
    }
    set(kLet, evaluate(definition, values).i);
    values.insert_or_assign(kFlag, prim::Value::of_bool(holds(flag_definition, values)));
    set(kChosen, evaluate(chosen, values).i);
    auto hold = [&](const Conditions& conditions) {
      return std::ranges::all_of(conditions, [&](const auto& c) { return holds(c.first, values) == c.second; });
    };
    if (!possible || !hold(assumed)) continue;
    for (const Proved& p : proved) {
      if (hold(p.in_scope)) RC_ASSERT(holds(p.condition, values) == p.value);
    }
  }
}

RC_GTEST_PROP(FactsProperties, WhatIsProvedOfIndicesHolds, ()) { check(Type::I64, true); }
RC_GTEST_PROP(FactsProperties, WhatIsProvedOfArbitraryNumbersHolds, ()) { check(Type::I64, false); }
RC_GTEST_PROP(FactsProperties, WhatIsProvedOfBytesHolds, ()) { check(Type::I8, false); }
RC_GTEST_PROP(FactsProperties, WhatIsProvedOfInt32Holds, ()) { check(Type::I32, false); }

}  // namespace
}  // namespace heddle::nest
