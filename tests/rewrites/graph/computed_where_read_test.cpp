// Which arrays need not be stored, by whom their elements are computed, and until when.
#include "rewrites/graph/computed_where_read.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "frontend_bridge/pipeline.h"
#include "rewrites/plan/host_ops.h"

namespace heddle::graph {
namespace {

seg::Program read(const std::string& name) {
  std::ifstream file(HEDDLE_SOURCE_DIR "/tests/rewrites/data/" + name);
  std::stringstream text;
  text << file.rdbuf();
  Result<seg::Program> program = read_program(text.str(), name);
  if (!program) throw std::runtime_error(name + ": " + program.error().message);
  return std::move(*program);
}

// The arrays that are made by operations, once it is planned which of them are computed where they are read.
std::set<std::string> arrays_made(const std::string& name) {
  Result<lower::PlannedProgram> planned = compile_kernels(read(name), true);
  if (!planned) throw std::runtime_error(planned.error().message);
  std::set<std::string> arrays;
  for (const auto& [stm, plan] : planned->plans) {
    for (const seg::PatElem& p : stm->pat) arrays.insert(p.name.base);
  }
  return arrays;
}

class ComputedWhereRead : public ::testing::Test {
 protected:
  ComputedWhereRead() : program_(read("gathers.fut_gpu")) {}

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

TEST_F(ComputedWhereRead, ByContractionsWhereElementsAreOnlyMoved) {
  auto gathers = entries([](const seg::FunDef& f) {
    for (const seg::StmPtr& s : f.body->stms) {
      const auto* op = std::get_if<seg::SegOp>(&s->exp);
      if (op && computed_by(*op) == ComputedBy::Contractions) return true;
    }
    return false;
  });
  EXPECT_EQ(gathers, (std::set<std::string>{"moved", "windows", "padded", "chosen"}));
}

TEST_F(ComputedWhereRead, FromTheArraysThatAreRead) {
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
TEST_F(ComputedWhereRead, WhileWhatTheyAreComputedFromStaysAsItWas) {
  std::set<std::string> looked_through;
  Result<lower::PlannedProgram> planned = compile_kernels(read("changed_images.fut_gpu"), true);
  ASSERT_TRUE(planned);
  for (const lower::HostOp& op : lower::host_ops(*planned)) {
    if (!op.lowered->looked_through.empty()) looked_through.insert(op.entry);
  }
  EXPECT_EQ(looked_through, (std::set<std::string>{"never", "afterwards", "another"}));
}

// A map that is read element by element goes; one that is read as a whole, too, stays; one with a loop in it is read.
TEST(ComputedByReaders, WhereItIsScalarCode) {
  EXPECT_EQ(arrays_made("cheap_and_dear.fut_gpu"), (std::set<std::string>{"even", "powers", "ys"}));
}

// The second of two results goes into a loop; none is left for which the map must run.
TEST(ComputedByReaders, AtComputedPlaces) {
  EXPECT_EQ(arrays_made("at_other_places.fut_gpu"), (std::set<std::string>{"ys"}));
}

// What readers compute of the points of an entry point's first operation.
std::set<std::string> computed_within(const seg::Program& program, const std::string& entry, RowsMade rows) {
  for (const seg::FunDef& f : program.functions) {
    if (f.name != "entry_" + entry) continue;
    for (const seg::StmPtr& s : f.body->stms) {
      const auto* op = std::get_if<seg::SegOp>(&s->exp);
      if (!op) continue;
      std::set<std::string> found;
      for (const Name& n : maps_read_once(op->body->stms, op->body->results, rows)) {
        const seg::Stm* made = nullptr;
        for (const seg::StmPtr& inner : op->body->stms) {
          if (!inner->pat.empty() && inner->pat[0].name == n) made = inner.get();
        }
        found.insert(made ? "all rows" : "a row");
      }
      return found;
    }
  }
  throw std::runtime_error("no operation in " + entry);
}

// Each element of a row would have the row's table made again.
TEST(ComputedWithinPoints, RowsThatAreNotMadeFromTables) {
  const seg::Program program = read("rows_from_tables.fut_gpu");
  const std::set<std::string> both = {"all rows", "a row"};
  EXPECT_EQ(computed_within(program, "cheap_rows", RowsMade::Once), both);
  EXPECT_EQ(computed_within(program, "rows", RowsMade::Once), (std::set<std::string>{"a row"}));
  EXPECT_TRUE(computed_within(program, "rows", RowsMade::Again).contains("all rows"));
}

}  // namespace
}  // namespace heddle::graph
