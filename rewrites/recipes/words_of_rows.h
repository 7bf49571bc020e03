// How threads that reduce segments in any order read them by words: of each array several neighbours at once.
#pragma once

#include <functional>
#include <vector>

#include "rewrites/recipes/folds.h"
#include "rewrites/recipes/reduction_shape.h"

namespace heddle::lower {

// Of a reduction whose points have the arrays' elements with their own number within the segment (read_along). All is about kElementsAtATime
// elements, a word, which may be less or more than a device reads at once.
//
//   for turn in turns { let j = min(turn*threads + thread, words - 1)*4; read a[i][j .. j + 3]; if there is such a word { op of these } }
//   if thread < n % 4 { op of a[i][n - n % 4 + thread] }
class WordsOfRows {
 public:
  // Of nothing.
  WordsOfRows() = default;
  // `folded`: how many values the operators combine.
  WordsOfRows(const seg::SegOp& op, const Layouts& layouts, int64_t folded);

  bool is_any() const { return !arrays_.empty(); }
  // That a thread may have, of which it depends how many blocks run at once.
  int64_t registers() const;
  // Whether what a turn asks for suffices, so that turns need not be written out several times.
  bool keeps_loops() const { return arrays_.size() == 1 && bytes_ >= 4; }
  // How often so many threads ask for words until those of a segment are through, in an expression of the host.
  nest::Expr turns(const nest::Expr& threads, const nest::Expr& width) const;

  // Of a thread among those of a segment.
  struct Thread {
    nest::Expr number, threads, turns;
  };
  // Combines the thread's elements, which `point` computes for a place. Yields where that is right and gains: all rows begin at multiples of a
  // word, and have enough of them; null, having done nothing, where no kernel reads such rows.
  nest::Expr combine(Folds& f, const Thread& thread, const std::vector<ArrayValue>& acc,
                     const std::function<std::vector<KernelValue>(const nest::Expr& place)>& point) const;

 private:
  int64_t at_a_time() const;
  // Those of which a row's elements are neighbours.
  std::vector<nest::Buffer> rows(const KernelBuilder& kernel) const;

  std::vector<Name> arrays_;
  int64_t bytes_ = 0, folded_ = 0;  // bytes: of an element of each array, all together
};

}  // namespace heddle::lower
