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

std::string array_type(const std::vector<std::string>& sizes) {
  return sizes.empty() ? "i32" : fmt::format("[{}]i32", fmt::join(sizes, "]["));
}

// Of b, which is made of a row-major array a of these sizes in these ways, one of the other.
struct Made {
  std::vector<std::string> sizes;
  std::string by;
};
Order made(std::vector<std::string> sizes, const std::vector<Made>& steps) {
  std::string body = fmt::format("let {{a_10 : {}}} = scratch(i32, {})", array_type(sizes), fmt::join(sizes, ", "));
  int last = 10;
  for (const Made& step : steps) {
    body += fmt::format("\n  let {{a_{} : {}}} = {}", last + 1, array_type(step.sizes),
                        fmt::format(fmt::runtime(step.by), fmt::format("a_{}", last)));
    sizes = step.sizes;
    ++last;
  }
  const std::string type = array_type(sizes);
  std::string brackets;
  for (size_t d = 0; d < sizes.size(); ++d) brackets += "[]";
  const std::string text = fmt::format(R"(types {{}}
entry("main", {{n: i64, m: i64, i: i64}}, {{{2}i32}})
  entry_main (n_1 : i64, m_2 : i64, i_3 : i64) : {{{0}}} = {{
  {1}
  in {{a_{3}}}
}})",
                                       type, body, brackets, last);
  const Result<seg::Program> program = read_program(text, "test.fut_gpu");
  if (!program) throw std::runtime_error(program.error().message);
  return find_layouts(Device::Blocks, {}, &program->functions[0]).dense_perm({"a", last});
}

// Of what this rearrangement makes of a row-major array of these sizes.
Order rearranged(const std::vector<std::string>& sizes, const std::vector<int>& perm) {
  std::vector<std::string> result;
  for (int d : perm) result.push_back(sizes[static_cast<size_t>(d)]);
  return made(sizes, {{result, fmt::format("rearrange(({}), {{}})", fmt::join(perm, ", "))}});
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

const std::vector<std::string> kSizes = {"2i64", "n_1", "m_2"};

TEST(Layouts, WindowsOfWholeRowsAreDense) {
  EXPECT_EQ(made(kSizes, {{{"n_1", "m_2"}, "{}[i_3, 0i64 :+ n_1 * 1i64, 0i64 :+ m_2 * 1i64]"}}), Order({0, 1}));
  EXPECT_EQ(made(kSizes, {{{"4i64", "m_2"}, "{}[i_3, i_3 :+ 4i64 * 1i64, 0i64 :+ m_2 * 1i64]"}}), Order({0, 1}));
  EXPECT_EQ(made(kSizes, {{{"4i64"}, "{}[i_3, i_3, i_3 :+ 4i64 * 1i64]"}}), Order(std::vector{0}));
  EXPECT_EQ(made(kSizes, {{{"n_1", "m_2"}, "{}[i_3, 0i64 :+ n_1 * 1i64, 0i64 :+ m_2 * 1i64]"},
                          {{"m_2", "n_1"}, "rearrange((1, 0), {})"},
                          {{"m_2"}, "{}[0i64 :+ m_2 * 1i64, i_3]"}}),
            Order(std::vector{0}));
}

TEST(Layouts, OtherWindowsAreNot) {
  // Parts of rows, every second row, and what lies between other elements.
  EXPECT_EQ(made(kSizes, {{{"n_1", "i_3"}, "{}[0i64, 0i64 :+ n_1 * 1i64, 0i64 :+ i_3 * 1i64]"}}), Order());
  EXPECT_EQ(made(kSizes, {{{"n_1", "m_2"}, "{}[0i64, 0i64 :+ n_1 * 1i64, 1i64 :+ m_2 * 1i64]"}}), Order());
  EXPECT_EQ(made(kSizes, {{{"i_3", "m_2"}, "{}[0i64, 0i64 :+ i_3 * 2i64, 0i64 :+ m_2 * 1i64]"}}), Order());
  EXPECT_EQ(made(kSizes, {{{"n_1"}, "{}[0i64, 0i64 :+ n_1 * 1i64, i_3]"}}), Order());
  EXPECT_EQ(made(kSizes, {{{"2i64", "m_2"}, "{}[0i64 :+ 2i64 * 1i64, i_3, 0i64 :+ m_2 * 1i64]"}}), Order());
}

}  // namespace
}  // namespace heddle::lower
