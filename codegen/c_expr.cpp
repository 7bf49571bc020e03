#include "codegen/c_expr.h"

#include <fmt/core.h>

#include "ir/nest/infix.h"

namespace heddle::codegen {

namespace {

using nest::Expr;
using nest::Level;
using nest::Piece;
using prim::Type;

bool is_letter(char c) { return (c >= 'a' && c <= 'z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether C gives the text of an i64 expression 64 bits even if a plain `256` is one of its operands.
bool is_wide(const Expr& e) {
  if (std::holds_alternative<nest::Const>(e->node) || std::holds_alternative<nest::Select>(e->node)) return false;
  const auto* o = std::get_if<nest::Operation>(&e->node);
  if (!o || !prim::c_infix(o->op)) return true;
  for (const Expr& a : o->args) {
    if (is_wide(a)) return true;
  }
  return false;
}

struct ExprText {
  const BufferTable& buffers;

  Piece piece(const Expr& e) const {
    return std::visit([&](const auto& node) { return text(node, e); }, e->node);
  }

  // `sibling` is the other operand of an infix operator.
  Piece operand(const Expr& e, const Expr& sibling) const {
    if (e->type == Type::I64 && is_wide(sibling)) {
      auto value = nest::int_constant(e);
      if (value && *value >= 0 && *value <= INT32_MAX) return {std::to_string(*value)};
    }
    return piece(e);
  }

  std::string list(const std::vector<Expr>& args) const {
    std::string result;
    for (const Expr& a : args) result += (result.empty() ? "" : ", ") + piece(a).text;
    return result;
  }

  Piece text(const nest::Const& c, const Expr&) const { return {prim::c_literal(c.value)}; }

  Piece text(const nest::Var& v, const Expr&) const { return {c_name(v.name)}; }

  Piece text(const nest::Operation& o, const Expr& e) const {
    auto op = prim::c_infix(o.op);
    if (!op) return {fmt::format("{}({})", prim::c_function(o.op), list(o.args))};
    if (o.args.size() == 1) return nest::unary(*op, piece(o.args[0]));
    Piece p = nest::binary(operand(o.args[0], o.args[1]), *op, operand(o.args[1], o.args[0]));
    // C computes with at least 32 bits.
    if (e->type == Type::I8 || e->type == Type::I16)
      return {fmt::format("({})({})", prim::c_type(e->type), p.text), Level::Unary};
    return p;
  }

  Piece text(const nest::Call& c, const Expr&) const {
    return {fmt::format("{}({})", prim::c_function(*c.function), list(c.args))};
  }

  Piece text(const nest::Select& s, const Expr&) const {
    return nest::choice(piece(s.condition), piece(s.if_true), piece(s.if_false));
  }

  Piece text(const nest::Load& l, const Expr&) const { return {element(l.buffer, l.index)}; }

  std::string element(const seg::Name& name, const std::vector<Expr>& index) const {
    const nest::Buffer& b = buffers.at(name);
    if (b.space == nest::Space::Register && b.dims.empty()) return c_name(name);
    Expr place = nest::constant(int64_t{0});
    for (size_t i = 0; i < index.size(); ++i) place = nest::add(place, nest::mul(index[i], b.strides[i]));
    auto fixed = nest::int_constant(place);
    return fmt::format("{}[{}]", c_name(name), fixed ? std::to_string(*fixed) : piece(place).text);
  }
};

}  // namespace

std::string c_name(const seg::Name& name) {
  // Lower case, since headers have macros like M_PI_2; no underscore at the start, which is reserved; no hd_, which is
  // ours.
  std::string base;
  for (char c : name.base) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (!is_letter(c) && !is_digit(c)) c = '_';
    if (base.empty() && !is_letter(c)) {
      if (c == '_') continue;
      base = "n";
    }
    base += c;
  }
  constexpr size_t kLongest = 40;
  if (base.size() > kLongest) base.resize(kLongest);
  while (base.ends_with('_')) base.pop_back();
  while (base.starts_with("hd_")) base = base.substr(3);
  if (base.empty() || !is_letter(base[0])) base = "n" + base;
  return fmt::format("{}_{}", base, name.tag);
}

std::string c_expr(const nest::Expr& e, const BufferTable& buffers) { return ExprText{buffers}.piece(e).text; }

std::string c_element(const seg::Name& buffer, const std::vector<nest::Expr>& index, const BufferTable& buffers) {
  return ExprText{buffers}.element(buffer, index);
}

}  // namespace heddle::codegen
