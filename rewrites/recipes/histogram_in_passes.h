// A histogram by blocks of threads that update the whole, where need be in passes (histogram.h).
#pragma once

#include <optional>
#include <string>

#include "rewrites/recipes/histogram_blocks.h"
#include "rewrites/recipes/histogram_ranges.h"

namespace heddle::lower {

class HistogramInPasses {
 public:
  HistogramInPasses(const seg::SegOp& op, const HostScope& host, NameSource& names, bool fresh)
      : kernel_(op, host, names, fresh), body_(kernel_.body()) {}

  Launch run(const std::string& name, const nest::Expr& enabled);

 private:
  using Range = BinRanges::Range;

  nest::Expr num_passes() const;
  std::vector<Name> read_once() const;
  void several_at_a_time(const Indices& segment, const HistogramBlocks::Turns& turns, HistogramBlocks& blocks,
                         const Range& bins);
  void add(const Indices& segment, const HistogramKernel::Element& element, HistogramBlocks& blocks, const Range& bins);

  HistogramKernel kernel_;
  BodyLowerer& body_;
  std::optional<BinRanges> ranges_;  // of bins that a block updates; none: all
};

}  // namespace heddle::lower
