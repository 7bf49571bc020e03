// A user of the library made of types.fut, by heddle (HEDDLE is defined) or by Futhark.
#include "types.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int num_wrong;

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      num_wrong++;                                                            \
    }                                                                         \
  } while (0)

// A call that must succeed.
#define DO(call) CHECK((call) == FUTHARK_SUCCESS)

// What the last call that failed says holds `words`, and says it once.
static void check_error(struct futhark_context* ctx, const char* words) {
  char* error = futhark_context_get_error(ctx);
  CHECK(error != NULL && strstr(error, words) != NULL);
  if (error != NULL && strstr(error, words) == NULL) fprintf(stderr, "It says: %s\n", error);
  free(error);
  CHECK(futhark_context_get_error(ctx) == NULL);
}

// Errors of kernels are known when the call returns, or else when the context is synchronized.
#define SYNCHRONIZED(ctx, call) run_and_sync(ctx, call)
static int run_and_sync(struct futhark_context* ctx, int status) {
  int synced = futhark_context_sync(ctx);
  return status != 0 ? status : synced;
}

#define CHECK_INC(name, type)                                                                \
  do {                                                                                       \
    const type data[4] = {0, 1, 2, 100};                                                     \
    type back[4] = {0}, element = 0;                                                         \
    struct futhark_##name##_1d *in = futhark_new_##name##_1d(ctx, data, 4), *out = NULL;     \
    CHECK(in != NULL);                                                                       \
    DO(futhark_entry_inc_##name(ctx, &out, in));                                             \
    DO(futhark_values_##name##_1d(ctx, out, back));                                          \
    DO(futhark_index_##name##_1d(ctx, &element, out, 3));                                    \
    DO(futhark_context_sync(ctx));                                                           \
    CHECK(futhark_shape_##name##_1d(ctx, out)[0] == 4);                                      \
    CHECK(back[0] == 1 && back[1] == 2 && back[2] == 3 && back[3] == 101 && element == 101); \
    DO(futhark_free_##name##_1d(ctx, in));                                                   \
    DO(futhark_free_##name##_1d(ctx, out));                                                  \
  } while (0)

static void check_scalars(struct futhark_context* ctx) {
  int8_t a;
  int16_t b;
  int32_t c;
  int64_t d;
  uint8_t e;
  uint16_t f;
  uint32_t g;
  uint64_t h;
  uint16_t i;
  float j;
  double k;
  bool l;
  DO(futhark_entry_scalars(ctx, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, INT8_MAX, -2, INT32_MAX, -4, UINT8_MAX,
                           6, UINT32_MAX, UINT64_MAX, 0x3c00, 10, 11, false));
  DO(futhark_context_sync(ctx));
  CHECK(a == INT8_MIN && b == -1 && c == INT32_MIN && d == -3 && e == 0 && f == 7 && g == 0 && h == 0);
  CHECK(i == 0x4000 && j == 11 && k == 12 && l);
  DO(futhark_entry_primedzq(ctx, &c, 41));
  DO(futhark_context_sync(ctx));
  CHECK(c == 42);
}

static void check_arrays(struct futhark_context* ctx) {
  CHECK_INC(i8, int8_t);
  CHECK_INC(i32, int32_t);
  CHECK_INC(i64, int64_t);
  CHECK_INC(u8, uint8_t);
  CHECK_INC(u16, uint16_t);
  CHECK_INC(u32, uint32_t);
  CHECK_INC(u64, uint64_t);
  CHECK_INC(f32, float);
  CHECK_INC(f64, double);

  const uint16_t halves[2] = {0x3c00, 0xbc00};  // 1, -1
  uint16_t half_sums[2];
  struct futhark_f16_1d *f16 = futhark_new_f16_1d(ctx, halves, 2), *f16_out;
  DO(futhark_entry_inc_f16(ctx, &f16_out, f16));
  DO(futhark_values_f16_1d(ctx, f16_out, half_sums));
  DO(futhark_context_sync(ctx));
  CHECK(half_sums[0] == 0x4000 && half_sums[1] == 0);
  DO(futhark_free_f16_1d(ctx, f16));
  DO(futhark_free_f16_1d(ctx, f16_out));

  const bool flags[3] = {true, false, true};
  bool negated[3];
  struct futhark_bool_1d *bools = futhark_new_bool_1d(ctx, flags, 3), *bools_out;
  DO(futhark_entry_negate(ctx, &bools_out, bools));
  DO(futhark_values_bool_1d(ctx, bools_out, negated));
  DO(futhark_context_sync(ctx));
  CHECK(!negated[0] && negated[1] && !negated[2]);
  DO(futhark_free_bool_1d(ctx, bools));
  DO(futhark_free_bool_1d(ctx, bools_out));

  int32_t cube[24], turned[24], element = 0;
  for (int n = 0; n < 24; n++) cube[n] = n;
  struct futhark_i32_3d *i32 = futhark_new_i32_3d(ctx, cube, 2, 3, 4), *i32_out;
  DO(futhark_entry_turned(ctx, &i32_out, i32));
  const int64_t* shape = futhark_shape_i32_3d(ctx, i32_out);
  CHECK(shape[0] == 2 && shape[1] == 4 && shape[2] == 3);
  DO(futhark_values_i32_3d(ctx, i32_out, turned));
  DO(futhark_index_i32_3d(ctx, &element, i32_out, 1, 3, 0));
  DO(futhark_context_sync(ctx));
  for (int n = 0; n < 24; n++) CHECK(turned[n] == n / 12 * 12 + n % 3 * 4 + n / 3 % 4);
  CHECK(element == 15);
  CHECK(futhark_index_i32_3d(ctx, &element, i32_out, 1, 4, 0) != 0);
  check_error(ctx, "Index out of bounds.");
  CHECK(futhark_index_i32_3d(ctx, &element, i32_out, -1, 0, 0) != 0);
  check_error(ctx, "Index out of bounds.");
  DO(futhark_free_i32_3d(ctx, i32));
  DO(futhark_free_i32_3d(ctx, i32_out));

  // Nothing at all, in two dimensions.
  struct futhark_i16_2d *none = futhark_new_i16_2d(ctx, NULL, 0, 3), *none_out;
  DO(futhark_entry_inc_i16(ctx, &none_out, none));
  shape = futhark_shape_i16_2d(ctx, none_out);
  CHECK(shape[0] == 0 && shape[1] == 3);
  DO(futhark_values_i16_2d(ctx, none_out, NULL));
  DO(futhark_free_i16_2d(ctx, none));
  DO(futhark_free_i16_2d(ctx, none_out));
}

// The result is the input, or is in its place: each is freed once.
static void check_lifetimes(struct futhark_context* ctx) {
  const int32_t data[3] = {1, 2, 3};
  int32_t back[3];
  struct futhark_i32_1d *in = futhark_new_i32_1d(ctx, data, 3), *same, *consumed;
  DO(futhark_entry_same(ctx, &same, in));
  DO(futhark_free_i32_1d(ctx, in));
  DO(futhark_values_i32_1d(ctx, same, back));
  DO(futhark_context_sync(ctx));
  CHECK(back[0] == 1 && back[2] == 3);
  DO(futhark_entry_consuming(ctx, &consumed, same, 1));
  DO(futhark_free_i32_1d(ctx, same));
  DO(futhark_values_i32_1d(ctx, consumed, back));
  DO(futhark_context_sync(ctx));
  CHECK(back[0] == 1 && back[1] == 42 && back[2] == 3);
  DO(futhark_free_i32_1d(ctx, consumed));
}

static void check_raw(struct futhark_context* ctx) {
  const int32_t data[3] = {1, 2, 3};
  int32_t back[3];
  struct futhark_i32_1d *whole = futhark_new_i32_1d(ctx, data, 3), *sum;
  DO(futhark_context_sync(ctx));
  struct futhark_i32_1d* raw = futhark_new_raw_i32_1d(ctx, futhark_values_raw_i32_1d(ctx, whole), 2);
  CHECK(raw != NULL && futhark_shape_i32_1d(ctx, raw)[0] == 2);
  CHECK(futhark_values_raw_i32_1d(ctx, raw) == futhark_values_raw_i32_1d(ctx, whole));
  DO(futhark_entry_inc_i32(ctx, &sum, raw));
  DO(futhark_values_i32_1d(ctx, sum, back));
  DO(futhark_context_sync(ctx));
  CHECK(back[0] == 2 && back[1] == 3);
  DO(futhark_free_i32_1d(ctx, raw));
  DO(futhark_values_i32_1d(ctx, whole, back));
  DO(futhark_context_sync(ctx));
  CHECK(back[0] == 1 && back[2] == 3);
#ifndef FUTHARK_BACKEND_cuda
  // What is written there is seen, though all elements were before, one after the other.
  int32_t element;
  for (int64_t k = 0; k < 6; k++) DO(futhark_index_i32_1d(ctx, &element, whole, k % 3));
  DO(futhark_context_sync(ctx));
  ((int32_t*)futhark_values_raw_i32_1d(ctx, whole))[1] = 7;
  DO(futhark_index_i32_1d(ctx, &element, whole, 1));
  DO(futhark_context_sync(ctx));
  CHECK(element == 7);
#endif
  DO(futhark_free_i32_1d(ctx, sum));
  DO(futhark_free_i32_1d(ctx, whole));
}

static void check_errors(struct futhark_context* ctx) {
  const int32_t data[2] = {5, 6};
  const int64_t indices[3] = {0, 1, 2}, good_indices[2] = {1, 0};
  int32_t result = -1;
  struct futhark_i32_1d *x = futhark_new_i32_1d(ctx, data, 2), *y = futhark_new_i32_1d(ctx, data, 1), *out = NULL;
  struct futhark_i64_1d *is = futhark_new_i64_1d(ctx, indices, 3), *good = futhark_new_i64_1d(ctx, good_indices, 2);

  CHECK(SYNCHRONIZED(ctx, futhark_entry_checked(ctx, &result, -3)) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "Assertion is false: (x > 0)");
  CHECK(result == -1);
  CHECK(SYNCHRONIZED(ctx, futhark_entry_gather(ctx, &out, x, is)) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "Index [2] out of bounds for array of shape [2].");
#ifdef FUTHARK_BACKEND_c
  CHECK(out == NULL);
#else
  if (out != NULL) DO(futhark_free_i32_1d(ctx, out));
#endif
  CHECK(futhark_entry_dot(ctx, &result, x, y) != 0);
  check_error(ctx, "Error: entry point arguments have invalid sizes.");
  CHECK(result == -1);

#ifdef HEDDLE
  struct futhark_i64_1d* large = NULL;
  CHECK(futhark_entry_dot(ctx, &result, x, y) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "invalid sizes");
  CHECK(futhark_entry_large(ctx, &large, (int64_t)1 << 58) == FUTHARK_OUT_OF_MEMORY);
  check_error(ctx, "Failed to allocate memory in space 'device'.\nAttempted allocation: 2305843009213693952 bytes");
  CHECK(futhark_new_i64_1d(ctx, indices, -1) == NULL);
  check_error(ctx, "a size is negative");
  CHECK(futhark_new_raw_i64_1d(ctx, 0, -1) == NULL);
  check_error(ctx, "no array can have the sizes given");
#endif

  CHECK(SYNCHRONIZED(ctx, futhark_entry_checked(ctx, &result, 0)) == FUTHARK_PROGRAM_ERROR);
#ifndef HEDDLE
  free(futhark_context_get_error(ctx));  // With heddle, calls work whether or not anybody asks what happened before.
#endif
  DO(futhark_entry_gather(ctx, &out, x, good));
  DO(futhark_index_i32_1d(ctx, &result, out, 0));
  DO(futhark_context_sync(ctx));
  CHECK(result == 6);
#ifdef HEDDLE
  check_error(ctx, "Assertion is false: (x > 0)");
#endif
  DO(futhark_free_i32_1d(ctx, out));
  DO(futhark_free_i32_1d(ctx, x));
  DO(futhark_free_i32_1d(ctx, y));
  DO(futhark_free_i64_1d(ctx, is));
  DO(futhark_free_i64_1d(ctx, good));
}

static void check_records(struct futhark_context* ctx) {
  struct futhark_opaque_rec *rec, *again;
  float value = 0;
  int32_t a = 0;
  DO(futhark_entry_make_rec(ctx, &rec, 10));
  DO(futhark_project_opaque_rec_a(ctx, &a, rec));
  struct futhark_f32_1d* b;
  DO(futhark_project_opaque_rec_b(ctx, &b, rec));
  DO(futhark_context_sync(ctx));
  CHECK(a == 10 && futhark_shape_f32_1d(ctx, b)[0] == 3);
  DO(futhark_free_opaque_rec(ctx, rec));
  DO(futhark_new_opaque_rec(ctx, &again, 20, b));
  DO(futhark_free_f32_1d(ctx, b));
  DO(futhark_entry_rec_sum(ctx, &value, again));
  DO(futhark_context_sync(ctx));
  CHECK(value == 26);

  // Records in a record, and a tuple.
  struct futhark_opaque_nested *nested, *rebuilt;
  struct futhark_opaque_point* point;
  struct futhark_opaque_tup2_bool_u16* tuple;
  uint16_t second;
  bool first;
  DO(futhark_entry_make_nested(ctx, &nested, 2));
  DO(futhark_project_opaque_nested_p(ctx, &point, nested));
  DO(futhark_project_opaque_nested_t(ctx, &tuple, nested));
  DO(futhark_project_opaque_tup2_bool_u16_0(ctx, &first, tuple));
  DO(futhark_project_opaque_tup2_bool_u16_1(ctx, &second, tuple));
  DO(futhark_context_sync(ctx));
  CHECK(first && second == 9);
  DO(futhark_new_opaque_nested(ctx, &rebuilt, point, again, tuple));
  DO(futhark_entry_nested_sum(ctx, &value, rebuilt));
  DO(futhark_context_sync(ctx));
  CHECK(value == 2 + 4 + 20 + 6 + 9);
  DO(futhark_free_opaque_nested(ctx, nested));
  DO(futhark_free_opaque_nested(ctx, rebuilt));
  DO(futhark_free_opaque_point(ctx, point));
  DO(futhark_free_opaque_tup2_bool_u16(ctx, tuple));
  DO(futhark_free_opaque_rec(ctx, again));
}

static void check_record_arrays(struct futhark_context* ctx) {
  struct futhark_opaque_arr1d_rec *recs, *zipped = NULL;
  struct futhark_opaque_rec* rec;
  struct futhark_i32_1d* a;
  struct futhark_f32_2d* b;
  float value = 0;
  DO(futhark_entry_make_recs(ctx, &recs, 4));
  CHECK(futhark_shape_opaque_arr1d_rec(ctx, recs)[0] == 4);
  DO(futhark_index_opaque_arr1d_rec(ctx, &rec, recs, 3));
  DO(futhark_entry_rec_sum(ctx, &value, rec));
  DO(futhark_context_sync(ctx));
  CHECK(value == 12);
  DO(futhark_free_opaque_rec(ctx, rec));
  CHECK(futhark_index_opaque_arr1d_rec(ctx, &rec, recs, 4) != 0);
  check_error(ctx, "Index out of bounds.");
  DO(futhark_project_opaque_arr1d_rec_a(ctx, &a, recs));
  DO(futhark_project_opaque_arr1d_rec_b(ctx, &b, recs));
  CHECK(futhark_shape_f32_2d(ctx, b)[0] == 4 && futhark_shape_f32_2d(ctx, b)[1] == 3);
  DO(futhark_free_opaque_arr1d_rec(ctx, recs));

  const int32_t other[4] = {10, 20, 30, 40};
  struct futhark_i32_1d *tens = futhark_new_i32_1d(ctx, other, 4), *few = futhark_new_i32_1d(ctx, other, 3);
  CHECK(futhark_zip_opaque_arr1d_rec(ctx, &zipped, few, b) != 0);
  check_error(ctx, "Cannot zip arrays with different shapes.");
  DO(futhark_zip_opaque_arr1d_rec(ctx, &zipped, tens, b));
  DO(futhark_entry_recs_sum(ctx, &value, zipped));
  DO(futhark_context_sync(ctx));
  CHECK(value == 100 + 3 * (0 + 1 + 2 + 3));
  DO(futhark_free_opaque_arr1d_rec(ctx, zipped));
  DO(futhark_free_i32_1d(ctx, a));
  DO(futhark_free_i32_1d(ctx, tens));
  DO(futhark_free_i32_1d(ctx, few));
  DO(futhark_free_f32_2d(ctx, b));

  struct futhark_opaque_arr2d_point* grid;
  DO(futhark_entry_grid(ctx, &grid, 3, 5));
  const int64_t* shape = futhark_shape_opaque_arr2d_point(ctx, grid);
  CHECK(shape[0] == 3 && shape[1] == 5);
#ifdef HEDDLE
  // Futhark declares that an element is a row, and crashes.
  struct futhark_opaque_point* point;
  float y = 0;
  DO(futhark_index_opaque_arr2d_point(ctx, &point, grid, 2, 4));
  DO(futhark_project_opaque_point_x(ctx, &value, point));
  DO(futhark_project_opaque_point_y(ctx, &y, point));
  DO(futhark_context_sync(ctx));
  CHECK(value == 2 && y == 4);
  DO(futhark_free_opaque_point(ctx, point));
#endif
  DO(futhark_free_opaque_arr2d_point(ctx, grid));
}

static void check_sums(struct futhark_context* ctx) {
  struct futhark_opaque_sum* sum;
  int32_t a;
  float b;
  double value = 0;
  DO(futhark_entry_make_sum(ctx, &sum, 5));
  DO(futhark_context_sync(ctx));
  CHECK(futhark_variant_opaque_sum(ctx, sum) == 2);
  DO(futhark_destruct_opaque_sum_foo(ctx, &a, &b, sum));
  CHECK(a == 5 && b == 2);
#ifdef HEDDLE
  struct futhark_f64_1d* nothing = NULL;
  CHECK(futhark_destruct_opaque_sum_bar(ctx, &nothing, sum) == FUTHARK_PROGRAM_ERROR && nothing == NULL);
  check_error(ctx, "The value of type sum is not an instance of variant #bar.");
#endif
  DO(futhark_free_opaque_sum(ctx, sum));

  DO(futhark_new_opaque_sum_foo(ctx, &sum, 3, 0.5f));
  DO(futhark_entry_sum_value(ctx, &value, sum));
  DO(futhark_context_sync(ctx));
  CHECK(value == 3.5);
  DO(futhark_free_opaque_sum(ctx, sum));
  DO(futhark_new_opaque_sum_baz(ctx, &sum));
  DO(futhark_destruct_opaque_sum_baz(ctx, sum));
  DO(futhark_entry_sum_value(ctx, &value, sum));
  DO(futhark_context_sync(ctx));
  CHECK(value == -1);
  DO(futhark_free_opaque_sum(ctx, sum));

  const double pair[2] = {20, 30};
  struct futhark_f64_1d *pairs = futhark_new_f64_1d(ctx, pair, 2), *back;
  DO(futhark_new_opaque_sum_bar(ctx, &sum, pairs));
  DO(futhark_free_f64_1d(ctx, pairs));
  DO(futhark_entry_sum_value(ctx, &value, sum));
  DO(futhark_destruct_opaque_sum_bar(ctx, &back, sum));
  DO(futhark_context_sync(ctx));
  CHECK(value == 50 && futhark_shape_f64_1d(ctx, back)[0] == 2);
  DO(futhark_free_f64_1d(ctx, back));
  DO(futhark_free_opaque_sum(ctx, sum));

  struct futhark_opaque_arr1d_flat* sums;
  struct futhark_opaque_flat* flat;
  DO(futhark_entry_make_sums(ctx, &sums, 3));
  CHECK(futhark_shape_opaque_arr1d_flat(ctx, sums)[0] == 3);
  DO(futhark_index_opaque_arr1d_flat(ctx, &flat, sums, 1));
  DO(futhark_context_sync(ctx));
  CHECK(futhark_variant_opaque_flat(ctx, flat) == 1);
  DO(futhark_free_opaque_flat(ctx, flat));
  DO(futhark_index_opaque_arr1d_flat(ctx, &flat, sums, 2));
  DO(futhark_destruct_opaque_flat_left(ctx, &a, flat));
  DO(futhark_context_sync(ctx));
  CHECK(a == 2);
  DO(futhark_free_opaque_flat(ctx, flat));
  DO(futhark_free_opaque_arr1d_flat(ctx, sums));

  // Payloads that are records themselves.
  struct futhark_opaque_point *point, *point_back;
  struct futhark_opaque_sum_of_records* records;
  float value32 = 0;
  DO(futhark_new_opaque_point(ctx, &point, 1, 2));
  DO(futhark_new_opaque_sum_of_records_one(ctx, &records, point));
  DO(futhark_entry_sum_of_records_value(ctx, &value32, records));
  DO(futhark_destruct_opaque_sum_of_records_one(ctx, &point_back, records));
  DO(futhark_project_opaque_point_y(ctx, &b, point_back));
  DO(futhark_context_sync(ctx));
  CHECK(value32 == 3 && b == 2);
  DO(futhark_free_opaque_point(ctx, point));
  DO(futhark_free_opaque_point(ctx, point_back));
  DO(futhark_free_opaque_sum_of_records(ctx, records));
}

static void check_storing(struct futhark_context* ctx) {
  struct futhark_opaque_arr1d_rec *recs, *restored;
  DO(futhark_entry_make_recs(ctx, &recs, 5));
  size_t size = 0, size_again = 0;
  void* fresh = NULL;
  DO(futhark_store_opaque_arr1d_rec(ctx, recs, NULL, &size));
  CHECK(size == 7 + 8 + 5 * 4 + 7 + 16 + 5 * 3 * 4);
  DO(futhark_store_opaque_arr1d_rec(ctx, recs, &fresh, &size_again));
  DO(futhark_context_sync(ctx));
  CHECK(fresh != NULL && size_again == size);
  void *mine = malloc(size), *place = mine;
  DO(futhark_store_opaque_arr1d_rec(ctx, recs, &place, &size_again));
  DO(futhark_context_sync(ctx));
  CHECK(place == mine && memcmp(mine, fresh, size) == 0);
  CHECK(memcmp(mine, "b\2\1 i32\5\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0", 23) == 0);
  DO(futhark_free_opaque_arr1d_rec(ctx, recs));

  float value = 0;
  restored = futhark_restore_opaque_arr1d_rec(ctx, mine);
  CHECK(restored != NULL);
  DO(futhark_entry_recs_sum(ctx, &value, restored));
  DO(futhark_context_sync(ctx));
  CHECK(value == 40);
  DO(futhark_free_opaque_arr1d_rec(ctx, restored));
  ((char*)mine)[5] = '6';  // "i62"
  CHECK(futhark_restore_opaque_arr1d_rec(ctx, mine) == NULL);
  free(futhark_context_get_error(ctx));
#ifdef HEDDLE
  CHECK(futhark_restore_opaque_arr1d_rec(ctx, mine) == NULL);
  check_error(ctx, "were not stored from one of its type");
  ((char*)fresh)[7 + 7] = -128;  // a negative size
  CHECK(futhark_restore_opaque_arr1d_rec(ctx, fresh) == NULL);
  check_error(ctx, "were not stored from one of its type");
#endif
  free(mine);
  free(fresh);

  struct futhark_opaque_sum *sum, *sum_back;
  double sum_value = 0;
  fresh = NULL;
  DO(futhark_entry_make_sum(ctx, &sum, 5));
  DO(futhark_store_opaque_sum(ctx, sum, &fresh, &size));
  DO(futhark_context_sync(ctx));
  sum_back = futhark_restore_opaque_sum(ctx, fresh);
  DO(futhark_entry_sum_value(ctx, &sum_value, sum_back));
  DO(futhark_context_sync(ctx));
  CHECK(sum_value == 7);
  free(fresh);
  DO(futhark_free_opaque_sum(ctx, sum));
  DO(futhark_free_opaque_sum(ctx, sum_back));
}

// Several threads with one context.
static void* work(void* argument) {
  struct futhark_context* ctx = argument;
  int32_t data[100], back[100];
  for (int i = 0; i < 100; i++) data[i] = i;
  for (int round = 0; round < 20; round++) {
    struct futhark_i32_1d *x = futhark_new_i32_1d(ctx, data, 100), *y;
    if (x == NULL || futhark_entry_inc_i32(ctx, &y, x) != 0 || futhark_values_i32_1d(ctx, y, back) != 0 ||
        futhark_context_sync(ctx) != 0) {
      return NULL;
    }
    futhark_free_i32_1d(ctx, x);
    futhark_free_i32_1d(ctx, y);
    for (int i = 0; i < 100; i++) {
      if (back[i] != i + 1) return NULL;
    }
  }
  return ctx;
}

static void check_threads(struct futhark_context* ctx) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, work, ctx) == 0);
  for (int i = 0; i < 4; i++) {
    void* done = NULL;
    pthread_join(threads[i], &done);
    CHECK(done == ctx);
  }
}

static void check_tuning(struct futhark_context_config* cfg) {
  int count = futhark_get_tuning_param_count();
  for (int i = 0; i < count; i++) {
    CHECK(futhark_get_tuning_param_name(i) != NULL && futhark_get_tuning_param_class(i) != NULL);
    DO(futhark_context_config_set_tuning_param(cfg, futhark_get_tuning_param_name(i), 7));
  }
  CHECK(futhark_context_config_set_tuning_param(cfg, "no such name", 1) != 0);
}

static void check_log(struct futhark_context* ctx) {
  FILE* log = tmpfile();
  futhark_context_set_logging_file(ctx, log);
  futhark_context_pause_profiling(ctx);
  futhark_context_unpause_profiling(ctx);
  DO(futhark_context_clear_caches(ctx));
  futhark_context_set_logging_file(ctx, stderr);
  fclose(log);
  char* report = futhark_context_report(ctx);
  CHECK(report != NULL && report[0] == '{' && strstr(report, "\"events\":") != NULL);
  free(report);
}

int main(void) {
  struct futhark_context_config* cfg = futhark_context_config_new();
  futhark_context_config_set_debugging(cfg, 0);
  futhark_context_config_set_logging(cfg, 0);
  futhark_context_config_set_profiling(cfg, 1);
  struct futhark_context* ctx = futhark_context_new(cfg);
  char* error = futhark_context_get_error(ctx);
  if (error != NULL) fprintf(stderr, "There is no context: %s\n", error);
  CHECK(error == NULL);
  free(error);
  check_scalars(ctx);
  check_arrays(ctx);
  check_lifetimes(ctx);
  check_raw(ctx);
  check_errors(ctx);
  check_records(ctx);
  check_record_arrays(ctx);
  check_sums(ctx);
  check_storing(ctx);
  check_threads(ctx);
  check_tuning(cfg);
  check_log(ctx);
  DO(futhark_context_sync(ctx));
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  return num_wrong == 0 ? 0 : 1;
}
