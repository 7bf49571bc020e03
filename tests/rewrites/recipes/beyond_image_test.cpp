// Tiles at borders, which go on beyond them, yield what the program does.
#include "rewrites/recipes/beyond_image.h"

#include "tests/rewrites/evaluated_kernels.h"

namespace heddle::lower {
namespace {

KernelOptions options_for(stencil::TileScope scope) {
  KernelOptions options;
  options.verify = true;
  options.for_blocks();
  options.plan.models.fit.scope = scope;
  return options;
}

class BeyondBorders : public EvaluatedKernels, public testing::WithParamInterface<stencil::TileScope> {
 protected:
  BeyondBorders() : EvaluatedKernels("beyond_borders.fut_gpu", options_for(GetParam())) {}
};

struct Shape {
  int64_t rows, columns;
};

constexpr Shape kEmpty[] = {{0, 3}, {4, 0}},
                kShapes[] = {{1, 1}, {1, 2}, {2, 1}, {3, 3}, {3, 7}, {31, 5}, {33, 65}, {54, 26}, {67, 130}};

TEST_P(BeyondBorders, OfAllShapes) {
  for (const Shape& s : kShapes) {
    SCOPED_TRACE(std::to_string(s.rows) + " x " + std::to_string(s.columns));
    for (const char* entry : {"clamped", "mirrored", "both", "torus", "colours", "rotated", "around", "around_smaller"})
      expect_same(entry, {integers({s.rows, s.columns})});
  }
}

// A torus of no rows has no remainders.
TEST_P(BeyondBorders, OfNoPoints) {
  for (const Shape& s : kEmpty) {
    for (const char* entry : {"clamped", "mirrored", "both", "colours"})
      expect_same(entry, {integers({s.rows, s.columns})});
  }
}

INSTANTIATE_TEST_SUITE_P(, BeyondBorders,
                         testing::Values(stencil::TileScope::Block, stencil::TileScope::Warp,
                                         stencil::TileScope::Hybrid, stencil::TileScope::Stream));

}  // namespace
}  // namespace heddle::lower
