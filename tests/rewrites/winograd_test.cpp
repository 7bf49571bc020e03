// Windows of three steps by fewer products: five kernels compute what one does, or find that they may not.
#include "rewrites/contraction/winograd.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "ir/nest/traverse.h"
#include "rewrites/contraction/direct_nest.h"
#include "tests/rewrites/memories.h"

namespace heddle::contraction {
namespace {

using examples::Example;

int64_t size(int64_t low, int64_t high) { return *rc::gen::inRange<int64_t>(low, high); }

nest::Kernel with_buffers_used(nest::Kernel kernel, nest::Block body) {
  kernel.body = std::move(body);
  nest::NameSet used = nest::free_names(kernel.body);
  std::erase_if(kernel.buffers, [&](const nest::Buffer& b) { return !used.contains(b.name); });
  return kernel;
}

struct Made {
  std::string problem;
  nest::Memory results = {};
  bool doubt = false;
};

// What all kernels make, one after the other, with the results as they are without the check.
Made made(const Example& e, const std::vector<int64_t>& sizes, NameSource& names, const examples::Data& data,
          bool doubted = false) {
  Result<Winograd> w = winograd(e.contraction, e.direct.buffers, names);
  if (!w) return {w.error().message};
  examples::Memories got(e, sizes, data);
  nest::Kernel all = e.direct;
  for (const Winograd::Scalar& s : w->scalars) {
    got.set(s.name, got.value(s.value));
    all.scalars.push_back({s.name, prim::Type::I64});
  }
  for (const nest::Buffer* b : {&w->arrays.seen, &w->arrays.taps, &w->arrays.products}) {
    got.add_unwritten(*b);
    all.buffers.push_back(*b);
  }
  got.add_filled(w->arrays.doubt, prim::Value::i32(doubted ? 1 : 0));
  got.add_unwritten(w->arrays.verdict);
  for (const nest::Buffer* b : {&w->arrays.doubt, &w->arrays.verdict}) all.buffers.push_back(*b);
  std::string problem;
  auto run = [&](const Winograd::Step& step, const Name& result) {
    nest::Block body = step.point;
    for (size_t k = step.box.size(); k-- > 0;)
      body = {nest::stmt(nest::For{step.box[k].name, step.box[k].extent, nest::Role::Grid, std::move(body)})};
    if (problem.empty()) problem = got.run(with_buffers_used(all, std::move(body)), result);
  };
  run(w->image, w->arrays.seen.name);
  run(w->filters, w->arrays.taps.name);
  if (problem.empty()) problem = got.run(plain_nest(w->first, all, names), w->arrays.products.name);
  run(w->results, e.contraction.result.buffer);
  run(w->results, w->arrays.verdict.name);
  if (problem.empty() && (got.of(w->arrays.verdict.name).data[0].i != 0) != doubted) problem = "another verdict";
  for (const Winograd::Step* step : {&w->filters, &w->check}) run(*step, w->arrays.doubt.name);
  return {problem, got.of(e.contraction.result.buffer), got.of(w->arrays.doubt.name).data[0].i != 0};
}

// Results beyond `most` are not compared.
std::string difference(const Example& e, const std::vector<int64_t>& sizes, NameSource& names,
                       const examples::Data& data = examples::small_integer,
                       double most = std::numeric_limits<double>::infinity()) {
  examples::Memories expected(e, sizes, data);
  std::string problem = expected.run(e.direct, e.contraction.result.buffer);
  if (!problem.empty()) return problem;
  auto [wrong, computed, doubt] = made(e, sizes, names, data);
  if (!wrong.empty()) return wrong;
  nest::Memory right = expected.of(e.contraction.result.buffer);
  for (size_t i = 0; i < right.data.size(); ++i) {
    if (std::abs(right.data[i].f) > most) computed.data[i] = right.data[i];
  }
  return examples::difference(right, computed);
}

// Of an image of even and odd sizes, of which tiles go on beyond its ends.
RC_GTEST_PROP(WinogradProperty, PaddedConvolution, ()) {
  NameSource names(1);
  const auto type = *rc::gen::element(prim::Type::F32, prim::Type::F64);
  Example e = examples::padded_convolution(names, {type, examples::Semiring::SumProduct});
  RC_ASSERT(difference(e, {size(0, 5), size(0, 8), size(0, 8), size(0, 4), 3}, names) == "");
}

// An infinity is in the results of windows that have it, and in no others, which its tiles have as well. Where guards leave products out, it does not
// meet the zeros beyond the image's ends either.
RC_GTEST_PROP(WinogradProperty, InfinitiesStayInTheirWindows, ()) {
  NameSource names(1);
  Example e =
      examples::padded_convolution(names, {}, *rc::gen::element(examples::Guard::None, examples::Guard::OrZeros));
  const auto buffer_of_it = static_cast<size_t>(size(0, 2));
  const int64_t where = buffer_of_it == 0 ? size(0, 50) : size(0, 18);
  using Limits = std::numeric_limits<double>;
  const double value = *rc::gen::element(Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN());
  auto data = [&](prim::Type type, size_t buffer, int64_t element) {
    if (buffer == buffer_of_it && element == where) return prim::Value::of_float(type, value);
    return examples::small_integer(type, buffer, element);
  };
  RC_ASSERT(difference(e, {size(1, 2), size(5, 9), size(5, 9), 2, 3}, names, data) == "");
}

// An element that is much larger than all others costs no result its digits whose own window does not have it.
RC_GTEST_PROP(WinogradProperty, LargeElementsStayInTheirWindows, ()) {
  NameSource names(1);
  Example e = examples::padded_convolution(names);
  const int64_t where = size(0, 50);
  auto data = [&](prim::Type type, size_t buffer, int64_t element) {
    if (buffer == 0 && element == where) return prim::Value::of_float(type, 0x1p40);
    prim::Value small = examples::small_integer(type, buffer, element);
    return buffer == 1 && small.f == 0 ? prim::Value::of_float(type, 1) : small;
  };
  RC_ASSERT(difference(e, {size(1, 2), size(5, 9), size(5, 9), 2, 3}, names, data, 0x1p30) == "");
}

// Of two channels of an image of ones but for `element` in the first, and two filters of ones but for the first tap of the first one.
bool doubt(double element, double tap_of_first, double tap_of_second) {
  NameSource names(1);
  Example e = examples::padded_convolution(names);
  const std::map<std::pair<size_t, int64_t>, double> others = {
      {{0, 30}, element}, {{1, 0}, tap_of_first}, {{1, 18}, tap_of_second}};
  auto data = [&](prim::Type type, size_t buffer, int64_t k) {
    auto it = others.find({buffer, k});
    return prim::Value::of_float(type, it == others.end() ? 1 : it->second);
  };
  Made all = made(e, {2, 6, 7, 2, 3}, names, data);
  EXPECT_EQ(all.problem, "");
  return all.doubt;
}

TEST(Winograd, DoubtsWhatSmallTapsMayHide) {
  EXPECT_FALSE(doubt(1, 1, 1));
  EXPECT_FALSE(doubt(0x1p40, 1, 1)) << "what is large is in all sums";
  EXPECT_FALSE(doubt(1, 1.0 / 32, 1.0 / 32));
  EXPECT_TRUE(doubt(1, 1.0 / 128, 1.0 / 128));
  EXPECT_FALSE(doubt(1, 0, 1)) << "sums have more in them from the second channel";
  EXPECT_FALSE(doubt(32, 0, 1));
  EXPECT_TRUE(doubt(128, 0, 1));
}

TEST(Winograd, MakesNothingWhereThereIsDoubt) {
  NameSource names(1);
  const Made all = made(examples::padded_convolution(names), {2, 6, 7, 2, 3}, names, examples::small_integer, true);
  EXPECT_EQ(all.problem, "");
  EXPECT_THAT(all.results.written, testing::Not(testing::Contains(true)));
}

TEST(Winograd, MultipliesLessThanHalfAsOften) {
  NameSource names(1);
  Example e = examples::padded_convolution(names);
  Result<Winograd> w = winograd(e.contraction, e.direct.buffers, names);
  ASSERT_TRUE(w);
  EXPECT_EQ(saved_by(*w).numerator, 19) << "one product more is for the check";
  EXPECT_EQ(saved_by(*w).denominator, 36);
  EXPECT_EQ(w->first.reduction.size(), 1U);
}

std::string refused(const Example& e, NameSource& names) {
  Result<Winograd> w = winograd(e.contraction, e.direct.buffers, names);
  return w ? "" : w.error().message;
}

TEST(Winograd, NeedsProductsOfFloats) {
  NameSource names(1);
  EXPECT_THAT(refused(examples::padded_convolution(names, {prim::Type::I32, {}}), names), testing::HasSubstr("f32"));
  EXPECT_THAT(refused(examples::padded_convolution(names, {prim::Type::F32, examples::Semiring::MaxPlus}), names),
              testing::HasSubstr("no sum of products"));
  EXPECT_THAT(refused(examples::padded_convolution(names, {}, examples::Guard::InTerm), names),
              testing::HasSubstr("no sum of products"));
}

TEST(Winograd, NeedsWindowsThatSlideStepByStep) {
  NameSource names(1);
  EXPECT_THAT(refused(examples::product(names), names), testing::HasSubstr("no window"));
  EXPECT_THAT(refused(examples::convolution(names), names), testing::HasSubstr("no window")) << "the stride may be 2";
}

}  // namespace
}  // namespace heddle::contraction
