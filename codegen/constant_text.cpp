#include "codegen/constant_text.h"

#include <fmt/core.h>

#include <stdexcept>

#include "codegen/c_expr.h"

namespace heddle::codegen {

std::string constant_text(const nest::Expr& e) {
  if (auto n = nest::int_constant(e)) return std::to_string(*n);
  if (const auto* v = std::get_if<nest::Var>(&e->node)) return c_name(v->name);
  const auto* o = std::get_if<nest::Operation>(&e->node);
  if (!o || o->args.size() != 2) throw std::logic_error("no constant expression");
  std::string a = constant_text(o->args[0]), b = constant_text(o->args[1]);
  switch (o->op.family) {
    case prim::Family::Add:
    case prim::Family::AddNw:
      return fmt::format("({} + {})", a, b);
    case prim::Family::Sub:
    case prim::Family::SubNw:
      return fmt::format("({} - {})", a, b);
    case prim::Family::Mul:
    case prim::Family::MulNw:
      return fmt::format("({} * {})", a, b);
    case prim::Family::SDiv:
    case prim::Family::SQuot:
      return fmt::format("({} / {})", a, b);
    case prim::Family::SDivUp:
      return fmt::format("(({} + {} - 1) / {})", a, b, b);
    case prim::Family::SMod:
    case prim::Family::SRem:
      return fmt::format("({} % {})", a, b);
    case prim::Family::SMin:
      return fmt::format("({} < {} ? {} : {})", a, b, a, b);
    case prim::Family::SMax:
      return fmt::format("({} > {} ? {} : {})", a, b, a, b);
    default:
      throw std::logic_error("no constant expression");
  }
}

}  // namespace heddle::codegen
