// Indices merged: on sizes that satisfy the equations, the tiled kernel computes what the direct one does.
#include "rewrites/contraction/merge.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "rewrites/contraction/tiled.h"
#include "tests/rewrites/memories.h"

namespace heddle::contraction {
namespace {

using examples::Example;
using testing::ElementsAre;
using testing::HasSubstr;

int64_t size(int64_t low, int64_t high) { return *rc::gen::inRange<int64_t>(low, high); }

int64_t power_of_two(int64_t most) {
  int64_t n = 1;
  while (n < most && *rc::gen::arbitrary<bool>()) n *= 2;
  return n;
}

std::vector<std::string> names_of(const std::vector<recognize::Index>& indices) {
  std::vector<std::string> result;
  for (const recognize::Index& i : indices) result.push_back(i.name.base);
  return result;
}

std::vector<std::string> texts(const std::vector<Equation>& equations) {
  std::vector<std::string> result;
  for (const Equation& e : equations) {
    auto base = [](const nest::Expr& side) {
      const auto* v = std::get_if<nest::Var>(&side->node);
      return v ? v->name.base : nest::to_text(side);
    };
    result.push_back(base(e.left) + " = " + base(e.right));
  }
  return result;
}

// A tiling by single elements, but for its threads and points.
std::unordered_map<Name, int64_t> any_tiling(const Tiling& t) {
  std::unordered_map<Name, int64_t> values;
  int64_t lanes = 8;
  for (const ParallelTile& p : t.parallel) {
    int64_t own = power_of_two(lanes), points = power_of_two(4);
    lanes /= own;
    values.insert({{p.warps, power_of_two(2)}, {p.lanes, own}, {p.points, points}, {p.run, points}});
  }
  for (const ReductionTile& r : t.reduction) values.insert({{r.chunk, power_of_two(4)}, {r.unroll, 1}});
  for (const OperandTile& o : t.operands) values.insert({{o.copy_width, 1}, {o.load_width, 1}, {o.padding, 0}});
  int64_t slices = size(1, 3);
  values.insert({{t.slices, slices},
                 {t.store_width, 1},
                 {t.result_shared, slices > 1 ? 1 : size(0, 2)},
                 {t.stages, size(2, 4)},
                 {t.ahead, 0},
                 {t.registers, 255}});
  return values;
}

// What is wrong with the merged contraction.
std::string difference(const Example& e, const Merged& m, const std::vector<int64_t>& sizes, NameSource& names) {
  examples::Memories expected(e, sizes), got(e, sizes);
  std::string problem = expected.run(e.direct, e.contraction.result.buffer);
  if (!problem.empty()) return problem;
  nest::Kernel direct = e.direct;
  for (const View& v : m.viewed.views) direct.buffers.push_back(v.buffer);
  Tiling t = name_tiling(m.viewed.contraction, names);
  nest::Kernel k = tiled(m.viewed.contraction, t, {}, direct, names);
  nest::NameSet used = nest::free_names(k.body);
  std::erase_if(k.buffers, [&](const nest::Buffer& b) { return !used.contains(b.name); });
  got.add(m.viewed.views);
  problem = got.run(k, m.viewed.contraction.result.buffer, any_tiling(t));
  if (!problem.empty()) return problem;
  return examples::difference(expected.of(e.contraction.result.buffer), got.of(e.contraction.result.buffer));
}

TEST(Merge, ConvolutionsOfSinglePixels) {
  NameSource names(1);
  Example e = examples::convolution(names);
  EXPECT_FALSE(merge_all(e.contraction, e.direct.buffers, false, names));
  auto m = merge_all(e.contraction, e.direct.buffers, true, names);
  ASSERT_TRUE(m);
  EXPECT_THAT(names_of(m->viewed.contraction.parallel), ElementsAre("o", "x"));
  EXPECT_THAT(names_of(m->viewed.contraction.reduction), ElementsAre("c"));
  EXPECT_THAT(texts(m->equations), ElementsAre("window = 1", "stride = 1", "out_width = width"));
  for (const recognize::Operand& o : m->viewed.contraction.operands) EXPECT_EQ(o.index.size(), 2u);
}

RC_GTEST_PROP(MergeProperty, ConvolutionsOfSinglePixels, ()) {
  NameSource names(1);
  Example e = examples::convolution(names);
  auto m = merge_all(e.contraction, e.direct.buffers, true, names);
  RC_ASSERT(m.has_value());
  int64_t height = size(0, 6), width = size(0, 9), fewer = size(0, 2);
  std::vector<int64_t> sizes = {size(0, 5), height + fewer, width, size(0, 6), 1, height, width, 1};
  RC_ASSERT(difference(e, *m, sizes, names) == "");
}

// out[b][i][j] = epilogue of the sum over k, l of a[b][i][k][l] * w[k][l][j], where b and i, k and l are never apart.
// The epilogue reads an array along the merged index, and its value.
Example layers(NameSource& names) {
  using poly::Polynomial;
  using prim::Type;
  auto v = [](const Name& n) { return nest::var(n, Type::I64); };
  Name nb = names.fresh("nb"), ni = names.fresh("ni"), nj = names.fresh("nj"), nk = names.fresh("nk"),
       nl = names.fresh("nl"), b = names.fresh("b"), i = names.fresh("i"), j = names.fresh("j"), k = names.fresh("k"),
       l = names.fresh("l"), x = names.fresh("x"), y = names.fresh("y"), sum = names.fresh("sum");
  auto buffer = [&](const char* base, std::vector<nest::Expr> dims) {
    std::vector<nest::Expr> strides = nest::dense_strides(dims);
    return nest::Buffer{names.fresh(base), Type::I64, nest::Space::Global, std::move(dims), std::move(strides)};
  };
  nest::Buffer a = buffer("a", {v(nb), v(ni), v(nk), v(nl)}), w = buffer("w", {v(nk), v(nl), v(nj)}),
               skip = buffer("skip", {v(nb), v(ni)}), out = buffer("out", {v(nb), v(ni), v(nj)});
  auto p = [](const Name& n) { return Polynomial::of(n); };
  nest::Expr skipped = nest::load(skip.name, Type::I64, {v(b), v(i)});
  nest::Expr value = nest::add(nest::add(v(sum), skipped), nest::sub(v(b), nest::mul(v(i), v(j))));
  recognize::Contraction c{
      {{b, v(nb)}, {i, v(ni)}, {j, v(nj)}},
      {{k, v(nk)}, {l, v(nl)}},
      {{x, a.name, Type::I64, {p(b), p(i), p(k), p(l)}}, {y, w.name, Type::I64, {p(k), p(l), p(j)}}},
      nest::mul(v(x), v(y)),
      prim::Op(prim::Family::Add, Type::I64),
      prim::Value::i64(0),
      sum,
      {out.name, {v(b), v(i), v(j)}, value}};
  return {c, examples::direct_kernel(c, {nb, ni, nj, nk, nl}, {a, w, skip, out}, names), {}};
}

TEST(Merge, IndicesThatAreNeverApart) {
  NameSource names(1);
  Example e = layers(names);
  auto m = merge_all(e.contraction, e.direct.buffers, false, names);
  ASSERT_TRUE(m);
  EXPECT_TRUE(m->equations.empty());
  EXPECT_THAT(names_of(m->viewed.contraction.parallel), ElementsAre("i", "j"));
  EXPECT_THAT(names_of(m->viewed.contraction.reduction), ElementsAre("l"));
  for (const View& v : m->viewed.views) e.direct.buffers.push_back(v.buffer);
  EXPECT_FALSE(merge_all(m->viewed.contraction, e.direct.buffers, true, names));
}

RC_GTEST_PROP(MergeProperty, IndicesThatAreNeverApart, ()) {
  NameSource names(1);
  Example e = layers(names);
  auto m = merge_all(e.contraction, e.direct.buffers, false, names);
  RC_ASSERT(m.has_value());
  std::vector<int64_t> sizes = {size(0, 4), size(0, 6), size(0, 6), size(0, 5), size(0, 5)};
  RC_ASSERT(difference(e, *m, sizes, names) == "");
}

TEST(Merge, NothingWhereIndicesAreApart) {
  NameSource names(1);
  Example e = examples::product(names);
  const recognize::Contraction& c = e.contraction;
  auto apart = side_by_side(c, e.direct.buffers, {c.parallel[0].name, c.parallel[1].name});
  ASSERT_FALSE(apart);
  EXPECT_THAT(apart.error().message, HasSubstr("not side by side"));
  EXPECT_FALSE(merge_all(c, e.direct.buffers, true, names));

  // Padding moves the image against the result.
  Example padded = examples::padded_convolution(names);
  const std::vector<recognize::Index>& p = padded.contraction.parallel;
  auto moved = side_by_side(padded.contraction, padded.direct.buffers, {p[1].name, p[2].name});
  ASSERT_FALSE(moved);
  EXPECT_THAT(moved.error().message, HasSubstr("-1 is not 0"));
}

TEST(Merge, NothingWhereAWindowMustHaveSeveralElements) {
  NameSource names(1);
  Example e = examples::convolution(names);
  for (recognize::Index& i : e.contraction.reduction) {
    if (i.name.base != "c") i.extent = nest::constant(int64_t{3});
  }
  const std::vector<recognize::Index>& p = e.contraction.parallel;
  auto wide = side_by_side(e.contraction, e.direct.buffers, {p[1].name, p[2].name});
  ASSERT_FALSE(wide);
  EXPECT_THAT(wide.error().message, HasSubstr("3 is not 1"));
}

}  // namespace
}  // namespace heddle::contraction
