#include "rewrites/plan/group_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "rewrites/recipes/fold_in_stage.h"
#include "rewrites/recipes/scheduled.h"

namespace heddle::lower {

namespace {

void add_checks(Launch& launch, const StageCode& code) {
  if (code.checks.empty()) return;
  int first = static_cast<int>(launch.failures.size());
  launch.failures.insert(launch.failures.end(), code.launch.failures.begin(), code.launch.failures.end());
  for (HostCheck c : code.checks) {
    c.failure += first;
    launch.checks.push_back(std::move(c));
  }
}

// The stage's own statement only makes its arrays; the group's kernel fills them.
void have_filled(const StageCode& code, Plan& own, std::vector<Launch>& kernels) {
  for (Launch& kernel : kernels) {
    for (size_t b = 0; b < kernel.buffer_args.size(); ++b) {
      auto result = std::ranges::find(code.results, kernel.kernel.buffers[b].name);
      if (result != code.results.end())
        kernel.buffer_args[b] = HostArray{code.arrays[static_cast<size_t>(result - code.results.begin())]};
    }
  }
  own.launches.clear();
  own.specialized.clear();
  own.recipe = "by the kernel of its group";
  for (Considered& c : own.considered) {
    if (c.why_not.empty()) c.why_not = "it is a stage of a group";
  }
  own.considered.push_back({"group", ""});
}

// The results of stages with folds that nobody reads outside of the group, and the arrays that these are to the host.
struct FoldedAlone {
  nest::NameSet results;
  std::vector<Name> arrays;
};
FoldedAlone folded_alone(const stencil::Group& group, const PipelineOfBody& stages) {
  FoldedAlone inner;
  const seg::NameSet read = stages.read_outside(group);
  for (size_t s : group.stages) {
    const StageCode& code = stages.code(s);
    for (size_t k = 0; !code.folds.empty() && k < code.folds[0].first; ++k) {
      if (!read.contains(code.arrays[k])) inner.results.insert(code.results[k]), inner.arrays.push_back(code.arrays[k]);
    }
  }
  return inner;
}

}  // namespace

std::vector<Name> plan_group(const stencil::Group& group, const stencil::FittedTile& fitted,
                             const PipelineOfBody& stages, const HostScope& host, PlannedProgram& planned,
                             NameSource& names) {
  const std::vector<const StageCode*> codes = stages.codes_of(group);
  std::vector<Name> unread;
  auto nobody_reads = [&](const std::vector<Name>& arrays) {
    unread.insert(unread.end(), arrays.begin(), arrays.end());
  };
  std::string members;
  for (size_t s : group.stages) {
    nobody_reads(stages.code(s).looked_through);
    members += (members.empty() ? "" : ", ") + stages.pipeline().stage(s).name;
  }
  const std::vector<size_t> stored = stencil::outputs(stages.pipeline(), group);
  std::vector<bool> is_stored;
  for (size_t s : group.stages) {
    is_stored.push_back(std::ranges::find(stored, s) != stored.end());
    if (!is_stored.back()) nobody_reads(stages.code(s).arrays);
  }
  std::optional<FoldByBlocks> fold;
  if (std::vector<PointFold> folds = folds_of(codes); !folds.empty()) fold.emplace(std::move(folds), host, names);
  const FoldedAlone inner = fold ? folded_alone(group, stages) : FoldedAlone{};
  nobody_reads(inner.arrays);
  auto finish = [&](Launch l) {
    return fold ? fold->folding(without_stores(std::move(l), inner.results)) : std::move(l);
  };
  const seg::Stm& last = *stages.stm(group.stages.back());
  Plan& plan = planned.plans.at(&last);
  plan.launches = scheduled_kernels(plan.launches[0].kernel.name + "_group", codes, is_stored, fitted, names, finish);
  plan.specialized.clear();
  for (size_t k = 0; k + 1 < codes.size(); ++k) {
    if (is_stored[k]) have_filled(*codes[k], planned.plans.at(stages.stm(group.stages[k]).get()), plan.launches);
  }
  for (const StageCode* code : codes) add_checks(plan.launches[0], *code);
  if (fold) fold->complete(plan, last, std::move(plan.launches[0]));
  plan.recipe = fmt::format("group of stages: {}", members);
  for (Considered& c : plan.considered) {
    if (c.why_not.empty()) c.why_not = "it is the last stage of a group";
  }
  plan.considered.push_back({"group", ""});
  return unread;
}

}  // namespace heddle::lower
