// Kernels that take elements in tiles, by the evaluator that finds races and threads that miss a barrier.
#include <gtest/gtest.h>

#include "frontend_bridge/pipeline.h"
#include "ir/host/eval.h"
#include "rewrites/host/build.h"
#include "rewrites/host/passes.h"

namespace heddle::lower {
namespace {

// x -> a*x + b, one after the other.
const char* const kProgram = R"(types {}
entry("main", {as: [][]i32, bs: [][]i32}, {[]i32, []i32})
  entry_main (n_1 : i64, m_2 : i64, as_3 : [n_1][m_2]i32, bs_4 : [n_1][m_2]i32) : {[n_1]i32, [n_1]i32} = {
  let {factors_5 : [n_1]i32, terms_6 : [n_1]i32} =
    segred(thread; ; grid=1i64; blocksize=256i64)
    (i_7 < n_1, j_8 < m_2) (~t_9)
    ({1i32, 0i32},
     ,
     \ {a_10 : i32, b_11 : i32, c_12 : i32, d_13 : i32} : {i32, i32} ->
       let {f_14 : i32} = mul32(a_10, c_12)
       let {g_15 : i32} = mul32(b_11, c_12)
       let {h_16 : i32} = add32(g_15, d_13)
       in {f_14, h_16}) : {i32, i32} {
      let {x_17 : i32} = as_3[i_7, j_8]
      let {y_18 : i32} = bs_4[i_7, j_8]
      return {returns x_17, returns y_18}
    }
  in {factors_5, terms_6}
}
)";

// Around an element for each thread, a tile of a warp, one of a block, and several chunks, of which the last is not full; and so many segments
// that a chunk has several tiles.
TEST(Reduction, TakesTilesInOrder) {
  Result<seg::Program> program = read_program(kProgram, "test.fut_gpu");
  ASSERT_TRUE(program) << program.error().message;
  KernelOptions compile;
  compile.verify = true;
  compile.for_blocks();
  Result<PlannedProgram> planned = compile_kernels(*program, compile);
  ASSERT_TRUE(planned) << planned.error().message;
  Result<host::Program> built = host::build(*planned, {true});
  ASSERT_TRUE(built) << built.error().message;
  Result<host::Program> final = host::run_passes(*built, {true});
  ASSERT_TRUE(final) << final.error().message;
  struct Shape {
    int64_t segments, width;
  };
  for (const Shape s : {Shape{0, 5},
                        {3, 0},
                        {1, 1},
                        {70, 3},
                        {300, 4},
                        {17, 13},
                        {9, 127},
                        {3, 129},
                        {2, 1021},
                        {2, 1025},
                        {1, 9001},
                        {265, 1030}}) {
    auto elements = [&](int64_t factor) {
      auto cells = std::make_shared<std::vector<int64_t>>();
      for (int64_t i = 0; i < s.segments * s.width; ++i)
        cells->push_back(seg::to_cell(prim::Value::i32(static_cast<int32_t>(i * factor % 17 - 7))));
      return seg::TypedValue{seg::Array{prim::Type::I32, {s.segments, s.width}, cells}};
    };
    std::vector<seg::TypedValue> inputs = {elements(11), elements(5)};
    seg::EvalOptions options;
    options.max_steps = 100'000'000;
    seg::EvalResult expected = seg::evaluate(*program, "main", inputs, options);
    seg::EvalResult actual = host::evaluate(*final, "main", inputs, options);
    ASSERT_EQ(expected.outcome, seg::Outcome::Ok) << expected.message;
    ASSERT_EQ(actual.outcome, seg::Outcome::Ok) << actual.message << ", " << s.segments << " of " << s.width;
    for (size_t k = 0; k < expected.values.size(); ++k)
      EXPECT_EQ(seg::to_text(actual.values[k].value), seg::to_text(expected.values[k].value))
          << s.segments << " of " << s.width;
  }
}

}  // namespace
}  // namespace heddle::lower
