// Maps that read a scan's results at their own points, or one before: the thread that has these computes the map's, too (scan.h).
//
//   let {s} = segscan(thread)(i < n) ({+, 0}) { .. }
//   let {y} = segmap(thread)(i < n) { let v = s[i] let r = f(v, x[i]) return {returns r} }
#pragma once

#include "rewrites/points/body.h"
#include "rewrites/recipes/plan.h"

namespace heddle::lower {

// Of a scan's results, how many are scanned; the rest is what its points return besides.
size_t num_scanned(const seg::SegOp& scan);

// Whether the map has the scan's points, each reads nothing else of the scan's results than its own elements and, of the same row, those before,
// and does so little that a thread of a scan may have it to do for each of its elements.
bool maps_scan(const seg::Stm& map, const seg::Stm& scan);

// The map of a scan, and where its results go.
class MapOfScan {
 public:
  // `first`: what ResultArray calls the first of its results in the kernel of both.
  MapOfScan(const seg::Stm& map, const std::vector<ResultPlace>& results, int first, KernelBuilder& kernel,
            BodyLowerer& body);

  bool has_checks() const;
  // What the point at these indices does. `scanned`: what it reads of the scan's results, by the scan's pattern.
  void point(const std::vector<nest::Expr>& sizes, const Indices& index, const seg::Pat& pattern,
             const std::vector<ArrayValue>& scanned);

 private:
  const seg::SegOp& op_;
  BodyLowerer& body_;
  std::vector<ArrayValue> results_;
};

}  // namespace heddle::lower
