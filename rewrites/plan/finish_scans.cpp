#include "rewrites/plan/finish_scans.h"

#include <fmt/format.h>

#include <algorithm>

#include "rewrites/plan/arrays_used.h"
#include "rewrites/plan/move_up.h"
#include "rewrites/recipes/map_of_scan.h"
#include "rewrites/recipes/scan.h"

namespace heddle::lower {

namespace {

class Finishing {
 public:
  Finishing(seg::Body& body, StageCodes& stages, const seg::NameSet& unread, const graph::Graph& graph,
            const HostScope& host, PlannedProgram& planned, NameSource& names)
      : body_(body), stages_(stages), unread_(unread), graph_(graph), host_(host), planned_(planned), names_(names) {}

  void run() {
    for (size_t at = 0; at < body_.stms.size(); ++at) {
      if (!is_scan(*body_.stms[at])) continue;
      bool is_joined = false;
      for (size_t map = at + 1; !is_joined && map < body_.stms.size(); ++map)
        is_joined = is_map_of(map, at) && joined(map, at);
      if (!is_joined) store_less(*body_.stms[at]);
    }
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
    return maps_scan(m, s) && !overwrites_what_is_scanned(m, s);
  }

  static bool lies_by_rows(const ResultPlace& r) {
    const auto* fresh = std::get_if<FreshResult>(&r);
    return !fresh || std::ranges::is_sorted(fresh->perm);
  }

  // While other blocks still read it.
  bool overwrites_what_is_scanned(const seg::Stm& map, const seg::Stm& scan) const {
    seg::NameSet read;
    add_arguments(planned_.plans.at(&scan), read);
    return overwrite_any({std::make_shared<const seg::Stm>(map)}, read, graph_);
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
      if (unread_.contains(n) || !is_read) unread.insert(n);
    }
    return unread;
  }

  // Without what readers have come to compute for themselves.
  void store_less(const seg::Stm& scan) {
    const seg::NameSet unread = unread_results(scan, nullptr);
    auto is_new = [&](const seg::PatElem& p) { return unread.contains(p.name) && !unread_.contains(p.name); };
    if (std::ranges::none_of(scan.pat, is_new)) return;
    Plan& plan = planned_.plans.at(&scan);
    Proposal proposal =
        or_refusal([&] { return lower_scan(scan, plan.launches[1].kernel.name, host_, names_, {&unread}); });
    if (auto* less = std::get_if<Plan>(&proposal)) plan.launches = std::move(less->launches);
  }

  bool joined(size_t map, size_t scan) {
    const seg::StmPtr m = body_.stms[map], s = body_.stms[scan];
    Plan &of_map = planned_.plans.at(m.get()), &of_scan = planned_.plans.at(s.get());
    const seg::NameSet unread = unread_results(*s, m.get());
    Proposal proposal = or_refusal([&] {
      return lower_scan(*s, of_scan.launches[1].kernel.name, host_, names_, {&unread, m.get(), &of_map.results});
    });
    auto* together = std::get_if<Plan>(&proposal);
    if (!together || !move_up(body_, map, scan, {s}, planned_, graph_)) return false;
    for (Launch& l : together->launches) name_results(l, s->pat);
    of_map.launches = std::move(together->launches);
    of_map.temporaries = std::move(together->temporaries);
    of_map.recipe = fmt::format("{}, with what is made of each element", kScanRecipe);
    say(of_map, "the threads of a scan compute it");
    of_map.considered.push_back({"scan", ""});
    of_scan.launches.clear();
    of_scan.temporaries.clear();
    of_scan.recipe = "by the kernel of what is made of its elements";
    say(of_scan, "a map of its results has them at hand");
    stages_.erase(m.get());
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
  StageCodes& stages_;
  const seg::NameSet& unread_;
  const graph::Graph& graph_;
  const HostScope& host_;
  PlannedProgram& planned_;
  NameSource& names_;
};

}  // namespace

void finish_scans(seg::Body& body, StageCodes& stages, const seg::NameSet& unread, const graph::Graph& graph,
                  const HostScope& host, PlannedProgram& planned, NameSource& names) {
  Finishing(body, stages, unread, graph, host, planned, names).run();
}

}  // namespace heddle::lower
