// Branches that only choose integers.
#include "rewrites/nest/choices.h"

#include "ir/nest/printer.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;  // NOLINT: test vocabulary

// A point (i, j) of n x m that does this, as it is with choices.
std::string with_choices_in(const std::string& statements) {
  Kernel kernel = kernel_of(
      "kernel k(n_1: i64, m_2: i64, in_5: global i32[n_1][m_2], out_7: global i32[n_1][m_2]) "
      "{ for i_10 in n_1 (serial) { for j_11 in m_2 (serial) {" +
      statements + "} } }");
  const auto& rows = std::get<For>(kernel.body[0]->node);
  return to_text(with_choices(std::get<For>(rows.body[0]->node).body));
}

TEST(Choices, BecomeSelects) {
  EXPECT_EQ(with_choices_in("alloc at_30: register i64;"
                            "if i_10 < 2 { let t_31: i64 = 0 - i_10; at_30[] := t_31; } else { at_30[] := i_10; }"
                            "let x_32: i64 = at_30[]; out_7[x_32][j_11] := 0i32;"),
            "let t_31: i64 = 0 - i_10;\n"
            "let at_30: i64 = i_10 < 2 ? t_31 : i_10;\n"
            "let x_32: i64 = at_30;\n"
            "out_7[x_32][j_11] := 0i32;\n");
}

TEST(Choices, WithinChoices) {
  EXPECT_EQ(with_choices_in(
                "alloc at_30: register i64;"
                "if i_10 < 2 { at_30[] := 0; } else { if i_10 < 5 { at_30[] := j_11; } else { at_30[] := i_10; } }"
                "out_7[at_30[]][j_11] := 0i32;"),
            "let at_30: i64 = i_10 < 2 ? 0 : i_10 < 5 ? j_11 : i_10;\n"
            "out_7[at_30][j_11] := 0i32;\n");
}

// What reads memory, may fail or chooses constants stays where it is.
TEST(Choices, StayBranchesWhereComputingBothIsNotHarmless) {
  for (const char* statements : {"alloc at_30: register i32;\n"
                                 "if i_10 < 2 {\n  at_30[] := in_5[i_10][j_11];\n} else {\n  at_30[] := 0i32;\n}\n"
                                 "out_7[i_10][j_11] := at_30[];\n",
                                 "alloc at_30: register i64;\n"
                                 "if 0 < i_10 {\n  at_30[] := j_11 / i_10;\n} else {\n  at_30[] := 0;\n}\n"
                                 "out_7[at_30[]][j_11] := 0i32;\n",
                                 "alloc at_30: register i64;\n"
                                 "if in_5[i_10][j_11] < 2i32 {\n  at_30[] := i_10;\n} else {\n  at_30[] := 0;\n}\n"
                                 "out_7[at_30[]][j_11] := 0i32;\n",
                                 "alloc at_30: register i64;\n"
                                 "if i_10 < 2 {\n  at_30[] := 1;\n} else {\n  at_30[] := 0;\n}\n"
                                 "out_7[at_30[]][j_11] := 0i32;\n"})
    EXPECT_EQ(with_choices_in(statements), statements);
}

TEST(Choices, StayRegistersWhereTheyAreWrittenAgain) {
  const char* statements =
      "alloc at_30: register i64;\n"
      "at_30[] := 0;\n"
      "for k_12 in 5 (serial) {\n  at_30[] := at_30[] + k_12;\n}\n"
      "out_7[at_30[]][j_11] := 0i32;\n";
  EXPECT_EQ(with_choices_in(statements), statements);
}

}  // namespace
}  // namespace heddle::nest
