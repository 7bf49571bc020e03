// Random tilings and sizes: the tiled kernel computes what the direct one does.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "rewrites/contraction/tiled.h"
#include "tests/rewrites/compare_tiled.h"

namespace heddle::contraction {
namespace {

int64_t power_of_two(int64_t most) {
  int64_t n = 1;
  while (n < most && *rc::gen::arbitrary<bool>()) n *= 2;
  return n;
}

// The tile of a parallel index; `lanes` says how many are left to make a warp of up to 8.
void add_parallel(std::vector<int64_t>& tiles, int64_t& lanes, bool separable) {
  int64_t l = power_of_two(lanes);
  lanes /= l;
  int64_t points = power_of_two(4);
  tiles.insert(tiles.end(), {power_of_two(2), l, points, separable ? power_of_two(points) : points});
}

RC_GTEST_PROP(TiledProperty, Convolution, ()) {
  seg::NameSource names(1);
  examples::Example e = examples::convolution(names);
  Tiling t = name_tiling(e.contraction, names);
  nest::Kernel k = tiled(e.contraction, t, e.constants, e.direct, names);
  auto size = [](int64_t low, int64_t high) { return *rc::gen::inRange<int64_t>(low, high); };
  int64_t window = size(1, 5), stride = size(1, 3), out_h = size(1, 9), out_w = size(1, 14);
  std::vector<int64_t> sizes = {
      size(0, 5), (out_h - 1) * stride + window, (out_w - 1) * stride + window, size(0, 9), window, out_h, out_w,
      stride};
  std::vector<int64_t> tiles;
  int64_t slices = size(1, 4), shared = slices > 1 ? 1 : size(0, 2);
  int64_t lanes = 8;
  for (int p = 0; p < 3; ++p) add_parallel(tiles, lanes, p == 0);
  tiles.insert(tiles.end(), {power_of_two(4), 1});
  for (int r = 0; r < 2; ++r) tiles.insert(tiles.end(), {window, *rc::gen::arbitrary<bool>() ? window : 1});
  // Single elements are copied and loaded, so that any alignment will do.
  tiles.insert(tiles.end(), {1, 1, 4 * size(0, 2), 1, 1, 4 * size(0, 2), slices, 1, shared, size(2, 4), 1});
  RC_ASSERT(examples::difference(e, k, constants_of(t), tiles, sizes) == "");
}

RC_GTEST_PROP(TiledProperty, Product, ()) {
  seg::NameSource names(1);
  examples::Example e = examples::product(names);
  Tiling t = name_tiling(e.contraction, names);
  nest::Kernel k = tiled(e.contraction, t, e.constants, e.direct, names);
  auto size = [](int64_t low, int64_t high) { return *rc::gen::inRange<int64_t>(low, high); };
  std::vector<int64_t> tiles;
  int64_t slices = size(1, 4), shared = slices > 1 ? 1 : size(0, 2);
  int64_t lanes = 8, unroll = power_of_two(4);
  for (int p = 0; p < 2; ++p) add_parallel(tiles, lanes, true);
  tiles.insert(tiles.end(),
               {unroll * power_of_two(4), unroll, 1, 1, 0, 1, 1, 4 * size(0, 2), slices, 1, shared, size(2, 4), 1});
  RC_ASSERT(examples::difference(e, k, constants_of(t), tiles, {size(0, 20), size(0, 20), size(0, 20)}) == "");
}

}  // namespace
}  // namespace heddle::contraction
