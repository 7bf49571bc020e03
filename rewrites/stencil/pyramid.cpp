#include "rewrites/stencil/pyramid.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace heddle::stencil {

namespace {

// From a level to the next, extents are the same, halved, or a third; rounded, where they are small.
constexpr int64_t kMostStep = 3;
constexpr size_t kLeastLevels = 3, kLeastFilters = 2;

// Of a kernel that does nothing, on an H100: 1.5 to 1.9 us, small levels of interpolate (bench/results/pipelines-h100.md). And instructions: of what counts
// as dear, and of a load with its index; how long the next of a warp waits for one, and how many an SM begins in a cycle. Guesses.
constexpr double kLaunch = 1.5, kDear = 16, kLoad = 2, kCyclesOfOne = 4.5;
constexpr int64_t kThreads = 256, kRegisters = 32;

using Domain = std::vector<Interval>;

bool is_step(const Domain& large, const Domain& small) {
  if (large.size() != small.size()) return false;
  bool steps = false;
  for (size_t d = 0; d < large.size(); ++d) {
    const int64_t more = large[d].size(), less = small[d].size();
    if (less > more || more > kMostStep * less + 1) return false;
    steps |= 4 * less < 3 * more;
  }
  return steps;
}

class Finder {
 public:
  Finder(const Pipeline& p, const std::vector<StageFacts>& facts) : p_(p), expands_(p.size()), needed_(p.size()) {
    for (size_t s = 0; s < p.size(); ++s) {
      producers_.push_back(p.producers(s));
      for (size_t q : facts[s].reads_elsewhere) {
        if (q < s) producers_[s].push_back(q);
      }
      for (size_t q : producers_[s])
        expands_[s] = expands_[s] || is_step(domain(s), domain(q)) || (expands_[q] && domain(q) == domain(s));
    }
    for (size_t s = p.size(); s-- > 0;) {
      if (!expands_[s] && !needed_[s]) continue;
      for (size_t q : producers_[s]) needed_[q] = true;
    }
  }

  std::vector<PyramidStages> run() const {
    std::set<int64_t, std::greater<>> sizes;
    for (size_t s = 0; s < p_.size(); ++s) {
      if (!expands_[s]) continue;
      sizes.insert(size(s));
      for (size_t q : producers_[s]) {
        if (is_step(domain(s), domain(q))) sizes.insert(size(q));
      }
    }
    std::vector<PyramidStages> levels;
    for (int64_t points : sizes) levels.push_back({points, {}, {}, {}});
    for (size_t s = 0; s < p_.size(); ++s) {
      const auto at = std::ranges::find(levels, size(s), &PyramidStages::points);
      if (at == levels.end()) continue;
      if (expands_[s]) {
        at->expand.push_back(s);
      } else if (needed_[s] && !reduces(s)) {
        at->filter.push_back(s);
      } else if (needed_[s] && at != levels.begin()) {
        (at - 1)->reduce.push_back(s);
      }
    }
    const auto with_filters = std::ranges::count_if(levels, [](const PyramidStages& l) { return !l.filter.empty(); });
    const bool reduces = std::ranges::any_of(levels, [](const PyramidStages& l) { return !l.reduce.empty(); });
    if (levels.size() < kLeastLevels || static_cast<size_t>(with_filters) < kLeastFilters || !reduces) return {};
    return levels;
  }

 private:
  int64_t size(size_t s) const { return points(domain(s)); }
  const Domain& domain(size_t s) const { return p_.stage(s).domain; }

  bool reduces(size_t s) const {
    return std::ranges::any_of(p_.stage(s).reads, [&](const Read& r) {
      const bool follows = std::ranges::any_of(r.windows, [](const Window& w) { return w.follows && w.num > w.den; });
      return follows && is_step(p_.domain(r.source), domain(s));
    });
  }

  const Pipeline& p_;
  std::vector<std::vector<size_t>> producers_;
  std::vector<bool> expands_, needed_;
};

double instructions(const Stage& s) {
  return static_cast<double>(s.alu_ops) + kDear * static_cast<double>(s.sfu_ops) +
         kLoad * static_cast<double>(loads(s));
}

WaveTime wave_time(const Device& device, const Needs& needs, double instructions_of_thread) {
  const double us = instructions_of_thread / (device.clock_ghz * 1000);
  const int64_t warps = resident_blocks(device, needs) * needs.threads / device.warp_size;
  const double at_a_time = static_cast<double>(device.cores_per_sm) / static_cast<double>(device.warp_size);
  return {kLaunch + us * std::max(kCyclesOfOne, static_cast<double>(warps) / at_a_time), kLaunch + us * kCyclesOfOne};
}

int64_t round_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

struct Estimate {
  const Pipeline& p;
  const std::vector<StageFacts>& facts;
  const Device& device;

  // A kernel of its own.
  PyramidKernel alone(size_t s) const {
    const Needs needs{kThreads, kRegisters, 0};
    return {needs, wave_time(device, needs, static_cast<double>(facts[s].points_of_thread) * instructions(p.stage(s)))};
  }
  int64_t blocks(size_t s) const { return round_up(points(p.stage(s).domain), kThreads * facts[s].points_of_thread); }

  double group_us(const Group& g, const FitModel& fit) const {
    const std::optional<FittedTile> tile = g.stages.size() > 1 ? fit_tile(p, g, fit) : std::nullopt;
    double sum = 0;
    if (!tile || tile->stream || tile->walk) {
      for (size_t s : g.stages) sum += kernel_us(device, alone(s), blocks(s));
      return sum;
    }
    for (size_t s : g.stages) {
      int64_t points_of_tile = 1;
      for (int64_t e : extents(tile->halos, s, tile->tile)) points_of_tile *= e;
      sum += static_cast<double>(round_up(points_of_tile, kThreads)) * instructions(p.stage(s));
    }
    const Needs needs{kThreads, kRegisters, scratch(p, tile->halos, tile->tile).peak_bytes};
    return kernel_us(device, {needs, wave_time(device, needs, sum)}, num_tiles(p, tile->halos, tile->tile));
  }
};

// Levels' kernels of a kind differ in size alone; where a level has several, the model's kernel is all of them.
void add_kind(const Estimate& e, const std::vector<PyramidStages>& levels, std::vector<size_t> PyramidStages::*stages,
              PyramidKernel& kernel, int64_t PyramidLevel::*blocks, std::vector<PyramidLevel>& sizes) {
  kernel.needs = {kThreads, kRegisters, 0};
  for (size_t l = 0; l < levels.size(); ++l) {
    WaveTime all;
    for (size_t s : levels[l].*stages) {
      const WaveTime wave = e.alone(s).wave;
      all = {all.full + wave.full, all.block + wave.block};
      sizes[l].*blocks = std::max(sizes[l].*blocks, e.blocks(s));
    }
    if (all.full > kernel.wave.full) kernel.wave = all;
  }
}

}  // namespace

std::vector<PyramidStages> find_pyramid(const Pipeline& p, const std::vector<StageFacts>& facts) {
  return Finder(p, facts).run();
}

std::optional<PyramidDecision> decide_pyramid(const Pipeline& p, const std::vector<StageFacts>& facts,
                                              const Device& device, const std::vector<Group>& groups,
                                              const FitModel& fit, const MultiresolutionModel& model) {
  PyramidDecision d;
  d.stages = find_pyramid(p, facts);
  if (d.stages.empty()) return std::nullopt;
  const Estimate e{p, facts, device};
  std::vector<PyramidLevel>& sizes = d.pyramid.levels;
  sizes.resize(d.stages.size());
  add_kind(e, d.stages, &PyramidStages::reduce, d.pyramid.reduce, &PyramidLevel::reduce, sizes);
  add_kind(e, d.stages, &PyramidStages::filter, d.pyramid.filter, &PyramidLevel::filter, sizes);
  add_kind(e, d.stages, &PyramidStages::expand, d.pyramid.expand, &PyramidLevel::expand, sizes);
  d.schedule = schedule(device, d.pyramid, model);
  for (const Group& g : groups) {
    const bool is_part = std::ranges::any_of(d.stages, [&](const PyramidStages& l) {
      return std::ranges::any_of(g.stages, [&](size_t s) {
        auto has = [&](const std::vector<size_t>& of) { return std::ranges::find(of, s) != of.end(); };
        return has(l.reduce) || has(l.filter) || has(l.expand);
      });
    });
    if (is_part) d.planned_us += e.group_us(g, fit);
  }
  return d;
}

std::vector<size_t> PyramidDecision::filters_apart() const {
  std::vector<size_t> apart;
  if (!may_choose || schedule.multi_us() >= planned_us) return apart;
  for (size_t l = 0; l < stages.size(); ++l) {
    const int set = schedule.levels[l].set;
    if (set < 0 || schedule.sets[static_cast<size_t>(set)] < 2) continue;
    apart.insert(apart.end(), stages[l].filter.begin(), stages[l].filter.end());
  }
  return apart;
}

std::vector<std::string> text(const PyramidDecision& d) {
  std::vector<std::string> lines;
  for (size_t l = 0; l < d.stages.size(); ++l) {
    const PyramidLevel& size = d.pyramid.levels[l];
    const LevelSchedule& of = d.schedule.levels[l];
    const std::string where = size.filter == 0 ? "no filter" : of.set < 0 ? "fine" : fmt::format("set {}", of.set);
    lines.push_back(fmt::format(
        "level {}, {} points: reduce {}, filter {}, expand {} blocks; waves of the filter {}, its tail {:.3f}: {}", l,
        d.stages[l].points, size.reduce, size.filter, size.expand, of.waves, of.tail, where));
  }
  const Schedule& s = d.schedule;
  auto wave = [](const PyramidKernel& k) { return fmt::format("{:.1f} to {:.1f}", k.wave.block, k.wave.full); };
  lines.push_back(fmt::format("a wave: reduce {}, filter {}, expand {} us", wave(d.pyramid.reduce),
                              wave(d.pyramid.filter), wave(d.pyramid.expand)));
  lines.push_back(
      fmt::format("one after the other: {:.1f} us, as the groups are {:.1f}; side by side: {:.1f} = fine {:.1f} + "
                  "coarse {:.1f} + expand {:.1f}",
                  s.single_us, d.planned_us, s.multi_us(), s.fine_us, s.coarse_us, s.expand_us));
  lines.emplace_back(d.filters_apart().empty() ? "chosen: one after the other"
                                               : "chosen: filters of coarse levels side by side");
  return lines;
}

}  // namespace heddle::stencil
