#include "frontend_bridge/explain/explain.h"

#include <fmt/format.h>

#include "frontend_bridge/explain/json_writer.h"
#include "frontend_bridge/explain/stages.h"
#include "ir/nest/printer.h"
#include "rewrites/plan/host_ops.h"

namespace heddle {

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
};

OpNote note_of(const lower::PlannedProgram& program, const lower::HostOp& op) {
  const lower::Plan& lowered = *op.lowered;
  OpNote note{op.entry, lower::describe(*op.stm), "none", lowered.why_not, lowered.recipe, {}, {}};
  if (const lower::FusionRecord* fusion = fusion_of(program, *op.stm)) {
    const std::string tiles = tiles_of_group(*fusion, *op.stm);
    note.match = tiles.empty() ? "stage" : "group";
    if (!tiles.empty()) note.why = tiles;
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
  JsonWriter out;
  out.list(lower::host_ops(program), [&](const lower::HostOp& op) {
    const OpNote n = note_of(program, op);
    out.object([&] {
      out.at("entry").value(n.entry);
      out.at("op").value(n.op);
      out.at("match").value(n.match);
      out.at("why").value(n.why);
      out.at("recipe").value(n.recipe);
      write_group(program, *op.stm, out.at("group"));
      out.at("ways").list(n.ways, [&](const WayNote& w) {
        out.object([&] {
          out.at("name").value(w.name);
          out.at("guard").value(w.guard);
          out.at("match").value(w.match);
        });
      });
      out.at("kernels").list(n.kernels, [&](const KernelNote& k) {
        out.object([&] {
          out.at("name").value(k.name);
          out.at("blocks").value(k.grid);
          out.at("threads_per_block").value(k.block);
        });
      });
    });
  });
  return out.take();
}

}  // namespace heddle
