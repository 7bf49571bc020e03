#include "rewrites/contraction/reuse.h"

#include <gtest/gtest.h>

#include "ir/nest/traverse.h"
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

}  // namespace
}  // namespace heddle::contraction
