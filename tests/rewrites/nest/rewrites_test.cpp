// Every rewrite of the list, from text to text: data/CASE.nest holds the rewrite with its arguments, then values of
// sizes and constants, then a kernel. What it becomes is beside it, and computes the same for these values.
#include "rewrites/nest/rewrites.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "ir/nest/printer.h"
#include "ir/nest/reader.h"
#include "ir/nest/verify.h"
#include "rewrites/nest/compare.h"
#include "tests/golden/golden.h"

namespace heddle::nest {
namespace {

namespace fs = std::filesystem;

const fs::path kCases = fs::path(HEDDLE_SOURCE_DIR) / "tests/rewrites/nest/data";

using Texts = std::map<std::string, std::string, std::less<>>;

// "a=b c=d"
Texts pairs(const std::string& text) {
  Texts all;
  std::istringstream words(text);
  for (std::string word; words >> word;) all.emplace(word.substr(0, word.find('=')), word.substr(word.find('=') + 1));
  return all;
}

struct Case {
  const NestRewrite* rewrite = nullptr;
  Texts arguments;
  std::vector<Texts> values;
  Kernel before;
};

Case read_case(const fs::path& file) {
  std::ifstream in(file);
  std::string name, arguments, samples;
  in.ignore(2) >> name;
  std::getline(in, arguments);
  std::getline(in.ignore(2), samples);
  std::stringstream text;
  text << in.rdbuf();
  Case c;
  auto found = std::ranges::find(nest_rewrites(), name, &NestRewrite::name);
  if (found == nest_rewrites().end()) {
    ADD_FAILURE() << "there is no rewrite " << name;
  } else {
    c.rewrite = &*found;
  }
  c.arguments = pairs(arguments);
  std::istringstream all(samples);
  for (std::string sample; std::getline(all, sample, ';');) c.values.push_back(pairs(sample));
  Result<Kernel> kernel = read_kernel(text.str(), file.filename().string());
  EXPECT_TRUE(kernel) << (kernel ? "" : kernel.error().message);
  if (kernel) c.before = std::move(*kernel);
  for (const std::string& p : verify(c.before)) ADD_FAILURE() << p;
  return c;
}

std::unordered_map<Name, prim::Value> values_of(const Kernel& kernel, const Texts& texts) {
  std::unordered_map<Name, prim::Value> values;
  auto give = [&](const Name& n) { values.emplace(n, prim::Value::i64(std::stoll(texts.at(n.text())))); };
  for (const Name& n : kernel.constants) give(n);
  for (const ScalarParam& p : kernel.scalars) give(p.name);
  return values;
}

std::vector<fs::path> cases() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kCases)) {
    if (entry.path().stem().extension() != ".after") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

class NestRewriteCase : public ::testing::TestWithParam<fs::path> {};

TEST_P(NestRewriteCase, BecomesWhatItShould) {
  Case c = read_case(GetParam());
  ASSERT_TRUE(c.rewrite);
  Result<Rewritten> after = run_nest_rewrite(*c.rewrite, c.before, c.arguments);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_NE(after->why_legal, "");
  std::string text = to_text(after->kernel);
  EXPECT_NE(text, nest::to_text(c.before)) << "the rewrite has nothing to do here";
  fs::path golden = GetParam();
  golden::expect_file(golden.replace_extension(".after.nest").string(), text, __FILE__, __LINE__);
  ASSERT_GE(c.values.size(), 3u);
  for (const Texts& values : c.values) {
    Expected expected(c.before, values_of(c.before, values));
    EXPECT_FALSE(expected.problem()) << *expected.problem();
    EXPECT_EQ(expected.difference(after->kernel), "") << ::testing::PrintToString(values);
  }
}

INSTANTIATE_TEST_SUITE_P(All, NestRewriteCase, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.stem().string(); });

TEST(NestRewrites, EachHasACaseAndANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const NestRewrite& r : nest_rewrites()) {
    EXPECT_TRUE(names.insert(r.name).second) << r.name;
    EXPECT_TRUE(fs::exists(kCases / (std::string(r.name) + ".nest"))) << r.name;
  }
}

TEST(NestRewrites, RefusalsAreErrorsOfInputWithTheirReason) {
  Case c = read_case(kCases / "unroll.nest");
  auto refusal = [&](Texts arguments) {
    Result<Rewritten> r = run_nest_rewrite(*c.rewrite, c.before, std::move(arguments));
    EXPECT_FALSE(r);
    EXPECT_EQ(r ? ErrorKind::Internal : r.error().kind, ErrorKind::Input);
    return r ? "" : r.error().message;
  };
  EXPECT_EQ(refusal({{"loop", "i_4"}}).substr(0, 19), "unroll is refused: ");
  EXPECT_EQ(refusal({{"loop", "i_9"}}), "loop=i_9: the kernel's loops are i_4, e_5");
  EXPECT_EQ(refusal({}), "unroll needs loop=...: the loop's index");
  EXPECT_EQ(refusal({{"loop", "e_5"}, {"by", "2"}}), "unroll has no parameter by");
}

TEST(NestRewrites, RowsInRegistersAreNotRoundedUpToNothing) {
  Case c = read_case(kCases / "stage_to_registers.nest");
  for (const char* rows : {"0", "-2"}) {
    c.arguments["rows"] = rows;
    Result<Rewritten> r = run_nest_rewrite(*c.rewrite, c.before, c.arguments);
    ASSERT_FALSE(r) << to_text(r->kernel);
    EXPECT_EQ(r.error().message,
              std::string("stage_to_registers is refused: rows of a multiple of ") + rows + " elements may be empty");
  }
}

}  // namespace
}  // namespace heddle::nest
