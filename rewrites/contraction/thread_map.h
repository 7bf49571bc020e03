// Which points of the result a thread computes: those of its block's tile that its number stands for.
#pragma once

#include <functional>
#include <vector>

#include "rewrites/contraction/geometry.h"
#include "rewrites/contraction/statement_writer.h"

namespace heddle::contraction {

// Where a thread is, as expressions.
struct ThreadPlace {
  nest::Expr number;               // in its block
  nest::Expr slice;                // of the reduction
  std::vector<nest::Expr> origin;  // per parallel index, of the block's tile
  std::vector<nest::Expr> at;      // ..., of the thread in the block
};

class ThreadMap {
 public:
  ThreadMap(const Structure& structure, const Schedule& schedule, const Geometry& geometry)
      : structure_(structure), schedule_(schedule), geometry_(geometry) {}

  // for block (grid) { for block (grid) { let origin; ... `body` } }
  void write_blocks(StatementWriter& w, const std::function<void(const std::vector<nest::Expr>& origin)>& body) const;
  // for thread (block) { let slice; let at; ... `body` }
  void write_threads(StatementWriter& w, const std::vector<nest::Expr>& origin,
                     const std::function<void(const ThreadPlace&)>& body) const;

  // Where in the block's tile a point of a thread lies, which is at `thread` along the index.
  nest::Expr place(size_t p, const nest::Expr& thread, const nest::Expr& point) const;
  // How far it is from the thread's first point.
  nest::Expr from_first_point(size_t p, const nest::Expr& point) const;

 private:
  const Structure& structure_;
  const Schedule& schedule_;
  const Geometry& geometry_;
};

}  // namespace heddle::contraction
