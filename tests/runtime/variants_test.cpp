// Kernels compiled for the sizes at hand, on a device that compiles anything: how much a request may ask for.
#include <gtest/gtest.h>

#include "pretended_device.h"

extern "C" {
#include "runtime/contraction/contraction_family.h"
}

namespace heddle::runtime {
namespace {

// So much of everything. Matrices that are multiplied, and indices of extent 1 beside theirs.
struct Counts {
  int parallel = 2, reduction = 1, operands = 2, fixed = 0;
  int64_t extent = 64;
  bool changes = false;  // from launch to launch
};

class Variants : public testing::Test {
 protected:
  // The values of the kernel's constants; empty if there is no kernel for the request.
  std::vector<int64_t> specialized(const Counts& n) { return specialized(n, device_); }
  // Where no other has been asked for.
  static std::vector<int64_t> specialized_alone(const Counts& n) {
    PretendedDevice device{{kKernel}};
    return specialized(n, device);
  }

  size_t compiled() const { return device_.compiled.size(); }

 private:
  static constexpr hd_specialized_kernel kKernel{"kernel", "main.contraction_0", nullptr, 0,
                                                 nullptr,  hd_contraction_family};
  PretendedDevice device_{{kKernel}};

  static std::vector<int64_t> specialized(const Counts& n, PretendedDevice& device) {
    auto num_indices = static_cast<size_t>(n.parallel + n.reduction);
    std::vector<int64_t> extents(num_indices, 1), coefficients(2 * num_indices, 0), constants(2, 0);
    extents[0] = extents[1] = extents[static_cast<size_t>(n.parallel)] = n.extent;
    coefficients[0] = coefficients[num_indices + static_cast<size_t>(n.parallel)] = 1;
    bool flags[32] = {};
    std::vector<hd_tiled_operand> operands(static_cast<size_t>(n.operands),
                                           {2, 4, coefficients.data(), constants.data(), nullptr, 4, false, false});
    MadeContraction made(
        {n.parallel, n.reduction, n.operands, extents.data(), flags, flags, flags, 4, 4, operands.data(), 0, {}, 1});
    const hd_contraction& c = made.contraction();
    std::vector<int64_t> fixed(static_cast<size_t>(n.fixed));
    for (int i = 0; i < n.fixed; i++) fixed[static_cast<size_t>(i)] = 1000 + i;
    int num_constants = 4 * n.parallel + 2 * n.reduction + 3 * n.operands + 6 + n.fixed;
    std::vector<const char*> names(static_cast<size_t>(num_constants), "CONSTANT");
    device.kernel(0).num_constants = num_constants;
    device.kernel(0).constants = names.data();
    hd_request request = {0, &c, n.fixed, fixed.data(), 0, nullptr, n.changes};
    std::vector<int64_t> values(static_cast<size_t>(num_constants));
    hd_kernel_variant* v = hd_find_variant(device.context(), &request, values.data());
    if (v == nullptr) return {};
    EXPECT_NE(v->code, nullptr);
    return values;
  }
};

TEST_F(Variants, ThereIsRoomForAsMuchAsTheLimitsSay) {
  Counts most = {HD_MAX_TILED_INDICES, HD_MAX_TILED_INDICES, HD_MAX_TILED_OPERANDS, HD_MAX_FIXED_SIZES};
  std::vector<int64_t> values = specialized(most);
  ASSERT_EQ(values.size(), static_cast<size_t>(HD_MAX_TILING_VALUES + HD_MAX_FIXED_SIZES));
  for (int i = 0; i < HD_MAX_FIXED_SIZES; i++) {
    EXPECT_EQ(values[static_cast<size_t>(HD_MAX_TILING_VALUES + i)], 1000 + i);
  }
}

TEST_F(Variants, ThereIsNoneForMoreThanTheLimitsSay) {
  EXPECT_FALSE(specialized({}).empty());
  EXPECT_TRUE(specialized({.parallel = HD_MAX_TILED_INDICES + 1}).empty());
  EXPECT_TRUE(specialized({.reduction = HD_MAX_TILED_INDICES + 1}).empty());
  EXPECT_TRUE(specialized({.operands = HD_MAX_TILED_OPERANDS + 1}).empty());
  EXPECT_TRUE(specialized({.fixed = HD_MAX_FIXED_SIZES + 1}).empty());
  // So much that it would not stay within the context.
  EXPECT_TRUE(specialized({.operands = 1000, .fixed = 1000}).empty());
}

// As those of a loop that goes through a matrix: far fewer kernels than sizes, and none when they come again, for whichever
// sizes were the first and are forgotten first.
TEST_F(Variants, ThatAreAboutAsGoodServeManySizes) {
  for (int64_t extent = 2016; extent > 0; extent -= 16)
    ASSERT_FALSE(specialized({.extent = extent, .changes = true}).empty());
  const size_t at_first = compiled();
  EXPECT_GE(at_first, 2);
  EXPECT_LE(at_first, 40);
  for (int64_t extent = 2016; extent > 0; extent -= 16)
    ASSERT_FALSE(specialized({.extent = extent, .changes = true}).empty());
  EXPECT_EQ(compiled(), at_first);
}

// Compiling is paid once there, and the model may be wrong about how good another one's kernel is.
TEST_F(Variants, SizesThatStayHaveTheirOwn) {
  std::vector<std::vector<int64_t>> together;
  for (int64_t extent = 64; extent <= 1024; extent += 64) together.push_back(specialized({.extent = extent}));
  for (int64_t extent = 64; const std::vector<int64_t>& values : together) {
    EXPECT_EQ(values, specialized_alone({.extent = extent})) << extent;
    extent += 64;
  }
}

TEST_F(Variants, AreForTheFixedSizesOnly) {
  EXPECT_FALSE(specialized({.fixed = 1}).empty());
  EXPECT_FALSE(specialized({.fixed = 2}).empty());
  EXPECT_EQ(compiled(), 2u);
}

}  // namespace
}  // namespace heddle::runtime
