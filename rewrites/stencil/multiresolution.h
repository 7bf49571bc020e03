// Whether the filters of an image pyramid's levels had better run side by side (Qiao's thesis, 4.3).
//
//   level   reduce   filter   expand           one after the other: R0 F0 R1 F1 R2 F2 E1 E0           sum of all (4.7)
//     0       R0       F0       E0             side by side:        R0 R1 [F0 F1 F2] E1 E0            as (4.11)
//     1       R1       F1       E1
//     2                F2
//
// Levels whose filter has more blocks than the device has room for are fine, and stay one after the other (4.8); the others are coarse, and
// those that have room together are a set, which runs at once (4.9). Reductions wait for each other and so do expansions (4.10).
// The thesis has a stream for each level; here order does it (rewrites/host/side_by_side.h).
//
// Its algorithm 3, level by level, has three slips that are none here: the level that opens a set counts in it, the last set counts, and
// sets of the same size are several. A level's reduction counts where its filter does, so that none is lost between two sets.
#pragma once

#include <string>
#include <vector>

#include "rewrites/stencil/occupancy.h"

namespace heddle::stencil {

// How long a kernel's waves take, in us. The thesis has one number, t(k) in (4.6); but most levels are less than a wave, and what of a device is
// idle makes those that are there faster, down to what a block takes by itself.
struct WaveTime {
  double full = 0, block = 0;

  // Of a wave that is as full as this, 1 being all of it.
  double of(double fill) const;
};

struct PyramidKernel {
  Needs needs;
  WaveTime wave;
};

// One level: the blocks of its kernels; 0 of one that it has not.
struct PyramidLevel {
  int64_t reduce = 0, filter = 0, expand = 0;
};

struct Pyramid {
  PyramidKernel reduce, filter, expand;
  std::vector<PyramidLevel> levels;  // the finest first
};

// The thesis gives no numbers. To end in the right order takes an H100 2 us (bench/results/launches-h100.md); an expansion, which begins when
// all before it has ended in any case, nothing.
struct MultiresolutionModel {
  double event_us = 2;         // O_event of (4.9), for each kernel that others run beside
  double expand_event_us = 0;  // that of (4.10)
  double parallel = 1.05;      // O_par: how much slower kernels are by each other; a guess
};

double waves_in(const Device& device, const Needs& kernel, int64_t blocks);    // k_blk / (N_blk * C_SM)
int64_t num_waves(const Device& device, const Needs& kernel, int64_t blocks);  // (4.4)
double tail_size(const Device& device, const Needs& kernel,
                 int64_t blocks);  // (4.5): how full the last wave is, 0 if it is
// One after the other: all of a kernel.
double kernel_us(const Device& device, const PyramidKernel& kernel, int64_t blocks);

// Of a device, what blocks that are on it take of an average multiprocessor.
class UsedResources {
 public:
  // (4.2): whether all of the kernel's blocks have room beside those that are there.
  bool have_room(const Device& device, const Needs& kernel, int64_t blocks) const;
  void add(const Device& device, const Needs& kernel, int64_t blocks);

 private:
  double blocks_ = 0, threads_ = 0, registers_ = 0, shared_ = 0;
};

struct LevelSchedule {
  int64_t waves = 0;  // of the filter
  double tail = 0;
  int set = -1;  // none: a fine level, or one without a filter
};

struct Schedule {
  std::vector<LevelSchedule> levels;
  std::vector<int> sets;  // how many levels each has: S_p
  double single_us = 0;   // (4.7)
  double fine_us = 0, coarse_us = 0, expand_us = 0;

  double multi_us() const { return fine_us + coarse_us + expand_us; }  // (4.11)
};

Schedule schedule(const Device& device, const Pyramid& pyramid, const MultiresolutionModel& model = {});

}  // namespace heddle::stencil
