#include "variants.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "clock.h"
#include "measuring.h"
#include "text.h"
#include "tile_params.h"
#include "tiling_cache.h"
#include "tiling_explain.h"
#include "tiling_fit.h"

// Of one program. The least recently used gives way.
#define HD_MAX_VARIANTS 64

// Limits of registers that are tried, and how far they are apart.
enum { HD_MOST_LIMITS = 4, HD_LIMIT_STEP = 8 };

struct hd_variant_table {
  struct hd_kernel_variant* variants[HD_MAX_VARIANTS];
  int num_variants;
  int64_t clock;
  struct hd_measuring* measuring;  // NULL: nothing is being measured
};

HD_API int64_t hd_array_alignment(const struct hd_array* a) {
  if (a->rank == 0 || a->mem == NULL) return 1;
  int64_t size = hd_elem_size(a->elem), widest = 16 / size;
  int inner = a->rank - 1;
  while (inner >= 0 && a->stride[inner] != 1) inner--;
  if (inner < 0) return 1;
  while (widest > 1) {
    bool fits = ((uintptr_t)a->mem->address + (uintptr_t)(a->offset * size)) % (uintptr_t)(widest * size) == 0;
    fits = fits && a->shape[inner] % widest == 0;
    for (int d = 0; d < a->rank; d++) fits = fits && (d == inner || a->stride[d] % widest == 0);
    if (fits) break;
    widest /= 2;
  }
  return widest < 1 ? 1 : widest;
}

HD_API int64_t hd_array_place(const struct hd_array* a) {
  return a->mem == NULL ? 0 : (int64_t)((uintptr_t)a->mem->address / (uintptr_t)hd_elem_size(a->elem)) + a->offset;
}

HD_API int64_t hd_row_alignment(int64_t length, int64_t elem_size) {
  int64_t widest = 16 / elem_size;
  while (widest > 1 && length % widest != 0) widest /= 2;
  return widest < 1 ? 1 : widest;
}

static bool hd_has_room(const struct hd_request* request) {
  return hd_tiling_has_room(request->contraction) && request->num_fixed <= HD_MAX_FIXED_SIZES;
}

// Returns the length; the request is within the limits.
static int hd_variant_key(const struct hd_request* request, int64_t* key) {
  const struct hd_contraction* c = request->contraction;
  int n = 0;
  for (int i = 0; i < c->num_parallel + c->num_reduction; i++) key[n++] = c->extents[i];
  for (int i = 0; i < c->num_operands; i++) {
    const struct hd_tiled_operand* o = &c->operands[i];
    key[n++] = o->aligned;
    // Accesses are as wide as the place allows where the first row begins. A loop may change it between launches.
    key[n++] = o->rank > 0 ? o->constants[o->rank - 1] & (HD_WIDE_BYTES / o->elem_size - 1) : 0;
  }
  for (int i = 0; i < request->num_fixed; i++) key[n++] = request->fixed[i];
  return n;
}

static struct hd_variant_table* hd_variants_of(struct hd_context* ctx) {
  if (ctx->variants == NULL) ctx->variants = calloc(1, sizeof *ctx->variants);
  return ctx->variants;
}

static void hd_variant_free(struct hd_context* ctx, struct hd_kernel_variant* v) {
  if (v->code != NULL) ctx->backend->unload(ctx, v->code);
  free(v);
}

// The model's tiling, but for what the user's tuning file says.
static void hd_variant_choose(struct hd_context* ctx, struct hd_kernel_variant* v, const struct hd_request* request) {
  const struct hd_contraction* c = request->contraction;
  const char* label = ctx->program->specialized[v->kernel].label;
  struct hd_device_model model;
  struct hd_tiling tiling;
  int64_t start = hd_clock_microseconds();
  ctx->backend->model(ctx, &model);
  v->suitable = hd_tiling_recall(&model, c, &tiling, &v->cost);
  struct hd_tiling tuned = tiling;
  bool is_tuned = false;
  struct hd_tiling_cost cost;
  if (v->suitable && hd_tile_params_apply(ctx->config, v->kernel, c, &tuned)) {
    char* problem = hd_tiling_settle(&model, c, &tuned, &cost);
    if (problem == NULL) {
      tiling = tuned;
      v->cost = cost;
      is_tuned = true;
    } else {
      fprintf(stderr, "Note: The tiling given for %s is refused, and the model's used instead: %s.\n", label, problem);
    }
    free(problem);
  }
  if (v->suitable) {
    int n = hd_tiling_values(c, &tiling, v->values);
    v->registers = &v->values[n - 1];
    v->most_registers = is_tuned ? 0 : hd_tiling_most_registers(&model, &v->cost);
    for (int i = 0; i < request->num_fixed; i++) v->values[n + i] = request->fixed[i];
  }
  if (!ctx->logging) return;
  struct hd_text text = {0};
  hd_tiling_add_shape(&text, c);
  if (v->suitable) {
    hd_text_add(&text, ": ");
    hd_tiling_add(&text, c, &tiling);
    hd_text_add(&text, "; the model expects %.1f us, limited by %s", 1e6 * v->cost.seconds, hd_tiling_limit(&v->cost));
  } else {
    hd_text_add(&text, ": no tiling fits");
  }
  fprintf(ctx->log, "Chose in %.3f ms for %s.%s.\n", 1e-3 * (double)(hd_clock_microseconds() - start), label,
          text.chars);
  hd_text_clear(&text);
}

// The entry for a key, made if there is none.
static struct hd_kernel_variant* hd_variant_entry(struct hd_context* ctx, const struct hd_request* request) {
  struct hd_variant_table* table = hd_variants_of(ctx);
  if (table == NULL) return NULL;
  int64_t key[HD_MAX_VARIANT_KEY];
  int length = hd_variant_key(request, key);
  int oldest = 0;
  for (int i = 0; i < table->num_variants; i++) {
    struct hd_kernel_variant* v = table->variants[i];
    if (v->kernel == request->kernel && v->key_length == length &&
        memcmp(v->key, key, (size_t)length * sizeof *key) == 0) {
      return v;
    }
    if (v->last_use < table->variants[oldest]->last_use) oldest = i;
  }
  struct hd_kernel_variant* v = calloc(1, sizeof *v);
  if (v == NULL) return NULL;
  v->kernel = request->kernel;
  v->key_length = length;
  memcpy(v->key, key, (size_t)length * sizeof *key);
  if (ctx->backend->model != NULL) hd_variant_choose(ctx, v, request);
  int place = table->num_variants < HD_MAX_VARIANTS ? table->num_variants++ : oldest;
  if (table->variants[place] != NULL) hd_variant_free(ctx, table->variants[place]);
  table->variants[place] = v;
  return v;
}

static char* hd_variant_text(const struct hd_program* program, const struct hd_specialized_kernel* kernel,
                             const int64_t* values) {
  struct hd_text text = {0};
  for (int i = 0; i < kernel->num_constants; i++) {
    hd_text_add(&text, "#define %s (%" PRId64 ")\n", kernel->constants[i], values[i]);
  }
  for (const char* const* piece = program->device_text; *piece != NULL; piece++) {
    hd_text_add_bytes(&text, *piece, strlen(*piece));
  }
  for (const char* const* piece = kernel->text; *piece != NULL; piece++) {
    hd_text_add_bytes(&text, *piece, strlen(*piece));
  }
  return hd_text_take(&text);
}

HD_API void hd_variant_compile(struct hd_context* ctx, struct hd_kernel_variant* v) {
  const struct hd_specialized_kernel* kernel = &ctx->program->specialized[v->kernel];
  int64_t start = hd_clock_microseconds(), least = *v->registers;
  char* texts[HD_MOST_LIMITS];
  int num_texts = 0, loaded = 0;
  do {
    *v->registers = least + num_texts * HD_LIMIT_STEP;
    texts[num_texts] = hd_variant_text(ctx->program, kernel, v->values);
  } while (texts[num_texts++] != NULL && num_texts < HD_MOST_LIMITS &&
           *v->registers + HD_LIMIT_STEP <= v->most_registers);
  bool room = texts[num_texts - 1] != NULL;
  if (room) v->code = ctx->backend->load(ctx, num_texts, (const char* const*)texts, kernel->name, &loaded);
  *v->registers = least + loaded * HD_LIMIT_STEP;
  for (int i = 0; i < num_texts; i++) free(texts[i]);
  v->suitable = v->code != NULL;
  if (ctx->logging) {
    fprintf(ctx->log, "%s %s for", v->suitable ? "Specialized" : "Could not specialize", kernel->name);
    for (int i = 0; i < kernel->num_constants; i++)
      fprintf(ctx->log, " %s=%" PRId64, kernel->constants[i], v->values[i]);
    fprintf(ctx->log, " in %.3f ms.\n", 1e-3 * (double)(hd_clock_microseconds() - start));
  }
}

// Specialized kernels compute with 32 bits where elements lie. What tiles reach beyond arrays is left room for.
static bool hd_has_narrow_places(const struct hd_request* request) {
  const int64_t most = (1 << 30) - (1 << 20);
  const struct hd_contraction* c = request->contraction;
  for (int i = 0; i < request->num_places; i++) {
    if (request->places[i] < -most || request->places[i] > most) return false;
  }
  for (int i = 0; i < c->num_parallel + c->num_reduction; i++) {
    if (c->extents[i] > most) return false;
  }
  for (int o = 0; o < c->num_operands; o++) {
    for (int d = 0; d < c->operands[o].rank; d++) {
      if (c->operands[o].reach[d] > most) return false;
    }
  }
  return true;
}

HD_API struct hd_kernel_variant* hd_find_variant(struct hd_context* ctx, const struct hd_request* request,
                                                 int64_t* values) {
  if (ctx->device == NULL || ctx->backend->load == NULL || ctx->error != NULL) return NULL;
  int after = ctx->config->specialize_after;
  if (after < 0) return NULL;
  if (!hd_has_room(request)) return NULL;
  const struct hd_contraction* c = request->contraction;
  for (int i = 0; i < c->num_parallel + c->num_reduction; i++) {
    if (c->extents[i] <= 0) return NULL;
  }
  if (!hd_has_narrow_places(request)) return NULL;
  struct hd_kernel_variant* v = hd_variant_entry(ctx, request);
  if (v == NULL || !v->suitable) return NULL;
  v->last_use = ++ctx->variants->clock;
  v->times_seen++;
  if (ctx->config->tune_tilings != NULL && v->times_seen == 1) {
    hd_measuring_free(ctx, ctx->variants->measuring);
    ctx->variants->measuring = hd_measuring_begin(ctx, v, request);
    if (!v->suitable) return NULL;
  }
  // The generic kernel takes some twenty times as long, and compiling takes a second.
  bool large = 20 * v->cost.seconds > 1;
  if (v->code == NULL && (v->times_seen > after || large)) hd_variant_compile(ctx, v);
  if (!v->suitable) return NULL;
  memcpy(values, v->values, (size_t)ctx->program->specialized[v->kernel].num_constants * sizeof *values);
  return v;
}

HD_API int64_t hd_parts(struct hd_context* ctx, int64_t points, int64_t extent, int64_t depth) {
  if (ctx->device == NULL || ctx->backend->model == NULL) return 1;
  struct hd_device_model model;
  ctx->backend->model(ctx, &model);
  return hd_parts_on(&model, points, extent, depth);
}

HD_API bool hd_relaying_pays(struct hd_context* ctx, int64_t steps, int64_t bytes) {
  if (ctx->device == NULL || ctx->backend->model == NULL || ctx->config->specialize_after < 0) return false;
  struct hd_device_model model;
  ctx->backend->model(ctx, &model);
  return hd_relaying_pays_on(&model, steps, bytes) && hd_mem_has_room(ctx, bytes);
}

HD_API int hd_launch_variant(struct hd_context* ctx, struct hd_kernel_variant* variant,
                             const struct hd_launch* launch) {
  struct hd_launch with_code = *launch;
  with_code.code = variant->code;
  with_code.name = ctx->program->specialized[variant->kernel].name;
  int status = hd_launch_kernel(ctx, &with_code);
  if (status != HD_SUCCESS && hd_measuring_excuses(ctx, ctx->variants->measuring, variant)) return HD_SUCCESS;
  return status;
}

HD_API bool hd_repeat_variant(struct hd_context* ctx, struct hd_kernel_variant* variant, int64_t* values) {
  struct hd_measuring** measuring = &ctx->variants->measuring;
  if (*measuring == NULL) return false;
  if (hd_measuring_goes_on(ctx, *measuring)) {
    memcpy(values, variant->values, (size_t)ctx->program->specialized[variant->kernel].num_constants * sizeof *values);
    return true;
  }
  hd_measuring_free(ctx, *measuring);
  *measuring = NULL;
  return false;
}

HD_API void hd_variants_free(struct hd_context* ctx) {
  if (ctx->variants == NULL) return;
  hd_measuring_free(ctx, ctx->variants->measuring);
  for (int i = 0; i < ctx->variants->num_variants; i++) hd_variant_free(ctx, ctx->variants->variants[i]);
  free(ctx->variants);
  ctx->variants = NULL;
}
