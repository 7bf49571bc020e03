#include "rewrites/plan/dissolve_stages.h"

#include <algorithm>

#include "rewrites/plan/recomputation.h"
#include "rewrites/plan/why_apart.h"
#include "rewrites/recipes/compute_at_reader.h"
#include "rewrites/recipes/strip_code.h"
#include "rewrites/recipes/strips.h"
#include "rewrites/stencil/columns.h"

namespace heddle::lower {

namespace {

class Dissolve {
 public:
  Dissolve(PipelineOfBody& stages, StageCodes& codes, const HostScope& host, const stencil::Models& models,
           PlannedProgram& planned, NameSource& names)
      : stages_(stages),
        pipeline_(stages.pipeline()),
        codes_(codes),
        host_(host),
        models_(models),
        planned_(planned),
        names_(names) {}

  // Has the last stage of a group that columns suffice for compute all others, where that costs less than tiles. Yields the others.
  std::optional<Dissolved> columns(const stencil::Partition& partition) {
    if (!models_.dissolve_in_groups || models_.fit.scope != stencil::TileScope::Block) return std::nullopt;
    for (const stencil::Group& group : partition.groups) {
      if (group.stages.size() < 2 || !is_kernel(group)) continue;
      const size_t last = group.stages.back();
      if (!may_have_columns(stages_.code(last))) continue;
      const std::optional<int64_t> around = stencil::rows_around_columns(pipeline_, group);
      if (!around || !columns_pay(stages_.codes_of(group), *around)) continue;
      std::optional<StageCode> all = computed_by_last(group);
      if (!all) continue;
      Dissolved others;
      for (size_t s : group.stages) {
        if (s != last) leave_out(s, others);
      }
      planned_.plans.at(stages_.stm(last).get()).specialized.clear();
      codes_.at(stages_.stm(last).get()) = *std::move(all);
      return others;
    }
    return std::nullopt;
  }

  // Has the readers of a stage that is by itself compute it, where that costs less than its way through memory. Yields it.
  std::optional<Dissolved> one(const stencil::Partition& partition) {
    for (const stencil::Group& group : partition.groups) {
      const bool in_kernel = group.stages.size() > 1 && is_kernel(group);
      for (size_t s : group.stages) {
        if (!(in_kernel ? models_.dissolve_in_groups && copies_tile(pipeline_, s, group, stages_.all_codes())
                        : may_be_dissolved(s)))
          continue;
        if (std::optional<Dissolved> dissolved = by_readers(s)) return dissolved;
      }
    }
    return std::nullopt;
  }

 private:
  bool is_kernel(const stencil::Group& group) const { return why_apart(group, stages_, host_, names_).empty(); }

  // The last stage of a group as it computes all others; nothing where it cannot, or where a thread could not have the rows that share them, in
  // several columns. With one column a thread gains little or nothing: blur2 takes 0.119 ms for 0.125 so (0.095 with two), gauss5_separable 0.224
  // for 0.219.
  std::optional<StageCode> computed_by_last(const stencil::Group& group) {
    std::unordered_map<size_t, StageCode> codes;
    for (size_t s : group.stages) codes.emplace(s, stages_.code(s));
    for (size_t s : group.stages) {
      for (size_t r : pipeline_.consumers(s)) {
        if (!group.contains(r)) continue;
        auto code = computed_by(codes.at(r), codes.at(s));
        if (!code) return std::nullopt;
        codes.at(r) = *std::move(code);
      }
    }
    const size_t last = group.stages.back();
    StageCode& all = codes.at(last);
    if (!may_have_strips(all, planned_.plans.at(stages_.stm(last).get())) ||
        most_rows(all, kFewestRowsThatShare) < kFewestRowsThatShare)
      return std::nullopt;
    all.shares_rows = true;
    if (columns_of_strips(all) == 1) return std::nullopt;
    all.is_tiled = false;
    if (!models_.partition_borders) test_all_borders(all);
    return std::move(all);
  }

  std::optional<Dissolved> by_readers(size_t s) {
    std::vector<std::pair<size_t, StageCode>> readers;
    for (size_t r : pipeline_.consumers(s)) {
      auto code = computed_by(stages_.code(r), stages_.code(s));
      if (!code || !may_have_strips(*code, planned_.plans.at(stages_.stm(r).get()))) return std::nullopt;
      if (!models_.partition_borders) test_all_borders(*code);
      readers.emplace_back(r, std::move(*code));
    }
    Dissolved dissolved;
    leave_out(s, dissolved);
    for (auto& [r, code] : readers) codes_.at(stages_.stm(r).get()) = std::move(code);
    return dissolved;
  }

  bool may_be_dissolved(size_t s) const {
    const stencil::Stage& stage = pipeline_.stage(s);
    const std::vector<size_t>& readers = pipeline_.consumers(s);
    auto is_tiled = [&](size_t r) { return stages_.code(r).is_tiled; };
    if (stage.live_out || readers.empty() || is_tiled(s) || std::ranges::any_of(readers, is_tiled)) return false;
    return recomputation_pays(pipeline_, s, stages_.all_codes()) && std::ranges::all_of(readers, [&](size_t r) {
             return stages_.sources_stay({{s, r}});
           });
  }

  std::optional<StageCode> computed_by(const StageCode& reader, const StageCode& producer) {
    auto is_stage = [&](const Name& n) { return stages_.maker(n).has_value(); };
    return computing(reader, producer, host_.facts, is_stage, names_);
  }

  void leave_out(size_t s, Dissolved& dissolved) {
    const std::vector<Name>& arrays = stages_.code(s).arrays;
    dissolved.arrays.insert(dissolved.arrays.end(), arrays.begin(), arrays.end());
    dissolved.stages += (dissolved.stages.empty() ? "" : ", ") + pipeline_.stage(s).name;
    stages_.leave_out(stages_.stm(s).get());
  }

  PipelineOfBody& stages_;
  const stencil::Pipeline& pipeline_;
  StageCodes& codes_;
  const HostScope& host_;
  const stencil::Models& models_;
  PlannedProgram& planned_;
  NameSource& names_;
};

}  // namespace

std::optional<Dissolved> dissolve_stages(const stencil::Partition& partition, PipelineOfBody& stages, StageCodes& codes,
                                         const HostScope& host, const stencil::Models& models, PlannedProgram& planned,
                                         NameSource& names) {
  Dissolve dissolve(stages, codes, host, models, planned, names);
  std::optional<Dissolved> dissolved = dissolve.columns(partition);
  return dissolved ? dissolved : dissolve.one(partition);
}

}  // namespace heddle::lower
