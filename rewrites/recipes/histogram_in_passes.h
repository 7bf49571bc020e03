// A histogram by blocks of threads that update the whole, where need be in passes (histogram.h).
#pragma once

#include <string>

#include "rewrites/recipes/histogram_blocks.h"

namespace heddle::lower {

class HistogramInPasses {
 public:
  HistogramInPasses(const seg::SegOp& op, const HostScope& host, NameSource& names, bool fresh)
      : kernel_(op, host, names, fresh), body_(kernel_.body()) {}

  Launch run(const std::string& name, const nest::Expr& enabled);

 private:
  // The bins that a block updates; null: all.
  struct Range {
    nest::Expr begin, end;
  };

  bool may_go_in_passes() const;
  nest::Expr num_passes() const;
  std::vector<Name> read_once() const;
  Range bins_of_pass(const nest::Expr& pass);
  void several_at_a_time(const Indices& segment, const HistogramBlocks::Turns& turns, HistogramBlocks& blocks,
                         const Range& bins);
  void add(const Indices& segment, const HistogramKernel::Element& element, HistogramBlocks& blocks, const Range& bins);
  void if_in_range(const HistogramKernel::Hist& h, const Indices& segment, const Indices& bin, const Range& bins,
                   const std::function<void()>& emit);

  HistogramKernel kernel_;
  BodyLowerer& body_;
  nest::Expr bins_of_each_;  // pass
};

}  // namespace heddle::lower
