// Indices of flattened dimensions: how often points divide, and that they compute what they did, of empty arrays, negative numbers and narrow ones, too.
#include "rewrites/plan/plain_indices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "ir/nest/traverse.h"
#include "ir/prim/division.h"
#include "rewrites/plan/host_ops.h"
#include "tests/rewrites/evaluated_kernels.h"

namespace heddle::lower {
namespace {

KernelOptions options_for(bool blocks) {
  KernelOptions options;
  options.verify = true;
  if (blocks) options.for_blocks();
  return options;
}

// Of the kernels of an entry point the one that divides most in a loop's iteration, not counting copies of the same iteration.
size_t divisions(const PlannedProgram& program, const std::string& entry) {
  size_t most = 0;
  for (const HostOp& op : host_ops(program)) {
    if (op.entry != entry) continue;
    for (const Launch& l : op.lowered->launches) {
      nest::for_each_stmt(l.kernel.body, [&](const nest::Stmt& s) {
        const auto* loop = std::get_if<nest::For>(&s->node);
        if (!loop || loop->role != nest::Role::Serial) return;
        size_t found = 0;
        nest::for_each_expr(loop->body, [&](const nest::Expr& e) {
          const auto* o = std::get_if<nest::Operation>(&e->node);
          found += o && prim::division(o->op) && !nest::int_constant(o->args[1]) ? 1 : 0;
        });
        most = std::max(most, found);
      });
    }
  }
  return most;
}

TEST(PlainIndices, DivideAsOftenAsThereAreDimensionsToFind) {
  const PlannedProgram program = planned(test_program("flattened.fut_gpu"), options_for(true));
  EXPECT_EQ(divisions(program, "channels"),
            8U);  // image and row, of four elements at a time; 44 as the host's compiler writes it
}

class PlainIndicesOf : public EvaluatedKernels, public testing::WithParamInterface<bool> {
 protected:
  PlainIndicesOf() : EvaluatedKernels("flattened.fut_gpu", options_for(GetParam())) {}
};

TEST_P(PlainIndicesOf, AllShapesComputeTheSame) {
  for (int64_t n : {0, 1, 3}) {
    for (int64_t h : {0, 1, 5}) {
      for (int64_t w : {0, 1, 7}) {
        SCOPED_TRACE(std::to_string(n) + " x " + std::to_string(h) + " x " + std::to_string(w));
        expect_same("channels", {integers({n, 2, h, w})});
        expect_same("rows", {integers({n, h, w})});
        if (h * w > 0) expect_same("joined", {{prim::Value::i64(h * w)}, integers({h, w})});
      }
    }
  }
  for (int64_t h : {1, 2, 9}) expect_same("around", {integers({h})});
  seg::Array data{prim::Type::I64, {7}, std::make_shared<std::vector<int64_t>>()};
  for (int64_t x : {9'000'000'000'000'000'000, 123'456'789'012'345, int64_t{5}, int64_t{-7}, 4'611'686'018'427'387'000,
                    999'999'999'999'999'999, std::numeric_limits<int64_t>::max()})
    data.cells->push_back(seg::to_cell(prim::Value::i64(x)));
  for (const char* entry : {"data", "hashes", "stamps"}) expect_same(entry, {{data}});
  for (int32_t s : {-3, 0, 1, 4}) expect_same("narrow", {{prim::Value::i32(s)}, integers({9})});
}

INSTANTIATE_TEST_SUITE_P(, PlainIndicesOf, testing::Bool(),
                         [](const auto& info) { return info.param ? "blocks" : "processors"; });

}  // namespace
}  // namespace heddle::lower
