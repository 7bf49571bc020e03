// By how much rows of shared arrays become longer for which accesses.
#include "rewrites/nest/row_padding.h"

#include <fmt/format.h>

#include "ir/nest/printer.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

std::string padding(const std::string& elem, const std::string& dims, const std::string& body) {
  Kernel k = kernel_of(fmt::format(R"(kernel small(n_9: i64, m_8: i64, out_7: global {0}[32]) {{
  for t_1 in 32 (block) {{
    alloc a_20: shared {0}{1};
    {2}
  }}
}}
)",
                                   elem, dims, body));
  auto paddings = row_paddings(k.body, Name{"t", 1});
  return paddings.empty() ? "none" : to_text(paddings.at(Name{"a", 20}));
}

const std::string kRow = "for i_30 in 32 (serial) { out_7[t_1] := a_20[i_30][t_1]; }";
const std::string kColumn = "for i_30 in 32 (serial) { out_7[t_1] := a_20[t_1][i_30]; }";
const std::string kAntiDiagonal = R"(
  for i_30 in 32 (serial) {
    let x_40: i32 = sext_i64_i32(i_30 - t_1);
    if t_1 < i_30 + 1 { out_7[t_1] := a_20[sext_i32_i64(x_40 +% 1i32)][t_1]; }
  })";

TEST(RowPadding, OfColumns) {
  EXPECT_EQ(padding("f32", "[32][32]", kColumn), "1");
  EXPECT_EQ(padding("f32", "[32][32]", kRow + kColumn), "1");
  EXPECT_EQ(padding("f32", "[32][33]", kColumn), "none");
  EXPECT_EQ(padding("f64", "[32][16]", kColumn), "1");
  EXPECT_EQ(padding("f32", "[n_9][m_8]", kColumn), "(1 - m_8) & 1");
}

TEST(RowPadding, OfDiagonals) {
  EXPECT_EQ(padding("f32", "[33][33]", kAntiDiagonal), "1");
  EXPECT_EQ(padding("f32", "[n_9][m_8]", kAntiDiagonal), "(0 - m_8) & 1");
  EXPECT_EQ(padding("f32", "[n_9][m_8]", kAntiDiagonal + "out_7[t_1] := a_20[t_1][0];"), "(2 - m_8) & 3");
}

TEST(RowPadding, OfRowsIsNotNeeded) {
  EXPECT_EQ(padding("f32", "[32][32]", kRow), "none");
  EXPECT_EQ(padding("f32", "[n_9][m_8]", kRow), "none");
  EXPECT_EQ(padding("f32", "[32][32]", "for i_30 in 32 (serial) { out_7[t_1] := a_20[i_30][0]; }"), "none");
  EXPECT_EQ(padding("f32", "[n_9][m_8]", "out_7[t_1] := a_20[t_1 / m_8][t_1 % m_8];"), "none");
}

// It would be a large part of them.
TEST(RowPadding, OfShortRowsIsTooMuch) { EXPECT_EQ(padding("f32", "[32][2]", kColumn), "none"); }

}  // namespace
}  // namespace heddle::nest
