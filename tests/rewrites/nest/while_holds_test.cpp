// How a thread does nothing more once its flag has been lowered.
#include "rewrites/nest/while_holds.h"

#include "ir/nest/eval.h"
#include "ir/nest/printer.h"
#include "ir/nest/verify.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

const Name kFlag{"ok", 9};

// A kernel of one thread with this body behind the flag.
Kernel flagged(const std::string& statements) {
  return kernel_of(R"(kernel small(n_1: i64, in_5: global i64[n_1], out_7: global i64[n_1], last_8: global i64[1]) {
  alloc ok_9: register bool;
  ok_9[] := true;
)" + statements + "}\n");
}

std::string became(const std::string& statements) {
  Kernel k = flagged(statements);
  Block rest(k.body.begin() + 2, k.body.end());
  return to_text(while_holds(rest, kFlag));
}

std::string as_text(const std::string& statements) {
  Kernel k = flagged(statements);
  return to_text(Block(k.body.begin() + 2, k.body.end()));
}

const std::string kLower = "if n_1 < in_5[0] { ok_9[] := false; }", kStore = "out_7[0] := 1;",
                  kLast = "last_8[0] := 2;";

TEST(WhileHolds, WhatStandsBefore) { EXPECT_EQ(became(kStore + kLower), as_text(kStore + kLower)); }

TEST(WhileHolds, NotWhatStandsBehind) {
  EXPECT_EQ(became(kLower + kStore + kLast), as_text(kLower + "if ok_9[] {" + kStore + kLast + "}"));
}

TEST(WhileHolds, TwiceWhereItMayBeLoweredTwice) {
  EXPECT_EQ(became(kLower + kStore + kLower + kLast),
            as_text(kLower + "if ok_9[] {" + kStore + kLower + "if ok_9[] {" + kLast + "} }"));
}

TEST(WhileHolds, NotIterationsThatFollow) {
  EXPECT_EQ(became("for i_10 in n_1 (serial) {" + kLower + kStore + "}" + kLast),
            as_text("for i_10 in n_1 (serial) { if ok_9[] {" + kLower + "if ok_9[] {" + kStore + "} } } if ok_9[] {" +
                    kLast + "}"));
  EXPECT_EQ(became("while last_8[0] < 3 {" + kLower + kLast + "}"),
            as_text("while ok_9[] && last_8[0] < 3 {" + kLower + "if ok_9[] {" + kLast + "} }"));
}

TEST(WhileHolds, NotBehindBranches) {
  EXPECT_EQ(became("if n_1 < 3 {" + kLower + kStore + "} else {" + kStore + "}" + kLast),
            as_text("if n_1 < 3 {" + kLower + "if ok_9[] {" + kStore + "} } else {" + kStore + "} if ok_9[] {" + kLast +
                    "}"));
}

// Stores the sums of the first elements, up to the first that is negative.
TEST(WhileHolds, LeavesTheRestUndone) {
  Kernel k = flagged(R"(
  last_8[0] := 0;
  for i_10 in n_1 (serial) {
    if in_5[i_10] < 0 { ok_9[] := false; }
    last_8[0] := last_8[0] + in_5[i_10];
    out_7[i_10] := last_8[0];
  }
  last_8[0] := 100;
)");
  Block rest = while_holds(Block(k.body.begin() + 2, k.body.end()), kFlag);
  k.body.resize(2);
  k.body.insert(k.body.end(), rest.begin(), rest.end());
  EXPECT_EQ(verify(k), std::vector<std::string>{});
  auto numbers = [](const std::vector<int64_t>& list) {
    std::vector<prim::Value> values;
    for (int64_t x : list) values.push_back(prim::Value::i64(x));
    return memory_of(values);
  };
  std::vector<Memory> buffers = {numbers({1, 2, -3, 4}), numbers({0, 0, 0, 0}), numbers({0})};
  Outcome outcome = evaluate(k, {prim::Value::i64(4)}, buffers);
  ASSERT_FALSE(outcome.problem) << outcome.problem->text;
  EXPECT_EQ(buffers[1].data, numbers({1, 3, 0, 0}).data);
  EXPECT_EQ(buffers[2].data, numbers({3}).data);
}

}  // namespace
}  // namespace heddle::nest
