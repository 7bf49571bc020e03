// Groups whose stages read each other in their own column alone.
#include "rewrites/stencil/columns.h"

#include <gtest/gtest.h>

#include "tests/rewrites/stencil/small_pipelines.h"

namespace heddle::stencil {
namespace {

using namespace examples;  // NOLINT: test vocabulary

Pipeline of(std::vector<Stage> stages) {
  stages.back().live_out = true;
  return examples::pipeline({{"img", examples::size(2048, 2048)}}, std::move(stages));
}

std::optional<int64_t> around(const Pipeline& p) { return rows_around_columns(p, whole(p)); }

TEST(Columns, SufficeForRowsThenColumns) {
  EXPECT_EQ(around(of({local("rows", {examples::around(input(), {0, 2})}),
                       local("columns", {examples::around(stage(0), {1, 0})})})),
            2);
}

// The first stage in rows of all that the stages behind it read.
TEST(Columns, SufficeForWhatFollows) {
  EXPECT_EQ(
      around(of(
          {local("rows", {examples::around(input(), {0, 2})}), local("columns", {examples::around(stage(0), {1, 0})}),
           local("twice", {examples::around(stage(1), {3, 0})}), point("sharp", {same(stage(2)), same(stage(0))})})),
      8);
}

TEST(Columns, DoNotSufficeForOtherColumns) {
  EXPECT_EQ(around(of({local("columns", {examples::around(input(), {2, 0})}),
                       local("rows", {examples::around(stage(0), {0, 1})})})),
            std::nullopt);
  EXPECT_EQ(around(unsharp_of_polymage()), std::nullopt);
}

// Where nothing lies below or above, a stage is computed with its reader's point as it is.
TEST(Columns, AreNotNeededForPoints) {
  EXPECT_EQ(around(of({local("rows", {examples::around(input(), {0, 2})}), point("twice", {same(stage(0))})})),
            std::nullopt);
}

TEST(Columns, DoNotSufficeForWhatOthersRead) {
  Stage rows = local("rows", {examples::around(input(), {0, 2})});
  rows.live_out = true;
  EXPECT_EQ(around(of({rows, local("columns", {examples::around(stage(0), {1, 0})})})), std::nullopt);
}

// The other end of the image is in no thread's column.
TEST(Columns, DoNotSufficeForTori) {
  EXPECT_EQ(around(of({local("rows", {examples::around(input(), {0, 2})}),
                       local("columns", {examples::around(stage(0), {1, 0}, Border::Wrap)})})),
            std::nullopt);
}

}  // namespace
}  // namespace heddle::stencil
