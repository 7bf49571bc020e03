#include "rewrites/contraction/tiled.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/nest/index_map.h"
#include "ir/nest/printer.h"
#include "ir/nest/verify.h"
#include "rewrites/nest/footprint.h"
#include "tests/rewrites/compare_tiled.h"

namespace heddle::contraction {
namespace {

using nest::Kernel;

// One value per constant, in the order of constants_of.
using Values = std::vector<int64_t>;

TEST(Tiled, Convolution) {
  NameSource names(1);
  examples::Example e = examples::convolution(names);
  Tiling t = name_tiling(e.contraction, names);
  Kernel k = tiled(e.contraction, t, e.constants, e.direct, names);
  ASSERT_THAT(nest::verify(k), testing::IsEmpty()) << nest::to_text(k);
  // warps, lanes, points, run of o, y, x   chunk, unroll of c, i, j   copy, load, padding
  // slices, store, shared, stages, ahead, registers
  Values tiles3 = {1, 2, 8, 4, 1, 2, 1, 1, 1, 4, 4, 4, 2, 1, 3, 1, 3, 3, 1, 4, 0, 1, 4, 0, 1, 1, 1, 2, 0, 1};
  Values ahead3 = {1, 2, 8, 4, 1, 2, 1, 1, 1, 4, 4, 4, 2, 1, 3, 1, 3, 3, 1, 4, 0, 1, 4, 0, 1, 1, 1, 2, 1, 1};
  Values tiles2 = {1, 2, 2, 2, 2, 2, 2, 2, 1, 4, 2, 2, 1, 1, 2, 2, 2, 2, 1, 2, 4, 1, 2, 0, 1, 1, 0, 3, 0, 1};
  // channels, height, width, depth, window, out_height, out_width, stride
  for (auto sizes : {std::vector<int64_t>{3, 6, 18, 8, 3, 4, 16, 1},
                     {1, 3, 3, 1, 3, 1, 1, 1},
                     {5, 7, 23, 9, 3, 5, 21, 1},
                     {0, 4, 5, 3, 3, 2, 3, 1},
                     {2, 3, 5, 0, 3, 1, 3, 1},
                     {2, 7, 11, 5, 3, 3, 5, 2}}) {
    EXPECT_EQ(examples::difference(e, k, constants_of(t), tiles3, sizes), "");
    bool is_paired = sizes[0] % 2 == 0;
    if (is_paired) {
      EXPECT_EQ(examples::difference(e, k, constants_of(t), ahead3, sizes), "");
    }
  }
  for (auto sizes : {std::vector<int64_t>{2, 6, 18, 8, 2, 5, 17, 1}, {3, 9, 12, 3, 2, 4, 6, 2}}) {
    EXPECT_EQ(examples::difference(e, k, constants_of(t), tiles2, sizes), "");
  }
}

TEST(Tiled, BackwardsByAStrideThatIsNoLiteral) {
  NameSource names(1);
  examples::Example e = examples::backwards(names);
  Tiling t = name_tiling(e.contraction, names);
  Kernel k = tiled(e.contraction, t, e.constants, e.direct, names);
  ASSERT_THAT(nest::verify(k), testing::IsEmpty()) << nest::to_text(k);
  // warps, lanes, points, run of o, x   chunk, unroll of i   copy, load, padding
  // slices, store, shared, stages, ahead, registers
  Values written_out = {1, 2, 2, 2, 1, 4, 2, 2, 3, 3, 1, 1, 0, 1, 1, 0, 1, 1, 1, 2, 0, 1};
  Values one_by_one = {1, 2, 2, 1, 1, 4, 2, 2, 3, 1, 1, 1, 4, 1, 1, 0, 3, 1, 1, 3, 0, 1};
  // length, depth, window, out_length, stride
  for (auto sizes : {std::vector<int64_t>{13, 5, 3, 11, 1}, {20, 3, 3, 14, 3}, {7, 1, 3, 3, 2}}) {
    EXPECT_EQ(examples::difference(e, k, constants_of(t), written_out, sizes), "");
    EXPECT_EQ(examples::difference(e, k, constants_of(t), one_by_one, sizes), "");
  }
}

// Tiles that reach beyond the result begin before the first of the operand's rows.
TEST(Tiled, RowsFromTheLastToTheFirst) {
  NameSource names(1);
  examples::Example e = examples::product(names);
  recognize::Contraction c = e.contraction;
  const Name& rows = e.direct.scalars[0].name;
  poly::Polynomial& row = c.operands[0].index[0];
  row = poly::Polynomial::of(rows) - poly::Polynomial(1) - row;
  std::vector<Name> scalars;
  for (const nest::ScalarParam& p : e.direct.scalars) scalars.push_back(p.name);
  examples::Example reversed{c, examples::direct_kernel(c, scalars, e.direct.buffers, names), {}};
  Tiling t = name_tiling(c, names);
  Kernel k = tiled(c, t, {}, reversed.direct, names);
  // warps, lanes, points, run of i, j   chunk, unroll of k   copy, load, padding of a, b
  // slices, store, shared, stages, ahead, registers
  Values tiles = {1, 2, 2, 2, 1, 2, 2, 2, 2, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 2, 0, 1};
  for (auto sizes : {std::vector<int64_t>{5, 5, 3}, {4, 3, 2}, {1, 1, 1}})
    EXPECT_EQ(examples::difference(reversed, k, constants_of(t), tiles, sizes), "");
}

TEST(Footprint, StepsHaveASignIfAllTheirTermsHave) {
  NameSource names(1);
  using poly::Polynomial;
  Polynomial a = Polynomial::of(names.fresh("a")), b = Polynomial::of(names.fresh("b"));
  auto of = [](const Polynomial& p) { return sign(nest::to_expr(p)); };
  EXPECT_EQ(of(Polynomial(0)), 0);
  EXPECT_EQ(of(Polynomial(-3)), -1);
  EXPECT_EQ(of(a * b + Polynomial(2)), 1);
  EXPECT_EQ(of(-a - a * b), -1);
  EXPECT_EQ(of(a - b), std::nullopt);
}

TEST(Tiled, Product) {
  NameSource names(1);
  examples::Example e = examples::product(names);
  Tiling t = name_tiling(e.contraction, names);
  Kernel k = tiled(e.contraction, t, e.constants, e.direct, names);
  // warps, lanes, points, run of i, j   chunk, unroll   copy, load, padding of a, b
  // slices, store, shared, stages, ahead, registers
  Values tiles = {1, 4, 2, 1, 1, 2, 4, 4, 8, 1, 1, 1, 0, 1, 4, 0, 2, 1, 1, 2, 0, 1};
  Values ahead = {1, 4, 2, 1, 1, 2, 4, 4, 8, 1, 1, 1, 0, 1, 4, 0, 2, 1, 1, 2, 1, 1};
  for (auto sizes : {std::vector<int64_t>{8, 8, 8}, {1, 1, 1}, {7, 9, 13}, {17, 16, 15}, {3, 5, 0}, {0, 5, 3}}) {
    EXPECT_EQ(examples::difference(e, k, constants_of(t), tiles, sizes), "");
  }
  for (auto sizes : {std::vector<int64_t>{8, 8, 8}, {7, 9, 12}, {17, 16, 4}, {3, 5, 0}, {0, 5, 4}}) {
    EXPECT_EQ(examples::difference(e, k, constants_of(t), ahead, sizes), "");
  }
}

}  // namespace
}  // namespace heddle::contraction
