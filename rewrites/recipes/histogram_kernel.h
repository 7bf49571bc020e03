// What the ways to make a histogram (histogram.h) have in common: its bins, what an element puts into them, and how bins are updated.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "rewrites/points/body.h"
#include "rewrites/recipes/plan.h"

namespace heddle::lower {

// What each element of an array is before, if that is known.
std::optional<nest::Expr> filled_with(const Name& array, const HostScope& host);

// One kernel under construction.
class HistogramKernel {
 public:
  // One of several histograms of the same elements.
  struct Hist {
    const seg::HistOp& op;
    std::vector<nest::Expr> dims;                        // of the bins, then of what is in one
    size_t rank;                                         // of the bins
    std::vector<ArrayValue> whole;                       // for each component of a bin, of all segments
    std::vector<std::optional<nest::Expr>> filled_with;  // what each element of the whole is before, if that is known

    std::vector<nest::Expr> of_bin() const { return {dims.begin() + static_cast<long>(rank), dims.end()}; }
  };
  // What an element puts into a bin; into one of each histogram.
  struct Update {
    Indices bin;
    std::vector<KernelValue> values;
  };
  using Element = std::vector<Update>;
  using Emit = std::function<void(const Indices&)>;

  // `fresh`: into memory of its own, whatever there is before.
  HistogramKernel(const seg::SegOp& op, const HostScope& host, NameSource& names, bool fresh);

  KernelBuilder& builder() { return kernel_; }
  const KernelBuilder& builder() const { return kernel_; }
  BodyLowerer& body() { return body_; }
  NameSource& names() { return names_; }
  const seg::SegOp& op() const { return op_; }
  const std::vector<Hist>& hists() const { return hists_; }
  bool has_rows() const;  // whether what is in a bin has dimensions
  const std::vector<FreshResult>& results() const { return results_; }
  const nest::Expr& width() const { return sizes_.back(); }  // elements of a segment

  // ---- In the host's terms. ----

  nest::Expr host(const nest::Expr& over_parameters) const { return kernel_.host_value(over_parameters); }
  nest::Expr num_segments() const;
  nest::Expr num_bins() const;  // of a segment, with what is in each
  nest::Expr bytes_of_bins() const;

  // ---- Code. ----

  Indices segment_indices(const nest::Expr& segment);
  Element element(const Indices& segment, const nest::Expr& j);
  // These arrays of a histogram, an index of which is what is in a bin. Atomic: other threads update them, too.
  static AccValue bins(const Hist& h, std::vector<ArrayValue> arrays, bool atomic,
                       const std::optional<ArrayValue>& locks = std::nullopt);
  // Updates what is in a bin, at the elements of which `for_each` emits code. `bins` has the dimensions `prefix` before its own.
  void update(const AccValue& bins, const Indices& prefix, const Update& update,
              const std::function<void(const Emit&)>& for_each);

  // A product of sizes.
  static nest::Expr product(const std::vector<nest::Expr>& sizes);

 private:
  // An array for all bins of all segments, in the place of `dest`.
  ArrayValue result(const Name& dest, const std::vector<nest::Expr>& dims);

  const seg::SegOp& op_;
  NameSource& names_;
  KernelBuilder kernel_;
  BodyLowerer body_;
  std::vector<nest::Expr> sizes_, segments_;
  std::vector<Hist> hists_;
  std::vector<FreshResult> results_;
};

}  // namespace heddle::lower
