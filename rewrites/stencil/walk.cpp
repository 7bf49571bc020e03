#include "rewrites/stencil/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rewrites/stencil/window_reach.h"

namespace heddle::stencil {

namespace {

constexpr int64_t kWordBytes = 4;
// Of a root or the like, in plain operations.
constexpr int64_t kDear = 48;

// Of registers for rows, in quarters: what compilers want besides, as they compute several rows at a time. With fewer they put what has just been loaded
// into local memory, and wait for it: on an H100 8 steps of Jacobi's iteration took twice as long.
constexpr int64_t kSpare = 3;

int64_t rounded_up(int64_t a, int64_t b) { return ceil_div(a, b) * b; }
int64_t words_of(int64_t bytes) { return ceil_div(bytes, kWordBytes); }

class Fit {
 public:
  Fit(const Pipeline& p, const Halos& halos, const WalkModel& model) : p_(p), halos_(halos), model_(model) {}

  Result<Walk> run() {
    std::string why = why_no_walk();
    if (!why.empty()) return unsupported(why);
    why = "lanes are to have no columns";
    for (int64_t columns : model_.columns) {
      why = fit(columns);
      if (why.empty()) return std::move(walk_);
    }
    return unsupported(why);
  }

 private:
  // An image that is kept: what reaches how far beyond the last stage's row and column.
  struct Reach {
    int64_t left = 0, right = 0, up = 0, down = 0, rows = 0, words = 1;
  };

  size_t count() const { return halos_.group.stages.size(); }
  const Stage& stage(size_t k) const { return p_.stage(halos_.group.stages[k]); }
  const Halo& rows(size_t k) const { return halos_.stages[k][0]; }
  const Halo& columns(size_t k) const { return halos_.stages[k][1]; }

  std::string why_no_walk() const {
    if (halos_.tile_dims != 2) return "it has other dimensions than rows and columns";
    for (size_t k = 0; k < count(); ++k) {
      if (halos_.stages[k].size() != 2) return stage(k).name + " has other dimensions than rows and columns";
      for (size_t d = 0; d < 2; ++d) {
        const Halo& h = halos_.stages[k][d];
        if (h.wraps) return stage(k).name + " goes on at the image's other end";
        if (!h.aligned || h.aligned->tile_dim != d || h.aligned->scale != Ratio{} || h.shift != 0)
          return stage(k).name + " is sampled at another rate";
        if (h.left < 0 || h.right < 0) return stage(k).name + " is not needed around its readers' points";
      }
      for (const Read& r : stage(k).reads) {
        if (!is_around(r)) return stage(k).name + " reads elsewhere than around its points";
      }
    }
    for (size_t s : outputs(p_, halos_.group)) {
      if (s != halos_.group.stages.back() && !is_as_large_as_last(p_, halos_, s))
        return p_.stage(s).name + " is stored, and not known to be as large as the last stage";
    }
    return "";
  }

  static bool is_around(const Read& r) {
    if (r.windows.size() != 2) return false;
    for (size_t d = 0; d < 2; ++d) {
      const Window& w = r.windows[d];
      if (w.follows != d || w.num != 1 || w.den != 1 || w.border == Border::Wrap) return false;
    }
    return true;
  }

  // The images of which points read several elements; all else each lane loads where it needs it.
  std::map<size_t, Reach> images() const {
    std::map<size_t, Reach> found;
    for (size_t k = 0; k < count(); ++k) {
      for (const Read& r : stage(k).reads) {
        if (r.source.kind != Source::Kind::Input) continue;
        const Window &down = r.windows[0], &across = r.windows[1];
        if (down.lo < down.hi || across.lo < across.hi) found.try_emplace(r.source.number);
      }
    }
    for (size_t k = 0; k < count(); ++k) {
      for (const Read& r : stage(k).reads) {
        auto it = r.source.kind == Source::Kind::Input ? found.find(r.source.number) : found.end();
        if (it == found.end()) continue;
        Reach& reach = it->second;
        const Window &down = r.windows[0], &across = r.windows[1];
        reach.words = words_of(p_.inputs()[it->first].element_bytes);
        reach.up = std::max(reach.up, rows(k).left - down.lo);
        reach.down = std::max(reach.down, rows(k).right + down.hi);
        reach.left = std::max(reach.left, columns(k).left - across.lo);
        reach.right = std::max(reach.right, columns(k).right + across.hi);
      }
    }
    for (auto& [input, reach] : found) {
      const int64_t ahead = reach.down + model_.rows_early;
      for (size_t k = 0; k < count(); ++k) {
        for (const Read& r : stage(k).reads) {
          if (r.source == Source{Source::Kind::Input, input})
            reach.rows = std::max(reach.rows, ahead - rows(k).right - r.windows[0].lo + 1);
        }
      }
    }
    return found;
  }

  int64_t rows_kept(size_t k) const {
    int64_t kept = 0;
    for (size_t r = 0; r < count(); ++r) {
      for (const Read& read : stage(r).reads) {
        if (read.source == Source{Source::Kind::Stage, halos_.group.stages[k]})
          kept = std::max(kept, rows(k).right - rows(r).right - read.windows[0].lo + 1);
      }
    }
    return kept;
  }

  int64_t words(size_t k) const {
    int64_t sum = 0;
    for (int64_t bytes : stage(k).element_bytes) sum += words_of(bytes);
    return sum;
  }

  // Fills walk_, or says why lanes cannot have so many columns.
  std::string fit(int64_t columns_of_lane) {
    walk_ = Walk{.columns_of_lane = columns_of_lane,
                 .left = 0,
                 .right = 0,
                 .before = 0,
                 .written_out = 1,
                 .warps = 0,
                 .warps_of_block = model_.warps_of_block,
                 .least_segment = model_.least_segment,
                 .shorter_at_borders = model_.shorter_at_borders,
                 .registers = 0,
                 .stages = {},
                 .images = {}};
    int64_t registers = 0, operations = 0;
    auto reach = [&](int64_t left, int64_t right, int64_t before) {
      walk_.left = std::max(walk_.left, rounded_up(left, columns_of_lane));
      walk_.right = std::max(walk_.right, rounded_up(right, columns_of_lane));
      walk_.before = std::max(walk_.before, before);
    };
    for (size_t k = 0; k < count(); ++k) {
      const int64_t kept = rows_kept(k);
      walk_.stages.push_back({rows(k).right, kept});
      reach(columns(k).left, columns(k).right, rows(k).left + rows(k).right);
      registers += std::max<int64_t>(0, kept - 1) * columns_of_lane * words(k);
      operations += columns_of_lane * (1 + stage(k).alu_ops + kDear * stage(k).sfu_ops);
      walk_.written_out = std::max(walk_.written_out, std::min(kept, model_.most_written_out));
    }
    for (const auto& [input, image] : images()) {
      const int64_t ahead = image.down + model_.rows_early;
      walk_.images.push_back({p_.inputs()[input].name, {ahead, image.rows}});
      reach(image.left, image.right, image.up + ahead);
      registers += image.rows * columns_of_lane * image.words;
    }
    walk_.registers = std::min(rounded_up(registers + registers * kSpare / 4 + model_.beside, 8), model_.registers);
    const int64_t blocks = model_.register_file / (walk_.registers * Walk::kLanes * model_.warps_of_block);
    walk_.warps = model_.multiprocessors * std::clamp(blocks * model_.warps_of_block, int64_t{1}, model_.most_warps);
    if (registers > model_.most_registers)
      return fmt::format("a lane's rows take {} registers, of at most {}", registers, model_.most_registers);
    if (operations * walk_.written_out > model_.most_operations) return "too many operations would be written out";
    const double beside =
        static_cast<double>(walk_.left + walk_.right) / static_cast<double>(Walk::kLanes * columns_of_lane);
    if (beside > model_.most_beside)
      return fmt::format("{:.0f} % of a warp's columns would be beside its strip", 100 * beside);
    if (walk_.before > model_.most_rows_before)
      return fmt::format("{} rows are walked before a segment's, of at most {}", walk_.before, model_.most_rows_before);
    return "";
  }

  const Pipeline& p_;
  const Halos& halos_;
  const WalkModel& model_;
  Walk walk_{};
};

}  // namespace

int64_t Walk::segment(int64_t rows, int64_t columns) const {
  const int64_t strips = ceil_div(std::max<int64_t>(columns, 1), this->columns());
  const int64_t segments = std::max<int64_t>(1, warps / (strips + kAtBorders * (shorter_at_borders - 1)));
  return rounded_up(std::max(ceil_div(rows, segments), least_segment) + before, written_out) - before;
}

Result<Walk> fit_walk(const Pipeline& p, const Halos& halos, const WalkModel& model) {
  return Fit(p, halos, model).run();
}

Tile tile_of(const Walk& w, const std::vector<Interval>& points) {
  return {w.segment(points[0].size(), points[1].size()), w.columns()};
}

std::vector<int64_t> points_walked(const Walk& w, int64_t rows) {
  return std::vector<int64_t>(w.stages.size(), (rows + w.before) * Walk::kLanes * w.columns_of_lane);
}

}  // namespace heddle::stencil
