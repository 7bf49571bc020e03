#include "rewrites/recipes/delinearize_operands.h"

#include <gtest/gtest.h>

#include "ir/nest/printer.h"
#include "tests/ir/nest_examples.h"

namespace heddle::lower {
namespace {

using namespace nest;
using namespace nest::examples;
using poly::Polynomial;
using prim::Type;

const Name kH{"h", 1}, kW{"w", 2}, kD{"d", 3}, kI{"i", 4}, kJ{"j", 5}, kK{"k", 6}, kIn{"in", 7}, kOut{"out", 8},
    kN{"n", 9};
Polynomial of(const Name& n) { return Polynomial::of(n); }

class UnflattenOperands : public ::testing::Test {
 protected:
  UnflattenOperands() {
    for (const Name& n : {kH, kW, kD}) facts_.size(n);
    facts_.index(kI, v(kH));
    facts_.index(kJ, v(kW));
    facts_.index(kK, v(kD));
  }

  // Of an array with so many elements that is read there.
  void run(const Expr& num_elems, const Polynomial& at) {
    c_.operands = {{Name{"x", 20}, kIn, Type::F32, {at}}};
    launch_.kernel.buffers = {buffer(kOut, Type::F32, Space::Global, {v(kH)}),
                              buffer(kIn, Type::F32, Space::Global, {num_elems})};
    launch_.buffer_args = {ResultArray{0}, HostArray{kIn}};
    condition_ = delinearize_operands(
        c_, launch_, facts_, [](const Name& n) { return n == kN || n == kW; }, names_);
  }

  // The operand's buffer, as "[h][w] at [i][j]".
  std::string seen() const {
    const recognize::Operand& o = c_.operands[0];
    const Buffer& b = *std::ranges::find(launch_.kernel.buffers, o.buffer, &Buffer::name);
    std::string text;
    for (const Expr& d : b.dims) text += "[" + to_text(d) + "]";
    text += " at ";
    for (const Polynomial& p : o.index) text += "[" + p.to_string() + "]";
    return text;
  }

  NameSource names_{100};
  Facts facts_{names_, no_definition};
  recognize::Contraction c_{{{kI, v(kH)}, {kK, v(kD)}},
                            {{kJ, v(kW)}},
                            {},
                            var(Name{"x", 20}, Type::F32),
                            prim::Op(prim::Family::FAdd, Type::F32),
                            prim::Value::of_float(Type::F32, 0),
                            Name{"sum", 21},
                            {kOut, {v(kI)}, var(Name{"sum", 21}, Type::F32)}};
  Launch launch_;
  Expr condition_;
};

TEST_F(UnflattenOperands, RowsBecomeADimension) {
  run(mul(v(kH), v(kW)), of(kI) * of(kW) + of(kJ));
  EXPECT_EQ(seen(), "[h_1][w_2] at [i_4][j_5]");
  // It is the same memory in another shape; the other is still there for what else reads it.
  ASSERT_EQ(launch_.kernel.buffers.size(), 3U);
  EXPECT_EQ(launch_.kernel.buffers[2].name, c_.operands[0].buffer);
  EXPECT_TRUE(equal(launch_.kernel.buffers[2].strides[0], v(kW)));
  EXPECT_EQ(int_constant(launch_.kernel.buffers[2].strides[1]), 1);
  ASSERT_EQ(launch_.buffer_args.size(), 3U);
  EXPECT_EQ(std::get<HostArray>(launch_.buffer_args[2]).name, kIn);
}

TEST_F(UnflattenOperands, SoDoPlanesAndRows) {
  run(mul(v(kD), mul(v(kH), v(kW))), of(kK) * of(kH) * of(kW) + of(kI) * of(kW) + of(kJ));
  EXPECT_EQ(seen(), "[d_3][h_1][w_2] at [k_6][i_4][j_5]");
}

TEST_F(UnflattenOperands, BackwardsToo) {
  run(mul(v(kH), v(kW)), of(kH) * of(kW) - 1 - of(kI) * of(kW) - of(kJ));
  EXPECT_EQ(seen(), "[h_1][w_2] at [h_1 - i_4 - 1][w_2 - j_5 - 1]");
}

TEST_F(UnflattenOperands, WhatReachesIntoTheNextRowStaysFlat) {
  run(mul(v(kH), v(kW)), of(kI) * of(kW) + of(kJ) + of(kK));
  EXPECT_EQ(launch_.kernel.buffers.size(), 2U);
  EXPECT_EQ(c_.operands[0].buffer, kIn);
  EXPECT_EQ(c_.operands[0].index.size(), 1U);
}

TEST_F(UnflattenOperands, SoDoArraysThatAreNoWholeRows) {
  run(add(mul(v(kH), v(kW)), constant(int64_t{1})), of(kI) * of(kW) + of(kJ));
  EXPECT_EQ(launch_.kernel.buffers.size(), 2U);
}

TEST_F(UnflattenOperands, RowsAreDemandedToBeWholeWhereTheHostCanTell) {
  run(mul(v(kH), v(kW)), of(kI) * of(kW) + of(kJ));
  EXPECT_EQ(condition_, nullptr);
  run(v(kN), of(kI) * of(kW) + of(kJ));
  EXPECT_EQ(seen(), "[n_9 / w_2][w_2] at [i_4][j_5]");
  EXPECT_EQ(to_text(condition_), "0 < w_2 && n_9 % w_2 < 1");
}

TEST_F(UnflattenOperands, SoDoStepsOfLiterals) {
  run(mul(v(kH), constant(int64_t{4})), 4 * of(kI) + 1);
  EXPECT_EQ(launch_.kernel.buffers.size(), 2U);
}

}  // namespace
}  // namespace heddle::lower
