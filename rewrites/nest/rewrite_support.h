// Places in a kernel, named by the index of a loop, and what is known there: what all rewrites on nests share.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/nest/facts.h"
#include "ir/nest/nest.h"
#include "ir/nest/traverse.h"
#include "ir/support/error.h"

namespace heddle::nest {

// What a rewrite yields.
struct Rewritten {
  Kernel kernel;
  std::string why_legal;         // the argument, as a clause
  std::vector<Name> loops = {};  // the indices of the loops that were made, in the order of the text
  bool reorders = false;  // takes the steps of a reduction in another order, so that floats are rounded differently
};

struct LoopSite {
  const For* loop = nullptr;
  std::vector<const For*> around;  // the loops around it, outermost first
  std::vector<Expr> conditions;    // that hold there, because of the branches around it
};

// Throws Refused if there is no such loop.
LoopSite find_loop(const Kernel& kernel, const Name& index);

// The kernel with other statements in the place of a loop.
Kernel with_loop_replaced(const Kernel& kernel, const Name& index, const std::function<Block(const For&)>& f);

// What the names bound by Lets stand for, without names bound by Lets. Lets of what is read from memory are left out.
Substitution index_lets(const Kernel& kernel);
// The same as they are written, over each other's names.
Substitution let_values(const Kernel& kernel);

// Whether an expression reads no memory and its operators are defined for all operands, so that it may be moved.
bool is_movable(const Expr& e);

// Whether other threads may write or look at what was written, or the thread may end, while statements run.
bool may_be_disturbed(const Block& block);

// The Lets and tests of indices that stand between a loop and what it does:
//   for i in n { let y = t * 4 + i; if y < h { S1; S2 } }   has the layers `let y` and `if y < h`, and the core S1; S2.
struct Shell {
  std::vector<Stmt> layers;
  Block core;
};
Shell shell_of(const Block& body);
Block in_layers(const std::vector<Stmt>& layers, Block core);

// The same with new names for some that are bound in it.
Block renamed(const Block& block, const NameSet& bound, NameSource& names);

// The extent, or something at least as large in which none of the names occurs; null if there is nothing such.
Expr extent_without(const Expr& extent, const Substitution& lets, const NameSet& names);

// Whether something is at least 1 for all values of the kernel's constants.
bool is_positive(const Kernel& kernel, const Expr& e, NameSource& names);

// a / b, if there is no remainder whatever the names stand for.
std::optional<Expr> exact_quotient(const Expr& a, const Expr& b, NameSource& names);

// Whether an expression is known when the kernel is compiled.
bool is_fixed(const Kernel& kernel, const Expr& e);

// The buffer that a statement of the kernel makes, or any buffer; throw Refused if there is none.
const Buffer& allocated(const Kernel& kernel, const Name& name);
const Buffer& buffer_named(const Kernel& kernel, const Name& name);

// Throws Refused if the kernel writes to a buffer anywhere.
void check_only_read(const Kernel& kernel, const Name& buffer);

// Makes known that constants are positive and sizes not negative, and at a place also the ranges of the loops around
// and the conditions there. `facts` is filled in place because it must not be moved.
void learn_sizes(Facts& facts, const Kernel& kernel);
void learn_site(Facts& facts, const Kernel& kernel, const LoopSite& place);

// Turns what a rewrite throws into its error, and what it makes of a well-formed kernel is checked to be well-formed:
// where it is not, the rules of nests forbid the rewrite.
Result<Rewritten> rewrite(const std::function<Rewritten()>& f);

}  // namespace heddle::nest
