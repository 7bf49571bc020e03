#include "rewrites/passes.h"

#include <array>

#include "rewrites/seg/expand_reductions.h"
#include "rewrites/seg/host_soacs.h"
#include "rewrites/seg/inline_functions.h"
#include "rewrites/seg/qualify_keys.h"
#include "rewrites/seg/recompute_maps.h"

namespace heddle {

std::span<const SegPass> seg_passes() {
  static constexpr std::array passes = {
      // First, while it is still known which function a tuning parameter belongs to.
      SegPass{"qualify-keys", "name tuning parameters after their functions", seg::qualify_keys},
      // Before everything that looks at bodies, so that no pass needs to look through calls.
      SegPass{"inline-functions", "replace calls by the bodies of the functions called", seg::inline_functions},
      // Host code of an inlined function may hold SOACs, hence after inlining.
      SegPass{"host-soacs", "move SOACs left in host code to the device", seg::host_soacs},
      // Before reductions are expanded, which does not look at where their operands come from.
      SegPass{"recompute-maps", "compute cheap maps where their elements are read", seg::recompute_maps},
      // Last: recognizers want to see reductions as such.
      SegPass{"expand-reductions", "express segmented reductions, scans and histograms by segmaps",
              seg::expand_reductions},
  };
  return passes;
}

Result<seg::Program> run_seg_passes(const seg::Program& program,
                                    void (*after)(void*, const SegPass&, const seg::Program&), void* context) {
  seg::Program current = program;
  for (const SegPass& pass : seg_passes()) {
    Result<seg::Program> next = pass.run(current);
    if (!next) return next.error();
    current = std::move(*next);
    if (after) after(context, pass, current);
  }
  return current;
}

}  // namespace heddle
