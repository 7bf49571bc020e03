// The passes over programs. A pass' name here is its name on the command line (`heddle pass NAME`), in dumps and in
// what `heddle explain --passes` prints.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle {

struct SegPass {
  std::string_view name;
  std::string_view description;
  std::string_view why_here;  // why it stands where it stands, a clause
  Result<seg::Program> (*run)(const seg::Program&);
};

// Those that every program goes through, in the order in which they run.
std::span<const SegPass> seg_passes();

// Those that planning asks for, on one seg op at a time; here they take a whole program.
std::span<const SegPass> seg_passes_of_planning();

// Is told of each pass' program before and after; an error ends the run.
using PassWatcher =
    std::function<std::optional<Error>(const SegPass&, const seg::Program& before, const seg::Program& after)>;

// Runs `passes` one after the other; `watch` may be null. This is the only loop over passes there is.
Result<seg::Program> run_seg_passes(std::span<const SegPass> passes, const seg::Program& program,
                                    const PassWatcher& watch = nullptr);

}  // namespace heddle
