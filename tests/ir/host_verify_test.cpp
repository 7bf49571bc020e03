// What the verifier of host programs finds.
#include "ir/host/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/host/reader.h"
#include "tests/ir/host_examples.h"

namespace heddle::host {
namespace {

const std::string kBefore = R"(failure (`is `, i64);
kernel doubled(n_101: i64, from_102: global f32[n_101], to_103: global f32[n_101]) {
  for block_104 in n_101 (grid) {
    for thread_105 in 1 (block) {
      to_103[block_104] := from_102[block_104] * 2.0f32;
    }
  }
}
entry `main` () : ()
takes (a_1: f32[], n_2: i64) {
)";

std::vector<std::string> problems(const std::string& statements) {
  Result<Program> program = read(kBefore + statements + "}\n");
  EXPECT_TRUE(program) << (program ? "" : program.error().message);
  return program ? verify(*program) : std::vector<std::string>{};
}

void expect(const std::string& statements, const std::string& problem) {
  EXPECT_THAT(problems(statements), testing::ElementsAre("main: " + problem)) << statements;
}

TEST(HostVerify, TakesArraysThatEndOnceOnEveryWay) {
  EXPECT_THAT(problems("alloc b_3: f32[n_2];\nlaunch 0 (n_2) (a_1, b_3);\nfree b_3;\n"), testing::IsEmpty());
  EXPECT_THAT(problems("alloc b_3: f32[n_2];\nalloc c_4: f32[n_2] from b_3;\nyield c_4;\n"), testing::IsEmpty());
  EXPECT_THAT(problems("alloc b_3: f32[1];\nloop (c_4: f32[] = b_3) for i_5 < n_2 { free c_4;\nalloc d_6: f32[2];\n"
                       "yield d_6; } giving (e_7);\nfree e_7;\n"),
              testing::IsEmpty());
}

TEST(HostVerify, FindsArraysThatDoNotEnd) {
  expect("alloc b_3: f32[n_2];\n", "the array b_3 does not end in its block");
  expect("if n_2 == 1 { share b_3 = a_1; } else { }\n", "the array b_3 does not end in its block");
  expect(
      "alloc b_3: f32[1];\nloop (c_4: f32[] = b_3) for i_5 < n_2 { alloc d_6: f32[2];\nyield d_6; } giving (e_7);\n"
      "free e_7;\n",
      "the array c_4 does not end in its block");
}

TEST(HostVerify, FindsArraysThatEndTwiceOrAreUsedBehindTheirEnd) {
  expect("share b_3 = a_1;\nfree b_3;\nfree b_3;\n", "b_3 is mentioned after its end");
  expect("alloc b_3: f32[n_2];\nfree b_3;\nfill b_3 := 1.0f32;\n", "b_3 is mentioned after its end");
  expect("alloc b_3: f32[n_2];\nalloc c_4: f32[n_2] from b_3;\nfree c_4;\nmeasure m_5 = size 0 of b_3;\n",
         "b_3 is mentioned after its end");
  expect("share b_3 = a_1;\nyield b_3, b_3;\n", "b_3 is mentioned after its end");
}

TEST(HostVerify, FindsElementsForTheHostInMemoryOfOthers) {
  EXPECT_THAT(problems("alloc b_3: f32[1] for host;\nfree b_3;\n"), testing::IsEmpty());
  expect("alloc b_3: f32[1];\nalloc c_4: f32[1] from b_3 for host;\nfree c_4;\n",
         "c_4 cannot be for the host in memory that it takes over");
}

TEST(HostVerify, FindsArraysThatEndWhereTheyMayNot) {
  expect("free a_1;\n", "a_1 is borrowed, so it cannot end here");
  expect("yield a_1;\n", "a_1 is borrowed, so it cannot end here");
  expect("share b_3 = a_1;\nif n_2 == 1 { free b_3; } else { }\n", "b_3 ends in another block than its own");
}

TEST(HostVerify, FindsNamesBoundTwice) {
  EXPECT_THAT(problems("let x_3: i64 = n_2;\nlet x_3: i64 = n_2;\n"), testing::Contains("main: x_3 is bound twice"));
  expect("if n_2 == 1 { let x_3: i64 = 1; } else { let x_3: i64 = 2; }\n", "x_3 is bound twice");
}

TEST(HostVerify, FindsWrongTypes) {
  expect("alloc b_3: f64[n_2];\nlaunch 0 (n_2) (a_1, b_3);\nfree b_3;\n",
         "doubled takes another buffer than b_3 for to_103");
  expect("launch 0 () (a_1);\n", "doubled takes 1 scalars and 2 buffers, not 0 and 1");
  expect("launch 1 () ();\n", "there is no kernel 1");
  expect("launch chosen () ();\n", "a chosen kernel is launched where none is chosen");
  expect("read x_3: f32 = a_1[0][0];\n", "a_1 has 1 dimensions, not 2");
  expect("read x_3: i32 = a_1[0];\n", "a_1 has elements of type f32");
  expect("slice b_3 = a_1[0];\n", "the slice b_3 has no dimensions");
  expect("rearrange b_3 = a_1 (1);\nfree b_3;\n", "the order of b_3 is no permutation of its dimensions");
  expect("measure m_3 = size 1 of a_1;\n", "a_1 has no dimension 1");
  expect("param p_3 = `main.p`;\n", "there is no tuning parameter main.p");
  expect("assert true else failure 0 ();\n", "failure 0 takes other arguments");
  expect("assert true else failure 1 ();\n", "there is no failure 1");
  expect("ask p_3 = detour_pays (n_2, n_2, n_2, n_2);\n", "p_3 is asked outside of a way");
  expect("if true { yield 1; } else { } giving (x_3: i64);\n", "a block yields 0 values where 1 are expected");
  expect("if true { yield 1; } else { yield 1i32; } giving (x_3: i64);\n", "a yield is i32 where i64 is expected");
  expect("loop (x_3: i64 = 1i32) for i_4 < n_2 { yield x_3; } giving (y_5);\n",
         "the initial value of a loop is i32 where i64 is expected");
}

TEST(HostVerify, HasWaysYieldWhetherTheyDoAndNothingElse) {
  auto problems_of = [](const std::string& yield) {
    std::string text = examples::kEverything;
    const std::string before = "      yield 1 < n_4;\n";
    text.replace(text.find(before), before.size(), yield);
    Result<Program> program = read(text, "everything");
    EXPECT_TRUE(program) << (program ? "" : program.error().message);
    return program ? verify(*program) : std::vector<std::string>{};
  };
  EXPECT_THAT(problems_of(""), testing::IsEmpty());
  EXPECT_THAT(problems_of("yield true;\n"), testing::IsEmpty());
  EXPECT_THAT(problems_of("yield n_4;\n"),
              testing::ElementsAre(testing::HasSubstr("a yield is i64 where bool is expected")));
  EXPECT_THAT(problems_of("yield true, true;\n"), testing::ElementsAre(testing::HasSubstr("yields 2 values")));
}

TEST(HostVerify, FindsFailuresOfKernelsThatTheProgramLacks) {
  auto problems_of = [](const std::string& statement) {
    Result<Program> program = read("failure (`is `, i64);\nkernel k() {\n  " + statement + "\n}\n", "kernels");
    EXPECT_TRUE(program) << (program ? "" : program.error().message);
    return program ? verify(*program) : std::vector<std::string>{};
  };
  EXPECT_THAT(problems_of("fail 0(7);"), testing::IsEmpty());
  EXPECT_THAT(problems_of("fail 1(7);"), testing::ElementsAre("k: there is no failure 1"));
  EXPECT_THAT(problems_of("fail 0(true);"), testing::ElementsAre("k: failure 0 takes other arguments"));
}

}  // namespace
}  // namespace heddle::host
