#include "rewrites/passes.h"

#include <array>

#include "rewrites/seg/bins_by_elements.h"
#include "rewrites/seg/branches_by_elements.h"
#include "rewrites/seg/by_threads.h"
#include "rewrites/seg/choose_elements.h"
#include "rewrites/seg/compute_in_branch.h"
#include "rewrites/seg/distribute_sums.h"
#include "rewrites/seg/drop_versions.h"
#include "rewrites/seg/equal_components.h"
#include "rewrites/seg/few_scans.h"
#include "rewrites/seg/find_commutative.h"
#include "rewrites/seg/fold_of_map.h"
#include "rewrites/seg/histograms_apart.h"
#include "rewrites/seg/host_soacs.h"
#include "rewrites/seg/inline_functions.h"
#include "rewrites/seg/operations_in_guards.h"
#include "rewrites/seg/pack_bins.h"
#include "rewrites/seg/points_as_read.h"
#include "rewrites/seg/qualify_keys.h"
#include "rewrites/seg/read_behind_branches.h"
#include "rewrites/seg/read_for_copies.h"
#include "rewrites/seg/read_replicated.h"
#include "rewrites/seg/reduce_elements.h"
#include "rewrites/seg/reduce_or_fail.h"
#include "rewrites/seg/rows_by_elements.h"
#include "rewrites/seg/rows_by_threads.h"
#include "rewrites/seg/scalar_operators.h"
#include "rewrites/seg/scalars_on_device.h"
#include "rewrites/seg/scan_columns.h"
#include "rewrites/seg/separate_accumulators.h"
#include "rewrites/seg/separate_bins.h"
#include "rewrites/seg/single_elements.h"
#include "rewrites/seg/small_loops.h"
#include "rewrites/seg/small_powers.h"
#include "rewrites/seg/split_histogram.h"
#include "rewrites/seg/steps_until.h"
#include "rewrites/seg/strip_mine.h"
#include "rewrites/seg/sum_updates.h"
#include "rewrites/seg/unique_names.h"
#include "rewrites/seg/update_in_place.h"
#include "rewrites/seg/updates_of_neutral.h"
#include "rewrites/seg/where_few_points.h"
#include "rewrites/seg/with_segments.h"

namespace heddle {

namespace {

constexpr std::array kPasses = {
    SegPass{"qualify-keys", "name tuning parameters after their functions",
            "first, while it is still known which function a tuning parameter belongs to", seg::qualify_keys},
    SegPass{"inline-functions", "replace calls by the bodies of the functions called",
            "before everything that looks at bodies, so that no pass needs to look through calls",
            seg::inline_functions},
    SegPass{"unique-names", "give names that are bound in several places a tag of their own in each",
            "once functions are inlined, before all that keeps what it knows of the whole program by names",
            seg::unique_names},
    SegPass{"small-powers", "multiply instead of raising to the second power",
            "before anything counts what a point computes", seg::small_powers},
    SegPass{"host-soacs", "move SOACs left in host code to the device",
            "after inlining, since host code of an inlined function may hold SOACs", seg::host_soacs},
    SegPass{"operations-in-guards", "compute in a guard what only the guarded part of a loop needs",
            "behind host-soacs, whose operations are guarded, too", seg::operations_in_guards},
    SegPass{"scalar-operators", "make of operators that run through rows such of their elements",
            "after inlining, since operators call functions, and before all that asks what operators are on",
            seg::scalar_operators},
    SegPass{"read-replicated", "have points read an array in place of what repeats it",
            "once host code is one, before anything asks how what is read lies in memory", seg::read_replicated},
    SegPass{"read-for-copies", "have statements read an array instead of a copy that is only read",
            "before what is in operations is looked at, and whether they make arrays of their own",
            seg::read_for_copies},
    SegPass{"equal-components", "scan and reduce once what several components would be",
            "before operations are planned, which have memory for each component", seg::equal_components},
    SegPass{"separate-bins", "make of a histogram of independent values one for each",
            "before histograms are compiled, since atomic operations update one value", seg::separate_bins},
    SegPass{"rows-by-elements", "have a thread for each element of arrays that points put together of rows",
            "before maps are fused, since one of scalars can be a stage", seg::rows_by_elements},
    SegPass{"update-in-place", "have points update their rows of arrays where they are",
            "once functions are inlined, whose parameters loops may overwrite", seg::update_in_place},
    SegPass{"drop-versions",
            "leave versions out that keep few multiprocessors busy, or hardly more threads than another",
            "before versions become branches of the plan, which nothing is fused across", seg::drop_versions},
    SegPass{"compute-in-branch", "compute arrays in the branch that alone reads them",
            "last, once it is known which versions there are", seg::compute_in_branch},
};

}  // namespace

std::span<const SegPass> seg_passes() { return kPasses; }

std::span<const SegPass> seg_passes_of_planning() {
  static constexpr std::array passes = {
      SegPass{"separate-accumulators", "make of a reduction or loop with several independent values one for each",
              "within distribute-sums, since only a sum by itself can be a contraction", seg::separate_accumulators},
      SegPass{"distribute-sums", "make of a segmap with several sums at a point one for each sum and one for the rest",
              "while a seg op is lowered, since whether it pays is known when each sum has been lowered",
              seg::distribute_sums},
      SegPass{"rows-by-threads", "have one thread do what a block of threads is meant to, where there are many blocks",
              "before operations are planned for a processor, which drops versions for blocks", seg::rows_by_threads},
      SegPass{"single-elements", "have the host read and write single elements that a device would copy",
              "before operations are planned for a processor, whose host has them at hand", seg::single_elements},
      SegPass{"small-loops", "have one thread do all of a loop whose steps do little",
              "before operations are expressed by others, which would share out what one thread does",
              seg::small_loops},
      SegPass{"branches-by-elements", "have a thread for each element of rows that points make in branches",
              "before a device's maps are planned, in blocks and out of them", seg::branches_by_elements},
      SegPass{"few-scans", "have blocks of threads do long scans where there are few of them",
              "before a device's maps and scans are planned", seg::few_scans},
      SegPass{"sum-updates", "sum values with which points update the same places of an accumulator",
              "before a device's reductions are planned, and those folded of which the sums are", seg::sum_updates},
      SegPass{"updates-of-neutral", "take for an accumulator's array what alone updates it",
              "behind sum-updates, which has places updated once that were updated often", seg::updates_of_neutral},
      SegPass{"reduce-elements", "reduce element by element arrays that points compute so",
              "before a device's reductions are planned, of which those of arrays are one thread's each",
              seg::reduce_elements},
      SegPass{"fold-of-map", "compute where it is reduced what a map computes by short loops",
              "before a device's reductions are planned, once versions that need the map are dropped",
              seg::fold_of_map},
      SegPass{"points-as-read", "have neighbouring threads do the points that read neighbouring elements",
              "before a device's maps are planned, whose threads are neighbours along the last dimension",
              seg::points_as_read},
      SegPass{"find-commutative", "find operators for which the order of their operands does not matter",
              "before a device's reductions are planned, whose threads then take elements side by side",
              seg::find_commutative},
      SegPass{"reduce-or-fail", "reduce by operators that may fail as if they did not, and again where one would have",
              "before the next, for threads that work together, of which none can fail by itself", seg::reduce_or_fail},
      SegPass{"with-segments", "give reductions of single arrays segments",
              "before a reduction is planned for blocks of threads, whose recipe knows no other", seg::with_segments},
      SegPass{"bins-by-elements", "make of histograms of arrays such of the elements that points compute",
              "before the next, which makes histograms of scalars others", seg::bins_by_elements},
      SegPass{"histograms-apart",
              "make of histograms of the same points one operation for each that is of large tuples",
              "before the next two, which have one kind of histogram before them", seg::histograms_apart},
      SegPass{"pack-bins", "make of histograms of small tuples such of words",
              "before a histogram is planned for blocks of threads, since atomic operations exchange words",
              seg::pack_bins},
      SegPass{"choose-elements", "make of histograms that choose between tuples such of the tuples' numbers",
              "after pack-bins, for tuples that are too large for it", seg::choose_elements},
      SegPass{"scan-columns", "make of scans of rows such of their columns",
              "before a scan is planned for blocks of threads, which scan scalars", seg::scan_columns},
      SegPass{"split-histogram", "make several histograms of one whose bins are dear to update, and reduce them",
              "before a histogram is planned for blocks of threads, which would wait for each other at the bins of all",
              seg::split_histogram},
      SegPass{"where-few-points", "keep histograms as they are for where there are fewer points than bins",
              "behind those that make others of them, which go through all bins", seg::where_few_points},
      SegPass{"strip-mine", "write loops by several steps at a time",
              "while a loop is planned, since whether it pays is known when each step's operations have been planned",
              seg::strip_mine},
      SegPass{"several-until", "write loops by several steps at a time of which each decides whether there is another",
              "while a loop is planned, like strip-mine, where no step can fail", seg::several_until},
      SegPass{"by-threads", "express segmented reductions, scans and histograms by segmaps",
              "where blocks of threads cannot do them together", seg::by_threads},
      SegPass{"read-behind-branches", "read behind branches the elements that each of them would read at its end",
              "behind those that decide which results of reductions are arrays, and before scalars-on-device",
              seg::read_behind_branches},
      SegPass{"scalars-on-device", "have a thread of the device compute from elements what only kernels need",
              "behind those that decide which results of reductions are arrays, before kernels are planned",
              seg::scalars_on_device},
  };
  return passes;
}

Result<seg::Program> run_seg_passes(std::span<const SegPass> passes, const seg::Program& program,
                                    const PassWatcher& watch) {
  seg::Program current = program;
  for (const SegPass& pass : passes) {
    Result<seg::Program> next = pass.run(current);
    if (!next) return next.error();
    std::optional<Error> stop = watch ? watch(pass, current, *next) : std::nullopt;
    if (stop) return *stop;
    current = std::move(*next);
  }
  return current;
}

}  // namespace heddle
