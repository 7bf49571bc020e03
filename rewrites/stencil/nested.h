// Which stages of a group each thread computes for itself, in registers, in place of the block for all, in shared
// memory (nested fusion: Sioutas' thesis, listing 6.2).
//
//   k(y, x, c) = e(y, x-1, c) + ..               w needs k's three planes at its own point alone: by each thread
//   w(y, x) = k(y, x, 0) + .. + k(y, x, 2)       z's points share w's: by the block
//   z(y, x) = w(y-2, x) + .. + w(y+2, x)
#pragma once

#include <array>
#include <string_view>

#include "rewrites/stencil/sioutas_cost.h"

namespace heddle::stencil {

// Whether kernels of groups do so, besides what tiles keep in registers anyway: nowhere, where it is worth it by the published code's numbers, or
// wherever it can be.
enum class Nesting { None, Gated, Forced };

// By the names with which users choose.
struct NamedNesting {
  std::string_view name;
  Nesting nesting;
};
constexpr std::array kNestings{NamedNesting{"none", Nesting::None}, NamedNesting{"gated", Nesting::Gated},
                               NamedNesting{"forced", Nesting::Forced}};
constexpr std::optional<Nesting> find_nesting(std::string_view name) {
  for (const NamedNesting& n : kNestings) {
    if (n.name == name) return n.nesting;
  }
  return std::nullopt;
}

enum class Level {
  Block,  // all threads, before the stages that read it
  Thread  // each thread, where it computes its point of the last stage that reads it
};

struct Placement {
  size_t stage;
  size_t reader;  // the last one in the group; the stage itself, where it has none
  Level level;

  bool operator==(const Placement&) const = default;
};

// For each stage of the group, in its order. Nothing is computed more often than before: what points share along a
// dimension of threads stays the block's, as does what stages read that are not all computed at one place.
std::vector<Placement> nested(const Pipeline& p, const SioutasModel& model, const Halos& halos);

// Whether points of the reader need the same elements of the stage, which each would compute for itself.
bool points_share(const Pipeline& p, size_t stage, size_t reader);

// Shared memory that is left for the block's stages.
int64_t shared_bytes(const Pipeline& p, const Halos& halos, const Tile& tile, const std::vector<Placement>& placements);

// When it is worth it, as in the published code: where blocks need much shared memory, or many threads are active, or
// few.
bool is_nesting_worth_it(const Device& device, const SioutasCost& group);

// Why it is not, of the group in the tile that the model has for it, as a sentence; empty where it is.
std::string why_not_nested(const Pipeline& p, const Device& device, const SioutasModel& model, const Group& g);

}  // namespace heddle::stencil
