// Which operations become one kernel, and which stay apart because too much would be computed again.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "frontend_bridge/pipeline.h"
#include "rewrites/plan/host_ops.h"

namespace heddle::lower {
namespace {

// How many kernels each entry point launches.
std::map<std::string, size_t> kernels(stencil::Strategy strategy) {
  std::ifstream file(HEDDLE_SOURCE_DIR "/tests/rewrites/data/fused_or_not.fut_gpu");
  std::stringstream text;
  text << file.rdbuf();
  Result<seg::Program> program = read_program(text.str(), "fused_or_not.fut_gpu");
  if (!program) throw std::runtime_error(program.error().message);
  KernelOptions options;
  options.verify = true;
  options.for_blocks();
  options.plan.fusion = strategy;
  Result<PlannedProgram> planned = compile_kernels(*program, options);
  if (!planned) throw std::runtime_error(planned.error().message);
  std::map<std::string, size_t> count;
  for (const HostOp& op : host_ops(*planned)) count[op.entry] += op.lowered->launches.size();
  return count;
}

TEST(FuseStages, WhereLittleIsComputedAgain) {
  EXPECT_EQ(kernels(stencil::Strategy::None),
            (std::map<std::string, size_t>{{"windows", 2}, {"rows", 2}, {"dear_rows", 2}}));
  EXPECT_EQ(kernels(stencil::Strategy::Largest),
            (std::map<std::string, size_t>{{"windows", 1}, {"rows", 2}, {"dear_rows", 2}}));
}

}  // namespace
}  // namespace heddle::lower
