#include "rewrites/plan/fuse_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "ir/nest/buffers.h"
#include "rewrites/plan/arrays_used.h"
#include "rewrites/plan/estimate.h"
#include "rewrites/plan/join_reductions.h"
#include "rewrites/plan/nest_stages.h"
#include "rewrites/plan/reads_by_values.h"
#include "rewrites/plan/recomputation.h"
#include "rewrites/recipes/compute_at_reader.h"
#include "rewrites/recipes/fold_in_stage.h"
#include "rewrites/recipes/folds.h"
#include "rewrites/recipes/scheduled.h"
#include "rewrites/recipes/strip_code.h"
#include "rewrites/recipes/strips.h"
#include "rewrites/stencil/columns.h"
#include "rewrites/stencil/fit_tile.h"

namespace heddle::lower {

namespace {

class Fusion {
 public:
  Fusion(const seg::Body& body, StageCodes& codes, const graph::Graph& graph, const HostScope& scope,
         stencil::Strategy strategy, const stencil::Models& models, PlannedProgram& planned, NameSource& names)
      : body_(body),
        codes_(codes),
        graph_(graph),
        scope_(scope),
        host_(scope.facts),
        strategy_(strategy),
        models_(models),
        planned_(planned),
        names_(names) {
    number_stages();
  }

  void run() {
    if (stages_.empty() || !describe()) return;
    // Which device it will be is not known here; the models' decisions differ little between those of one time.
    const stencil::Device& device = *stencil::find_device("H100");
    stencil::Decision decision = stencil::partition(*pipeline_, device, strategy_, models_);
    std::vector<std::string> dissolved;
    // The papers' strategies decide as they do there.
    while (strategy_ == stencil::Strategy::Largest) {
      std::optional<std::string> name = dissolve_columns(decision.partition);
      if (!name) name = dissolve_one(decision.partition);
      if (!name) break;
      dissolved.push_back(*name + " is computed by those who read it");
      number_stages();
      if (!describe()) return;
      decision = stencil::partition(*pipeline_, device, strategy_, models_);
    }
    decision.trace.lines.insert(decision.trace.lines.begin(), dissolved.begin(), dissolved.end());
    std::optional<stencil::PyramidDecision> pyramid = have_filters_apart(decision, device);
    std::vector<stencil::Group> groups = decision.partition.groups;
    std::vector<std::vector<std::string>> nested(groups.size());
    for (size_t g = 0; g < groups.size(); ++g) nested[g] = nest_in(g, groups, device);
    FusionRecord record{strategy_, device, *pipeline_, {}, std::move(decision.trace), {}, std::move(pyramid)};
    for (size_t s = 0; s < stages_.size(); ++s) record.stms.push_back(stm(s));
    for (size_t g = 0; g < groups.size(); ++g) {
      const stencil::Group& group = groups[g];
      GroupRecord& of_group = record.groups.emplace_back(GroupRecord{group, {}, {}, false, std::move(nested[g])});
      if (group.stages.size() < 2) continue;
      of_group.why_not = why_apart(group);
      if (!of_group.why_not.empty()) continue;
      of_group.kernel = stencil::fit_tile(*pipeline_, group, models_.fit);
      for (size_t s : group.stages) of_group.may_fail |= !stages_[s].code->checks.empty();
      if (of_group.kernel && !has_room_to_fold(group, *of_group.kernel)) {
        of_group.kernel.reset();
        of_group.why_not = "a block has no room for its tile and what its threads fold";
      } else if (of_group.kernel) {
        keep(group, *of_group.kernel);
      } else {
        of_group.why_not = stencil::why_no_tile(*pipeline_, group, models_.fit);
      }
    }
    planned_.fusions.push_back(std::move(record));
  }

  // All stages in such tiles; false where they cannot be one kernel.
  bool run_as_one(const stencil::TimeTile& wanted) {
    if (stages_.empty() || !describe()) return false;
    const stencil::Group group = stencil::whole(*pipeline_);
    Result<stencil::Halos> halos = stencil::tight_halos(*pipeline_, group);
    if (!halos || halos->tile_dims != wanted.tile.size() || !why_no_kernel(group).empty()) return false;
    const Result<stencil::FittedTile> fitted = stencil::fitted_as(wanted, *pipeline_, *std::move(halos), models_.fit);
    if (!fitted || !has_room_to_fold(group, *fitted)) return false;
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
  struct Member {
    const StageCode* code;
    size_t at;  // number of its statement
  };

  const seg::StmPtr& stm(size_t s) const { return body_.stms[stages_[s].at]; }

  // ---- Levels of pyramids. ----

  // Has filters that run beside each other be kernels of their own, where the model says so.
  std::optional<stencil::PyramidDecision> have_filters_apart(stencil::Decision& decision,
                                                             const stencil::Device& device) {
    if (strategy_ != stencil::Strategy::Largest || models_.fit.scope != stencil::TileScope::Block) return std::nullopt;
    std::vector<stencil::StageFacts> facts(stages_.size());
    for (size_t s = 0; s < stages_.size(); ++s) {
      facts[s].points_of_thread = rows_of_strips(*stages_[s].code);
      for (const recognize::OtherRead& r : stages_[s].code->elsewhere) {
        if (auto it = maker_.find(r.buffer); it != maker_.end()) facts[s].reads_elsewhere.push_back(it->second);
      }
    }
    std::optional<stencil::PyramidDecision> pyramid =
        stencil::decide_pyramid(*pipeline_, facts, device, decision.partition.groups, models_.fit);
    if (!pyramid) return pyramid;
    pyramid->may_choose = models_.side_by_side;
    for (size_t s : pyramid->filters_apart()) alone_.insert(stm(s).get());
    if (alone_.empty() || !describe()) return pyramid;
    decision = stencil::partition(*pipeline_, device, strategy_, models_);
    return pyramid;
  }

  // ---- The pipeline. ----

  void number_stages() {
    stages_.clear();
    maker_.clear();
    folded_.clear();
    for (size_t at = 0; at < body_.stms.size(); ++at) {
      auto it = codes_.find(body_.stms[at].get());
      if (it == codes_.end() || dissolved_.contains(it->first)) continue;
      for (const Name& array : it->second.arrays) maker_.insert_or_assign(array, stages_.size());
      for (const StageFold& f : it->second.folds) {
        for (const seg::PatElem& p : f.reduction->pat) {
          maker_.insert_or_assign(p.name, stages_.size());
          folded_.insert(p.name);
        }
      }
      stages_.push_back({&it->second, at});
    }
    // Those of a stage that stands in a reduction's place may have other names before it.
    for (const seg::StmPtr& s : body_.stms) {
      const Name* array = same_array(*s);
      auto maker = array ? maker_.find(*array) : maker_.end();
      if (maker == maker_.end()) continue;
      maker_.insert_or_assign(s->pat[0].name, size_t{maker->second});
      if (folded_.contains(*array)) folded_.insert(s->pat[0].name);
    }
  }

  bool describe() {
    images_.clear();
    std::vector<bool> live_out = read_elsewhere();
    std::vector<stencil::Stage> described;
    for (size_t s = 0; s < stages_.size(); ++s) {
      const StageCode& code = *stages_[s].code;
      stencil::Stage stage = for_models(code);
      for (const recognize::Index& i : code.indices) {
        stage.domain.push_back({0, estimate(i.extent, host_) - 1});
        stage.extents.push_back(number_of(i.extent, extents_));
      }
      stage.alone = alone_.contains(stm(s).get());
      stage.live_out = live_out[s] || !code.folds.empty();
      stage.reads_by_values =
          models_.fit.scope == stencil::TileScope::Stream && reads_by_values(code, {}, scope_, names_);
      stage.needed_as_a_whole = is_read_as_a_whole(s) || decides_about_stages(code, stages_[s].at, body_, codes_);
      auto read = [&](stencil::Source source, const std::vector<stencil::Window>& windows) {
        stage.reads.push_back({source, windows});
        bool point = std::ranges::all_of(windows, [](const stencil::Window& w) { return w.lo == w.hi; });
        if (!point) stage.kind = stencil::StageKind::Local;
      };
      for (const recognize::WindowedRead& r : code.reads) {
        auto producer = maker_.find(r.buffer);
        if (producer == maker_.end() || folded_.contains(r.buffer)) {
          read(image(code, r.buffer), r.windows);
        } else {
          read({stencil::Source::Kind::Stage, producer->second}, r.windows);
        }
      }
      // What is read elsewhere than around the point counts as one element that is the same for all points.
      for (size_t b = 0; b < code.launch.buffer_args.size(); ++b) {
        const nest::Buffer& buffer = code.launch.kernel.buffers[b];
        bool known = std::ranges::find(code.reads, buffer.name, &recognize::WindowedRead::buffer) != code.reads.end();
        if (std::holds_alternative<HostArray>(code.launch.buffer_args[b]) && !known && !maker_.contains(buffer.name))
          read(image(code, buffer.name), std::vector<stencil::Window>(buffer.dims.size()));
      }
      described.push_back(std::move(stage));
    }
    auto pipeline = stencil::Pipeline::of(images_, std::move(described));
    if (!pipeline) return false;
    pipeline_.emplace(std::move(*pipeline));
    return true;
  }

  bool is_read_as_a_whole(size_t s) const {
    return std::ranges::any_of(stages_, [&](const Member& m) {
      return std::ranges::any_of(m.code->elsewhere, [&](const recognize::OtherRead& r) {
        auto maker = maker_.find(r.buffer);
        return maker != maker_.end() && maker->second == s;
      });
    });
  }

  // The image from which the stage reads.
  stencil::Source image(const StageCode& code, const Name& array) {
    auto known = std::ranges::find(images_, array.text(), &stencil::Image::name);
    auto number = static_cast<size_t>(known - images_.begin());
    if (known == images_.end()) {
      const nest::Buffer& buffer = nest::buffer_named(code.launch.kernel.buffers, array);
      stencil::Image described{array.text(), {}, prim::size_bytes(buffer.elem)};
      for (const nest::Expr& extent : buffer.dims) described.domain.push_back({0, estimate(extent, host_) - 1});
      images_.push_back(std::move(described));
    }
    return {stencil::Source::Kind::Input, number};
  }

  // Who reads a stage's result by its other name counts, and not who gives it.
  bool gives_other_name(const seg::Stm& s) const {
    return !s.pat.empty() && maker_.contains(s.pat[0].name) && same_array(s);
  }

  // Whether what is no stage of this body reads a stage's result.
  std::vector<bool> read_elsewhere() const {
    std::vector<const seg::Stm*> own(dissolved_.begin(), dissolved_.end());
    for (size_t s = 0; s < stages_.size(); ++s) own.push_back(stm(s).get());
    seg::NameSet used = arrays_used(body_, planned_, [&](const seg::Stm& s) {
      return gives_other_name(s) || std::ranges::find(own, &s) != own.end();
    });
    for (const Member& m : stages_) {
      for (const recognize::OtherRead& r : m.code->elsewhere) used.insert(r.buffer);
    }
    std::vector<bool> found(stages_.size(), false);
    for (const Name& n : used) {
      if (auto it = maker_.find(n); it != maker_.end()) found[it->second] = true;
    }
    return found;
  }

  // ---- The groups. ----

  // Why the group is no kernel, whatever tile it has, or should be none; empty if it may be one.
  std::string why_apart(const stencil::Group& group) const {
    return reads_windows(group) ? why_no_kernel(group) : "none of its stages reads windows";
  }

  std::string why_no_kernel(const stencil::Group& group) const {
    Result<stencil::Halos> halos = stencil::tight_halos(*pipeline_, group);
    for (size_t s : stencil::outputs(*pipeline_, group)) {
      const bool is_last = s == group.stages.back();
      const bool is_covered = halos && stencil::is_covered(*pipeline_, *halos, s);
      if (!is_last && (!is_covered || is_needed_before(s, group)))
        return fmt::format("{} is read outside, too", pipeline_->stage(s).name);
      if (!stages_[s].code->folds.empty() && !(halos && stencil::is_as_large_as_last(*pipeline_, *halos, s)))
        return fmt::format("not all tiles have as many points of {}, of which each is to count once",
                           pipeline_->stage(s).name);
    }
    const std::vector<PointFold> folds = folds_of(codes_of(group));
    std::string why_not = folds.empty() ? "" : FoldByBlocks(folds, scope_, names_).why_not();
    if (!why_not.empty()) return why_not;
    return sources_stay(group) ? "" : "what it reads is overwritten before its last stage";
  }

  std::vector<const StageCode*> codes_of(const stencil::Group& group) const {
    std::vector<const StageCode*> codes;
    for (size_t s : group.stages) codes.push_back(stages_[s].code);
    return codes;
  }

  std::vector<const StageCode*> all_codes() const {
    std::vector<const StageCode*> codes;
    for (const Member& m : stages_) codes.push_back(m.code);
    return codes;
  }

  // Whether beside its tile a block has memory for an element of each thread.
  bool has_room_to_fold(const stencil::Group& group, const stencil::FittedTile& fitted) const {
    if (fitted.stream || fitted.walk) return folds_of(codes_of(group)).empty();
    int64_t bytes = stencil::scratch(*pipeline_, fitted.halos, fitted.tile).peak_bytes;
    for (const PointFold& f : folds_of(codes_of(group))) bytes += shared_bytes_to_fold(f);
    return bytes <= kSharedBytes;
  }

  // Whether what is not of the group uses the stage's result before the group's kernel runs. Stages read what their code reads, and not what their
  // plans so far do.
  bool is_needed_before(size_t s, const stencil::Group& group) const {
    const size_t first = stages_[s].at + 1, last = std::max(first, stages_[group.stages.back()].at);
    const auto begin = body_.stms.begin();
    seg::NameSet used =
        arrays_used({begin + static_cast<long>(first), begin + static_cast<long>(last)}, planned_,
                    [&](const seg::Stm& between) { return gives_other_name(between) || codes_.contains(&between); });
    for (size_t other = 0; other < stages_.size(); ++other) {
      if (!group.contains(other) && stages_[other].at >= first && stages_[other].at < last) add_reads(other, used);
    }
    return std::ranges::any_of(used, [&](const Name& n) {
      auto it = maker_.find(n);
      return it != maker_.end() && it->second == s;
    });
  }

  void add_reads(size_t s, seg::NameSet& read) const {
    for (const BufferArg& a : stages_[s].code->launch.buffer_args) {
      if (const auto* host = std::get_if<HostArray>(&a)) read.insert(host->name);
    }
  }

  bool is_member(const seg::Stm& s, const stencil::Group& group) const {
    return std::ranges::any_of(group.stages, [&](size_t member) { return stm(member).get() == &s; });
  }

  // Without windows, of each other's results or of images, there is nothing that a tile of an image would be good for, and the
  // arrays may be of any shape.
  bool reads_windows(const stencil::Group& group) const {
    return std::ranges::any_of(group.stages, [&](size_t s) {
      return std::ranges::any_of(pipeline_->stage(s).reads, [](const stencil::Read& r) {
        return std::ranges::any_of(r.windows, [](const stencil::Window& w) { return w.follows && w.lo < w.hi; });
      });
    });
  }

  // Whether the arrays that the group reads are at its last statement as they were at the others.
  bool sources_stay(const stencil::Group& group) const {
    seg::NameSet read;
    for (size_t s : group.stages) add_reads(s, read);
    const auto begin = body_.stms.begin() + static_cast<long>(stages_[group.stages.front()].at),
               end = body_.stms.begin() + static_cast<long>(stages_[group.stages.back()].at);
    return !overwrite_any({begin, end}, read, graph_);
  }

  // ---- Stages that their readers compute. ----

  // Has the last stage of a group that columns suffice for compute all others, where that costs less than tiles. Yields the others' names.
  std::optional<std::string> dissolve_columns(const stencil::Partition& partition) {
    if (!models_.dissolve_in_groups || models_.fit.scope != stencil::TileScope::Block) return std::nullopt;
    for (const stencil::Group& group : partition.groups) {
      if (group.stages.size() < 2 || !why_apart(group).empty()) continue;
      if (!may_have_columns(*stages_[group.stages.back()].code)) continue;
      const std::optional<int64_t> around = stencil::rows_around_columns(*pipeline_, group);
      if (!around || !columns_pay(codes_of(group), *around)) continue;
      std::optional<StageCode> all = computed_by_last(group);
      if (!all) continue;
      std::string names;
      for (size_t s : group.stages) {
        if (s == group.stages.back()) break;
        unread_.insert(unread_.end(), stages_[s].code->arrays.begin(), stages_[s].code->arrays.end());
        dissolved_.insert(stm(s).get());
        names += (names.empty() ? "" : ", ") + pipeline_->stage(s).name;
      }
      planned_.plans.at(stm(group.stages.back()).get()).specialized.clear();
      codes_.at(stm(group.stages.back()).get()) = *std::move(all);
      return names;
    }
    return std::nullopt;
  }

  // The last stage of a group as it computes all others; nothing where it cannot, or where a thread could not have the rows that share them, in
  // several columns. With one column a thread gains little or nothing: blur2 takes 0.119 ms for 0.125 so (0.095 with two), gauss5_separable 0.224
  // for 0.219.
  std::optional<StageCode> computed_by_last(const stencil::Group& group) {
    std::unordered_map<size_t, StageCode> codes;
    for (size_t s : group.stages) codes.emplace(s, *stages_[s].code);
    auto is_stage = [&](const Name& n) { return maker_.contains(n); };
    for (size_t s : group.stages) {
      for (size_t r : pipeline_->consumers(s)) {
        if (!group.contains(r)) continue;
        auto code = computing(codes.at(r), codes.at(s), host_, is_stage, names_);
        if (!code) return std::nullopt;
        codes.at(r) = *std::move(code);
      }
    }
    const size_t last = group.stages.back();
    StageCode& all = codes.at(last);
    if (!may_have_strips(all, planned_.plans.at(stm(last).get())) || most_rows(all, kRowsThatShare) < kRowsThatShare)
      return std::nullopt;
    all.shares_rows = true;
    if (columns_of_strips(all) == 1) return std::nullopt;
    all.is_tiled = false;
    if (!models_.partition_borders) test_all_borders(all);
    return std::move(all);
  }

  // Has the readers of a stage that is by itself compute it, where that costs less than its way through memory. Yields its name.
  std::optional<std::string> dissolve_one(const stencil::Partition& partition) {
    for (const stencil::Group& group : partition.groups) {
      const bool is_kernel = group.stages.size() > 1 && why_apart(group).empty();
      for (size_t s : group.stages) {
        if ((is_kernel ? models_.dissolve_in_groups && copies_tile(*pipeline_, s, group, all_codes())
                       : may_be_dissolved(s)) &&
            dissolve(s))
          return pipeline_->stage(s).name;
      }
    }
    return std::nullopt;
  }

  bool dissolve(size_t s) {
    auto is_stage = [&](const Name& n) { return maker_.contains(n); };
    std::vector<std::pair<size_t, StageCode>> readers;
    for (size_t r : pipeline_->consumers(s)) {
      auto code = computing(*stages_[r].code, *stages_[s].code, host_, is_stage, names_);
      if (!code || !may_have_strips(*code, planned_.plans.at(stm(r).get()))) return false;
      if (!models_.partition_borders) test_all_borders(*code);
      readers.emplace_back(r, std::move(*code));
    }
    unread_.insert(unread_.end(), stages_[s].code->arrays.begin(), stages_[s].code->arrays.end());
    dissolved_.insert(stm(s).get());
    for (auto& [r, code] : readers) codes_.at(stm(r).get()) = std::move(code);
    return true;
  }

  bool may_be_dissolved(size_t s) const {
    const stencil::Stage& stage = pipeline_->stage(s);
    const std::vector<size_t>& readers = pipeline_->consumers(s);
    auto is_tiled = [&](size_t r) { return stages_[r].code->is_tiled; };
    if (stage.live_out || readers.empty() || is_tiled(s) || std::ranges::any_of(readers, is_tiled)) return false;
    return recomputation_pays(*pipeline_, s, all_codes()) && std::ranges::all_of(readers, [&](size_t r) {
             return sources_stay({{s, r}});
           });
  }

  // ---- Stages that threads compute within a kernel. ----

  // Has threads of a group's kernel compute some of its stages for themselves, as the models say, so that the group lacks these, and the other groups
  // name theirs anew. What was decided about each.
  std::vector<std::string> nest_in(size_t g, std::vector<stencil::Group>& groups, const stencil::Device& device) {
    if (models_.nesting == stencil::Nesting::None || groups[g].stages.size() < 2) return {};
    const stencil::Group group = groups[g];
    const Result<stencil::Halos> halos = stencil::tight_halos(*pipeline_, group);
    if (!halos || !why_apart(group).empty() || !stencil::fit_tile(*pipeline_, group, models_.fit)) return {};
    if (models_.nesting == stencil::Nesting::Gated) {
      std::string why_not = stencil::why_not_nested(*pipeline_, device, models_.sioutas, group);
      if (!why_not.empty()) return {std::move(why_not)};
    }
    auto is_stage = [&](const Name& n) { return maker_.contains(n); };
    NestedStages nested = nest_stages(*pipeline_, stencil::nested(*pipeline_, models_.sioutas, *halos), codes_of(group),
                                      models_.fit.points_in_registers, host_, is_stage, names_);
    if (nested.stages.empty()) return std::move(nested.lines);
    StageCodes before;
    for (auto& [s, code] : nested.codes) {
      if (!models_.partition_borders) test_all_borders(code);
      before.emplace(stm(s).get(), std::exchange(codes_.at(stm(s).get()), std::move(code)));
    }
    std::vector<const seg::Stm*> computed;
    for (size_t s : nested.stages) computed.push_back(stm(s).get());
    dissolved_.insert(computed.begin(), computed.end());
    std::vector<stencil::Group> left = stencil::without(groups, nested.stages);
    number_stages();
    if (describe() && may_be_kernel(left[g])) {
      for (const seg::Stm* c : computed) {
        const std::vector<Name>& arrays = codes_.at(c).arrays;
        unread_.insert(unread_.end(), arrays.begin(), arrays.end());
      }
      groups = std::move(left);
      return std::move(nested.lines);
    }
    for (auto& [member, code] : before) codes_.at(member) = std::move(code);
    for (const seg::Stm* c : computed) dissolved_.erase(c);
    number_stages();
    describe();
    return {"no stage is nested, since those left would be no kernel"};
  }

  // Whether it is a kernel, where others are nested in it; a stage that is left alone is one of strips.
  bool may_be_kernel(const stencil::Group& group) {
    if (group.stages.size() > 1) {
      const std::optional<stencil::FittedTile> tile = stencil::fit_tile(*pipeline_, group, models_.fit);
      return why_apart(group).empty() && tile && has_room_to_fold(group, *tile);
    }
    const seg::Stm* alone = stm(group.stages[0]).get();
    Plan& plan = planned_.plans.at(alone);
    if (!may_have_strips(codes_.at(alone), plan)) return false;
    codes_.at(alone).is_tiled = false;
    plan.specialized.clear();
    return true;
  }

  // ---- Their plans. ----

  static void add_checks(Launch& launch, const StageCode& code) {
    if (code.checks.empty()) return;
    int first = static_cast<int>(launch.failures.size());
    launch.failures.insert(launch.failures.end(), code.launch.failures.begin(), code.launch.failures.end());
    for (HostCheck c : code.checks) {
      c.failure += first;
      launch.checks.push_back(std::move(c));
    }
  }

  // The stage's own statement only makes its arrays; the group's kernel fills them.
  void have_filled(size_t s, Launch& kernel) {
    const StageCode& code = *stages_[s].code;
    for (size_t b = 0; b < kernel.buffer_args.size(); ++b) {
      auto result = std::ranges::find(code.results, kernel.kernel.buffers[b].name);
      if (result != code.results.end())
        kernel.buffer_args[b] = HostArray{code.arrays[static_cast<size_t>(result - code.results.begin())]};
    }
    Plan& own = planned_.plans.at(stm(s).get());
    own.launches.clear();
    own.specialized.clear();
    own.recipe = "by the kernel of its group";
    for (Considered& c : own.considered) {
      if (c.why_not.empty()) c.why_not = "it is a stage of a group";
    }
    own.considered.push_back({"group", ""});
  }

  // The results of stages with folds that nobody reads outside of the group.
  nest::NameSet folded_alone(const stencil::Group& group) {
    nest::NameSet inner;
    seg::NameSet read = arrays_used(body_, planned_, [&](const seg::Stm& s) {
      return gives_other_name(s) || dissolved_.contains(&s) || is_member(s, group);
    });
    for (size_t at = body_.stms.size(); at-- > 0;) {
      const seg::Stm& s = *body_.stms[at];
      if (gives_other_name(s) && read.contains(s.pat[0].name)) read.insert(*same_array(s));
    }
    for (size_t s = 0; s < stages_.size(); ++s) {
      if (!group.contains(s)) add_reads(s, read);
    }
    for (size_t s : group.stages) {
      const StageCode& code = *stages_[s].code;
      for (size_t k = 0; !code.folds.empty() && k < code.folds[0].first; ++k) {
        if (!read.contains(code.arrays[k])) inner.insert(code.results[k]), unread_.push_back(code.arrays[k]);
      }
    }
    return inner;
  }

  void keep(const stencil::Group& group, const stencil::FittedTile& fitted) {
    const std::vector<const StageCode*> codes = codes_of(group);
    std::string names;
    for (size_t s : group.stages) {
      const std::vector<Name>& computed = stages_[s].code->looked_through;
      unread_.insert(unread_.end(), computed.begin(), computed.end());
      members_.push_back(stm(s).get());
      names += (names.empty() ? "" : ", ") + pipeline_->stage(s).name;
    }
    const std::vector<size_t> stored = stencil::outputs(*pipeline_, group);
    std::vector<bool> is_stored;
    for (size_t s : group.stages) {
      is_stored.push_back(std::ranges::find(stored, s) != stored.end());
      const std::vector<Name>& arrays = stages_[s].code->arrays;
      if (!is_stored.back()) unread_.insert(unread_.end(), arrays.begin(), arrays.end());
    }
    std::optional<FoldByBlocks> fold;
    if (std::vector<PointFold> folds = folds_of(codes); !folds.empty()) fold.emplace(std::move(folds), scope_, names_);
    const nest::NameSet inner = fold ? folded_alone(group) : nest::NameSet{};
    auto finish = [&](Launch l) { return fold ? fold->folding(without_stores(std::move(l), inner)) : std::move(l); };
    Plan& plan = planned_.plans.at(stm(group.stages.back()).get());
    plan.launches = {
        scheduled_kernel(plan.launches[0].kernel.name + "_group", codes, is_stored, fitted, names_, finish)};
    plan.specialized.clear();
    for (size_t k = 0; k + 1 < codes.size(); ++k) {
      if (is_stored[k]) have_filled(group.stages[k], plan.launches[0]);
    }
    for (const StageCode* code : codes) add_checks(plan.launches[0], *code);
    if (fold) fold->complete(plan, *stm(group.stages.back()), std::move(plan.launches[0]));
    plan.recipe = fmt::format("group of stages: {}", names);
    for (Considered& c : plan.considered) {
      if (c.why_not.empty()) c.why_not = "it is the last stage of a group";
    }
    plan.considered.push_back({"group", ""});
  }

  const seg::Body& body_;
  StageCodes& codes_;
  const graph::Graph& graph_;
  const HostScope& scope_;
  const HostFacts& host_;
  stencil::Strategy strategy_;
  stencil::Models models_;
  PlannedProgram& planned_;
  NameSource& names_;
  std::vector<Member> stages_;
  std::unordered_map<Name, size_t> maker_;
  seg::NameSet folded_;  // of these the ones that a stage's points are folded to, which are no images of them
  std::vector<stencil::Image> images_;
  std::vector<nest::Expr> extents_;  // of stages, each once
  std::optional<stencil::Pipeline> pipeline_;
  std::vector<Name> unread_;
  std::vector<const seg::Stm*> members_;
  std::unordered_set<const seg::Stm*> dissolved_;
  std::unordered_set<const seg::Stm*> alone_;  // to be kernels of their own
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
