#include "rewrites/contraction/tiled.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/nest/eval.h"
#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "ir/nest/verify.h"
#include "tests/rewrites/contraction_examples.h"

namespace heddle::contraction {
namespace {

using nest::Kernel;
using nest::Memory;
using nest::Name;
using prim::Value;

// Small integers, so that every order of summation gives the same bits.
Memory integers(int64_t n, int seed) {
  std::vector<Value> values;
  for (int64_t i = 0; i < n; ++i) values.push_back(Value::f32(static_cast<float>((i * 7 + seed) % 11 - 5)));
  return nest::memory_of(std::move(values));
}

std::vector<Memory> memories(const Kernel& k, const std::vector<Value>& scalars) {
  std::unordered_map<Name, Value> known;
  for (size_t i = 0; i < scalars.size(); ++i) known.emplace(k.scalars[i].name, scalars[i]);
  std::vector<Memory> result;
  for (size_t b = 0; b < k.buffers.size(); ++b) {
    int64_t n = 1;
    for (const nest::Expr& d : k.buffers[b].dims) n *= nest::evaluate(d, known).value().i;
    bool is_result = b + 1 == k.buffers.size();
    result.push_back(is_result ? nest::unwritten_memory(prim::Type::F32, n) : integers(n, static_cast<int>(b)));
  }
  return result;
}

std::vector<float> floats(const Memory& m) {
  std::vector<float> result;
  for (size_t i = 0; i < m.data.size(); ++i) result.push_back(m.written[i] ? static_cast<float>(m.data[i].f) : -12345.0F);
  return result;
}

// One value per constant, in the order of constants_of.
using Values = std::vector<int64_t>;

void expect_same(const examples::Example& e, const Kernel& tiled, const Tiling& t, const Values& tiles,
                 const std::vector<int64_t>& sizes) {
  std::unordered_map<Name, int64_t> values;
  std::vector<Name> names = constants_of(t);
  ASSERT_EQ(names.size(), tiles.size());
  for (size_t i = 0; i < names.size(); ++i) values.emplace(names[i], tiles[i]);
  std::vector<Value> all, rest;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const Name& name = e.direct.scalars[i].name;
    all.push_back(Value::i64(sizes[i]));
    bool fixed = std::find(e.constants.begin(), e.constants.end(), name) != e.constants.end();
    if (fixed) {
      values.emplace(name, sizes[i]);
    } else {
      rest.push_back(Value::i64(sizes[i]));
    }
  }
  Kernel k = nest::instantiate(tiled, values);
  ASSERT_THAT(nest::verify(k), testing::IsEmpty()) << nest::to_text(k);
  std::vector<Memory> expected = memories(e.direct, all), got = expected;
  nest::Outcome direct = nest::evaluate(e.direct, all, expected);
  ASSERT_FALSE(direct.problem) << direct.problem->text;
  nest::Outcome outcome = nest::evaluate(k, rest, got);
  ASSERT_FALSE(outcome.problem) << outcome.problem->text << "\n" << nest::to_text(k);
  EXPECT_EQ(floats(got.back()), floats(expected.back()));
}

TEST(Tiled, Convolution) {
  seg::NameSource names(1);
  examples::Example e = examples::convolution(names);
  Tiling t = name_tiling(e.contraction, names);
  Kernel k = tiled(e.contraction, t, e.constants, e.direct, names);
  ASSERT_THAT(nest::verify(k), testing::IsEmpty()) << nest::to_text(k);
  //               warps, lanes, points of o, y, x     chunk, unroll of c, i, j   copy, load, padding   store, stages, blocks
  Values tiles3 = {1, 2, 4, 1, 2, 1, 1, 4, 4, 2, 1, 3, 1, 3, 3, 1, 4, 0, 1, 4, 0, 1, 2, 1};
  Values tiles2 = {1, 2, 2, 2, 2, 2, 1, 4, 2, 1, 1, 2, 2, 2, 2, 1, 2, 4, 1, 2, 0, 1, 3, 1};
  // channels, height, width, depth, window, out_height, out_width, stride
  for (auto sizes : {std::vector<int64_t>{3, 6, 18, 8, 3, 4, 16, 1}, {1, 3, 3, 1, 3, 1, 1, 1}, {5, 7, 23, 9, 3, 5, 21, 1},
                     {0, 4, 5, 3, 3, 2, 3, 1}, {2, 3, 5, 0, 3, 1, 3, 1}, {2, 7, 11, 5, 3, 3, 5, 2}}) {
    expect_same(e, k, t, tiles3, sizes);
  }
  for (auto sizes : {std::vector<int64_t>{2, 6, 18, 8, 2, 5, 17, 1}, {3, 9, 12, 3, 2, 4, 6, 2}}) {
    expect_same(e, k, t, tiles2, sizes);
  }
}

TEST(Tiled, Product) {
  seg::NameSource names(1);
  examples::Example e = examples::product(names);
  Tiling t = name_tiling(e.contraction, names);
  Kernel k = tiled(e.contraction, t, e.constants, e.direct, names);
  //             warps, lanes, points of i, j   chunk, unroll   copy, load, padding of a, b   store, stages, blocks
  Values tiles = {1, 4, 2, 1, 2, 4, 8, 1, 1, 1, 0, 1, 4, 0, 1, 2, 1};
  for (auto sizes : {std::vector<int64_t>{8, 8, 8}, {1, 1, 1}, {7, 9, 13}, {17, 16, 15}, {3, 5, 0}, {0, 5, 3}}) {
    expect_same(e, k, t, tiles, sizes);
  }
}

}  // namespace
}  // namespace heddle::contraction
