#include "runtime/contraction/parts.h"

// A block that has fewer points is mostly waiting.
#define HD_POINTS_OF_BLOCK 2048
// Steps in which a block has made up for what it takes to begin and to end.
#define HD_STEPS_OF_PART 256
// Indices that take as long as launching the second kernel, some 3 to 4 microseconds: where there are few points, a
// block waits 1150 clocks for 32 indices' elements, two or three times at once (tiling.c).
#define HD_INDICES_OF_LAUNCH 400
// Steps of an index beside which it is more than one of a window's rows.
#define HD_STEPS_OF_ROW 32

HD_API int64_t hd_parts_on(const struct hd_device_model* device, int64_t points, int64_t extent, int64_t depth) {
  if (points <= 0 || extent <= 0 || depth <= 0) return 1;
  int64_t blocks = (points - 1) / HD_POINTS_OF_BLOCK + 1;
  int64_t wanted = 2 * device->multiprocessors / blocks;
  double steps = (double)extent * (double)depth;
  if (steps / HD_STEPS_OF_PART < (double)wanted) wanted = (int64_t)(steps / HD_STEPS_OF_PART);
  if (wanted > extent) wanted = extent;
  int64_t most = 1;
  while (2 * most <= wanted) most *= 2;
  // What remains is computed point by point, and parts that begin at a multiple of four are copied four at a time.
  int64_t best = 1, least = INT64_MAX;
  for (int64_t parts = most; parts > most / 2; parts--) {
    int64_t loss = extent % parts + (extent / parts % 4 != 0 ? 4 : 0);
    if (loss >= least) continue;
    least = loss;
    best = parts;
  }
  int64_t rows = depth > HD_STEPS_OF_ROW ? depth / HD_STEPS_OF_ROW : 1;
  return (double)(extent - extent / best) * (double)rows < HD_INDICES_OF_LAUNCH ? 1 : best;
}
