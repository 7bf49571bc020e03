#include "rewrites/stencil/time_tile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "rewrites/stencil/occupancy.h"

namespace heddle::stencil {

namespace {

// Depths that are looked at; all steps, too, where there are no more.
constexpr std::array<int64_t, 5> kDepths = {2, 3, 4, 6, 8};

// What a point costs beside its loads and operations, in instructions: its place and its store, which it shares with the others of a
// strip of rows, and no borders, far from which most tiles are.
constexpr int64_t kPerPoint = 4;
// What an exponential, a root and the like cost, in plain operations.
constexpr int64_t kSpecial = 8;
// Of a thread, as compilers have been seen to need them for such kernels; of a block.
constexpr int64_t kRegisters = 40, kThreads = 256;
// From so many warps on, of those that could be resident, others hide one's waiting.
constexpr double kEnoughWarps = 0.5;
// How much faster than global memory its cache is.
constexpr double kCacheSpeed = 2;
// What it takes until the host knows what a round's reductions have come to, in us, and what a point takes for each.
constexpr double kDecision = 12;
constexpr int64_t kFoldOperations = 2;
// Of a block, for each: an element of every thread.
constexpr int64_t kFoldBytes = kThreads * 4;
// Of steps that fold: on an H100 a step of Jacobi's iteration over 4096x4096 takes 65 us by itself, 29 in rounds of three, and 51, 59 and 67 in such of four, six and eight,
// for which the model has no reason.
constexpr int64_t kMostStepsThatFold = 3;
// Where warps walk without being asked to (walks_by_default): the depths, in order of preference. The model does not know what the compiler makes of so many rows in
// registers, so these are what was measured: on an H100 100 steps of Jacobi's iteration take, over 8192x8192, 7.1 ms in tiles of 4 steps, and 5.7, 4.8,
// 4.7, 6.2, 5.9, 3.6, 3.2 and 3.2 by warps that walk 4 to 11; over 2048x2048, 1024x1024 and 512x512 0.75, 0.42 and 0.35 in tiles, and 0.40, 0.27 and 0.26 by 10.
constexpr std::array<int64_t, 4> kWalkedDepths = {10, 9, 6, 5};
// Of a point: with more, lanes have other limits than were measured.
constexpr int64_t kMostWalkedOperations = 16, kWalkedBytes = 4;
// What stands for a number of steps that only the run will tell.
constexpr double kEstimatedSteps = 100;
// Time tiles must be so much faster than steps by themselves: the model is rough. Where it expected two steps of a game of life in words, with 53 operations a
// point, to take 0.80 of the time, they took 1.9 times as long (4096x256, in the cache); where it expects 0.72 and less, none was slower.
constexpr double kWorthIt = 0.78;

// Of a kernel: compilers take long for more.
constexpr size_t kMostStages = 48;
// What every device has for a block.
constexpr int64_t kMostScratch = 48 * 1024;
constexpr int64_t kLeastPoints = kThreads, kMostPoints = 8192;

// Extents of tiles along the last wide dimension, the one before, and the third from behind; of a lone one.
const std::vector<std::vector<int64_t>> kExtents = {{32, 64, 128}, {8, 16, 32, 64}, {1, 4, 8, 16}};
const std::vector<int64_t> kLines = {512, 1024, 2048, 4096};

std::vector<Tile> tiles_for(const std::vector<Interval>& points) {
  std::vector<Tile> tiles(1, Tile(points.size(), 1));
  size_t wide = points.size();
  for (; wide > 0 && points[wide - 1].size() <= kNarrow; --wide)
    tiles[0][wide - 1] = std::max<int64_t>(1, points[wide - 1].size());
  for (size_t from_behind = 0; from_behind < wide && from_behind < kExtents.size(); ++from_behind) {
    std::vector<Tile> all;
    const int64_t points_there = points[wide - 1 - from_behind].size();
    std::vector<int64_t> extents = wide == 1 ? kLines : kExtents[from_behind];
    if (wide > 1 && points_there <= kNarrow) extents = {1, std::max<int64_t>(1, points_there)};
    for (int64_t extent : extents) {
      for (Tile t : tiles) {
        t[wide - 1 - from_behind] = extent;
        all.push_back(std::move(t));
      }
    }
    tiles = std::move(all);
  }
  std::erase_if(tiles, [](const Tile& t) {
    int64_t size = 1;
    for (int64_t e : t) size *= e;
    return size < kLeastPoints || size > kMostPoints;
  });
  return tiles;
}

class Model {
 public:
  Model(const Iterated& iterated, const Device& device) : it_(iterated), device_(device) {}

  // Each stage a kernel.
  StepCost by_themselves() const {
    StepCost cost;
    for (size_t s = 0; s < it_.step.size(); ++s) {
      double bytes = static_cast<double>(stage_bytes(it_.step, s)) + (s == 0 ? kept_bytes() : 0);
      for (const Source& source : it_.step.sources(s)) {
        if (source.kind == Source::Kind::Stage) bytes += static_cast<double>(stage_bytes(it_.step, source.number));
        if (source.kind == Source::Kind::Input && !is_kept(source.number)) bytes += input_bytes(source.number);
      }
      auto points = static_cast<double>(stencil::points(it_.step.stage(s).domain));
      cost.microseconds += 1e6 * std::max(from_memory(bytes), points * instructions(s) / lanes_per_second());
      cost.global_bytes += bytes / last_points();
    }
    if (it_.reductions > 0) cost.microseconds += kDecision;
    return cost;
  }

  // All steps one kernel, whose blocks have so much memory for a tile; none if there is no room for it.
  std::optional<StepCost> together(const Pipeline& p, const Halos& halos, const Tile& tile,
                                   int64_t bytes_of_tile) const {
    StepCost cost;
    cost.scratch = bytes_of_tile + kFoldBytes * it_.reductions * steps_of(p);
    int64_t blocks = resident_blocks(device_, {kThreads, kRegisters, cost.scratch});
    if (cost.scratch > kMostScratch || blocks == 0) return std::nullopt;
    const Work w = work(p, halos, tile);
    cost.redundant = w.redundant();
    double bytes = kept_bytes(), lanes = 0, shared = 0, kept_again = 0;
    for (size_t k = 0; k < it_.next.size(); ++k) bytes += is_kept(k) ? 0 : input_bytes(k);
    for (size_t s = 0; s < p.size(); ++s) {
      auto computed = static_cast<double>(w.computed[s]);
      lanes += computed * instructions(s % it_.step.size());
      shared += computed * static_cast<double>(it_.loads[s % it_.step.size()] + 1);
      if (p.stage(s).live_out) bytes += static_cast<double>(stage_bytes(p, s));
      kept_again += kept_bytes() * computed / static_cast<double>(w.needed[s]);
    }
    auto stages = static_cast<double>(it_.step.size()), steps = static_cast<double>(steps_of(p));
    kept_again /= stages;
    double memory = from_memory(bytes) + from_memory(kept_again) / kCacheSpeed;
    // A multiprocessor serves an access of each lane of a warp at a time.
    double accesses = shared / (static_cast<double>(device_.num_sms * device_.warp_size) * clock());
    double busy = std::min(1.0, occupancy(device_, {kThreads, kRegisters, cost.scratch}) / kEnoughWarps);
    double computing = std::max(lanes / lanes_per_second(), accesses) / busy;
    // Blocks beside each other read and compute at a time.
    double seconds = std::max(memory, computing) + std::min(memory, computing) / static_cast<double>(blocks);
    cost.microseconds = (1e6 * seconds + (it_.reductions > 0 ? kDecision : 0)) / steps;
    cost.global_bytes = bytes / steps / last_points();
    cost.shared_bytes = 4 * shared / steps / last_points();
    return cost;
  }

 private:
  int64_t steps_of(const Pipeline& p) const { return static_cast<int64_t>(p.size() / it_.step.size()); }
  bool is_kept(size_t input) const { return it_.next[input] == Source{Source::Kind::Input, input}; }
  double input_bytes(size_t k) const {
    const Image& image = it_.step.inputs()[k];
    return static_cast<double>(points(image.domain) * image.element_bytes);
  }
  // Of arrays that are read in each step and stay as they are.
  double kept_bytes() const {
    double bytes = 0;
    for (size_t k = 0; k < it_.next.size(); ++k) bytes += is_kept(k) ? input_bytes(k) : 0;
    return bytes;
  }
  static int64_t stage_bytes(const Pipeline& p, size_t s) {
    return points(p.stage(s).domain) * bytes_per_point(p.stage(s));
  }
  double instructions(size_t s) const {
    const Stage& stage = it_.step.stage(s);
    const int64_t folds = s + 1 == it_.step.size() ? kFoldOperations * it_.reductions : 0;
    return static_cast<double>(kPerPoint + stage.alu_ops + kSpecial * stage.sfu_ops + it_.loads[s] + folds);
  }
  double last_points() const {
    return static_cast<double>(std::max<int64_t>(1, points(it_.step.stages().back().domain)));
  }
  double clock() const { return device_.clock_ghz * 1e9; }
  double lanes_per_second() const { return static_cast<double>(device_.num_sms * device_.cores_per_sm) * clock(); }
  double from_memory(double bytes) const { return bytes / (device_.bandwidth * 1e9); }

  const Iterated& it_;
  const Device& device_;
};

struct Candidate {
  TimeTile tile;
  StepCost cost;
};

// So many steps as one kernel, if they can be.
struct Round {
  Pipeline pipeline;
  Halos halos;
};
std::optional<Round> round_of(const Iterated& iterated, int64_t steps) {
  if (static_cast<size_t>(steps) * iterated.step.size() > kMostStages) return std::nullopt;
  Result<Pipeline> p = unrolled(iterated, steps);
  if (!p) return std::nullopt;
  Result<Halos> halos = tight_halos(*p, whole(*p));
  if (!halos || halos->tile_dims == 0) return std::nullopt;
  return Round{*std::move(p), *std::move(halos)};
}

// The best tile for so many steps.
std::optional<Candidate> best_tile(const Iterated& iterated, const Model& model, int64_t steps) {
  const std::optional<Round> round = round_of(iterated, steps);
  if (!round) return std::nullopt;
  const Tile least = least_tile(round->halos);
  std::optional<Candidate> best;
  for (Tile& tile : tiles_for(round->pipeline.stages().back().domain)) {
    bool divides = true;
    for (size_t d = 0; d < tile.size(); ++d) divides &= tile[d] % least[d] == 0;
    if (!divides) continue;
    const int64_t bytes = scratch(round->pipeline, round->halos, tile).peak_bytes;
    std::optional<StepCost> cost = model.together(round->pipeline, round->halos, tile, bytes);
    if (cost && (!best || cost->microseconds < best->cost.microseconds)) best = {{steps, std::move(tile)}, *cost};
  }
  return best;
}

// A stream for so many steps, or why none, as a clause.
Result<Candidate> streamed(const Iterated& iterated, const Model& model, int64_t steps, const StreamModel& streams) {
  if (iterated.reductions > 0) return unsupported("streams do not reduce what they compute");
  const std::optional<Round> round = round_of(iterated, steps);
  if (!round) return unsupported("they are no group");
  const auto& [p, halos] = *round;
  Result<Stream> stream = fit_stream(p, halos, streams);
  if (!stream) return stream.error();
  Tile tile = tile_of(*stream, p.stages().back().domain);
  std::optional<StepCost> cost = model.together(p, halos, tile, stream->shared_bytes(p, halos.group));
  if (!cost) return unsupported("a block has no room for its rows");
  return Candidate{{steps, std::move(tile), *std::move(stream)}, *cost};
}

// What part of all steps is done one by one: where their number is not known, half of a round.
double left_over(int64_t steps, std::optional<int64_t> num_steps) {
  if (!num_steps) return static_cast<double>(steps - 1) / 2 / kEstimatedSteps;
  return static_cast<double>(*num_steps % steps) / static_cast<double>(std::max<int64_t>(1, *num_steps));
}

// Warps that walk, or why none do, as a clause.
Result<Candidate> walked(const Iterated& iterated, const Model& model, int64_t steps, const WalkModel& walks) {
  if (!iterated.why_no_walk.empty()) return unsupported(iterated.why_no_walk);
  if (iterated.reductions > 0) return unsupported("warps that walk do not reduce what they compute");
  const std::optional<Round> round = round_of(iterated, steps);
  if (!round) return unsupported("they are no group");
  const auto& [p, halos] = *round;
  Result<Walk> walk = fit_walk(p, halos, walks);
  if (!walk) return walk.error();
  Tile tile = tile_of(*walk, p.stages().back().domain);
  std::optional<StepCost> cost = model.together(p, halos, tile, 0);
  if (!cost) return unsupported("no multiprocessor has room for them");
  Candidate found{{steps, std::move(tile)}, *cost};
  found.tile.walk = *std::move(walk);
  return found;
}

// One stage of plain arithmetic on the image that it makes anew.
bool walks_by_default(const Iterated& iterated) {
  if (iterated.until || iterated.reductions > 0 || iterated.step.size() != 1 || iterated.next.size() != 1) return false;
  const Stage& stage = iterated.step.stage(0);
  return stage.sfu_ops == 0 && stage.alu_ops <= kMostWalkedOperations &&
         stage.element_bytes == std::vector<int64_t>{kWalkedBytes} && iterated.next[0].kind == Source::Kind::Stage;
}

// The depth that leaves the fewest steps to be done one by one.
std::optional<int64_t> walked_depth(std::optional<int64_t> num_steps) {
  if (!num_steps) return kWalkedDepths[0];
  std::optional<int64_t> best;
  for (int64_t depth : kWalkedDepths) {
    if (depth <= *num_steps && (!best || *num_steps % depth < *num_steps % *best)) best = depth;
  }
  return best;
}

std::string text(const Candidate& c) {
  const std::string tiles =
      c.tile.walk     ? fmt::format("strips of {} columns that warps walk down", c.tile.tile.back())
      : c.tile.stream ? fmt::format("strips of {} columns, {} rows at a time", c.tile.tile.back(), c.tile.stream->step)
                      : fmt::format("tiles of {}", fmt::join(c.tile.tile, "x"));
  return fmt::format(
      "{} steps in {}: {:.1f} bytes of global and {:.0f} of shared memory for each point and step, {:.0f}% of "
      "the points "
      "again, {:.1f} KiB a block, {:.1f} us a step",
      c.tile.steps, tiles, c.cost.global_bytes, c.cost.shared_bytes, 100 * c.cost.redundant,
      static_cast<double>(c.cost.scratch) / 1024, c.cost.microseconds);
}

}  // namespace

Result<Pipeline> unrolled(const Iterated& iterated, int64_t steps) {
  std::vector<Source> now;
  for (size_t k = 0; k < iterated.next.size(); ++k) now.push_back({Source::Kind::Input, k});
  std::vector<Stage> stages;
  for (int64_t step = 0; step < steps; ++step) {
    size_t first = stages.size();
    for (Stage s : iterated.step.stages()) {
      s.name += fmt::format("_{}", step + 1);
      s.live_out = false;
      for (Read& r : s.reads) {
        bool of_step = r.source.kind == Source::Kind::Stage;
        r.source = of_step ? Source{r.source.kind, first + r.source.number} : now[r.source.number];
      }
      stages.push_back(std::move(s));
    }
    std::vector<Source> then;
    for (const Source& n : iterated.next)
      then.push_back(n.kind == Source::Kind::Stage ? Source{n.kind, first + n.number} : now[n.number]);
    now = std::move(then);
  }
  for (const Source& n : now) {
    if (n.kind == Source::Kind::Stage) stages[n.number].live_out = true;
  }
  return Pipeline::of(iterated.step.inputs(), std::move(stages));
}

Result<FittedTile> fitted_as(const TimeTile& chosen, const Pipeline& p, Halos halos, const FitModel& fit) {
  FittedTile fitted{std::move(halos), chosen.tile};
  if (chosen.walk) {
    Result<Walk> walk = fit_walk(p, fitted.halos, fit.walk);
    if (!walk) return walk.error();
    fitted.walk = *std::move(walk);
  } else if (chosen.stream) {
    Result<Stream> stream = fit_stream(p, fitted.halos, fit.stream);
    if (!stream) return stream.error();
    fitted.stream = *std::move(stream);
  }
  if (fitted.walk) fitted.scope = TileScope::Walk;
  if (fitted.stream) fitted.scope = TileScope::Stream;
  return fitted;
}

TimeTileDecision choose_time_tile(const Iterated& iterated, const Device& device, std::optional<int64_t> num_steps,
                                  std::optional<int64_t> wanted, const FitModel& fit) {
  TimeTileDecision decision;
  Model model(iterated, device);
  StepCost one = model.by_themselves();
  // Several stages of a step may become one kernel without time tiles, too.
  if (iterated.step.size() > 1) {
    auto fused = best_tile(iterated, model, 1);
    if (fused && fused->cost.microseconds < one.microseconds) one = fused->cost;
  }
  decision.lines.push_back(fmt::format("1 step: {:.1f} bytes of global memory for each point, {:.1f} us a step",
                                       one.global_bytes, one.microseconds));
  double least = kWorthIt * one.microseconds;
  auto look_at = [&](int64_t steps) {
    std::optional<Candidate> candidate;
    if (fit.scope == TileScope::Walk) {
      Result<Candidate> walk = walked(iterated, model, steps, fit.walk);
      if (walk) {
        candidate = *std::move(walk);
      } else {
        decision.lines.push_back(fmt::format("no warps walk {} steps, since {}", steps, walk.error().message));
      }
    }
    if (fit.scope == TileScope::Stream) {
      Result<Candidate> stream = streamed(iterated, model, steps, fit.stream);
      if (stream) {
        candidate = *std::move(stream);
      } else {
        decision.lines.push_back(fmt::format("{} steps are not streamed, since {}", steps, stream.error().message));
      }
    }
    if (!candidate) candidate = best_tile(iterated, model, steps);
    if (!candidate) {
      decision.lines.push_back(fmt::format("{} steps: no tile, or no kernel, has room for them", steps));
      return;
    }
    decision.lines.push_back(text(*candidate));
    double left = left_over(steps, num_steps);
    double us = left * one.microseconds + (1 - left) * candidate->cost.microseconds;
    // The loop ends within a round, which has been for nothing then.
    if (iterated.until) us += static_cast<double>(steps) / kEstimatedSteps * candidate->cost.microseconds;
    if (us >= least && !wanted) return;
    least = us;
    decision.best = candidate->tile;
  };
  if (wanted) {
    if (*wanted > 1) look_at(*wanted);
  } else {
    for (int64_t steps : kDepths) {
      if (iterated.reductions > 0 && steps > kMostStepsThatFold) break;
      if (!num_steps || steps < *num_steps) look_at(steps);
    }
    if (num_steps && *num_steps > 1 && *num_steps <= kDepths.back()) look_at(*num_steps);
    const std::optional<int64_t> depth = walked_depth(num_steps);
    if (fit.scope == TileScope::Block && decision.best && depth && walks_by_default(iterated)) {
      const Result<Candidate> walk = walked(iterated, model, *depth, fit.walk);
      if (walk) {
        decision.lines.push_back(text(*walk) + ", as measured, which the model does not know");
        decision.best = walk->tile;
      } else {
        decision.lines.push_back(fmt::format("no warps walk {} steps, since {}", *depth, walk.error().message));
      }
    }
  }
  return decision;
}

}  // namespace heddle::stencil
