#include "rewrites/plan/finish_histograms.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/seg/host_stms.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/finish_segment.h"
#include "rewrites/recipes/histogram.h"
#include "rewrites/recipes/strips.h"
#include "rewrites/recipes/way.h"

namespace heddle::lower {

namespace {

class Finishing {
 public:
  Finishing(seg::Body& body, StageCodes& stages, const HostScope& host, PlannedProgram& planned, NameSource& names)
      : body_(body), stages_(stages), host_(host), planned_(planned), names_(names) {}

  void run() {
    for (size_t at = 0; at < body_.stms.size(); ++at) {
      if (!is_histogram(body_.stms[at])) continue;
      const std::vector<seg::StmPtr> finishing = finishing_stages(at);
      if (finishing.empty()) continue;
      const size_t last = move_behind(at, finishing);
      keep(body_.stms[at], finishing);
      at = last;
    }
  }

 private:
  // ---- Which stages. ----

  // Whether threads may make it, each of a segment, in memory of its own.
  bool is_histogram(const seg::StmPtr& s) const {
    const auto* op = std::get_if<seg::SegOp>(&s->exp);
    auto plan = planned_.plans.find(s.get());
    auto is_fresh = [](const ResultPlace& r) { return std::holds_alternative<FreshResult>(r); };
    return op && op->kind == seg::SegKind::Hist && op->space.dims.size() > 1 && plan != planned_.plans.end() &&
           plan->second.recipe == kHistogramRecipe && std::ranges::all_of(plan->second.results, is_fresh);
  }

  // In order; what else stands behind the histogram reads nothing that they do.
  std::vector<seg::StmPtr> finishing_stages(size_t histogram) const {
    const seg::StmPtr& h = body_.stms[histogram];
    std::vector<seg::StmPtr> found;
    for (size_t at = histogram + 1; at < body_.stms.size(); ++at) {
      auto stage = stages_.find(body_.stms[at].get());
      if (stage == stages_.end() || !finishes_segments(stage->second, *h)) continue;
      const bool reads_alone = std::ranges::all_of(stage->second.reads, [&](const recognize::WindowedRead& r) {
        return is_read_only_by(r.buffer, body_.stms[at], histogram);
      });
      const Plan& own = planned_.plans.at(body_.stms[at].get());
      const bool is_one_kernel = own.launches.size() == 1 && grid_of(own.launches[0]);
      if (reads_alone && is_one_kernel && can_move(histogram, at)) found.push_back(body_.stms[at]);
    }
    return found;
  }

  bool is_read_only_by(const Name& array, const seg::StmPtr& reader, size_t histogram) const {
    for (size_t at = histogram + 1; at < body_.stms.size(); ++at) {
      if (body_.stms[at] != reader && uses(*body_.stms[at], array)) return false;
    }
    return std::ranges::none_of(body_.result,
                                [&](const seg::SubExpRes& r) { return r.value.is_var() && r.value.name() == array; });
  }

  // By itself or by its plan, or those of statements within.
  bool uses(const seg::Stm& s, const Name& array) const {
    bool used = seg::free_names(s).contains(array);
    auto look = [&](const seg::Stm& at) {
      auto plan = planned_.plans.find(&at);
      if (plan == planned_.plans.end()) return;
      for_each_arguments(plan->second, [&](const auto& buffers, const auto& scalars) {
        for (const BufferArg& a : buffers) {
          const auto* host = std::get_if<HostArray>(&a);
          used |= host && host->name == array;
        }
        for (const ScalarArg& a : scalars) {
          const Name* measured = measured_array(a);
          used |= measured && *measured == array;
        }
      });
    };
    look(s);
    const seg::Stms within = {std::make_shared<const seg::Stm>(s)};
    seg::for_each_host_stm(within, [&](const seg::StmPtr& inner) {
      if (inner != within[0]) look(*inner);
    });
    return used;
  }

  // ---- Where they stand. ----

  static bool is_scalar(const seg::Stm& s) {
    const bool computes = std::holds_alternative<seg::PrimOp>(s.exp) || std::holds_alternative<seg::GetSize>(s.exp) ||
                          std::holds_alternative<seg::Atom>(s.exp);
    return computes && s.certs.empty() &&
           std::ranges::none_of(s.pat, [](const seg::PatElem& p) { return p.type.is_array() || p.type.is_acc(); });
  }

  // The statements between that one needs, from the last to the first; none where others than such of scalars are among them.
  std::optional<std::vector<size_t>> needed(size_t histogram, size_t stage) const {
    seg::NameSet names = seg::free_names(*body_.stms[stage]);
    std::vector<size_t> result;
    for (size_t at = stage; --at > histogram;) {
      const seg::Stm& s = *body_.stms[at];
      if (std::ranges::none_of(s.pat, [&](const seg::PatElem& p) { return names.contains(p.name); })) continue;
      if (!is_scalar(s)) return std::nullopt;
      names.merge(seg::free_names(s));
      result.push_back(at);
    }
    return result;
  }

  bool can_move(size_t histogram, size_t stage) const { return needed(histogram, stage).has_value(); }

  // The stages, and what they need, directly behind the histogram. Yields where the last of them stands then.
  size_t move_behind(size_t histogram, const std::vector<seg::StmPtr>& finishing) {
    size_t next = histogram + 1;
    auto move = [&](size_t from) {
      std::rotate(body_.stms.begin() + static_cast<long>(next), body_.stms.begin() + static_cast<long>(from),
                  body_.stms.begin() + static_cast<long>(from) + 1);
      ++next;
    };
    for (const seg::StmPtr& s : finishing) {
      auto place = [&](const seg::StmPtr& of) {
        return static_cast<size_t>(std::ranges::find(body_.stms, of) - body_.stms.begin());
      };
      const std::vector<size_t> before = *needed(next - 1, place(s));
      std::vector<seg::StmPtr> moved;
      for (size_t at : before) moved.push_back(body_.stms[at]);
      std::ranges::reverse(moved);
      moved.push_back(s);
      for (const seg::StmPtr& m : moved) move(place(m));
    }
    return next - 1;
  }

  // ---- Their plans. ----

  static const nest::For* grid_of(const Launch& launch) {
    const nest::Block& body = launch.kernel.body;
    const auto* loop = body.size() == 1 ? std::get_if<nest::For>(&body[0]->node) : nullptr;
    return loop && loop->role == nest::Role::Grid ? loop : nullptr;
  }

  // A kernel that has no blocks where threads make the histogram.
  Launch elsewhere(const seg::StmPtr& s, const nest::Expr& by_threads) {
    const Plan& own = planned_.plans.at(s.get());
    std::optional<Launch> strips = strips_kernel(stages_.at(s.get()), own, names_);
    Launch launch = strips && grid_of(*strips) ? *strips : own.launches[0];
    nest::For outermost = *grid_of(launch);
    const Name blocks = names_.fresh("blocks");
    launch.scalar_args.emplace_back(
        nest::select(by_threads, i64(0), nest::substitute(host_values(launch), outermost.extent)));
    launch.kernel.scalars.push_back({blocks, prim::Type::I64});
    outermost.extent = nest::var(blocks, prim::Type::I64);
    launch.num_blocks = nest::mul(outermost.extent, blocks_within(outermost.body));
    launch.kernel.body = {nest::stmt(std::move(outermost))};
    return launch;
  }

  // Of the loops of the grid that are within.
  static nest::Expr blocks_within(const nest::Block& body) {
    const auto* loop = body.size() == 1 ? std::get_if<nest::For>(&body[0]->node) : nullptr;
    const bool is_grid = loop && loop->role == nest::Role::Grid;
    return is_grid ? nest::mul(loop->extent, blocks_within(loop->body)) : i64(1);
  }

  // The results of other statements than the launches' are arrays of the host.
  static void name_results(Launch& launch, const seg::Pat& arrays) {
    for (BufferArg& a : launch.buffer_args) {
      if (const auto* result = std::get_if<ResultArray>(&a))
        a = HostArray{arrays[static_cast<size_t>(result->index)].name};
    }
  }

  // Of those that a stage brings with it.
  void name_results_of(const seg::StmPtr& s, bool is_last, Launch& launch) const {
    const StageCode& code = stages_.at(s.get());
    for (size_t b = 0; b < launch.buffer_args.size(); ++b) {
      auto result = std::ranges::find(code.results, launch.kernel.buffers[b].name);
      if (result == code.results.end()) continue;
      const auto k = static_cast<size_t>(result - code.results.begin());
      if (is_last) {
        launch.buffer_args[b] = ResultArray{static_cast<int>(k)};
      } else {
        launch.buffer_args[b] = HostArray{code.arrays[k]};
      }
    }
  }

  void only_makes_arrays(const seg::StmPtr& s, const std::string& why_not) {
    Plan& plan = planned_.plans.at(s.get());
    plan.launches.clear();
    plan.temporaries.clear();
    plan.recipe = "by the kernel of what finishes the histogram";
    for (Considered& c : plan.considered) {
      if (c.why_not.empty()) c.why_not = why_not;
    }
  }

  void keep(const seg::StmPtr& histogram, const std::vector<seg::StmPtr>& finishing) {
    std::vector<const StageCode*> codes;
    std::string stages;
    for (const seg::StmPtr& s : finishing) {
      codes.push_back(&stages_.at(s.get()));
      stages += (stages.empty() ? "" : ", ") + codes.back()->arrays[0].text();
    }
    const std::string name = planned_.plans.at(histogram.get()).launches[1].kernel.name;
    FinishedHistogram whole = lower_histogram(*histogram, name, host_, names_, codes);
    std::vector<Launch> launches = std::move(whole.plan.launches);
    for (Launch& l : launches) name_results(l, histogram->pat);
    for (const seg::StmPtr& s : finishing) {
      const bool is_last = s == finishing.back();
      name_results_of(s, is_last, launches[0]);
      launches.push_back(elsewhere(s, whole.by_threads));
      if (!is_last) name_results(launches.back(), s->pat);
    }
    for (const seg::StmPtr& s : finishing) only_makes_arrays(s, "it finishes a histogram");
    only_makes_arrays(histogram, "its segments are finished by threads");
    planned_.plans.at(histogram.get()).filled = std::move(whole.plan.filled);
    Plan& last = planned_.plans.at(finishing.back().get());
    last.launches = std::move(launches);
    last.temporaries = std::move(whole.plan.temporaries);
    last.block_memory = std::move(whole.plan.block_memory);
    last.recipe = fmt::format("histogram whose segments are finished by threads: {}", stages);
    for (const seg::StmPtr& s : finishing) {
      planned_.plans.at(s.get()).considered.push_back({"histogram", ""});
      stages_.erase(s.get());
    }
  }

  seg::Body& body_;
  StageCodes& stages_;
  const HostScope& host_;
  PlannedProgram& planned_;
  NameSource& names_;
};

}  // namespace

void finish_histograms(seg::Body& body, StageCodes& stages, const HostScope& host, PlannedProgram& planned,
                       NameSource& names) {
  Finishing(body, stages, host, planned, names).run();
}

}  // namespace heddle::lower
