// A stage that computes by itself what it reads of another, instead of reading it from memory.
//
//   b[k][x] := table[a[x] - k]                         with c computing b:
//   c[k][x] := b[k][2*x] + b[k][2*x+1]                 c[k][x] := table[a[2*x] - k] + table[a[2*x+1] - k]
//
// What it reads several times of the same point it computes once.
#pragma once

#include "rewrites/points/host_facts.h"
#include "rewrites/recipes/stage.h"

namespace heddle::lower {

// How often a point of the reader reads an element of the producer, loops counted as often as they run.
int64_t reads_of(const StageCode& reader, const StageCode& producer);

// The reader so changed, with the producer's checks; nothing where elements are read otherwise than by statements of their own, which
// may be what a condition keeps from being read. `is_stage`: as for look_into_work.
std::optional<StageCode> computing(const StageCode& reader, const StageCode& producer, const HostFacts& host,
                                   const std::function<bool(const Name& array)>& is_stage, NameSource& names);

}  // namespace heddle::lower
