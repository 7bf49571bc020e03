// Kernels that take elements in tiles, by the evaluator that finds races and threads that miss a barrier.
#include <gtest/gtest.h>

#include "frontend_bridge/pipeline.h"
#include "ir/host/eval.h"
#include "rewrites/host/build.h"
#include "rewrites/host/passes.h"

namespace heddle::lower {
namespace {

// x -> a*x + b, one after the other.
const char* const kInOrder = R"(types {}
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

// Rows times rows.
const char* const kByWords = R"(types {}
entry("main", {as: [][]i32, bs: [][]i32}, {[]i32})
  entry_main (n_1 : i64, m_2 : i64, as_3 : [n_1][m_2]i32, bs_4 : [n_1][m_2]i32) : {[n_1]i32} = {
  let {sums_5 : [n_1]i32} =
    segred(thread; ; grid=1i64; blocksize=256i64)
    (i_6 < n_1, j_7 < m_2) (~t_8)
    ({0i32},
     ,
     commutative \ {a_9 : i32, b_10 : i32} : {i32} ->
       let {c_11 : i32} = add32(a_9, b_10)
       in {c_11}) : {i32} {
      let {x_12 : i32} = as_3[i_6, j_7]
      let {y_13 : i32} = bs_4[i_6, j_7]
      let {z_14 : i32} = mul32(x_12, y_13)
      return {returns z_14}
    }
  in {sums_5}
}
)";

const char* const kOfColumns = R"(types {}
entry("main", {as: [][]i32}, {[]i32})
  entry_main (n_1 : i64, m_2 : i64, as_3 : [m_2][n_1]i32) : {[n_1]i32} = {
  let {sums_4 : [n_1]i32} =
    segred(thread; ; grid=1i64; blocksize=256i64)
    (i_5 < n_1, j_6 < m_2) (~t_7)
    ({0i32},
     ,
     commutative \ {a_8 : i32, b_9 : i32} : {i32} ->
       let {c_10 : i32} = add32(a_8, b_9)
       in {c_10}) : {i32} {
      let {x_11 : i32} = as_3[j_6, i_5]
      return {returns x_11}
    }
  in {sums_4}
}
)";

class Reduction : public testing::Test {
 protected:
  // Of the entry point `main`, of as many arrays as its program has.
  void read(const char* text) {
    program_ = *read_program(text, "test.fut_gpu");
    KernelOptions compile;
    compile.verify = true;
    compile.for_blocks();
    Result<PlannedProgram> planned = compile_kernels(program_, compile);
    ASSERT_TRUE(planned) << planned.error().message;
    Result<host::Program> built = host::build(*planned, {true});
    ASSERT_TRUE(built) << built.error().message;
    Result<host::Program> final = host::run_passes(*built, {true});
    ASSERT_TRUE(final) << final.error().message;
    built_ = *std::move(final);
  }

  // Elements that differ from array to array.
  void expect_same(int64_t rows, int64_t columns, const std::vector<int64_t>& factors) const {
    std::vector<seg::TypedValue> inputs;
    for (const int64_t factor : factors) {
      auto cells = std::make_shared<std::vector<int64_t>>();
      for (int64_t i = 0; i < rows * columns; ++i)
        cells->push_back(seg::to_cell(prim::Value::i32(static_cast<int32_t>(i * factor % 17 - 7))));
      inputs.push_back({seg::Array{prim::Type::I32, {rows, columns}, cells}});
    }
    seg::EvalOptions options;
    options.max_steps = 400'000'000;
    const seg::EvalResult expected = seg::evaluate(program_, "main", inputs, options);
    const seg::EvalResult actual = host::evaluate(built_, "main", inputs, options);
    ASSERT_EQ(expected.outcome, seg::Outcome::Ok) << expected.message;
    ASSERT_EQ(actual.outcome, seg::Outcome::Ok) << actual.message << ", " << rows << " x " << columns;
    for (size_t k = 0; k < expected.values.size(); ++k)
      EXPECT_EQ(seg::to_text(actual.values[k].value), seg::to_text(expected.values[k].value))
          << rows << " x " << columns;
  }

 private:
  seg::Program program_;
  host::Program built_;
};

struct Shape {
  int64_t segments, width;
};

// Around an element for each thread, a tile of a warp, one of a block, and several chunks, of which the last is not full; and so many segments
// that a chunk has several tiles.
TEST_F(Reduction, TakesTilesInOrder) {
  read(kInOrder);
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
                        {265, 1030}})
    expect_same(s.segments, s.width, {11, 5});
}

// Rows that begin at multiples of four elements, of a turn and less, of several, and of several blocks; and rows that do not.
TEST_F(Reduction, TakesRowsByWords) {
  read(kByWords);
  for (const Shape s : {Shape{0, 8},
                        {3, 0},
                        {1, 4},
                        {7, 20},
                        {300, 64},
                        {9, 100},
                        {9, 101},
                        {5, 1000},
                        {5, 1002},
                        {2, 9004},
                        {1, 40000}})
    expect_same(s.segments, s.width, {11, 5});
}

// With as many chunks as there may be, threads look for more of them than there are.
TEST_F(Reduction, OfColumnsReadsNoWordsThatDoNotExist) {
  read(kOfColumns);
  for (const Shape s : {Shape{0, 5}, {3, 0}, {5, 1000}, {8, 1056 * 128}}) expect_same(s.width, s.segments, {11});
}

}  // namespace
}  // namespace heddle::lower
