// Which seg ops only move elements, and which functions change arrays that have been made.
#include "rewrites/graph/gathers.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "frontend_bridge/pipeline.h"
#include "rewrites/plan/host_ops.h"

namespace heddle::graph {
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

TEST_F(Gathers, TellWhatTheyRead) {
  size_t found = 0;
  for (const seg::FunDef& f : program_.functions) {
    if (f.name != "entry_chosen") continue;
    for (const seg::StmPtr& s : f.body->stms) {
      const auto* op = std::get_if<seg::SegOp>(&s->exp);
      if (!op) continue;
      ++found;
      std::set<std::string> arrays;
      for (const Name& n : arrays_read(*op)) arrays.insert(n.base);
      EXPECT_EQ(arrays, (std::set<std::string>{"x", "y"}));
    }
  }
  EXPECT_EQ(found, 1u);
}

// Windows of an image, as rows of a matrix, times filters; the image changes before or after, or is another name's.
TEST_F(Gathers, AreLookedThroughWhileTheirSourcesStayAsTheyWere) {
  std::set<std::string> looked_through;
  std::ifstream file(HEDDLE_SOURCE_DIR "/tests/rewrites/data/changed_images.fut_gpu");
  std::stringstream text;
  text << file.rdbuf();
  Result<seg::Program> program = read_program(text.str(), "changed_images.fut_gpu");
  ASSERT_TRUE(program);
  Result<lower::PlannedProgram> planned = compile_kernels(*program, true);
  ASSERT_TRUE(planned);
  for (const lower::HostOp& op : lower::host_ops(*planned)) {
    if (!op.lowered->looked_through.empty()) looked_through.insert(op.entry);
  }
  EXPECT_EQ(looked_through, (std::set<std::string>{"never", "afterwards", "another"}));
}

}  // namespace
}  // namespace heddle::graph
