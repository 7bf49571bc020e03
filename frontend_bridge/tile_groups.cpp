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

bool goes_along(const stencil::Halo& h, size_t dim) {
  return h.aligned == stencil::Aligned{dim, {1, 1}} && h.shift == 0 && !h.wraps;
}

// None where the program has no such stages, or they do not go along with the tile.
std::optional<std::vector<seg::TiledStage>> stages_of(const lower::FusionRecord& fusion,
                                                      const lower::GroupRecord& group, const StmsByName& by_name) {
  std::vector<seg::TiledStage> stages;
  for (size_t s : group.group.stages) {
    auto stm = by_name.find(fusion.stms[s]->pat.at(0).name);
    if (stm == by_name.end()) return std::nullopt;
    seg::TiledStage stage{stm->second.get(), {}, {}};
    const std::vector<stencil::Halo>& halos = group.kernel->halos.of(s);
    for (size_t d = 0; d < halos.size(); ++d) {
      if (!goes_along(halos[d], d)) return std::nullopt;
      stage.before.push_back(halos[d].left);
      stage.after.push_back(halos[d].right);
    }
    if (halos.size() != group.kernel->tile.size()) return std::nullopt;
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
  Tiled all;
  for (const lower::FusionRecord& f : planned.fusions) {
    for (const lower::GroupRecord& g : f.groups) {
      if (!g.kernel || g.group.stages.size() < 2) continue;
      auto stages = stages_of(f, g, by_name);
      if (!stages) continue;
      Result<seg::Stms> stms = seg::tile_stages(*stages, g.kernel->tile, names);
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
  for (bool changed = true; changed;) {
    changed = false;
    seg::NameSet read;
    for (const seg::SubExpRes& r : now->result) read.merge(seg::free_names(r));
    seg::for_each_host_stm(now->stms, [&](const seg::StmPtr& s) { read.merge(seg::free_names(s->exp)); });
    auto drop = [&](const seg::Stm& s) {
      bool unread = !s.pat.empty() && std::ranges::all_of(s.pat, [&](const seg::PatElem& p) {
        return tiles.within.contains(p.name) && !read.contains(p.name);
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
