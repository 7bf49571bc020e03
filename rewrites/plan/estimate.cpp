#include "rewrites/plan/estimate.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

namespace heddle::lower {

namespace {

using nest::Expr;
using prim::Value;

class Estimator {
 public:
  explicit Estimator(const HostFacts& host) : host_(host) {}

  std::optional<Value> value(const Expr& e) {
    if (--steps_ < 0) return std::nullopt;
    if (const auto* c = std::get_if<nest::Const>(&e->node)) return c->value;
    if (const auto* v = std::get_if<nest::Var>(&e->node)) {
      if (auto local = locals_.find(v->name); local != locals_.end()) return local->second;
      const Expr definition = host_.definition(v->name);
      std::optional<Value> defined = definition ? value(definition) : from_loop(v->name);
      if (!defined && e->type == prim::Type::I64) return Value::i64(kEstimatedExtent);
      return defined;
    }
    if (const auto* choice = std::get_if<nest::Select>(&e->node)) {
      std::optional<Value> condition = value(choice->condition);
      if (!condition) return std::nullopt;
      return value(*condition == Value::of_bool(true) ? choice->if_true : choice->if_false);
    }
    const auto* operation = std::get_if<nest::Operation>(&e->node);
    if (!operation) return std::nullopt;
    std::vector<Value> args;
    for (const Expr& a : operation->args) {
      std::optional<Value> arg = value(a);
      if (!arg) return std::nullopt;
      args.push_back(*arg);
    }
    return prim::eval(operation->op, args);
  }

 private:
  std::optional<Value> value(const seg::SubExp& e) {
    if (!e.is_var()) return e.value();
    return value(nest::var(e.name(), prim::Type::I64));
  }

  // What a loop of scalars comes to that is the only one it carries.
  std::optional<Value> from_loop(const Name& name) {
    const seg::Exp* defined = host_.array_definition(name);
    const auto* loop = defined ? std::get_if<seg::Loop>(defined) : nullptr;
    const auto* form = loop ? std::get_if<seg::ForLoop>(&loop->form) : nullptr;
    if (!form || loop->params.size() != 1) return std::nullopt;
    std::optional<Value> bound = value(form->bound), carried = value(loop->inits[0]);
    for (int64_t i = 0; bound && carried && i < bound->i; ++i) {
      if (--steps_ < 0) return std::nullopt;
      locals_.insert_or_assign(form->index, Value::of_int(form->index_type, i));
      locals_.insert_or_assign(loop->params[0].name, *carried);
      carried = result(*loop->body);
    }
    return bound ? carried : std::nullopt;
  }

  std::optional<Value> result(const seg::Body& body) {
    for (const seg::StmPtr& s : body.stms) {
      const auto* operation = std::get_if<seg::PrimOp>(&s->exp);
      if (!operation || --steps_ < 0) return std::nullopt;
      std::vector<Value> args;
      for (const seg::SubExp& a : operation->args) {
        std::optional<Value> arg = value(a);
        if (!arg) return std::nullopt;
        args.push_back(*arg);
      }
      std::optional<Value> computed = prim::eval(operation->op, args);
      if (!computed) return std::nullopt;
      locals_.insert_or_assign(s->pat[0].name, *computed);
    }
    return value(body.result[0].value);
  }

  const HostFacts& host_;
  std::unordered_map<Name, Value> locals_;  // of loops
  int steps_ = 1000;                        // definitions of definitions may name a scalar many times
};

}  // namespace

int64_t estimate(const Expr& size, const HostFacts& host) {
  std::optional<Value> found = Estimator(host).value(size);
  const int64_t extent = found ? found->i : 0;
  return extent > 0 ? extent : kEstimatedExtent;
}

size_t number_of(const nest::Expr& extent, std::vector<nest::Expr>& seen) {
  auto same = std::ranges::find_if(seen, [&](const nest::Expr& e) { return nest::equal(e, extent); });
  if (same == seen.end()) same = seen.insert(same, extent);
  return static_cast<size_t>(same - seen.begin());
}

}  // namespace heddle::lower
