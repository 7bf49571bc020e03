// The passes, in the order in which they run. A pass' name here is its name on the command line and in
// `heddle explain`.
#pragma once

#include <span>
#include <string_view>

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle {

struct SegPass {
  std::string_view name;
  std::string_view description;
  Result<seg::Program> (*run)(const seg::Program&);
};

std::span<const SegPass> seg_passes();

// Runs the passes; `after` (may be null) is told of each pass' result.
Result<seg::Program> run_seg_passes(const seg::Program& program,
                                    void (*after)(void* context, const SegPass&, const seg::Program&) = nullptr,
                                    void* context = nullptr);

}  // namespace heddle
