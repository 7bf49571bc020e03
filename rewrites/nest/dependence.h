// Which iterations of nested loops must keep their order, because they touch the same element of a buffer and one of
// them writes it.
#pragma once

#include <string>
#include <vector>

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// Between two accesses, per loop: how the iteration of the second may lie to that of the first.
enum Direction : unsigned { kEarlier = 1, kSame = 2, kLater = 4, kAnyDirection = 7 };

struct Dependence {
  Name buffer;
  size_t first, second;         // which statements of the body they are in
  std::vector<unsigned> loops;  // sets of Direction, one per loop, outermost first
  bool is_reduction;            // both are steps of one reduction, whose operator is associative and commutative
};

// `loops` are nested, and `body` is what the innermost of them does. The directions are conservative: an index that is
// no polynomial, or loops that index one dimension together and may overlap there, leave all of them possible. Buffers
// that the body makes for itself have no dependences. Throws Refused where the order of effects cannot be seen from
// elements: barriers, asynchronous copies, atomic updates, failures, unbounded loops.
std::vector<Dependence> dependences(const Kernel& kernel, const std::vector<const For*>& loops, const Block& body,
                                    NameSource& names);

// As "out_3 (=, =), acc_4 (*, <) reduced by fadd32": the rows of a direction matrix, by the buffers they come from.
std::string to_text(const std::vector<Dependence>& all);

}  // namespace heddle::nest
