// Which stages may become one kernel, by Hipacc's rules (B. Qiao's thesis, section on kernel fusion, (3.2) and (3.3)).
#pragma once

#include "rewrites/stencil/device.h"
#include "rewrites/stencil/group.h"

namespace heddle::stencil {

// Constants of Hipacc's model, as in the thesis' example where it has one. It names none for shared memory, special
// functions and the shape of a block.
struct HipaccModel {
  double global_cycles = 400, shared_cycles = 4;  // t_g, t_s: of an access
  double alu_cycles = 4, sfu_cycles = 16;         // c_ALU, c_SFU: of an operation
  double launch_gain = 0;                         // gamma: cycles for a launch less, per point of the largest stage

  // What is saved where shared memory takes the place of global: t_g / t_s (3.4), or, as cycles are counted, t_g - t_s.
  enum class SharedGain { Ratio, Difference } shared_gain = SharedGain::Ratio;

  // The second rule: the occupancy that is left (3.2), or how much more shared memory is needed (the example's
  // c_Mshared).
  enum class Resources { SharedRatio, Occupancy } resources = Resources::SharedRatio;
  double most_shared = 2;        // of the fused kernel, to the most of one of its stages
  double least_occupancy = 0.5;  // C_occ, to the best of one of its stages

  int64_t block_x = 32, block_y = 4;
};

// Shared memory of a block that computes the group: windows are staged. Stages one after the other use it again; where
// a stage with windows reads, at first or second hand, another one's results, both have their own.
int64_t shared_bytes(const Pipeline& p, const HipaccModel& model, const Group& g);

// Null if the group may be one kernel; else the rule that it breaks, and where.
std::optional<std::string> why_illegal(const Pipeline& p, const Device& device, const HipaccModel& model,
                                       const Group& g);

// The first rule: what the kernel reads are the inputs of one stage that begins it; what others read is the result of
// the one that ends it.
std::optional<std::string> breaks_dependence(const Pipeline& p, const Group& g);
// The second rule: the fused kernel has room beside others of its kind.
std::optional<std::string> breaks_resources(const Pipeline& p, const Device& device, const HipaccModel& model,
                                            const Group& g);
// The third rule: stages of the same size, each of which reads where its own point is, or around it.
std::optional<std::string> breaks_header(const Pipeline& p, const Group& g);

}  // namespace heddle::stencil
