// The way from the first tiled nest of a contraction to the kernel that runs, as one change of the schedule after the
// other. Each is a rewrite of its own: it has a name, an argument why it is legal, and a nest that the evaluator
// compares with the one before.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/support/error.h"
#include "rewrites/contraction/schedule.h"

namespace heddle::contraction {

struct ScheduleRewrite {
  std::string_view name;
  std::string_view description;
  // The argument, as a clause; throws Refused where there is none.
  std::string (*why_legal)(const recognize::Contraction&, const Structure&);
  // What becomes of the schedule; `full` has its final numbers.
  void (*apply)(Schedule& schedule, const Schedule& full);
  bool reorders = false;       // steps of the reduction
  std::string_view reached{};  // what the nest is now, if that has a name
  // Whether the contraction has what the rewrite is about; always where it is null.
  bool (*concerns)(const recognize::Contraction&) = nullptr;
};

// In the order in which a derivation takes them.
const std::vector<ScheduleRewrite>& schedule_rewrites();

// The schedule that the first of them is applied to: a thread computes several points, and takes the reduction index by
// index, reading global memory.
Schedule first_schedule(Schedule full);

// The schedule after the rewrite with this name; nothing if there is none.
std::optional<Schedule> schedule_until(std::string_view name, const Schedule& full);

}  // namespace heddle::contraction
