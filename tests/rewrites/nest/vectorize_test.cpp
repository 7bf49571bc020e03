// Neighbouring elements moved at once.
#include "rewrites/nest/vectorize.h"
#include "ir/nest/printer.h"
#include "rewrites/nest/stripmine.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

// for i in n { for j in m { for x in R { S } } }, over in, out: f32[n][m].
Kernel pieces(const std::string& body) {
  return matrix_kernel("for i_10 in n_1 (serial) { for j_11 in m_2 (serial) { for x_16 in R_4 (serial) {" + body +
                       "} } }");
}

TEST(Vectorize, AsksWhetherTheWidthDividesRows) {
  Names s;
  Kernel before = pieces(R"(
    let k_12: i64 = j_11 * R_4 + x_16;
    if k_12 < m_2 {
      out_7[i_10][k_12] := in_5[i_10][k_12];
    }
)");
  Kernel after = rewritten(vectorize(before, s.x, s.fresh));
  EXPECT_GOLDEN("rewrites/nest/vectorize/copy.nest", to_text(after));
  for (int64_t m : awkward_sizes(4)) {
    for (int64_t width : {1, 2, 4}) expect_same(before, after, {{s.n, 3}, {s.m, m}, {s.tile, 1}, {s.points, width}});
  }
}

TEST(Vectorize, ComputesIntoRegistersFirst) {
  Names s;
  Kernel before = pieces(R"(
    if -1 < j_11 * R_4 + x_16 && j_11 * R_4 + x_16 < m_2 {
      let sum_15: f32 = in_5[i_10][j_11 * R_4 + x_16];
      out_7[i_10][j_11 * R_4 + x_16] := sum_15 + 1.0f32;
    }
)");
  Kernel after = rewritten(vectorize(before, s.x, s.fresh));
  EXPECT_GOLDEN("rewrites/nest/vectorize/sum.nest", to_text(after));
  for (int64_t m : awkward_sizes(4)) expect_same(before, after, {{s.n, 2}, {s.m, m}, {s.tile, 1}, {s.points, 2}});
}

TEST(Vectorize, Refuses) {
  Names s;
  auto refused = [&](const std::string& body) { return refusal(vectorize(pieces(body), s.x, s.fresh)); };
  EXPECT_EQ(refused("out_7[i_10][j_11 * R_4 + x_16] := in_5[i_10][j_11 * R_4 + x_16 + 1];"),
            "1 + R_4 * j_11 may be no multiple of R_4");
  EXPECT_EQ(refused("out_7[i_10][j_11 * R_4 + x_16] := in_5[i_10][j_11 + x_16];"), "j_11 may be no multiple of R_4");
  EXPECT_EQ(refused("out_7[i_10][j_11 * R_4 + x_16] := in_5[j_11 * R_4 + x_16][i_10];"),
            "j_11 * R_4 + x_16 does not move to the neighbour in in_5 with x_16");
  EXPECT_EQ(refused("out_7[i_10][j_11 * R_4 + x_16] := out_7[i_10][j_11 * R_4 + x_16];"), "out_7 is read, too");
  EXPECT_EQ(refused("out_7[i_10][j_11 * R_4 + x_16] := 0.0f32; both_8[i_10][j_11 * R_4 + x_16] := 0.0f32;"),
            "x_16 does more than one store");
  EXPECT_EQ(refused("if x_16 < j_11 { out_7[i_10][j_11 * R_4 + x_16] := 0.0f32; }"), "j_11 may be no multiple of R_4");
  EXPECT_EQ(refused("if x_16 * 2 < m_2 { out_7[i_10][j_11 * R_4 + x_16] := 0.0f32; }"),
            "x_16 * 2 < m_2 may hold for some of the elements only");
  Kernel k = pieces("out_7[i_10][j_11 * R_4 + x_16] := in_5[i_10][j_11 * R_4 + x_16];");
  EXPECT_EQ(refusal(vectorize(k, s.j, s.fresh)), "a width of m_2 is not constant");
  for (Buffer& b : k.buffers) b.strides = {i64(1), v(s.n)};
  EXPECT_EQ(refusal(vectorize(k, s.x, s.fresh)), "neighbours in out_7 lie apart");
}

}  // namespace
}  // namespace heddle::nest
