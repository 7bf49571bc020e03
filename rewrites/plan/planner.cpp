#include "rewrites/plan/planner.h"

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>

#include "ir/nest/verify.h"
#include "ir/seg/host_stms.h"
#include "rewrites/contraction/reuse.h"
#include "rewrites/graph/graph.h"
#include "rewrites/nest/around_once.h"
#include "rewrites/nest/bounds_at_once.h"
#include "rewrites/nest/exact_quotients.h"
#include "rewrites/nest/short_integers.h"
#include "rewrites/plan/compare_versions.h"
#include "rewrites/plan/computed_arrays.h"
#include "rewrites/plan/finish_histograms.h"
#include "rewrites/plan/finish_scans.h"
#include "rewrites/plan/for_device.h"
#include "rewrites/plan/fuse_stages.h"
#include "rewrites/plan/join_reductions.h"
#include "rewrites/plan/mailbox.h"
#include "rewrites/plan/number_failures.h"
#include "rewrites/plan/plain_indices.h"
#include "rewrites/plan/tile_waste.h"
#include "rewrites/plan/time_tiles.h"
#include "rewrites/plan/unread.h"
#include "rewrites/recipes/fold_in_stage.h"
#include "rewrites/recipes/reduction.h"
#include "rewrites/recipes/strips.h"
#include "rewrites/seg/builder.h"
#include "rewrites/seg/compute_element.h"
#include "rewrites/seg/steps_until.h"
#include "rewrites/seg/unread_results.h"

namespace heddle::lower {

namespace {

class Planner {
 public:
  Planner(NameSource& names, const PlanOptions& options) : layouts_(options.device), names_(names), options_(options) {}

  PlannedProgram run(const seg::Program& program) {
    planned_.program.types = program.types;
    unread_ = seg::unread_results(program);
    function_ = "constants";
    layouts_ = find_layouts(options_.device, program.constants);
    planned_.program.constants = stms(program.constants);
    for (const seg::FunDef& f : program.functions) {
      enter(program, f);
      seg::FunDef out = f;
      host_->facts.scope([&] {
        host_->enter(f.params);
        out.body = body(f.body);
      });
      planned_.program.functions.push_back(std::move(out));
    }
    forget_dropped();
    if (options_.device == Device::Blocks) choose_arithmetic();
    number_failures(planned_);
    provide_mailbox(planned_, names_);
    return std::move(planned_);
  }

  // What rebuild() asks of us: host names stay, host bodies are planned, kernel bodies are left alone.
  seg::BodyPtr body(const seg::BodyPtr& b) {
    return host_->facts.scope([&] { return fused({stms(b->stms), b->result}); });
  }
  seg::KernelBodyPtr body(const seg::KernelBodyPtr& b) { return b; }
  seg::WithAccOp with_acc_op(const seg::WithAccOp& op) { return op; }
  seg::SubExp use(const seg::SubExp& x) { return x; }
  Name use_name(const Name& n) { return n; }
  Name bind(const Name& n) { return n; }

 private:
  // Functions may use the same names for different things: only the constants are known to all.
  void enter(const seg::Program& program, const seg::FunDef& f) {
    function_ = f.name;
    graph_ = std::make_unique<graph::Graph>(program.constants, f);
    looked_through_.clear();
    stage_arrays_.clear();
    layouts_ = find_layouts(options_.device, planned_.program.constants, &f);  // as they came to lie
    lies_otherwise_ = false;
    host_ = std::make_unique<HostScope>(layouts_);
    for (const seg::StmPtr& s : planned_.program.constants) host_->exists(s);
  }

  // Only what is in the program keeps its plan.
  void forget_dropped() {
    std::unordered_set<const seg::Stm*> live;
    seg::for_each_host_stm(planned_.program, [&](const seg::StmPtr& s) { live.insert(s.get()); });
    std::erase_if(planned_.plans, [&](const auto& entry) { return !live.contains(entry.first); });
    std::erase_if(planned_.loops, [&](const auto& entry) { return !live.contains(entry.first); });
    std::erase_if(planned_.fusions, [&](const FusionRecord& f) {
      return std::ranges::none_of(f.stms, [&](const seg::StmPtr& s) { return live.contains(s.get()); });
    });
  }

  void choose_arithmetic() {
    for (auto& [stm, plan] : planned_.plans) {
      for (Launch& l : plan.launches) {
        l.kernel.body = nest::exact_quotients(nest::around_once(l.kernel, names_));
        // With constants, places are computed with 32 bits as they are.
        if (l.kernel.constants.empty()) l.kernel.body = nest::short_integers(l.kernel.body);
        if (options_.device == Device::Blocks) l.kernel.body = nest::bounds_at_once(l.kernel);
      }
    }
  }

  seg::Stms stms(const seg::Stms& in) {
    seg::Stms out;
    for (const seg::StmPtr& s : in) {
      stm(*s, out);
      host_->exists(s);
    }
    return out;
  }

  seg::BodyPtr fused(seg::Body planned) {
    if (graph_) {
      if (options_.fusion != stencil::Strategy::None) {
        finish_histograms(planned, stages_, *graph_, *host_, planned_, names_);
        for (const seg::Stm* map : finish_scans(planned, {unread_, computed_for_, *graph_}, *host_, planned_, names_)) {
          stages_.erase(map);
          updates_.erase(map);
        }
      }
      for (const Name& n : fuse_stages(planned, stages_, stage_arrays_, *graph_, *host_, options_.fusion,
                                       options_.models, planned_, names_))
        looked_through_.insert(n);
      by_strips(planned);
    }
    drop_unread(planned, planned_, looked_through_);
    return std::make_shared<const seg::Body>(std::move(planned));
  }

  void keep(seg::Stm s, seg::Stms& out) {
    out.push_back(std::make_shared<const seg::Stm>(std::move(s)));
    const Name* array = same_array(*out.back());
    auto it = array ? stage_arrays_.find(*array) : stage_arrays_.end();
    if (it != stage_arrays_.end()) stage_arrays_.insert_or_assign(out.back()->pat[0].name, Name(it->second));
  }

  void stm(const seg::Stm& s, seg::Stms& out) {
    if (lies_otherwise_) add_layouts(layouts_, {std::make_shared<const seg::Stm>(s)});
    const size_t first = out.size();
    if (graph_) forget_overwritten(host_->computed, s.exp, *graph_);
    if (std::holds_alternative<seg::SegOp>(s.exp) || std::holds_alternative<seg::GpuBody>(s.exp)) {
      operation(with_plain_indices(s, *host_, names_).value_or(s), out);
    } else if (const auto* match = std::get_if<seg::Match>(&s.exp); match && match->sort == seg::MatchSort::Equiv) {
      versions(s, *match, out);
    } else if (match) {
      branches(s, *match, out);
    } else if (const auto* loop = std::get_if<seg::Loop>(&s.exp)) {
      this->loop(s, *loop, out);
    } else if (const ComputedArray* array = host_->computed_by_reader(s.exp)) {
      for (const seg::StmPtr& c : seg::compute_element(s, *array->map, array->result, names_)) {
        host_->exists(c);
        out.push_back(c);
      }
    } else {
      if (const auto* with = std::get_if<seg::WithAcc>(&s.exp)) host_->enter(*with);
      keep(seg::rebuild(*this, s), out);
    }
    host_->alias_results(s);
    if (lies_otherwise_) add_layouts(layouts_, seg::Stms(out.begin() + static_cast<long>(first), out.end()));
  }

  // ---- Loops. ----

  void loop(const seg::Stm& s, const seg::Loop& loop, seg::Stms& out) {
    bool may_be_tiled = graph_ && options_.device == Device::Blocks && options_.fusion != stencil::Strategy::None;
    std::optional<stencil::TimeTileDecision> decision;
    seg::Stm by_steps = planned_loop(s, loop, [&](seg::Body body) {
      if (may_be_tiled)
        decision = time_tile(loop, body.stms, stages_, options_.time_tile, options_.models.fit, *host_, names_);
      return fused(std::move(body));
    });
    size_t first = out.size();
    bool tiled = decision && decision->best && tiled_loop(s, *decision, out);
    if (!tiled) keep(std::move(by_steps), out);
    if (!decision) return;
    if (decision->best && !tiled)
      decision->lines.back() = "no time tile: not all steps of a round are known to be stages";
    auto decided = std::find_if(out.begin() + static_cast<long>(first), out.end(),
                                [](const seg::StmPtr& kept) { return std::holds_alternative<seg::Loop>(kept->exp); });
    planned_.loops.insert_or_assign(decided->get(), std::move(decision->lines));
    explained_.push_back(*decided);
  }

  // `finish`: of the body, when its statements have been planned.
  template <class F>
  seg::Stm planned_loop(const seg::Stm& s, const seg::Loop& loop, F finish) {
    return host_->facts.scope([&] {
      host_->enter(loop);
      seg::Loop planned = loop;
      seg::Body body{stms(loop.body->stms), loop.body->result};
      if (lies_otherwise_) as_parameters_lie(loop, body);
      planned.body = finish(std::move(body));
      return seg::Stm{s.pat, s.attrs, s.certs, std::move(planned), s.position};
    });
  }

  // What the body was planned for must hold in each iteration: results that do not lie as the parameters do are laid out anew.
  void as_parameters_lie(const seg::Loop& loop, seg::Body& body) {
    for (size_t k = 0; k < loop.params.size(); ++k) {
      const auto& param = loop.params[k];
      seg::SubExp& result = body.result[k].value;
      const auto perm = layouts_.dense_perm(param.name);
      if (!perm || !result.is_var() || layouts_.dense_perm(result.name()) == perm) continue;
      const seg::Stm copy{{{names_.fresh("laid_out"), param.type}}, {}, {}, seg::Manifest{*perm, result.name()}, {}};
      stm(copy, body.stms);
      host_->exists(body.stms.back());
      result = seg::SubExp{copy.pat[0].name};
    }
  }

  // None where no other number of steps at a time could be taken, or nothing is known of how large the images are.
  std::optional<seg::SubExp> worth_tiles(const seg::Loop& loop, const stencil::TimeTile& tile, seg::Builder& host) {
    const auto* counted = std::get_if<seg::ForLoop>(&loop.form);
    auto bound = counted ? counted->bound.int_constant() : std::nullopt;
    if (bound && *bound == tile.steps) return std::nullopt;
    for (const seg::Param& p : loop.params) {
      if (!p.type.is_array() || p.type.dims.size() != tile.tile.size()) continue;
      std::vector<seg::SubExp> extents;
      for (const seg::Dim& d : p.type.dims) extents.push_back(d.size());
      return wastes_little(extents, tile.tile, host);
    }
    return std::nullopt;
  }

  // So many steps at a time as one kernel; false, and nothing has changed, where they are none.
  bool tiled_loop(const seg::Stm& s, stencil::TimeTileDecision& decision, seg::Stms& out) {
    const stencil::TimeTile& tile = *decision.best;
    seg::Builder host(names_);
    std::optional<seg::SubExp> worth;
    if (!options_.time_tile && !tile.stream && !tile.walk) worth = worth_tiles(std::get<seg::Loop>(s.exp), tile, host);
    const bool counted = std::holds_alternative<seg::ForLoop>(std::get<seg::Loop>(s.exp).form);
    seg::StripMined mined =
        counted ? seg::strip_mine(s, tile.steps, names_, worth) : seg::several_until(s, tile.steps, names_, worth);
    const seg::Stms sizes = host.take();
    mined.counts.insert(mined.counts.begin(), sizes.begin(), sizes.end());
    auto shared = [](const seg::Stm& loop) { return std::make_shared<const seg::Stm>(loop); };
    seg::Stms counts_and_rounds = mined.counts;
    counts_and_rounds.push_back(shared(mined.rounds));
    add_layouts(layouts_, counts_and_rounds);
    for (const seg::StmPtr& c : mined.counts) host_->exists(c);
    bool one_kernel = true;
    seg::Stm rounds = planned_loop(mined.rounds, std::get<seg::Loop>(mined.rounds.exp), [&](seg::Body body) {
      auto unread =
          fuse_all_stages(body, stages_, stage_arrays_, *graph_, *host_, tile, options_.models, planned_, names_);
      one_kernel = unread.has_value() && !folds_apart(body, planned_);
      if (unread) looked_through_.insert(unread->begin(), unread->end());
      drop_unread(body, planned_, looked_through_);
      return std::make_shared<const seg::Body>(std::move(body));
    });
    if (!one_kernel) return false;
    host_->exists(counts_and_rounds.back());
    out.insert(out.end(), mined.counts.begin(), mined.counts.end());
    keep(std::move(rounds), out);
    if (worth) decision.lines.back() += "; each step by itself where tiles cover much more than a large image";
    if (!mined.rest) return true;
    add_layouts(layouts_, {shared(*mined.rest)});
    auto by_steps = [&](seg::Body body) { return fused(std::move(body)); };
    keep(planned_loop(*mined.rest, std::get<seg::Loop>(mined.rest->exp), by_steps), out);
    return true;
  }

  void branches(const seg::Stm& s, const seg::Match& match, seg::Stms& out) {
    seg::Match planned = match;
    auto branch = [&](size_t number, const seg::BodyPtr& b) {
      return host_->facts.scope([&] {
        host_->facts.chosen(match, number);
        return body(b);
      });
    };
    for (size_t k = 0; k < match.cases.size(); ++k) planned.cases[k].body = branch(k, match.cases[k].body);
    planned.otherwise = branch(match.cases.size(), match.otherwise);
    keep({s.pat, s.attrs, s.certs, std::move(planned), s.position}, out);
  }

  // ---- Operations. ----

  void operation(const seg::Stm& s, seg::Stms& out, bool finishes_contractions = false) {
    bool may_alias = graph_ && std::ranges::none_of(s.pat, [&](const seg::PatElem& p) {
                       return p.type.is_array() && graph_->is_overwritten(p.name);
                     });
    Request request(s, function_, *host_, names_, {last_resort_, may_alias, options_.products, &unread_});
    for_blocks_ = !last_resort_ && request.op() && request.op()->level.kind == seg::LevelKind::Block;
    std::vector<Considered> considered;
    for (const Recipe& recipe : recipes()) {
      Proposal proposal = recipe.propose(request);
      if (const auto* refusal = std::get_if<Refusal>(&proposal)) {
        if (!refusal->reason.empty()) considered.push_back({std::string(recipe.name), refusal->reason});
        continue;
      }
      if (const auto* parts = std::get_if<std::vector<Part>>(&proposal)) return take(*parts, out);
      Plan plan = std::get<Plan>(std::move(proposal));
      considered.push_back({std::string(recipe.name), ""});
      plan.considered = std::move(considered);
      plan.finishes_contractions = finishes_contractions;
      bool may_be_stage = request.by_blocks() && request.known_points() &&
                          (plan.specialized.empty() || contraction::is_filter(*plan.match));
      keep_plan(s, std::move(plan), out);
      if (may_be_stage) remember_stage(out.back(), request);
      return;
    }
    throw Refused{internal_error("no recipe carries out an operation")};
  }

  void remember_stage(const seg::StmPtr& s, Request& request) {
    Plan& plan = planned_.plans.at(s.get());
    std::vector<Considered>& considered = plan.considered;
    auto stage = stage_of(*s, *request.known_points(), stage_arrays_, names_);
    if (const auto* code = std::get_if<StageCode>(&stage); code && code->updates) {
      considered.push_back({"group", "no stage: it updates an array"});
      if (plan.specialized.empty()) updates_.emplace(s.get(), *code);
      return;
    }
    Points* of_sources = std::holds_alternative<std::string>(stage) ? request.points_of_sources() : nullptr;
    if (of_sources) stage = stage_of(*s, *of_sources, stage_arrays_, names_);
    if (auto* why_not = std::get_if<std::string>(&stage))
      return considered.push_back({"group", "no stage: " + *why_not});
    for (const recognize::OtherRead& r : std::get<StageCode>(stage).elsewhere)
      considered.push_back({"group", "not with what is read elsewhere: " + r.why});
    for (const seg::PatElem& p : s->pat) stage_arrays_.insert_or_assign(p.name, p.name);
    auto& code = stages_.emplace(s.get(), std::get<StageCode>(std::move(stage))).first->second;
    code.is_tiled = !plan.specialized.empty();
    if (!options_.models.partition_borders) test_all_borders(code);
  }

  // Stages in no group, and what is like them but that it updates arrays.
  void by_strips(const seg::Body& body) {
    for (const seg::StmPtr& s : body.stms) {
      const bool updates = updates_.contains(s.get());
      auto stage = (updates ? updates_ : stages_).find(s.get());
      if ((!updates && stage == stages_.end()) || stage->second.is_tiled) continue;
      Plan& plan = planned_.plans.at(s.get());
      if (auto kernel = strips_kernel(stage->second, plan, names_)) {
        if (std::vector<PointFold> folds = folds_of({&stage->second}); !folds.empty()) {
          const FoldByBlocks fold(std::move(folds), *host_, names_);
          fold.complete(plan, *s, fold.folding(*kernel));
        } else {
          plan.launches = {std::move(*kernel)};
        }
        looked_through_.insert(stage->second.looked_through.begin(), stage->second.looked_through.end());
        plan.recipe = "strips of points";
        for (Considered& c : plan.considered) {
          if (c.why_not.empty()) c.why_not = "a thread does better with several points";
        }
        plan.considered.push_back({"strips", ""});
      }
    }
  }

  void take(const std::vector<Part>& parts, seg::Stms& out) {
    for (const Part& part : parts) {
      std::vector<std::optional<std::vector<int>>> found;
      for (const seg::PatElem& p : part.stm->pat) found.push_back(layouts_.dense_perm(p.name));
      add_layouts(layouts_, {part.stm});
      for (size_t k = 0; k < found.size(); ++k)
        lies_otherwise_ |= found[k] && found[k] != layouts_.dense_perm(part.stm->pat[k].name);
      if (part.plan) {
        keep_plan(*part.stm, *part.plan, out);
      } else if (part.finishes_contractions && std::holds_alternative<seg::SegOp>(part.stm->exp)) {
        operation(*part.stm, out, true);
      } else {
        stm(*part.stm, out);
      }
      host_->exists(part.stm);
    }
  }

  void remember_computed(const seg::StmPtr& s) {
    if (!graph_) return;
    if (options_.device == Device::Blocks) remember_mapped(*s, host_->computed);
    for (const Name& n : remember_map(s, host_->computed)) looked_through_.insert(n);
  }

  void keep_plan(const seg::Stm& s, Plan plan, seg::Stms& out) {
    looked_through_.insert(plan.looked_through.begin(), plan.looked_through.end());
    keep(s, out);
    if (ComputedArrays own = computed_by(*out.back(), host_->computed); !own.empty())
      computed_for_.insert_or_assign(out.back().get(), std::move(own));
    if (std::ranges::all_of(plan.launches, [](const Launch& l) { return l.failures.empty(); }))
      remember_computed(out.back());
    planned_.plans.insert_or_assign(out.back().get(), std::move(plan));
    launching_.push_back(out.back());
  }

  // ---- Versions. ----

  // Of a version that is nothing but reductions of segments and what is done to their results, where the other one has a thread for each
  // segment, which sizes it suits better. None where the elements are computed by an operation before, as those that may fail are: threads
  // read none of these.
  std::optional<LongSegments> long_segments(const seg::BodyPtr& by_threads, const seg::BodyPtr& by_blocks) {
    if (options_.device != Device::Blocks) return std::nullopt;
    auto is_by_itself = [&](const seg::StmPtr& s) {
      auto it = planned_.plans.find(s.get());
      return it == planned_.plans.end() || (it->second.recipe == "direct" && it->second.specialized.empty());
    };
    bool by_themselves = true;
    std::vector<const seg::SegOp*> reductions;
    nest::NameSet computed, read;
    seg::for_each_host_stm(by_threads->stms, [&](const seg::StmPtr& s) { by_themselves &= is_by_itself(s); });
    seg::for_each_host_stm(by_blocks->stms, [&](const seg::StmPtr& s) {
      const auto* op = std::get_if<seg::SegOp>(&s->exp);
      const bool reduces = op && op->kind == seg::SegKind::Red;
      if (reduces) {
        reductions.push_back(op);
        for (const Name& n : seg::free_names(*s)) read.insert(n);
      }
      for (const seg::PatElem& p : s->pat) {
        if (op && !reduces) computed.insert(p.name);
      }
    });
    if (!by_themselves || reductions.size() != 1) return std::nullopt;
    if (std::ranges::any_of(computed, [&](const Name& n) { return read.contains(n); })) return std::nullopt;
    std::optional<LongSegments> found = longer_than_threads_suit(*reductions[0], *host_, names_);
    if (found && found->width.is_var() && bound_within(*by_blocks).contains(found->width.name())) return std::nullopt;
    return found;
  }

  // What versions are chosen by is computed before them.
  void say(seg::Builder& b, seg::Stms& out) {
    for (const seg::StmPtr& s : b.take()) {
      stm(*s, out);
      host_->exists(s);
    }
  }

  struct Version {
    seg::BodyPtr from;
    Result<seg::BodyPtr> planned;
    bool for_blocks;                      // it is refused because it is meant for blocks
    std::vector<DroppedVersion> dropped;  // itself, and those within
  };

  Version version(const seg::Stm& s, const seg::BodyPtr& b, bool last_resort) {
    bool outer = std::exchange(last_resort_, last_resort), for_blocks = std::exchange(for_blocks_, false);
    std::vector<DroppedVersion> dropped = std::exchange(planned_.dropped, {});
    Result<seg::BodyPtr> planned = [&]() -> Result<seg::BodyPtr> {
      try {
        return body(b);
      } catch (const Refused& r) {
        if (r.error.kind == ErrorKind::Internal) throw;
        return r.error;
      }
    }();
    if (!planned) planned_.dropped.push_back({function_, s.position.line, planned.error().message});
    last_resort_ = outer;
    return {b, planned, std::exchange(for_blocks_, for_blocks), std::exchange(planned_.dropped, std::move(dropped))};
  }

  // What is refused is dropped as long as one branch remains. What is meant for a block is slow in one thread, so that
  // it counts as refused as long as anything else remains.
  void versions(const seg::Stm& s, const seg::Match& match, seg::Stms& out) {
    std::vector<Version> all{version(s, match.otherwise, false)};
    for (const seg::Case& c : match.cases) all.push_back(version(s, c.body, false));
    if (std::ranges::none_of(all, [](const Version& v) { return bool(v.planned); })) {
      for (Version& v : all) {
        if (v.for_blocks && last_resort_) v = version(s, v.from, true);
        for_blocks_ |= v.for_blocks;
      }
    }
    for (Version& v : all) std::ranges::move(v.dropped, std::back_inserter(planned_.dropped));
    Result<seg::BodyPtr> otherwise = all[0].planned;
    std::vector<seg::Case> cases;
    for (size_t k = 0; k < match.cases.size(); ++k) {
      if (all[k + 1].planned) cases.push_back({match.cases[k].pattern, *all[k + 1].planned});
    }
    if (!otherwise && cases.empty()) throw Refused{otherwise.error()};
    // A contraction knows better than a threshold what to do with little parallelism, so its other versions are not needed, unless threads
    // would take many steps that cannot be split.
    auto contraction =
        std::ranges::find_if(cases, [&](const seg::Case& c) { return is_contraction(planned_.plans, *c.body); });
    std::vector<seg::SubExp> unless_few;
    if (contraction != cases.end()) {
      const bool by_blocks = options_.device == Device::Blocks;
      if (by_blocks && otherwise && match.is_if()) unless_few = unsplit_steps(planned_.plans, *contraction->body);
      const seg::NameSet changing = by_blocks ? host_->changing : seg::NameSet{};
      if (otherwise && is_better_reduced(planned_.plans, changing, *contraction->body, **otherwise)) {
        cases.erase(contraction);
      } else if (unless_few.empty()) {
        cases = {*contraction};
        otherwise = unsupported("another version is a contraction");
      }
    } else if (otherwise && is_contraction(planned_.plans, **otherwise)) {
      cases.clear();
    } else if (otherwise && cases.size() == 1 && reads_columns_by_blocks(planned_.plans, *cases[0].body, **otherwise)) {
      cases.clear();
    }
    if (otherwise && !cases.empty()) {
      seg::Match kept = match;
      kept.cases = std::move(cases);
      kept.otherwise = *otherwise;
      seg::Builder conditions(names_);
      seg::SubExp& condition = kept.subjects[0];
      if (!unless_few.empty()) {
        condition = or_few(condition, unless_few, conditions);
      } else if (kept.is_if()) {
        std::optional<LongSegments> rows = long_segments(kept.cases[0].body, kept.otherwise);
        if (!rows) rows = rows_for_blocks(planned_.plans, *kept.cases[0].body, *kept.otherwise);
        if (rows) condition = and_shorter(condition, *rows, conditions);
        condition = and_suits_blocks(condition, planned_.plans, *kept.cases[0].body, *kept.otherwise, conditions);
      }
      say(conditions, out);
      return keep({s.pat, s.attrs, s.certs, std::move(kept), s.position}, out);
    }
    // One version is left: its statements take the branch's place.
    const seg::BodyPtr& only = otherwise ? *otherwise : cases[0].body;
    out.insert(out.end(), only->stms.begin(), only->stms.end());
    for (size_t k = 0; k < s.pat.size(); ++k) {
      keep({{s.pat[k]}, {}, s.certs, seg::Atom{only->result[k].value}, s.position}, out);
      if (s.pat[k].type.is_acc()) host_->alias(s.pat[k].name, only->result[k].value.name());
    }
  }

  Layouts layouts_;
  // Whether part of an operation has a result that does not lie as was found of the whole, so that what follows must be looked at again.
  bool lies_otherwise_ = false;
  NameSource& names_;
  std::unique_ptr<HostScope> host_ = std::make_unique<HostScope>(layouts_);
  std::unique_ptr<graph::Graph> graph_;  // of the function; none while the constants are planned
  PlannedProgram planned_;
  // Keep the keys of planned_.plans and loops from becoming the addresses of other statements when versions are dropped.
  std::vector<seg::StmPtr> launching_, explained_;
  StageCodes stages_, updates_;
  std::unordered_map<const seg::Stm*, ComputedArrays> computed_for_;  // see ScansOfBody
  StageArrays stage_arrays_;
  std::string function_;
  PlanOptions options_;
  bool last_resort_ = true;
  seg::NameSet unread_;      // of what operations compute
  bool for_blocks_ = false;  // the last operation is meant for blocks, and refused as long as anything else remains
  seg::NameSet looked_through_{};  // arrays that kernels compute themselves
};

}  // namespace

Result<PlannedProgram> plan_program(const seg::Program& program, const PlanOptions& options) try {
  NameSource names(program.next_tag());
  return Planner(names, options).run(for_device(program, options.device, names));
} catch (const Refused& r) {
  return r.error;
}

std::vector<std::string> verify_kernels(const PlannedProgram& planned) {
  std::vector<std::string> problems;
  auto verify = [&](const nest::Kernel& kernel) {
    for (const std::string& p : nest::verify(kernel)) problems.push_back("kernel " + kernel.name + ": " + p);
  };
  for (const auto& [stm, plan] : planned.plans) {
    for_each_launch(plan, [&](const Launch& l) { verify(l.kernel); });
  }
  std::sort(problems.begin(), problems.end());
  return problems;
}

}  // namespace heddle::lower
