// Random pipelines, run tile by tile in memory of which only what the tile computed may be read: results are those of
// whole stages, for all borders, sizes and samplings; and no width could be smaller.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "rewrites/stencil/tiles.h"
#include "rewrites/stencil/window_reach.h"

namespace heddle::stencil {
namespace {

using Index = std::vector<int64_t>;

int64_t pick(int64_t low, int64_t high) { return *rc::gen::inRange<int64_t>(low, high + 1); }

// Where the element is that stands for index i; none if it is a constant.
std::optional<int64_t> exchanged(Border border, int64_t i, const Interval& domain) {
  int64_t n = domain.size();
  i -= domain.first;
  switch (border) {
    case Border::None:
      break;
    case Border::Clamp:
      i = std::clamp<int64_t>(i, 0, n - 1);
      break;
    case Border::Mirror:
      while (i < 0 || i >= n) i = i < 0 ? -i - 1 : 2 * n - 1 - i;
      break;
    case Border::Wrap:
      i -= floor_div(i, n) * n;
      break;
    case Border::Constant:
      if (i < 0 || i >= n) return std::nullopt;
  }
  return i + domain.first;
}

// Calls f for all indices in the box.
template <class F>
void for_each_index(const std::vector<Interval>& box, const F& f, Index& at) {
  if (at.size() == box.size()) return f(at);
  const Interval& i = box[at.size()];
  for (int64_t x = i.first; x <= i.last; ++x) {
    at.push_back(x);
    for_each_index(box, f, at);
    at.pop_back();
  }
}

template <class F>
void for_each_index(const std::vector<Interval>& box, const F& f) {
  Index at;
  for_each_index(box, f, at);
}

using Values = std::map<Index, uint64_t>;

uint64_t mixed(uint64_t h, uint64_t v) { return (h ^ v) * 0x9E3779B97F4A7C15U + (h >> 29); }

struct Poisoned {};  // read of what nobody wrote

// A stage's value at a point, where `read` yields elements: (source, window index by dimension) -> value.
template <class F>
uint64_t value(const Pipeline& p, size_t s, const Index& at, const F& read) {
  uint64_t h = s + 1;
  for (const Read& r : p.stage(s).reads) {
    std::vector<Interval> box;
    for (const Window& w : r.windows) box.push_back({w.lo, w.hi});
    for_each_index(box, [&](const Index& offset) {
      Index index;
      for (size_t d = 0; d < offset.size(); ++d) {
        const Window& w = r.windows[d];
        index.push_back(w.follows ? floor_div(w.num * at[*w.follows] + offset[d], w.den) : offset[d]);
      }
      h = mixed(h, read(r, index));
    });
  }
  return h;
}

uint64_t of_input(const Index& at) {
  uint64_t h = 17;
  for (int64_t i : at) h = mixed(h, static_cast<uint64_t>(i));
  return h;
}

constexpr uint64_t kConstant = 7;

// The element in whole images.
uint64_t whole_element(const Pipeline& p, const std::vector<Values>& stages, const Read& r, Index at) {
  for (size_t d = 0; d < at.size(); ++d) {
    std::optional<int64_t> i = exchanged(r.windows[d].border, at[d], p.domain(r.source)[d]);
    if (!i) return kConstant;
    at[d] = *i;
  }
  return r.source.kind == Source::Kind::Input ? of_input(at) : stages[r.source.number].at(at);
}

std::vector<Values> run_whole(const Pipeline& p) {
  std::vector<Values> stages(p.size());
  for (size_t s = 0; s < p.size(); ++s) {
    for_each_index(p.stage(s).domain, [&](const Index& at) {
      stages[s][at] = value(p, s, at, [&](const Read& r, const Index& i) { return whole_element(p, stages, r, i); });
    });
  }
  return stages;
}

class Tiles {
 public:
  Tiles(const Pipeline& p, const Halos& halos, const Tile& tile, const std::vector<Values>& expected)
      : p_(p), halos_(halos), tile_(tile), expected_(expected), computed_(halos.group.stages.size(), 0) {}

  // Whether all results are as expected; throws Poisoned.
  bool run() {
    std::vector<Interval> tiles;
    for (size_t d = 0; d < halos_.tile_dims; ++d) tiles.push_back(tiles_along(p_, halos_, d, tile_));
    std::vector<Values> results(p_.size());
    for_each_index(tiles, [&](const Index& t) { run_tile(t, results); });
    for (size_t s : outputs(p_, halos_.group)) {
      if (results[s] != expected_[s]) return false;
    }
    return true;
  }

  const std::vector<int64_t>& computed() const { return computed_; }

 private:
  void run_tile(const Index& t, std::vector<Values>& results) {
    std::vector<Values> scratch(p_.size());
    for (size_t k = 0; k < halos_.group.stages.size(); ++k) {
      size_t s = halos_.group.stages[k];
      std::vector<Interval> here;
      int64_t room = 1;
      for (size_t d = 0; d < halos_.of(s).size(); ++d) {
        const Halo& h = halos_.of(s)[d];
        Interval b = box(h, h.aligned ? tile_[h.aligned->tile_dim] : 0, h.aligned ? t[h.aligned->tile_dim] : 0);
        here.push_back(h.wraps ? b : clipped(b, p_.stage(s).domain[d]));
        room *= extent(h, h.aligned ? tile_[h.aligned->tile_dim] : 0);
      }
      for_each_index(here, [&](const Index& at) {
        scratch[s][at] = value(p_, s, at, [&](const Read& r, const Index& i) { return element(s, at, r, i, scratch); });
      });
      RC_ASSERT(static_cast<int64_t>(scratch[s].size()) <= room);
      computed_[k] += static_cast<int64_t>(scratch[s].size());
    }
    for (size_t s : outputs(p_, halos_.group)) keep(s, t, scratch[s], results[s]);
  }

  uint64_t element(size_t s, const Index& at, const Read& r, Index i, const std::vector<Values>& scratch) {
    for (size_t d = 0; d < i.size(); ++d) {  // as seen from the point that this one stands for
      const Window& w = r.windows[d];
      if (!w.follows || !halos_.of(s)[*w.follows].wraps) continue;
      i[d] += *exchanged(Border::Wrap, at[*w.follows], p_.stage(s).domain[*w.follows]) - at[*w.follows];
    }
    if (r.source.kind == Source::Kind::Input || !halos_.group.contains(r.source.number))
      return whole_element(p_, expected_, r, i);
    const Values& tile = scratch[r.source.number];
    for (size_t d = 0; d < i.size(); ++d) {
      const Interval& domain = p_.domain(r.source)[d];
      std::optional<int64_t> in = exchanged(r.windows[d].border, i[d], domain);
      if (!in) return kConstant;
      i[d] = *in;
      if (!halos_.of(r.source.number)[d].wraps || tile.empty()) continue;
      // The first place of the tile that stands for it.
      const int64_t first = tile.begin()->first[d];
      i[d] -= floor_div(i[d] - first, domain.size()) * domain.size();
    }
    auto place = tile.find(i);
    if (place == tile.end()) throw Poisoned();
    return place->second;
  }

  // What the tile has of a result for itself.
  void keep(size_t s, const Index& t, const Values& scratch, Values& result) {
    std::vector<Interval> own;
    for (size_t d = 0; d < halos_.of(s).size(); ++d) {
      Halo h = halos_.of(s)[d];
      h.left = h.right = 0;
      own.push_back(clipped(box(h, tile_[h.aligned->tile_dim], t[h.aligned->tile_dim]), p_.stage(s).domain[d]));
    }
    for_each_index(own, [&](const Index& at) {
      auto place = scratch.find(at);
      if (place == scratch.end()) throw Poisoned();
      RC_ASSERT(result.emplace(at, place->second).second);
    });
  }

  const Pipeline& p_;
  const Halos& halos_;
  const Tile& tile_;
  const std::vector<Values>& expected_;
  std::vector<int64_t> computed_;
};

enum class Borders { Any, Torus, Mixed, Constants };

// Each stage has 2^level times `base` points along each dimension, and reads others at the scale that follows from it.
Pipeline random_pipeline(const std::vector<int64_t>& base, Borders borders, bool sampled, int64_t most_stages) {
  std::vector<Interval> domain;
  for (int64_t n : base) domain.push_back({0, n - 1});
  auto levels = static_cast<int64_t>(sampled ? 2 : 0);
  std::vector<std::vector<int64_t>> level_of;
  std::vector<Stage> stages;
  int64_t count = pick(2, most_stages);
  for (int64_t k = 0; k < count; ++k) {
    std::vector<int64_t> level;
    Stage s;
    s.name = "s" + std::to_string(k);
    for (size_t d = 0; d < base.size(); ++d) {
      level.push_back(pick(0, levels));
      s.domain.push_back({0, (base[d] << level[d]) - 1});
      // Where no border refers to another element, stages need not be of one size.
      if (borders == Borders::Constants && !sampled) s.domain[d] = {pick(0, 2), s.domain[d].last - pick(0, 2)};
    }
    s.live_out = pick(0, 5) == 0;
    for (int64_t r = pick(1, 3); r > 0; --r) {
      bool of_input = k == 0 || pick(0, 4) == 0;
      auto number = static_cast<size_t>(of_input ? 0 : pick(std::max<int64_t>(0, k - 3), k - 1));
      Read read{{of_input ? Source::Kind::Input : Source::Kind::Stage, number}, {}};
      for (size_t d = 0; d < base.size(); ++d) {
        int64_t lo = pick(-2, 2), hi = std::min<int64_t>(2, lo + pick(0, 2));
        int64_t finer = (of_input ? 0 : level_of[number][d]) - level[d];
        Border border = borders == Borders::Torus ? Border::Wrap
                        : borders == Borders::Mixed
                            ? *rc::gen::element(Border::Wrap, Border::Clamp, Border::Mirror, Border::Constant)
                        : borders == Borders::Constants
                            ? Border::Constant
                            : *rc::gen::element(Border::Clamp, Border::Mirror, Border::Constant);
        read.windows.push_back(
            {d, lo, hi, int64_t{1} << std::max<int64_t>(0, finer), int64_t{1} << std::max<int64_t>(0, -finer), border});
      }
      s.reads.push_back(std::move(read));
    }
    level_of.push_back(level);
    stages.push_back(std::move(s));
  }
  Result<Pipeline> p = Pipeline::of({{"img", domain}}, stages);
  RC_ASSERT(static_cast<bool>(p));
  return *p;
}

// The stages that hang together with the last one, as far as a coin says so.
Group random_group(const Pipeline& p) {
  Group g{{p.size() - 1}};
  for (size_t s = p.size() - 1; s-- > 0;) {
    Group larger = merged(g, {{s}});
    if (pick(0, 5) != 0 && is_connected(p, larger) && is_convex(p, larger)) g = larger;
  }
  return g;
}

Tile random_tile(const Halos& halos) {
  Tile tile = least_tile(halos);
  for (int64_t& n : tile) n *= pick(1, 5);
  return tile;
}

// Scalene and, of what is not sampled, rectangles.
std::vector<TileShape> random_shapes(size_t dims, bool sampled) {
  std::vector<TileShape> shapes;
  for (size_t d = 0; d < dims; ++d)
    shapes.push_back(sampled || pick(0, 1) == 0 ? TileShape::Scalene : TileShape::Rectangle);
  return shapes;
}

RC_GTEST_PROP(HalosProperty, TilesComputeWhatWholeStagesDo, ()) {
  auto borders = *rc::gen::element(Borders::Any, Borders::Any, Borders::Constants, Borders::Torus, Borders::Mixed);
  bool sampled = borders != Borders::Torus && borders != Borders::Mixed && pick(0, 1) == 0;
  std::vector<int64_t> base{pick(1, 9)};
  if (pick(0, 1) == 0) base.push_back(pick(1, 6));
  Pipeline p = random_pipeline(base, borders, sampled, 5);
  Result<Halos> halos = tight_halos(p, random_group(p), random_shapes(base.size(), sampled));
  RC_ASSERT(static_cast<bool>(halos));
  Tile tile = random_tile(*halos);
  std::vector<Values> expected = run_whole(p);
  Tiles tiles(p, *halos, tile, expected);
  RC_ASSERT(tiles.run());
  RC_ASSERT(tiles.computed() == work(p, *halos, tile).computed);
}

RC_GTEST_PROP(HalosProperty, NoWidthCouldBeSmaller, ()) {
  bool sampled = pick(0, 1) == 0;
  Pipeline p = random_pipeline({48}, Borders::Constants, sampled, 5);
  Result<Halos> halos = tight_halos(p, random_group(p), random_shapes(1, sampled));
  RC_ASSERT(static_cast<bool>(halos));
  Tile tile = random_tile(*halos);
  std::vector<Values> expected = run_whole(p);
  for (size_t k = 0; k < halos->group.stages.size(); ++k) {
    for (int64_t Halo::*side : {&Halo::left, &Halo::right}) {
      Halos smaller = *halos;
      --(smaller.stages[k][0].*side);
      bool caught = false;
      try {
        Tiles(p, smaller, tile, expected).run();
      } catch (const Poisoned&) {
        caught = true;
      }
      RC_ASSERT(caught);
    }
  }
}

// Of scalene tiles. (A rectangle's stages are shifted no more than their reads ask for, which may cost a read over
// several levels more than one slope does.)
RC_GTEST_PROP(HalosProperty, UniformWidthsAreNeverSmaller, ()) {
  Pipeline p = random_pipeline({48, 48}, Borders::Any, false, 6);
  Group g = random_group(p);
  Result<Halos> halos = tight_halos(p, g), uniform = uniform_halos(p, g);
  RC_ASSERT(halos && uniform);
  for (size_t s : g.stages) {
    for (size_t d = 0; d < 2; ++d) {
      const Halo &tight = halos->of(s)[d], &wide = uniform->of(s)[d];
      RC_ASSERT(tight.left <= wide.left && tight.right <= wide.right);
      // Of a producer and its reader there is but one slope.
      if (g.stages.size() == 2)
        RC_ASSERT(std::max<int64_t>(0, tight.left) == wide.left && std::max<int64_t>(0, tight.right) == wide.right);
    }
  }
}

}  // namespace
}  // namespace heddle::stencil
