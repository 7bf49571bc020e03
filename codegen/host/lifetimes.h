// Where in a block of host statements each array may be released.
#pragma once

#include "ir/seg/traverse.h"
#include "rewrites/lower/lowered.h"

namespace heddle::codegen::host {

struct Lifetimes {
  std::vector<std::vector<Name>> ends_after;  // per statement: the arrays not needed after it
  std::vector<Name> in_result;                // those that the block's result mentions
};

// For the arrays in `owned` and those that the block's statements bind; arrays bound further in belong to inner blocks.
Lifetimes lifetimes(const lower::LoweredProgram& program, const seg::Stms& stms,
                    const std::vector<seg::SubExpRes>& result, const std::vector<Name>& owned);

// Whether a statement only fills an array that nothing reads, because kernels compute its elements themselves; `ends`
// are the arrays not needed after it.
bool is_unneeded(const seg::Stm& stm, const std::vector<Name>& ends);

// All names that a statement needs, whether it says so itself or its kernels' launches do.
seg::NameSet uses(const lower::LoweredProgram& program, const seg::Stm& stm);
seg::NameSet uses(const lower::LoweredProgram& program, const seg::Body& body);

}  // namespace heddle::codegen::host
