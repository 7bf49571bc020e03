// Functions that use the same tags for different things, as the host compiler's do.
#include <gtest/gtest.h>

#include <set>

#include "frontend_bridge/pipeline.h"
#include "ir/nest/index_map.h"
#include "ir/seg/traverse.h"

namespace heddle {
namespace {

constexpr const char* kProgram = R"(types {

}

entry("rows",
      {a: [][]f32},
      {[][]f32})
  entry_rows (n_1 : i64,
              m_2 : i64,
              a_3 : [n_1][m_2]f32)
  : {[n_1][m_2]f32#([2], [0])} = {
  let {b_4 : [n_1][m_2]f32} =
    segmap(thread; ; grid=n_1; blocksize=m_2)
    (gtid_5 < n_1, gtid_6 < m_2) (~phys_tid_7) : {f32} {
      let {x_8 : f32} =
        a_3[gtid_5, gtid_6]
      return {returns x_8}
    }
  in {b_4}
}

entry("line",
      {a: []i64},
      {[]i64})
  entry_line (n_1 : i64,
              a_3 : [n_1]i64)
  : {[n_1]i64#([1], [0])} = {
  let {b_4 : [n_1]i64} =
    segmap(thread; ; grid=n_1; blocksize=n_1)
    (gtid_5 < n_1) (~phys_tid_6) : {i64} {
      let {x_8 : i64} =
        a_3[gtid_5]
      return {returns x_8}
    }
  in {b_4}
}
)";

std::set<int> bound_tags(const seg::FunDef& f) {
  struct Bound {
    std::set<int> tags;
    void use(const seg::Name&) {}
    void bind(const seg::Name& n) { tags.insert(n.tag); }
  } bound;
  seg::walk(bound, f.params);
  seg::walk(bound, f.body);
  return bound.tags;
}

TEST(UniqueNames, FunctionsShareNoName) {
  Result<seg::Program> program = read_program(kProgram, "names.fut_gpu");
  ASSERT_TRUE(program) << program.error().message;
  Result<lower::LoweredProgram> lowered = compile_kernels(*program, true);
  ASSERT_TRUE(lowered) << lowered.error().message;
  ASSERT_EQ(lowered->program.functions.size(), 2u);
  std::set<int> both = bound_tags(lowered->program.functions[0]);
  both.merge(bound_tags(lowered->program.functions[1]));
  EXPECT_EQ(both.size(),
            bound_tags(lowered->program.functions[0]).size() + bound_tags(lowered->program.functions[1]).size());
}

TEST(UniqueNames, EachFunctionKnowsTheLayoutsOfItsOwnArrays) {
  Result<seg::Program> program = read_program(kProgram, "names.fut_gpu");
  ASSERT_TRUE(program);
  Result<lower::LoweredProgram> lowered = compile_kernels(*program, true);
  ASSERT_TRUE(lowered);
  for (const auto& [stm, op] : lowered->kernels) {
    for (const nest::Buffer& b : op.launches[0].kernel.buffers) {
      ASSERT_EQ(b.strides.size(), b.dims.size());
      EXPECT_EQ(nest::int_constant(b.strides.back()), 1);
    }
  }
}

}  // namespace
}  // namespace heddle
