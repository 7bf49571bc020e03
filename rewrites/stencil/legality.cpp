#include "rewrites/stencil/legality.h"

#include <fmt/format.h>

#include <algorithm>

#include "rewrites/stencil/masks.h"
#include "rewrites/stencil/occupancy.h"

namespace heddle::stencil {

namespace {

// A block's points with the windows around them, of each image that is read in windows.
int64_t staged_bytes(const Pipeline& p, const HipaccModel& model, size_t s) {
  const Stage& stage = p.stage(s);
  int64_t bytes = 0;
  for (const Source& source : p.sources(s)) {
    std::vector<int64_t> mask = mask_of(stage, source);
    if (taps(mask) == 1) continue;
    int64_t elements = 1;
    for (size_t d = 0; d < mask.size(); ++d) {
      int64_t block = d + 1 == mask.size() ? model.block_x : d + 2 == mask.size() ? model.block_y : 1;
      elements *= block + mask[d] - 1;
    }
    bool of_input = source.kind == Source::Kind::Input;
    bytes += elements * (of_input ? p.inputs()[source.number].element_bytes : bytes_per_point(p.stage(source.number)));
  }
  return bytes;
}

// The group's stages with windows that read, at first or second hand, such another's results, and those others.
std::vector<bool> in_chains(const Pipeline& p, const Group& g) {
  std::vector<bool> chained(p.size(), false);
  for (size_t s : g.stages) {
    if (p.stage(s).kind != StageKind::Local) continue;
    std::vector<bool> needed(p.size(), false);
    needed[s] = true;
    for (auto t = g.stages.rbegin(); t != g.stages.rend(); ++t) {
      if (!needed[*t]) continue;
      for (size_t producer : p.producers(*t)) needed[producer] = true;
    }
    for (size_t t : g.stages) {
      if (t == s || !needed[t] || p.stage(t).kind != StageKind::Local) continue;
      chained[s] = chained[t] = true;
    }
  }
  return chained;
}

bool is_within(const std::vector<Source>& some, const std::vector<Source>& all) {
  return std::all_of(some.begin(), some.end(),
                     [&](const Source& s) { return std::find(all.begin(), all.end(), s) != all.end(); });
}

}  // namespace

int64_t shared_bytes(const Pipeline& p, const HipaccModel& model, const Group& g) {
  std::vector<bool> chained = in_chains(p, g);
  int64_t together = 0, most = 0;
  for (size_t s : g.stages) {
    int64_t bytes = staged_bytes(p, model, s);
    if (chained[s]) together += bytes;
    most = std::max(most, bytes);
  }
  return std::max(together, most);
}

std::optional<std::string> breaks_dependence(const Pipeline& p, const Group& g) {
  if (!is_connected(p, g)) return "its stages do not hang together";
  std::vector<size_t> results = outputs(p, g);
  if (results.size() > 1) return fmt::format("external output: {} is read outside", p.stage(results[0]).name);
  std::vector<Source> read = inputs(p, g);
  bool from_one = std::any_of(g.stages.begin(), g.stages.end(), [&](size_t s) {
    std::vector<Source> sources = p.sources(s);
    return is_within(sources, read) && is_within(read, sources);
  });
  if (!from_one) return "external input: no stage that begins it reads all of its inputs";
  return std::nullopt;
}

std::optional<std::string> breaks_resources(const Pipeline& p, const Device& device, const HipaccModel& model,
                                            const Group& g) {
  if (model.resources == HipaccModel::Resources::SharedRatio) {
    int64_t most = 0, fused = shared_bytes(p, model, g);
    for (size_t s : g.stages) most = std::max(most, shared_bytes(p, model, {{s}}));
    if (static_cast<double>(fused) > model.most_shared * static_cast<double>(most))
      return fmt::format("resources: shared memory {} bytes, more than {} times {}", fused, model.most_shared, most);
    return std::nullopt;
  }
  auto occupancy_of = [&](const Group& of) {
    int64_t registers = 0;
    for (size_t s : of.stages) registers = std::max(registers, p.stage(s).registers);
    return occupancy(device, {model.block_x * model.block_y, registers, shared_bytes(p, model, of)});
  };
  double best = 0, fused = occupancy_of(g);
  for (size_t s : g.stages) best = std::max(best, occupancy_of({{s}}));
  if (fused < model.least_occupancy * best || fused == 0)
    return fmt::format("resources: occupancy {:.3f}, less than {} of {:.3f}", fused, model.least_occupancy, best);
  return std::nullopt;
}

std::optional<std::string> breaks_header(const Pipeline& p, const Group& g) {
  if (g.stages.size() < 2) return std::nullopt;
  const Stage& first = p.stage(g.stages[0]);
  for (size_t s : g.stages) {
    const Stage& stage = p.stage(s);
    if (stage.kind == StageKind::Global) return fmt::format("header: {} reads whole images", stage.name);
    if (stage.domain != first.domain) return fmt::format("header: {} and {} differ in size", first.name, stage.name);
    for (const Read& r : stage.reads) {
      if (r.source.kind != Source::Kind::Stage || !g.contains(r.source.number)) continue;
      for (size_t d = 0; d < r.windows.size(); ++d) {
        const Window& w = r.windows[d];
        if (w.follows != d || w.num != 1 || w.den != 1)
          return fmt::format("header: {} reads {} with a stride", stage.name, p.name(r.source));
      }
    }
    for (size_t producer : p.producers(s)) {
      if (g.contains(producer) && !holds_own_point(stage, {Source::Kind::Stage, producer}))
        return fmt::format("header: {} reads {} at an offset", stage.name, p.stage(producer).name);
    }
  }
  return std::nullopt;
}

std::optional<std::string> why_illegal(const Pipeline& p, const Device& device, const HipaccModel& model,
                                       const Group& g) {
  if (g.stages.size() == 1) return std::nullopt;
  if (std::optional<std::string> why = breaks_dependence(p, g)) return why;
  if (std::optional<std::string> why = breaks_header(p, g)) return why;
  return breaks_resources(p, device, model, g);
}

}  // namespace heddle::stencil
