// A histogram of each segment by a thread of its own (histogram.h).
#pragma once

#include <string>

#include "rewrites/recipes/finish_segment.h"
#include "rewrites/recipes/histogram_kernel.h"

namespace heddle::lower {

class HistogramByThread {
 public:
  // `finishing`: stages that finish its segments (finish_segment.h); they are what reads these arrays, and computed in their place.
  HistogramByThread(const seg::Stm& stm, const HostScope& host, NameSource& names, bool fresh,
                    const std::vector<const StageCode*>& finishing)
      : kernel_(std::get<seg::SegOp>(stm.exp), host, names, fresh),
        body_(kernel_.body()),
        arrays_(stm.pat),
        finishing_(finishing) {}

  // Whether the bins of a block's threads fit into shared memory, and there are so many segments, and so short ones, that a thread for each
  // is quicker than a block.
  nest::Expr is_worth() const;
  // Adds to the condition under which it is launched what all its checks come to, where there is such a thing.
  Launch run(const std::string& name, nest::Expr& enabled);

 private:
  // A histogram, and the bins of this thread's.
  struct Own {
    const HistogramKernel::Hist& hist;
    std::vector<ArrayValue> bins;
    std::vector<Name> arrays;  // of all segments, as the host calls them
  };

  void make_bins(const nest::Expr& thread);
  void all_of(const Indices& segment);
  void elements(const Indices& segment);
  void point(const Indices& segment, const nest::Expr& j);
  bool is_finished(const Name& array) const;
  Launch with_parameters_of_stages(Launch launch) const;
  int64_t width_of_access(const Own& h, size_t k) const;
  void store_wide(const Own& h, size_t k, const Indices& segment, int64_t width);
  std::vector<nest::Expr> sizes_compared(const nest::Block& work) const;

  HistogramKernel kernel_;
  BodyLowerer& body_;
  const seg::Pat& arrays_;
  const std::vector<const StageCode*>& finishing_;
  std::vector<Own> own_;
  std::vector<BinsOfThread> bins_;
};

}  // namespace heddle::lower
