// What the runtime's model takes a tiled kernel to be, against the kernel that is launched: threads, blocks, shared
// memory, and the list of constants. The two are written apart, in C and as expressions of the recipe.
//
// RC_PARAMS="max_success=10000" in the environment makes a campaign of the property.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "codegen/cuda/kernel_text.h"
#include "ir/nest/eval.h"
#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "rewrites/contraction/model_shape.h"
#include "rewrites/lower/alternatives.h"
#include "rewrites/lower/way.h"
#include "tests/rewrites/contraction_examples.h"
#include "tests/rewrites/random_contraction.h"

namespace heddle::contraction {
namespace {

using nest::Expr;
using nest::Name;
using prim::Value;

// Large enough for any tiling: the model then fills in all that it says of one.
constexpr hd_device_model kLargeDevice = {132,    1.98e9, 128, 32, 2.85e12, 1 << 30, int64_t{1} << 50, int64_t{1} << 50,
                                          1 << 20};

int64_t pick(int64_t low, int64_t high) { return *rc::gen::inRange<int64_t>(low, high + 1); }
int64_t power_of_two(int64_t most) {
  int64_t n = 1;
  while (n < most && *rc::gen::arbitrary<bool>()) n *= 2;
  return n;
}

// Of a kernel, over its scalars and constants.
struct Geometry {
  int64_t threads, num_blocks, shared_bytes;
  friend bool operator==(const Geometry&, const Geometry&) = default;
};
std::ostream& operator<<(std::ostream& out, const Geometry& g) {
  return out << g.num_blocks << " blocks of " << g.threads << " threads with " << g.shared_bytes << " bytes";
}

class Numbers {
 public:
  explicit Numbers(std::unordered_map<Name, int64_t> scalars) {
    for (const auto& [name, value] : scalars) set(name, value);
  }
  void set(const Name& name, int64_t value) { values_.insert_or_assign(name, Value::i64(value)); }
  int64_t operator()(const Expr& e) const {
    std::optional<Value> value = nest::evaluate(e, values_);
    if (!value) throw std::logic_error("no value: " + nest::to_text(e));
    return value->type == prim::Type::Bool ? value->as_bool() : value->i;
  }

 private:
  std::unordered_map<Name, Value> values_;
};

// Values that hd_tiling_settle allows, or that only the recipe does.
hd_tiling random_tiling(const hd_contraction& c) {
  hd_tiling t{};
  for (int p = 0; p < c.num_parallel; ++p) {
    bool by_blocks = p < c.num_by_blocks;
    t.parallel[p].warps = by_blocks ? 1 : power_of_two(4);
    t.parallel[p].lanes = by_blocks ? 1 : power_of_two(8);
    t.parallel[p].points = by_blocks ? 1 : pick(1, 8);
  }
  for (int r = 0; r < c.num_reduction; ++r) {
    t.reduction[r].unroll = pick(1, 5);
    t.reduction[r].chunk = t.reduction[r].unroll * pick(1, 6);
  }
  t.slices = power_of_two(4);
  t.result_shared = pick(0, 1);
  t.stages = pick(2, 5);
  t.ahead = pick(0, 1);
  t.registers = 255;
  hd_tiling_complete(&c, &t);
  for (int o = 0; o < c.num_operands && *rc::gen::arbitrary<bool>(); ++o) {
    t.operands[o].load_width = power_of_two(t.operands[o].load_width);
    t.operands[o].padding = t.operands[o].load_width * pick(0, 5);
  }
  return t;
}

Geometry predicted(const hd_contraction& c, const hd_tiling& t) {
  hd_tiling_cost cost;
  hd_tiling_evaluate(&kLargeDevice, &c, &t, &cost);
  return {cost.threads, cost.num_blocks, cost.shared_bytes};
}

// The names and values of the constants of a kernel for this tiling, as hd_find_variant hands them over.
void set_constants(Numbers& numbers, const lower::Specialized& way, const hd_contraction& c, const hd_tiling& t) {
  std::array<int64_t, HD_MAX_TILING_VALUES> values;
  auto num_values = static_cast<size_t>(hd_tiling_values(&c, &t, values.data()));
  std::vector<Name> names = constants_of(way.tiling);
  RC_ASSERT(num_values == names.size());
  for (size_t i = 0; i < num_values; ++i) numbers.set(names[i], values[i]);
}

// What the generated program computes before a launch.
Geometry launched(const lower::Launch& launch, const Numbers& numbers) {
  return {numbers(launch.block_size), numbers(launch.num_blocks), numbers(codegen::shared_bytes(launch.kernel))};
}

RC_GTEST_PROP(Geometry, IsWhatTheModelPredicts, ()) {
  seg::NameSource names(1);
  examples::RandomContraction random = examples::random_contraction(names);
  auto ways = lower::alternatives(random.match, random.direct, names);
  RC_PRE(static_cast<bool>(ways));
  for (const lower::Specialized& way : *ways) {
    RC_LOG() << way.name << ": " << recognize::to_text(way.match) << "\n";
    Numbers numbers(random.scalars);
    if (way.parts) numbers.set(way.parts->name, pick(2, 5));
    if (way.relaying) numbers.set(way.relaying->pays, pick(0, 1));
    // A way's own scalars, such as the length of a part, are computed from the host's.
    for (const auto& [name, value] : lower::host_values(way.launch)) numbers.set(name, numbers(value));
    for (const auto& [name, value] : way.fixed) numbers.set(name, numbers(value));
    ModelShape shape(shape_of(way.match, way.launch.kernel.buffers), numbers, way.parts ? 1 : 0);
    for (int i = 0; i < 2; ++i) {
      hd_tiling t = random_tiling(shape.contraction());
      set_constants(numbers, way, shape.contraction(), t);
      RC_ASSERT(launched(way.launch, numbers) == predicted(shape.contraction(), t));
    }
  }
}

// As long as the limits allow.
TEST(Geometry, ConstantsAreListedInTheOrderOfTheModel) {
  seg::NameSource names(1);
  recognize::Contraction c = examples::product(names).contraction;
  c.parallel.resize(HD_MAX_TILED_INDICES, c.parallel[0]);
  c.reduction.resize(HD_MAX_TILED_INDICES, c.reduction[0]);
  c.operands.resize(HD_MAX_TILED_OPERANDS, c.operands[0]);
  std::vector<Name> constants = constants_of(name_tiling(c, names));

  hd_contraction shape{};
  shape.num_parallel = shape.num_reduction = HD_MAX_TILED_INDICES;
  shape.num_operands = HD_MAX_TILED_OPERANDS;
  hd_tiling t{};
  std::array<hd_tiling_value, HD_MAX_TILING_VALUES> values;
  ASSERT_EQ(hd_tiling_list(&shape, &t, values.data()), HD_MAX_TILING_VALUES);
  ASSERT_EQ(constants.size(), values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    std::string name = constants[i].base;
    std::ranges::transform(name, name.begin(), [](unsigned char ch) { return std::tolower(ch); });
    EXPECT_TRUE(name.starts_with(values[i].name)) << name << " is where the model has " << values[i].name;
  }
}

}  // namespace
}  // namespace heddle::contraction
