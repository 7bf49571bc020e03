// Reductions in parts: two kernels compute what one does, whatever number of parts.
#include "rewrites/contraction/split.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "ir/nest/index_map.h"
#include "ir/nest/traverse.h"
#include "rewrites/contraction/tiled.h"
#include "tests/rewrites/memories.h"

namespace heddle::contraction {
namespace {

using examples::Example;

int64_t size(int64_t low, int64_t high) { return *rc::gen::inRange<int64_t>(low, high); }

// A tiling of few threads.
std::unordered_map<Name, int64_t> tiling_values(const Tiling& t, const recognize::Contraction& c, int64_t window) {
  std::unordered_map<Name, int64_t> values;
  for (size_t p = 0; p < t.parallel.size(); ++p) {
    int64_t points = p == 0 ? 1 : 2;
    values.insert({{t.parallel[p].warps, 1},
                   {t.parallel[p].lanes, p + 1 == t.parallel.size() ? 4 : 1},
                   {t.parallel[p].points, points},
                   {t.parallel[p].run, points}});
  }
  for (size_t r = 0; r < t.reduction.size(); ++r) {
    bool is_window = r > 0 && c.reduction.size() > 1;
    values.insert({{t.reduction[r].chunk, is_window ? window : 2}, {t.reduction[r].unroll, 1}});
  }
  for (const OperandTile& o : t.operands) values.insert({{o.copy_width, 1}, {o.load_width, 1}, {o.padding, 0}});
  values.insert(
      {{t.slices, 1}, {t.store_width, 1}, {t.result_shared, 0}, {t.stages, 2}, {t.ahead, 0}, {t.registers, 255}});
  return values;
}

// `which` index is split: that which would be chosen where none is said.
std::string difference(const Example& e, const std::vector<int64_t>& sizes, int64_t num_parts, int64_t window,
                       NameSource& names, std::optional<size_t> which = std::nullopt) {
  const recognize::Contraction& c = e.contraction;
  Result<size_t> index = which ? Result<size_t>(*which) : index_to_split(c, e.direct.buffers);
  if (!index) return index.error().message;
  Name parts = names.fresh("parts"), each = names.fresh("each");
  Split s = split(c, e.direct.buffers, *index, parts, each, names);

  examples::Memories expected(e, sizes), got(e, sizes);
  std::string problem = expected.run(e.direct, c.result.buffer);
  if (!problem.empty()) return problem;
  got.set(parts, num_parts);
  got.set(each, got.value(c.reduction[*index].extent) / num_parts);
  got.add(s.seen.views);
  got.add_unwritten(s.partial);

  nest::Kernel direct = e.direct;
  direct.scalars.push_back({parts, prim::Type::I64});
  direct.scalars.push_back({each, prim::Type::I64});
  for (const View& v : s.seen.views) direct.buffers.push_back(v.buffer);
  direct.buffers.push_back(s.partial);
  auto keep_used = [](nest::Kernel& k) {
    nest::NameSet used = nest::free_names(k.body);
    std::erase_if(k.buffers, [&](const nest::Buffer& b) { return !used.contains(b.name); });
  };
  Tiling t = name_tiling(s.seen.contraction, names);
  nest::Kernel first = tiled(s.seen.contraction, t, e.constants, direct, names);
  keep_used(first);
  problem = got.run(first, s.partial.name, tiling_values(t, c, window));
  if (!problem.empty()) return problem;

  nest::Kernel second = direct;
  second.body = s.second;
  for (size_t p = c.parallel.size(); p-- > 0;)
    second.body = {nest::stmt(nest::For{c.parallel[p].name, c.parallel[p].extent, nest::Role::Grid, second.body})};
  keep_used(second);
  problem = got.run(second, c.result.buffer);
  if (!problem.empty()) return problem;
  return examples::difference(expected.of(c.result.buffer), got.of(c.result.buffer));
}

examples::Kind any_kind() {
  return {*rc::gen::element(prim::Type::I32, prim::Type::I64, prim::Type::F32),
          *rc::gen::element(examples::Semiring::SumProduct, examples::Semiring::MaxPlus)};
}

RC_GTEST_PROP(SplitProperty, Product, ()) {
  NameSource names(1);
  Example e = examples::product(names, any_kind());
  std::vector<int64_t> sizes = {size(0, 7), size(0, 7), size(0, 60)};
  RC_ASSERT(difference(e, sizes, size(1, 40), 1, names) == "");
}

RC_GTEST_PROP(SplitProperty, Convolution, ()) {
  NameSource names(1);
  Example e = examples::convolution(names, any_kind());
  int64_t window = size(1, 4), stride = size(1, 3), out_h = size(1, 4), out_w = size(1, 5);
  std::vector<int64_t> sizes = {
      size(0, 12), (out_h - 1) * stride + window, (out_w - 1) * stride + window, size(0, 4), window, out_h, out_w,
      stride};
  RC_ASSERT(difference(e, sizes, size(1, 9), window, names) == "");
}

// Parts of a window overlap in what they read.
RC_GTEST_PROP(SplitProperty, Window, ()) {
  NameSource names(1);
  Example e = examples::convolution(names, any_kind());
  int64_t window = size(1, 7), stride = size(1, 3), out_h = size(1, 4), out_w = size(1, 5);
  std::vector<int64_t> sizes = {
      size(0, 5), (out_h - 1) * stride + window, (out_w - 1) * stride + window, size(0, 4), window, out_h, out_w,
      stride};
  size_t which = *rc::gen::inRange<size_t>(1, e.contraction.reduction.size());
  RC_ASSERT(difference(e, sizes, size(1, 9), window, names, which) == "");
}

// Channels that do not exist are no zeros of the image's border.
RC_GTEST_PROP(SplitProperty, PaddedConvolution, ()) {
  NameSource names(1);
  Example e = examples::padded_convolution(names, any_kind());
  int64_t window = size(1, 4);
  std::vector<int64_t> sizes = {size(0, 9), size(0, 5), size(0, 5), size(0, 4), window};
  RC_ASSERT(difference(e, sizes, size(1, 6), window, names) == "");
}

TEST(Split, NeedsAnIndexOfItsOwn) {
  NameSource names(1);
  Example e = examples::backwards(names);
  Result<size_t> index = index_to_split(e.contraction, e.direct.buffers);
  ASSERT_FALSE(index);
  EXPECT_THAT(index.error().message, testing::HasSubstr("summand"));
}

}  // namespace
}  // namespace heddle::contraction
