#include "rewrites/plan/finish_histograms.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/seg/host_stms.h"
#include "rewrites/plan/arrays_used.h"
#include "rewrites/plan/move_up.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/finish_segment.h"
#include "rewrites/recipes/histogram.h"
#include "rewrites/recipes/strips.h"
#include "rewrites/recipes/way.h"

namespace heddle::lower {

namespace {

class Finishing {
 public:
  Finishing(seg::Body& body, StageCodes& stages, const graph::Graph& graph, const HostScope& host,
            PlannedProgram& planned, NameSource& names)
      : body_(body), stages_(stages), graph_(graph), host_(host), planned_(planned), names_(names) {}

  void run() {
    for (size_t at = 0; at < body_.stms.size(); ++at) {
      if (!is_histogram(body_.stms[at])) continue;
      size_t last = at;
      seg::Stms finishing, late = {body_.stms[at]};
      for (const seg::StmPtr& s : finishing_stages(at)) {
        const auto from = static_cast<size_t>(std::ranges::find(body_.stms, s) - body_.stms.begin());
        const std::optional<size_t> to = move_up(body_, from, last, late, planned_, graph_);
        if (!to) continue;
        last = *to;
        finishing.push_back(s);
        late.push_back(s);
      }
      if (!finishing.empty()) keep(body_.stms[at], finishing);
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
        return is_read_only_by(r.buffer, body_.stms[at], h);
      });
      const Plan& own = planned_.plans.at(body_.stms[at].get());
      const bool is_one_kernel = own.launches.size() == 1 && grid_of(own.launches[0]);
      if (reads_alone && is_one_kernel) found.push_back(body_.stms[at]);
    }
    return found;
  }

  bool is_read_only_by(const Name& array, const seg::StmPtr& reader, const seg::StmPtr& histogram) const {
    return !arrays_used(body_, planned_, [&](const seg::Stm& s) {
              return &s == reader.get() || &s == histogram.get();
            }).contains(array);
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

  static void note_makes(Plan& plan, const seg::Stm& s) {
    for (const seg::PatElem& p : s.pat) plan.also_makes.push_back(p.name);
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
    for (const seg::StmPtr& s : finishing) {
      if (s != finishing.back()) note_makes(last, *s);
    }
    note_makes(last, *histogram);
    last.recipe = fmt::format("histogram whose segments are finished by threads: {}", stages);
    for (const seg::StmPtr& s : finishing) {
      planned_.plans.at(s.get()).considered.push_back({"histogram", ""});
      stages_.erase(s.get());
    }
  }

  seg::Body& body_;
  StageCodes& stages_;
  const graph::Graph& graph_;
  const HostScope& host_;
  PlannedProgram& planned_;
  NameSource& names_;
};

}  // namespace

void finish_histograms(seg::Body& body, StageCodes& stages, const graph::Graph& graph, const HostScope& host,
                       PlannedProgram& planned, NameSource& names) {
  Finishing(body, stages, graph, host, planned, names).run();
}

}  // namespace heddle::lower
