#include "rewrites/passes.h"

#include <algorithm>
#include <array>

#include "rewrites/seg/distribute_sums.h"
#include "rewrites/seg/expand_reductions.h"
#include "rewrites/seg/host_soacs.h"
#include "rewrites/seg/inline_functions.h"
#include "rewrites/seg/keep_on_device.h"
#include "rewrites/seg/qualify_keys.h"
#include "rewrites/seg/read_late.h"
#include "rewrites/seg/recompute_maps.h"
#include "rewrites/seg/separate_accumulators.h"
#include "rewrites/seg/separate_bins.h"

namespace heddle {

namespace {

constexpr std::array kPasses = {
    SegPass{"qualify-keys", "name tuning parameters after their functions",
            "first, while it is still known which function a tuning parameter belongs to", seg::qualify_keys},
    SegPass{"inline-functions", "replace calls by the bodies of the functions called",
            "before everything that looks at bodies, so that no pass needs to look through calls",
            seg::inline_functions},
    SegPass{"host-soacs", "move SOACs left in host code to the device",
            "after inlining, since host code of an inlined function may hold SOACs", seg::host_soacs},
    SegPass{"recompute-maps", "compute cheap maps where their elements are read",
            "before reductions are expanded, which does not look at where their operands come from",
            seg::recompute_maps},
    SegPass{"separate-bins", "make of a histogram of independent values one for each",
            "before histograms are compiled, since atomic operations update one value", seg::separate_bins},
    SegPass{"keep-on-device", "have kernels read single results that only kernels need",
            "before reductions are expanded, which makes other statements of them", seg::keep_on_device},
    SegPass{"read-late", "have the host read single results next to each other, for one wait",
            "after keep-on-device, which leaves what the host has to read", seg::read_late},
};
constexpr SegPass kExpandReductions = {
    "expand-reductions", "express segmented reductions, scans and histograms by segmaps",
    "last, since passes before it want to see reductions as such", seg::expand_reductions};
constexpr SegPass kExpandScans = {
    "expand-scans", "express segmented histograms, and reductions and scans of arrays, by segmaps",
    "in the place of expand-reductions for devices whose threads reduce in blocks", seg::expand_scans};

constexpr std::array<SegPass, kPasses.size() + 1> with_last(const SegPass& last) {
  std::array<SegPass, kPasses.size() + 1> all{};
  std::copy(kPasses.begin(), kPasses.end(), all.begin());
  all.back() = last;
  return all;
}

}  // namespace

std::span<const SegPass> seg_passes() {
  static constexpr std::array passes = with_last(kExpandReductions);
  return passes;
}

std::span<const SegPass> seg_passes_for_blocks() {
  static constexpr std::array passes = with_last(kExpandScans);
  return passes;
}

std::span<const SegPass> seg_passes_of_lowering() {
  static constexpr std::array passes = {
      SegPass{"separate-accumulators", "make of a reduction or loop with several independent values one for each",
              "within distribute-sums, since only a sum by itself can be a contraction", seg::separate_accumulators},
      SegPass{"distribute-sums", "make of a segmap with several sums at a point one for each sum and one for the rest",
              "while a seg op is lowered, since whether it pays is known when each sum has been lowered",
              seg::distribute_sums},
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
