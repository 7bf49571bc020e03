// Which points read across an index, by statements of points y < h, x < w.
#include "rewrites/recipes/reads_across.h"

#include "tests/rewrites/nest/small_nests.h"

namespace heddle::lower {
namespace {

bool across(const std::string& statements) {
  const nest::Kernel kernel = nest::examples::kernel_of(
      "kernel k(h_1: i64, w_2: i64, r_3: i64, img_4: global f32[h_1][w_2], sums_5: global f32[w_2][h_1], flat_6: "
      "global "
      "f32[h_1 * w_2], row_7: global f32[h_1], places_8: global i64[w_2], out_9: global f32[h_1][w_2]) { for y_10 in "
      "h_1 "
      "(serial) { for x_11 in w_2 (serial) {" +
      statements + "} } }");
  const auto& rows = std::get<nest::For>(kernel.body[0]->node);
  const auto& points = std::get<nest::For>(rows.body[0]->node);
  return reads_across(points.body, kernel.buffers, points.index, rows.index);
}

const std::string kStored = "out_9[y_10][x_11] := v_12;";

TEST(ReadsAcross, WhatIsTransposed) {
  EXPECT_TRUE(across("let v_12: f32 = sums_5[x_11][y_10];" + kStored));
  EXPECT_FALSE(across("let v_12: f32 = img_4[y_10][x_11];" + kStored));
  EXPECT_FALSE(across("let v_12: f32 = row_7[y_10];" + kStored));  // all neighbours read the same
}

TEST(ReadsAcross, AtClampedPlaces) {
  EXPECT_TRUE(
      across("let low_20: i64 = max(0, y_10 -% r_3); let left_21: i64 = max(0, x_11 -% r_3) -% 1; let v_12: f32 = "
             "sums_5[left_21][min(h_1 -% 1, low_20 +% r_3)];" +
             kStored));
}

TEST(ReadsAcross, AtPlacesInOneDimension) {
  EXPECT_TRUE(across("let v_12: f32 = flat_6[x_11 * h_1 + y_10];" + kStored));
  EXPECT_FALSE(across("let v_12: f32 = flat_6[y_10 * w_2 + x_11];" + kStored));
}

TEST(ReadsAcross, NotWhatFollowsFromElements) {
  EXPECT_FALSE(across("let at_20: i64 = places_8[x_11]; let v_12: f32 = sums_5[at_20][y_10];" + kStored));
}

// Of much that lies along the rows one element across is not worth it, in a loop it is.
TEST(ReadsAcross, MoreThanAFewOfAll) {
  std::string many, sum = "let v_12: f32 = sums_5[x_11][y_10]";
  for (int k = 20; k < 30; ++k) {
    many += "let e_" + std::to_string(k) + ": f32 = img_4[y_10][x_11 +% " + std::to_string(k) + "];";
    sum += " + e_" + std::to_string(k);
  }
  EXPECT_FALSE(across(many + sum + ";" + kStored));
  EXPECT_TRUE(across(many + "for k_30 in r_3 (serial) { out_9[y_10][x_11] := sums_5[x_11 +% k_30][y_10]; }"));
}

ReadsApart apart(const std::string& threads) {
  return reads_apart(
      nest::examples::kernel_of("kernel k(h_1: i64, w_2: i64, r_3: i64, img_4: global f32[h_1][w_2], pairs_5: global "
                                "f32[w_2][2], places_6: global "
                                "i64[w_2], out_7: global f32[h_1][w_2]) { for y_8 in h_1 (grid) {" +
                                threads + "} }"));
}

// Steps of a point count, those that bring a thread from one point to the next do not.
TEST(ReadsApart, AtEachStepOfAPoint) {
  const std::string points = "for t_9 in 64 (block) { for i_10 in r_3 (serial) { let p_11: i64 = i_10 * 64 + t_9;";
  const ReadsApart columns = apart(points + "for k_12 in r_3 (serial) { out_7[y_8][p_11] := img_4[p_11][k_12]; } } }");
  EXPECT_EQ(columns.surely, 8);
  EXPECT_EQ(columns.perhaps, 8);
  EXPECT_EQ(apart(points + "out_7[y_8][p_11] := img_4[p_11][y_8]; } }").surely, 1);
  EXPECT_EQ(apart(points + "for k_12 in r_3 (serial) { out_7[y_8][p_11] := img_4[k_12][p_11]; } } }").perhaps, 0);
}

TEST(ReadsApart, NotInALineNorPerhaps) {
  const std::string points = "for t_9 in 64 (block) {";
  EXPECT_EQ(apart(points + "out_7[y_8][t_9] := pairs_5[t_9][1]; }").perhaps, 0);
  const ReadsApart looked_up = apart(points + "out_7[y_8][t_9] := img_4[y_8][places_6[t_9]]; }");
  EXPECT_EQ(looked_up.surely, 0);
  EXPECT_EQ(looked_up.perhaps, 1);
  EXPECT_GT(apart("out_7[y_8][0] := img_4[y_8][0];").perhaps, 1000);  // nobody knows which threads are neighbours
}

TEST(ReadsApart, LessWhereThreadsStandUpright) {
  const std::string tile = "for x_9 in 4 (block) { for z_10 in 64 (block) { for k_11 in r_3 (serial) {";
  EXPECT_EQ(apart(tile + "out_7[y_8][z_10] := img_4[z_10 + k_11][x_9]; } } }").surely, 2);
}

}  // namespace
}  // namespace heddle::lower
