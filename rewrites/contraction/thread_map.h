// Which points of the result a thread computes: those of its block's tile that its number stands for.
#pragma once

#include <functional>
#include <vector>

#include "rewrites/contraction/schedule.h"
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
  ThreadMap(const recognize::Contraction& c, const Structure& structure, const Schedule& schedule);

  // Per parallel index.
  const std::vector<nest::Expr>& points() const { return points_; }
  const std::vector<nest::Expr>& run() const { return run_; }
  const std::vector<nest::Expr>& threads() const { return threads_; }
  const std::vector<nest::Expr>& block_tile() const { return block_tile_; }
  const nest::Expr& num_threads() const { return num_threads_; }

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
  const recognize::Contraction& c_;
  const Structure& structure_;
  const Schedule& schedule_;
  std::vector<nest::Expr> points_, run_, threads_, block_tile_;
  nest::Expr num_threads_;
};

}  // namespace heddle::contraction
