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

Level level_of(std::string_view op);  // of an infix operator
// Whether a op b op c is read as (a op b) op c for operators of this level. If not, it has no meaning.
bool chains(Level level);
// The next one that binds more tightly.
Level tighter(Level level);

// The text, in parentheses if it binds less tightly than `level`.
std::string within(const Piece& piece, Level level);

Piece binary(const Piece& a, std::string_view op, const Piece& b);
Piece unary(std::string_view op, const Piece& a);
Piece choice(const Piece& condition, const Piece& if_true, const Piece& if_false);

}  // namespace heddle::nest
