// Contractions of which more is asked than a tiling has room for: what becomes of them, and of those just below.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "runtime/device/limits.h"
#include "tests/frontend_bridge/cpu_as_gpu_fixture.h"

namespace {

// Sums of products of two matrices' elements, seen with so many offsets, and so many operands: of 5 it is
//   a[i,l]*b[l,j] + a[i+1,l]*b[l,j+1] + a[i+2,l]
// On integers, for which the order of a sum does not matter.
std::string entry(const std::string& name, int num_operands) {
  std::string term;
  for (int o = 0; o < num_operands; o += 2) {
    term += fmt::format("{}a[i+{},l]", o > 0 ? " + " : "", o / 2);
    if (o + 1 < num_operands) term += fmt::format("*b[l,j+{}]", o / 2);
  }
  int offsets = (num_operands - 1) / 2;
  return fmt::format(
      "entry {} [n][m][k] (a: [n][k]i32) (b: [k][m]i32) : [][]i32 =\n"
      "  tabulate_2d (n-{}) (m-{}) (\\i j -> i32.sum (map (\\l -> #[unsafe] {}) (iota k)))\n",
      name, offsets, offsets, term);
}

class Limits : public CpuAsGpu {
 protected:
  // What is said of each entry point's parallel operations.
  nlohmann::json explained(const std::string& program) const {
    write("limits.fut", program);
    ProcessResult r = run({HEDDLE, "explain", "--json", "limits.fut"});
    EXPECT_EQ(r.exit_code, 0) << r.err;
    return nlohmann::json::parse(r.out);
  }
  // As heddle compiles it, with these flags for the C compiler, compared with what generic kernels compute; its log.
  std::string ran(const std::string& program, const std::string& entry, const std::string& cflags) const {
    write("limits.fut", program);
    ProcessResult made = run({"CFLAGS=" + cflags, HEDDLE, "cuda", "limits.fut"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    std::string data =
        run({FUTHARK, "dataset", "-b", "--i32-bounds=-9:9", "-g", "[40][13]i32", "-g", "[13][39]i32"}).out;
    // The pretended driver leaks what it hands out.
    const std::string leaks = "ASAN_OPTIONS=detect_leaks=0";
    ProcessResult expected = run({leaks, "./limits", "-b", "-e", entry, "--specialize-after=-1"}, data),
                  got = run({leaks, "./limits", "-b", "-L", "-e", entry, "--specialize-after=0"}, data);
    EXPECT_EQ(expected.exit_code, 0) << expected.err;
    EXPECT_EQ(got.exit_code, 0) << got.err;
    EXPECT_EQ(got.out, expected.out);
    return got.err;
  }
};

TEST_F(Limits, OfOperandsDecideWhatIsTiled) {
  const std::string program = entry("most", HD_MAX_TILED_OPERANDS) + entry("too_many", HD_MAX_TILED_OPERANDS + 1);
  nlohmann::json ops = explained(program);
  const std::string reason = fmt::format("not tiled, because there are {} operands, and tilings have room for {}",
                                         HD_MAX_TILED_OPERANDS + 1, HD_MAX_TILED_OPERANDS);
  size_t num_too_many = 0;
  for (const auto& op : ops) {
    if (op["entry"] == "most") {
      EXPECT_EQ(op["match"], "contraction") << op;
      EXPECT_FALSE(op["ways"].empty()) << op;
    } else {
      EXPECT_TRUE(op["ways"].empty()) << op;
      num_too_many += op["why"].get<std::string>().ends_with(reason);
    }
  }
  EXPECT_EQ(num_too_many, 1U) << ops;
  ProcessResult text = run({HEDDLE, "explain", "limits.fut"});
  EXPECT_NE(text.out.find(reason), std::string::npos) << text.out;
}

// Of the host's versions, one is a contraction: unless it is tiled the others stay, such as that with a reduction by
// many threads.
TEST_F(Limits, WhatIsNotTiledKeepsTheOtherVersions) {
  nlohmann::json ops = explained(entry("most", HD_MAX_TILED_OPERANDS) + entry("too_many", HD_MAX_TILED_OPERANDS + 1));
  std::map<std::string, size_t> num_ops;
  for (const auto& op : ops) ++num_ops[op["entry"]];
  EXPECT_EQ(num_ops["most"], 1U) << ops;
  EXPECT_GT(num_ops["too_many"], 1U) << ops;
}

TEST_F(Limits, AsManyOperandsAsThereMayBeAreTiled) {
  std::string log = ran(entry("most", HD_MAX_TILED_OPERANDS), "most", "-O0");
  EXPECT_EQ(lines_after(log, "Specialized ").size(), 1U) << log;
}

// Under AddressSanitizer, since requests for their kernels once were written beyond their memory.
TEST_F(Limits, ManyMoreOperandsAreComputedWithoutTiles) {
  std::string log = ran(entry("many", 26), "many", "-O0 -g1 -fsanitize=address");
  EXPECT_EQ(lines_after(log, "Chose in ").size(), 0U) << log;
}

}  // namespace
