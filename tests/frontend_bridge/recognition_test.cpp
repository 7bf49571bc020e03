// Which of the ways to write a contraction are recognized: every entry point of tests/programs/contractions, and why
// not where one is not.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/need.h"
#include "tests/runtime_io/process.h"

namespace {

using Table = std::map<std::string, std::string>;  // entry -> "contraction", or why the first kernel is none

nlohmann::json explained(const std::string& program) {
  std::string file = std::string(HEDDLE_SOURCE_DIR) + "/tests/programs/contractions/" + program + ".fut";
  ProcessResult r =
      run_process({"/usr/bin/env", std::string("HEDDLE_FUTHARK=") + FUTHARK, HEDDLE, "explain", "--json", file}, "");
  EXPECT_EQ(r.exit_code, 0) << r.err;
  return nlohmann::json::parse(r.out);
}

Table recognized(const std::string& program) {
  Table table;
  std::map<std::string, size_t> num_kernels;
  for (const auto& op : explained(program)) {
    std::string entry = op["entry"];
    if (++num_kernels[entry] == 1) table[entry] = op["match"] == "contraction" ? op["match"] : op["why"];
  }
  // A contraction is an entry point's only kernel: nothing is left of the host's other versions, but where it has one window of unknown
  // length, which cannot be split and may be too long for one thread.
  const std::set<std::string> long_windows = {"filter_1d", "stride_at_least_one", "causal", "triangle"};
  for (const auto& [entry, match] : table) {
    EXPECT_TRUE(match != "contraction" || num_kernels[entry] == 1 || long_windows.contains(entry)) << entry;
  }
  return table;
}

Table all_but(const std::set<std::string>& entries, Table others) {
  for (const std::string& e : entries) others.emplace(e, "contraction");
  return others;
}

class Recognition : public testing::Test {
 protected:
  void SetUp() override { HEDDLE_NEED(!std::string(FUTHARK).empty(), "there is no Futhark compiler"); }
};

TEST_F(Recognition, Convolutions) {
  EXPECT_EQ(recognized("convolutions"),
            all_but({"filter_1d", "accumulating_loop", "dilation_i32", "literal_filter", "dilated", "depthwise",
                     "bias_and_relu", "roots", "channels_last", "strided", "batched", "grouped", "convolution_3d"},
                    {}));
}

TEST_F(Recognition, Strides) {
  EXPECT_EQ(recognized("strides"),
            all_but({"strided", "strided_by_two", "strided_by_five", "strided_and_dilated_slices"}, {}));
}

TEST_F(Recognition, Padding) {
  EXPECT_EQ(
      recognized("padding"),
      all_but({"zero_padding", "zero_padding_of_products", "zero_padding_of_whole_products", "triangle", "sums_of_some",
               "not_in_the_first_row", "padding_by_concatenation", "causal", "backward_data", "of_two_images"},
              {}));
}

TEST_F(Recognition, Products) {
  // Rows that are read once are reduced by blocks.
  EXPECT_EQ(recognized("products"),
            all_but({"product_f64", "max_plus", "product_i32", "product_f16", "two_indices", "im2col"},
                    {{"matrix_vector", "it is a reduction of whole segments"}}));
}

// How many kernels of each entry point are tiled. Sums over small windows and products with a vector had better stay
// together; those of a complex product are one contraction.
TEST_F(Recognition, SeveralSums) {
  std::map<std::string, size_t> found;
  for (const auto& op : explained("several_sums")) found[op["entry"]] += !op["ways"].empty();
  EXPECT_EQ(found, (std::map<std::string, size_t>{{"complex_product", 1},
                                                  {"sobel", 0},
                                                  {"gradients", 0},
                                                  {"gate", 0},
                                                  {"sum_and_relu", 1},
                                                  {"scores", 1},
                                                  {"local_variance", 0}}));
}

TEST_F(Recognition, Flattened) {
  Table table = recognized("flattened");
  // The matrix is read by two maps, of which only one is a product.
  EXPECT_EQ(table["im2col_used_twice"], "there is no reduction");
  table.erase("im2col_used_twice");
  EXPECT_EQ(table, all_but({"flat_points", "flat_points_of_three", "flat_reduction", "flat_reduction_of_three",
                            "flat_operand", "reversed_and_flat", "im2col_of_padded", "stride_at_least_one", "any_of",
                            "all_of_all", "flat_matrices", "flat_image"},
                           {}));
}

}  // namespace
