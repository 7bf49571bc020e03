#include "ir/nest/infix.h"

namespace heddle::nest {

Level level_of(std::string_view op) {
  if (op == "*" || op == "/" || op == "%" || op == "*%") return Level::Multiply;
  if (op == "+" || op == "-" || op == "+%" || op == "-%") return Level::Add;
  if (op == "==" || op == "!=") return Level::Equal;
  if (op == "&&") return Level::And;
  if (op == "||") return Level::Or;
  if (op == "<" || op == "<=" || op == ">" || op == ">=") return Level::Compare;
  return Level::Bits;
}

Level tighter(Level level) { return static_cast<Level>(static_cast<int>(level) + 1); }

bool chains(Level level) {
  return level == Level::Add || level == Level::Multiply || level == Level::And || level == Level::Or;
}

namespace {

// Nobody knows by heart how comparisons, logical and bitwise operators bind among each other, so their operands get
// parentheses.
Level operand_level(Level level) {
  switch (level) {
    case Level::Add:
    case Level::Multiply:
      return tighter(level);
    case Level::Bits:
      return Level::Unary;
    case Level::Equal:
    case Level::Compare:
      return Level::Add;
    default:
      return Level::Equal;
  }
}

}  // namespace

std::string within(const Piece& piece, Level level) {
  return piece.level < level ? "(" + piece.text + ")" : piece.text;
}

Piece binary(const Piece& a, std::string_view op, const Piece& b) {
  Level level = level_of(op);
  Level right = operand_level(level);
  Level left = chains(level) && a.level == level ? level : right;
  return {within(a, left) + " " + std::string(op) + " " + within(b, right), level};
}

Piece unary(std::string_view op, const Piece& a) { return {std::string(op) + within(a, Level::Primary), Level::Unary}; }

Piece choice(const Piece& condition, const Piece& if_true, const Piece& if_false) {
  return {within(condition, Level::Or) + " ? " + within(if_true, Level::Or) + " : " + within(if_false, Level::Choice),
          Level::Choice};
}

}  // namespace heddle::nest
