#include "rewrites/stencil/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "rewrites/stencil/window_reach.h"

namespace heddle::stencil {

namespace {

constexpr int64_t kWordBytes = 4;
// Strips begin at multiples of so many, at sectors of memory of elements of four bytes, where that takes no more than a lane.
constexpr int64_t kSectorColumns = 8;
// What walks that were measured have at most: with more registers there are fewer than twelve warps in a multiprocessor, and of more rows before its
// own a segment of a large image computes more than a tile does beside it.
constexpr int64_t kColumnsByDefault = 4, kRegistersByDefault = 168, kBeforeByDefault = 12;
// Of a root or the like, in plain operations.
constexpr int64_t kDear = 48;

// Of registers for rows, in quarters: what compilers want besides, as they compute several rows at a time. With fewer they put what has just been loaded
// into local memory, and wait for it: on an H100 8 steps of Jacobi's iteration took twice as long.
constexpr int64_t kSpare = 3;

int64_t rounded_up(int64_t a, int64_t b) { return ceil_div(a, b) * b; }
int64_t words_of(int64_t bytes) { return ceil_div(bytes, kWordBytes); }

bool has_borders(const Pipeline& p, const Group& g) {
  return std::ranges::any_of(g.stages, [&](size_t s) {
    return p.stage(s).has_borders || std::ranges::any_of(p.stage(s).reads, [](const Read& r) {
             return std::ranges::any_of(r.windows, [](const Window& w) { return w.border != Border::None; });
           });
  });
}

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
  // A plane of an image: what reaches how far beyond the last stage's row and column.
  struct Reach {
    int64_t left = 0, right = 0, up = 0, down = 0, words = 1;
    std::vector<int64_t> oldest;  // that readers need, as rows before the last stage's
  };
  struct Plane {
    size_t input;
    std::vector<LayerPlace> layer;

    auto operator<=>(const Plane&) const = default;
  };

  size_t count() const { return halos_.group.stages.size(); }
  const Stage& stage(size_t k) const { return p_.stage(halos_.group.stages[k]); }
  const Halo& rows(size_t k) const { return halos_.stages[k][halos_.tile_dims - 2]; }
  const Halo& columns(size_t k) const { return halos_.stages[k][halos_.tile_dims - 1]; }

  std::string why_no_walk() const {
    if (halos_.tile_dims < 2) return "it has no rows to walk down";
    for (size_t k = 0; k < count(); ++k) {
      if (halos_.stages[k].size() != halos_.tile_dims)
        return stage(k).name + " has other dimensions than the last stage";
      for (size_t d = 0; d < halos_.tile_dims; ++d) {
        const Halo& h = halos_.stages[k][d];
        if (h.wraps) return stage(k).name + " goes on at the image's other end";
        if (!h.aligned || h.aligned->tile_dim != d || h.aligned->scale != Ratio{} || h.shift != 0)
          return stage(k).name + " is sampled at another rate";
        if (is_layer(d) && (h.left != 0 || h.right != 0))
          return stage(k).name + " is read around in more than rows and columns";
      }
      if (stage(k).only_where_needed) return stage(k).name + " may be computed at points alone that somebody needs";
      for (const Read& r : stage(k).reads) {
        if (!is_walked(r)) return stage(k).name + " reads elsewhere than around its points";
      }
    }
    for (size_t s : outputs(p_, halos_.group)) {
      if (s != halos_.group.stages.back() && !is_as_large_as_last(p_, halos_, s))
        return p_.stage(s).name + " is stored, and not known to be as large as the last stage";
    }
    return "";
  }

  bool is_layer(size_t dim) const { return dim + 2 < halos_.tile_dims; }

  // Whether it is read around the point's row and column, in a layer that all of a warp's points have, or in few.
  bool is_walked(const Read& r) const {
    const size_t dims = r.windows.size();
    if (dims < 2) return false;
    int64_t layers = 1;
    for (size_t d = 0; d < dims; ++d) {
      const Window& w = r.windows[d];
      if (w.num != 1 || w.den != 1 || w.border == Border::Wrap) return false;
      if (d + 2 >= dims) {
        if (w.follows != halos_.tile_dims - (dims - d)) return false;
      } else if (w.follows) {
        if (!is_layer(*w.follows) || w.lo != 0 || w.hi != 0 || w.border != Border::None) return false;
      } else {
        layers *= w.hi - w.lo + 1;
      }
    }
    return layers == 1 || (layers <= model_.most_layers && r.source.kind == Source::Kind::Input);
  }

  static std::vector<std::vector<LayerPlace>> layers_of(const Read& r) {
    std::vector<std::vector<LayerPlace>> all = {{}};
    for (size_t d = 0; d + 2 < r.windows.size(); ++d) {
      const Window& w = r.windows[d];
      std::vector<std::vector<LayerPlace>> longer;
      for (const std::vector<LayerPlace>& layer : all) {
        for (int64_t at = w.lo; at <= w.hi; ++at) {
          longer.push_back(layer);
          longer.back().push_back({w.follows, at});
        }
      }
      all = std::move(longer);
    }
    return all;
  }

  std::map<Plane, Reach> planes() const {
    std::map<Plane, Reach> found;
    for (size_t k = 0; k < count(); ++k) {
      for (const Read& r : stage(k).reads) {
        if (r.source.kind != Source::Kind::Input || !is_walked(r)) continue;
        const Window down = with_exchanged(r.windows[r.windows.size() - 2]), across = with_exchanged(r.windows.back());
        for (std::vector<LayerPlace>& layer : layers_of(r)) {
          Reach& reach = found[Plane{r.source.number, std::move(layer)}];
          reach.words = words_of(p_.inputs()[r.source.number].element_bytes);
          reach.up = std::max(reach.up, rows(k).left - down.lo);
          reach.down = std::max(reach.down, rows(k).right + down.hi);
          reach.left = std::max(reach.left, columns(k).left - across.lo);
          reach.right = std::max(reach.right, columns(k).right + across.hi);
          reach.oldest.push_back(-rows(k).right - down.lo);
        }
      }
    }
    return found;
  }

  int64_t rows_kept(size_t k) const {
    const size_t down = halos_.tile_dims - 2;
    int64_t kept = 0;
    for (size_t r = 0; r < count(); ++r) {
      for (const Read& read : stage(r).reads) {
        if (read.source == Source{Source::Kind::Stage, halos_.group.stages[k]})
          kept = std::max(kept, rows(k).right - rows(r).right - with_exchanged(read.windows[down]).lo + 1);
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
                 .slots = 0,
                 .written_out = 1,
                 .mixed = false,
                 .warps = 0,
                 .warps_of_block = model_.warps_of_block,
                 .least_segment = model_.least_segment,
                 .least_of_before = model_.least_of_before,
                 .shorter_at_borders = has_borders(p_, halos_.group) ? model_.shorter_at_borders : 1,
                 .registers = 0,
                 .least_points = 0,
                 .stages = {},
                 .images = {}};
    int64_t registers = 0, operations = 0, bytes_of_row = 0;
    std::vector<Kept> all_kept;
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
      all_kept.push_back({kept, words(k)});
    }
    for (const auto& [plane, image] : planes()) {
      const int64_t kept = image.down + std::ranges::max(image.oldest) + 1;
      walk_.images.push_back({p_.inputs()[plane.input].name, plane.layer, {image.down, kept}});
      reach(image.left, image.right, image.up + image.down);
      registers += kept * columns_of_lane * image.words;
      bytes_of_row += Walk::kLanes * columns_of_lane * p_.inputs()[plane.input].element_bytes;
      all_kept.push_back({kept, image.words});
    }
    const int64_t left = rounded_up(walk_.left, kSectorColumns), right = rounded_up(walk_.right, kSectorColumns);
    if (left + right <= walk_.left + walk_.right + columns_of_lane) walk_.left = left, walk_.right = right;
    walk_.written_out = rows_without_moves(all_kept);
    walk_.mixed = operations * walk_.written_out <= model_.most_mixed;
    if (registers > model_.most_registers)
      return fmt::format("a lane's rows take {} registers, of at most {}", registers, model_.most_registers);
    if (operations * walk_.written_out > model_.most_operations) return "too many operations would be written out";
    const double beside =
        static_cast<double>(walk_.left + walk_.right) / static_cast<double>(Walk::kLanes * columns_of_lane);
    if (beside > model_.most_beside)
      return fmt::format("{:.0f} % of a warp's columns would be beside its strip", 100 * beside);
    if (walk_.before > model_.most_rows_before)
      return fmt::format("{} rows are walked before a segment's, of at most {}", walk_.before, model_.most_rows_before);
    return have_resident(registers + registers * kSpare / 4 + model_.beside, bytes_of_row);
  }

  // Rows of a stage or an image in registers, and words of each of their elements.
  struct Kept {
    int64_t rows, words;
  };

  // Of a loop's turns, so that values move as little as they can: rows of which a turn has a multiple take each other's places.
  int64_t rows_without_moves(const std::vector<Kept>& all) const {
    int64_t best = 1;
    double least = std::numeric_limits<double>::infinity();
    for (int64_t rows = 1; rows <= model_.most_written_out; ++rows) {
      int64_t moves = 0;
      for (const Kept& k : all) moves += k.rows > 1 && rows % k.rows != 0 ? (k.rows - 1) * k.words : 0;
      const double of_row = static_cast<double>(moves) / static_cast<double>(rows);
      if (of_row < least) least = of_row, best = rows;
    }
    return best;
  }

  // As many warps as have room in a multiprocessor, and what they leave to each other; why there is none, as a clause.
  std::string have_resident(int64_t registers, int64_t bytes_of_row) {
    const int64_t wanted = std::min(rounded_up(registers, 8), model_.registers);
    int64_t of_scheduler = std::min(model_.registers_of_scheduler / wanted, model_.most_warps / model_.schedulers);
    const int64_t of_block = model_.warps_of_block;
    auto shared = [&](int64_t slots) { return of_block * slots * bytes_of_row; };
    for (int64_t slots : model_.slots) {
      if (shared(slots) > model_.shared_of_block) continue;
      walk_.slots = slots;
      if (of_scheduler * model_.schedulers * (slots - 1) * bytes_of_row >= model_.bytes_under_way) break;
    }
    if (walk_.slots == 0) return fmt::format("a block's rows take {} bytes of shared memory", shared(model_.slots[0]));
    const int64_t most_blocks = model_.shared_memory / (shared(walk_.slots) + model_.shared_besides);
    of_scheduler = std::max<int64_t>(1, std::min(of_scheduler, most_blocks * of_block / model_.schedulers));
    walk_.warps = model_.multiprocessors * of_scheduler * model_.schedulers;
    walk_.registers = std::min(model_.registers_of_scheduler / of_scheduler / 8 * 8, model_.registers);
    walk_.least_points = walk_.warps * walk_.columns() * model_.least_segment;
    return "";
  }

  const Pipeline& p_;
  const Halos& halos_;
  const WalkModel& model_;
  Walk walk_{};
};

}  // namespace

int64_t Walk::segment(int64_t rows, int64_t columns, int64_t others) const {
  const int64_t strips = ceil_div(std::max<int64_t>(columns, 1), this->columns());
  const int64_t pieces = (strips + kAtBorders * (shorter_at_borders - 1)) * std::max<int64_t>(1, others);
  const int64_t segments = std::max<int64_t>(1, warps / pieces);
  const int64_t most = ceil_div(rows, segments), least = ceil_div(rows, 2 * segments);
  const int64_t segment = least < least_of_before * before ? most : least;
  return rounded_up(std::max(segment, least_segment) + before, written_out) - before;
}

Result<Walk> fit_walk(const Pipeline& p, const Halos& halos, const WalkModel& model) {
  return Fit(p, halos, model).run();
}

bool walks_by_default(const Pipeline& p, const Halos& halos, const Walk& w) {
  auto are_words = [](const std::vector<int64_t>& bytes) {
    return std::ranges::all_of(bytes, [](int64_t b) { return b == kWordBytes; });
  };
  for (size_t s : halos.group.stages) {
    const Stage& stage = p.stage(s);
    if (!are_words(stage.element_bytes) || stage.sfu_ops > 0) return false;
    for (const Source& source : p.sources(s)) {
      if (source.kind == Source::Kind::Input && p.inputs()[source.number].element_bytes != kWordBytes) return false;
    }
  }
  return w.columns_of_lane == kColumnsByDefault && w.registers <= kRegistersByDefault && w.before <= kBeforeByDefault &&
         !w.images.empty() && !has_borders(p, halos.group);
}

Tile tile_of(const Walk& w, const std::vector<Interval>& points) {
  const size_t rows = points.size() - 2;
  int64_t others = 1;
  for (size_t d = 0; d < rows; ++d) others *= points[d].size();
  Tile tile(points.size(), 1);
  tile[rows] = w.segment(points[rows].size(), points[rows + 1].size(), others);
  tile[rows + 1] = w.columns();
  return tile;
}

std::string text(const Pipeline& p, const Group& g, const Walk& w) {
  std::string rows;
  auto add = [&](const std::string& name, const RowsWalked& kept) {
    if (kept.rows > 0) rows += fmt::format("{}{} {} ({} ahead)", rows.empty() ? "" : ", ", name, kept.rows, kept.ahead);
  };
  for (const ImageWalked& image : w.images) {
    std::string layer;
    for (const LayerPlace& l : image.layer) layer += l.follows ? "[]" : fmt::format("[{}]", l.at);
    add(image.name + layer, image.kept);
  }
  for (size_t k = 0; k < w.stages.size(); ++k) add(p.stage(g.stages[k]).name, w.stages[k]);
  return fmt::format("{} columns of each lane, {} columns without those beside; rows of {}", w.columns_of_lane,
                     w.columns(), rows);
}

std::vector<int64_t> points_walked(const Walk& w, int64_t rows) {
  return std::vector<int64_t>(w.stages.size(), (rows + w.before) * Walk::kLanes * w.columns_of_lane);
}

}  // namespace heddle::stencil
