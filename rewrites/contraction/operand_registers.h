// What a thread holds of the operands in registers: all that its points need for a group of reduction indices, or for
// one of them.
#pragma once

#include <vector>

#include "rewrites/contraction/staging.h"

namespace heddle::contraction {

class OperandRegisters {
 public:
  // Allocates them, in one set more than loads are ahead of the arithmetic.
  OperandRegisters(const TileContext& x, const Staging& staging, const ThreadPlace& thread, int64_t ahead);

  int64_t ahead() const { return ahead_; }
  // Fills a set of those operands that are loaded by the group, or by the member, with the elements for reduction
  // indices from `start` of the chunk on.
  void load(bool by_group, const nest::Expr& set, const nest::Expr& stage,
            const std::vector<nest::Expr>& first_of_chunk, const std::vector<nest::Expr>& start) const;
  // The operand's element for a point and a member of the group.
  nest::Expr element(size_t o, const nest::Expr& set, const std::vector<nest::Expr>& point,
                     const std::vector<nest::Expr>& member) const;

 private:
  Box box(size_t o) const;  // what a set is for
  void load_operand(size_t o, const nest::Expr& set, const nest::Expr& stage, const Box& chunk,
                    const std::vector<nest::Expr>& start) const;
  nest::Expr distance(const DimMap& m, const nest::Expr& i) const;

  const TileContext& x_;
  const Staging& staging_;
  const ThreadPlace& thread_;
  int64_t ahead_;
  std::vector<nest::Buffer> sets_;  // per operand; the first dimension counts the sets
};

}  // namespace heddle::contraction
