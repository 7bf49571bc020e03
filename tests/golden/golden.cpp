#include "tests/golden/golden.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace heddle::golden {

bool updating() { return std::getenv("HEDDLE_UPDATE_GOLDEN") != nullptr; }

std::optional<std::string> contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void expect(const std::string& name, const std::string& actual, const char* file, int line) {
  expect_file(HEDDLE_GOLDEN_FILES "/" + name, actual, file, line);
}

void expect_file(const std::string& path, const std::string& actual, const char* file, int line) {
  testing::ScopedTrace place(file, line, "golden file " + path);
  std::optional<std::string> expected = contents(path);
  if (updating() && expected != actual) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream out(path, std::ios::binary);
    out << actual;
    EXPECT_TRUE(out.flush()) << "cannot write " << path;
    return;
  }
  if (expected) {
    EXPECT_EQ(*expected, actual) << "If this is what it should be: ./dev update-golden";
  } else {
    ADD_FAILURE() << "There is no such file. ./dev update-golden makes it.";
  }
}

}  // namespace heddle::golden
