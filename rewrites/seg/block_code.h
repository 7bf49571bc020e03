// Pieces of seg statements for block-level code: arithmetic, choices and loops.
#pragma once

#include <functional>
#include <optional>

#include "rewrites/seg/builder.h"

namespace heddle::seg {

// i64 arithmetic that leaves out what has no effect.
inline SubExp plus(Builder& out, const SubExp& a, const SubExp& b) {
  if (a.int_constant() == 0) return b;
  if (b.int_constant() == 0) return a;
  if (a.int_constant() && b.int_constant()) return i64(*a.int_constant() + *b.int_constant());
  return out.add64(a, b);
}
inline SubExp times(Builder& out, const SubExp& a, const SubExp& b) {
  if (a.int_constant() == 0 || b.int_constant() == 0) return i64(0);
  if (a.int_constant() == 1) return b;
  if (b.int_constant() == 1) return a;
  if (a.int_constant() && b.int_constant()) return i64(*a.int_constant() * *b.int_constant());
  return out.mul(a, b);
}
inline SubExp minus(Builder& out, const SubExp& a, const SubExp& b) {
  if (b.int_constant() == 0) return a;
  if (a.int_constant() && b.int_constant()) return i64(*a.int_constant() - *b.int_constant());
  return out.sub(a, b);
}
inline SubExp holds(Builder& out, prim::Family family, SubExp a, SubExp b, prim::Type type = prim::Type::I64) {
  return out.let("holds", Type::scalar(prim::Type::Bool), PrimOp{prim::Op(family, type), {std::move(a), std::move(b)}});
}

// The same with 32 bits, which is one instruction where the other is two, and the ways between them.
inline SubExp i32(int64_t value) { return prim::Value::i32(static_cast<int32_t>(value)); }
inline SubExp narrow(Builder& out, const SubExp& a) {
  if (auto value = a.int_constant()) return i32(*value);
  return out.let("narrow", Type::scalar(prim::Type::I32),
                 PrimOp{prim::Op(prim::Family::SExt, prim::Type::I64, prim::Type::I32), {a}});
}
inline SubExp widen(Builder& out, const SubExp& a) {
  if (auto value = a.int_constant()) return i64(*value);
  return out.let("wide", Type::scalar(prim::Type::I64),
                 PrimOp{prim::Op(prim::Family::SExt, prim::Type::I32, prim::Type::I64), {a}});
}
inline SubExp plus32(Builder& out, const SubExp& a, const SubExp& b) {
  if (a.int_constant() == 0) return b;
  if (b.int_constant() == 0) return a;
  if (a.int_constant() && b.int_constant()) return i32(*a.int_constant() + *b.int_constant());
  return out.let("sum", Type::scalar(prim::Type::I32), PrimOp{prim::Op(prim::Family::AddNw, prim::Type::I32), {a, b}});
}
inline SubExp times32(Builder& out, const SubExp& a, const SubExp& b) {
  if (a.int_constant() == 0 || b.int_constant() == 0) return i32(0);
  if (a.int_constant() == 1) return b;
  if (b.int_constant() == 1) return a;
  if (a.int_constant() && b.int_constant()) return i32(*a.int_constant() * *b.int_constant());
  return out.let("product", Type::scalar(prim::Type::I32),
                 PrimOp{prim::Op(prim::Family::MulNw, prim::Type::I32), {a, b}});
}

inline SubExp both(Builder& out, const std::optional<SubExp>& a, SubExp b) {
  if (!a) return b;
  return out.let("all", Type::scalar(prim::Type::Bool),
                 PrimOp{prim::Op(prim::Family::LogAnd, prim::Type::Bool), {*a, std::move(b)}});
}

inline SubExp if_else(Builder& out, const std::string& base, const Type& type, const SubExp& condition, Stms stms,
                      const SubExp& value, const SubExp& otherwise) {
  auto then = std::make_shared<const Body>(Body{std::move(stms), {{{}, value}}});
  auto other = std::make_shared<const Body>(Body{{}, {{{}, otherwise}}});
  return out.let(base, type,
                 Match{MatchSort::Normal, {condition}, {{{prim::Value::of_bool(true)}, then}}, other, {type}});
}

// loop {params} = {inits} for index < bound do body, where `body` is told index and parameters and yields their next
// values.
using Values = std::vector<SubExp>;
using LoopBody = std::function<Values(Builder&, const SubExp&, const Values&)>;
inline Values for_loop(Builder& out, const std::vector<Type>& types, const Values& inits, const SubExp& bound,
                       const LoopBody& body, prim::Type index = prim::Type::I64) {
  NameSource& names = out.names();
  Loop loop{{}, inits, ForLoop{names.fresh("k"), index, bound}, nullptr};
  Values inside, after;
  Pat pat;
  for (const Type& t : types) {
    Type consumed = t;
    consumed.unique = !t.is_scalar();
    loop.params.push_back({{}, names.fresh("now"), consumed});
    inside.emplace_back(loop.params.back().name);
    pat.push_back({names.fresh("then"), t});
    after.emplace_back(pat.back().name);
  }
  Builder step(names);
  Body steps{{}, {}};
  for (const SubExp& r : body(step, std::get<ForLoop>(loop.form).index, inside)) steps.result.push_back({{}, r});
  steps.stms = step.take();
  loop.body = std::make_shared<const Body>(std::move(steps));
  out.add(Stm{std::move(pat), {}, {}, std::move(loop), {}});
  return after;
}

}  // namespace heddle::seg
