// An operation that makes several histograms of the same points, and those of them that become operations of their own.
#pragma once

#include <vector>

#include "ir/seg/syntax.h"
#include "ir/support/names.h"

namespace heddle::seg {

// A histogram of the operation, and which of its results are the first bin, the first value and, of what it binds, the first array.
struct HistogramPart {
  const HistOp* hist;
  size_t bin, value, bound;
};
std::vector<HistogramPart> histogram_parts(const SegOp& op);

// These histograms alone, by what their points need of the body.
StmPtr histogram_of_parts(const Stm& s, const std::vector<HistogramPart>& parts, NameSource& names);

}  // namespace heddle::seg
