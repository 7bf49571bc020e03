// In which order arrays of the host are known to lie.
#include "rewrites/points/layouts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "frontend_bridge/pipeline.h"

namespace heddle::lower {
namespace {

using Order = std::optional<std::vector<int>>;

// Of what this rearrangement makes of a row-major array of these sizes.
Order rearranged(const std::vector<std::string>& sizes, const std::vector<int>& perm) {
  std::string source, result;
  for (const std::string& n : sizes) source += "[" + n + "]";
  for (int d : perm) result += "[" + sizes[static_cast<size_t>(d)] + "]";
  const std::string text = fmt::format(R"(types {{}}
entry("main", {{n: i64}}, {{[][][]i32}})
  entry_main (n_1 : i64) : {{{1}i32}} = {{
  let {{a_2 : {0}i32}} = scratch(i32, {2})
  let {{b_3 : {1}i32}} = rearrange(({3}), a_2)
  in {{b_3}}
}})",
                                       source, result, fmt::join(sizes, ", "), fmt::join(perm, ", "));
  const Result<seg::Program> program = read_program(text, "test.fut_gpu");
  if (!program) throw std::runtime_error(program.error().message);
  return find_layouts(Device::Blocks, {}, &program->functions[0]).dense_perm({"b", 3});
}

TEST(Layouts, DimensionsChangePlaces) { EXPECT_EQ(rearranged({"n_1", "2i64", "3i64"}, {1, 2, 0}), Order({2, 0, 1})); }

TEST(Layouts, DimensionsOfOneElementLieAnywhere) {
  EXPECT_EQ(rearranged({"1i64", "n_1", "2i64"}, {1, 2, 0}), Order({0, 1, 2}));
  EXPECT_EQ(rearranged({"n_1", "1i64", "1i64"}, {2, 0, 1}), Order({0, 1, 2}));
  EXPECT_EQ(rearranged({"1i64", "1i64", "1i64"}, {2, 1, 0}), Order({0, 1, 2}));
}

TEST(Layouts, OthersChangePlacesBesideThem) {
  EXPECT_EQ(rearranged({"n_1", "1i64", "2i64"}, {2, 1, 0}), Order({2, 0, 1}));
}

}  // namespace
}  // namespace heddle::lower
