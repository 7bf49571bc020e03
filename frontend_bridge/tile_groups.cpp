#include "frontend_bridge/tile_groups.h"

#include <algorithm>

#include "frontend_bridge/tile_functions.h"
#include "ir/seg/host_stms.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/tile_stages.h"

namespace heddle {

namespace {

using StmsByName = std::unordered_map<Name, seg::StmPtr>;

// Names that stand for one statement only.
StmsByName statements(const seg::Program& program) {
  StmsByName all;
  seg::NameSet several;
  seg::for_each_host_stm(program, [&](const seg::StmPtr& s) {
    for (const seg::PatElem& p : s->pat) {
      if (!all.emplace(p.name, s).second) several.insert(p.name);
    }
  });
  for (const Name& n : several) all.erase(n);
  return all;
}

// Other names of arrays and what they stand for: functions that were put in place of their calls leave such for what they return.
seg::Substitution copies_in(const seg::Stms& stms) {
  seg::Substitution copies;
  seg::for_each_host_stm(stms, [&](const seg::StmPtr& s) {
    const auto* same = std::get_if<seg::Atom>(&s->exp);
    if (!same || !same->value.is_var() || !s->pat[0].type.is_array() || !s->certs.empty()) return;
    auto earlier = copies.find(same->value.name());
    copies.insert_or_assign(s->pat[0].name, earlier == copies.end() ? same->value : earlier->second);
  });
  return copies;
}

// The dimension of the tile that one of a stage goes along with, point for point.
std::optional<size_t> goes_along(const stencil::Halo& h) {
  if (!h.aligned || h.aligned->scale != stencil::Ratio{1, 1} || h.shift != 0 || h.wraps) return std::nullopt;
  return h.aligned->tile_dim;
}

// Whether tiles keep from memory what is worth it. Where each point of a stage reads one point of the others only, a tile
// computes nothing that several of its threads share; and where what it keeps is small beside what it stores, such as columns'
// widths for all points of the columns, the host's kernels one after the other move as much as one would, and their threads have
// more registers each.
bool keeps_enough(const stencil::Pipeline& p, const lower::GroupRecord& group) {
  constexpr double kSmall = 1.0 / 16;
  const std::vector<size_t> outputs = stencil::outputs(p, group.group);
  double kept = 0, stored = 0;
  for (size_t s : group.group.stages) {
    const bool is_point = std::ranges::all_of(group.kernel->halos.of(s),
                                              [](const stencil::Halo& h) { return h.left == 0 && h.right == 0; });
    if (!is_point) return true;
    double bytes = static_cast<double>(stencil::bytes_per_point(p.stage(s)));
    for (const stencil::Interval& i : p.stage(s).domain) bytes *= static_cast<double>(i.size());
    (std::ranges::find(outputs, s) != outputs.end() ? stored : kept) += bytes;
  }
  return kept >= kSmall * stored;
}

// None where the program has no such stages, or they do not go along with the tile.
std::optional<std::vector<seg::TiledStage>> stages_of(const lower::FusionRecord& fusion,
                                                      const lower::GroupRecord& group, const StmsByName& by_name) {
  std::vector<seg::TiledStage> stages;
  for (size_t s : group.group.stages) {
    auto stm = by_name.find(fusion.stms[s]->pat.at(0).name);
    if (stm == by_name.end()) return std::nullopt;
    seg::TiledStage stage{stm->second.get(), {}, {}, {}, group.may_fail};
    for (const stencil::Halo& h : group.kernel->halos.of(s)) {
      auto dim = goes_along(h);
      if (!dim) return std::nullopt;
      stage.along.push_back(*dim);
      stage.before.push_back(h.left);
      stage.after.push_back(h.right);
    }
    stages.push_back(std::move(stage));
  }
  return stages;
}

// What stands in the place of a group's last statement, by the first name of that, and what the others compute.
struct Tiled {
  std::unordered_map<Name, seg::Stms> in_place;
  seg::NameSet within;
};

Tiled tiled(const lower::PlannedProgram& planned, const seg::Program& program, NameSource& names) {
  const StmsByName by_name = statements(program);
  const seg::Substitution copies = copies_in(program.functions.at(0).body->stms);
  Tiled all;
  for (const lower::FusionRecord& f : planned.fusions) {
    for (const lower::GroupRecord& g : f.groups) {
      if (!g.kernel || g.group.stages.size() < 2 || !keeps_enough(f.pipeline, g)) continue;
      auto stages = stages_of(f, g, by_name);
      if (!stages) continue;
      Result<seg::Stms> stms = seg::tile_stages(*stages, g.kernel->tile, copies, names);
      if (!stms) continue;
      all.in_place.insert_or_assign(stages->back().stm->pat[0].name, std::move(*stms));
      stages->pop_back();
      for (const seg::TiledStage& s : *stages) {
        for (const seg::PatElem& p : s.stm->pat) all.within.insert(p.name);
      }
    }
  }
  return all;
}

// With the groups in their places, and without what is computed within them and nothing else reads.
seg::BodyPtr with_tiles(const seg::BodyPtr& body, const Tiled& tiles) {
  auto put = [&](const seg::Stm& s) {
    auto it = s.pat.empty() ? tiles.in_place.end() : tiles.in_place.find(s.pat[0].name);
    return it == tiles.in_place.end() ? seg::just(s) : it->second;
  };
  seg::BodyPtr now = seg::StmExpander(put, false).body(body);
  seg::NameSet within = tiles.within;
  for (const auto& [copy, of] : copies_in(now->stms)) {
    if (within.contains(of.name())) within.insert(copy);
  }
  for (bool changed = true; changed;) {
    changed = false;
    seg::NameSet read;
    for (const seg::SubExpRes& r : now->result) read.merge(seg::free_names(r));
    seg::for_each_host_stm(now->stms, [&](const seg::StmPtr& s) { read.merge(seg::free_names(s->exp)); });
    auto drop = [&](const seg::Stm& s) {
      bool unread = !s.pat.empty() && std::ranges::all_of(s.pat, [&](const seg::PatElem& p) {
        return within.contains(p.name) && !read.contains(p.name);
      });
      changed |= unread;
      return unread ? seg::Stms{} : seg::just(s);
    };
    now = seg::StmExpander(drop, false).body(now);
  }
  return now;
}

}  // namespace

Result<seg::Program> tile_groups(const seg::Program& program) {
  return tile_functions(program,
                        [](const lower::PlannedProgram& planned, const seg::Program& alone, NameSource& names) {
                          const Tiled tiles = tiled(planned, alone, names);
                          return tiles.in_place.empty() ? nullptr : with_tiles(alone.functions.at(0).body, tiles);
                        });
}

}  // namespace heddle
