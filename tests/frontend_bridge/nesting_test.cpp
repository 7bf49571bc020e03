// Programs that nest deeply: what a program generator writes is compiled and runs, and what is deeper is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/runtime_io/process.h"

namespace {

// if x == 0 then f 0 else if x == 1 then f 1 ... else 7, as r_100, where f i = y * (i mod 97 + 2) + i.
std::string chain(const std::string& x, const std::string& y, int length) {
  std::string text;
  for (int i = 0; i < length; ++i) {
    int tag = 100 + 4 * i;
    text += fmt::format(
        "let {{c_{} : bool}} = eq_i32({}, {}i32)\nlet {{r_{} : i32}} = if c_{} then {{\n"
        "let {{a_{} : i32}} = mul32({}i32, {})\nlet {{b_{} : i32}} = add32(a_{}, {}i32)\nin {{b_{}}} }} else {{\n",
        tag + 1, x, i, tag, tag + 1, tag + 2, i % 97 + 2, y, tag + 3, tag + 2, i, tag + 3);
  }
  text += "7i32 }";
  for (int i = length - 1; i > 0; --i) text += fmt::format(" : {{i32}} in {{r_{}}} }}\n", 100 + 4 * i);
  return text + " : {i32}\n";
}

int value(int x, int y, int length) { return x < 0 || x >= length ? 7 : y * (x % 97 + 2) + x; }

std::string on_host(int length) {
  return "types {}\nentry(\"main\", {x: i32, y: i32}, {i32})\nentry_main (x_1 : i32, y_2 : i32) : {i32} = {\n" +
         chain("x_1", "y_2", length) + "in {r_100}\n}\n";
}

std::string in_kernel(int length) {
  return R"(types {}
entry("main", {xs: []i32}, {[]i32})
entry_main (n_1 : i64, xs_2 : [n_1]i32) : {[n_1]i32} = {
  let {size_4 : i64} = get_size(size_4, thread_block_size)
  let {groups_5 : i64} = sdiv_up64(n_1, size_4)
  let {res_6 : [n_1]i32} = segmap(thread; ; grid=groups_5; blocksize=size_4) (gtid_7 < n_1) (~tid_8) : {i32} {
    let {x_9 : i32} = xs_2[gtid_7]
)" + chain("x_9", "x_9", length) +
         "    return {returns r_100}\n  }\n  in {res_6}\n}\n";
}

// The deepest nesting of brackets in C text.
int brackets(const std::string& text) {
  int depth = 0, deepest = 0;
  for (char c : text) {
    if (c == '(' || c == '{' || c == '[') deepest = std::max(deepest, ++depth);
    if (c == ')' || c == '}' || c == ']') --depth;
  }
  return deepest;
}

class Nesting : public testing::Test {
 protected:
  void compile(const std::string& program) {
    write_file(folder_.path("deep.fut_gpu"), program);
    ProcessResult r =
        run_process({"/usr/bin/env", "-C", folder_.path(""), "CFLAGS=-O0", HEDDLE, "cpu", "deep.fut_gpu"}, "");
    ASSERT_EQ(r.exit_code, 0) << r.err;
    // clang takes 256.
    EXPECT_LT(brackets(read_file(folder_.path("deep.c"))), 100);
  }
  std::string run(const std::string& input) {
    ProcessResult r = run_process({folder_.path("deep")}, input);
    EXPECT_EQ(r.exit_code, 0) << r.err;
    return r.out;
  }

  TemporaryFolder folder_;
};

TEST_F(Nesting, LongChainOnTheHost) {
  constexpr int kLength = 2000;
  compile(on_host(kLength));
  for (int x : {0, 1, 15, 16, 17, 1000, kLength - 1, kLength, -1})
    EXPECT_EQ(run(fmt::format("{}i32 11i32", x)), fmt::format("{}i32\n", value(x, 11, kLength))) << x;
}

TEST_F(Nesting, LongChainInAKernel) {
  constexpr int kLength = 2000;
  compile(in_kernel(kLength));
  std::vector<std::string> given, expected;
  for (int x : {0, 1, 15, 16, 17, 1000, kLength - 1, kLength, -1}) {
    given.push_back(fmt::format("{}i32", x));
    expected.push_back(fmt::format("{}i32", value(x, x, kLength)));
  }
  EXPECT_EQ(run(fmt::format("[{}]", fmt::join(given, ", "))), fmt::format("[{}]\n", fmt::join(expected, ", ")));
}

// Nested, or one after the other.
TEST_F(Nesting, ShortChains) {
  for (int length : {16, 17}) {
    compile(on_host(length));
    for (int x : {0, length - 1, length})
      EXPECT_EQ(run(fmt::format("{}i32 11i32", x)), fmt::format("{}i32\n", value(x, 11, length))) << length;
    compile(in_kernel(length));
    EXPECT_EQ(run(fmt::format("[{}i32]", length - 1)), fmt::format("[{}i32]\n", value(length - 1, length - 1, length)));
  }
}

TEST_F(Nesting, AtTheLimit) {
  for (const auto& [length, is_read] : {std::pair(4990, true), {5010, false}, {50'000, false}}) {
    write_file(folder_.path("deep.fut_gpu"), on_host(length));
    ProcessResult r = run_process({HEDDLE, "compile", "--emit=host", folder_.path("deep.fut_gpu")}, "");
    EXPECT_EQ(r.exit_code, is_read ? 0 : 3) << length;
    std::string refusal = ": nested deeper than the 10000 levels that heddle reads\n";
    EXPECT_EQ(r.err.find(refusal) != std::string::npos, !is_read) << r.err.substr(0, 300);
  }
}

}  // namespace
