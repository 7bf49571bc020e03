#include "rewrites/plan/finish_scans.h"

#include <fmt/format.h>

#include <algorithm>

#include "rewrites/nest/discharge.h"
#include "rewrites/plan/arrays_used.h"
#include "rewrites/plan/move_up.h"
#include "rewrites/recipes/fold_by_blocks.h"
#include "rewrites/recipes/fold_in_stage.h"
#include "rewrites/recipes/folds.h"
#include "rewrites/recipes/group_parts.h"
#include "rewrites/recipes/map_of_scan.h"
#include "rewrites/recipes/reduction_shape.h"
#include "rewrites/recipes/scan.h"
#include "rewrites/seg/builder.h"

namespace heddle::lower {

namespace {

// What the points of a reduction to one give, as a map of arrays; none where a point knows which segment it is of.
//
//   let {r : [1]t, y : [1][n]u} = segred(thread)(i < 1, j < n) ({op, {ne}, , }) : {t, u} { .. return {returns x, returns z} }
//     =>
//   let {r : [n]t, y : [n]u} = segmap(thread)(j < n) : {t, u} { .. return {returns x, returns z} }
std::optional<seg::Stm> points_of_fold(const seg::Stm& reduction) {
  seg::Stm map = reduction;
  auto& op = std::get<seg::SegOp>(map.exp);
  const seg::SegDim along = op.space.dims.back();
  const seg::NameSet used = seg::free_names(*op.body);
  const bool knows_segment = std::any_of(op.space.dims.begin(), op.space.dims.end() - 1,
                                         [&](const seg::SegDim& d) { return used.contains(d.index); });
  if (knows_segment) return std::nullopt;
  op.kind = seg::SegKind::Map;
  op.ops.clear();
  op.space.dims = {along};
  for (size_t k = 0; k < map.pat.size(); ++k) map.pat[k].type = seg::array_of(op.types[k], {along.size});
  return map;
}

class FinishScans {
 public:
  FinishScans(seg::Body& body, const ScansOfBody& known, HostScope& host, PlannedProgram& planned, NameSource& names)
      : body_(body), known_(known), host_(host), planned_(planned), names_(names) {}

  std::vector<const seg::Stm*> run() {
    for (size_t at = 0; at < body_.stms.size(); ++at) {
      if (!is_scan(*body_.stms[at])) continue;
      bool is_joined = false;
      for (size_t map = at + 1; !is_joined && map < body_.stms.size(); ++map)
        is_joined = is_map_of(map, at) && joined(map, at);
      if (!is_joined) store_less(*body_.stms[at]);
    }
    return std::move(joined_);
  }

 private:
  bool is_scan(const seg::Stm& s) const {
    auto plan = planned_.plans.find(&s);
    return plan != planned_.plans.end() && plan->second.recipe == kScanRecipe && plan->second.launches.size() == 2;
  }

  // One kernel, which reads elements of the scan at its own points.
  bool is_map_of(size_t map, size_t scan) const {
    const seg::Stm &reader = *body_.stms[map], &s = *body_.stms[scan];
    auto plan = planned_.plans.find(&reader);
    if (plan == planned_.plans.end()) return false;
    const std::optional<seg::Stm> points = is_fold_to_one(reader) ? points_of_fold(reader) : std::optional(reader);
    if (!points || (is_fold_to_one(reader) && !reads_what_is_scanned(reader, s))) return false;
    const Plan& p = plan->second;
    const bool is_kernel = p.launches.size() == 1 && p.launches[0].checks.empty() && p.specialized.empty() &&
                           p.temporaries.empty() && !p.rooms && p.filled.empty() && p.looked_through.empty();
    if (!is_kernel || !std::ranges::all_of(p.results, lies_by_rows)) return false;
    return maps_scan(*points, s) && !overwrites_what_is_scanned(reader, s) && is_used(reader);
  }

  // Where it reads only what points return besides, that is in memory anyway, and a kernel that waits for no tile is the faster one.
  static bool reads_what_is_scanned(const seg::Stm& reduction, const seg::Stm& scan) {
    const seg::NameSet read = seg::free_names(reduction);
    const auto scanned = scan.pat.begin() + static_cast<long>(num_scanned(std::get<seg::SegOp>(scan.exp)));
    return std::any_of(scan.pat.begin(), scanned, [&](const seg::PatElem& p) { return read.contains(p.name); });
  }

  // Else it may be left out, as one whose elements contractions find elsewhere.
  bool is_used(const seg::Stm& map) const {
    const seg::NameSet used = arrays_used(body_, planned_, [&](const seg::Stm& s) { return &s == &map; });
    return std::ranges::any_of(map.pat, [&](const seg::PatElem& p) { return used.contains(p.name); });
  }

  static bool lies_by_rows(const ResultPlace& r) {
    const auto* fresh = std::get_if<FreshResult>(&r);
    return !fresh || std::ranges::is_sorted(fresh->perm);
  }

  // While other blocks still read it.
  bool overwrites_what_is_scanned(const seg::Stm& map, const seg::Stm& scan) const {
    seg::NameSet read;
    add_arguments(planned_.plans.at(&scan), read);
    return overwrite_any({std::make_shared<const seg::Stm>(map)}, read, known_.graph);
  }

  // Of a scan's results, those that nobody reads in memory; the map has what is scanned at hand.
  seg::NameSet unread_results(const seg::Stm& scan, const seg::Stm* map) const {
    const seg::NameSet used =
        arrays_used(body_, planned_, [&](const seg::Stm& other) { return &other == map || &other == &scan; });
    seg::NameSet by_map, unread;
    if (map) add_arguments(planned_.plans.at(map), by_map);
    const size_t at_hand = num_scanned(std::get<seg::SegOp>(scan.exp));
    for (size_t k = 0; k < scan.pat.size(); ++k) {
      const Name& n = scan.pat[k].name;
      const bool is_read = used.contains(n) || (k >= at_hand && by_map.contains(n));
      if (known_.unread.contains(n) || !is_read) unread.insert(n);
    }
    return unread;
  }

  // Without what readers have come to compute for themselves.
  void store_less(const seg::Stm& scan) {
    const seg::NameSet unread = unread_results(scan, nullptr);
    auto is_new = [&](const seg::PatElem& p) { return unread.contains(p.name) && !known_.unread.contains(p.name); };
    if (std::ranges::none_of(scan.pat, is_new)) return;
    Plan& plan = planned_.plans.at(&scan);
    Proposal proposal = lowered(scan, {&unread}, computed_for(scan));
    if (auto* less = std::get_if<Plan>(&proposal)) plan.launches = std::move(less->launches);
  }

  const ComputedArrays& computed_for(const seg::Stm& s) const {
    static const ComputedArrays none;
    auto known = known_.computed_for.find(&s);
    return known == known_.computed_for.end() ? none : known->second;
  }

  // What both compute where they read it; none where one computes what the other reads in memory.
  std::optional<ComputedArrays> computed_for_both(const seg::Stm& scan, const seg::Stm& map) const {
    ComputedArrays both = computed_for(scan);
    for (const auto& [name, array] : computed_for(map)) both.insert_or_assign(name, array);
    for (const seg::Stm* s : {&scan, &map}) {
      const ComputedArrays& own = computed_for(*s);
      seg::NameSet read = seg::free_names(*s);
      for (const auto& [name, array] : own) read.insert(array.read.begin(), array.read.end());
      const bool agrees = std::ranges::all_of(
          both, [&](const auto& array) { return own.contains(array.first) || !read.contains(array.first); });
      if (!agrees) return std::nullopt;
    }
    return both;
  }

  // The kernels anew, with the arrays that readers computed where the operations stand.
  Proposal lowered(const seg::Stm& scan, const ScanReaders& readers, ComputedArrays computed) {
    const std::string name = planned_.plans.at(&scan).launches[1].kernel.name;
    std::swap(host_.computed, computed);
    Proposal proposal = or_refusal([&] { return lower_scan(scan, name, host_, names_, readers); });
    std::swap(host_.computed, computed);
    return proposal;
  }

  bool joined(size_t map, size_t scan) {
    const seg::StmPtr m = body_.stms[map], s = body_.stms[scan];
    Plan &of_map = planned_.plans.at(m.get()), &of_scan = planned_.plans.at(s.get());
    const std::optional<ComputedArrays> computed = computed_for_both(*s, *m);
    if (!computed) return false;
    const seg::NameSet unread = unread_results(*s, m.get());
    std::optional<Plan> together =
        is_fold_to_one(*m) ? folding(m, s, unread, *computed) : mapping(*m, of_map.results, *s, unread, *computed);
    if (!together || !move_up(body_, map, scan, {s}, planned_, known_.graph)) return false;
    of_map.launches = std::move(together->launches);
    of_map.temporaries = std::move(together->temporaries);
    of_map.recipe = fmt::format("{}, with what is made of each element", kScanRecipe);
    say(of_map, "the threads of a scan compute it");
    of_map.considered.push_back({"scan", ""});
    for (const seg::PatElem& p : s->pat) of_map.also_makes.push_back(p.name);
    of_scan.launches.clear();
    of_scan.temporaries.clear();
    of_scan.recipe = "by the kernel of what is made of its elements";
    say(of_scan, "what reads its results has them at hand");
    joined_.push_back(m.get());
    return true;
  }

  // The scan's launches with the map in them, as the map's own.
  std::optional<Plan> mapping(const seg::Stm& map, const std::vector<ResultPlace>& results, const seg::Stm& scan,
                              const seg::NameSet& unread, const ComputedArrays& computed) {
    Proposal proposal = lowered(scan, {&unread, &map, &results}, computed);
    auto* together = std::get_if<Plan>(&proposal);
    if (!together) return std::nullopt;
    for (Launch& l : together->launches) name_results(l, scan.pat);
    return std::move(*together);
  }

  // The same of a reduction, of which each block leaves what its own points come to.
  std::optional<Plan> folding(const seg::StmPtr& reduction, const seg::StmPtr& scan, const seg::NameSet& unread,
                              const ComputedArrays& computed) {
    const seg::Stm points = points_of_fold(*reduction).value();
    const auto& like = std::get<FreshResult>(planned_.plans.at(scan.get()).results.at(0));
    std::vector<ResultPlace> places;
    for (const seg::Type& t : std::get<seg::SegOp>(points.exp).types)
      places.emplace_back(FreshResult{t.elem, like.shape, like.perm});
    std::optional<Plan> together = mapping(points, places, *scan, unread, computed);
    if (!together) return std::nullopt;
    Launch &begin = together->launches.at(0), &kernel = together->launches.at(1);
    const PointFold fold{reduction, elements_of(kernel, folded_types(std::get<seg::SegOp>(reduction->exp)).size())};
    if (shared_bytes(kernel.kernel) + shared_bytes_to_fold(fold) > kSharedBytes) return std::nullopt;
    const FoldByBlocks by_blocks({fold}, host_, names_);
    if (!by_blocks.why_not().empty()) return std::nullopt;
    // Threads that fail would leave others at the barriers behind, whether a point does or the operator.
    if (nest::may_fail(by_blocks.folding(kernel).kernel.body)) return std::nullopt;
    // The words that tiles exchange come behind what blocks leave.
    const Temporary words = together->temporaries.at(0);
    const auto behind = static_cast<int>(fold.elements.size());
    for (Launch* l : {&begin, &kernel}) {
      for (BufferArg& a : l->buffer_args) {
        if (std::holds_alternative<TemporaryArray>(a)) a = TemporaryArray{behind};
      }
    }
    Plan folded;
    by_blocks.complete(folded, *reduction, by_blocks.folding(kernel));
    folded.temporaries.push_back(words);
    folded.launches.insert(folded.launches.begin(), std::move(begin));
    return folded;
  }

  // The buffers to which the kernel stores its first results.
  static std::vector<Name> elements_of(const Launch& kernel, size_t count) {
    std::vector<Name> elements(count, kernel.kernel.buffers.at(0).name);
    for (size_t b = 0; b < kernel.buffer_args.size(); ++b) {
      const auto* result = std::get_if<ResultArray>(&kernel.buffer_args[b]);
      const size_t index = result ? static_cast<size_t>(result->index) : count;
      if (index < count) elements[index] = kernel.kernel.buffers[b].name;
    }
    return elements;
  }

  // The scan's results are arrays of the host, the map's those of the launch.
  static void name_results(Launch& launch, const seg::Pat& scanned) {
    const auto count = static_cast<int>(scanned.size());
    for (BufferArg& a : launch.buffer_args) {
      const auto* result = std::get_if<ResultArray>(&a);
      if (!result) continue;
      const int index = result->index;
      if (index < count) {
        a = HostArray{scanned[static_cast<size_t>(index)].name};
      } else {
        a = ResultArray{index - count};
      }
    }
  }

  static void say(Plan& plan, const std::string& why_not) {
    for (Considered& c : plan.considered) {
      if (c.why_not.empty()) c.why_not = why_not;
    }
  }

  seg::Body& body_;
  const ScansOfBody& known_;
  HostScope& host_;
  PlannedProgram& planned_;
  NameSource& names_;
  std::vector<const seg::Stm*> joined_;
};

}  // namespace

std::vector<const seg::Stm*> finish_scans(seg::Body& body, const ScansOfBody& known, HostScope& host,
                                          PlannedProgram& planned, NameSource& names) {
  return FinishScans(body, known, host, planned, names).run();
}

}  // namespace heddle::lower
