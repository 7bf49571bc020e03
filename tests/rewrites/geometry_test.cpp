// What the runtime's model takes a tiled kernel to be, against the dimensions of the kernel itself, read off its nest:
// threads, blocks, shared memory, registers, copies; and the list of constants.
//
// RC_PARAMS="max_success=10000" in the environment makes a campaign of the property.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "codegen/cuda/kernel_traits.h"
#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "rewrites/contraction/geometry_members.h"
#include "rewrites/recipes/alternatives.h"
#include "tests/rewrites/contraction_examples.h"
#include "tests/rewrites/random_tiling.h"

namespace heddle::contraction {
namespace {

using nest::Expr;

// Large enough for any tiling: the model then fills in all that it says of one.
constexpr hd_device_model kLargeDevice = {132,    1.98e9, 128, 32, 2.85e12, 1 << 30, int64_t{1} << 50, int64_t{1} << 50,
                                          1 << 20};

// Of a kernel, for given scalars and constants.
struct Dimensions {
  int64_t threads = 1, num_blocks = 1, shared_bytes = 0;
  int64_t points = 0;                      // whose sums a thread holds
  std::vector<int64_t> registers, copies;  // per operand: elements that a thread holds, copies of a thread in a chunk
  friend bool operator==(const Dimensions&, const Dimensions&) = default;
};
std::ostream& operator<<(std::ostream& out, const Dimensions& d) {
  out << d.num_blocks << " blocks of " << d.threads << " threads with " << d.shared_bytes << " bytes, " << d.points
      << " points, registers and copies";
  for (size_t o = 0; o < d.registers.size(); ++o) out << " " << d.registers[o] << " " << d.copies[o];
  return out;
}

Dimensions predicted(const hd_contraction& c, const hd_tiling& t) {
  hd_tiling_cost cost;
  hd_tiling_evaluate(&kLargeDevice, &c, &t, &cost);
  hd_kernel_geometry g;
  c.geometry.of_kernel(c.geometry.sizes, &t, &g);
  Dimensions d{cost.threads, cost.num_blocks, cost.shared_bytes, g.points, {}, {}};
  for (int o = 0; o < c.num_operands; ++o) {
    d.registers.push_back(g.operands[o].registers * (1 + t.ahead));
    d.copies.push_back(g.operands[o].copies);
  }
  return d;
}

// The names and values of the constants of a kernel for this tiling, as hd_find_variant hands them over.
void set_constants(Numbers& numbers, const lower::Specialized& way, const hd_contraction& c, const hd_tiling& t) {
  std::array<int64_t, HD_MAX_TILING_VALUES> values;
  auto num_values = static_cast<size_t>(hd_tiling_values(&c, &t, values.data()));
  std::vector<Name> names = constants_of(way.tiling);
  RC_ASSERT(num_values == names.size());
  for (size_t i = 0; i < num_values; ++i) numbers.set(names[i], values[i]);
}

// Walks through a nest as one thread does.
class Reader : public nest::Walker<Reader> {
 public:
  Reader(size_t num_operands, const Numbers& numbers) : numbers_(numbers) {
    dimensions_.registers.resize(num_operands);
    dimensions_.copies.resize(num_operands);
  }
  const Dimensions& dimensions() const { return dimensions_; }

  void expr(const Expr&) {}
  void stmt(const nest::Stmt& s) { std::visit(*this, s->node); }

  // Names are those of the recipe: for each operand memory and registers, in their order.
  void operator()(const nest::Alloc& a) {
    int64_t elems = 1;
    for (const Expr& d : a.buffer.dims) elems *= numbers_(d);
    if (a.buffer.space == nest::Space::Shared) {
      int64_t bytes = elems * prim::size_bytes(a.buffer.elem);
      dimensions_.shared_bytes += (bytes + 15) / 16 * 16;
      if (a.buffer.name.base == "tile") operand_of_.emplace(a.buffer.name, operand_of_.size());
    }
    if (a.buffer.name.base == "acc") dimensions_.points = elems;
    if (a.buffer.name.base == "points") dimensions_.registers.at(next_registers_++) = elems;
  }
  void operator()(const nest::For& f) {
    int64_t extent = f.role == nest::Role::Serial ? 1 : numbers_(f.extent);
    if (f.role == nest::Role::Grid) dimensions_.num_blocks *= extent;
    if (f.role == nest::Role::Block) dimensions_.threads *= extent;
    int64_t outside = std::exchange(rounds_, f.role == nest::Role::Unrolled ? rounds_ * extent : 1);
    // What is copied ahead of the first chunk is the same.
    if (f.index.base != "ahead") body(f.body);
    rounds_ = outside;
  }
  // Of two ways to go the tiling has decided for one; all other conditions are about a thread's place.
  void operator()(const nest::If& i) {
    bool decided = !i.else_body.empty();
    body(decided && numbers_(i.condition) == 0 ? i.else_body : i.then_body);
  }
  void operator()(const nest::AsyncCopy& c) { dimensions_.copies.at(operand_of_.at(c.to)) += rounds_; }
  template <class Node>
  void operator()(const Node&) {}

 private:
  const Numbers& numbers_;
  Dimensions dimensions_;
  std::unordered_map<Name, size_t> operand_of_;  // whose shared memory it is
  size_t next_registers_ = 0;
  int64_t rounds_ = 1;  // of the unrolled loops around
};

Dimensions dimensions_of(const lower::Specialized& way, const Numbers& numbers) {
  Reader reader(way.match.operands.size(), numbers);
  reader.body(way.launch.kernel.body);
  return reader.dimensions();
}

RC_GTEST_PROP(Geometry, IsWhatTheModelPredicts, ()) {
  NameSource names(1);
  examples::RandomContraction random = examples::random_contraction(names);
  auto ways = lower::alternatives(random.match, random.direct, lower::Products::AsWritten, names);
  RC_PRE(static_cast<bool>(ways));
  for (const lower::Specialized& way : *ways) {
    RC_LOG() << way.name << ": " << recognize::to_text(way.match) << "\n";
    Numbers numbers = random_numbers(random, way);
    ModelShape shape(shape_of(way.match, way.launch.kernel.buffers), way.geometry, way.tiling, numbers,
                     way.parts ? 1 : 0);
    for (int i = 0; i < 2; ++i) {
      hd_tiling t = random_tiling(shape.contraction());
      set_constants(numbers, way, shape.contraction(), t);
      Dimensions expected = dimensions_of(way, numbers);
      RC_ASSERT(predicted(shape.contraction(), t) == expected);
      // What the generated program says when it launches the kernel.
      RC_ASSERT(numbers(way.launch.block_size) == expected.threads);
      RC_ASSERT(numbers(way.launch.num_blocks) == expected.num_blocks);
      RC_ASSERT(numbers(codegen::shared_bytes(way.launch.kernel)) == expected.shared_bytes);
    }
  }
}

// As long as the limits allow.
TEST(Geometry, ConstantsAreListedInTheOrderOfTheModel) {
  NameSource names(1);
  recognize::Contraction c = examples::product(names).contraction;
  c.parallel.resize(HD_MAX_TILED_INDICES, c.parallel[0]);
  c.reduction.resize(HD_MAX_TILED_INDICES, c.reduction[0]);
  c.operands.resize(HD_MAX_TILED_OPERANDS, c.operands[0]);
  Tiling tiling = name_tiling(c, names);
  std::vector<Name> constants = constants_of(tiling);

  hd_contraction shape{};
  shape.num_parallel = shape.num_reduction = HD_MAX_TILED_INDICES;
  shape.num_operands = HD_MAX_TILED_OPERANDS;
  hd_tiling t{};
  std::array<hd_tiling_value, HD_MAX_TILING_VALUES> values;
  ASSERT_EQ(hd_tiling_list(&shape, &t, values.data()), HD_MAX_TILING_VALUES);
  ASSERT_EQ(constants.size(), values.size());
  // Those that the kernel's geometry is a function of.
  std::vector<Member> members = tiling_members(tiling, t);
  ASSERT_EQ(members.size(), values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    std::string name = constants[i].base;
    std::ranges::transform(name, name.begin(), [](unsigned char ch) { return std::tolower(ch); });
    EXPECT_TRUE(name.starts_with(values[i].name)) << name << " is where the model has " << values[i].name;
    EXPECT_EQ(members[i].place, values[i].place) << members[i].text << " is where the model has " << values[i].name;
  }
}

}  // namespace
}  // namespace heddle::contraction
