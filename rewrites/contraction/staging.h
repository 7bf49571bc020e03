// What a block reads of the operands in one chunk of the reduction, in shared memory.
#pragma once

#include <vector>

#include "rewrites/contraction/tile_context.h"

namespace heddle::contraction {

// The chunks of a reduction are numbered; one after the other is computed with.
class Chunks {
 public:
  explicit Chunks(const TileContext& x) : x_(x) {}
  nest::Expr count() const { return product(x_.geometry.num_chunks); }
  // Per index of the reduction, where a chunk begins.
  std::vector<nest::Expr> first(const nest::Expr& chunk) const;

 private:
  const TileContext& x_;
};

class Staging {
 public:
  // Allocates the tiles, of which there are as many as the schedule has stages.
  Staging(const TileContext& x, const Chunks& chunks, std::vector<nest::Expr> origin);

  // The threads of the block together copy all that a chunk's arithmetic reads, zeros where there is no element.
  void copy(const nest::Expr& chunk, const ThreadPlace& thread) const;
  nest::Expr stage_of(const nest::Expr& chunk) const;

  const nest::Buffer& tile(size_t operand) const { return tiles_[operand]; }
  // Parallel and reduction indices of the block's tile and a chunk.
  Box box(const std::vector<nest::Expr>& first_of_chunk) const;

 private:
  void copy_operand(size_t o, const nest::Expr& stage, const Box& box, const nest::Expr& thread) const;
  void copy_elements(size_t o, const std::vector<nest::Expr>& to, const std::vector<nest::Expr>& from,
                     const nest::Expr& valid) const;

  const TileContext& x_;
  const Chunks& chunks_;
  std::vector<nest::Expr> origin_;
  std::vector<nest::Buffer> tiles_;  // per operand; the first dimension counts the stages
};

}  // namespace heddle::contraction
