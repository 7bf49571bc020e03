#include "rewrites/recipes/histogram.h"

#include <algorithm>

#include "rewrites/recipes/histogram_by_block.h"
#include "rewrites/recipes/histogram_by_thread.h"
#include "rewrites/recipes/histogram_in_passes.h"
#include "rewrites/seg/split_histogram.h"

namespace heddle::lower {

using nest::Expr;

namespace {

// Of bins that take most of a multiprocessor's shared memory: two such blocks are all the threads that it runs.
constexpr int64_t kWideBlock = 1024, kWideBlocks = 132 * 2;

}  // namespace

Plan lower_histogram(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host, NameSource& names) {
  return lower_histogram(stm, kernel_name, host, names, {}).plan;
}

FinishedHistogram lower_histogram(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host,
                                  NameSource& names, const std::vector<const StageCode*>& finishing) {
  const auto& op = std::get<seg::SegOp>(stm.exp);
  const bool has_segments = op.space.dims.size() > 1;
  std::vector<Name> dests;
  for (const seg::HistOp& h : op.hists) dests.insert(dests.end(), h.dests.begin(), h.dests.end());
  // What threads with segments of their own store need not have been filled before.
  const bool fresh =
      has_segments && std::ranges::all_of(dests, [&](const Name& d) { return filled_with(d, host).has_value(); });
  HistogramByBlock small(op, host, names, fresh);
  HistogramInPasses large(op, host, names, fresh);
  // Where the device's memory, too, would have to exchange bins, minima say, few do. Sums of 8760 doubles and as many counts of 20 M elements take 0.18 ms by
  // blocks' memory, in which they are exchanged, and 0.85 by the device's, which adds them itself; of 20000 doubles 0.17 and 0.31, or 0.74 and 0.56 where all
  // elements of a bin stand together (H200).
  std::optional<HistogramByBlock> wide;
  if (std::ranges::all_of(op.hists, seg::is_done_by_memory))
    wide.emplace(op, host, names, fresh, FillingBlocks{kWideBlock, kWideBlocks});
  Plan lowered;
  lowered.recipe = kHistogramRecipe;
  lowered.why_not = "it is a histogram";
  Expr fits = small.bins_fit(), by_threads = nest::constant(prim::Value::of_bool(false));
  if (has_segments) {
    HistogramByThread tiny(stm, host, names, fresh, finishing);
    by_threads = tiny.is_worth();
    lowered.launches.push_back(tiny.run(kernel_name + "_threads", by_threads));
  }
  for (size_t k = 0; k < dests.size(); ++k) {
    if (fresh) {
      lowered.results.emplace_back(small.results()[k]);
      lowered.filled.push_back({static_cast<int>(k), *filled_with(dests[k], host), nest::negate(by_threads)});
    } else {
      lowered.results.emplace_back(UpdatedResult{dests[k]});
    }
  }
  lowered.launches.push_back(small.run(kernel_name, nest::both(fits, nest::negate(by_threads))));
  Expr by_large = nest::negate(fits);
  if (wide) {
    lowered.block_memory = names.fresh("block_memory");
    const Expr block_memory = nest::var(*lowered.block_memory, prim::Type::I64);
    Expr fill = nest::both(by_large, wide->bins_fill(block_memory));
    lowered.launches.push_back(wide->run(kernel_name + "_wide", fill, block_memory));
    by_large = nest::both(by_large, nest::negate(fill));
  }
  lowered.launches.push_back(large.run(kernel_name + "_large", by_large));
  return {std::move(lowered), by_threads};
}

}  // namespace heddle::lower
