// What shared memory the kernels of groups take, beside what the models say of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "ir/nest/traverse.h"
#include "rewrites/plan/host_ops.h"
#include "tests/rewrites/planned.h"

namespace heddle::lower {
namespace {

using nest::Expr;

int64_t shared_bytes(const nest::Kernel& kernel) {
  int64_t bytes = 0;
  nest::for_each_stmt(kernel.body, [&](const nest::Stmt& s) {
    const auto* alloc = std::get_if<nest::Alloc>(&s->node);
    if (!alloc || alloc->buffer.space != nest::Space::Shared) return;
    int64_t elems = 1;
    for (const Expr& d : alloc->buffer.dims) elems *= nest::int_constant(d).value();
    bytes += elems * prim::size_bytes(alloc->buffer.elem);
  });
  return bytes;
}

// What blocks allocate is what the model counts, less where a stage is kept in registers or takes another's place, and a little more since
// inside there are whole strips; but never more than a block has, which strips of `large_tiles` would take.
TEST(GroupMemory, IsTheModelsAndHasRoom) {
  int groups = 0;
  int64_t most = 0;
  for (const char* name : {"fused_or_not.fut_gpu", "stages.fut_gpu", "several_outputs.fut_gpu", "filters.fut_gpu",
                           "large_tiles.fut_gpu"}) {
    KernelOptions options;
    options.for_blocks();
    const PlannedProgram program = planned(test_program(name), options);
    std::map<const seg::Stm*, const Plan*> plans;
    for (const HostOp& op : host_ops(program)) plans.emplace(op.stm, op.lowered);
    for (const FusionRecord& f : program.fusions) {
      for (const GroupRecord& g : f.groups) {
        auto plan = g.kernel ? plans.find(f.stms[g.group.stages.back()].get()) : plans.end();
        if (plan == plans.end()) continue;
        const int64_t bytes = shared_bytes(plan->second->launches.at(0).kernel);
        const stencil::Scratch model = stencil::scratch(f.pipeline, g.kernel->halos, g.kernel->tile);
        EXPECT_LE(bytes, model.bytes + model.bytes / 4) << name << " " << f.pipeline.stage(g.group.stages.back()).name;
        EXPECT_LE(bytes, 48 * 1024);
        most = std::max(most, bytes);
        ++groups;
      }
    }
  }
  EXPECT_GE(groups, 10);
  EXPECT_GE(most, 40 * 1024);
}

}  // namespace
}  // namespace heddle::lower
