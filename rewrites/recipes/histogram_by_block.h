// A histogram by blocks of threads that have bins of their own (histogram.h).
#pragma once

#include <optional>
#include <string>

#include "rewrites/recipes/histogram_blocks.h"
#include "rewrites/recipes/histogram_ranges.h"

namespace heddle::lower {

class HistogramByBlock {
 public:
  HistogramByBlock(const seg::SegOp& op, const HostScope& host, NameSource& names, bool fresh,
                   const FillingBlocks& filling = {})
      : kernel_(op, host, names, fresh), body_(kernel_.body()), filling_(filling) {}

  const std::vector<FreshResult>& results() const { return kernel_.results(); }
  // Whether a block's bins fit into as much of the shared memory that several blocks share.
  nest::Expr bins_fit() const;
  // Whether they fit into all that a block may have, if only a part at a time, and there are elements enough that each block fills its bins.
  nest::Expr bins_fill(const nest::Expr& block_memory) const;
  // `block_memory`: bytes that a block may have, where bins are to take as much of it as they need; where that is not enough, in passes.
  Launch run(const std::string& name, const nest::Expr& enabled,
             const std::optional<nest::Expr>& block_memory = std::nullopt);

 private:
  // A histogram, and the bins of this block's.
  struct Own {
    const HistogramKernel::Hist& hist;
    std::vector<ArrayValue> bins;    // this thread's of their copies
    std::vector<ArrayValue> copies;  // with a dimension of copies behind the others, where there are several
  };

  nest::Expr bins_worth() const;
  nest::Expr most_blocks() const;
  bool may_have_ranges() const;
  nest::Expr num_passes(const nest::Expr& block_memory) const;
  std::vector<nest::Expr> dims_of_block(const HistogramKernel::Hist& h) const;
  nest::Expr updates_of_element() const;
  nest::Expr num_copies(const HistogramBlocks& blocks) const;
  void make_bins(const nest::Expr& element);
  void add_bins(const Indices& segment, const HistogramBlocks& blocks);

  HistogramKernel kernel_;
  BodyLowerer& body_;
  FillingBlocks filling_;
  std::vector<Own> own_;
  nest::Expr copies_;                // of each bin; null: one
  std::optional<BinRanges> ranges_;  // of bins that a block has at a time; none: all
  BinRanges::Range range_;           // this block's
  std::optional<ArrayValue> locks_;  // where needed
};

}  // namespace heddle::lower
