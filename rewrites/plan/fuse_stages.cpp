#include "rewrites/plan/fuse_stages.h"

#include <utility>

#include "rewrites/plan/dissolve_stages.h"
#include "rewrites/plan/group_plan.h"
#include "rewrites/plan/join_reductions.h"
#include "rewrites/plan/nest_stages.h"
#include "rewrites/plan/pipeline_of_body.h"
#include "rewrites/plan/why_apart.h"
#include "rewrites/recipes/strips.h"

namespace heddle::lower {

namespace {

class Fusion {
 public:
  Fusion(const seg::Body& body, StageCodes& codes, const graph::Graph& graph, const HostScope& host,
         stencil::Strategy strategy, const stencil::Models& models, PlannedProgram& planned, NameSource& names)
      : codes_(codes),
        host_(host),
        strategy_(strategy),
        models_(models),
        planned_(planned),
        names_(names),
        stages_(body, codes, graph, host, planned, names) {}

  void run() {
    if (!stages_.describe()) return;
    // Which device it will be is not known here; the models' decisions differ little between those of one time.
    const stencil::Device& device = *stencil::find_device("H100");
    stencil::Decision decision = stencil::partition(stages_.pipeline(), device, strategy_, models_);
    std::vector<std::string> dissolved;
    // The papers' strategies decide as they do there.
    while (strategy_ == stencil::Strategy::Largest) {
      std::optional<Dissolved> some =
          dissolve_stages(decision.partition, stages_, codes_, host_, models_, planned_, names_);
      if (!some) break;
      nobody_reads(some->arrays);
      dissolved.push_back(some->stages + " is computed by those who read it");
      if (!stages_.describe()) return;
      decision = stencil::partition(stages_.pipeline(), device, strategy_, models_);
    }
    decision.trace.lines.insert(decision.trace.lines.begin(), dissolved.begin(), dissolved.end());
    std::optional<stencil::PyramidDecision> pyramid = have_filters_apart(decision, device);
    std::vector<stencil::Group> groups = decision.partition.groups;
    std::vector<std::vector<std::string>> nested(groups.size());
    for (size_t g = 0; g < groups.size(); ++g) nested[g] = nest_in(g, groups, device);
    FusionRecord record{strategy_, device, stages_.pipeline(), {}, std::move(decision.trace), {}, std::move(pyramid)};
    for (size_t s = 0; s < stages_.size(); ++s) record.stms.push_back(stages_.stm(s));
    for (size_t g = 0; g < groups.size(); ++g) {
      const stencil::Group& group = groups[g];
      GroupRecord& of_group = record.groups.emplace_back(GroupRecord{group, {}, {}, false, std::move(nested[g])});
      if (group.stages.size() < 2) continue;
      of_group.why_not = why_apart(group, stages_, host_, names_);
      if (!of_group.why_not.empty()) continue;
      of_group.kernel = stencil::fit_tile(stages_.pipeline(), group, models_.fit);
      for (size_t s : group.stages) of_group.may_fail |= !stages_.code(s).checks.empty();
      if (of_group.kernel && !has_room_to_fold(group, *of_group.kernel, stages_)) {
        of_group.kernel.reset();
        of_group.why_not = "a block has no room for its tile and what its threads fold";
      } else if (of_group.kernel) {
        keep(group, *of_group.kernel);
      } else {
        of_group.why_not = stencil::why_no_tile(stages_.pipeline(), group, models_.fit);
      }
    }
    planned_.fusions.push_back(std::move(record));
  }

  // All stages in such tiles; false where they cannot be one kernel.
  bool run_as_one(const stencil::TimeTile& wanted) {
    if (!stages_.describe()) return false;
    const stencil::Pipeline& pipeline = stages_.pipeline();
    const stencil::Group group = stencil::whole(pipeline);
    Result<stencil::Halos> halos = stencil::tight_halos(pipeline, group);
    if (!halos || halos->tile_dims != wanted.tile.size() || !why_no_kernel(group, stages_, host_, names_).empty())
      return false;
    const Result<stencil::FittedTile> fitted = stencil::fitted_as(wanted, pipeline, *std::move(halos), models_.fit);
    if (!fitted || !has_room_to_fold(group, *fitted, stages_)) return false;
    keep(group, *fitted);
    return true;
  }

  // Takes the statements of all groups out of the stages. Yields what is not read any more, with the names given.
  std::vector<Name> left(StageCodes& stages, std::vector<Name> unread) const {
    for (const seg::Stm* member : members_) stages.erase(member);
    unread.insert(unread.end(), unread_.begin(), unread_.end());
    return unread;
  }

 private:
  void keep(const stencil::Group& group, const stencil::FittedTile& fitted) {
    for (size_t s : group.stages) members_.push_back(stages_.stm(s).get());
    nobody_reads(plan_group(group, fitted, stages_, host_, planned_, names_));
  }

  void nobody_reads(const std::vector<Name>& arrays) { unread_.insert(unread_.end(), arrays.begin(), arrays.end()); }

  // ---- Levels of pyramids. ----

  // Has filters that run beside each other be kernels of their own, where the model says so.
  std::optional<stencil::PyramidDecision> have_filters_apart(stencil::Decision& decision,
                                                             const stencil::Device& device) {
    if (strategy_ != stencil::Strategy::Largest || models_.fit.scope != stencil::TileScope::Block) return std::nullopt;
    std::vector<stencil::StageFacts> facts(stages_.size());
    for (size_t s = 0; s < stages_.size(); ++s) {
      facts[s].points_of_thread = rows_of_strips(stages_.code(s));
      for (const recognize::OtherRead& r : stages_.code(s).elsewhere) {
        if (std::optional<size_t> maker = stages_.maker(r.buffer)) facts[s].reads_elsewhere.push_back(*maker);
      }
    }
    std::optional<stencil::PyramidDecision> pyramid =
        stencil::decide_pyramid(stages_.pipeline(), facts, device, decision.partition.groups, models_.fit);
    if (!pyramid) return pyramid;
    pyramid->may_choose = models_.side_by_side;
    const std::vector<size_t> apart = pyramid->filters_apart();
    for (size_t s : apart) stages_.have_alone(stages_.stm(s).get());
    if (apart.empty() || !stages_.describe()) return pyramid;
    decision = stencil::partition(stages_.pipeline(), device, strategy_, models_);
    return pyramid;
  }

  // ---- Stages that threads compute within a kernel. ----

  // Has threads of a group's kernel compute some of its stages for themselves, as the models say, so that the group lacks these, and the other groups
  // name theirs anew. What was decided about each.
  std::vector<std::string> nest_in(size_t g, std::vector<stencil::Group>& groups, const stencil::Device& device) {
    if (models_.nesting == stencil::Nesting::None || groups[g].stages.size() < 2) return {};
    const stencil::Group group = groups[g];
    const stencil::Pipeline& pipeline = stages_.pipeline();
    const Result<stencil::Halos> halos = stencil::tight_halos(pipeline, group);
    if (!halos || !why_apart(group, stages_, host_, names_).empty() || !stencil::fit_tile(pipeline, group, models_.fit))
      return {};
    if (models_.nesting == stencil::Nesting::Gated) {
      std::string why_not = stencil::why_not_nested(pipeline, device, models_.sioutas, group);
      if (!why_not.empty()) return {std::move(why_not)};
    }
    auto is_stage = [&](const Name& n) { return stages_.maker(n).has_value(); };
    NestedStages nested =
        nest_stages(pipeline, stencil::nested(pipeline, models_.sioutas, *halos), stages_.codes_of(group),
                    models_.fit.points_in_registers, host_.facts, is_stage, names_);
    if (nested.stages.empty()) return std::move(nested.lines);
    StageCodes before;
    for (auto& [s, code] : nested.codes) {
      if (!models_.partition_borders) test_all_borders(code);
      const seg::Stm* stm = stages_.stm(s).get();
      before.emplace(stm, std::exchange(codes_.at(stm), std::move(code)));
    }
    std::vector<const seg::Stm*> computed;
    for (size_t s : nested.stages) computed.push_back(stages_.stm(s).get());
    for (const seg::Stm* c : computed) stages_.leave_out(c);
    std::vector<stencil::Group> left = stencil::without(groups, nested.stages);
    if (stages_.describe() && may_be_kernel(left[g])) {
      for (const seg::Stm* c : computed) nobody_reads(codes_.at(c).arrays);
      groups = std::move(left);
      return std::move(nested.lines);
    }
    for (auto& [member, code] : before) codes_.at(member) = std::move(code);
    for (const seg::Stm* c : computed) stages_.take_back(c);
    stages_.describe();
    return {"no stage is nested, since those left would be no kernel"};
  }

  // Whether it is a kernel, where others are nested in it; a stage that is left alone is one of strips.
  bool may_be_kernel(const stencil::Group& group) {
    if (group.stages.size() > 1) {
      const std::optional<stencil::FittedTile> tile = stencil::fit_tile(stages_.pipeline(), group, models_.fit);
      return why_apart(group, stages_, host_, names_).empty() && tile && has_room_to_fold(group, *tile, stages_);
    }
    const seg::Stm* alone = stages_.stm(group.stages[0]).get();
    Plan& plan = planned_.plans.at(alone);
    if (!may_have_strips(codes_.at(alone), plan)) return false;
    codes_.at(alone).is_tiled = false;
    plan.specialized.clear();
    return true;
  }

  StageCodes& codes_;
  const HostScope& host_;
  stencil::Strategy strategy_;
  stencil::Models models_;
  PlannedProgram& planned_;
  NameSource& names_;
  PipelineOfBody stages_;
  std::vector<Name> unread_;
  std::vector<const seg::Stm*> members_;
};

}  // namespace

std::vector<Name> fuse_stages(seg::Body& body, StageCodes& stages, const StageArrays& arrays, const graph::Graph& graph,
                              const HostScope& host, stencil::Strategy strategy, const stencil::Models& models,
                              PlannedProgram& planned, NameSource& names) {
  std::vector<Name> unread;
  // Others have no kernels that fold.
  if (strategy == stencil::Strategy::Largest && models.fit.scope == stencil::TileScope::Block)
    unread = join_reductions(body, stages, {arrays, graph, host, false}, planned, names);
  Fusion fusion(body, stages, graph, host, strategy, models, planned, names);
  fusion.run();
  return fusion.left(stages, std::move(unread));
}

std::optional<std::vector<Name>> fuse_all_stages(seg::Body& body, StageCodes& stages, const StageArrays& arrays,
                                                 const graph::Graph& graph, const HostScope& host,
                                                 const stencil::TimeTile& tile, const stencil::Models& models,
                                                 PlannedProgram& planned, NameSource& names) {
  std::vector<Name> unread = join_reductions(body, stages, {arrays, graph, host, true}, planned, names);
  Fusion fusion(body, stages, graph, host, stencil::Strategy::None, models, planned, names);
  if (!fusion.run_as_one(tile)) return std::nullopt;
  return fusion.left(stages, std::move(unread));
}

}  // namespace heddle::lower
