#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "ir/nest/printer.h"
#include "ir/nest/reader.h"
#include "tests/golden/golden.h"

namespace heddle::golden {
namespace {

namespace fs = std::filesystem;

std::set<std::string> golden_files() {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(HEDDLE_GOLDEN_FILES)) {
    if (entry.is_regular_file()) names.insert(fs::relative(entry.path(), HEDDLE_GOLDEN_FILES).generic_string());
  }
  return names;
}

// The names in all EXPECT_GOLDEN("...", and how often each stands there.
std::map<std::string, int> used_names() {
  std::map<std::string, int> names;
  std::regex use("EXPECT_GOLDEN\\(\\s*\"([^\"]*)\"");
  for (const auto& entry : fs::recursive_directory_iterator(HEDDLE_TESTS)) {
    if (entry.path().extension() != ".cpp") continue;
    std::string text = contents(entry.path().string()).value_or("");
    for (std::sregex_iterator it(text.begin(), text.end(), use), end; it != end; ++it) ++names[(*it)[1]];
  }
  return names;
}

// When golden files are refreshed, those that no test uses any more are removed.
TEST(Golden, EveryFileIsUsedByOneTest) {
  std::map<std::string, int> used = used_names();
  EXPECT_FALSE(used.empty());
  for (const auto& [name, uses] : used) EXPECT_EQ(uses, 1) << name << " stands in several places";
  for (const std::string& name : golden_files()) {
    if (used.contains(name)) continue;
    if (updating()) {
      fs::remove(fs::path(HEDDLE_GOLDEN_FILES) / name);
    } else {
      ADD_FAILURE() << "no test uses tests/golden/files/" << name << "; ./dev update-golden removes it";
    }
  }
}

TEST(Golden, NestsReadAsTheyStand) {
  int nests = 0;
  for (const std::string& name : golden_files()) {
    if (!name.ends_with(".nest")) continue;
    ++nests;
    std::string text = contents(HEDDLE_GOLDEN_FILES "/" + name).value_or("");
    Result<std::vector<nest::Kernel>> kernels = nest::read(text, name);
    ASSERT_TRUE(kernels) << kernels.error().message;
    std::string again;
    for (const nest::Kernel& k : *kernels) again += nest::to_text(k);
    EXPECT_EQ(again, text) << name;
  }
  EXPECT_GT(nests, 0);
}

}  // namespace
}  // namespace heddle::golden
