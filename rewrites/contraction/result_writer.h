// The end of a tiled kernel: threads store the sums that they have in registers, the epilogue applied to them.
#pragma once

#include <functional>
#include <vector>

#include "rewrites/contraction/tile_writer.h"

namespace heddle::contraction {

class ResultWriter : protected TileWriter {
 protected:
  using TileWriter::TileWriter;

  // `acc` holds the sums of a thread's points. They go through shared memory, where slices of the reduction are added
  // up, or directly, as the tiling says.
  void write_result(const nest::Buffer& acc);

 private:
  nest::Buffer result_tile(const nest::Buffer& acc);
  // The threads' points along the last two parallel indices go through shared memory together, one box of them for each
  // point along the others.
  void write_through(const nest::Buffer& tile, const nest::Buffer& acc);
  nest::Buffer load_sums(const nest::Buffer& tile, const nest::Expr& slice, const std::vector<nest::Expr>& at,
                         const nest::Expr& width);
  void write_directly(const nest::Buffer& acc);
  // `width` neighbouring results, the first of them at `in_block` of the block's tile; `sum_of` gives the sum for each.
  void write_elements(const std::vector<nest::Expr>& in_block, const nest::Expr& width,
                      const std::function<nest::Expr(const nest::Expr&)>& sum_of);
};

}  // namespace heddle::contraction
