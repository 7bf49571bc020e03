// Every pass over host programs, before and after: the text of small programs for each of them (data/PASS/CASE.host); and for all
// dumps, that what is built and made of it is well-formed, survives being written and read, and computes the same.
#include "rewrites/host/passes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "frontend_bridge/pipeline.h"
#include "ir/host/eval.h"
#include "ir/host/printer.h"
#include "ir/host/reader.h"
#include "ir/host/verify.h"
#include "rewrites/host/build.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/seg/generated_inputs.h"

namespace heddle::host {
namespace {

namespace fs = std::filesystem;

const fs::path kTests = fs::path(HEDDLE_SOURCE_DIR) / "tests";
const fs::path kCases = kTests / "rewrites/host/data";

std::string slurp(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<fs::path> files_in(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::string test_name(const fs::path& file, const fs::path& from) {
  std::string name = file.lexically_relative(from).replace_extension().string();
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

void expect_well_formed(const Program& program, std::string_view after) {
  for (const std::string& problem : verify(program)) ADD_FAILURE() << "after " << after << ": " << problem;
  std::string text = to_text(program);
  Result<Program> again = read(text, "written");
  ASSERT_TRUE(again) << "after " << after << ": " << again.error().message;
  EXPECT_EQ(to_text(*again), text) << "after " << after;
}

std::string outcome(const seg::EvalResult& r) {
  std::string text = std::to_string(static_cast<int>(r.outcome)) + " ";
  if (r.outcome != seg::Outcome::Ok) return text + r.message + " " + r.location;
  for (const seg::TypedValue& v : r.values) text += seg::to_text(v.value) + "\n";
  return text;
}

// ---- Small programs, and what each pass makes of them. ----

std::vector<fs::path> cases() {
  std::vector<fs::path> files = files_in(kCases, ".host");
  std::erase_if(files, [](const fs::path& f) { return f.stem().extension() == ".after"; });
  return files;
}

class HostPassCase : public ::testing::TestWithParam<fs::path> {};

TEST_P(HostPassCase, BecomesWhatItShould) {
  auto pass = std::ranges::find(passes(), GetParam().parent_path().filename().string(), &Pass::name);
  ASSERT_NE(pass, passes().end());
  Result<Program> before = read(slurp(GetParam()), GetParam().string());
  ASSERT_TRUE(before) << before.error().message;
  expect_well_formed(*before, "reading");
  Program after = pass->run(*before);
  expect_well_formed(after, pass->name);
  fs::path golden = GetParam();
  golden::expect_file(golden.replace_extension(".after.host").string(), to_text(after), __FILE__, __LINE__);

  // All take an array and a number.
  auto floats = std::make_shared<std::vector<int64_t>>();
  for (int i = 0; i < 5; ++i) floats->push_back(seg::to_cell(prim::Value::f32(static_cast<float>(i))));
  for (int64_t n : {0, 1, 2, 5}) {
    std::vector<seg::TypedValue> inputs{{seg::Array{prim::Type::F32, {5}, floats}}, {prim::Value::i64(n)}};
    seg::EvalResult expected = evaluate(*before, "main", inputs), actual = evaluate(after, "main", inputs);
    EXPECT_EQ(expected.outcome, seg::Outcome::Ok) << expected.message;
    EXPECT_EQ(outcome(actual), outcome(expected));
  }
}

INSTANTIATE_TEST_SUITE_P(All, HostPassCase, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return test_name(info.param, kCases); });

TEST(HostPasses, EachHasACase) {
  for (const Pass& pass : passes()) EXPECT_TRUE(fs::exists(kCases / pass.name)) << pass.name;
}

// ---- All dumps. ----

std::vector<fs::path> dumps() {
  std::vector<fs::path> all;
  for (const char* folder :
       {"frontend_bridge/dumps/gpu", "frontend_bridge/dumps/seg", "ir/data", "rewrites/data", "codegen"}) {
    std::vector<fs::path> files = files_in(kTests / folder, ".fut_gpu");
    all.insert(all.end(), files.begin(), files.end());
  }
  return all;
}

class HostDump : public ::testing::TestWithParam<fs::path> {};

lower::PlannedProgram planned(const fs::path& file, lower::Device device) {
  Result<seg::Program> program = read_program(slurp(file), file.string());
  EXPECT_TRUE(program) << (program ? "" : program.error().message);
  KernelOptions options;
  options.plan.device = device;
  Result<lower::PlannedProgram> result = compile_kernels(*program, options);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return *result;
}

TEST_P(HostDump, IsWellFormedAfterEachPass) {
  for (bool compiles : {true, false}) {
    lower::PlannedProgram from = planned(GetParam(), compiles ? lower::Device::Blocks : lower::Device::Threads);
    Result<Program> program = build(from, {compiles});
    ASSERT_TRUE(program) << program.error().message;
    expect_well_formed(*program, "building");
    program = run_passes(*program, {compiles}, [](const Pass& pass, const Program& after) -> std::optional<Error> {
      expect_well_formed(after, pass.name);
      return std::nullopt;
    });
    ASSERT_TRUE(program);
  }
}

TEST_P(HostDump, ComputesWhatSegComputes) {
  lower::PlannedProgram from = planned(GetParam(), lower::Device::Threads);
  Result<Program> built = build(from, {false});
  ASSERT_TRUE(built) << built.error().message;
  Result<Program> program = run_passes(*built, {true});
  // The kernels of the generic versions are for many threads, each of which is evaluated.
  seg::EvalOptions options;
  options.max_steps = 200'000;
  options.tuning = {};
  size_t compared = 0;
  for (const seg::FunDef& f : from.program.functions) {
    for (const std::vector<int64_t>& sizes : seg::kAwkwardSizes) {
      std::vector<seg::TypedValue> inputs = seg::generated_inputs(from.program, f, sizes);
      seg::EvalResult expected = seg::evaluate(from.program, f.entry->name, inputs, options);
      if (expected.outcome != seg::Outcome::Ok && expected.outcome != seg::Outcome::ProgramError) continue;
      for (const Program* p : {&*built, &*program}) {
        seg::EvalResult actual = evaluate(*p, f.entry->name, inputs, options);
        if (actual.outcome == seg::Outcome::Limit || actual.outcome == seg::Outcome::Unsupported) continue;
        EXPECT_EQ(outcome(actual), outcome(expected)) << f.entry->name << " of " << seg::to_text(inputs);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, HostDump, ::testing::ValuesIn(dumps()),
                         [](const auto& info) { return test_name(info.param, kTests); });

}  // namespace
}  // namespace heddle::host
