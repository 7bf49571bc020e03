#include "rewrites/plan/time_tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ir/nest/traverse.h"
#include "rewrites/plan/estimate.h"
#include "rewrites/plan/host_ops.h"
#include "rewrites/plan/only_where_needed.h"
#include "rewrites/plan/reads_by_values.h"
#include "rewrites/recipes/fold_in_stage.h"
#include "rewrites/recipes/walk.h"
#include "rewrites/seg/steps_until.h"
#include "rewrites/seg/strip_mine.h"

namespace heddle::lower {

namespace {

using Kind = stencil::Source::Kind;
using Extents = std::vector<std::optional<int64_t>>;

// About how many points there are where only the run will tell; a cube where several extents are unknown.
constexpr double kEstimatedPoints = 1 << 22;

std::vector<stencil::Interval> domain(const Extents& extents) {
  auto unknown = std::ranges::count_if(extents, [](const auto& e) { return !e.has_value(); });
  auto estimate = static_cast<int64_t>(std::pow(kEstimatedPoints, 1 / std::max(1.0, static_cast<double>(unknown))));
  std::vector<stencil::Interval> result;
  for (const auto& e : extents) result.push_back({0, e.value_or(estimate) - 1});
  return result;
}

Extents constants(const std::vector<nest::Expr>& extents) {
  Extents result;
  for (const nest::Expr& e : extents) result.push_back(nest::int_constant(e));
  return result;
}

// A loop's step as the models see it. Throws Refused with why it is no step of an iterated stencil, as a clause.
class Step {
 public:
  Step(const seg::Loop& loop, const seg::Stms& planned, const StageCodes& stages, const HostScope& host,
       NameSource& names)
      : loop_(loop), until_(std::holds_alternative<seg::WhileLoop>(loop.form)), host_(host), names_(names) {
    for (const seg::StmPtr& s : planned) {
      auto it = stages.find(s.get());
      if (it == stages.end()) {
        if (!has_other_name(*s) && !is_reduced(*s)) check_host(*s);
        continue;
      }
      if (until_) check_too_many(it->second);
      for (const Name& array : it->second.arrays) made_by_.insert_or_assign(array, codes_.size());
      codes_.push_back(&it->second);
    }
  }

  stencil::Iterated described() {
    for (const seg::Param& p : loop_.params) {
      if (p.type.is_array()) add_input(p.name, sizes(p.type));
    }
    for (size_t k = 0; k < loop_.params.size(); ++k) {
      if (loop_.params[k].type.is_array()) next_.push_back(source(loop_.body->result[k].value));
    }
    std::vector<stencil::Stage> stages;
    std::vector<int64_t> loads;
    for (const StageCode* code : codes_) {
      stages.push_back(stage(*code));
      stages.back().only_where_needed = only_where_needed(*code, host_, names_);
      loads.push_back(code->loads);
    }
    // Arrays that are no parameters stay as they are.
    while (next_.size() < inputs_.size()) next_.push_back({Kind::Input, next_.size()});
    auto pipeline = stencil::Pipeline::of(std::move(inputs_), std::move(stages));
    if (!pipeline) refuse(pipeline.error().message);
    return {std::move(*pipeline), std::move(next_), std::move(loads), until_, static_cast<int64_t>(reduced_.size()),
            why_no_walk()};
  }

 private:
  // Nor are there rows of what is read elsewhere.
  std::string why_no_walk() const {
    for (const StageCode* code : codes_) {
      for (size_t b = 0; b < code->launch.buffer_args.size(); ++b) {
        const Name& array = code->launch.kernel.buffers[b].name;
        const bool is_read = std::ranges::find(code->results, array) == code->results.end();
        if (is_read && std::ranges::find(code->reads, array, &recognize::WindowedRead::buffer) == code->reads.end())
          return fmt::format("{} is read elsewhere than near a point's own place", array.text());
      }
    }
    return "";
  }

  // Of a stage of steps of which some may be too many, after which arrays hold what they never do in the program.
  void check_too_many(const StageCode& code) const {
    if (!code.checks.empty()) refuse("a step that there may be too many might fail");
    seg::NameSet changing;
    for (const seg::Param& p : loop_.params) changing.insert(p.name);
    for (const seg::StmPtr& s : loop_.body->stms) {
      for (const seg::PatElem& p : s->pat) changing.insert(p.name);
    }
    nest::NameSet scalars;
    for (size_t k = 0; k < code.launch.scalar_args.size(); ++k) {
      const auto* value = std::get_if<nest::Expr>(&code.launch.scalar_args[k]);
      if (value && std::ranges::any_of(nest::free_names(*value), [&](const Name& n) { return changing.contains(n); }))
        scalars.insert(code.launch.kernel.scalars[k].name);
    }
    if (reads_by_values(code, std::move(scalars), host_, names_))
      refuse("a step that there may be too many might read what does not exist");
  }

  // Whether the statement gives a stage's result another name.
  bool has_other_name(const seg::Stm& s) {
    const Name* array = same_array(s);
    auto maker = array ? made_by_.find(*array) : made_by_.end();
    if (maker == made_by_.end()) return false;
    made_by_.insert_or_assign(s.pat[0].name, size_t{maker->second});
    other_names_.insert_or_assign(s.pat[0].name,
                                  other_names_.contains(*array) ? Name(other_names_.at(*array)) : *array);
    return true;
  }

  // Whether the statement is a reduction, which may become a part of a stage, or reads what one yields. Only what decides about steps is looked
  // for by them: a step that is counted needs none.
  bool is_reduced(const seg::Stm& s) {
    if (!until_) return false;
    if (is_fold_of_all(s)) {
      for (const seg::PatElem& p : s.pat) reduced_.insert(p.name);
      return true;
    }
    const auto* index = std::get_if<seg::Index>(&s.exp);
    return index && reduced_.contains(index->array) && s.pat[0].type.is_scalar();
  }

  // Whether nobody has to do with a stage's result but reductions, which need not find it in memory.
  bool is_reduced_alone(const Name& array) const {
    auto is_array = [&](const Name& n) {
      return n == array || (other_names_.contains(n) && other_names_.at(n) == array);
    };
    return !reduced_.empty() && std::ranges::none_of(loop_.body->result, [&](const seg::SubExpRes& r) {
      return r.value.is_var() && is_array(r.value.name());
    }) && std::ranges::none_of(codes_, [&](const StageCode* c) {
      return std::ranges::any_of(c->launch.kernel.buffers, is_array, &nest::Buffer::name);
    });
  }

  // Beside stages there may be what the host computes of scalars.
  void check_host(const seg::Stm& s) const {
    bool scalars = std::ranges::all_of(s.pat, [](const seg::PatElem& p) { return p.type.is_scalar(); });
    const auto* op = std::get_if<seg::PrimOp>(&s.exp);
    bool plain = op || std::holds_alternative<seg::Atom>(s.exp) || std::holds_alternative<seg::GetSize>(s.exp) ||
                 std::holds_alternative<seg::CalcNumBlocks>(s.exp) ||
                 (!until_ && std::holds_alternative<seg::Assert>(s.exp));
    if (until_ && op && prim::can_fail(op->op)) plain = false;
    if (!scalars || !plain) refuse(fmt::format("{} is no stage", describe(s)));
  }

  static std::vector<stencil::Interval> sizes(const seg::Type& type) {
    Extents extents;
    for (const seg::Dim& d : type.dims) extents.push_back(d.is_ext() ? std::nullopt : d.size().int_constant());
    return domain(extents);
  }

  size_t add_input(const Name& array, std::vector<stencil::Interval> domain) {
    auto [it, is_new] = input_.try_emplace(array, inputs_.size());
    if (is_new) inputs_.push_back({array.text(), std::move(domain)});
    return it->second;
  }

  stencil::Source source(const seg::SubExp& x) const {
    if (auto it = made_by_.find(x.name()); it != made_by_.end()) return {Kind::Stage, it->second};
    if (auto it = input_.find(x.name()); it != input_.end()) return {Kind::Input, it->second};
    refuse(fmt::format("{} is made by no stage", x.name().text()));
  }

  bool stays(size_t input) const {
    return input >= next_.size() || next_[input] == stencil::Source{Kind::Input, input};
  }

  stencil::Stage stage(const StageCode& code) {
    stencil::Stage result = for_models(code);
    for (size_t k = 0; k < code.arrays.size(); ++k) {
      if (is_reduced_alone(code.arrays[k])) result.element_bytes[k] = 0;
    }
    std::vector<nest::Expr> extents;
    for (const recognize::Index& i : code.indices) {
      extents.push_back(i.extent);
      result.extents.push_back(number_of(i.extent, extents_));
    }
    result.domain = domain(constants(extents));
    auto read = [&](stencil::Source from, const recognize::WindowedRead& r) {
      result.reads.push_back({from, r.windows});
      bool point = std::ranges::all_of(r.windows, [](const stencil::Window& w) { return w.lo == w.hi; });
      if (!point) result.kind = stencil::StageKind::Local;
    };
    for (const recognize::WindowedRead& r : code.reads) {
      if (auto it = made_by_.find(r.buffer); it != made_by_.end()) read({Kind::Stage, it->second}, r);
    }
    for (size_t b = 0; b < code.launch.buffer_args.size(); ++b) {
      const auto* host = std::get_if<HostArray>(&code.launch.buffer_args[b]);
      if (!host || made_by_.contains(host->name)) continue;
      const nest::Buffer& buffer = code.launch.kernel.buffers[b];
      size_t input = add_input(host->name, domain(constants(buffer.dims)));
      inputs_[input].element_bytes = prim::size_bytes(buffer.elem);
      auto windows = std::ranges::find(code.reads, buffer.name, &recognize::WindowedRead::buffer);
      if (stays(input)) continue;
      if (windows == code.reads.end())
        refuse(fmt::format("{} is read elsewhere than near a point's own place", host->name.text()));
      read({Kind::Input, input}, *windows);
    }
    return result;
  }

  const seg::Loop& loop_;
  const bool until_;  // each step decides whether there is another
  const HostScope& host_;
  NameSource& names_;
  seg::NameSet reduced_;  // what reductions yield
  std::vector<const StageCode*> codes_;
  std::unordered_map<Name, size_t> made_by_, input_;
  std::unordered_map<Name, Name> other_names_;  // of stages' results
  std::vector<stencil::Image> inputs_;
  std::vector<stencil::Source> next_;
  std::vector<nest::Expr> extents_;  // of stages, each once
};

std::string summary(const stencil::TimeTileDecision& decision, std::optional<int64_t> wanted) {
  if (decision.best)
    return fmt::format("time tile of {} steps{}, {}", decision.best->steps,
                       decision.best->walk     ? " that warps walk"
                       : decision.best->stream ? " that stream"
                                               : "",
                       wanted ? "as was asked for" : "because that takes least");
  if (!wanted) return "no time tile: several steps in a kernel do not take so much less";
  return *wanted == 1 ? "no time tile, as was asked for"
                      : "no time tile: no kernel has room for as many steps as were asked for";
}

}  // namespace

std::optional<stencil::TimeTileDecision> time_tile(const seg::Loop& loop, const seg::Stms& planned,
                                                   const StageCodes& stages, std::optional<int64_t> wanted,
                                                   const stencil::FitModel& fit, const HostScope& host,
                                                   NameSource& names) {
  if (std::ranges::none_of(planned, [&](const seg::StmPtr& s) { return stages.contains(s.get()); }))
    return std::nullopt;
  auto none = [](const std::string& why) { return stencil::TimeTileDecision{{}, {"no time tile: " + why}}; };
  try {
    const auto* counted = std::get_if<seg::ForLoop>(&loop.form);
    if (auto why_not = counted ? seg::why_not_strip_mined(loop) : seg::why_not_several_until(loop)) refuse(*why_not);
    stencil::Iterated iterated = Step(loop, planned, stages, host, names).described();
    auto two = stencil::unrolled(iterated, 2);
    if (!two) return none(two.error().message);
    auto halos = stencil::tight_halos(*two, stencil::whole(*two));
    if (!halos) return none(halos.error().message);
    if (auto s = stencil::not_covered(*two, *halos))
      return none(fmt::format("several steps would have results of {}, too", two->stage(*s).name));
    std::optional<int64_t> num_steps;
    if (auto n = counted ? counted->bound.int_constant() : std::nullopt) num_steps = std::max<int64_t>(0, *n);
    // As for groups: devices of one time differ little.
    auto decision = stencil::choose_time_tile(iterated, *stencil::find_device("H100"), num_steps, wanted, fit);
    decision.lines.push_back(summary(decision, wanted));
    return decision;
  } catch (const Refused& r) {
    if (r.error.kind == ErrorKind::Internal) throw;
    return none(r.error.message);
  }
}

}  // namespace heddle::lower
