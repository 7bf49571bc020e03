#include <algorithm>
#include <array>

#include "ir/nest/traverse.h"
#include "ir/seg/has_checks.h"
#include "rewrites/contraction/reuse.h"
#include "rewrites/nest/checks_first.h"
#include "rewrites/nest/keep_in_registers.h"
#include "rewrites/recipes/find_contraction.h"
#include "rewrites/recipes/histogram.h"
#include "rewrites/recipes/recipe.h"
#include "rewrites/recipes/reduction.h"
#include "rewrites/recipes/scan.h"
#include "rewrites/recipes/scan_by_chunks.h"
#include "rewrites/recipes/scan_of_rows.h"
#include "rewrites/recipes/staged_loop.h"
#include "rewrites/recipes/where_none_fails.h"
#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/by_threads.h"
#include "rewrites/seg/distribute_sums.h"
#include "rewrites/seg/join_sums.h"
#include "rewrites/seg/store_elements.h"
#include "rewrites/seg/store_long_results.h"

namespace heddle::lower {

namespace {

// From so many uses of each element on, what is saved by tiling pays for results that pass through memory once more:
// H100, sums over windows of 3x3 (where it does not) and complex products (where it is a factor of five).
constexpr int64_t kWorthDistributing = 16;
// Of a sum of so few terms, to store the result and read it again costs as much as what the point reads.
constexpr int64_t kFewTerms = 8;

// Of a point, in one kernel: a thread has all of them in registers, for each of its points.
constexpr size_t kMostSumsTogether = 4;

bool is_fold(const Request& r) { return r.is(seg::SegKind::Red) || r.is(seg::SegKind::Scan); }

Proposal parts_of(const seg::Stms& stms) {
  std::vector<Part> parts;
  for (const seg::StmPtr& s : stms) parts.push_back({s});
  return parts;
}

// What makes a thread wait less for memory.
Plan with_less_waiting(Plan plan) {
  for (Launch& l : plan.launches) l.kernel.body = nest::checks_first(nest::keep_in_registers(std::move(l.kernel.body)));
  return plan;
}

// ---- What blocks of threads do together. ----

Proposal teams(Request& r) {
  if (!r.op() || r.op()->level.kind != seg::LevelKind::Block) return Refusal{};
  if (!r.by_blocks()) return Refusal{"the device's threads work by themselves"};
  return or_refusal([&]() -> Proposal {
    return with_less_waiting(lower_by_teams(r.stm(), r.kernel_name("segmap"), r.host(), r.names()));
  });
}

Proposal reduction(Request& r) {
  if (!r.is(seg::SegKind::Red)) return Refusal{};
  if (!r.by_blocks()) return Refusal{"the device's threads work by themselves"};
  if (!seg::of_scalars(*r.op())) return Refusal{"its operator is not one of scalars"};
  return or_refusal([&] { return lower_reduction(r.stm(), r.kernel_name("segred"), r.host(), r.names()); });
}

Proposal scan(Request& r) {
  if (!r.is(seg::SegKind::Scan)) return Refusal{};
  if (!r.by_blocks()) return Refusal{"the device's threads work by themselves"};
  return or_refusal(
      [&] { return lower_scan(r.stm(), r.kernel_name("segscan"), r.host(), r.names(), {r.circumstances().unread}); });
}

// The elements of a reduction or scan stored by a map, where they are not in memory anyway.
Proposal with_elements_stored(Request& r) {
  bool updates = std::ranges::any_of(r.op()->types, [](const seg::Type& t) { return t.is_acc(); });
  if (!seg::of_scalars(*r.op()) || updates) return Refusal{"its operator is not one of scalars"};
  if (seg::has_elements_in_memory(r.stm(), r.names())) return Refusal{"its elements are in memory"};
  return parts_of(seg::store_elements(r.stm(), r.names()));
}

Proposal checked_before(Request& r) {
  if (!is_fold(r) || !r.by_blocks() || !seg::has_checks(r.op()->body->stms)) return Refusal{};
  return or_refusal([&]() -> Proposal {
    const bool updates = std::ranges::any_of(r.op()->types, [](const seg::Type& t) { return t.is_acc(); });
    if (!seg::of_scalars(*r.op()) || updates) return Refusal{"its operator is not one of scalars"};
    Request map = r.part(seg::store_elements(r.stm(), r.names()).front());
    const auto chosen = where_none_fails(r.stm(), map.points(), r.host(), r.names());
    if (!chosen) return Refusal{"nothing that the host knows keeps all points from failing"};
    return parts_of(*chosen);
  });
}

Proposal stored_elements(Request& r) {
  if (!is_fold(r)) return Refusal{};
  if (!r.by_blocks()) return Refusal{"the device's threads work by themselves"};
  return with_elements_stored(r);
}

Proposal contraction(Request& r);
Proposal staged_loop(Request& r);

// Of several segments the map may store more than all that is read, as each of many trees' leaf for each row: only for what its threads share.
bool is_worth_storing(Request& r, const seg::StmPtr& map) {
  if (r.op()->space.dims.size() < 2) return true;
  Request found = r.part(map);
  return !std::holds_alternative<Refusal>(contraction(found)) || !std::holds_alternative<Refusal>(staged_loop(found));
}

Proposal histogram(Request& r) {
  if (!r.is(seg::SegKind::Hist)) return Refusal{};
  if (!r.by_blocks()) return Refusal{"the device's threads work by themselves"};
  if (!seg::has_bins_of_scalars(*r.op())) return Refusal{"its operator is one of arrays"};
  auto stored = seg::store_long_results(r.stm(), seg::LongResults::Scalars, r.names());
  if (stored && is_worth_storing(r, stored->front())) return parts_of(*stored);
  Proposal plan =
      or_refusal([&]() -> Proposal { return lower_histogram(r.stm(), r.kernel_name("seghist"), r.host(), r.names()); });
  if (!std::holds_alternative<Refusal>(plan)) return plan;
  if (!stored) stored = seg::store_long_results(r.stm(), seg::LongResults::Arrays, r.names());
  return stored ? parts_of(*stored) : plan;
}

Proposal chunked_scan(Request& r) {
  if (!r.is(seg::SegKind::Scan) || r.by_blocks()) return Refusal{};
  Proposal plan = scan_by_chunks(r.stm(), r.kernel_name("segscan"), r.host(), r.names(), r.circumstances().unread);
  if (!std::holds_alternative<Refusal>(plan)) return plan;
  Proposal stored = with_elements_stored(r);
  return std::holds_alternative<Refusal>(stored) ? plan : stored;
}

Proposal columns_of_rows(Request& r) {
  if (!r.is(seg::SegKind::Scan) || r.by_blocks()) return Refusal{};
  return scan_of_rows(r.stm(), r.kernel_name("segscan"), r.host(), r.names());
}

Proposal by_threads(Request& r) {
  if (!is_fold(r) && !r.is(seg::SegKind::Hist)) return Refusal{};
  if (r.by_blocks()) return parts_of(seg::by_threads(r.stm(), r.names()));
  return parts_of(seg::by_threads(r.stm(), r.names(), seg::kProcessorLevels, r.circumstances().unread));
}

// ---- What each thread does by itself. ----

bool is_of_one_thread(const seg::SegLevel& level) { return level.grid && level.grid->block_size.int_constant() == 1; }

// There is another version of what a block of threads is meant to do.
bool is_for_blocks_only(const Request& r) {
  return r.op() && r.op()->level.kind == seg::LevelKind::Block && !is_of_one_thread(r.op()->level) &&
         !r.circumstances().last_resort;
}

Proposal contraction_of(Points& points, Request& r) {
  r.no_contraction = {{}, points.why_not_seen};
  if (!points.seen) return Refusal{points.why_not_seen};
  FoundContraction found =
      find_contraction(*points.seen, r.host(), points.facts, r.circumstances().products, r.names());
  if (found.ways.empty()) {
    r.no_contraction = {std::move(found.match), found.why_not};
    return Refusal{std::move(found.why_not)};
  }
  Plan plan = points.direct;
  plan.recipe = "tiled, or direct until the sizes are known to recur";
  plan.match = std::move(found.match);
  plan.specialized = std::move(found.ways);
  if (found.until_tiled && r.by_blocks() && plan.launches.size() == 1 && plan.temporaries.empty())
    do_in_parts(plan, std::move(*found.until_tiled));
  return plan;
}

Proposal contraction_of_sources(Request& r) {
  if (is_for_blocks_only(r)) return Refusal{};
  Points* points = r.points_of_sources();
  return points ? contraction_of(*points, r) : Refusal{};
}

Proposal contraction(Request& r) {
  if (is_for_blocks_only(r)) return Refusal{};
  return or_refusal([&] { return contraction_of(r.points(), r); });
}

// Of the elements that the contraction reads.
int64_t least_reuse(const Plan& plan) { return contraction::least_reuse(*plan.match); }

bool has_few_terms(const recognize::Contraction& c) {
  int64_t terms = 1;
  for (const recognize::Index& i : c.reduction) {
    const std::optional<int64_t> extent = nest::int_constant(i.extent);
    if (!extent || *extent > kFewTerms) return false;
    terms *= *extent;
  }
  return terms <= kFewTerms;
}

// Whether each sum but one has an operand in common with another. `sum` counts them.
bool share_operands(const recognize::Contraction& c, const recognize::Index& sum) {
  size_t uses = 0;
  const auto count = static_cast<size_t>(*nest::int_constant(sum.extent));
  for (size_t k = 0; k < count; ++k) {
    nest::NameSet of_sum =
        nest::free_names(nest::substitute({{sum.name, nest::constant(static_cast<int64_t>(k))}}, c.term));
    uses += static_cast<size_t>(
        std::ranges::count_if(c.operands, [&](const recognize::Operand& o) { return of_sum.contains(o.value); }));
  }
  return uses + 1 >= c.operands.size() + count;
}

// One contraction for all sums.
Proposal joined_sums(Request& r, const seg::DistributedSums& distributed) {
  if (!r.circumstances().may_alias || distributed.sums.size() > kMostSumsTogether) return Refusal{};
  auto joined = seg::join_sums(distributed.sums, r.names());
  if (!joined) return Refusal{};
  Request all = r.part(joined->front());
  Proposal plan = contraction_of_sources(all);
  if (std::holds_alternative<Refusal>(plan)) plan = contraction(all);
  if (!std::holds_alternative<Plan>(plan)) return Refusal{"the sums together are no contraction"};
  const recognize::Contraction& match = *std::get<Plan>(plan).match;
  const recognize::Index& sum = match.parallel.front();
  if (least_reuse(std::get<Plan>(plan)) / *nest::int_constant(sum.extent) < kWorthDistributing)
    return Refusal{"the sums together read each element few times"};
  if (!share_operands(match, sum)) return Refusal{"the sums read different elements"};
  if (has_few_terms(match)) return Refusal{"the sums have few terms"};
  std::vector<Part> parts = {{joined->front(), std::get<Plan>(std::move(plan))}};
  for (size_t k = 1; k < joined->size(); ++k) parts.push_back({(*joined)[k]});
  for (const seg::StmPtr& s : distributed.rest) parts.push_back({s, {}, true});
  return parts;
}

// Where one of the sums gains little as a contraction, what is computed in one go had better stay together.
Proposal distributed_sums(Request& r) {
  if (is_for_blocks_only(r)) return Refusal{};
  auto distributed = seg::distribute_sums(r.stm(), r.names(), r.circumstances().may_alias);
  if (!distributed) return Refusal{};
  if (Proposal joined = joined_sums(r, *distributed); !std::holds_alternative<Refusal>(joined)) return joined;
  std::vector<Part> parts;
  for (const seg::StmPtr& s : distributed->sums) {
    Request sum = r.part(s);
    Proposal plan = contraction_of_sources(sum);
    if (std::holds_alternative<Refusal>(plan)) plan = contraction(sum);
    if (!std::holds_alternative<Plan>(plan)) return Refusal{"one of the sums is no contraction"};
    if (least_reuse(std::get<Plan>(plan)) < kWorthDistributing)
      return Refusal{"one of the sums reads each element few times"};
    if (has_few_terms(*std::get<Plan>(plan).match)) return Refusal{"one of the sums has few terms"};
    parts.push_back({s, std::get<Plan>(std::move(plan))});
  }
  for (const seg::StmPtr& s : distributed->rest) parts.push_back({s, {}, true});
  return parts;
}

Proposal staged_loop(Request& r) {
  if (!r.is(seg::SegKind::Map) || !r.by_blocks()) return Refusal{};
  return or_refusal([&]() -> Proposal {
    Points& points = r.points();
    if (!points.seen || !has_loop(points.seen->work)) return Refusal{};
    Plan plan = points.direct;
    plan.launches = lower::staged_loop(*points.seen, r.kernel_name("segmap"), r.names());
    plan.recipe = "a thread for each point, blocks staging what all points read";
    plan.match = r.no_contraction.match;
    plan.why_not = r.no_contraction.why_not;
    return plan;
  });
}

Proposal direct(Request& r) {
  if (is_for_blocks_only(r)) refuse("a segmented operation at block level");
  Plan plan = r.points().direct;
  plan.match = r.no_contraction.match;
  plan.why_not = r.no_contraction.why_not;
  return r.by_blocks() ? with_less_waiting(std::move(plan)) : plan;
}

constexpr std::array kRecipes = {
    Recipe{"teams", "blocks of threads do the work of points together, as the host's block-level versions want it",
           "before all that would have one thread do a block's work", teams},
    Recipe{"reduction", "blocks of threads reduce segments together", "before the ways of single threads", reduction},
    Recipe{"scan", "blocks of threads scan one tile each, in one pass over memory", "before the ways of single threads",
           scan},
    Recipe{"histogram", "each block of threads makes a histogram of its own, then adds it to the whole",
           "before the ways of single threads", histogram},
    Recipe{
        "checked-before",
        "elements of a reduction or scan are combined where they are computed, once the host has seen that none fails",
        "where blocks cannot compute them as they are, before they pass through memory in any case", checked_before},
    Recipe{"stored-elements", "elements of a reduction or scan are stored by a map before",
           "where blocks cannot compute them, since those that may fail or need memory of their own must not meet "
           "barriers",
           stored_elements},
    Recipe{"scan-by-chunks", "threads scan one chunk each, in one pass where they know what comes before",
           "behind what blocks do together, and before the way that goes over all elements twice", chunked_scan},
    Recipe{"scan-of-rows", "threads scan neighbouring columns of rows, with all of which they go down the rows",
           "beside that, of other operators", columns_of_rows},
    Recipe{"by-threads", "a reduction, scan or histogram becomes maps, each thread doing a part by itself",
           "behind what blocks do together", by_threads},
    Recipe{"contraction-of-sources", "a contraction of elements that a map has only moved, read where they came from",
           "before the same from memory, since the map is not needed then", contraction_of_sources},
    Recipe{"contraction", "tiled kernels of a contraction, chosen among when sizes are known, else point by point",
           "before the direct way, which is its last one", contraction},
    Recipe{"distributed-sums",
           "contractions for several sums at a point, one where they share what they read, then a map of the results",
           "where the points are none as they are", distributed_sums},
    Recipe{"staged-loop", "a thread for each point, whose block stages what the loops of all points read",
           "behind contractions, which share more, and before the direct way, by which every thread loads it",
           staged_loop},
    Recipe{"direct", "a thread for each point", "last, since it always can", direct},
};

}  // namespace

std::span<const Recipe> recipes() { return kRecipes; }

bool Request::is(seg::SegKind kind) const {
  return op() && op()->kind == kind && op()->level.kind == seg::LevelKind::Thread;
}

std::string Request::kernel_name(const std::string& kind) const {
  std::string name;
  for (char c : function_) {
    bool ok = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += ok ? c : '_';
  }
  if (name[0] >= '0' && name[0] <= '9') name.insert(0, 1, '_');
  return name + "_" + kind + "_" + std::to_string(stm_.pat.empty() ? 0 : stm_.pat[0].name.tag);
}

Points& Request::points() {
  if (!points_)
    points_ = std::make_unique<Points>(points_of(stm_, kernel_name(op() ? "segmap" : "gpu"), host_, names_, false));
  return *points_;
}

Points* Request::points_of_sources() {
  if (std::exchange(looked_, true) || host_.computed.empty()) return of_sources_.get();
  auto made = or_refusal([&]() -> Proposal {
    auto points = std::make_unique<Points>(points_of(stm_, kernel_name(op() ? "segmap" : "gpu"), host_, names_, true));
    (points->direct.looked_through.empty() ? points_ : of_sources_) = std::move(points);
    return Refusal{};
  });
  return of_sources_.get();
}

}  // namespace heddle::lower
