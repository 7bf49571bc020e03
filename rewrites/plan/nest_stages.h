// What stages of a group compute when others are nested in them (stencil/nested.h): each thread has what it needs of these in registers, and no tile
// of theirs is in shared memory.
//
//   k[c][y][x] := e[y][x-1] * c                        in shared memory; nested in w:
//   w[y][x] := k[0][y][x] + k[1][y][x]                 w[y][x] := e[y][x-1]*0 + e[y][x-1]*1
//   z[y][x] := w[y-1][x] + w[y+1][x]                   z's points share w's, which stay in shared memory
#pragma once

#include "rewrites/points/host_facts.h"
#include "rewrites/recipes/stage.h"
#include "rewrites/stencil/nested.h"

namespace heddle::lower {

struct NestedStages {
  std::vector<size_t> stages;                   // that others compute
  std::unordered_map<size_t, StageCode> codes;  // of those others, by stage
  std::vector<std::string> lines;  // of each stage but the last, in order: where it is computed, and why there
};

// `codes`: of the group's stages, in its order. `tiles_keep_points`: stencil::FitModel::points_in_registers. Where no other than such stages would be
// nested, none is. `is_stage`: as for look_into_work.
NestedStages nest_stages(const stencil::Pipeline& p, const std::vector<stencil::Placement>& placements,
                         const std::vector<const StageCode*>& codes, bool tiles_keep_points, const HostFacts& host,
                         const std::function<bool(const Name& array)>& is_stage, NameSource& names);

}  // namespace heddle::lower
