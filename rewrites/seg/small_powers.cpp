#include "rewrites/seg/small_powers.h"

#include <optional>

#include "ir/seg/traverse.h"

namespace heddle::seg {

namespace {

using prim::Family;

// The exponent of a power, if the program's text says it.
std::optional<prim::Value> exponent(const Exp& e) {
  const auto* p = std::get_if<PrimOp>(&e);
  if (!p || (p->op.family != Family::Pow && p->op.family != Family::FPow) || p->args[1].is_var()) return std::nullopt;
  return p->args[1].value();
}

Exp multiplied(const Exp& e) {
  const std::optional<prim::Value> power = exponent(e);
  if (!power) return e;
  const auto& [op, args] = std::get<PrimOp>(e);
  const bool is_float = op.family == Family::FPow;
  const double by = is_float ? power->f : static_cast<double>(power->i);
  if (by == 1) return Atom{args[0]};
  if (by == 2) return PrimOp{prim::Op(is_float ? Family::FMul : Family::Mul, op.type), {args[0], args[0]}};
  return e;
}

class Powers {
 public:
  SubExp use(const SubExp& x) { return x; }
  Name use_name(const Name& n) { return n; }
  Name bind(const Name& n) { return n; }
  BodyPtr body(const BodyPtr& b) { return std::make_shared<const Body>(Body{stms(b->stms), b->result}); }
  KernelBodyPtr body(const KernelBodyPtr& b) {
    KernelBody out = *b;
    out.stms = stms(b->stms);
    return std::make_shared<const KernelBody>(std::move(out));
  }
  Stms stms(const Stms& in) {
    Stms out;
    for (const StmPtr& s : in) {
      Stm changed = rebuild(*this, *s);
      changed.exp = multiplied(changed.exp);
      out.push_back(std::make_shared<const Stm>(std::move(changed)));
    }
    return out;
  }
};

}  // namespace

Result<Program> small_powers(const Program& program) {
  Powers powers;
  Program out = program;
  out.constants = powers.stms(program.constants);
  for (FunDef& f : out.functions) f.body = powers.body(f.body);
  return out;
}

}  // namespace heddle::seg
