// The histogram recipe: each block of threads makes a histogram of its elements in shared memory, then adds it to the whole; or, of many
// short segments, each thread one.
#pragma once

#include "rewrites/points/kernel_builder.h"
#include "rewrites/recipes/plan.h"
#include "rewrites/recipes/stage.h"

namespace heddle::lower {

inline constexpr const char* kHistogramRecipe = "histogram by blocks of threads";

// Lowers a thread-level seghist of bins of scalars (seg::has_bins_of_scalars). Throws Refused.
//
//   seghist(thread)(i < m, j < n) {([m][k], {dest}, {ne}, op)} { ...i...j... return {returns bin, returns v} }
//
//   for i in m (grid) for c in chunks (grid) for t in 256 (block)
//     of_block[..] := ne; barrier
//     for r in ceil((n - (c*256 + t)) / (chunks*256)) { let j = (r*chunks + c)*256 + t; atomic of_block[bin] := op(.., v) }
//     barrier; atomic dest[i][..] := op(.., of_block[..])
//
// A third kernel is launched in its place where there are thousands of segments that are shorter than many, and bins for each of a block's threads
// fit into shared memory: nobody waits for anybody, and each segment's elements come in their order.
//
//   for b in ceil(m/64) (grid) for t in 64 (block) if (let i = b*64 + t) < m
//     of_thread[..][t] := dest[i][..]; for j in n { of_thread[bin][t] := op(.., v) }; dest[i][..] := of_thread[..][t]
//
// Where the bins do not fit into what several blocks share of a multiprocessor, and shared memory adds to them by itself, blocks of 1024 threads do the
// same in all that one may have, if there are elements enough for each; of bins that exceed that, too, they go over the elements several times, each
// time for as many as fit. Elsewhere a kernel updates `dest` directly, and where the bins exceed the cache, goes over the elements several times.
//
// Where elements are rows, a warp's threads share one: each would else read a row of its own, far from its neighbours', and most of them would wait for
// each other at the bins of the same row.
Plan lower_histogram(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host, NameSource& names);

// The same of a histogram in memory of its own, where threads with segments compute stages that finish these (finish_segment.h) and are what reads
// the bins: they are not stored then. Elsewhere it is as without the stages, which are to be computed behind it.
struct FinishedHistogram {
  Plan plan;
  nest::Expr by_threads;  // whether threads do it, over host scalars
};
FinishedHistogram lower_histogram(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host,
                                  NameSource& names, const std::vector<const StageCode*>& finishing);

}  // namespace heddle::lower
