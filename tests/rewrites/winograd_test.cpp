// Windows of three steps by fewer products: four kernels compute what one does.
#include "rewrites/contraction/winograd.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

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

// Results beyond `most` are not compared.
std::string difference(const Example& e, const std::vector<int64_t>& sizes, NameSource& names,
                       const examples::Data& data = examples::small_integer,
                       double most = std::numeric_limits<double>::infinity()) {
  Result<Winograd> w = winograd(e.contraction, e.direct.buffers, names);
  if (!w) return w.error().message;
  examples::Memories expected(e, sizes, data), got(e, sizes, data);
  std::string problem = expected.run(e.direct, e.contraction.result.buffer);
  if (!problem.empty()) return problem;

  nest::Kernel all = e.direct;
  for (const nest::Buffer* b : {&w->seen, &w->taps, &w->products}) {
    got.add_unwritten(*b);
    all.buffers.push_back(*b);
  }
  auto run = [&](const Winograd::Step& step, const Name& result) {
    nest::Block body = step.point;
    for (size_t k = step.box.size(); k-- > 0;)
      body = {nest::stmt(nest::For{step.box[k].name, step.box[k].extent, nest::Role::Grid, std::move(body)})};
    if (problem.empty()) problem = got.run(with_buffers_used(all, std::move(body)), result);
  };
  run(w->image, w->seen.name);
  run(w->filters, w->taps.name);
  if (problem.empty()) problem = got.run(plain_nest(w->first, all, names), w->products.name);
  run(w->results, e.contraction.result.buffer);
  if (!problem.empty()) return problem;
  nest::Memory computed = got.of(e.contraction.result.buffer), right = expected.of(e.contraction.result.buffer);
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

TEST(Winograd, MultipliesFourNinthsAsOften) {
  NameSource names(1);
  Example e = examples::padded_convolution(names);
  Result<Winograd> w = winograd(e.contraction, e.direct.buffers, names);
  ASSERT_TRUE(w);
  EXPECT_EQ(saved_by(*w).numerator, 20);
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
