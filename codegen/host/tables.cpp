#include "codegen/host/tables.h"

#include "codegen/host/c_writer.h"

namespace heddle::codegen::host {

std::string_view c_tuning_class(seg::SizeClassKind kind) {
  switch (kind) {
    case seg::SizeClassKind::ThreadBlock:
      return "HD_TUNE_THREAD_BLOCK_SIZE";
    case seg::SizeClassKind::Grid:
      return "HD_TUNE_GRID_SIZE";
    case seg::SizeClassKind::Tile:
      return "HD_TUNE_TILE_SIZE";
    case seg::SizeClassKind::RegTile:
      return "HD_TUNE_REG_TILE_SIZE";
    case seg::SizeClassKind::SharedMemory:
      return "HD_TUNE_SHARED_MEMORY";
    case seg::SizeClassKind::Threshold:
      return "HD_TUNE_THRESHOLD";
    case seg::SizeClassKind::Bespoke:
      return "HD_TUNE_BESPOKE";
  }
  return "";
}

namespace {

// As --print-params shows it, and as Futhark's autotuner parses it.
std::string class_text(const seg::SizeClass& c) {
  switch (c.kind) {
    case seg::SizeClassKind::ThreadBlock:
      return "thread_block_size";
    case seg::SizeClassKind::Grid:
      return "grid_size";
    case seg::SizeClassKind::Tile:
      return "tile_size";
    case seg::SizeClassKind::RegTile:
      return "reg_tile_size";
    case seg::SizeClassKind::SharedMemory:
      return "shared_memory";
    case seg::SizeClassKind::Bespoke:
      return fmt::format("bespoke({}, {})", c.bespoke, c.default_value.value_or(0));
    case seg::SizeClassKind::Threshold:
      break;
  }
  std::vector<std::string> path;
  for (const seg::PathStep& step : c.path) path.push_back((step.taken ? "" : "!") + step.threshold);
  std::string start = c.default_value ? fmt::format("{}", *c.default_value) : "def";
  return fmt::format("threshold({}, {})", start, join(path, " "));
}

}  // namespace

std::string params_table(const heddle::host::Program& program) {
  CWriter out;
  if (program.params.empty()) return "";
  out.open("static const struct hd_tuning_param tuning_params[] =");
  for (const heddle::host::TuningParam& p : program.params) {
    out.line("{{{}, {}, {}, {}}},", c_string(p.name), c_tuning_class(p.size_class.kind),
             c_string(class_text(p.size_class)),
             prim::c_literal(prim::Value::i64(p.size_class.default_value.value_or(0))));
  }
  out.close(";");
  out.blank();
  return out.text();
}

std::string failures_table(const heddle::host::Program& program) {
  CWriter out;
  if (program.failures.empty()) return "";
  out.open("static const struct hd_failure failures[] =");
  for (const heddle::host::Failure& f : program.failures) {
    std::string format, kinds;
    for (const auto& part : f.message) {
      if (const auto* text = std::get_if<std::string>(&part)) {
        for (char c : *text) format += c == '%' ? "%%" : std::string(1, c);
      } else {
        prim::Type type = std::get<prim::Type>(part);
        format += prim::is_float(type) ? "%f" : "%lld";
        kinds += prim::is_float(type) ? 'f' : type == prim::Type::Bool ? 'b' : 'i';
      }
    }
    // A location may have several lines, which are a call stack (frontend_bridge/futhark/plugin/Places.hs).
    std::string backtrace = f.location.empty() ? "NULL" : c_string("-> #0  " + f.location + "\n");
    out.line("{{{}, {}, {}}},", c_string(format), c_string(kinds), backtrace);
  }
  out.close(";");
  out.blank();
  return out.text();
}

}  // namespace heddle::codegen::host
