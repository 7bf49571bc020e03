#include "rewrites/stencil/multiresolution.h"

#include <algorithm>
#include <cmath>

namespace heddle::stencil {

double WaveTime::of(double fill) const { return std::max(block, full * std::min(fill, 1.0)); }

double waves_in(const Device& device, const Needs& kernel, int64_t blocks) {
  const int64_t resident = std::max<int64_t>(1, resident_blocks(device, kernel));
  return static_cast<double>(blocks) / static_cast<double>(resident * device.num_sms);
}

int64_t num_waves(const Device& device, const Needs& kernel, int64_t blocks) {
  return static_cast<int64_t>(std::ceil(waves_in(device, kernel, blocks)));
}

double tail_size(const Device& device, const Needs& kernel, int64_t blocks) {
  const double waves = waves_in(device, kernel, blocks);
  return waves - std::floor(waves);
}

double kernel_us(const Device& device, const PyramidKernel& kernel, int64_t blocks) {
  const double waves = waves_in(device, kernel.needs, blocks), full = std::floor(waves);
  return full * kernel.wave.full + (waves > full ? kernel.wave.of(waves - full) : 0);
}

namespace {

double on_each(const Device& device, int64_t blocks) {
  return static_cast<double>(blocks) / static_cast<double>(device.num_sms);
}

}  // namespace

bool UsedResources::have_room(const Device& device, const Needs& kernel, int64_t blocks) const {
  const double more = on_each(device, blocks);
  auto has = [&](double used, int64_t of_block, int64_t most) {
    return used + more * static_cast<double>(of_block) <= static_cast<double>(most);
  };
  return has(blocks_, 1, device.blocks_per_sm) && has(threads_, kernel.threads, device.threads_per_sm()) &&
         has(registers_, kernel.threads * kernel.registers, device.registers_per_sm) &&
         has(shared_, kernel.shared_bytes, device.shared_per_sm);
}

void UsedResources::add(const Device& device, const Needs& kernel, int64_t blocks) {
  const double more = on_each(device, blocks);
  blocks_ += more;
  threads_ += more * static_cast<double>(kernel.threads);
  registers_ += more * static_cast<double>(kernel.threads * kernel.registers);
  shared_ += more * static_cast<double>(kernel.shared_bytes);
}

Schedule schedule(const Device& device, const Pyramid& p, const MultiresolutionModel& model) {
  Schedule s;
  UsedResources used;
  double fill = 0, chain = 0;  // of the set that is open: of its wave, and what its reductions take
  auto close = [&] {
    if (!s.sets.empty()) s.coarse_us += (chain + p.filter.wave.of(fill)) * model.parallel;
    used = {};
    fill = chain = 0;
  };
  for (const PyramidLevel& l : p.levels) {
    const double reduce = kernel_us(device, p.reduce, l.reduce), filter = kernel_us(device, p.filter, l.filter),
                 expand = kernel_us(device, p.expand, l.expand);
    s.single_us += reduce + filter + expand;
    if (l.expand > 0) s.expand_us += expand + model.expand_event_us;
    LevelSchedule& of = s.levels.emplace_back(
        LevelSchedule{num_waves(device, p.filter.needs, l.filter), tail_size(device, p.filter.needs, l.filter)});
    if (l.filter == 0 || of.waves > 1 || (of.waves == 1 && of.tail == 0)) {
      s.fine_us += reduce + filter;
      continue;
    }
    if (s.sets.empty() || !used.have_room(device, p.filter.needs, l.filter)) {
      close();
      s.sets.push_back(0);
    }
    of.set = static_cast<int>(s.sets.size()) - 1;
    ++s.sets.back();
    used.add(device, p.filter.needs, l.filter);
    fill += of.tail;
    if (l.reduce > 0) chain += reduce + model.event_us;
  }
  close();
  return s;
}

}  // namespace heddle::stencil
