// A hand-written program as codegen would print it: the identity on every transparent type up to rank 3, and one entry
// point for each thing that executables and servers must get right. Compiled once as an executable and once as a
// server.

// Each of these builds on those before it; the blank lines keep the order.
#include "embedded_runtime_headers.txt"

#include "embedded_runtime_host.txt"

#include "embedded_runtime_cpu.txt"

#include "embedded_runtime_cuda_headers.txt"

#include "embedded_runtime_cuda.txt"

#include "embedded_runtime_device.txt"

#include "embedded_runtime_builtins.txt"

static const struct hd_value_type value_types[] = {
#define VALUE_TYPES(elem, is_unsigned) \
  {elem, is_unsigned, 0}, {elem, is_unsigned, 1}, {elem, is_unsigned, 2}, { elem, is_unsigned, 3 }
    VALUE_TYPES(HD_I8, false),  VALUE_TYPES(HD_I16, false), VALUE_TYPES(HD_I32, false), VALUE_TYPES(HD_I64, false),
    VALUE_TYPES(HD_I8, true),   VALUE_TYPES(HD_I16, true),  VALUE_TYPES(HD_I32, true),  VALUE_TYPES(HD_I64, true),
    VALUE_TYPES(HD_F16, false), VALUE_TYPES(HD_F32, false), VALUE_TYPES(HD_F64, false), VALUE_TYPES(HD_BOOL, false),
};

// Where a type is in `types`: four ranks for each of the twelve element types, then the opaque ones.
enum elem_index { I8, I16, I32, I64, U8, U16, U32, U64, F16, F32, F64, BOOL };
#define TYPE(elem, rank) (4 * (elem) + (rank))
enum { PAIR = 48, NESTED, EITHER, PAIRS, EITHERS, UNIT };

static const struct hd_value_type pair_constituents[] = {{HD_I32, false, 0}, {HD_I64, false, 1}};
static const struct hd_field pair_fields[] = {{"count", TYPE(I32, 0)}, {"items", TYPE(I64, 1)}};
static const struct hd_value_type nested_constituents[] = {{HD_F32, false, 0}, {HD_I32, false, 0}, {HD_I64, false, 1}};
static const struct hd_field nested_fields[] = {{"weight", TYPE(F32, 0)}, {"pair", PAIR}};
static const struct hd_value_type either_constituents[] = {{HD_I8, false, 0}, {HD_I32, false, 0}, {HD_F32, false, 1}};
static const int left_types[] = {TYPE(I32, 0)}, right_types[] = {TYPE(F32, 1)};
static const int left_slot[] = {1}, right_slot[] = {2};
static const int *const left_slots[] = {left_slot}, *const right_slots[] = {right_slot};
static const struct hd_variant either_variants[] = {{"left", 1, left_types, left_slots},
                                                    {"right", 1, right_types, right_slots}};
static const struct hd_value_type pairs_constituents[] = {{HD_I32, false, 1}, {HD_I64, false, 2}};
static const struct hd_field pairs_fields[] = {{"count", TYPE(I32, 1)}, {"items", TYPE(I64, 2)}};
static const struct hd_value_type eithers_constituents[] = {{HD_I8, false, 1}, {HD_I32, false, 1}};
static const struct hd_value_type unit_constituents[] = {{HD_UNIT, false, 0}};

static const struct hd_type types[] = {
#define PLAIN(text, i) \
  { .name = text, .kind = HD_TYPE_TRANSPARENT, .num_constituents = 1, .constituents = &value_types[i], .elem_type = -1 }
#define PLAINS(text, elem)                                                                        \
  PLAIN(text, TYPE(elem, 0)), PLAIN("[]" text, TYPE(elem, 1)), PLAIN("[][]" text, TYPE(elem, 2)), \
      PLAIN("[][][]" text, TYPE(elem, 3))
    PLAINS("i8", I8),
    PLAINS("i16", I16),
    PLAINS("i32", I32),
    PLAINS("i64", I64),
    PLAINS("u8", U8),
    PLAINS("u16", U16),
    PLAINS("u32", U32),
    PLAINS("u64", U64),
    PLAINS("f16", F16),
    PLAINS("f32", F32),
    PLAINS("f64", F64),
    PLAINS("bool", BOOL),
    {.name = "pair",
     .kind = HD_TYPE_RECORD,
     .num_constituents = 2,
     .constituents = pair_constituents,
     .num_fields = 2,
     .fields = pair_fields,
     .elem_type = -1},
    {.name = "{weight: f32, pair: pair}",
     .kind = HD_TYPE_RECORD,
     .num_constituents = 3,
     .constituents = nested_constituents,
     .num_fields = 2,
     .fields = nested_fields,
     .elem_type = -1},
    {.name = "either",
     .kind = HD_TYPE_SUM,
     .num_constituents = 3,
     .constituents = either_constituents,
     .num_variants = 2,
     .variants = either_variants,
     .elem_type = -1},
    {.name = "[]pair",
     .kind = HD_TYPE_RECORD_ARRAY,
     .num_constituents = 2,
     .constituents = pairs_constituents,
     .num_fields = 2,
     .fields = pairs_fields,
     .array_rank = 1,
     .elem_type = PAIR},
    {.name = "[]either",
     .kind = HD_TYPE_OPAQUE_ARRAY,
     .num_constituents = 2,
     .constituents = eithers_constituents,
     .array_rank = 1,
     .elem_type = EITHER},
    {.name = "()", .kind = HD_TYPE_OPAQUE, .num_constituents = 1, .constituents = unit_constituents, .elem_type = -1},
};

static void share(struct hd_constituent* dst, const struct hd_constituent* src) {
  *dst = *src;
  if (src->is_array) hd_array_share(&dst->array, &src->array);
}

static int run_identity(struct hd_context* ctx, const struct hd_constituent* in, struct hd_constituent* out) {
  (void)ctx;
  share(&out[0], &in[0]);
  return HD_SUCCESS;
}

static int run_swap(struct hd_context* ctx, const struct hd_constituent* in, struct hd_constituent* out) {
  (void)ctx;
  share(&out[0], &in[1]);
  share(&out[1], &in[0]);
  return HD_SUCCESS;
}

static int run_same_size(struct hd_context* ctx, const struct hd_constituent* in, struct hd_constituent* out) {
  if (in[0].array.shape[0] != in[1].array.shape[0]) {
    return hd_error(ctx, "Error: entry point arguments have invalid sizes.");
  }
  share(&out[0], &in[1]);
  return HD_SUCCESS;
}

// Adds one to the first element, in place.
static int run_consume(struct hd_context* ctx, const struct hd_constituent* in, struct hd_constituent* out) {
  int64_t index[] = {0};
  int32_t x;
  int err = hd_array_read(ctx, &in[0].array, index, &x);
  x++;
  if (!err) err = hd_array_write(ctx, &in[0].array, index, &x);
  if (!err) share(&out[0], &in[0]);
  return err;
}

static int run_transpose(struct hd_context* ctx, const struct hd_constituent* in, struct hd_constituent* out) {
  (void)ctx;
  const int perm[] = {1, 0};
  out[0] = in[0];
  hd_array_rearrange(&out[0].array, &in[0].array, perm);
  return HD_SUCCESS;
}

static int run_index(struct hd_context* ctx, const struct hd_constituent* in, struct hd_constituent* out) {
  int64_t i = in[1].scalar.i64, n = in[0].array.shape[0];
  if (i < 0 || i >= n) return hd_fail(ctx, 0, 2, (const int64_t[]){i, n});
  out[0] = (struct hd_constituent){.elem = HD_I32};
  return hd_array_read(ctx, &in[0].array, &i, &out[0].scalar);
}

static int run_nothing(struct hd_context* ctx, const struct hd_constituent* in, struct hd_constituent* out) {
  (void)ctx;
  (void)in;
  (void)out;
  return HD_SUCCESS;
}

static int run_make_pair(struct hd_context* ctx, const struct hd_constituent* in, struct hd_constituent* out) {
  int64_t n = in[0].scalar.i32;
  out[0] = (struct hd_constituent){.elem = HD_I32, .scalar.i32 = (int32_t)n};
  out[1] = (struct hd_constituent){.is_array = true, .elem = HD_I64};
  int64_t* items = malloc((size_t)n * sizeof *items + 1);
  for (int64_t i = 0; i < n; i++) items[i] = i * i;
  int err = hd_array_alloc(ctx, &out[1].array, HD_I64, 1, &n);
  if (!err) err = hd_array_upload(ctx, &out[1].array, items);
  free(items);
  return err;
}

static int run_sum_pair(struct hd_context* ctx, const struct hd_constituent* in, struct hd_constituent* out) {
  int64_t n = in[1].array.shape[0];
  int64_t* items = malloc((size_t)n * sizeof *items + 1);
  int err = hd_array_download(ctx, &in[1].array, items);
  out[0] = (struct hd_constituent){.elem = HD_I64, .scalar.i64 = in[0].scalar.i32};
  for (int64_t i = 0; i < n && !err; i++) out[0].scalar.i64 += items[i];
  free(items);
  return err;
}

static int run_make_either(struct hd_context* ctx, const struct hd_constituent* in, struct hd_constituent* out) {
  int64_t n = in[0].scalar.b ? 0 : 2;
  out[0] = (struct hd_constituent){.elem = HD_I8, .scalar.i8 = in[0].scalar.b ? 0 : 1};
  out[1] = (struct hd_constituent){.elem = HD_I32, .scalar.i32 = 42};
  out[2] = (struct hd_constituent){.is_array = true, .elem = HD_F32};
  int err = hd_array_alloc(ctx, &out[2].array, HD_F32, 1, &n);
  return err ? err : hd_array_upload(ctx, &out[2].array, (const float[]){1.5f, -2});
}

static int run_compare(struct hd_context* ctx, const struct hd_constituent* in, struct hd_constituent* out) {
  out[0] = (struct hd_constituent){.elem = HD_BOOL};
  out[0].scalar.b = hd_compare_threshold(ctx, 0, in[0].scalar.i64);
  return HD_SUCCESS;
}

#define IN(name, ...) static const struct hd_param_type name##_in[] = {__VA_ARGS__}
#define OUT(name, ...) static const struct hd_param_type name##_out[] = {__VA_ARGS__}
IN(swap, {"x", TYPE(I32, 1), false}, {"y", TYPE(F32, 0), false});
OUT(swap, {NULL, TYPE(F32, 0), false}, {NULL, TYPE(I32, 1), false});
IN(same_size, {"a", TYPE(F32, 1), false}, {"b", TYPE(F32, 1), false});
OUT(same_size, {NULL, TYPE(F32, 1), false});
IN(consume, {"x", TYPE(I32, 1), true});
OUT(consume, {NULL, TYPE(I32, 1), true});
IN(transpose, {"x", TYPE(I32, 2), false});
IN(index, {"x", TYPE(I32, 1), false}, {"i", TYPE(I64, 0), false});
OUT(index, {NULL, TYPE(I32, 0), false});
IN(make_pair, {"n", TYPE(I32, 0), false});
OUT(make_pair, {NULL, PAIR, true});
OUT(sum_pair, {NULL, TYPE(I64, 0), false});
IN(make_either, {"left", TYPE(BOOL, 0), false});
OUT(make_either, {NULL, EITHER, false});
IN(compare, {"x", TYPE(I64, 0), false});
OUT(compare, {NULL, TYPE(BOOL, 0), false});
OUT(mixed, {NULL, TYPE(I32, 0), false}, {NULL, PAIR, false});
IN(nested, {"x", NESTED, false});
IN(unit, {"x", UNIT, false});
IN(either, {"x", EITHER, false});
IN(pairs, {"x", PAIRS, false});
IN(eithers, {"x", EITHERS, false});

static int run_mixed(struct hd_context* ctx, const struct hd_constituent* in, struct hd_constituent* out) {
  share(&out[0], &in[0]);
  return run_make_pair(ctx, in, out + 1);
}

static int run_identity_2(struct hd_context* ctx, const struct hd_constituent* in, struct hd_constituent* out) {
  (void)ctx;
  for (int i = 0; i < 2; i++) share(&out[i], &in[i]);
  return HD_SUCCESS;
}

static int run_identity_3(struct hd_context* ctx, const struct hd_constituent* in, struct hd_constituent* out) {
  (void)ctx;
  for (int i = 0; i < 3; i++) share(&out[i], &in[i]);
  return HD_SUCCESS;
}

// One parameter type for each transparent type; the identities share them between input and output.
static const struct hd_param_type plain_params[] = {
#define PLAIN_PARAMS(e) \
  {"x", TYPE(e, 0), false}, {"x", TYPE(e, 1), false}, {"x", TYPE(e, 2), false}, { "x", TYPE(e, 3), false }
    PLAIN_PARAMS(I8),  PLAIN_PARAMS(I16), PLAIN_PARAMS(I32), PLAIN_PARAMS(I64), PLAIN_PARAMS(U8),  PLAIN_PARAMS(U16),
    PLAIN_PARAMS(U32), PLAIN_PARAMS(U64), PLAIN_PARAMS(F16), PLAIN_PARAMS(F32), PLAIN_PARAMS(F64), PLAIN_PARAMS(BOOL),
};

static const struct hd_entry entries[] = {
#define IDENTITY(name, e, rank) \
  { name "_" #rank, 1, &plain_params[TYPE(e, rank)], 1, &plain_params[TYPE(e, rank)], run_identity }
#define IDENTITIES(name, e) IDENTITY(name, e, 0), IDENTITY(name, e, 1), IDENTITY(name, e, 2), IDENTITY(name, e, 3)
    IDENTITIES("i8", I8),
    IDENTITIES("i16", I16),
    IDENTITIES("i32", I32),
    IDENTITIES("i64", I64),
    IDENTITIES("u8", U8),
    IDENTITIES("u16", U16),
    IDENTITIES("u32", U32),
    IDENTITIES("u64", U64),
    IDENTITIES("f16", F16),
    IDENTITIES("f32", F32),
    IDENTITIES("f64", F64),
    IDENTITIES("bool", BOOL),
    {"main", 2, swap_in, 2, swap_out, run_swap},
    {"same_size", 2, same_size_in, 1, same_size_out, run_same_size},
    {"consume", 1, consume_in, 1, consume_out, run_consume},
    {"transpose", 1, transpose_in, 1, transpose_in, run_transpose},
    {"index", 2, index_in, 1, index_out, run_index},
    {"nothing", 0, NULL, 0, NULL, run_nothing},
    {"make_pair", 1, make_pair_in, 1, make_pair_out, run_make_pair},
    {"sum_pair", 1, make_pair_out, 1, sum_pair_out, run_sum_pair},
    {"make_either", 1, make_either_in, 1, make_either_out, run_make_either},
    {"compare", 1, compare_in, 1, compare_out, run_compare},
    {"mixed", 1, make_pair_in, 2, mixed_out, run_mixed},
    {"nested", 1, nested_in, 1, nested_in, run_identity_3},
    {"unit", 1, unit_in, 1, unit_in, run_identity},
    {"either", 1, either_in, 1, either_in, run_identity_3},
    {"pairs", 1, pairs_in, 1, pairs_in, run_identity_2},
    {"eithers", 1, eithers_in, 1, eithers_in, run_identity_2},
};

static const struct hd_tuning_param params[] = {
    {"compare.suff_outer_par_0", HD_TUNE_THRESHOLD, "threshold(def, !main.suff_outer_par_1)", 0},
    {"main.tile_1", HD_TUNE_TILE_SIZE, "tile_size", 0},
};

static const struct hd_failure failures[] = {
    {"Index [%lld] out of bounds for array of shape [%lld].", "ii", "-> #0  io.fut:6:33-37\n   #1  io.fut:6:1-37\n"},
};

static const struct hd_program hd_this_program = {
    .backend = IO_PROGRAM_BACKEND,
    .backend_ops = IO_PROGRAM_BACKEND_OPS,
    .name = "io_program",
    .num_types = sizeof types / sizeof types[0],
    .types = types,
    .num_entries = sizeof entries / sizeof entries[0],
    .entries = entries,
    .num_params = 2,
    .params = params,
    .num_failures = 1,
    .failures = failures,
};

int main(int argc, char** argv) { return IO_PROGRAM_MAIN(&hd_this_program, argc, argv); }
