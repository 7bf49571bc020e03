#include <array>
#include <cstring>
#include <numeric>
#include <random>

#include "fixture.h"

namespace heddle::runtime {
namespace {

class ArrayTest : public OnBothBackends {};
HEDDLE_ON_BOTH_BACKENDS(ArrayTest);

int64_t product(const std::vector<int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

// What an array should hold: its elements in row-major order.
struct Model {
  std::vector<int64_t> shape;
  std::vector<int32_t> values;
};

// The model of a window that takes its element at `index` from `source(index)` of the old one.
template <typename Source>
Model window(const Model& old, const std::vector<int64_t>& shape, Source source) {
  Model result{shape, std::vector<int32_t>(static_cast<size_t>(product(shape)))};
  std::vector<int64_t> index(shape.size(), 0);
  for (int32_t& value : result.values) {
    std::vector<int64_t> from = source(index);
    int64_t at = 0;
    for (size_t d = 0; d < from.size(); d++) at = at * old.shape[d] + from[d];
    value = old.values[static_cast<size_t>(at)];
    for (size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
  return result;
}

class Walker {
 public:
  Walker(hd_context* ctx, unsigned seed) : ctx_(ctx), random_(seed) {}

  int64_t pick(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }

  // Small enough to be quick, now and then large enough in two dimensions for a tiled transposition.
  std::vector<int64_t> random_shape(int rank) {
    std::vector<int64_t> shape;
    int64_t room = 4000;
    for (int d = 0; d < rank; d++) {
      int64_t size = rank > 6 ? pick(1, 2) : pick(0, 12) == 0 ? 0 : pick(0, 3) == 0 ? pick(8, 70) : pick(1, 7);
      if (size > room) size = 1;
      if (size > 1) room /= size;
      shape.push_back(size);
    }
    return shape;
  }

  void slice(hd_array& array, Model& model) {
    std::vector<hd_dim_index> dims;
    std::vector<int64_t> shape;
    for (int64_t size : model.shape) {
      hd_dim_index dim = {};
      dim.fixed = size > 0 && pick(0, 5) == 0;
      dim.start = size > 0 ? pick(0, size - 1) : 0;
      if (!dim.fixed) {
        dim.stride = pick(-2, 2);
        int64_t room = dim.stride > 0   ? (size - 1 - dim.start) / dim.stride + 1
                       : dim.stride < 0 ? dim.start / -dim.stride + 1
                                        : 3;
        dim.count = size == 0 ? 0 : pick(0, 9) == 0 ? 0 : room;
        shape.push_back(dim.count);
      }
      dims.push_back(dim);
    }
    Model sliced = window(model, shape, [&](const std::vector<int64_t>& index) {
      std::vector<int64_t> from;
      size_t next = 0;
      for (const hd_dim_index& dim : dims) {
        from.push_back(dim.fixed ? dim.start : dim.start + index[next++] * dim.stride);
      }
      return from;
    });
    hd_array view;
    hd_array_slice(&view, &array, dims.data());
    replace(array, view);
    model = sliced;
  }

  void rearrange(hd_array& array, Model& model) {
    std::vector<int> perm(model.shape.size());
    std::iota(perm.begin(), perm.end(), 0);
    std::shuffle(perm.begin(), perm.end(), random_);
    std::vector<int64_t> shape;
    for (int p : perm) shape.push_back(model.shape[static_cast<size_t>(p)]);
    model = window(model, shape, [&](const std::vector<int64_t>& index) {
      std::vector<int64_t> from(index.size());
      for (size_t d = 0; d < index.size(); d++) from[static_cast<size_t>(perm[d])] = index[d];
      return from;
    });
    hd_array view;
    hd_array_rearrange(&view, &array, perm.data());
    replace(array, view);
  }

  // Moves factors between neighbouring dimensions and inserts ones.
  void reshape(hd_array& array, Model& model) {
    std::vector<int64_t> shape = model.shape;
    if (pick(0, 3) == 0) shape = {product(shape)};
    if (shape.size() >= 2) {
      size_t d = static_cast<size_t>(pick(0, static_cast<int64_t>(shape.size()) - 2));
      if (pick(0, 1) == 0) {
        shape[d] *= shape[d + 1];
        shape[d + 1] = 1;
      } else {
        shape[d + 1] *= shape[d];
        shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(d));
      }
    }
    for (size_t d = 0; d < shape.size() && shape.size() < HD_MAX_RANK; d++) {
      for (int64_t factor : {2, 3}) {
        if (shape[d] % factor == 0 && pick(0, 1) == 0) {
          shape[d] /= factor;
          shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(d), factor);
          break;
        }
      }
    }
    hd_array view;
    ASSERT_EQ(hd_array_reshape(ctx_, &view, &array, static_cast<int>(shape.size()), shape.data()), HD_SUCCESS);
    replace(array, view);
    model.shape = shape;
  }

  void step(hd_array& array, Model& model) {
    switch (pick(0, 2)) {
      case 0:
        slice(array, model);
        break;
      case 1:
        rearrange(array, model);
        break;
      default:
        reshape(array, model);
        break;
    }
  }

  std::vector<int> random_perm(int rank) {
    std::vector<int> perm(static_cast<size_t>(rank));
    std::iota(perm.begin(), perm.end(), 0);
    std::shuffle(perm.begin(), perm.end(), random_);
    return perm;
  }

 private:
  void replace(hd_array& array, const hd_array& view) {
    hd_array_release(ctx_, &array);
    array = view;
  }

  hd_context* ctx_;
  std::mt19937 random_;
};

TEST_P(ArrayTest, RandomViewsCopiesAndAssignmentsAgreeWithAModel) {
  for (unsigned seed = 0; seed < 200; seed++) {
    Walker walker(ctx(), seed);
    int rank = static_cast<int>(seed % 10 == 0 ? walker.pick(7, 12) : walker.pick(0, 6));
    Model model{walker.random_shape(rank), {}};
    model.values.resize(static_cast<size_t>(product(model.shape)));
    std::iota(model.values.begin(), model.values.end(), 1);
    hd_array array = upload(ctx(), HD_I32, model.shape, model.values);
    for (int64_t i = walker.pick(0, 5); i > 0; i--) walker.step(array, model);
    ASSERT_EQ(std::vector<int64_t>(array.shape, array.shape + array.rank), model.shape) << "seed " << seed;

    hd_array copy;
    ASSERT_EQ(hd_array_copy(ctx(), &copy, &array), HD_SUCCESS);
    EXPECT_TRUE(hd_array_is_dense(&copy));
    EXPECT_EQ(download<int32_t>(ctx(), copy), model.values) << "seed " << seed;

    hd_array manifest;
    std::vector<int> perm = walker.random_perm(array.rank);
    ASSERT_EQ(hd_array_manifest(ctx(), &manifest, &array, perm.data()), HD_SUCCESS);
    EXPECT_EQ(download<int32_t>(ctx(), manifest), model.values) << "seed " << seed;

    // Into every other element of a larger array, whose rest must survive.
    std::vector<int64_t> wide = model.shape;
    for (int64_t& size : wide) size *= 2;
    hd_array target;
    const int32_t nothing = -1;
    ASSERT_EQ(hd_array_alloc(ctx(), &target, HD_I32, array.rank, wide.data()), HD_SUCCESS);
    ASSERT_EQ(hd_array_fill(ctx(), &target, &nothing), HD_SUCCESS);
    std::vector<hd_dim_index> dims;
    for (int64_t size : model.shape) dims.push_back({false, 2 * size - 1, size, -2});
    hd_array hole;
    hd_array_slice(&hole, &target, dims.data());
    ASSERT_EQ(hd_array_assign(ctx(), &hole, &array), HD_SUCCESS);
    EXPECT_EQ(download<int32_t>(ctx(), hole), model.values) << "seed " << seed;
    std::vector<int32_t> all = download<int32_t>(ctx(), target);
    EXPECT_EQ(std::count(all.begin(), all.end(), -1), static_cast<int64_t>(all.size() - model.values.size()));

    for (hd_array* a : {&array, &copy, &manifest, &target, &hole}) hd_array_release(ctx(), a);
  }
  EXPECT_EQ(runtime->error(), "");
}

template <typename T>
void check_element_type(hd_context* ctx, hd_elem elem) {
  std::vector<T> values(60);
  for (size_t i = 0; i < values.size(); i++) values[i] = static_cast<T>(i * 7);
  hd_array array = upload(ctx, elem, {3, 4, 5}, values);
  hd_array turned;
  const int perm[] = {2, 0, 1};
  hd_array_rearrange(&turned, &array, perm);
  std::vector<T> expected;
  for (size_t k = 0; k < 5; k++) {
    for (size_t ij = 0; ij < 12; ij++) expected.push_back(values[5 * ij + k]);
  }
  EXPECT_EQ(download<T>(ctx, turned), expected);

  const T seven = static_cast<T>(7);
  hd_array middle;
  const hd_dim_index dims[] = {{false, 0, 3, 1}, {true, 2, 0, 0}, {false, 0, 2, 4}};
  hd_array_slice(&middle, &array, dims);
  EXPECT_EQ(hd_array_fill(ctx, &middle, &seven), HD_SUCCESS);
  for (size_t i : {0, 1, 2}) values[20 * i + 10] = values[20 * i + 14] = seven;
  EXPECT_EQ(download<T>(ctx, array), values);

  // Of a row, all or a part that begins or ends between those that are filled at a time.
  for (int64_t start : {0, 1, 2, 3, 4}) {
    hd_array row;
    const hd_dim_index part[] = {{true, 1, 0, 0}, {true, 1, 0, 0}, {false, start, 5 - start, 1}};
    hd_array_slice(&row, &array, part);
    const T filled = static_cast<T>(90 + start);
    EXPECT_EQ(hd_array_fill(ctx, &row, &filled), HD_SUCCESS);
    for (int64_t i = start; i < 5; i++) values[static_cast<size_t>(25 + i)] = filled;
    EXPECT_EQ(download<T>(ctx, array), values);
    hd_array_release(ctx, &row);
  }

  const int64_t last[] = {2, 3, 4};
  T got = 0;
  EXPECT_EQ(hd_array_write(ctx, &array, last, &seven), HD_SUCCESS);
  EXPECT_EQ(hd_array_read(ctx, &array, last, &got), HD_SUCCESS);
  EXPECT_EQ(got, seven);
  for (hd_array* a : {&array, &turned, &middle}) hd_array_release(ctx, a);
}

TEST_P(ArrayTest, ElementsOfAllSizes) {
  check_element_type<int8_t>(ctx(), HD_I8);
  check_element_type<int16_t>(ctx(), HD_I16);
  check_element_type<int32_t>(ctx(), HD_I32);
  check_element_type<int64_t>(ctx(), HD_I64);
  check_element_type<uint16_t>(ctx(), HD_F16);
  check_element_type<float>(ctx(), HD_F32);
  check_element_type<double>(ctx(), HD_F64);
  check_element_type<uint8_t>(ctx(), HD_BOOL);
}

TEST_P(ArrayTest, ElementsForTheHostAreReadAmongOthers) {
  const int64_t one = 1, index = 0;
  hd_array first, other, last;
  EXPECT_EQ(hd_array_alloc_for_host(ctx(), &first, HD_I32, 1, &one), HD_SUCCESS);
  EXPECT_EQ(hd_array_alloc(ctx(), &other, HD_I16, 1, &one), HD_SUCCESS);
  EXPECT_EQ(hd_array_alloc_for_host(ctx(), &last, HD_I64, 1, &one), HD_SUCCESS);
  EXPECT_EQ(hd_array_iota(ctx(), &first, 5, 1), HD_SUCCESS);
  EXPECT_EQ(hd_array_iota(ctx(), &other, 6, 1), HD_SUCCESS);
  EXPECT_EQ(hd_array_iota(ctx(), &last, 7, 1), HD_SUCCESS);
  int32_t five = 0;
  int16_t six = 0;
  int64_t seven = 0;
  const hd_element elements[] = {{&first, &index, &five}, {&other, &index, &six}, {&last, &index, &seven}};
  EXPECT_EQ(hd_array_read_all(ctx(), 3, elements), HD_SUCCESS);
  EXPECT_EQ(five, 5);
  EXPECT_EQ(six, 6);
  EXPECT_EQ(seven, 7);
  EXPECT_EQ(hd_array_read(ctx(), &last, &index, &seven), HD_SUCCESS);
  EXPECT_EQ(seven, 7);
  for (hd_array* a : {&first, &other, &last}) hd_array_release(ctx(), a);
}

TEST_P(ArrayTest, IotasOfAllSizes) {
  auto iota = [&](hd_elem elem, int64_t n, int64_t start, int64_t step) {
    hd_array array;
    EXPECT_EQ(hd_array_alloc(ctx(), &array, elem, 1, &n), HD_SUCCESS);
    EXPECT_EQ(hd_array_iota(ctx(), &array, start, step), HD_SUCCESS);
    return array;
  };
  hd_array bytes = iota(HD_I8, 5, 100, 20);
  EXPECT_EQ(download<int8_t>(ctx(), bytes), (std::vector<int8_t>{100, 120, -116, -96, -76}));
  hd_array shorts = iota(HD_I16, 3, -1, -1);
  EXPECT_EQ(download<int16_t>(ctx(), shorts), (std::vector<int16_t>{-1, -2, -3}));
  hd_array longs = iota(HD_I64, 2, INT64_MAX, 1);
  EXPECT_EQ(download<int64_t>(ctx(), longs), (std::vector<int64_t>{INT64_MAX, INT64_MIN}));
  hd_array none = iota(HD_I32, 0, 1, 1);
  EXPECT_EQ(download<int32_t>(ctx(), none), std::vector<int32_t>{});
  // Long enough for several pieces and blocks.
  hd_array many = iota(HD_I32, 100003, 5, 3);
  hd_array backwards;
  const hd_dim_index dim = {false, 100002, 50001, -2};
  hd_array_slice(&backwards, &many, &dim);
  EXPECT_EQ(hd_array_iota(ctx(), &backwards, -7, -1), HD_SUCCESS);
  std::vector<int32_t> values = download<int32_t>(ctx(), many);
  for (int32_t i = 0; i < 100003; i++) {
    int32_t expected = i > 0 && i % 2 == 0 ? -7 - (100002 - i) / 2 : 5 + 3 * i;
    ASSERT_EQ(values[static_cast<size_t>(i)], expected) << i;
  }
  for (hd_array* a : {&bytes, &shorts, &longs, &none, &many, &backwards}) hd_array_release(ctx(), a);
}

TEST_P(ArrayTest, LargeTranspositionAndConcatenation) {
  const int64_t height = 317, width = 1025;
  std::vector<double> values(static_cast<size_t>(height * width));
  std::iota(values.begin(), values.end(), 0.0);
  hd_array array = upload(ctx(), HD_F64, {height, width}, values);
  hd_array turned;
  const int perm[] = {1, 0};
  hd_array_rearrange(&turned, &array, perm);
  std::vector<double> got = download<double>(ctx(), turned);
  for (int64_t i = 0; i < width; i++) {
    for (int64_t j = 0; j < height; j++) {
      ASSERT_EQ(got[static_cast<size_t>(i * height + j)], values[static_cast<size_t>(j * width + i)]);
    }
  }
  hd_array both;
  const int64_t shape[] = {height, 2 * width};
  ASSERT_EQ(hd_array_alloc(ctx(), &both, HD_F64, 2, shape), HD_SUCCESS);
  for (int64_t side : {0, 1}) {
    hd_array half;
    const hd_dim_index dims[] = {{false, 0, height, 1}, {false, side * width, width, 1}};
    hd_array_slice(&half, &both, dims);
    EXPECT_EQ(hd_array_assign(ctx(), &half, &array), HD_SUCCESS);
    EXPECT_EQ(download<double>(ctx(), half), values);
    hd_array_release(ctx(), &half);
  }
  for (hd_array* a : {&array, &turned, &both}) hd_array_release(ctx(), a);
}

// Tiles are square but where a dimension is short, and some are cut off at the end.
TEST_P(ArrayTest, MemoryIsLaidAnewInAnyOrderOfDimensions) {
  for (std::vector<int64_t> shape :
       {std::vector<int64_t>{5, 9, 130}, {3, 129, 9}, {2, 8, 515}, {65, 3, 66}, {1, 7, 200}}) {
    int64_t num_elems = product(shape);
    std::vector<int16_t> values(static_cast<size_t>(num_elems));
    std::iota(values.begin(), values.end(), int16_t{0});
    hd_array from, to;
    ASSERT_EQ(hd_array_alloc(ctx(), &from, HD_I16, 1, &num_elems), HD_SUCCESS);
    ASSERT_EQ(hd_array_alloc(ctx(), &to, HD_I16, 1, &num_elems), HD_SUCCESS);
    ASSERT_EQ(hd_array_upload(ctx(), &from, values.data()), HD_SUCCESS);
    // to[k][i][j] = from[i][j][k]
    int64_t turned[] = {shape[2], shape[0], shape[1]};
    int64_t to_strides[] = {shape[0] * shape[1], shape[1], 1}, from_strides[] = {1, shape[1] * shape[2], shape[2]};
    ASSERT_EQ(hd_array_pack(ctx(), &to, &from, 3, turned, to_strides, from_strides), HD_SUCCESS);
    std::vector<int16_t> got(values.size());
    ASSERT_EQ(hd_array_download(ctx(), &to, got.data()), HD_SUCCESS);
    size_t at = 0;
    for (int64_t k = 0; k < shape[2]; k++) {
      for (int64_t ij = 0; ij < shape[0] * shape[1]; ij++, at++)
        ASSERT_EQ(got[at], values[static_cast<size_t>(ij * shape[2] + k)]) << at;
    }
    hd_array_release(ctx(), &from);
    hd_array_release(ctx(), &to);
  }
}

TEST_P(ArrayTest, FlatSlicesMayOverlap) {
  std::vector<int32_t> values(20);
  std::iota(values.begin(), values.end(), 0);
  hd_array array = upload(ctx(), HD_I32, {20}, values);
  hd_array windows;
  const int64_t counts[] = {3, 4}, strides[] = {2, 1};
  hd_array_flat_slice(&windows, &array, 5, 2, counts, strides);
  EXPECT_EQ(download<int32_t>(ctx(), windows), (std::vector<int32_t>{5, 6, 7, 8, 7, 8, 9, 10, 9, 10, 11, 12}));
  hd_array_release(ctx(), &windows);
  hd_array_release(ctx(), &array);
}

TEST_P(ArrayTest, ReshapeSharesMemoryWhereItCan) {
  std::vector<int32_t> values(24);
  hd_array array = upload(ctx(), HD_I32, {4, 6}, values);
  hd_array same, turned, copied;
  const int64_t shape[] = {2, 2, 1, 3, 2};
  ASSERT_EQ(hd_array_reshape(ctx(), &same, &array, 5, shape), HD_SUCCESS);
  EXPECT_EQ(same.mem, array.mem);
  const int perm[] = {1, 0};
  hd_array_rearrange(&turned, &array, perm);
  const int64_t flat[] = {24};
  ASSERT_EQ(hd_array_reshape(ctx(), &copied, &turned, 1, flat), HD_SUCCESS);
  EXPECT_NE(copied.mem, array.mem);
  for (hd_array* a : {&array, &same, &turned, &copied}) hd_array_release(ctx(), a);
}

TEST_P(ArrayTest, MemoryIsTakenFromWhoHoldsItAloneAndHasTheSize) {
  const int64_t wide[] = {4, 6}, tall[] = {6, 4}, other[] = {5, 5}, negative[] = {-1, 4}, none[] = {0, 4};
  const int perm[] = {1, 0};
  hd_array first, second, third, held;
  const int64_t before = ctx()->pool.in_use;
  ASSERT_EQ(hd_array_alloc(ctx(), &first, HD_I32, 2, wide), HD_SUCCESS);
  hd_mem* mem = first.mem;
  ASSERT_EQ(hd_array_alloc_from(ctx(), &second, &first, HD_F32, 2, tall, perm), HD_SUCCESS);
  EXPECT_EQ(first.mem, nullptr);
  EXPECT_EQ(second.mem, mem);
  EXPECT_EQ(second.elem, HD_F32);
  EXPECT_EQ(second.offset, 0);
  EXPECT_EQ(second.stride[0], 1);
  EXPECT_EQ(second.stride[1], 6);

  hd_array_share(&held, &second);
  ASSERT_EQ(hd_array_alloc_from(ctx(), &third, &second, HD_F32, 2, tall, nullptr), HD_SUCCESS);
  EXPECT_NE(third.mem, mem);
  EXPECT_TRUE(hd_array_is_dense(&third));
  EXPECT_EQ(mem->references, 1);
  ASSERT_EQ(hd_array_alloc_from(ctx(), &first, &third, HD_F32, 2, other, nullptr), HD_SUCCESS);
  EXPECT_EQ(first.mem->size, 100);

  // Whatever becomes of it, what is taken from is released.
  EXPECT_EQ(hd_array_alloc_from(ctx(), &second, &first, HD_F32, 2, negative, nullptr), HD_ERROR_PROGRAM);
  EXPECT_EQ(first.mem, nullptr);
  EXPECT_EQ(hd_array_alloc_from(ctx(), &second, &held, HD_F32, 2, none, nullptr), HD_SUCCESS);
  EXPECT_EQ(second.mem, nullptr);
  EXPECT_EQ(hd_array_alloc_from(ctx(), &third, &second, HD_F32, 2, wide, nullptr), HD_SUCCESS);
  hd_array_release(ctx(), &third);
  EXPECT_EQ(ctx()->pool.in_use, before);
}

TEST_P(ArrayTest, RankSixteenAndNoMore) {
  std::vector<int64_t> shape(16, 2);
  std::vector<int32_t> values(1 << 16);
  std::iota(values.begin(), values.end(), 0);
  hd_array array = upload(ctx(), HD_I32, shape, values);
  int backwards[16];
  for (int d = 0; d < 16; d++) backwards[d] = 15 - d;
  hd_array turned, copy;
  hd_array_rearrange(&turned, &array, backwards);
  ASSERT_EQ(hd_array_copy(ctx(), &copy, &turned), HD_SUCCESS);
  std::vector<int32_t> got = download<int32_t>(ctx(), copy);
  for (int32_t i = 0; i < 1 << 16; i++) {
    int32_t reversed = 0;
    for (int bit = 0; bit < 16; bit++) reversed |= (i >> bit & 1) << (15 - bit);
    ASSERT_EQ(got[static_cast<size_t>(i)], reversed);
  }
  for (hd_array* a : {&array, &turned, &copy}) hd_array_release(ctx(), a);
  hd_array none;
  std::vector<int64_t> too_many(17, 1);
  EXPECT_EQ(hd_array_alloc(ctx(), &none, HD_I32, 17, too_many.data()), HD_ERROR_PROGRAM);
  EXPECT_EQ(runtime->error(), "An array of 17 dimensions is needed, but at most 16 are supported.");
}

TEST_P(ArrayTest, ImpossibleShapesAreErrors) {
  hd_array array;
  const int64_t huge[] = {INT64_MAX / 2, 3}, negative[] = {2, -1}, empty[] = {INT64_MAX, 0, INT64_MAX};
  EXPECT_EQ(hd_array_alloc(ctx(), &array, HD_I32, 2, huge), HD_ERROR_MEMORY);
  EXPECT_EQ(runtime->error(), "Error: an array of shape [4611686018427387903][3] is larger than any memory.");
  EXPECT_EQ(hd_array_alloc(ctx(), &array, HD_I32, 2, negative), HD_ERROR_PROGRAM);
  EXPECT_EQ(runtime->error(), "Error: cannot make an array of shape [2][-1]: a size is negative.");
  EXPECT_EQ(hd_array_alloc(ctx(), &array, HD_I32, 3, empty), HD_SUCCESS);
  EXPECT_EQ(array.mem, nullptr);
  // The extents before the 0 have no product.
  const int64_t empty_inside[] = {INT64_MAX, INT64_MAX, 0};
  EXPECT_EQ(hd_array_alloc(ctx(), &array, HD_I32, 3, empty_inside), HD_SUCCESS);
  EXPECT_EQ(hd_array_num_elems(&array), 0);
  EXPECT_TRUE(hd_array_is_dense(&array));
}

TEST_P(ArrayTest, AReshapeThatDoesNotFitHasElementsThatNobodyMayRead) {
  const int64_t four_by_two[] = {4, 2}, none[] = {0, 3};
  hd_array source = upload(ctx(), HD_I8, {5}, std::vector<int8_t>(5)), array;
  ASSERT_EQ(hd_array_reshape(ctx(), &array, &source, 2, four_by_two), HD_SUCCESS);
  EXPECT_EQ(hd_array_num_elems(&array), 8);
  EXPECT_NE(array.mem, source.mem);
  hd_array_release(ctx(), &array);
  ASSERT_EQ(hd_array_reshape(ctx(), &array, &source, 2, none), HD_SUCCESS);
  EXPECT_EQ(hd_array_num_elems(&array), 0);
  hd_array_release(ctx(), &array);
  hd_array_release(ctx(), &source);
}

// One after the other, here and there, while the host and kernels write between.
TEST_P(ArrayTest, ElementsReadAheadAreTheDevices) {
  std::mt19937 random(7);
  ctx()->reaches_arrays = false;  // as where it is the device's memory
  constexpr int64_t kSize = 5000, kOthers = 30;
  std::vector<float> values(kSize), others(kOthers);
  std::iota(values.begin(), values.end(), 0.0F);
  hd_array array = upload(ctx(), HD_F32, {kSize}, values), other = upload(ctx(), HD_F32, {kOthers}, others);
  auto next = [&](int64_t below) { return std::uniform_int_distribution<int64_t>(0, below - 1)(random); };
  int64_t at = 0;
  for (int step = 0; step < 20000; ++step) {
    at = next(50) == 0 ? next(kSize) : (at + next(9) - 4 + kSize) % kSize;
    float value = -1;
    ASSERT_EQ(hd_array_read(ctx(), &array, &at, &value), HD_SUCCESS);
    ASSERT_EQ(value, values[static_cast<size_t>(at)]) << "step " << step << ", element " << at;
    if (next(5) == 0) {
      const int64_t to = next(2) == 0 ? at : next(kSize);
      values[static_cast<size_t>(to)] += 0.5F;
      ASSERT_EQ(hd_array_write(ctx(), &array, &to, &values[static_cast<size_t>(to)]), HD_SUCCESS);
    }
    if (next(20) == 0) {
      const int64_t to = next(kOthers);
      others[static_cast<size_t>(to)] = value;
      ASSERT_EQ(hd_array_write(ctx(), &other, &to, &value), HD_SUCCESS);
    }
    if (next(400) == 0) {
      int64_t size = kSize;
      void* address = hd_array_address(&array);
      ASSERT_EQ(launch(ctx(), ADD_ONE, (kSize + 255) / 256, 256, 0, {&address, &address, &size}), HD_SUCCESS);
      for (float& v : values) v += 1;
    }
  }
  EXPECT_EQ(download<float>(ctx(), other), others);
  hd_array_release(ctx(), &array);
  hd_array_release(ctx(), &other);
}

}  // namespace
}  // namespace heddle::runtime
