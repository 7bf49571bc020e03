// Histograms of which the elements are gone over several times, each time for a part of the bins.
#pragma once

#include <functional>

#include "rewrites/recipes/histogram_kernel.h"

namespace heddle::lower {

// Whether a histogram's elements cost so little that they may be made several times.
bool may_go_in_passes(const HistogramKernel& kernel);

// How many bytes of arrays are read for an element.
int64_t bytes_read_of_element(const HistogramKernel& kernel);

// The parts, of the only histogram of a kernel.
class BinRanges {
 public:
  // `passes`: how many, in the host's terms.
  BinRanges(HistogramKernel& kernel, const nest::Expr& passes);

  const nest::Expr& passes() const { return passes_; }
  const nest::Expr& bins_of_each() const { return bins_of_each_; }

  // Numbers of bins.
  struct Range {
    nest::Expr begin, end;
  };
  Range of_pass(const nest::Expr& pass);
  // `emit` with the number of a bin that is in the range.
  void if_in_range(const Range& range, const Indices& segment, const Indices& bin,
                   const std::function<void(const nest::Expr& number)>& emit);

 private:
  HistogramKernel& kernel_;
  nest::Expr passes_, bins_of_each_;
};

}  // namespace heddle::lower
