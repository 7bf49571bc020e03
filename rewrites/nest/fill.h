// A loop in which the threads of a block together write each element of a buffer once: made by one rewrite, recognized
// by another.
#pragma once

#include <functional>

#include "rewrites/nest/place.h"

namespace heddle::nest {

// The threads of a block, as the Block, Warp and Lane loops around a place number them.
struct Team {
  Expr thread, size;
};
Team team_of(const std::vector<const For*>& around);

// for piece in ceil(n / size) { let at = piece * size + thread; if at < n { ...; buffer[digits of at] := ... } }
// where n is the number of the buffer's elements; `store` makes the statements that end with the store at an index.
Stmt fill(const Buffer& buffer, const Team& team, const std::function<Block(const std::vector<Expr>&)>& store,
          seg::NameSource& names);

// The shared buffers that are filled like that where they are made, under no condition.
NameSet filled_buffers(const Kernel& kernel);

}  // namespace heddle::nest
