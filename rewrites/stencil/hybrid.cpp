#include "rewrites/stencil/hybrid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heddle::stencil {

namespace {

constexpr int64_t kWordBytes = 4;
// Of a root or the like, in plain operations.
constexpr int64_t kDear = 48;

class Fit {
 public:
  Fit(const Pipeline& p, const Halos& halos, const Tile& tile, const HybridModel& model)
      : p_(p), halos_(halos), tile_(tile), model_(model) {}

  Result<Hybrid> run() const {
    std::string why = why_none();
    if (!why.empty()) return unsupported(why);
    const int64_t all = tile_.back() / kLanesOfWarp;
    Hybrid h;
    h.turns = std::clamp<int64_t>(std::llround(model_.in_registers * static_cast<double>(all)),
                                  model_.in_registers > 0 ? 1 : 0, all);
    const int64_t others = all - h.turns;
    h.shared_columns = kLanesOfWarp * others;
    h.border_columns = others == 0 ? model_.least_shared : kLanesOfWarp * std::gcd(all, others);
    for (size_t k = 0; k < count(); ++k) h.right.push_back(columns(k).right);
    h.registers = registers(h.turns);
    if (h.registers > model_.most_registers)
      return unsupported(
          fmt::format("a lane would keep {} registers, of at most {}", h.registers, model_.most_registers));
    if (operations(h.turns) > model_.most_operations)
      return unsupported(
          fmt::format("a lane's turns have {} operations, of at most {}", operations(h.turns), model_.most_operations));
    return h;
  }

 private:
  size_t count() const { return halos_.group.stages.size(); }
  const Stage& stage(size_t k) const { return p_.stage(halos_.group.stages[k]); }
  const Halo& columns(size_t k) const { return halos_.stages[k].back(); }

  std::string why_none() const {
    if (halos_.tile_dims < 2) return "it has no rows and columns";
    if (tile_.back() % kLanesOfWarp != 0) return "lanes have no column each in its last dimension";
    for (size_t k = 0; k < count(); ++k) {
      const std::vector<Halo>& dims = halos_.stages[k];
      if (dims.size() < 2) return stage(k).name + " has no rows and columns";
      for (size_t d = 0; d < dims.size(); ++d) {
        const std::string why = d + 2 >= dims.size() ? why_not_along(dims[d], halos_.tile_dims - (dims.size() - d))
                                                     : why_not_before(dims, d);
        if (!why.empty()) return fmt::format("{} {}", stage(k).name, why);
      }
    }
    for (size_t k = 0; k < count(); ++k) {
      for (const Read& r : stage(k).reads) {
        const std::string why = r.source.kind == Source::Kind::Stage ? why_not_read(k, r) : "";
        if (!why.empty()) return fmt::format("{} reads {} {}", stage(k).name, p_.name(r.source), why);
      }
    }
    return "";
  }

  static std::string why_not_along(const Halo& h, size_t tile_dim) {
    if (!h.aligned || h.aligned->tile_dim != tile_dim) return "has rows and columns of another kind";
    if (h.aligned->scale != Ratio{} || h.shift != 0) return "is sampled at another rate";
    return "";
  }

  // One dimension before rows and columns, all of whose points in the tile each lane has.
  static std::string why_not_before(const std::vector<Halo>& dims, size_t d) {
    if (dims.size() > 3) return "has more than three dimensions";
    return dims[d].shift == 0 ? "" : "is sampled at another rate";
  }

  // What a lane may read of a stage of the group: at constant places, of which none is more than a turn away.
  std::string why_not_read(size_t reader, const Read& r) const {
    const auto at = std::ranges::find(halos_.group.stages, r.source.number);
    if (at == halos_.group.stages.end()) return "";
    const auto producer = static_cast<size_t>(at - halos_.group.stages.begin());
    const size_t dims = r.windows.size(), of_reader = stage(reader).domain.size();
    for (size_t d = dims - 2; d < dims; ++d) {
      const Window& w = r.windows[d];
      if (w.follows != of_reader - (dims - d) || w.num != 1 || w.den != 1)
        return "at places that its own does not tell";
    }
    const Window& w = r.windows.back();
    const int64_t shift = columns(producer).right - columns(reader).right;
    if (w.hi > shift) return "further to the right than its tile goes";
    if (shift - w.lo >= kLanesOfWarp)
      return fmt::format("{} columns apart, of at most {}", shift - w.lo, kLanesOfWarp - 1);
    return "";
  }

  // Of a column in the tile.
  int64_t points_of_column(size_t k) const {
    int64_t points = 1;
    for (size_t d = 0; d + 1 < halos_.stages[k].size(); ++d) {
      const Halo& h = halos_.stages[k][d];
      points *= extent(h, h.aligned ? tile_[h.aligned->tile_dim] : 0);
    }
    return points;
  }

  // The most of them that hold what others still read.
  int64_t registers(int64_t turns) const {
    std::vector<int64_t> in_use(count(), 0);
    for (size_t k = 0; k < count(); ++k) {
      const std::vector<size_t>& readers = p_.consumers(halos_.group.stages[k]);
      int64_t words = 0;
      for (int64_t bytes : stage(k).element_bytes) words += (bytes + kWordBytes - 1) / kWordBytes;
      size_t last = k;
      for (size_t r = k + 1; r < count(); ++r) {
        if (std::ranges::find(readers, halos_.group.stages[r]) != readers.end()) last = r;
      }
      for (size_t r = k + 1; r <= last; ++r) in_use[r] += words * turns * points_of_column(k);
    }
    return in_use.empty() ? 0 : *std::ranges::max_element(in_use);
  }

  // All of them are written out.
  int64_t operations(int64_t turns) const {
    int64_t sum = 0;
    for (size_t k = 0; k < count(); ++k)
      sum += turns * points_of_column(k) * (stage(k).alu_ops + kDear * stage(k).sfu_ops);
    return sum;
  }

  const Pipeline& p_;
  const Halos& halos_;
  const Tile& tile_;
  const HybridModel& model_;
};

}  // namespace

Result<Hybrid> fit_hybrid(const Pipeline& p, const Halos& halos, const Tile& tile, const HybridModel& model) {
  return Fit(p, halos, tile, model).run();
}

Tile in_shared(const Tile& tile, const Hybrid& h) {
  Tile result = tile;
  result.back() = std::max(h.shared_columns, h.border_columns);
  return result;
}

}  // namespace heddle::stencil
