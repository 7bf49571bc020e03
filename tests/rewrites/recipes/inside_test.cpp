// Which tests of borders are left of points that are far from all of them, and what "far" means then.
#include "rewrites/recipes/inside.h"

#include <gtest/gtest.h>

#include "ir/nest/printer.h"
#include "ir/nest/reader.h"

namespace heddle::lower {
namespace {

using nest::Expr;

// A point (y, x) of n rows and m columns, which reads an image of h rows and w columns.
class InsideTest : public ::testing::Test {
 protected:
  void look(const std::string& value) {
    auto read = nest::read_kernel(R"(kernel point(
      h_1: i64, w_2: i64, n_3: i64, m_4: i64, y_5: i64, x_6: i64, few_10: i64,
      image_7: global f32[h_1][w_2], counts_9: global f32[few_10], result_8: global f32[n_3][m_4]) {
        result_8[y_5][x_6] := )" + value +
                                  ";\n}\n");
    ASSERT_TRUE(read) << read.error().message;
    nest::Facts facts(names_, nest::no_definition);
    for (const Name& size : {h_, w_, n_, m_, few_}) facts.size(size);
    for (const recognize::Index& i : indices_) facts.index(i.name, i.extent);
    std::erase_if(read->scalars, [&](const nest::ScalarParam& p) { return p.name == y_ || p.name == x_; });
    inside_ = inside_of(read->body, indices_, *read, facts);
  }
  std::string work() const { return nest::to_text(inside_.work); }
  std::vector<std::string> limits() const {
    std::vector<std::string> all;
    for (const Inside::Limit& l : inside_.limits)
      all.push_back(nest::to_text(l.value) + (l.grows ? " grows" : " falls"));
    return all;
  }
  static Expr var(const Name& n) { return nest::var(n, prim::Type::I64); }

  Name h_{"h", 1}, w_{"w", 2}, n_{"n", 3}, m_{"m", 4}, y_{"y", 5}, x_{"x", 6}, few_{"few", 10};
  NameSource names_{100};
  std::vector<recognize::Index> indices_{{y_, var(n_)}, {x_, var(m_)}};
  Inside inside_;
};

using Texts = std::vector<std::string>;

TEST_F(InsideTest, BordersOfTheStageAreAMargin) {
  look("counts_9[x_6 % few_10] + image_7[0][0]");
  EXPECT_EQ(inside_.margin, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(limits(), Texts{});
}

TEST_F(InsideTest, BordersOfOthersAreLimits) {
  look("image_7[max(min(y_5 - 7, h_1 - 1), 0)][min(max(2 * x_6 + 1, 0), w_2 - 1)]");
  EXPECT_EQ(work().find("min"), std::string::npos) << work();
  EXPECT_EQ(work().find("max"), std::string::npos) << work();
  EXPECT_EQ(limits(), (Texts{"6 + h_1 - y_5 falls", "-2 + w_2 - x_6 * 2 falls", "-7 + y_5 grows"}));
}

// The one that implies the others.
TEST_F(InsideTest, OfSeveralReadsTheFarthestCounts) {
  look("image_7[0][min(x_6, w_2 - 1)] + image_7[0][min(x_6 + 3, w_2 - 1)] + image_7[0][min(x_6 + 1, w_2 - 1)]");
  EXPECT_EQ(work().find("min"), std::string::npos) << work();
  EXPECT_EQ(limits(), (Texts{"-4 + w_2 - x_6 falls"}));
}

// Where no array ends there, most points may be beyond; and an end that moves the other way has points on both sides.
TEST_F(InsideTest, WhatIsNoBorderStaysAsItIs) {
  look("image_7[0][min(x_6, 5)]");
  EXPECT_EQ(limits(), Texts{});
  look("image_7[min(h_1 - 1, w_2 - 1 - x_6)][0]");
  EXPECT_EQ(limits(), Texts{});
  look("image_7[min(h_1 - 1, y_5 * x_6)][0]");
  EXPECT_EQ(limits(), Texts{});
}

TEST_F(InsideTest, LimitsHoldInABoxWhereTheyHoldInItsCorner) {
  look("image_7[max(min(y_5 - 7, h_1 - 1), 0)][0]");
  // The other limit, y - 7, is decided.
  const Expr first = nest::constant(int64_t{8}), last = nest::constant(int64_t{39});
  EXPECT_EQ(nest::to_text(within_limits(inside_, indices_, {first, first}, {last, last})), "-1 < 6 + h_1 - 39");
}

}  // namespace
}  // namespace heddle::lower
