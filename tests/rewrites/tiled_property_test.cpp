// Random tilings, sizes, widths, element types and operators: the tiled kernel computes what the direct one does.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "rewrites/contraction/tiled.h"
#include "tests/rewrites/compare_tiled.h"

namespace heddle::contraction {
namespace {

using examples::Kind;
using prim::Type;
using prim::Value;

int64_t size(int64_t low, int64_t high) { return *rc::gen::inRange<int64_t>(low, high); }

int64_t power_of_two(int64_t most) {
  int64_t n = 1;
  while (n < most && *rc::gen::arbitrary<bool>()) n *= 2;
  return n;
}

Kind any_kind() {
  return {*rc::gen::element(Type::I8, Type::I16, Type::I32, Type::I64, Type::F16, Type::F32, Type::F64),
          *rc::gen::element(examples::Semiring::SumProduct, examples::Semiring::MaxPlus, examples::Semiring::MinPlus)};
}

examples::Guard any_guard() { return *rc::gen::element(examples::Guard::None, examples::Guard::InTerm); }

// Small integers with infinities and values that are no numbers among them, in all of an operand or in few places.
Value special(Type type, size_t buffer, int64_t element) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (prim::is_float(type)) {
    int64_t place = element * 5 + static_cast<int64_t>(buffer) * 3;
    if (place % 31 == 0) return Value::of_float(type, kInfinity);
    if (place % 37 == 0) return Value::of_float(type, -kInfinity);
    if (place % 41 == 0) return Value::of_float(type, std::numeric_limits<double>::quiet_NaN());
  }
  return examples::small_integer(type, buffer, element);
}

// Infinite taps, and small integers for the rest.
Value infinite_taps(Type type, size_t buffer, int64_t element) {
  if (buffer == 1 && prim::is_float(type)) return Value::of_float(type, std::numeric_limits<double>::infinity());
  return examples::small_integer(type, buffer, element);
}

// Single operands, a few of both, or all taps.
examples::Data any_data() { return *rc::gen::element<examples::Data>(examples::small_integer, special, infinite_taps); }

// The tile of a parallel index; `lanes` says how many are left to make a warp of up to 8.
void add_parallel(std::vector<int64_t>& tiles, int64_t& lanes, bool separable) {
  int64_t l = power_of_two(lanes);
  lanes /= l;
  int64_t points = power_of_two(4);
  tiles.insert(tiles.end(), {power_of_two(2), l, points, separable ? power_of_two(points) : points});
}

// Of a convolution's three parallel and three reduction indices and two operands.
std::vector<int64_t> convolution_tiles(int64_t window) {
  std::vector<int64_t> tiles;
  int64_t slices = size(1, 4), shared = slices > 1 ? 1 : size(0, 2);
  int64_t lanes = 8;
  for (int p = 0; p < 3; ++p) add_parallel(tiles, lanes, p == 0);
  tiles.insert(tiles.end(), {power_of_two(4), 1});
  bool is_paired = false;
  for (int r = 0; r < 2; ++r) {
    int64_t unroll = *rc::gen::arbitrary<bool>() ? window : 1;
    tiles.insert(tiles.end(), {window, unroll});
    is_paired |= window / unroll % 2 == 0;
  }
  // Single elements are copied and loaded, so that any alignment will do.
  tiles.insert(tiles.end(), {1, 1, 4 * size(0, 2), 1, 1, 4 * size(0, 2), slices, 1, shared, size(2, 4),
                             is_paired ? size(0, 2) : 0, 1});
  return tiles;
}

RC_GTEST_PROP(TiledProperty, Convolution, ()) {
  NameSource names(1);
  examples::Example e = examples::convolution(names, any_kind());
  Tiling t = name_tiling(e.contraction, names);
  nest::Kernel k = tiled(e.contraction, t, e.constants, e.direct, names);
  int64_t window = size(1, 5), stride = size(1, 3), out_h = size(1, 9), out_w = size(1, 14);
  std::vector<int64_t> sizes = {
      size(0, 5), (out_h - 1) * stride + window, (out_w - 1) * stride + window, size(0, 9), window, out_h, out_w,
      stride};
  RC_ASSERT(examples::difference(e, k, constants_of(t), convolution_tiles(window), sizes, any_data()) == "");
}

// A zero that stands for an element beyond the image makes of an infinite tap what the program makes of it, and a term
// that is left out makes nothing of it.
RC_GTEST_PROP(TiledProperty, PaddedConvolution, ()) {
  NameSource names(1);
  examples::Guard guard = *rc::gen::element(examples::Guard::None, examples::Guard::InTerm, examples::Guard::OrZeros);
  examples::Example e = examples::padded_convolution(names, any_kind(), guard);
  Tiling t = name_tiling(e.contraction, names);
  nest::Kernel k = tiled(e.contraction, t, e.constants, e.direct, names);
  int64_t window = size(1, 5);
  std::vector<int64_t> sizes = {size(0, 4), size(0, 9), size(0, 14), size(0, 9), window};
  RC_ASSERT(examples::difference(e, k, constants_of(t), convolution_tiles(window), sizes, any_data()) == "");
}

// How many elements, of 1, 2 and 4, can be copied at once.
int64_t any_copy_width(Type type) {
  std::vector<int64_t> widths = {1};
  for (int64_t width : {2, 4}) {
    int64_t bytes = width * prim::size_bytes(type);
    if (bytes == 4 || bytes == 8 || bytes == 16) widths.push_back(width);
  }
  return *rc::gen::elementOf(widths);
}

// Sizes and tiles that are multiples of four elements, which are copied, loaded and stored up to four at a time.
RC_GTEST_PROP(TiledProperty, WideAccesses, ()) {
  NameSource names(1);
  Kind kind = any_kind();
  examples::Example e = examples::convolution(names, kind);
  Tiling t = name_tiling(e.contraction, names);
  nest::Kernel k = tiled(e.contraction, t, e.constants, e.direct, names);
  int64_t window = size(1, 5), out_h = size(1, 5), out_w = 4 * size(1, 5);
  int64_t slices = size(1, 4), shared = slices > 1 ? 1 : size(0, 2), ahead = size(0, 2);
  int64_t pairs = ahead ? 2 * slices : 1;
  std::vector<int64_t> sizes = {
      pairs * size(0, 5), out_h + window - 1, (out_w + window + 2) / 4 * 4, 4 * size(0, 3), window, out_h, out_w, 1};
  // At most 16 bytes.
  int64_t widest = std::min<int64_t>(4, 16 / prim::size_bytes(kind.elem));
  int64_t load_image = power_of_two(widest), load_filters = power_of_two(widest), lanes = size(1, 4);
  std::vector<int64_t> tiles = {power_of_two(2), 2, 4, *rc::gen::element(load_filters, int64_t{4})};
  int64_t points = power_of_two(2);
  tiles.insert(tiles.end(), {1, power_of_two(2), points, points, power_of_two(2), lanes, 4, 4});
  tiles.insert(tiles.end(),
               {pairs * power_of_two(4 / slices), 1, window, *rc::gen::element(int64_t{1}, window), window, window});
  tiles.insert(tiles.end(), {any_copy_width(kind.elem), load_image, 4 * size(0, 2)});
  tiles.insert(tiles.end(), {any_copy_width(kind.elem), load_filters, 4 * size(0, 2)});
  tiles.insert(tiles.end(), {slices, power_of_two(widest), shared, size(2, 4), ahead, 255});
  RC_ASSERT(examples::difference(e, k, constants_of(t), tiles, sizes, any_data()) == "");
}

RC_GTEST_PROP(TiledProperty, Product, ()) {
  NameSource names(1);
  examples::Example e = examples::product(names, any_kind(), any_guard());
  Tiling t = name_tiling(e.contraction, names);
  nest::Kernel k = tiled(e.contraction, t, e.constants, e.direct, names);
  std::vector<int64_t> tiles;
  int64_t slices = size(1, 4), shared = slices > 1 ? 1 : size(0, 2), ahead = size(0, 2);
  int64_t pairs = ahead ? 2 * slices : 1;
  // What a group reads beyond the end adds nothing to a sum of products, but to a maximum of sums.
  bool is_sum = e.contraction.neutral == prim::zero(e.contraction.neutral.type);
  int64_t lanes = 8, unroll = is_sum ? power_of_two(4) : 1;
  for (int p = 0; p < 2; ++p) add_parallel(tiles, lanes, true);
  int64_t chunk = unroll * pairs * power_of_two(4 / slices);
  tiles.insert(tiles.end(), {chunk, unroll, 1, 1, 0, 1, 1, 4 * size(0, 2), slices, 1, shared, size(2, 4), ahead, 1});
  std::vector<int64_t> sizes = {size(0, 20), size(0, 20), ahead ? unroll * pairs * size(0, 5) : size(0, 20)};
  RC_ASSERT(examples::difference(e, k, constants_of(t), tiles, sizes, any_data()) == "");
}

}  // namespace
}  // namespace heddle::contraction
