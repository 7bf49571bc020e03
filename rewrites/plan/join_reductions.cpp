#include "rewrites/plan/join_reductions.h"

#include <algorithm>
#include <unordered_set>

#include "ir/nest/traverse.h"
#include "rewrites/plan/arrays_used.h"
#include "rewrites/plan/move_up.h"
#include "rewrites/recipes/fold_in_stage.h"
#include "rewrites/recipes/strips.h"

namespace heddle::lower {

namespace {

// The last of the stages that the operation reads; the body's end where there is none.
size_t last_stage_read(const Plan& plan, const seg::Body& body, const StageCodes& stages, const StageArrays& names) {
  seg::NameSet read;
  for_each_arguments(plan, [&](const auto& buffers, const auto&) {
    for (const BufferArg& a : buffers) {
      const auto* host = std::get_if<HostArray>(&a);
      if (!host) continue;
      auto first = names.find(host->name);
      read.insert(first == names.end() ? host->name : first->second);
    }
  });
  for (size_t at = body.stms.size(); at-- > 0;) {
    auto stage = stages.find(body.stms[at].get());
    if (stage == stages.end()) continue;
    if (std::ranges::any_of(stage->second.arrays, [&](const Name& a) { return read.contains(a); })) return at;
  }
  return body.stms.size();
}

// The plan of a reduction that is a kernel which cannot fail; null for everything else.
const Plan* plan_of_fold(const seg::Stm& s, const StageCodes& stages, const PlannedProgram& planned) {
  if (!is_fold_of_all(s) || stages.contains(&s)) return nullptr;
  auto plan = planned.plans.find(&s);
  const bool is_kernel = plan != planned.plans.end() && plan->second.launches.size() == 1 &&
                         plan->second.launches[0].failures.empty() && plan->second.launches[0].checks.empty();
  return is_kernel ? &plan->second : nullptr;
}

class Join {
 public:
  Join(const seg::Body& body, StageCodes& stages, const JoinOptions& options, PlannedProgram& planned,
       NameSource& names)
      : body_(body), stages_(stages), options_(options), planned_(planned), names_(names) {}

  std::vector<Name> run() {
    for (size_t at = 0; at < body_.stms.size(); ++at) {
      if (plan_of_fold(*body_.stms[at], stages_, planned_)) join(at);
    }
    return std::move(unread_);
  }

 private:
  const Name& first_name(const Name& array) const {
    auto it = options_.arrays.find(array);
    return it == options_.arrays.end() ? array : it->second;
  }

  void join(size_t at) {
    const seg::StmPtr& reduction = body_.stms[at];
    Plan& plan = planned_.plans.at(reduction.get());
    const size_t made_at = last_stage_read(plan, body_, stages_, options_.arrays);
    if (made_at >= at) return;
    const seg::StmPtr made_by = body_.stms[made_at];
    auto why_not = [&](const std::string& why) { plan.considered.push_back({"group", "not with a stage: " + why}); };
    const StageCode& stage = stages_.at(made_by.get());
    auto image = images_.find(made_by.get());
    const seg::Stm& image_stm = image == images_.end() ? *made_by : *image->second;
    if (stage.is_tiled) return why_not("that is a contraction");
    if (!options_.in_group && !may_have_strips(stage, planned_.plans.at(&image_stm)))
      return why_not("by itself the stage is none of rows");
    if (!may_be_moved(stage, made_at, at)) return why_not("others need the stage before");
    const FoldInStage fold{stage, image_stm, reduction};
    auto is_needed = [&](const Name& array) { return is_read(array, made_by.get(), reduction.get()); };
    auto joined = with_elements(fold, is_needed, options_.arrays, options_.host, names_);
    if (const auto* why = std::get_if<std::string>(&joined)) return why_not(*why);
    auto& code = std::get<StageCode>(joined);
    if (std::string why = FoldByBlocks(folds_of({&code}), options_.host, names_).why_not(); !why.empty())
      return why_not(why);
    take(made_by, at, std::move(code));
  }

  void take(const seg::StmPtr& made_by, size_t at, StageCode code) {
    const seg::StmPtr& reduction = body_.stms[at];
    auto image = images_.find(made_by.get());
    images_.insert_or_assign(reduction.get(), image == images_.end() ? made_by : seg::StmPtr(image->second));
    for (const Name& array : stages_.at(made_by.get()).arrays) {
      if (std::ranges::find(code.arrays, array) == code.arrays.end()) unread_.push_back(array);
    }
    stages_.erase(made_by.get());
    stages_.emplace(reduction.get(), std::move(code));
    Plan& own = planned_.plans.at(made_by.get());
    own.launches.clear();
    own.specialized.clear();
    own.recipe = kReducedAsComputed;
    for (Considered& c : own.considered) {
      if (c.why_not.empty()) c.why_not = "its results are reduced";
    }
  }

  // Whether the stage may stand where the reduction stands: nobody between uses its results, or overwrites what it reads.
  bool may_be_moved(const StageCode& stage, size_t made_at, size_t at) const {
    auto begin = body_.stms.begin();
    const seg::Stms between(begin + static_cast<long>(made_at) + 1, begin + static_cast<long>(at));
    seg::NameSet own(stage.arrays.begin(), stage.arrays.end());
    for (const StageFold& f : stage.folds) {
      for (const seg::PatElem& p : f.reduction->pat) own.insert(p.name);
    }
    const seg::NameSet used = arrays_used(between, planned_, [&](const seg::Stm& s) { return gives_other_name(s); });
    if (std::ranges::any_of(used, [&](const Name& n) { return own.contains(first_name(n)); })) return false;
    for (const seg::StmPtr& s : between) {
      auto other = stages_.find(s.get());
      if (other != stages_.end() && reads_any(other->second, own)) return false;
    }
    seg::NameSet read;
    for (const BufferArg& a : stage.launch.buffer_args) {
      if (const auto* host = std::get_if<HostArray>(&a)) read.insert(host->name);
    }
    return !overwrite_any(between, read, options_.graph);
  }

  bool reads_any(const StageCode& stage, const seg::NameSet& arrays) const {
    return std::ranges::any_of(stage.launch.buffer_args, [&](const BufferArg& a) {
      const auto* host = std::get_if<HostArray>(&a);
      return host && arrays.contains(first_name(host->name));
    });
  }

  bool gives_other_name(const seg::Stm& s) const {
    return !s.pat.empty() && options_.arrays.contains(s.pat[0].name) && same_array(s);
  }

  // Whether anything but these two reads the array, by any of its names.
  bool is_read(const Name& array, const seg::Stm* maker, const seg::Stm* reduction) const {
    const seg::NameSet used = arrays_used(
        body_, planned_, [&](const seg::Stm& s) { return &s == maker || &s == reduction || gives_other_name(s); });
    if (std::ranges::any_of(used, [&](const Name& n) { return first_name(n) == array; })) return true;
    return std::ranges::any_of(
        stages_, [&](const auto& stage) { return stage.first != maker && reads_any(stage.second, {array}); });
  }

  const seg::Body& body_;
  StageCodes& stages_;
  const JoinOptions& options_;
  PlannedProgram& planned_;
  NameSource& names_;
  std::unordered_map<const seg::Stm*, seg::StmPtr>
      images_;  // by whom the stage's images are made that stands where a reduction stands
  std::vector<Name> unread_;
};

bool is_scalar_of_host(const seg::Stm& s) {
  return std::ranges::all_of(s.pat, [](const seg::PatElem& p) { return p.type.is_scalar(); }) &&
         (std::holds_alternative<seg::PrimOp>(s.exp) || std::holds_alternative<seg::Atom>(s.exp) ||
          std::holds_alternative<seg::GetSize>(s.exp) || std::holds_alternative<seg::CalcNumBlocks>(s.exp));
}

// Puts each reduction of what a stage computes behind the stage, where all is there that it needs.
void put_behind_stages(seg::Body& body, const StageCodes& stages, const StageArrays& arrays,
                       const PlannedProgram& planned) {
  for (size_t at = 0; at < body.stms.size(); ++at) {
    const Plan* plan = plan_of_fold(*body.stms[at], stages, planned);
    const size_t stage = plan ? last_stage_read(*plan, body, stages, arrays) : at;
    if (stage >= at) continue;
    // With the host's scalars that it needs.
    seg::NameSet needed = seg::free_names(*body.stms[at]);
    std::unordered_set<const seg::Stm*> moved = {body.stms[at].get()};
    size_t to = at;
    for (; to > stage + 1; --to) {
      const seg::Stm& s = *body.stms[to - 1];
      if (!makes_any(s, needed, planned)) continue;
      if (!is_scalar_of_host(s)) break;
      moved.insert(&s);
      needed.merge(seg::free_names(s));
    }
    const auto begin = body.stms.begin();
    std::stable_partition(begin + static_cast<long>(to), begin + static_cast<long>(at) + 1,
                          [&](const seg::StmPtr& s) { return moved.contains(s.get()); });
  }
}

// Puts such statements back in front of what followed them.
void put_back(seg::Body& body, const seg::Stms& before, const std::function<bool(const seg::Stm&)>& which) {
  for (size_t at = before.size(); at-- > 0;) {
    if (!which(*before[at])) continue;
    std::erase(body.stms, before[at]);
    const auto next = at + 1 < before.size() ? std::ranges::find(body.stms, before[at + 1]) : body.stms.end();
    body.stms.insert(next, before[at]);
  }
}

}  // namespace

std::vector<Name> join_reductions(seg::Body& body, StageCodes& stages, const JoinOptions& options,
                                  PlannedProgram& planned, NameSource& names) {
  const seg::Stms before = body.stms;
  put_behind_stages(body, stages, options.arrays, planned);
  std::vector<Name> unread = Join(body, stages, options, planned, names).run();
  put_back(body, before, [&](const seg::Stm& s) { return plan_of_fold(s, stages, planned) != nullptr; });
  return unread;
}

bool folds_apart(const seg::Body& body, const PlannedProgram& planned) {
  return std::ranges::any_of(body.stms, [&](const seg::StmPtr& s) {
    return is_fold_of_all(*s) && planned.plans.at(s.get()).launches.size() == 1;
  });
}

bool decides_about_stages(const StageCode& stage, size_t at, const seg::Body& body, const StageCodes& stages) {
  nest::NameSet depend;
  for (const StageFold& f : stage.folds) {
    for (const seg::PatElem& p : f.reduction->pat) depend.insert(p.name);
  }
  auto depends = [&](const Name& n) { return depend.contains(n); };
  for (size_t later = at + 1; !depend.empty() && later < body.stms.size(); ++later) {
    const seg::Stm& s = *body.stms[later];
    auto other = stages.find(&s);
    if (other == stages.end()) {
      if (!std::ranges::any_of(seg::free_names(s), depends)) continue;
      for (const seg::PatElem& p : s.pat) depend.insert(p.name);
      continue;
    }
    for (const BufferArg& a : other->second.launch.buffer_args) {
      const auto* host = std::get_if<HostArray>(&a);
      if (host && depends(host->name)) return true;
    }
    for (const ScalarArg& a : other->second.launch.scalar_args) {
      const auto* value = std::get_if<nest::Expr>(&a);
      if (value && std::ranges::any_of(nest::free_names(*value), depends)) return true;
    }
  }
  return false;
}

}  // namespace heddle::lower
