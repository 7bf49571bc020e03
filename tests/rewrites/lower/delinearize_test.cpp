#include "rewrites/recipes/delinearize.h"

#include <gtest/gtest.h>

#include "ir/nest/printer.h"
#include "tests/ir/nest_examples.h"

namespace heddle::lower {
namespace {

using namespace nest;
using namespace nest::examples;
using prim::Type;

const Name kN{"n", 1}, kB{"b", 2}, kQ{"q", 3}, kP{"p", 4}, kIn{"in", 5}, kOut{"out", 6};
const Name kOuter{"q", 10}, kInner{"q", 11};

class TakeApart : public ::testing::Test {
 protected:
  bool delinearize() { return lower::delinearize({kQ, v(kN), v(kB)}, {indices_, work_, buffers_}, names_); }

  NameSource names_{10};
  Expr whole_ = add(mul(v(kB), v(kOuter)), v(kInner));
  std::vector<recognize::Index> indices_ = {{kP, v(kN)}};
  std::vector<Buffer> buffers_ = {buffer(kOut, Type::F32, Space::Global, {v(kN), mul(v(kN), v(kB))})};
  Block work_;
};

TEST_F(TakeApart, LoopsBecomeTwo) {
  work_ = {loop(Role::Serial, kQ, mul(v(kN), v(kB)), {store(kOut, {v(kP), v(kQ)}, at(kIn, {v(kQ)}))})};
  ASSERT_TRUE(delinearize());
  Block want = {loop(Role::Serial, kOuter, v(kN),
                     {loop(Role::Serial, kInner, v(kB), {store(kOut, {v(kP), whole_}, at(kIn, {whole_}))})})};
  EXPECT_EQ(to_text(work_), to_text(want));
  EXPECT_EQ(indices_.size(), 1U);
  EXPECT_EQ(buffers_[0].dims.size(), 2U);
}

TEST_F(TakeApart, PointsGetADimensionMoreInTheResult) {
  indices_.push_back({kQ, mul(v(kN), v(kB))});
  work_ = {store(kOut, {v(kP), v(kQ)}, at(kIn, {v(kQ)}))};
  ASSERT_TRUE(delinearize());
  Block want = {store(kOut, {v(kP), v(kOuter), v(kInner)}, at(kIn, {whole_}))};
  EXPECT_EQ(to_text(work_), to_text(want));
  ASSERT_EQ(indices_.size(), 3U);
  EXPECT_EQ(indices_[1].name, kOuter);
  EXPECT_EQ(indices_[2].name, kInner);
  ASSERT_EQ(buffers_[0].dims.size(), 3U);
  EXPECT_TRUE(equal(buffers_[0].dims[1], v(kN)));
  EXPECT_TRUE(equal(buffers_[0].dims[2], v(kB)));
  EXPECT_TRUE(equal(buffers_[0].strides[1], v(kB)));
  EXPECT_EQ(int_constant(buffers_[0].strides[2]), 1);
}

TEST_F(TakeApart, ResultsThatAreReadStay) {
  indices_.push_back({kQ, mul(v(kN), v(kB))});
  work_ = {store(kOut, {v(kP), v(kQ)}, at(kOut, {v(kP), v(kQ)}))};
  std::string before = to_text(work_);
  EXPECT_FALSE(delinearize());
  EXPECT_EQ(to_text(work_), before);
  EXPECT_EQ(indices_.size(), 2U);
}

}  // namespace
}  // namespace heddle::lower
