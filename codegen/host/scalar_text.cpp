#include "codegen/host/scalar_text.h"

#include <fmt/format.h>

#include "codegen/host/c_writer.h"

namespace heddle::codegen::host {

std::string c_name(const seg::Name& name) { return fmt::format("{}_{}", c_identifier(name.base), name.tag); }

std::string c_value(const seg::SubExp& value) {
  return value.is_var() ? c_name(value.name()) : prim::c_literal(value.value());
}

std::string c_enum(prim::Type type) {
  std::string text = "HD_";
  for (char c : prim::name(type)) text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string_view c_member(prim::Type type) { return type == prim::Type::Bool ? "b" : prim::name(type); }

std::string c_operation(const prim::Op& op, const std::vector<std::string>& args) {
  auto infix = prim::c_infix(op);
  if (infix && args.size() == 2) return fmt::format("{} {} {}", args[0], *infix, args[1]);
  return fmt::format("{}({})", prim::c_function(op), join(args));
}

namespace {

struct ExprText {
  const Naming& naming;

  std::vector<std::string> all(const std::vector<nest::Expr>& exprs) const {
    std::vector<std::string> texts;
    for (const nest::Expr& e : exprs) texts.push_back(c_expr(e, naming));
    return texts;
  }
  std::string operator()(const nest::Const& c) const { return prim::c_literal(c.value); }
  std::string operator()(const nest::Var& v) const { return naming(v.name); }
  std::string operator()(const nest::Operation& o) const {
    // C computes narrower types in int, and may keep floats in more precision: only a call yields exactly the type.
    prim::Type type = prim::result_type(o.op);
    if (type == prim::Type::I64 || type == prim::Type::Bool) return "(" + c_operation(o.op, all(o.args)) + ")";
    return fmt::format("{}({})", prim::c_function(o.op), join(all(o.args)));
  }
  std::string operator()(const nest::Call& c) const {
    return fmt::format("{}({})", prim::c_function(*c.function), join(all(c.args)));
  }
  std::string operator()(const nest::Select& s) const {
    return fmt::format("({} ? {} : {})", c_expr(s.condition, naming), c_expr(s.if_true, naming),
                       c_expr(s.if_false, naming));
  }
  // Launch arguments read no arrays; the survey refuses those that do.
  std::string operator()(const nest::Load&) const { return "0"; }
};

}  // namespace

std::string c_expr(const nest::Expr& expr, const Naming& naming) { return std::visit(ExprText{naming}, expr->node); }

}  // namespace heddle::codegen::host
