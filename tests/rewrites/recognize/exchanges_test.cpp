// What is read of images that go on beyond their borders, and which elements stand there.
#include "rewrites/recognize/exchanges.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/nest/printer.h"
#include "rewrites/nest/unused.h"
#include "tests/rewrites/recognize/points.h"

namespace heddle::recognize {
namespace {

const char* name_of(Exchange e) {
  switch (e) {
    case Exchange::Clamp:
      return "clamp";
    case Exchange::MirrorAt:
      return "mirror at";
    case Exchange::MirrorOn:
      return "mirror on";
    case Exchange::Wrap:
      return "wrap";
  }
  return "";
}

std::string text_of(const nest::Block& work) { return nest::to_text(nest::without_unused(work)); }

struct Looked {
  std::string work, exchanged, dims;
};
Looked look(const std::string& statements) {
  Looked result;
  look_at_point(statements, [&](LookedAt& point, nest::Facts& facts) {
    const Reads reads = find_windows(point.indices, point.work, point.read, facts);
    const Beyond beyond =
        beyond_borders(point.indices, point.work, reads.windowed, point.read, facts, point.names.fresh);
    nest::Block named = nest::substitute({{beyond.places[0], nest::var({"p", 90}, prim::Type::I64)},
                                          {beyond.places[1], nest::var({"q", 91}, prim::Type::I64)}},
                                         beyond.work);
    result.work = text_of(named);
    const Beyond as_named{named, {{"p", 90}, {"q", 91}}, beyond.dims};
    result.exchanged = text_of(exchanged_but(
        as_named, point.indices, [](const Name&, size_t) { return false; }, [](size_t) { return false; }));
    for (const ExchangedDim& d : beyond.dims)
      result.dims += fmt::format("[{} {}: {}]", d.buffer.base, d.dim, name_of(d.by));
  });
  return result;
}
Looked read(const std::string& row, const std::string& column) {
  return look("out_7[i_10][j_11] := in_5[" + row + "][" + column + "];");
}

TEST(Exchanges, OfClampedPlaces) {
  const Looked looked = read("max(0, i_10 -% 1)", "min(m1_21, j_11 +% 2)");
  EXPECT_EQ(looked.work, "out_7[i_10][j_11] := in_5[-1 + p_90][2 + q_91];\n");
  EXPECT_EQ(looked.dims, "[in 0: clamp][in 1: clamp]");
  EXPECT_EQ(looked.exchanged,
            "out_7[i_10][j_11] := in_5[max(min(-1 + p_90, n_1 - 1), 0)][max(min(2 + q_91, m_2 - 1), 0)];\n");
  EXPECT_EQ(read("min(n1_20, max(0, i_10 -% 3))", "j_11").work, "out_7[i_10][j_11] := in_5[-3 + p_90][q_91];\n");
}

TEST(Exchanges, OfMirroredPlaces) {
  auto mirrored = [](const std::string& below, const std::string& above) {
    return look("let up_30: i64 = i_10 -% 2; let at_31: i64 = up_30 < 0 ? " + below +
                " : up_30; let down_32: i64 = i_10 +% 2; let at_33: i64 = n1_20 < down_32 ? " + above +
                " : down_32; out_7[i_10][j_11] := in_5[at_31][j_11] + in_5[at_33][j_11];");
  };
  const Looked at = mirrored("-1 -% up_30", "2 * n_1 -% 1 -% down_32");
  EXPECT_EQ(at.work, "out_7[i_10][j_11] := in_5[-2 + p_90][q_91] + in_5[2 + p_90][q_91];\n");
  EXPECT_EQ(at.dims, "[in 0: mirror at]");
  // Beyond the image, a mirror may find nothing: it is asked at points.
  EXPECT_EQ(at.exchanged.find("p_90"), std::string::npos);
  const Looked on = mirrored("0 -% up_30", "2 * n_1 -% 2 -% down_32");
  EXPECT_EQ(on.work, at.work);
  EXPECT_EQ(on.dims, "[in 0: mirror on]");
}

// The one that all reads of the image have in common; who has another keeps it.
TEST(Exchanges, AreOneForAllReads) {
  const std::string one_up = "let up_30: i64 = i_10 -% 1; let at_31: i64 = up_30 < 0 ? -1 -% up_30 : up_30;";
  const std::string two_up = "let up_32: i64 = i_10 -% 2; let at_33: i64 = up_32 < 0 ? -1 -% up_32 : up_32;";
  const Looked same = look(one_up + two_up + "out_7[i_10][j_11] := in_5[at_31][j_11] + in_5[at_33][j_11];");
  EXPECT_EQ(same.dims, "[in 0: mirror at]");
  const Looked other = look(two_up + "out_7[i_10][j_11] := in_5[max(0, i_10 -% 2)][j_11] + in_5[at_33][j_11];");
  EXPECT_EQ(other.dims, "[in 0: clamp]");
  EXPECT_NE(other.work.find("in_5[-2 + p_90][q_91] + in_5[at_33][q_91]"), std::string::npos) << other.work;
}

TEST(Exchanges, AreNoneWithinBorders) {
  EXPECT_EQ(read("i_10", "j_11").dims, "");
  const Looked guarded = look(
      "let up_30: i64 = i_10 -% 1; let x_31: i32 = 0 <= up_30 ? in_5[up_30][j_11] : 0i32; out_7[i_10][j_11] := x_31;");
  EXPECT_EQ(guarded.dims, "");
  EXPECT_NE(guarded.work.find("in_5[-1 + p_90][q_91]"), std::string::npos) << guarded.work;
  EXPECT_NE(guarded.exchanged.find("in_5[-1 + i_10][j_11]"), std::string::npos) << guarded.exchanged;
}

TEST(Exchanges, OfTori) {
  const Looked looked = read("(i_10 +% 1) % n_1", "(j_11 -% 2 +% m_2) % m_2");
  EXPECT_EQ(looked.work, "out_7[i_10][j_11] := in_5[1 + p_90][-2 + q_91];\n");
  EXPECT_EQ(looked.dims, "[in 0: wrap][in 1: wrap]");
  // Once around is enough where no image is too small.
  EXPECT_EQ(looked.exchanged,
            "out_7[i_10][j_11] := in_5[1 + i_10 < 0 ? 1 + i_10 + n_1 : 1 + i_10 < n_1 ? 1 + i_10 : 1 + i_10 - n_1]"
            "[(-2 + j_11) % m_2];\n");
  EXPECT_EQ(read("i_10 == 0 ? n1_20 : i_10 -% 1", "j_11").work, "out_7[i_10][j_11] := in_5[-1 + p_90][q_91];\n");
  EXPECT_EQ(read("(i_10 +% 1) % m_2", "j_11").dims, "");
  // The index goes around it, perhaps several times.
  EXPECT_EQ(read("(j_11 +% 1) % n_1", "j_11").dims, "");
}

// Sampled places that are rounded are no sums.
TEST(Exchanges, AreNotFoundForOthers) {
  EXPECT_EQ(read("max(0, i_10 / 2 -% 1)", "j_11").work.find("p_90"), std::string::npos);
}

// What the host knows of a scalar has no name in the kernel.
TEST(Exchanges, AreNotWrittenWithNamesOfTheHosts) {
  const Looked looked = look("let row_30: i64 = i_10 + few_22; out_7[i_10][j_11] := in_5[row_30][j_11];");
  EXPECT_NE(looked.work.find("in_5[row_30][q_91]"), std::string::npos) << looked.work;
}

TEST(Exchanges, OfPlacesThatLoopsAddTo) {
  EXPECT_EQ(look("for k_12 in 3 (serial) { out_7[i_10][j_11] := in_5[max(0, i_10 -% k_12)][j_11]; }").work,
            "for k_12 in 3 (serial) {\n  out_7[i_10][j_11] := in_5[p_90 - k_12][q_91];\n}\n");
}

}  // namespace
}  // namespace heddle::recognize
