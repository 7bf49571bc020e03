#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ir/nest/reader_parser.h"
#include "ir/support/located.h"

namespace heddle::nest {

using prim::Family;
using prim::Op;
using prim::Type;
using prim::Value;

namespace {

// As of a chain of operators.
constexpr int kMaxHeight = 5000;

std::optional<Value> value_of(const Token& token, std::string_view sign) {
  std::string text = std::string(sign) + std::string(token.text);
  int64_t plain = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), plain);
  if (error == std::errc() && end == text.data() + text.size()) return Value::i64(plain);
  return prim::parse_value(text);
}

}  // namespace

Parser::Sized Parser::sized(Expr e, const std::vector<Sized>& parts, const Token& at) {
  int height = 1;
  for (const Sized& p : parts) height = std::max(height, p.height + 1);
  if (height > kMaxHeight) reject(at, fmt::format("an expression of more than {} levels", kMaxHeight));
  return {std::move(e), height};
}

Parser::Sized Parser::choice() {
  Nested nested(*this);
  Sized condition = binary(Level::Or);
  const Token at = token();
  if (!accept("?")) return condition;
  if (condition.expr->type != Type::Bool) {
    reject(at, fmt::format("the condition before `?` is {}, not bool", prim::name(condition.expr->type)));
  }
  Sized if_true = binary(Level::Or);
  expect(":");
  Sized if_false = choice();
  if (if_true.expr->type != if_false.expr->type) {
    reject(at, fmt::format("`?` chooses between {} and {}", prim::name(if_true.expr->type),
                           prim::name(if_false.expr->type)));
  }
  return sized(select(condition.expr, if_true.expr, if_false.expr), {condition, if_true, if_false}, at);
}

// Reads operators that bind at least as tightly as `least`.
Parser::Sized Parser::binary(Level least) {
  Sized left = operand();
  Level most = Level::Unary;
  while (token().kind == TokenKind::Punct && is_operator(Fix::Infix, token().text)) {
    Level level = level_of(token().text);
    if (level < least || level > most) break;
    Token op = take();
    Sized right = binary(tighter(level));
    left = apply(Fix::Infix, op, {left, right});
    most = chains(level) ? level : static_cast<Level>(static_cast<int>(level) - 1);
  }
  return left;
}

Parser::Sized Parser::operand() {
  if (!token().is("-") && !token().is("!")) return primary();
  Nested nested(*this);
  Token op = take();
  bool is_constant = token().kind == TokenKind::Number || (token().kind == TokenKind::Word && value_of(token(), "-"));
  if (op.is("-") && is_constant) return constant("-");
  return apply(Fix::Prefix, op, {operand()});
}

Parser::Sized Parser::constant(std::string_view sign) {
  std::optional<Value> value = value_of(token(), sign);
  if (!value) fail("a number of some type");
  take();
  return {nest::constant(*value), 1};
}

Parser::Sized Parser::primary() {
  const Token& t = token();
  if (t.kind == TokenKind::Number) return constant("");
  if (accept("(")) {
    if (accept(")")) return {nest::constant(Value::unit()), 1};
    Sized inner = choice();
    expect(")");
    return inner;
  }
  // The extent of a loop may end in a name, and its role comes in parentheses, too.
  bool is_call = token(1).is("(") && !(role_of(token(2)) && token(3).is(")"));
  if (is_call && (t.kind == TokenKind::Word || t.kind == TokenKind::Name)) return call();
  if (at_name()) return variable_or_load();
  if (t.kind == TokenKind::Word && value_of(t, "")) return constant("");
  fail("an expression");
}

Parser::Sized Parser::variable_or_load() {
  const Token at = token();
  if (token(1).is("[")) {
    Element e = element();
    return {load(e.buffer, e.type, e.index), e.height};
  }
  Name n = name();
  auto bound = scope_.find(n.tag);
  if (bound == scope_.end()) reject(at, fmt::format("no variable {} is in scope", shown(n.text())));
  if (bound->second.is_buffer) reject(at, fmt::format("{} is a buffer; an element of it has [ ]", shown(n.text())));
  return {var(n, bound->second.type), 1};
}

Parser::Element Parser::element() {
  const Token at = token();
  Name n = name();
  auto bound = scope_.find(n.tag);
  if (bound == scope_.end() || !bound->second.is_buffer) {
    reject(at, fmt::format("no buffer {} is in scope", shown(n.text())));
  }
  std::vector<Sized> index;
  expect("[");
  if (!accept("]")) {
    do {
      index.push_back(choice());
      expect("]");
    } while (accept("["));
  }
  Element e{n, bound->second.type, {}, sized(nullptr, index, at).height};
  for (const Sized& i : index) e.index.push_back(i.expr);
  return e;
}

std::vector<Parser::Sized> Parser::arguments() {
  std::vector<Sized> args;
  expect("(");
  if (accept(")")) return args;
  do {
    args.push_back(choice());
  } while (accept(","));
  expect(")");
  return args;
}

std::vector<Expr> Parser::list() {
  std::vector<Expr> all;
  for (const Sized& s : arguments()) all.push_back(s.expr);
  return all;
}

Parser::Sized Parser::call() {
  Token function = take();
  if (function.text == "ceil") return quotient_rounded_up(function);
  if (is_operator(Fix::Function, function.text)) return apply(Fix::Function, function, arguments());
  if (std::optional<Op> op = prim::parse_op(function.text)) return apply(*op, arguments(), function);
  const prim::Function* f = prim::find_function(function.text);
  if (!f) reject(function, fmt::format("there is no function `{}`", shown(function.text)));
  std::vector<Sized> args = arguments();
  std::vector<Expr> exprs;
  for (const Sized& a : args) exprs.push_back(a.expr);
  bool fits = std::equal(exprs.begin(), exprs.end(), f->arg_types().begin(), f->arg_types().end(),
                         [](const Expr& e, Type type) { return e->type == type; });
  if (!fits) reject(function, fmt::format("`{}` takes other arguments", f->name));
  return sized(nest::call(f, std::move(exprs)), args, function);
}

// The last operator of the product in the parentheses is the one that rounds up.
Parser::Sized Parser::quotient_rounded_up(const Token& at) {
  Nested nested(*this);
  expect("(");
  Sized left = operand();
  while (token().kind == TokenKind::Punct && level_of(token().text) == Level::Multiply) {
    Token op = take();
    Sized right = operand();
    if (op.is("/") && accept(")")) {
      Type type = left.expr->type;
      if (!prim::is_int(type)) reject(at, fmt::format("`ceil` takes no operands of type {}", prim::name(type)));
      return apply(Op(Family::SDivUp, type), {left, right}, at);
    }
    left = apply(Fix::Infix, op, {left, right});
  }
  fail("`/`, a divisor and `)`");
}

Parser::Sized Parser::apply(Fix fix, const Token& op, const std::vector<Sized>& args) {
  if (args.empty()) reject(op, fmt::format("`{}` takes operands", op.text));
  std::optional<Op> found = operator_of(fix, op.text, args[0].expr->type);
  if (!found) reject(op, fmt::format("`{}` takes no operands of type {}", op.text, prim::name(args[0].expr->type)));
  return apply(*found, args, op);
}

Parser::Sized Parser::apply(const Op& op, const std::vector<Sized>& args, const Token& at) {
  if (static_cast<int>(args.size()) != prim::arity(op)) {
    reject(at, fmt::format("`{}` takes {} operands, not {}", at.text, prim::arity(op), args.size()));
  }
  std::vector<Expr> exprs;
  for (const Sized& a : args) {
    if (a.expr->type != prim::arg_type(op)) {
      reject(at, fmt::format("an operand of `{}` is {}, not {}", at.text, prim::name(a.expr->type),
                             prim::name(prim::arg_type(op))));
    }
    exprs.push_back(a.expr);
  }
  return sized(operation(op, std::move(exprs)), args, at);
}

}  // namespace heddle::nest
