#include "frontend_bridge/explain/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/seg/printer.h"
#include "rewrites/plan/estimate.h"
#include "rewrites/stencil/benefit.h"

namespace heddle {

namespace {

using lower::FusionRecord;
using lower::GroupRecord;
using stencil::Group;
using stencil::Pipeline;
using stencil::Window;

std::string by(const std::vector<int64_t>& sizes) { return fmt::format("{}", fmt::join(sizes, "x")); }

// Offsets along the reader's index of the same number, else the index itself: -1..1, i0, 2*i1-1..2, (i1-1..1)/2.
std::string window_text(const Window& w, size_t dim) {
  std::string offsets = w.lo == w.hi ? fmt::format("{}", w.lo) : fmt::format("{}..{}", w.lo, w.hi);
  if (!w.follows) return "=" + offsets;
  if (w.num == 1 && w.den == 1 && w.follows == dim) return offsets;
  std::string index = w.num == 1 ? fmt::format("i{}", *w.follows) : fmt::format("{}*i{}", w.num, *w.follows);
  if (w.lo != 0 || w.hi != 0) index += (w.lo < 0 ? "" : "+") + offsets;
  return w.den == 1 ? index : fmt::format("({})/{}", index, w.den);
}

std::string windows_text(const stencil::Read& r) {
  std::string text;
  for (size_t d = 0; d < r.windows.size(); ++d) text += "[" + window_text(r.windows[d], d) + "]";
  return text;
}

std::string kind_text(stencil::StageKind kind) {
  switch (kind) {
    case stencil::StageKind::Point:
      return "point";
    case stencil::StageKind::Local:
      return "local";
    case stencil::StageKind::Global:
      return "global";
  }
  return "";
}

std::string strategy_text(stencil::Strategy strategy) {
  for (const stencil::NamedStrategy& s : stencil::kStrategies) {
    if (s.strategy == strategy) return std::string(s.name);
  }
  return "";
}

std::string size_text(const stencil::Stage& s) {
  std::vector<int64_t> extents;
  for (const stencil::Interval& i : s.domain) extents.push_back(i.size());
  return by(extents);
}

std::string stage_text(const Pipeline& p, const stencil::Stage& s) {
  std::vector<std::string> reads;  // each once: of a stage with several results, all are read alike
  for (const stencil::Read& r : s.reads) {
    std::string read = p.name(r.source) + windows_text(r);
    if (std::ranges::find(reads, read) == reads.end()) reads.push_back(std::move(read));
  }
  std::string dear = s.sfu_ops == 0 ? "" : fmt::format(" and {} dear ones", s.sfu_ops);
  return fmt::format("{}: {}, {}; a point: {} bytes, operations: {}{}{}{}{}", s.name, kind_text(s.kind), size_text(s),
                     stencil::bytes_per_point(s), s.alu_ops, dear, reads.empty() ? "" : "; reads ",
                     fmt::join(reads, ", "), s.live_out ? "; read by what is no stage" : "");
}

int64_t source_bytes(const Pipeline& p, const stencil::Source& source) {
  return source.kind == stencil::Source::Kind::Input ? p.inputs()[source.number].element_bytes
                                                     : stencil::bytes_per_point(p.stage(source.number));
}

// Of an image that a stage reads, for each of the stage's points where there are many.
double elements_per_point(const stencil::Stage& stage, const stencil::Source& source) {
  double most = 0;
  for (const stencil::Read& r : stage.reads) {
    if (!(r.source == source)) continue;
    double elements = 1;
    for (const Window& w : r.windows)
      elements *=
          w.follows ? static_cast<double>(w.num) / static_cast<double>(w.den) : static_cast<double>(w.hi - w.lo + 1);
    most = std::max(most, elements);
  }
  return most;
}

// What of a tile lies in shared memory.
stencil::Tile tile_in_shared(const stencil::FittedTile& kernel) {
  return kernel.hybrid ? stencil::in_shared(kernel.tile, *kernel.hybrid) : kernel.tile;
}

// What the stages of a group need in tiles of this size.
std::string tile_text(const Pipeline& p, const stencil::FittedTile& kernel) {
  const auto& [halos, tile, scope, tiles_of_block, stream, walk, where_large, hybrid, why_not_as_asked,
               points_in_registers] = kernel;
  const double again = 100 * stencil::work(p, halos, tile).redundant();
  if (stream)
    return fmt::format("{}; in segments of {} rows {:.1f} % of the points are computed again",
                       stencil::text(p, halos.group, *stream), tile[tile.size() - 2], again);
  if (walk)
    return fmt::format("warps walk: {}; in segments of {} rows {:.1f} % of the points are computed again",
                       stencil::text(p, halos.group, *walk), tile[tile.size() - 2], again);
  std::string parts;
  const stencil::Tile shared = tile_in_shared(kernel);
  for (size_t s : halos.group.stages) {
    if (stencil::scratch_bytes(p, halos, s, shared) == 0) continue;
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", p.stage(s).name, by(stencil::extents(halos, s, shared)));
  }
  const stencil::Scratch scratch = stencil::scratch(p, halos, shared);
  return fmt::format("tiles of {}: {}; {} bytes, {} of them at a time; {:.1f} % of the points are computed again",
                     by(tile), parts, scratch.bytes, scratch.peak_bytes, again);
}

// Of a block: all of it, and as much as is in use at a time.
int64_t scratch_bytes(const Pipeline& p, const stencil::FittedTile& kernel) {
  if (kernel.walk) return 0;
  if (kernel.stream) return kernel.stream->shared_bytes(p, kernel.halos.group);
  return stencil::scratch(p, kernel.halos, tile_in_shared(kernel)).bytes;
}
int64_t shared_bytes(const Pipeline& p, const stencil::FittedTile& kernel) {
  if (kernel.walk) return 0;
  if (kernel.stream) return kernel.stream->shared_bytes(p, kernel.halos.group);
  return stencil::scratch(p, kernel.halos, tile_in_shared(kernel)).peak_bytes;
}

// What blocks have of an image.
std::string_view parts_name(const stencil::FittedTile& kernel) {
  return kernel.stream || kernel.walk ? "strips" : "tiles";
}

std::string team_text(const Pipeline& p, const stencil::FittedTile& kernel) {
  std::string text;
  if (kernel.scope == stencil::TileScope::Warp || kernel.hybrid)
    text = fmt::format("; one for each of the {} warps of a block", kernel.tiles_of_block);
  if (kernel.hybrid)
    text += fmt::format(", {} columns of it in {} registers of each lane", stencil::kLanesOfWarp * kernel.hybrid->turns,
                        kernel.hybrid->registers);
  if (!kernel.why_not_as_asked.empty()) text += "; " + kernel.why_not_as_asked;
  if (kernel.where_large)
    text += fmt::format("; of images of {} points and more warps walk: {}", kernel.where_large->least_points,
                        stencil::text(p, kernel.halos.group, *kernel.where_large));
  return text;
}

// Why a group and one that reads it are not one kernel.
std::string why_apart(const Pipeline& p, const Group& group, const Group& reader) {
  const Group both = stencil::merged(group, reader);
  if (!stencil::is_convex(p, both)) return "others stand between them";
  for (size_t s : stencil::outputs(p, both)) {
    if (s != both.stages.back()) return p.stage(s).name + " is read outside, too";
  }
  std::string why = stencil::why_no_tile(p, both);
  return why.empty() ? "the strategy has them apart" : why;
}

// For each group that reads it, why they are not one kernel.
std::vector<std::string> why_no_more(const FusionRecord& f, const Group& group) {
  std::vector<std::string> reasons;
  for (const GroupRecord& other : f.groups) {
    if (other.group == group) continue;
    const bool reads = std::ranges::any_of(group.stages, [&](size_t s) {
      return std::ranges::any_of(f.pipeline.consumers(s),
                                 [&](size_t r) { return other.group.contains(r) && !group.contains(r); });
    });
    if (reads)
      reasons.push_back(fmt::format("not with {}, since {}", stencil::text(f.pipeline, other.group),
                                    why_apart(f.pipeline, group, other.group)));
  }
  return reasons;
}

std::string group_text(const FusionRecord& f, const GroupRecord& g, const stencil::Tile& tile,
                       const std::string& indent) {
  std::string out = indent + stencil::text(f.pipeline, g.group) + ": ";
  if (g.group.stages.size() == 1) {
    out += "by itself\n";
  } else if (g.kernel) {
    out += fmt::format("one kernel\n{}  halos {}\n{}  {}{}\n", indent, stencil::text(f.pipeline, g.kernel->halos),
                       indent, tile_text(f.pipeline, *g.kernel), team_text(f.pipeline, *g.kernel));
  } else {
    out += fmt::format("apart, since {}\n", g.why_not);
  }
  for (const std::string& line : g.nesting) out += fmt::format("{}  {}\n", indent, line);
  if (!tile.empty() && g.group.stages.size() > 1) {
    Result<stencil::Halos> halos = stencil::tight_halos(f.pipeline, g.group);
    if (halos && halos->tile_dims == tile.size())
      out += fmt::format("{}  {}\n", indent, tile_text(f.pipeline, {*halos, tile}));
  }
  for (const std::string& why : why_no_more(f, g.group)) out += fmt::format("{}  {}\n", indent, why);
  return out;
}

// Of a tile: operations, points that are computed again included, and bytes that it reads and writes of global memory, each
// element once for the tile.
std::pair<double, double> traffic(const Pipeline& p, const stencil::FittedTile& kernel) {
  const stencil::Halos& halos = kernel.halos;
  double operations = 0, bytes = 0;
  for (size_t s : halos.group.stages) {
    const stencil::Stage& stage = p.stage(s);
    double points = 1;
    for (int64_t e : stencil::extents(halos, s, kernel.tile)) points *= static_cast<double>(e);
    operations += points * static_cast<double>(stage.alu_ops + stage.sfu_ops);
    for (const stencil::Source& source : p.sources(s)) {
      const bool inside = source.kind == stencil::Source::Kind::Stage && halos.group.contains(source.number);
      if (!inside) bytes += points * elements_per_point(stage, source) * static_cast<double>(source_bytes(p, source));
    }
    if (stage.live_out || s == halos.group.stages.back())
      bytes += points * static_cast<double>(stencil::bytes_per_point(stage));
  }
  return {operations, bytes};
}

const GroupRecord* group_of(const FusionRecord& f, const seg::Stm& operation) {
  auto stage = static_cast<size_t>(std::ranges::find(f.stms, &operation, &seg::StmPtr::get) - f.stms.begin());
  auto group = std::ranges::find_if(f.groups, [&](const GroupRecord& g) { return g.group.stages.back() == stage; });
  if (group == f.groups.end())
    group = std::ranges::find_if(f.groups, [&](const GroupRecord& g) { return g.group.contains(stage); });
  return group == f.groups.end() ? nullptr : &*group;
}

}  // namespace

const FusionRecord* fusion_of(const lower::PlannedProgram& program, const seg::Stm& operation) {
  for (const FusionRecord& f : program.fusions) {
    if (std::ranges::find(f.stms, &operation, &seg::StmPtr::get) != f.stms.end()) return &f;
  }
  return nullptr;
}

std::string tiles_of_group(const FusionRecord& f, const seg::Stm& operation) {
  const GroupRecord* g = group_of(f, operation);
  if (!g || !g->kernel) return "";
  return fmt::format("{} of {}, halos {}{}", parts_name(*g->kernel), by(g->kernel->tile),
                     stencil::text(f.pipeline, g->kernel->halos), team_text(f.pipeline, *g->kernel));
}

std::string stages_text(const FusionRecord& f, const stencil::Tile& tile) {
  const Pipeline& p = f.pipeline;
  std::string out = fmt::format("  pipeline of {} stages, by strategy {}:\n", p.size(), strategy_text(f.strategy));
  for (const stencil::Stage& s : p.stages()) out += "    " + stage_text(p, s) + "\n";
  if (!f.trace.lines.empty()) out += "    decided by\n";
  for (const std::string& line : f.trace.lines) out += "      " + line + "\n";
  if (f.pyramid) {
    out += "    a pyramid\n";
    for (const std::string& line : stencil::text(*f.pyramid)) out += "      " + line + "\n";
  }
  out += "    groups\n";
  for (const GroupRecord& g : f.groups) out += group_text(f, g, tile, "      ");
  return out;
}

std::string stages_dot(const FusionRecord& f) {
  const Pipeline& p = f.pipeline;
  std::string out = "digraph stages {\n";
  for (size_t i = 0; i < p.inputs().size(); ++i)
    out += fmt::format("  i{} [label={}, shape=plaintext];\n", i, seg::quote(p.inputs()[i].name));
  std::vector<bool> drawn(p.size(), false);  // a stage that is in several groups is drawn in the first
  for (size_t k = 0; k < f.groups.size(); ++k) {
    const GroupRecord& g = f.groups[k];
    std::string label = g.kernel ? fmt::format("{} of {}\n{}", parts_name(*g.kernel), by(g.kernel->tile),
                                               stencil::text(p, g.kernel->halos))
                                 : g.why_not;
    out += fmt::format("  subgraph cluster_{} {{\n    label={};\n{}", k, seg::quote(label),
                       g.kernel ? "" : "    style=dashed;\n");
    for (size_t s : g.group.stages) {
      if (drawn[s]) continue;
      drawn[s] = true;
      const stencil::Stage& stage = p.stage(s);
      out += fmt::format("    s{} [label={}, shape=box];\n", s,
                         seg::quote(fmt::format("{}\n{}, {}", stage.name, kind_text(stage.kind), size_text(stage))));
    }
    out += "  }\n";
  }
  const std::vector<stencil::EdgeBenefit> weights = stencil::benefits(p, f.device, {});
  for (size_t s = 0; s < p.size(); ++s) {
    for (const stencil::Read& r : p.stage(s).reads) {
      const bool of_input = r.source.kind == stencil::Source::Kind::Input;
      std::string label = windows_text(r);
      for (const stencil::EdgeBenefit& e : weights) {
        if (!of_input && e.producer == r.source.number && e.consumer == s) label += "\n" + stencil::weight_text({e});
      }
      out += fmt::format("  {}{} -> s{} [label={}];\n", of_input ? "i" : "s", r.source.number, s, seg::quote(label));
    }
  }
  return out + "}\n";
}

nlohmann::json pipeline_json(const FusionRecord& f) {
  const Pipeline& p = f.pipeline;
  nlohmann::json stages = nlohmann::json::array(), groups = nlohmann::json::array();
  for (const stencil::Stage& s : p.stages()) {
    nlohmann::json reads = nlohmann::json::array();
    for (const stencil::Read& r : s.reads) {
      nlohmann::json read = {{"of", p.name(r.source)}, {"window", windows_text(r)}};
      if (r.source.kind == stencil::Source::Kind::Stage) read["stage"] = r.source.number;
      if (std::ranges::find(reads, read) == reads.end()) reads.push_back(std::move(read));
    }
    stages.push_back({{"name", s.name}, {"kind", kind_text(s.kind)}, {"size", size_text(s)}, {"reads", reads}});
  }
  for (const GroupRecord& g : f.groups) {
    nlohmann::json group = {
        {"stages", g.group.stages}, {"why_not", g.why_not}, {"why_no_more", why_no_more(f, g.group)}};
    if (!g.nesting.empty()) group["nesting"] = g.nesting;
    if (g.kernel) {
      group["tile"] = by(g.kernel->tile);
      group["tiles_of_block"] = g.kernel->tiles_of_block;
      group["halos"] = stencil::text(p, g.kernel->halos);
      group["shared_bytes"] = shared_bytes(p, *g.kernel);
      if (g.kernel->hybrid) {
        group["columns_in_registers"] = stencil::kLanesOfWarp * g.kernel->hybrid->turns;
        group["registers_of_tile"] = g.kernel->hybrid->registers;
      }
      if (!g.kernel->why_not_as_asked.empty()) group["why_not_as_asked"] = g.kernel->why_not_as_asked;
      group["computed_again"] = stencil::work(p, g.kernel->halos, g.kernel->tile).redundant();
      const auto [operations, bytes] = traffic(p, *g.kernel);
      group["operations"] = operations;
      group["bytes"] = bytes;
    }
    groups.push_back(std::move(group));
  }
  nlohmann::json pyramid = f.pyramid ? nlohmann::json(stencil::text(*f.pyramid)) : nlohmann::json();
  return {{"strategy", strategy_text(f.strategy)},
          {"stages", stages},
          {"groups", groups},
          {"decided_by", f.trace.lines},
          {"pyramid", std::move(pyramid)},
          {"estimated_extent", lower::kEstimatedExtent},
          {"shared_per_block", f.device.shared_per_block}};
}

void write_group(const lower::PlannedProgram& program, const seg::Stm& operation, JsonWriter& out) {
  const FusionRecord* f = fusion_of(program, operation);
  const GroupRecord* g = f ? group_of(*f, operation) : nullptr;
  if (!g) return out.value(nullptr);
  out.object([&] {
    out.at("strategy").value(strategy_text(f->strategy));
    out.at("stages").list(g->group.stages, [&](size_t s) {
      const stencil::Stage& stage = f->pipeline.stage(s);
      out.object([&] {
        out.at("name").value(stage.name);
        out.at("kind").value(kind_text(stage.kind));
      });
    });
    out.at("one_kernel").value(g->kernel.has_value() || g->group.stages.size() == 1);
    out.at("why_not").value(g->why_not);
    out.at("why_no_more").list(why_no_more(*f, g->group), [&](const std::string& why) { out.value(why); });
    if (!g->kernel) return;
    const stencil::Halos& halos = g->kernel->halos;
    out.at("tile").list(g->kernel->tile, [&](int64_t size) { out.value(size); });
    out.at("tiles_of_block").value(g->kernel->tiles_of_block);
    out.at("halos").value(stencil::text(f->pipeline, halos));
    out.at("scratch_bytes").value(scratch_bytes(f->pipeline, *g->kernel));
    if (g->kernel->hybrid) {
      out.at("columns_in_registers").value(stencil::kLanesOfWarp * g->kernel->hybrid->turns);
      out.at("registers_of_tile").value(g->kernel->hybrid->registers);
    }
    if (!g->kernel->why_not_as_asked.empty()) out.at("why_not_as_asked").value(g->kernel->why_not_as_asked);
    out.at("computed_again").value(stencil::work(f->pipeline, halos, g->kernel->tile).redundant());
  });
}

}  // namespace heddle
