// Stages that threads compute for themselves, in registers: what is left for blocks, and that it computes the same.
#include <gmock/gmock.h>

#include <map>
#include <regex>

#include "frontend_bridge/pipeline.h"
#include "ir/host/eval.h"
#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "ir/seg/eval.h"
#include "rewrites/plan/host_ops.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/planned.h"

namespace heddle::lower {
namespace {

using ::testing::HasSubstr;

KernelOptions nested_so(stencil::Nesting nesting, stencil::TileScope scope = stencil::TileScope::Block) {
  KernelOptions options;
  options.verify = true;
  options.for_blocks();
  options.plan.models.nesting = nesting;
  options.plan.models.fit.scope = scope;
  return options;
}

struct Left {
  int64_t kernels = 0, shared_bytes = 0, barriers = 0;
  bool operator==(const Left&) const = default;
  friend void PrintTo(const Left& l, std::ostream* out) {
    *out << l.kernels << " kernels, " << l.shared_bytes << " bytes, " << l.barriers << " barriers";
  }
};

std::map<std::string, Left> left(stencil::Nesting nesting) {
  PlannedProgram program = planned(test_program("nested.fut_gpu"), nested_so(nesting));
  std::map<std::string, Left> left;
  for (const HostOp& op : host_ops(program)) {
    Left& here = left[op.entry];
    for (const Launch& l : op.lowered->launches) {
      ++here.kernels;
      nest::for_each_stmt(l.kernel.body, [&](const nest::Stmt& s) {
        here.barriers += std::holds_alternative<nest::Barrier>(s->node);
        const auto* alloc = std::get_if<nest::Alloc>(&s->node);
        if (!alloc || alloc->buffer.space != nest::Space::Shared) return;
        int64_t bytes = prim::size_bytes(alloc->buffer.elem);
        for (const nest::Expr& d : alloc->buffer.dims) bytes *= *nest::int_constant(d);
        here.shared_bytes += bytes;
      });
    }
  }
  return left;
}

// A barrier stands in a kernel twice, inside and at borders.
TEST(NestStages, LeaveBlocksWhatThreadsShare) {
  const std::map<std::string, Left> none = left(stencil::Nesting::None), forced = left(stencil::Nesting::Forced);
  EXPECT_EQ(none, (std::map<std::string, Left>{{"kwz", {1, 20480, 5}},
                                               {"twice", {1, 18432, 5}},
                                               {"half", {1, 25600, 5}},
                                               {"alone", {1, 24576, 2}},
                                               {"shared", {1, 9472, 4}},
                                               {"colours", {1, 21120, 6}}}));
  // Of whole strips in tiles of 34x64 that are twice as high as those of kwz and half before.
  EXPECT_EQ(forced, (std::map<std::string, Left>{{"kwz", {1, 9216, 2}},
                                                 {"twice", {1, 9216, 3}},
                                                 {"half", {1, 9216, 3}},
                                                 {"alone", {1, 0, 0}},
                                                 {"shared", none.at("shared")},
                                                 {"colours", none.at("colours")}}));
}

// What several read of the same point is computed once.
TEST(NestStages, AreComputedOncePerPoint) {
  PlannedProgram program = planned(test_program("nested.fut_gpu"), nested_so(stencil::Nesting::Forced));
  std::string text;
  for (const HostOp& op : host_ops(program)) {
    if (op.entry != "twice") continue;
    for (const Launch& l : op.lowered->launches) text += nest::to_text(l.kernel);
  }
  EXPECT_GOLDEN("rewrites/plan/nest_stages/twice.nest", text);
}

// What was decided about each stage of an entry point's groups, names without numbers.
std::string decided(const std::string& entry, stencil::Nesting nesting) {
  PlannedProgram program = planned(test_program("nested.fut_gpu"), nested_so(nesting));
  std::string lines;
  for (const HostOp& op : host_ops(program)) {
    if (op.entry != entry) continue;
    for (const FusionRecord& f : program.fusions) {
      if (std::ranges::find(f.stms, op.stm, &seg::StmPtr::get) == f.stms.end()) continue;
      for (const GroupRecord& g : f.groups) {
        for (const std::string& line : g.nesting) lines += line.substr(line.find(": ") + 1) + ";";
      }
    }
  }
  return std::regex_replace(lines, std::regex("\\w+_[0-9]+"), "it");
}

TEST(NestStages, SayWhereTheyAreComputed) {
  using stencil::Nesting;
  EXPECT_EQ(decided("kwz", Nesting::None), "");
  EXPECT_EQ(decided("kwz", Nesting::Forced),
            " by each thread, where it computes it; by the block, whose threads share it;");
  EXPECT_EQ(decided("shared", Nesting::Forced),
            " by the block, whose threads share it; by the block, whose threads share it;");
  EXPECT_EQ(decided("colours", Nesting::Forced),
            " by the block, whose threads share it; for all layers of it, which share it; by the block, whose threads "
            "share it;");
  // By the numbers of the published code.
  EXPECT_EQ(decided("kwz", Nesting::Gated), decided("kwz", Nesting::Forced));
}

seg::TypedValue image(const std::vector<int64_t>& shape) {
  seg::Array a{prim::Type::F32, shape, std::make_shared<std::vector<int64_t>>(*seg::element_count(shape))};
  for (int64_t i = 0; i < a.size(); ++i)
    a.set(i, prim::Value::of_float(prim::Type::F32, static_cast<double>((i * 7919) % 1009) / 64));
  return {a, false};
}

TEST(NestStages, ComputeTheSame) {
  Result<seg::Program> program = read_program(test_program("nested.fut_gpu"), "nested.fut_gpu");
  ASSERT_TRUE(program);
  std::vector<host::Program> ways;
  for (stencil::Nesting nesting : {stencil::Nesting::None, stencil::Nesting::Gated, stencil::Nesting::Forced}) {
    for (stencil::TileScope scope : {stencil::TileScope::Block, stencil::TileScope::Warp, stencil::TileScope::Stream}) {
      const KernelOptions options = nested_so(nesting, scope);
      Result<PlannedProgram> planned = compile_kernels(*program, options);
      ASSERT_TRUE(planned);
      Result<host::Program> host = host_program(*planned, {true}, options);
      ASSERT_TRUE(host);
      ways.push_back(*std::move(host));
    }
  }
  for (const std::vector<int64_t>& size : std::vector<std::vector<int64_t>>{{1, 1}, {5, 70}, {37, 131}}) {
    const int64_t h = size[0], w = size[1];
    const std::map<std::string, std::vector<seg::TypedValue>> inputs = {{"kwz", {image({3, h, w})}},
                                                                        {"twice", {image(size)}},
                                                                        {"half", {image(size)}},
                                                                        {"alone", {image({3, h, w})}},
                                                                        {"shared", {image(size), image({w})}},
                                                                        {"colours", {image(size), image({8, h, w})}}};
    for (const auto& [entry, in] : inputs) {
      const seg::EvalResult expected = seg::evaluate(*program, entry, in, {});
      ASSERT_EQ(expected.outcome, seg::Outcome::Ok) << expected.message;
      for (const host::Program& way : ways) {
        const seg::EvalResult got = host::evaluate(way, entry, in, {});
        ASSERT_EQ(got.outcome, seg::Outcome::Ok) << entry << ": " << got.message;
        EXPECT_TRUE(seg::equal(got.values[0].value, expected.values[0].value)) << entry << " " << h << " x " << w;
      }
    }
  }
}

}  // namespace
}  // namespace heddle::lower
