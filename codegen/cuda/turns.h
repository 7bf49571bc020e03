// Loops in which the members of a group, threads or blocks, take turns at points:
//
//   for round in ceil_div(total, members) { let point = round*members + member; if point < total { ... } }
//
// which is, without a division, and without a number of rounds of its own:
//
//   for (point = member; point < total; point += members) { ... }
#pragma once

#include <optional>

#include "codegen/c_expr.h"
#include "ir/nest/traverse.h"

namespace heddle::codegen {

struct Turns {
  Name point;
  nest::Expr member, total, members;
  const nest::Block* work;
};
// Refers to the loop; none if it is no such loop, or its member may be negative.
std::optional<Turns> turns(const nest::For& loop, const nest::NameSet& not_negative);
// Whether this is certain of the expression's form, with such names in it.
bool is_not_negative(const nest::Expr& e, const nest::NameSet& not_negative);

// Whether several rounds written out are better than one. Mostly there are few rounds with much work, and the device's
// compiler takes most of its time for copies of that; but reads of global memory that need not wait for each other do.
bool gains_by_unrolling(const nest::Block& work, const BufferTable& buffers);

// Whether a step only adds what is quick to compute to values that a thread keeps. Where the code of such a loop lies in memory decides
// how fast a processor is, up to twofold, unless several steps are written out.
bool folds(const nest::Block& step, const BufferTable& buffers);

bool has_barriers(const nest::Block& block);

// Of so few statements that they may be written twice.
bool is_short(const nest::Block& work);

}  // namespace heddle::codegen
