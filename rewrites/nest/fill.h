// A loop in which the threads of a block together write each element of a buffer once: made by one rewrite, recognized
// by another.
#pragma once

#include <functional>
#include <optional>

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// The threads of a block, as the Block, Warp and Lane loops around a place number them.
struct Team {
  Expr thread, size;
};
Team team_of(const std::vector<const For*>& around);

// for piece in ceil(n / size) { let at = piece * size + thread; if at < n { ...; buffer[digits of at] := ... } }
// where n is the number of elements of a box; `store` makes the statements that end with the store at an index.
Stmt fill(const std::vector<Expr>& dims, const Team& team, const std::function<Block(const std::vector<Expr>&)>& store,
          NameSource& names);

// What such a loop is made of: numbers `at` below `count`, each with what is done for it.
struct Filling {
  Name at;
  Expr count;
  const Block* body;
};
std::optional<Filling> filling(const Stmt& s, const Team& team);

// The product of some dims, and the indices into a row-major box of them of the element number `at`.
Expr num_elements(const std::vector<Expr>& dims);
std::vector<Expr> digits(const Name& at, const std::vector<Expr>& dims);

// The shared buffers that are filled like that where they are made, under no condition; their dimensions may come in
// another order than the digits.
NameSet filled_buffers(const Kernel& kernel);

}  // namespace heddle::nest
