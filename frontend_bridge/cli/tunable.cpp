#include "frontend_bridge/cli/tunable.h"

#include <algorithm>

#include "codegen/host/survey.h"

namespace heddle::cli {

Result<bool> has_something_to_tune(const lower::LoweredProgram& program, codegen::host::Target target) {
  using namespace codegen::host;
  Result<Survey> found = survey(program, target == Target::Cuda);
  if (!found) return found.error();
  return !found->specialized.empty() ||
         std::any_of(found->params.begin(), found->params.end(),
                     [](const TuningParam& p) { return p.size_class.kind == seg::SizeClassKind::Threshold; });
}

}  // namespace heddle::cli
