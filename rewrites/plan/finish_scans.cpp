#include "rewrites/plan/finish_scans.h"

#include <fmt/format.h>

#include <algorithm>

#include "rewrites/plan/arrays_used.h"
#include "rewrites/plan/move_up.h"
#include "rewrites/recipes/map_of_scan.h"
#include "rewrites/recipes/scan.h"

namespace heddle::lower {

namespace {

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
    const seg::Stm &m = *body_.stms[map], &s = *body_.stms[scan];
    auto plan = planned_.plans.find(&m);
    if (plan == planned_.plans.end()) return false;
    const Plan& p = plan->second;
    const bool is_kernel = p.launches.size() == 1 && p.launches[0].checks.empty() && p.specialized.empty() &&
                           p.temporaries.empty() && !p.rooms && p.filled.empty() && p.looked_through.empty();
    if (!is_kernel || !std::ranges::all_of(p.results, lies_by_rows)) return false;
    return maps_scan(m, s) && !overwrites_what_is_scanned(m, s) && is_used(m);
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
    Proposal proposal = lowered(*s, {&unread, m.get(), &of_map.results}, *computed);
    auto* together = std::get_if<Plan>(&proposal);
    if (!together || !move_up(body_, map, scan, {s}, planned_, known_.graph)) return false;
    for (Launch& l : together->launches) name_results(l, s->pat);
    of_map.launches = std::move(together->launches);
    of_map.temporaries = std::move(together->temporaries);
    of_map.recipe = fmt::format("{}, with what is made of each element", kScanRecipe);
    say(of_map, "the threads of a scan compute it");
    of_map.considered.push_back({"scan", ""});
    for (const seg::PatElem& p : s->pat) of_map.also_makes.push_back(p.name);
    of_scan.launches.clear();
    of_scan.temporaries.clear();
    of_scan.recipe = "by the kernel of what is made of its elements";
    say(of_scan, "a map of its results has them at hand");
    joined_.push_back(m.get());
    return true;
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
