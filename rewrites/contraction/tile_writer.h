// What the parts of a tiled kernel share while it is written: its contraction, its tiles, and where blocks, threads and
// their points lie.
#pragma once

#include <cstddef>
#include <vector>

#include "rewrites/contraction/geometry.h"
#include "rewrites/contraction/statement_writer.h"
#include "rewrites/contraction/structure.h"
#include "rewrites/contraction/tiling.h"
#include "rewrites/recognize/contraction.h"

namespace heddle::contraction {

class TileWriter : protected StatementWriter {
 protected:
  TileWriter(const recognize::Contraction& c, const Tiling& t, const std::vector<nest::Buffer>& buffers,
             seg::NameSource& names);

  // Where in the block's tile a thread's point lies.
  nest::Expr of_thread(size_t p, const nest::Expr& point) const { return place(p, at_thread_[p], point); }
  nest::Expr place(size_t p, const nest::Expr& thread, const nest::Expr& point) const;
  nest::Expr from_first_point(size_t p, const nest::Expr& point) const;

  // For arithmetic of the program on the index, which may leave the range of places.
  nest::Expr as_value(const nest::Expr& index);

  const recognize::Contraction& c_;
  const Tiling& t_;
  Structure structure_;
  Geometry geometry_;
  size_t num_parallel_;

  std::vector<nest::Expr> points_, run_;        // per parallel index
  std::vector<nest::Expr> origin_, at_thread_;  // per parallel index, of the block and of the thread in it
  nest::Expr thread_, slice_;                   // the number of the thread in the block, and of its slice
};

}  // namespace heddle::contraction
