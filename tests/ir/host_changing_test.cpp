// What may change from one round of a host loop to the next.
#include "ir/host/changing.h"

#include <gmock/gmock.h>

#include "ir/host/reader.h"

namespace heddle::host {
namespace {

std::vector<std::string> changing(const std::string& statements) {
  Result<Program> program = read("entry `main` () : ()\ntakes (a_1: f32[], n_2: i64) {\n" + statements + "}\n");
  EXPECT_TRUE(program) << (program ? "" : program.error().message);
  std::vector<std::string> names;
  for (const Name& n : changing_names(program->functions[0].body)) names.push_back(n.base);
  return names;
}

using testing::UnorderedElementsAre;

TEST(Changing, IsWhatFollowsFromTheRound) {
  EXPECT_THAT(changing("  let before_3: i64 = n_2 + 1;\n"
                       "  loop (k_4: i64 = n_2) for i_5 < n_2 {\n"
                       "    let left_6: i64 = n_2 - i_5;\n"
                       "    let half_7: i64 = before_3 * 2;\n"
                       "    let both_8: i64 = half_7 + left_6;\n"
                       "    alloc rest_9: f32[left_6];\n"
                       "    measure size_10 = size 0 of rest_9;\n"
                       "    measure all_11 = size 0 of a_1;\n"
                       "    free rest_9;\n"
                       "    yield both_8;\n"
                       "  } giving (end_12);\n"
                       "  let behind_13: i64 = end_12 + 1;\n"),
              UnorderedElementsAre("k", "i", "left", "both", "rest", "size"));
}

TEST(Changing, IsWhatIsReadInALoop) {
  EXPECT_THAT(changing("  read before_3: f32 = a_1[0];\n"
                       "  loop () for i_4 < n_2 {\n"
                       "    read within_5: f32 = a_1[0];\n"
                       "    let of_both_6: f32 = before_3 + within_5;\n"
                       "    let same_7: f32 = before_3 + 1.0f32;\n"
                       "  }\n"),
              UnorderedElementsAre("i", "within", "of_both"));
}

TEST(Changing, IsWhatAnInnerLoopLeavesInAnOuterOne) {
  EXPECT_THAT(changing("  loop () for i_3 < n_2 {\n"
                       "    loop (k_4: i64 = n_2) for j_5 < n_2 {\n"
                       "      let next_6: i64 = k_4 + i_3;\n"
                       "      yield next_6;\n"
                       "    } giving (end_7);\n"
                       "    loop (m_8: i64 = n_2) for j_9 < n_2 {\n"
                       "      let other_10: i64 = m_8 + 1;\n"
                       "      yield other_10;\n"
                       "    } giving (same_11);\n"
                       "  }\n"),
              UnorderedElementsAre("i", "k", "j", "next", "end", "m", "j", "other"));
}

}  // namespace
}  // namespace heddle::host
