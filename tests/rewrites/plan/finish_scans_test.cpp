// Maps and reductions of a scan's results in the scan's kernel: which, and that they yield what the program does.
#include "rewrites/plan/finish_scans.h"

#include <gtest/gtest.h>

#include "ir/seg/host_stms.h"
#include "rewrites/plan/host_ops.h"
#include "tests/rewrites/evaluated_kernels.h"

namespace heddle::lower {
namespace {

KernelOptions options_for(stencil::Strategy fusion = stencil::Strategy::Largest) {
  KernelOptions options;
  options.verify = true;
  options.for_blocks();
  options.plan.fusion = fusion;
  return options;
}

struct Counts {
  int scans = 0, kernels = 0;  // that scan; all, without those that begin a scan
  bool operator==(const Counts&) const = default;
};

Counts counts(const PlannedProgram& program, const std::string& entry) {
  Counts result;
  for (const seg::FunDef& f : program.program.functions) {
    if (f.entry->name != entry) continue;
    seg::for_each_host_stm(f.body->stms, [&](const seg::StmPtr& s) {
      auto plan = program.plans.find(s.get());
      if (plan == program.plans.end()) return;
      const bool scans = plan->second.recipe.starts_with("scan by blocks");
      result.scans += scans;
      result.kernels += static_cast<int>(plan->second.launches.size()) - (scans ? 1 : 0);
    });
  }
  return result;
}

TEST(FinishScans, OneKernelForBoth) {
  const PlannedProgram program = planned(test_program("maps_of_scans.fut_gpu"), options_for());
  for (const char* entry :
       {"own", "with_flags", "mapped_besides", "exclusive", "differences", "gathers", "branches", "narrow"})
    EXPECT_EQ(counts(program, entry), (Counts{1, 1})) << entry;
  EXPECT_EQ(counts(program, "of_two_operators"), (Counts{2, 2}));
  EXPECT_EQ(counts(program, "twice"), (Counts{2, 2}));
}

// What stands between needs the scan, or the map overwrites what other blocks still scan.
TEST(FinishScans, NotWhereThatIsNotRight) {
  const PlannedProgram program = planned(test_program("maps_of_scans.fut_gpu"), options_for());
  EXPECT_EQ(counts(program, "with_last").kernels, 3);
  const PlannedProgram apart = planned(test_program("maps_of_scans.fut_gpu"), options_for(stencil::Strategy::None));
  EXPECT_EQ(counts(apart, "own"), (Counts{1, 2}));
  EXPECT_EQ(counts(program, "over_what_is_read").kernels, counts(apart, "over_what_is_read").kernels);
}

// How many of its results the entry point's first scan stores.
size_t stored(const PlannedProgram& program, const std::string& entry) {
  for (const HostOp& op : host_ops(program)) {
    if (op.entry != entry || op.lowered->launches.size() < 2 || !op.lowered->recipe.starts_with("scan by blocks"))
      continue;
    const Launch& scan = op.lowered->launches[1];
    return static_cast<size_t>(std::ranges::count_if(
        scan.buffer_args, [](const BufferArg& a) { return std::holds_alternative<ResultArray>(a); }));
  }
  return 0;
}

TEST(FinishScans, NothingIsStoredThatReadersComputeAgain) {
  const PlannedProgram program = planned(test_program("maps_of_scans.fut_gpu"), options_for());
  EXPECT_EQ(stored(program, "filtered"), 1);
  EXPECT_EQ(stored(program, "changed_between"), 2);
  EXPECT_EQ(stored(program, "changed_in_loop"), 2);
}

class FinishedScans : public EvaluatedKernels {
 protected:
  FinishedScans() : EvaluatedKernels("maps_of_scans.fut_gpu", options_for()) {}
};

// Empty, single elements, and around a tile.
TEST_F(FinishedScans, OfAllSizes) {
  for (int64_t n : {0, 1, 2, 300, 4863, 4864, 4865, 9729}) {
    SCOPED_TRACE(n);
    for (const char* entry :
         {"own", "kept_besides", "of_two_operators", "mapped_besides", "exclusive", "differences", "branches",
          "in_place", "over_what_is_read", "with_last", "twice", "filtered", "changed_between", "changed_in_loop",
          "crosswise", "changed_after", "scan_of_flags", "reduced_with"})
      expect_same(entry, {integers({n}), integers({n})});
  }
  for (const auto& [rows, columns] : {std::pair<int64_t, int64_t>{3, 0}, {7, 1}, {30, 17}, {2, 5001}}) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
    for (const char* entry : {"of_rows", "exclusive_in_rows", "at_own_points"})
      expect_same(entry, {integers({rows, columns})});
  }
}

// What the blocks of the scan leave is reduced behind it.
TEST(FinishScans, ReductionsAreFoldedByItsBlocks) {
  const PlannedProgram program = planned(test_program("reductions_of_scans.fut_gpu"), options_for());
  for (const char* entry : {"drawdown", "several", "kept", "longest_run", "first_best", "returned_besides", "steps"})
    EXPECT_EQ(counts(program, entry), (Counts{1, 2})) << entry;
  EXPECT_EQ(counts(program, "twice"), (Counts{2, 4}));
  EXPECT_EQ(stored(program, "drawdown"), 0);
  EXPECT_EQ(stored(program, "returned_besides"), 2);
}

// In its order, where points need what is known behind the scan, or nothing that is scanned.
TEST(FinishScans, ReductionsStayApart) {
  const PlannedProgram program = planned(test_program("reductions_of_scans.fut_gpu"), options_for());
  for (const char* entry : {"in_order", "needs_last", "of_what_is_scanned"}) {
    const auto is_apart = [&](const HostOp& op) {
      return op.entry == entry && op.lowered->recipe == "reduction by blocks of threads";
    };
    EXPECT_TRUE(std::ranges::any_of(host_ops(program), is_apart)) << entry;
  }
}

class ReducedScans : public EvaluatedKernels {
 protected:
  ReducedScans() : EvaluatedKernels("reductions_of_scans.fut_gpu", options_for()) {}
};

TEST_F(ReducedScans, OfAllSizes) {
  for (int64_t n : {0, 1, 2, 300, 4863, 4864, 4865, 9729}) {
    SCOPED_TRACE(n);
    for (const char* entry : {"drawdown", "several", "kept", "longest_run", "first_best", "returned_besides", "steps",
                              "of_maps", "twice", "reduced_by_row", "of_what_is_scanned"})
      expect_same(entry, {integers({n}), integers({n})});
  }
}

}  // namespace
}  // namespace heddle::lower
