// A convolution as the choice of tilings sees it, and a device to choose for.
#pragma once

#include <memory>
#include <vector>

#include "made_contraction.h"

namespace heddle::runtime {

inline constexpr hd_device_model kH100 = {132, 1.98e9, 128, 32, 2.86e12, 65536, 233472, 232448, 2048};

// The best tiling that is found for it; false if there is none that fits.
inline bool choose(const hd_contraction& shape, hd_tiling* tiling, hd_tiling_cost* cost) {
  hd_ranked_tiling best;
  if (hd_tiling_shortlist(&kH100, &shape, 1, &best) == 0) return false;
  *tiling = best.tiling;
  *cost = best.cost;
  return true;
}

// out[o][y][x] = sum over c, i, j of image[c][y + i][x + j] * filters[c][i][j][o].
struct Convolution {
  int64_t channels, depth, size, window, image_aligned = 4, result_aligned = 1;
  std::vector<int64_t> extents = {depth, size - window + 1, size - window + 1, channels, window, window};
  bool separable[3] = {true, false, false}, windows[3] = {false, true, true}, overrun[3] = {true, false, false};
  std::vector<int64_t> of_image = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1};
  std::vector<int64_t> of_filters = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0};
  std::vector<int64_t> zeros = {0, 0, 0, 0};
  hd_tiled_operand operands[2] = {{3, 4, of_image.data(), zeros.data(), nullptr, image_aligned, true, false},
                                  {4, 4, of_filters.data(), zeros.data(), nullptr, 4, false, false}};
  // As long as this exists.
  hd_contraction shape() const {
    hd_contraction numbers = {3, 3,  2, extents.data(), separable, windows, overrun, 4, result_aligned, operands,
                              0, {}, 1};
    return made.emplace_back(std::make_unique<MadeContraction>(numbers))->contraction();
  }
  mutable std::vector<std::unique_ptr<MadeContraction>> made = {};
};

}  // namespace heddle::runtime
