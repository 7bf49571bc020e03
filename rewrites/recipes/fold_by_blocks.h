// Reductions of what the points of a kernel compute: each block folds what its own points give and leaves it in memory, and the kernel of a
// reduction like any other (reduction.h) folds what the blocks left.
//
//   for .. (grid) for thread in 256 (block) { .. elements[y][x] := v .. }
// becomes, with memory for an element of each block,
//   for .. (grid) for thread in 256 (block) {
//     acc := ne  .. acc := op(acc, v) ..
//     shared[thread] := acc; for level in 8 { barrier; every second pair of neighbours that are 2^level apart: op of both }
//     if thread == 0 { of_blocks[block] := shared[0] }
//   }
//   segred(i < blocks) (op) { of_blocks[i] }
#pragma once

#include "ir/nest/traverse.h"
#include "rewrites/recipes/recipe.h"

namespace heddle::lower {

// A reduction of one segment, whose elements may come in any order, and the buffers of a kernel to which its points store what they give.
struct PointFold {
  seg::StmPtr reduction;
  std::vector<Name> elements;
};

// Memory that a block needs for it.
int64_t shared_bytes_to_fold(const PointFold& fold);
// The kernel without what it stores to these buffers.
Launch without_stores(Launch kernel, const nest::NameSet& buffers);

class FoldByBlocks {
 public:
  FoldByBlocks(std::vector<PointFold> folds, const HostScope& host, NameSource& names);

  // Why there is no kernel for what blocks leave, as a clause; empty if there is one.
  const std::string& why_not() const { return why_not_; }

  // A kernel whose points store to the buffers, each element once, the first of a reduction's before the others; its blocks have kBlockSize
  // threads. As it folds instead: the buffers are none of its parameters then.
  Launch folding(const Launch& kernel) const;
  // Gives the plan of a statement this kernel, which folds, and the one behind it. Results of other reductions are there already.
  void complete(Plan& plan, const seg::Stm& of, Launch kernel) const;

 private:
  const seg::SegOp& all() const { return std::get<seg::SegOp>(stm_.exp); }
  nest::Expr num_blocks(const Launch& kernel) const;
  // With the number of blocks where it is asked for.
  void tell_number(Launch& launch, const nest::Expr& number) const;

  std::vector<PointFold> folds_;
  NameSource& names_;
  Layouts layouts_;
  HostScope scope_;
  Name count_;                   // of blocks
  std::vector<Name> of_blocks_;  // what they leave
  seg::Stm stm_;                 // all reductions as one, of that
  std::optional<Launch> reduction_;
  std::string why_not_;
};

}  // namespace heddle::lower
