// Expressions as text with infix operators and as few parentheses as C's rules and a reader need.
#pragma once

#include <string>
#include <string_view>

namespace heddle::nest {

// How tightly the outermost operator of a text binds.
enum class Level { Choice, Or, And, Equal, Compare, Bits, Add, Multiply, Unary, Primary };

struct Piece {
  std::string text;
  Level level = Level::Primary;
};

// The text, in parentheses if it binds less tightly than `level`.
std::string within(const Piece& piece, Level level);

Piece binary(const Piece& a, std::string_view op, const Piece& b);  // a C operator
Piece unary(std::string_view op, const Piece& a);
Piece choice(const Piece& condition, const Piece& if_true, const Piece& if_false);

}  // namespace heddle::nest
