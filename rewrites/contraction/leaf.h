// The innermost part of a tiled kernel: a thread multiplies and adds, for all its points.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "ir/nest/traverse.h"
#include "rewrites/contraction/operand_registers.h"

namespace heddle::contraction {

// One index vector of the reduction, in parts: it is `first + start + member`.
struct ReductionStep {
  nest::Expr stage;                // of the tiles in shared memory
  std::vector<nest::Expr> first;   // of the chunk
  std::vector<nest::Expr> start;   // of the group, in the chunk
  std::vector<nest::Expr> member;  // in the group
};

class Leaf {
 public:
  // `acc` has an element for each of the thread's points, which the leaf sets to the neutral element. `staging` may be
  // null where the schedule reads global memory.
  Leaf(const TileContext& x, const Staging* staging, const ThreadPlace& thread, const nest::Buffer& acc);

  // Values of the indices that are in the term, at the beginning of a group: written once for all its members.
  std::vector<nest::Expr> first_values(const std::vector<nest::Expr>& first,
                                       const std::vector<nest::Expr>& start) const;

  // A step for all points. `values`: what first_values has given. `set_of`: per operand the set of registers that holds
  // its elements, where the schedule reads registers.
  void write(const ReductionStep& step, const std::vector<nest::Expr>& values, const OperandRegisters* registers,
             const std::vector<nest::Expr>& set_of) const;

 private:
  // `sum` and the term, which is over the values of operands.
  nest::Expr added(const nest::Expr& sum, const nest::Expr& term) const;
  // A part of the term with a condition, which only some of the parallel indices decide; and what it is for a thread's points along these.
  struct Part {
    nest::Expr part;
    std::vector<size_t> along;
    nest::Buffer values;
  };
  using AtPoint = std::function<nest::Substitution(const std::vector<nest::Expr>& point)>;
  std::vector<Part> parts_of_term(const AtPoint& at_point) const;
  void find_parts(const nest::Expr& e, std::vector<Part>& found) const;
  nest::Expr term_at(const std::vector<nest::Expr>& point, const std::vector<Part>& parts) const;
  void multiply_add(const std::vector<nest::Expr>& point, const std::vector<Part>& parts,
                    const nest::Substitution& values) const;
  nest::Expr in_global_memory(size_t o, const ReductionStep& step, const std::vector<nest::Expr>& point) const;
  nest::Expr in_shared_memory(size_t o, const ReductionStep& step, const std::vector<nest::Expr>& point) const;
  nest::Expr is_inside(const ReductionStep& step, const std::vector<nest::Expr>& point) const;
  std::vector<nest::Expr> serpentine_order(const std::vector<nest::Expr>& step) const;
  nest::Expr parallel_index(size_t p, const nest::Expr& point) const;
  nest::Expr first_index(size_t p) const;  // of the thread's points

  const TileContext& x_;
  const Staging* staging_;
  const ThreadPlace& thread_;
  nest::Buffer acc_;
  nest::NameSet in_term_;
  std::map<size_t, nest::Expr> first_value_;  // of parallel indices that are in the term, at the thread's first point
};

}  // namespace heddle::contraction
