#include "variants.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "text.h"
#include "tiling_cache.h"

// Of one program. The least recently used gives way.
#define HD_MAX_VARIANTS 64

struct hd_kernel_variant {
  int kernel;
  int64_t key[4 * HD_MAX_TILED_INDICES + 16];  // what the variant was asked for: extents and fixed values
  int key_length;
  int64_t values[8 * HD_MAX_TILED_INDICES + 16];  // of the kernel's constants
  bool suitable;                                  // there is a tiling, and it compiled
  struct hd_tiling_cost cost;
  int64_t times_seen;
  int64_t last_use;
  void* code;  // the backend's; NULL until compiled
};

struct hd_variant_table {
  struct hd_kernel_variant* variants[HD_MAX_VARIANTS];
  int num_variants;
  int64_t clock;
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

HD_API int64_t hd_row_alignment(int64_t length, int64_t elem_size) {
  int64_t widest = 16 / elem_size;
  while (widest > 1 && length % widest != 0) widest /= 2;
  return widest < 1 ? 1 : widest;
}

static int hd_variant_key(const struct hd_request* request, int64_t* key) {
  const struct hd_contraction* c = request->contraction;
  int n = 0;
  for (int i = 0; i < c->num_parallel + c->num_reduction; i++) key[n++] = c->extents[i];
  for (int i = 0; i < c->num_operands; i++) key[n++] = c->operands[i].aligned;
  for (int i = 0; i < request->num_fixed && n < (int)(sizeof((struct hd_kernel_variant*)0)->key / sizeof *key); i++) {
    key[n++] = request->fixed[i];
  }
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

// The entry for a key, made if there is none.
static struct hd_kernel_variant* hd_variant_entry(struct hd_context* ctx, const struct hd_request* request) {
  struct hd_variant_table* table = hd_variants_of(ctx);
  if (table == NULL) return NULL;
  int64_t key[sizeof((struct hd_kernel_variant*)0)->key / sizeof(int64_t)];
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
  struct hd_tiling tiling;
  v->suitable = ctx->backend->model != NULL;
  if (v->suitable) {
    struct hd_device_model model;
    ctx->backend->model(ctx, &model);
    v->suitable = hd_tiling_recall(&model, request->contraction, &tiling, &v->cost);
  }
  if (v->suitable) {
    int n = hd_tiling_values(request->contraction, &tiling, v->values);
    for (int i = 0; i < request->num_fixed; i++) v->values[n + i] = request->fixed[i];
  }
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

static void hd_variant_compile(struct hd_context* ctx, struct hd_kernel_variant* v) {
  const struct hd_specialized_kernel* kernel = &ctx->program->specialized[v->kernel];
  char* text = hd_variant_text(ctx->program, kernel, v->values);
  if (text != NULL) v->code = ctx->backend->load(ctx, text, kernel->name);
  free(text);
  v->suitable = v->code != NULL;
  if (ctx->logging) {
    fprintf(ctx->log, "%s %s for", v->suitable ? "Specialized" : "Could not specialize", kernel->name);
    for (int i = 0; i < kernel->num_constants; i++)
      fprintf(ctx->log, " %s=%" PRId64, kernel->constants[i], v->values[i]);
    fprintf(ctx->log, "; the model expects %.0f us.\n", 1e6 * v->cost.seconds);
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
      if (hd_tiling_reach(c, &c->operands[o], d) > most) return false;
    }
  }
  return true;
}

HD_API struct hd_kernel_variant* hd_find_variant(struct hd_context* ctx, const struct hd_request* request,
                                                 int64_t* values) {
  if (ctx->device == NULL || ctx->backend->load == NULL || ctx->error != NULL) return NULL;
  int after = ctx->config->specialize_after;
  if (after < 0) return NULL;
  const struct hd_contraction* c = request->contraction;
  for (int i = 0; i < c->num_parallel + c->num_reduction; i++) {
    if (c->extents[i] <= 0) return NULL;
  }
  if (!hd_has_narrow_places(request)) return NULL;
  struct hd_kernel_variant* v = hd_variant_entry(ctx, request);
  if (v == NULL || !v->suitable) return NULL;
  v->last_use = ++ctx->variants->clock;
  v->times_seen++;
  // The generic kernel takes some twenty times as long, and compiling takes a second.
  bool large = 20 * v->cost.seconds > 1;
  if (v->code == NULL && (v->times_seen > after || large)) hd_variant_compile(ctx, v);
  if (v->code == NULL) return NULL;
  memcpy(values, v->values, (size_t)ctx->program->specialized[v->kernel].num_constants * sizeof *values);
  return v;
}

HD_API int hd_launch_variant(struct hd_context* ctx, struct hd_kernel_variant* variant,
                             const struct hd_launch* launch) {
  struct hd_launch with_code = *launch;
  with_code.code = variant->code;
  with_code.name = ctx->program->specialized[variant->kernel].name;
  return hd_launch_kernel(ctx, &with_code);
}

HD_API void hd_variants_free(struct hd_context* ctx) {
  if (ctx->variants == NULL) return;
  for (int i = 0; i < ctx->variants->num_variants; i++) hd_variant_free(ctx, ctx->variants->variants[i]);
  free(ctx->variants);
  ctx->variants = NULL;
}
