// Which seg ops only move elements, and which functions change arrays that have been made.
#include "rewrites/lower/gathers.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "frontend_bridge/pipeline.h"

namespace heddle::lower {
namespace {

class Gathers : public ::testing::Test {
 protected:
  Gathers() {
    std::ifstream file(HEDDLE_SOURCE_DIR "/tests/rewrites/data/gathers.fut_gpu");
    std::stringstream text;
    text << file.rdbuf();
    Result<seg::Program> program = read_program(text.str(), "gathers.fut_gpu");
    EXPECT_TRUE(program);
    program_ = std::move(*program);
  }

  // The names of the entry points for which `f` holds.
  template <class F>
  std::set<std::string> entries(F f) const {
    constexpr std::string_view kPrefix = "entry_";
    std::set<std::string> found;
    for (const seg::FunDef& function : program_.functions) {
      if (function.name.starts_with(kPrefix) && f(function)) found.insert(function.name.substr(kPrefix.size()));
    }
    return found;
  }

  seg::Program program_;
};

TEST_F(Gathers, MoveElementsAndComputeNone) {
  auto gathers = entries([](const seg::FunDef& f) {
    for (const seg::StmPtr& s : f.body->stms) {
      const auto* op = std::get_if<seg::SegOp>(&s->exp);
      if (op && is_gather(*op)) return true;
    }
    return false;
  });
  EXPECT_EQ(gathers, (std::set<std::string>{"moved", "windows", "padded", "chosen"}));
}

TEST_F(Gathers, ReadLaterWhatNothingOverwrites) {
  EXPECT_EQ(entries(overwrites), (std::set<std::string>{"updates", "scatters"}));
}

}  // namespace
}  // namespace heddle::lower
