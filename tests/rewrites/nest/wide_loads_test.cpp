// Which loads become one, and which stay by themselves.
#include "rewrites/nest/wide_loads.h"

#include "ir/nest/printer.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

const std::string kPlaces =
    "let p_10: i64 = 4 * t_2; let p_11: i64 = 4 * t_2 + 1; let p_12: i64 = 4 * t_2 + 2; "
    "let p_13: i64 = 4 * t_2 + 3;";

Kernel kernel_with(const std::string& statements) {
  return kernel_of(
      R"(kernel small(n_1: i64, t_2: i64, a_5: global f32[n_1], b_6: global f64[n_1], c_7: global f32[n_1], d_8: global f64[n_1]) {
)" + kPlaces +
      statements + "}\n");
}

// Of a kernel whose first two buffers may be read at once.
Block made_of(const Kernel& k) {
  NameSource names(100);
  return wide_loads(k.body, {Name{"p", 10}, Name{"p", 11}, Name{"p", 12}, Name{"p", 13}}, {k.buffers[0], k.buffers[1]},
                    names);
}

void expect_becomes(const std::string& before, const std::string& after) {
  EXPECT_EQ(to_text(made_of(kernel_with(before))), to_text(kernel_with(after).body));
}

// x_20 to x_23, from these elements.
std::string values(const std::string& type, const std::string& buffer, const std::vector<std::string>& elements) {
  std::string text;
  for (size_t k = 0; k < elements.size(); ++k)
    text += fmt::format("let x_{}: {} = {}[{}];", 20 + k, type, buffer, elements[k]);
  return text;
}

const std::vector<std::string> kAtPlaces = {"p_10", "p_11", "p_12", "p_13"}, kInOrder = {"0", "1", "2", "3"};
const std::string kSum = "c_7[t_2] := x_20 + x_21 + x_22 + x_23;",
                  kSumOfLong = "d_8[t_2] := x_20 + x_21 + x_22 + x_23;";

TEST(WideLoads, OfAllPlaces) {
  expect_becomes(values("f32", "a_5", kAtPlaces) + kSum,
                 "alloc wide_100: register f32[4]; for e_101 in 4 (vector) { wide_100[e_101] := a_5[p_10 + e_101]; }" +
                     values("f32", "wide_100", kInOrder) + kSum);
}

TEST(WideLoads, AreNoWiderThanAnAccess) {
  expect_becomes(values("f64", "b_6", kAtPlaces) + kSumOfLong,
                 "alloc wide_100: register f64[4]; for e_101 in 2 (vector) { wide_100[e_101] := b_6[p_10 + e_101]; }"
                 "for e_102 in 2 (vector) { wide_100[2 + e_102] := b_6[p_10 + (2 + e_102)]; }" +
                     values("f64", "wide_100", kInOrder) + kSumOfLong);
}

TEST(WideLoads, OfOneRow) {
  auto kernel = [](const std::string& statements) {
    return kernel_of(
        R"(kernel small(n_1: i64, t_2: i64, r_3: i64, a_5: global f32[n_1][n_1], b_6: global f64[n_1], c_7: global f32[n_1]) {
)" + kPlaces +
        statements + "}\n");
  };
  auto rows = [](const std::vector<std::string>& names) {
    std::vector<std::string> elements;
    for (size_t k = 0; k < names.size(); ++k) elements.push_back(names[k] + "][" + kAtPlaces[k]);
    return values("f32", "a_5", elements);
  };
  EXPECT_EQ(to_text(made_of(kernel(rows({"r_3", "r_3", "r_3", "r_3"}) + kSum))),
            to_text(kernel("alloc wide_100: register f32[4]; "
                           "for e_101 in 4 (vector) { wide_100[e_101] := a_5[r_3][p_10 + e_101]; }" +
                           values("f32", "wide_100", kInOrder) + kSum)
                        .body));
  const Kernel others = kernel(rows({"r_3", "r_3", "t_2", "r_3"}) + kSum);
  EXPECT_EQ(to_text(made_of(others)), to_text(others.body));
}

TEST(WideLoads, NotWhereOnePlaceIsNotRead) {
  const std::string before = values("f32", "a_5", {"p_10", "p_11", "p_12", "n_1 - 1"}) + kSum;
  expect_becomes(before, before);
}

TEST(WideLoads, NotOfWhatIsWritten) {
  const std::string before = values("f32", "c_7", kAtPlaces) + kSum;
  expect_becomes(before, before);
}

}  // namespace
}  // namespace heddle::nest
