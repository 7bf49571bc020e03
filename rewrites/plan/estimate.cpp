#include "rewrites/plan/estimate.h"

#include <optional>
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
      const Expr definition = host_.definition(v->name);
      std::optional<Value> defined = definition ? value(definition) : std::nullopt;
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
  const HostFacts& host_;
  int steps_ = 1000;  // definitions of definitions may name a scalar many times
};

}  // namespace

int64_t estimate(const Expr& size, const HostFacts& host) {
  std::optional<Value> found = Estimator(host).value(size);
  const int64_t extent = found ? found->i : 0;
  return extent > 0 ? extent : kEstimatedExtent;
}

}  // namespace heddle::lower
