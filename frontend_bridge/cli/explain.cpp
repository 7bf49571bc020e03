#include "frontend_bridge/cli/explain.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "frontend_bridge/cli/explain_stages.h"
#include "ir/nest/printer.h"
#include "rewrites/plan/host_ops.h"

namespace heddle::cli {

namespace {

struct KernelNote {
  std::string name, grid, block;
};

struct WayNote {
  std::string name, guard, match;  // "": the way without a name; it is always open
};

struct OpNote {
  std::string entry, op, match, why, recipe;
  std::vector<WayNote> ways;
  std::vector<KernelNote> kernels;
  nlohmann::json group;  // of stages; null if it is none
};

OpNote note_of(const lower::PlannedProgram& program, const lower::HostOp& op) {
  const lower::Plan& lowered = *op.lowered;
  OpNote note{op.entry, lower::describe(*op.stm), "none", lowered.why_not, lowered.recipe, {}, {}, nullptr};
  if (const lower::FusionRecord* fusion = fusion_of(program, *op.stm)) {
    const std::string tiles = tiles_of_group(*fusion, *op.stm);
    note.match = tiles.empty() ? "stage" : "group";
    if (!tiles.empty()) note.why = tiles;
    note.group = group_json(*fusion, *op.stm);
  }
  if (lowered.match) {
    note.match = "contraction";
    note.why = recognize::to_text(*lowered.match);
    if (lowered.specialized.empty()) note.why += "; not tiled, because " + lowered.why_not;
  }
  for (const lower::Specialized& way : lowered.specialized) {
    note.ways.push_back({way.name, way.guard ? nest::to_text(way.guard) : "", recognize::to_text(way.match)});
  }
  for (const lower::Launch& l : lowered.launches) {
    note.kernels.push_back({l.kernel.name, nest::to_text(l.num_blocks), nest::to_text(l.block_size)});
  }
  return note;
}

std::vector<OpNote> collect(const lower::PlannedProgram& program) {
  std::vector<OpNote> notes;
  for (const lower::HostOp& op : lower::host_ops(program)) notes.push_back(note_of(program, op));
  return notes;
}

}  // namespace

std::string explain_text(const lower::PlannedProgram& program) {
  std::string out;
  for (const OpNote& n : collect(program)) {
    out += fmt::format("{}: {}\n  match: {} ({})\n  recipe: {}\n", n.entry, n.op, n.match, n.why, n.recipe);
    for (const WayNote& w : n.ways) {
      out += fmt::format("  tiled{}{}: {}\n", w.name.empty() ? "" : " (" + w.name + ")",
                         w.guard.empty() ? "" : " if " + w.guard, w.match);
    }
    for (const KernelNote& k : n.kernels) {
      out += fmt::format("  kernel {}: {} blocks of {} threads\n", k.name, k.grid, k.block);
    }
  }
  for (const lower::DroppedVersion& d : program.dropped) {
    out += fmt::format("{}: left out a version (line {}): {}\n", d.function, d.line, d.reason);
  }
  if (out.empty()) out = "The program has no parallel operations.\n";
  return out;
}

std::string explain_json(const lower::PlannedProgram& program) {
  nlohmann::json ops = nlohmann::json::array();
  for (const OpNote& n : collect(program)) {
    nlohmann::json kernels = nlohmann::json::array();
    for (const KernelNote& k : n.kernels) {
      kernels.push_back({{"name", k.name}, {"blocks", k.grid}, {"threads_per_block", k.block}});
    }
    nlohmann::json ways = nlohmann::json::array();
    for (const WayNote& w : n.ways) ways.push_back({{"name", w.name}, {"guard", w.guard}, {"match", w.match}});
    ops.push_back({{"entry", n.entry},
                   {"op", n.op},
                   {"match", n.match},
                   {"why", n.why},
                   {"recipe", n.recipe},
                   {"group", n.group},
                   {"ways", ways},
                   {"kernels", kernels}});
  }
  // Names come from the input and need not be valid UTF-8.
  return ops.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::cli
