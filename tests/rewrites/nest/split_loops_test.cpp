#include "rewrites/nest/split_loops.h"

#include <gtest/gtest.h>

#include "ir/nest/printer.h"
#include "tests/ir/nest_examples.h"

namespace heddle::nest {
namespace {

using namespace examples;

const Name kN{"n", 1}, kB{"b", 2}, kQ{"q", 3}, kIn{"in", 4}, kOut{"out", 5};

std::string split(const Block& block, bool not_negative = true) {
  seg::NameSource names(10);
  return to_text(split_loops(block, names, no_definition, [&](const Expr&) { return not_negative; }));
}

Block loop_of(Expr value) {
  return {loop(Role::Serial, kQ, mul(v(kN), v(kB)), {store(kOut, {v(kQ)}, std::move(value))})};
}

TEST(SplitLoops, QuotientsAndRemaindersBecomeIndices) {
  Name i{"q", 10}, j{"q", 11};
  Block want = {
      loop(Role::Serial, i, v(kN),
           {loop(Role::Serial, j, v(kB), {store(kOut, {add(mul(v(i), v(kB)), v(j))}, at(kIn, {v(i), v(j)}))})})};
  EXPECT_EQ(split(loop_of(at(kIn, {div(v(kQ), v(kB)), mod(v(kQ), v(kB))}))), to_text(want));
}

TEST(SplitLoops, OtherLoopsStay) {
  Block no_division = loop_of(at(kIn, {v(kQ), v(kQ)}));
  EXPECT_EQ(split(no_division), to_text(no_division));
  Block two_divisors = loop_of(at(kIn, {div(v(kQ), v(kB)), mod(v(kQ), v(kN))}));
  EXPECT_EQ(split(two_divisors), to_text(two_divisors));
  Block other_extent = {loop(Role::Serial, kQ, v(kN), {store(kOut, {v(kQ)}, at(kIn, {div(v(kQ), v(kB))}))})};
  EXPECT_EQ(split(other_extent), to_text(other_extent));
}

TEST(SplitLoops, SizesThatMayBeNegativeStay) {
  // Minus two rows of minus three elements are six elements.
  Block block = loop_of(at(kIn, {div(v(kQ), v(kB)), mod(v(kQ), v(kB))}));
  EXPECT_EQ(split(block, false), to_text(block));
}

}  // namespace
}  // namespace heddle::nest
