#include "rewrites/stencil/halos.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rewrites/stencil/window_reach.h"

namespace heddle::stencil {

namespace {

// A read within the group along one dimension of the producer.
struct Use {
  size_t consumer;
  const Window* window;
};

class Solver {
 public:
  Solver(const Pipeline& p, const Group& g, const std::vector<TileShape>& shapes)
      : p_(p), g_(g), results_(outputs(p, g)), shapes_(shapes), halos_(p.size()) {}

  Halos tight() {
    begin();
    for (size_t s : g_.stages) each_dim(s, [&](size_t d, Halo& h) { shift(s, d, h); });
    for (auto s = g_.stages.rbegin(); s != g_.stages.rend(); ++s)
      each_dim(*s, [&](size_t d, Halo& h) { widen(*s, d, h); });
    return end();
  }

  Halos uniform() {
    begin();
    std::vector<size_t> level(p_.size(), 0);
    size_t last = 0;
    for (size_t s : g_.stages) {
      for (size_t producer : p_.producers(s)) {
        if (g_.contains(producer)) level[s] = std::max(level[s], level[producer] + 1);
      }
      last = std::max(last, level[s]);
    }
    std::vector<Slope> slopes(num_tile_dims_);
    for (size_t s : g_.stages) each_dim(s, [&](size_t d, Halo& h) { add_slope(s, d, h, level, slopes); });
    for (size_t s : g_.stages) {
      each_dim(s, [&](size_t, Halo& h) {
        if (!h.aligned) return;  // as in tight halos: no tile, no slope
        const Slope& slope = slopes[h.aligned->tile_dim];
        auto above = static_cast<int64_t>(last - level[s]);
        h.left = slope.left * above;
        h.right = slope.right * above;
        if (shape(h) == TileShape::Rectangle) {
          h.shift = slope.right * static_cast<int64_t>(level[s]);
          h.left += h.right;
          h.right = 0;
        }
      });
    }
    for (auto s = g_.stages.rbegin(); s != g_.stages.rend(); ++s) {
      each_dim(*s, [&](size_t d, Halo& h) {
        if (!h.aligned) widen(*s, d, h);
      });
    }
    return end();
  }

 private:
  struct Slope {
    int64_t left = 0, right = 0;  // points of the stage that is read, for each level
  };

  void begin() {
    Result<Alignment> alignment = align(p_, g_);
    if (!alignment) throw Refused{alignment.error()};
    num_tile_dims_ = alignment->tile_dims;
    for (size_t i = 0; i < g_.stages.size(); ++i) {
      for (const std::optional<Aligned>& a : alignment->stages[i]) halos_[g_.stages[i]].push_back(Halo{a});
    }
    for (auto s = g_.stages.rbegin(); s != g_.stages.rend(); ++s)
      each_dim(*s, [&](size_t d, Halo& h) { wrap(*s, d, h); });
  }

  Halos end() {
    Halos result{g_, num_tile_dims_, {}};
    for (size_t s : g_.stages) result.stages.push_back(std::move(halos_[s]));
    return result;
  }

  template <class F>
  void each_dim(size_t s, F f) {
    for (size_t d = 0; d < halos_[s].size(); ++d) f(d, halos_[s][d]);
  }

  TileShape shape(const Halo& h) const {
    return h.aligned->tile_dim < shapes_.size() ? shapes_[h.aligned->tile_dim] : TileShape::Scalene;
  }

  std::vector<Use> uses(size_t s, size_t d) const {
    std::vector<Use> result;
    for (size_t consumer : p_.consumers(s)) {
      if (!g_.contains(consumer)) continue;
      for (const Read& r : p_.stage(consumer).reads) {
        if (r.source == Source{Source::Kind::Stage, s}) result.push_back({consumer, &r.windows[d]});
      }
    }
    return result;
  }

  const Halo& reader(const Use& u) const { return halos_[u.consumer][*u.window->follows]; }

  bool is_output(size_t s) const { return std::binary_search(results_.begin(), results_.end(), s); }

  // Beyond the border a wrapped stage has the points of the other end, computed from what it reads there: that, too,
  // goes on, whatever its own border. One extent for all of them, so that as many points further each stands for the
  // same.
  void wrap(size_t s, size_t d, Halo& h) {
    for (const Use& u : uses(s, d)) {
      const Window& w = *u.window;
      if (w.border != Border::Wrap && !(w.follows && reader(u).wraps)) continue;
      const std::string& name = p_.stage(s).name;
      if (!h.aligned) refuse(fmt::format("{} is wrapped where tiles do not go along with it", name));
      if (w.num != w.den || h.aligned->scale != Ratio{}) refuse(fmt::format("{} is wrapped and sampled", name));
      for (size_t result : results_) check_as_large(s, d, result, h.aligned->tile_dim);
      h.wraps = true;
    }
  }

  void check_as_large(size_t s, size_t d, size_t result, size_t tile_dim) const {
    const std::vector<size_t>&own = p_.stage(s).extents, &of_result = p_.stage(result).extents;
    for (size_t e = 0; !own.empty() && e < of_result.size(); ++e) {
      const std::optional<Aligned>& a = halos_[result][e].aligned;
      if (a && a->tile_dim == tile_dim && (a->scale != Ratio{} || of_result[e] != own[d]))
        refuse(
            fmt::format("{} is wrapped, and not known to be as large as {}", p_.stage(s).name, p_.stage(result).name));
    }
  }

  // Section 5: a rectangle's stage runs as late as all that it reads is there. Stages are looked at from the first on.
  void shift(size_t s, size_t d, Halo& h) {
    if (!h.aligned || shape(h) != TileShape::Rectangle) return;
    if (h.aligned->scale != Ratio{})
      refuse(fmt::format("{} is sampled along a rectangle's dimension", p_.stage(s).name));
    for (const Read& r : p_.stage(s).reads) {
      if (r.source.kind != Source::Kind::Stage || !g_.contains(r.source.number)) continue;
      for (size_t of = 0; of < r.windows.size(); ++of) {
        if (r.windows[of].follows != d) continue;
        int64_t before = halos_[r.source.number][of].shift;
        h.shift = std::max({h.shift, before, before + with_exchanged(r.windows[of]).hi});
      }
    }
  }

  // Sections 4 and 5, with sampling by boxes: where a reader has [-left, P - 1 + right] of tile 0, what it reads begins
  // at floor((num * -left + lo) / den), and ends likewise; P of the reader are P * num / den of the stage. From the
  // last stage on.
  void widen(size_t s, size_t d, Halo& h) {
    bool is_first = true;
    auto need = [&](int64_t left, int64_t right) {
      h.left = is_first ? left : std::max(h.left, left);
      h.right = is_first ? right : std::max(h.right, right);
      is_first = false;
    };
    // A wrapped stage has its own part of the tile, from which the image's other end can be told.
    if (h.aligned && (is_output(s) || h.wraps)) need(0, 0);
    for (const Use& u : uses(s, d)) {
      Window w = with_exchanged(*u.window);
      if (!h.aligned) {
        Interval read = image_of(w, w.follows ? reader(u).fixed : Interval{});
        h.fixed = h.fixed.size() == 0
                      ? read
                      : Interval{std::min(h.fixed.first, read.first), std::max(h.fixed.last, read.last)};
        continue;
      }
      if (!w.follows) refuse(fmt::format("{} is read in windows and at places of its own", p_.stage(s).name));
      const Halo& by = reader(u);
      int64_t later = by.shift - h.shift;  // only where both are at one scale
      need(later - floor_div(w.lo - w.num * by.left, w.den),
           floor_div(w.num * (by.right - 1) + w.hi, w.den) + 1 - later);
    }
    if (!h.aligned) {
      const Interval& domain = p_.stage(s).domain[d];
      h.fixed = {std::max(h.fixed.first, domain.first), std::min(h.fixed.last, domain.last)};
    }
  }

  // A read over several levels may be so much steeper. Offsets are compared in points of the tile, where they are at
  // least as many as the stage's at scales above 1.
  void add_slope(size_t s, size_t d, const Halo& h, const std::vector<size_t>& level,
                 std::vector<Slope>& slopes) const {
    if (!h.aligned) return;
    Slope& slope = slopes[h.aligned->tile_dim];
    for (const Use& u : uses(s, d)) {
      if (!u.window->follows) refuse(fmt::format("{} is read in windows and at places of its own", p_.stage(s).name));
      if (h.aligned->scale != Ratio{}) refuse("uniform halos are for stages at one scale");
      Window w = with_exchanged(*u.window);
      auto levels = static_cast<int64_t>(level[u.consumer] - level[s]);
      slope.left = std::max(slope.left, ceil_div(-w.lo, levels));
      slope.right = std::max(slope.right, ceil_div(w.hi, levels));
    }
  }

  const Pipeline& p_;
  const Group& g_;
  std::vector<size_t> results_;
  const std::vector<TileShape>& shapes_;
  size_t num_tile_dims_ = 0;
  std::vector<std::vector<Halo>> halos_;  // by stage of the pipeline
};

}  // namespace

const std::vector<Halo>& Halos::of(size_t stage) const {
  auto place = std::lower_bound(group.stages.begin(), group.stages.end(), stage);
  return stages[static_cast<size_t>(place - group.stages.begin())];
}

Result<Halos> tight_halos(const Pipeline& p, const Group& g, const std::vector<TileShape>& shapes) {
  try {
    return Solver(p, g, shapes).tight();
  } catch (const Refused& r) {
    return r.error;
  }
}

Result<Halos> uniform_halos(const Pipeline& p, const Group& g, const std::vector<TileShape>& shapes) {
  try {
    return Solver(p, g, shapes).uniform();
  } catch (const Refused& r) {
    return r.error;
  }
}

std::string text(const Pipeline& p, const Halos& halos) {
  std::vector<std::string> stages;
  for (size_t s : halos.group.stages) {
    std::vector<std::string> dims;
    for (const Halo& h : halos.of(s)) {
      std::string shifted = h.shift == 0 ? "" : fmt::format(" at {}", h.shift);
      dims.push_back(h.aligned ? fmt::format("{}+{}{}", h.left, h.right, shifted)
                               : fmt::format("all of {}..{}", h.fixed.first, h.fixed.last));
    }
    stages.push_back(fmt::format("{} {}", p.stage(s).name, fmt::join(dims, " x ")));
  }
  return fmt::format("{}", fmt::join(stages, "; "));
}

}  // namespace heddle::stencil
