#include "rewrites/stencil/polymage_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "rewrites/stencil/window_reach.h"

namespace heddle::stencil {

namespace {

std::array<double, 7> weights_for(const Device& device, const PolymageModel& model) {
  if (model.weights) return *model.weights;
  if (device.name == "GTX 1080 Ti") return {50, 0.5, 45, 20, 2, 100, 1};
  return {50, 0.5, 60, 10, 2, 100, 1};
}

int64_t product(const std::vector<int64_t>& factors) {
  int64_t n = 1;
  for (int64_t f : factors) n *= f;
  return n;
}

std::vector<int64_t> products(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  std::vector<int64_t> result;
  for (size_t d = 0; d < a.size(); ++d) result.push_back(a[d] * b[d]);
  return result;
}

int64_t ratio(double share, int64_t of) { return static_cast<int64_t>(std::llround(share * static_cast<double>(of))); }

void check(const Pipeline& p, const PolymageModel& model, const Group& g) {
  if (g.stages.size() > model.most_stages) refuse("more stages than a group may have");
  for (size_t s : g.stages) {
    if (g.stages.size() > 1 && p.stage(s).kind == StageKind::Global)
      refuse(fmt::format("{} reads whole images", p.stage(s).name));
    for (size_t reader : p.consumers(s)) {
      if (g.contains(reader) && p.stage(s).domain.size() < p.stage(reader).domain.size())
        refuse(fmt::format("{} has less dimensions than {}", p.stage(s).name, p.stage(reader).name));
    }
  }
}

}  // namespace

std::vector<int64_t> warp_shape(const std::vector<int64_t>& block, int64_t warp_size) {
  std::vector<int64_t> shape(block.size(), 1);
  for (size_t d = block.size(); d-- > 0;) {
    shape[d] = std::min(block[d], warp_size);
    warp_size /= shape[d];
  }
  return shape;
}

Result<PolymageGroup> PolymageGroup::of(const Pipeline& p, const Device& device, const PolymageModel& model,
                                        const Group& g) {
  try {
    check(p, model, g);
  } catch (const Refused& r) {
    return r.error;
  }
  Result<Halos> halos = tight_halos(p, g);
  if (!halos) return halos.error();
  return PolymageGroup(p, device, model, *halos);
}

PolymageGroup::PolymageGroup(const Pipeline& p, const Device& device, const PolymageModel& model, Halos halos)
    : p_(&p), device_(&device), model_(model), weights_(weights_for(device, model)), halos_(std::move(halos)) {
  size_t result = outputs(p, halos_.group).back();
  for (const Interval& i : p.stage(result).domain) size_.push_back(i.size());
  for (size_t s : halos_.group.stages) {
    // Reads of one row together: those that differ in the last dimension alone.
    std::map<std::pair<Source::Kind, std::vector<int64_t>>, Row> rows;
    for (const Read& r : p.stage(s).reads) {
      bool of_input = r.source.kind == Source::Kind::Input;
      if ((!of_input && halos_.group.contains(r.source.number)) || r.windows.empty()) continue;
      std::function<void(std::vector<int64_t>&)> add = [&](std::vector<int64_t>& at) {
        size_t d = at.size() - 1;  // after the number of the source
        const Window& w = r.windows[d];
        if (d + 1 < r.windows.size()) {
          for (int64_t o = w.lo; o <= w.hi; ++o) {
            at.push_back(o);
            add(at);
            at.pop_back();
          }
          return;
        }
        bool by_lane = w.follows && *w.follows + 1 == p.stage(s).domain.size();
        int64_t step = by_lane ? std::max<int64_t>(1, w.num / w.den) : 0;
        int64_t bytes =
            of_input ? p.inputs()[r.source.number].element_bytes : bytes_per_point(p.stage(r.source.number));
        Row& row = rows.try_emplace({r.source.kind, at}, Row{s, w.lo, w.hi, step, bytes}).first->second;
        row.first = std::min(row.first, w.lo);
        row.last = std::max(row.last, w.hi);
      };
      std::vector<int64_t> at{static_cast<int64_t>(r.source.number)};
      add(at);
    }
    for (const auto& [at, row] : rows) rows_.push_back(row);
  }
}

// Lines 13-17: aligned pieces that hold what a warp reads at once, times how often it does.
double PolymageGroup::transactions(const PolymageConfig& config, const std::vector<int64_t>& warp) const {
  double result = 0;
  auto own = static_cast<double>(product(config.thread_tile));
  Tile warp_tile = products(config.thread_tile, warp);
  int64_t lanes = warp.empty() ? 1 : warp.back();
  for (const Row& row : rows_) {
    int64_t first = row.first * row.element_bytes;
    int64_t last = (row.last + (lanes - 1) * row.step + 1) * row.element_bytes - 1;
    int64_t pieces = floor_div(last, config.transaction_bytes) - floor_div(first, config.transaction_bytes) + 1;
    int64_t rows = product(warp) / lanes;
    auto at_once = static_cast<double>(pieces * rows);
    if (model_.reading == PolymageModel::Reading::Literal) {
      result += at_once * own;
      continue;
    }
    double times = 1;
    const std::vector<Halo>& halos = halos_.of(row.stage);
    for (const Halo& h : halos) {
      if (!h.aligned) continue;
      size_t d = h.aligned->tile_dim;
      times *= static_cast<double>(ceil_div(extent(h, warp_tile[d]), warp[d]));
    }
    result += at_once * times / own;
  }
  return result;
}

std::optional<PolymageCost> PolymageGroup::cost(const PolymageConfig& config) const {
  const Device& device = *device_;
  bool literal = model_.reading == PolymageModel::Reading::Literal;
  PolymageCost c;
  c.config = config;
  std::vector<int64_t> warp = warp_shape(config.block, device.warp_size);
  Tile warp_tile = products(config.thread_tile, warp);  // line 4
  Tile least = least_tile(halos_);
  for (size_t d = 0; d < warp_tile.size(); ++d) {
    if (warp_tile[d] % least[d] != 0) return std::nullopt;
  }
  int64_t threads = product(config.block), warps = ceil_div(threads, device.warp_size);  // line 5
  if (threads > device.threads_per_block) return std::nullopt;

  // Lines 3, 6
  int64_t all_threads = 1;
  for (size_t d = 0; d < size_.size(); ++d) all_threads *= ceil_div(size_[d], config.thread_tile[d]);
  int64_t blocks = all_threads / threads / device.num_sms;

  // Lines 7-12
  int64_t whole = scratch(*p_, halos_, warp_tile).bytes * warps;
  c.shared_bytes = ratio(1 - config.in_registers, whole);
  if (!literal && config.in_registers > 0) {
    Tile shared = warp_tile;
    size_t split = shared.size();
    while (split-- > 0 && config.thread_tile[split] < 2) {
    }
    if (split >= shared.size()) return std::nullopt;  // nothing to split
    shared[split] = ratio(1 - config.in_registers, config.thread_tile[split]) * warp[split];
    c.shared_bytes = scratch(*p_, halos_, shared).bytes * warps;
  }
  constexpr double kRegisterBytes = 4;
  double in_registers = static_cast<double>(literal ? c.shared_bytes : whole) * config.in_registers;
  double tile_registers = in_registers / kRegisterBytes / static_cast<double>(threads);
  if (c.shared_bytes > device.shared_per_block) return std::nullopt;

  // Lines 18-24
  c.blocks_per_sm = device.blocks_per_sm;
  if (c.shared_bytes > 0) c.blocks_per_sm = std::min(c.blocks_per_sm, device.shared_per_sm / c.shared_bytes);
  int64_t warps_by_shared = std::min(c.blocks_per_sm * warps, device.warps_per_sm);
  c.registers = static_cast<int64_t>(std::ceil(tile_registers));
  for (size_t s : halos_.group.stages) c.registers += p_->stage(s).registers;
  if (c.registers > device.registers_per_thread) return std::nullopt;
  int64_t resident = std::min(device.registers_per_sm / std::max<int64_t>(c.registers, 1), device.threads_per_sm());
  auto most_warps = static_cast<double>(device.warps_per_sm);
  c.occupancy = static_cast<double>(std::min(warps_by_shared, resident / device.warp_size)) / most_warps;

  // Lines 25-28; a gigabyte a second is a byte a nanosecond.
  c.transactions = transactions(config, warp);
  double bandwidth = device.bandwidth * static_cast<double>(device.warp_size) /
                     static_cast<double>(device.num_sms * device.cores_per_sm);
  c.memory_ns = static_cast<double>(config.transaction_bytes) * c.transactions / bandwidth;
  double points = literal ? static_cast<double>(product(config.thread_tile)) : 1;
  for (size_t s : halos_.group.stages) {
    const Stage& stage = p_->stage(s);
    double operations = static_cast<double>(stage.alu_ops) + model_.sfu_ops * static_cast<double>(stage.sfu_ops);
    constexpr double kCycles = 4;  // of a plain operation
    c.compute_ns += stage.point_ns.value_or(std::max(1.0, operations) * kCycles / device.clock_ghz) * points;
  }

  // Lines 29-34
  c.unused_shared =
      1 - static_cast<double>(c.shared_bytes * c.blocks_per_sm) / static_cast<double>(device.shared_per_sm);
  c.unused_registers = 1 - static_cast<double>(c.registers * device.warps_per_sm * device.warp_size) * c.occupancy /
                               static_cast<double>(device.registers_per_sm);
  int64_t overlap = 0;
  for (size_t s : halos_.group.stages) {
    int64_t own = 1;
    for (const Halo& h : halos_.of(s)) {
      if (!h.aligned) continue;
      own *= warp_tile[h.aligned->tile_dim] * h.aligned->scale.num / h.aligned->scale.den;
    }
    int64_t computed = 1;
    for (const Halo& h : halos_.of(s)) computed *= h.aligned ? extent(h, warp_tile[h.aligned->tile_dim]) : 1;
    overlap += std::max<int64_t>(0, computed - own);
  }
  c.redundant = static_cast<double>(overlap) / static_cast<double>(product(warp_tile));
  c.extra_blocks = blocks % std::max<int64_t>(c.blocks_per_sm, 1);

  // Line 35
  const std::array<double, 7>& w = weights_;
  c.cost = w[0] * c.transactions + w[1] * (1 - c.occupancy) + w[2] * c.memory_ns / c.compute_ns +
           w[3] * c.unused_shared + w[4] * c.unused_registers + w[5] * c.redundant +
           w[6] * static_cast<double>(c.extra_blocks);
  return c;
}

std::optional<PolymageCost> PolymageGroup::best() const {
  constexpr std::array<int64_t, 5> kAlongRow{1, 4, 8, 16, 32};
  constexpr std::array<int64_t, 4> kAcross{1, 2, 4, 8};
  constexpr std::array<std::array<int64_t, 2>, 3> kBlocks{{{1, 128}, {4, 64}, {8, 32}}};
  constexpr std::array<double, 3> kInRegisters{0, 0.5, 0.8};
  size_t dims = halos_.tile_dims;
  std::optional<PolymageCost> best;
  for (int64_t row : kAlongRow) {
    for (int64_t across : kAcross) {
      for (const auto& [rows, lanes] : kBlocks) {
        if (dims < 2 && (across > 1 || rows > 1)) continue;
        PolymageConfig config{Tile(dims, 1), Tile(dims, 1)};
        if (dims > 0) config.thread_tile[dims - 1] = row, config.block[dims - 1] = lanes;
        if (dims > 1) config.thread_tile[dims - 2] = across, config.block[dims - 2] = rows;
        for (double in_registers : kInRegisters) {
          if (in_registers > 0 && row == 1 && across == 1) continue;
          config.in_registers = in_registers;
          for (int64_t bytes : {32, 128}) {
            config.transaction_bytes = bytes;
            std::optional<PolymageCost> c = cost(config);
            if (c && (!best || c->cost < best->cost)) best = std::move(c);
          }
        }
      }
    }
  }
  return best;
}

}  // namespace heddle::stencil
