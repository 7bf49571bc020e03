#include "rewrites/contraction/reuse.h"

#include <gtest/gtest.h>

#include "ir/nest/traverse.h"
#include "rewrites/contraction/products.h"
#include "tests/rewrites/contraction_examples.h"

namespace heddle::contraction {
namespace {

NameSource names(0);

TEST(Reuse, OfAProductIsLarge) {
  recognize::Contraction c = examples::product(names).contraction;
  EXPECT_EQ(least_reuse(c), kManyPoints);
}

TEST(Reuse, OfAMatrixWithAVectorIsNone) {
  recognize::Contraction c = examples::product(names).contraction;
  c.parallel.erase(c.parallel.begin());  // the rows of the first operand
  EXPECT_EQ(reuse_of(c, c.operands[0]), kManyPoints);
  EXPECT_EQ(reuse_of(c, c.operands[1]), 1);
  EXPECT_EQ(least_reuse(c), 1);
}

TEST(Reuse, DoesNotMatterOfWhatIsTheSameForAllTermsOfAPoint) {
  recognize::Contraction c = examples::product(names).contraction;
  recognize::Operand& a = c.operands[0];
  a.index = {poly::Polynomial::of(c.parallel[0].name), poly::Polynomial::of(c.parallel[1].name)};
  EXPECT_EQ(reuse_of(c, a), 1);
  EXPECT_EQ(least_reuse(c), kManyPoints);
}

TEST(Reuse, OfWindowsIsTheirSize) {
  recognize::Contraction c = examples::backwards(names).contraction;
  c.parallel[0].extent = nest::constant(int64_t{1});  // so many filters, none of which depends on the place
  EXPECT_EQ(reuse_of(c, c.operands[0]), kManyPoints);
  c.reduction[0].extent = nest::constant(int64_t{5});
  EXPECT_EQ(reuse_of(c, c.operands[0]), 5);
  EXPECT_EQ(reuse_of(c, c.operands[1]), kManyPoints);
  EXPECT_EQ(least_reuse(c), 5);
}

TEST(Reuse, OfPartsOfARowIsNone) {
  recognize::Contraction c = examples::backwards(names).contraction;
  c.parallel[0].extent = nest::constant(int64_t{1});
  const Name size = names.fresh("size");
  const auto p = [](const Name& n) { return poly::Polynomial::of(n); };
  c.reduction[0].extent = nest::var(size, prim::Type::I64);
  c.operands[0].index = {p(c.parallel[1].name) * p(size) + p(c.reduction[0].name)};
  EXPECT_EQ(reuse_of(c, c.operands[0]), 1);
  c.operands[0].index = {p(c.parallel[1].name) + p(c.reduction[0].name)};
  EXPECT_EQ(reuse_of(c, c.operands[0]), kManyPoints);
}

TEST(Reuse, OfSmallWindowsAloneMakesAStencil) {
  recognize::Contraction c = examples::backwards(names).contraction;
  c.parallel[0].extent = nest::constant(int64_t{1});
  EXPECT_FALSE(is_stencil(c));  // the filters are used at all places
  c.operands.pop_back();
  EXPECT_FALSE(is_stencil(c));  // the window's size is not known
  c.reduction[0].extent = nest::constant(int64_t{5});
  EXPECT_TRUE(is_stencil(c));
  c.reduction[0].extent = nest::constant(int64_t{500});
  EXPECT_FALSE(is_stencil(c));
}

TEST(Reuse, OfSmallWindowsWithTapsMakesAFilter) {
  recognize::Contraction c = examples::backwards(names).contraction;
  c.parallel[0].extent = nest::constant(int64_t{1});
  EXPECT_FALSE(is_filter(c));  // the window's size is not known
  c.reduction[0].extent = nest::constant(int64_t{5});
  EXPECT_FALSE(is_filter(c));  // there are several filters, of which a point takes its own
  c.operands[1].index = {poly::Polynomial::of(c.reduction[0].name)};
  EXPECT_TRUE(is_filter(c));
  EXPECT_FALSE(is_stencil(c));
  c.reduction[0].extent = nest::constant(int64_t{500});
  EXPECT_FALSE(is_filter(c));
}

TEST(Reuse, IsUniformWhereNoElementIsPickedByPointAndTerm) {
  recognize::Contraction c = examples::product(names).contraction;
  EXPECT_FALSE(is_uniform(c));
  auto of = [](const recognize::Index& i) { return poly::Polynomial::of(i.name); };
  c.operands[0].index = {of(c.parallel[0]), of(c.parallel[1])};
  EXPECT_FALSE(is_uniform(c));  // because of the second operand
  c.operands[1].index = {of(c.reduction[0]), of(c.reduction[0])};
  EXPECT_TRUE(is_uniform(c));
  c.operands.erase(c.operands.begin());
  EXPECT_TRUE(is_uniform(c));
}

TEST(Reuse, OfRowsIsOnceInAMatrixTimesAVector) {
  examples::Example e = examples::product(names);
  recognize::Contraction& c = e.contraction;
  EXPECT_FALSE(reads_rows_once(c, e.direct.buffers));
  c.parallel.pop_back();
  c.operands[1].index = {poly::Polynomial::of(c.reduction[0].name), poly::Polynomial()};
  EXPECT_TRUE(reads_rows_once(c, e.direct.buffers));
  // The rows of the transposed matrix lie side by side along the points.
  std::swap(c.operands[0].index[0], c.operands[0].index[1]);
  EXPECT_FALSE(reads_rows_once(c, e.direct.buffers));
}

// Which of the sums is computed is an index's choice, not the elements'.
TEST(Products, AreCountedInTheLongestSum) {
  recognize::Contraction c = examples::product(names).contraction;
  auto add = [](prim::Family family, const nest::Expr& a, const nest::Expr& b) {
    return nest::operation(prim::Op(family, prim::Type::F32), {a, b});
  };
  const nest::Expr product = c.term, x = nest::var(c.operands[0].value, prim::Type::F32);
  EXPECT_EQ(most_products(c), 1);
  const nest::Expr difference = add(prim::Family::FSub, add(prim::Family::FAdd, product, product), product);
  c.term = difference;
  EXPECT_EQ(most_products(c), 3);
  const nest::Expr first = nest::less(nest::var(c.parallel[0].name, prim::Type::I64), nest::constant(int64_t{1}));
  c.term = nest::select(first, product, difference);
  EXPECT_EQ(most_products(c), 3);
  c.term = nest::select(add(prim::Family::FLt, x, x), product, difference);
  EXPECT_EQ(most_products(c), 1);
  c.term = add(prim::Family::FSub, x, product);
  EXPECT_EQ(most_products(c), 1);
}

// A thread that writes a thousand of them out takes a compiler a minute.
TEST(Products, AreManyWhereIntegersAreDivided) {
  recognize::Contraction c = examples::product(names).contraction;
  const nest::Expr at = nest::var(c.parallel[0].name, prim::Type::I64),
                   n = nest::var(names.fresh("n"), prim::Type::I64);
  auto taken_where = [&](const nest::Expr& divisor) {
    c.term = nest::select(nest::less(nest::mod(at, divisor), n), c.term, nest::constant(prim::Value::f32(0)));
    return most_products(c);
  };
  EXPECT_EQ(taken_where(nest::constant(int64_t{3})), 1);
  EXPECT_GT(taken_where(n), 16);
}

}  // namespace
}  // namespace heddle::contraction
