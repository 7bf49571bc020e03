// What the pipeline leaves for people: the program before and after a broken pass, a file for each pass and kernel, and
// a list of all kernels.
#include "frontend_bridge/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "frontend_bridge/kernel_listing.h"
#include "ir/nest/printer.h"
#include "ir/nest/reader.h"
#include "ir/seg/printer.h"
#include "rewrites/plan/host_ops.h"
#include "tests/runtime_io/process.h"

namespace heddle {
namespace {

using ::testing::AllOf;

using ::testing::HasSubstr;

using ::testing::StartsWith;

namespace fs = std::filesystem;

seg::Program conv() {
  Result<seg::Program> program = load_program(HEDDLE_SOURCE_DIR "/tests/rewrites/data/conv.fut_gpu", {});
  EXPECT_TRUE(program) << (program ? "" : program.error().message);
  return program ? std::move(*program) : seg::Program{};
}

lower::PlannedProgram lowered(const seg::Program& program) {
  Result<lower::PlannedProgram> result = compile_kernels(program, true);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? std::move(*result) : lower::PlannedProgram{};
}

// Forgets the first statement of each function.
Result<seg::Program> forget(const seg::Program& program) {
  seg::Program out = program;
  for (seg::FunDef& f : out.functions) {
    seg::Body body = *f.body;
    body.stms.erase(body.stms.begin());
    f.body = std::make_shared<const seg::Body>(std::move(body));
  }
  return out;
}

Result<seg::Program> keep(const seg::Program& program) { return program; }

// What is written for a report goes to a folder of the test's.
class Evidence : public ::testing::Test {
 protected:
  Evidence() {
    fs::create_directory(folder_.path("tmp"));
    setenv("TMPDIR", folder_.path("tmp").c_str(), 1);
  }
  ~Evidence() override { unsetenv("TMPDIR"); }

  // The files by their names; the message names them all.
  std::map<std::string, std::string> saved(const std::string& message) const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path("tmp"))) {
      if (!entry.is_regular_file()) continue;
      EXPECT_THAT(message, HasSubstr(entry.path().string()));
      files[entry.path().filename().string()] = read_file(entry.path().string());
    }
    return files;
  }

  TemporaryFolder folder_;
};

TEST_F(Evidence, OfABrokenPassIsTheProgramBeforeAndAfter) {
  const std::vector<SegPass> passes = {{"keep", "keep all", "first", keep}, {"forget", "forget a bit", "last", forget}};
  seg::Program program = conv();
  KernelOptions options;
  options.verify = true;
  options.passes = passes;
  Result<lower::PlannedProgram> result = compile_kernels(program, options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::Internal);
  EXPECT_THAT(result.error().message, StartsWith("ill-formed after pass forget:\n  line "));
  EXPECT_EQ(saved(result.error().message),
            (std::map<std::string, std::string>{{"before.fut_gpu", seg::print(program)},
                                                {"after.fut_gpu", seg::print(*forget(program))}}));
}

TEST_F(Evidence, OfABrokenKernelIsTheProgramAndItsKernels) {
  lower::PlannedProgram program = lowered(conv());
  EXPECT_FALSE(check_kernels(program));
  EXPECT_TRUE(saved("").empty());
  program.plans.begin()->second.launches.at(0).kernel.buffers.pop_back();
  std::optional<Error> error = check_kernels(program);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, ErrorKind::Internal);
  EXPECT_THAT(error->message, StartsWith("ill-formed after lowering:\n  kernel "));
  std::map<std::string, std::string> files = saved(error->message);
  EXPECT_EQ(files["lowered.fut_gpu"], seg::print(program.program));
  EXPECT_THAT(files["kernels.nest"], HasSubstr("\nkernel "));
}

TEST_F(Evidence, ThatCannotBeSavedIsNoOtherError) {
  setenv("TMPDIR", folder_.path("nowhere").c_str(), 1);
  std::optional<Error> error = check_pass({"forget", "", "", forget}, conv(), *forget(conv()));
  ASSERT_TRUE(error);
  EXPECT_THAT(error->message, AllOf(StartsWith("ill-formed after pass forget:"), HasSubstr("could not be saved"),
                                    HasSubstr("nowhere")));
}

TEST(Passes, AreWatchedInOrderAndNotVerifiedUnlessAsked) {
  const std::vector<SegPass> passes = {{"keep", "", "", keep}, {"qualify-keys", "", "", seg_passes()[0].run}};
  std::vector<std::string> seen;
  KernelOptions options;
  options.verify = false;
  options.passes = passes;
  options.watch = [&](const SegPass& pass, const seg::Program& before, const seg::Program& after) {
    seen.push_back(std::string(pass.name) + (before == after ? " (unchanged)" : ""));
    return std::optional<Error>();
  };
  EXPECT_TRUE(compile_kernels(conv(), options));
  EXPECT_EQ(seen, (std::vector<std::string>{"keep (unchanged)", "qualify-keys"}));
  options.watch = [](const SegPass& pass, const seg::Program&, const seg::Program&) {
    return std::optional(input_error("stop at " + std::string(pass.name)));
  };
  Result<lower::PlannedProgram> stopped = compile_kernels(conv(), options);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().message, "stop at keep");
}

// ---- Dumps. ----

TEST(PassDump, HasAFileForEachPassThatChangedSomethingAndForEachKernel) {
  TemporaryFolder folder;
  KernelOptions options;
  options.dump_folder = folder.path("a/b");
  seg::Program program = conv();
  Result<lower::PlannedProgram> result = compile_kernels(program, options);
  ASSERT_TRUE(result) << result.error().message;
  auto file = [&](const std::string& name) { return read_file(options.dump_folder + "/" + name); };

  std::string index = file("index.txt");
  EXPECT_EQ(file("00-read.fut_gpu"), seg::print(program));
  seg::Program current = program;
  size_t number = 1;
  auto numbered = [&](const std::string& name) {
    std::string digits = std::to_string(number++);
    return (digits.size() < 2 ? "0" : "") + digits + "-" + name;
  };
  for (const SegPass& pass : seg_passes()) {
    seg::Program next = *pass.run(current);
    bool changed = seg::print(next) != seg::print(current);
    std::string name = numbered(std::string(pass.name) + ".fut_gpu");
    EXPECT_EQ(fs::exists(options.dump_folder + "/" + name), changed) << name;
    EXPECT_THAT(index, HasSubstr(name + (changed ? ": " : " (unchanged): ") + std::string(pass.description) + "\n"));
    if (changed) {
      EXPECT_EQ(file(name), seg::print(next));
    }
    current = std::move(next);
  }
  EXPECT_THAT(index, AllOf(HasSubstr(" (unchanged): "), HasSubstr("qualify-keys.fut_gpu: ")));

  size_t num_kernels = 0;
  for (const ListedKernel& k : list_kernels(*result)) {
    std::string name = numbered(k.kernel->name + ".nest");
    EXPECT_THAT(index, HasSubstr(name + ": " + k.about[0] + "\n    " + k.about[1]));
    Result<nest::Kernel> read = nest::read_kernel(file(name), name);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(nest::to_text(*read), nest::to_text(*k.kernel));
    ++num_kernels;
  }
  EXPECT_GT(num_kernels, 1u);
}

TEST(PassDump, SaysWhereItCannotWrite) {
  TemporaryFolder folder;
  write_file(folder.path("file"), "");
  KernelOptions options;
  options.dump_folder = folder.path("file");
  Result<lower::PlannedProgram> result = compile_kernels(conv(), options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::Input);
  EXPECT_THAT(result.error().message, HasSubstr(options.dump_folder));
}

// ---- The list of kernels. ----

TEST(KernelListing, HasEveryLaunchOnceUnderItsOp) {
  lower::PlannedProgram program = lowered(conv());
  std::vector<const nest::Kernel*> expected, listed;
  for (const lower::HostOp& op : lower::host_ops(program)) {
    lower::for_each_launch(*op.lowered, [&](const lower::Launch& l) { expected.push_back(&l.kernel); });
  }
  size_t num_tiled = 0;
  for (const ListedKernel& k : list_kernels(program)) {
    listed.push_back(k.kernel);
    ASSERT_GE(k.about.size(), 3u);
    EXPECT_THAT(k.about[0], HasSubstr(" = segmap("));
    EXPECT_THAT(k.about[1], StartsWith("way: "));
    EXPECT_THAT(k.about.back(), StartsWith("launched: "));
    if (k.kernel->constants.empty()) continue;
    ++num_tiled;
    std::string all;
    for (const std::string& line : k.about) all += line + "\n";
    for (const Name& c : k.kernel->constants) EXPECT_THAT(all, HasSubstr(c.text()));
  }
  EXPECT_EQ(listed, expected);
  EXPECT_GE(num_tiled, 1u);
}

TEST(KernelListing, IsTextOfItsForm) {
  lower::PlannedProgram program = lowered(conv());
  std::string text = kernel_listing(program, "-- ", [](const nest::Kernel& k) { return nest::to_text(k); });
  EXPECT_THAT(text, StartsWith("-- "));
  Result<std::vector<nest::Kernel>> kernels = nest::read(text);
  ASSERT_TRUE(kernels) << kernels.error().message;
  EXPECT_EQ(kernels->size(), list_kernels(program).size());
}

}  // namespace
}  // namespace heddle
