// How blocks of threads share the elements of a histogram's segments: several blocks a segment, and where elements are rows several
// threads an element.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "rewrites/points/block_shape.h"
#include "rewrites/recipes/histogram_kernel.h"

namespace heddle::lower {

// Blocks that fill the largest devices of today, and how many threads each has.
struct FillingBlocks {
  int64_t threads = kBlockSize, blocks = kFillingBlocks;
};

class HistogramBlocks {
 public:
  // `most`: blocks of a segment, at most, in the host's terms.
  HistogramBlocks(HistogramKernel& kernel, const FillingBlocks& filling,
                  const std::optional<nest::Expr>& most = std::nullopt);

  // Blocks of a segment.
  const nest::Expr& chunks() const { return chunks_; }

  // What a block is told.
  struct Place {
    Indices segment;
    nest::Expr pass, chunk;
    nest::Expr element;  // the first of this thread's among those that the block has at once
  };
  // A parameter that says how often all elements are gone over, by other blocks each time.
  using Passes = std::function<nest::Expr()>;
  // The kernel in which each block does what `emit` emits, all of its threads together, once or in passes. It has no blocks unless
  // `enabled`, a host value.
  Launch launch(const std::string& name, const nest::Expr& enabled, const Passes& in_passes,
                const std::function<void(const Place&)>& emit);

  // A thread's elements: first, first + stride, ..., so many rounds.
  struct Turns {
    nest::Expr first, stride, rounds;
  };
  // Within what threads do separately.
  Turns turns(const Place& place);
  void for_all(const Turns& turns, const std::function<void(const nest::Expr& j)>& emit);
  // `emit` for what is in a bin, as far as it is this thread's.
  void for_own(std::vector<nest::Expr> dims, const HistogramKernel::Emit& emit);

 private:
  bool threads_share_rows() const;
  nest::Expr abreast(const nest::Expr& elements) const;
  nest::Expr updates_of_thread() const;

  HistogramKernel& kernel_;
  BodyLowerer& body_;
  FillingBlocks filling_;
  nest::Expr chunks_;
  nest::Expr thread_;  // this one's number in the block
  nest::Expr abreast_,
      lane_;  // threads that share an element, and this one's number among them; null: each has its own
  nest::Expr elements_at_once_;  // by a block
};

}  // namespace heddle::lower
