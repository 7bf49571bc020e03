// Which sums of a point become operations of their own.
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend_bridge/pipeline.h"

namespace heddle::lower {
namespace {

// A product of matrices and its derivative, added to what there is; `terms` is how many terms each sum has.
PlannedProgram planned(const std::string& terms) {
  std::string text = R"(types {}
entry("main", {k: i64, as: [][]f64, das: [][]f64, bs: [][]f64, dbs: [][]f64, cs: [][]f64}, {[][]f64, [][]f64})
  entry_main (n_1 : i64, m_2 : i64, k_3 : i64, as_4 : [n_1][@]f64, das_5 : [n_1][@]f64, bs_6 : [@][m_2]f64, dbs_7 : [@][m_2]f64,
              cs_8 : [n_1][m_2]f64) : {[n_1][m_2]f64, [n_1][m_2]f64} = {
  let {x_9 : [n_1][m_2]f64, y_10 : [n_1][m_2]f64} = segmap(thread; ; grid=1i64; blocksize=256i64) (i_11 < n_1, j_12 < m_2) (~t_13) : {f64, f64} {
    let {a_14 : [@]f64} = as_4[i_11, 0i64 :+ @ * 1i64]
    let {da_15 : [@]f64} = das_5[i_11, 0i64 :+ @ * 1i64]
    let {b_16 : [@]f64} = bs_6[0i64 :+ @ * 1i64, j_12]
    let {db_17 : [@]f64} = dbs_7[0i64 :+ @ * 1i64, j_12]
    let {c_18 : f64} = cs_8[i_11, j_12]
    let {s_19 : f64, ds_20 : f64} = redomap(@, {a_14, da_15, b_16, db_17},
      \ {p_21 : f64, dp_22 : f64, q_23 : f64, dq_24 : f64} : {f64, f64} ->
        let {pq_25 : f64} = fmul64(p_21, q_23)
        let {dpq_26 : f64} = fmul64(dp_22, q_23)
        let {pdq_27 : f64} = fmul64(p_21, dq_24)
        let {both_28 : f64} = fadd64(dpq_26, pdq_27)
        in {pq_25, both_28},
      {\ {u_29 : f64, du_30 : f64, v_31 : f64, dv_32 : f64} : {f64, f64} ->
        let {w_33 : f64} = fadd64(u_29, v_31)
        let {dw_34 : f64} = fadd64(du_30, dv_32)
        in {w_33, dw_34}, {0.0f64, 0.0f64}})
    let {e_35 : f64} = fadd64(c_18, s_19)
    let {f_36 : f64} = fadd64(c_18, ds_20)
    return {returns e_35, returns f_36}
  }
  in {x_9, y_10}
})";
  for (size_t at = text.find('@'); at != std::string::npos; at = text.find('@')) text.replace(at, 1, terms);
  Result<seg::Program> program = read_program(text, "test.fut_gpu");
  if (!program) throw std::runtime_error(program.error().message);
  KernelOptions compile;
  compile.verify = true;
  compile.for_blocks();
  Result<PlannedProgram> result = compile_kernels(*program, compile);
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

// Results of sums with few terms cost as much memory traffic as what the point reads, and a launch each.
TEST(DistributedSums, UnlessTheyHaveFewTerms) {
  EXPECT_GT(planned("k_3").plans.size(), 1u);
  EXPECT_GT(planned("90i64").plans.size(), 1u);
  EXPECT_EQ(planned("4i64").plans.size(), 1u);
}

}  // namespace
}  // namespace heddle::lower
