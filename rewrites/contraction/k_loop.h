// The loop over the reduction of a tiled kernel: chunk by chunk, in each group by group, in each member by member.
#pragma once

#include <functional>
#include <vector>

#include "rewrites/contraction/leaf.h"

namespace heddle::contraction {

class KLoop {
 public:
  KLoop(const TileContext& x, const Chunks& chunks, const Staging* staging, const ThreadPlace& thread, const Leaf& leaf)
      : x_(x), chunks_(chunks), staging_(staging), thread_(thread), leaf_(leaf) {}

  void write();
  // Registers that hold addresses.
  const std::vector<Name>& address_scalars() const { return address_scalars_; }

 private:
  // A thread's groups of reduction indices follow each other like the numbers of an odometer, which at the end begins
  // anew.
  struct Odometer {
    std::vector<Name> at;  // where in the chunk the group begins: a register per reduction index
    std::vector<nest::Expr> first, step, limit;
    std::vector<nest::Expr> values() const;
  };

  void index_by_index();
  void copy_and_wait(const nest::Expr& chunks);
  void copy_ahead(const nest::Expr& chunks);
  void compute_chunk(const nest::Expr& stage, const std::vector<nest::Expr>& first);
  void compute_in_turn(const nest::Expr& stage, const std::vector<nest::Expr>& first,
                       const std::vector<nest::Expr>& rest);
  void compute_ahead(const nest::Expr& stage, const std::vector<nest::Expr>& first,
                     const std::vector<nest::Expr>& rest);
  void compute_slice_ahead(const nest::Expr& stage, const std::vector<nest::Expr>& first,
                           std::vector<nest::Expr> num_groups);
  // `next` is where the group begins that follows the one that begins at `start`, or `start` if none is loaded ahead.
  void compute_group(const OperandRegisters* registers, const nest::Expr& stage, const std::vector<nest::Expr>& first,
                     const nest::Expr& set, const std::vector<nest::Expr>& start, const std::vector<nest::Expr>& next);
  void for_members(int64_t ahead,
                   const std::function<void(const std::vector<nest::Expr>&, const nest::Expr&)>& body) const;
  Odometer odometer(const std::vector<nest::Expr>& num_groups);
  void advance(const Odometer& o) const;

  const TileContext& x_;
  const Chunks& chunks_;
  const Staging* staging_;  // null where the schedule reads global memory
  const ThreadPlace& thread_;
  const Leaf& leaf_;
  std::vector<Name> address_scalars_;
};

}  // namespace heddle::contraction
