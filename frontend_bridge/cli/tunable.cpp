#include "frontend_bridge/cli/tunable.h"

#include <algorithm>

namespace heddle::cli {

bool has_something_to_tune(const host::Program& program) {
  return !program.family_kernels.empty() ||
         std::any_of(program.params.begin(), program.params.end(),
                     [](const host::TuningParam& p) { return p.size_class.kind == seg::SizeClassKind::Threshold; });
}

}  // namespace heddle::cli
