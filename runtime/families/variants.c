#include "runtime/families/variants.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/backend.h"
#include "runtime/core/clock.h"
#include "runtime/core/text.h"
#include "runtime/families/choice_cache.h"
#include "runtime/families/measuring.h"
#include "runtime/families/tile_params.h"

// Of one program. The least recently used gives way: where a loop goes through more sizes than there is room for, that is always the one
// that is wanted next.
#define HD_MAX_VARIANTS 256
// How much longer the model may expect a kernel to take than its best choice, if that kernel has been compiled for other sizes already and a
// loop goes through many.
#define HD_GOOD_ENOUGH_OF_MANY 1.15
// How far extents altogether may be from those that a kernel was chosen for, for sizes that come and go to take it over.
#define HD_NEAR_OCTAVES 1.0
// What choosing and compiling take.
#define HD_MAKING_SECONDS 1.0
// How many times as long as one that is chosen the generic kernel takes.
#define HD_GENERIC_TIMES 20

// Limits of registers that are tried, and how far they are apart. With the least that sufficed compilers had little choice of banks: of
// thirteen kernels that spilled with the first limit, steps of 16 instead of 8 made nine faster, by 0.5 to 11 %, and one slower by 1 %.
enum { HD_MOST_LIMITS = 5, HD_LIMIT_STEP = 16 };

// The limit that is tried `after` others; the last is the most there may be.
static int64_t hd_register_limit(int64_t least, int64_t most, int after) {
  int64_t limit = least + after * HD_LIMIT_STEP;
  return after > 0 && (after + 1 == HD_MOST_LIMITS || limit > most) ? most : limit;
}

struct hd_variant_table {
  struct hd_kernel_variant* variants[HD_MAX_VARIANTS];
  int num_variants;
  int64_t clock;
  struct hd_measuring* measuring;  // NULL: nothing is being measured
  struct hd_text key;              // of the request that is being looked for
};

static const struct hd_family* hd_family_of(const struct hd_context* ctx, int kernel) {
  return ctx->program->specialized[kernel].family();
}

// Within the limits, and with places that are narrow.
static bool hd_suits(const struct hd_context* ctx, const struct hd_request* request) {
  if (request->num_fixed > HD_MAX_FIXED_SIZES) return false;
  for (int i = 0; i < request->num_places; i++) {
    if (request->places[i] < -HD_MOST_NARROW || request->places[i] > HD_MOST_NARROW) return false;
  }
  return hd_family_of(ctx, request->kernel)->suits(request->shape);
}

static struct hd_variant_table* hd_variants_of(struct hd_context* ctx) {
  if (ctx->variants == NULL) ctx->variants = calloc(1, sizeof *ctx->variants);
  return ctx->variants;
}

// Variants for several sizes may share a kernel.
static void hd_variant_drop_code(struct hd_context* ctx, struct hd_kernel_variant* v) {
  const struct hd_variant_table* table = ctx->variants;
  bool last = true;
  for (int i = 0; i < table->num_variants; i++) {
    const struct hd_kernel_variant* other = table->variants[i];
    if (other != NULL && other != v && other->code == v->code) last = false;
  }
  if (v->code != NULL && last) ctx->backend->unload(ctx, v->code);
  v->code = NULL;
}

static void hd_variant_free(struct hd_context* ctx, struct hd_kernel_variant* v) {
  hd_variant_drop_code(ctx, v);
  hd_text_clear(&v->key);
  free(v);
}

static void hd_variant_set(struct hd_kernel_variant* v, const struct hd_family* family,
                           const struct hd_request* request, const struct hd_choice* choice) {
  struct hd_value list[HD_MAX_CHOSEN_VALUES];
  int n = family->list(request->shape, list);
  memcpy(v->values, choice->values, (size_t)n * sizeof *v->values);
  for (int i = 0; i < n; i++) {
    if (list[i].kind == HD_VALUE_REGISTERS) v->registers = &v->values[i];
  }
  for (int i = 0; i < request->num_fixed; i++) v->values[n + i] = request->fixed[i];
  v->seconds = choice->seconds;
  v->most_registers = choice->most_registers;
}

// Whether a kernel that was compiled for other sizes is one for this shape; `choice` becomes it.
static bool hd_is_kernel_for(const struct hd_kernel_variant* compiled, const struct hd_request* request,
                             const struct hd_family* family, const struct hd_device_model* model,
                             struct hd_choice* choice) {
  struct hd_value list[HD_MAX_CHOSEN_VALUES];
  size_t n = (size_t)family->list(request->shape, list);
  memcpy(choice->values, compiled->values, n * sizeof *choice->values);
  char* problem = family->settle(model, request->shape, choice);
  bool settled = problem == NULL;
  free(problem);
  for (int i = 0; settled && i < request->num_fixed; i++)
    settled = request->fixed[i] == compiled->values[n + (size_t)i];
  return settled && memcmp(choice->values, compiled->values, n * sizeof *choice->values) == 0;
}

// The model's choice, but for what the user's tuning file says.
static void hd_variant_choose(struct hd_context* ctx, struct hd_kernel_variant* v, const struct hd_request* request) {
  const struct hd_family* family = hd_family_of(ctx, v->kernel);
  const char* label = ctx->program->specialized[v->kernel].label;
  struct hd_device_model model;
  struct hd_choice choice;
  int64_t start = hd_clock_microseconds();
  ctx->backend->model(ctx, &model);
  v->suitable = hd_choose(family, &model, request->shape, &choice);
  v->origin = HD_CHOSEN;
  struct hd_choice tuned = choice;
  if (v->suitable && hd_tile_params_apply(ctx->config, v->kernel, request->shape, tuned.values)) {
    char* problem = family->settle(&model, request->shape, &tuned);
    if (problem == NULL) {
      choice = tuned;
      choice.most_registers = 0;
      v->is_given = true;
    } else {
      fprintf(stderr, "Note: The tiling given for %s is refused, and the model's used instead: %s.\n", label, problem);
    }
    free(problem);
  }
  if (v->suitable) hd_variant_set(v, family, request, &choice);
  if (!ctx->logging) return;
  struct hd_text text = {0};
  hd_add_shape(&text, family, request->shape);
  if (v->suitable) {
    hd_text_add(&text, ": ");
    hd_add_values(&text, family, request->shape, choice.values);
    hd_text_add(&text, "; the model expects %.1f us, limited by %s", 1e6 * choice.seconds, choice.limit);
  } else {
    hd_text_add(&text, ": no tiling fits");
  }
  fprintf(ctx->log, "Chose in %.3f ms for %s.%s.\n", 1e-3 * (double)(hd_clock_microseconds() - start), label,
          text.chars);
  hd_text_clear(&text);
}

// Sets the key to what tells apart requests for which kernels differ. False if memory has run out.
static bool hd_variant_key(const struct hd_context* ctx, const struct hd_request* request, struct hd_text* key) {
  const int64_t kernel = request->kernel;
  key->length = 0;
  key->out_of_memory = false;
  hd_key_add(key, 1, &kernel);
  hd_family_of(ctx, request->kernel)->add_key(request->shape, key);
  hd_key_add(key, request->num_fixed, request->fixed);
  return !key->out_of_memory;
}

// A new entry, which takes the key.
static struct hd_kernel_variant* hd_variant_add(struct hd_context* ctx, const struct hd_request* request, int oldest) {
  struct hd_variant_table* table = ctx->variants;
  struct hd_kernel_variant* v = calloc(1, sizeof *v);
  if (v == NULL) return NULL;
  v->kernel = request->kernel;
  v->key = table->key;
  v->suitable = true;
  hd_family_of(ctx, v->kernel)->name_shape(request->shape, &v->name);
  table->key = (struct hd_text){0};
  int place = table->num_variants < HD_MAX_VARIANTS ? table->num_variants++ : oldest;
  struct hd_kernel_variant* replaced = table->variants[place];
  table->variants[place] = v;
  if (replaced != NULL) hd_variant_free(ctx, replaced);
  return v;
}

// The entry for a request, made if there is none.
static struct hd_kernel_variant* hd_variant_entry(struct hd_context* ctx, const struct hd_request* request) {
  struct hd_variant_table* table = hd_variants_of(ctx);
  if (table == NULL) return NULL;
  if (!hd_variant_key(ctx, request, &table->key)) return NULL;
  const struct hd_text* key = &table->key;
  int oldest = 0;
  for (int i = 0; i < table->num_variants; i++) {
    struct hd_kernel_variant* v = table->variants[i];
    if (v->key.length == key->length && memcmp(v->key.chars, key->chars, key->length) == 0) return v;
    if (v->last_use < table->variants[oldest]->last_use) oldest = i;
  }
  return hd_variant_add(ctx, request, oldest);
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
  int64_t start = hd_clock_microseconds(), least = v->registers != NULL ? *v->registers : 0;
  char* texts[HD_MOST_LIMITS];
  int num_texts = 0, loaded = 0;
  do {
    if (v->registers != NULL) *v->registers = hd_register_limit(least, v->most_registers, num_texts);
    texts[num_texts] = hd_variant_text(ctx->program, kernel, v->values);
  } while (texts[num_texts++] != NULL && num_texts < HD_MOST_LIMITS && v->registers != NULL &&
           *v->registers < v->most_registers);
  bool room = texts[num_texts - 1] != NULL;
  if (room) v->code = ctx->backend->load(ctx, num_texts, (const char* const*)texts, kernel->name, &loaded);
  if (v->registers != NULL) *v->registers = hd_register_limit(least, v->most_registers, loaded);
  for (int i = 0; i < num_texts; i++) free(texts[i]);
  v->suitable = v->code != NULL;
  if (ctx->logging) {
    fprintf(ctx->log, "%s %s for", v->suitable ? "Specialized" : "Could not specialize", kernel->name);
    for (int i = 0; i < kernel->num_constants; i++)
      fprintf(ctx->log, " %s=%" PRId64, kernel->constants[i], v->values[i]);
    fprintf(ctx->log, " in %.3f ms.\n", 1e-3 * (double)(hd_clock_microseconds() - start));
  }
}

// Whether a kernel with the other's values, which suit both shapes, would be compiled for this one. Its compiler may have been given more
// registers than were chosen.
static bool hd_is_same_choice(const struct hd_kernel_variant* v, const struct hd_kernel_variant* other,
                              int num_values) {
  for (int i = 0; i < num_values; i++) {
    if (v->values[i] != other->values[i] && v->registers != &v->values[i]) return false;
  }
  return true;
}

// Takes a kernel that was compiled for other sizes: the same, or where a loop goes through many sizes one in the place of another that is
// hardly better and would have to be compiled. Where sizes stay, compiling is paid once, and the model knows less of tilings than a few
// per cent: the columns of a 1000 x 200000 matrix with a vector took 217 us by the kernel of other sizes, and 187 by their own, of which it
// expected 2 % less at most. False if there is none.
static bool hd_variant_share(struct hd_context* ctx, struct hd_kernel_variant* v, const struct hd_request* request) {
  const struct hd_variant_table* table = ctx->variants;
  const struct hd_family* family = hd_family_of(ctx, v->kernel);
  const struct hd_kernel_variant* found = NULL;
  struct hd_device_model model;
  struct hd_value list[HD_MAX_CHOSEN_VALUES];
  struct hd_choice best = {.seconds = HD_GOOD_ENOUGH_OF_MANY * v->seconds};
  const int num_values = family->list(request->shape, list);
  if (v->is_given || ctx->config->tune_tilings != NULL) return false;
  ctx->backend->model(ctx, &model);
  for (int i = 0; i < table->num_variants; i++) {
    const struct hd_kernel_variant* other = table->variants[i];
    struct hd_choice choice = {0};
    if (other->kernel != v->kernel || other->code == NULL) continue;
    if (!request->changes && !hd_is_same_choice(v, other, num_values)) continue;
    if (!hd_is_kernel_for(other, request, family, &model, &choice) || choice.seconds > best.seconds) continue;
    best = choice;
    found = other;
  }
  if (found == NULL) return false;
  hd_variant_set(v, family, request, &best);
  v->code = found->code;
  return true;
}

// Takes the best kernel that was chosen for sizes near these. False if there is none, or if the user's tuning file knows better.
static bool hd_variant_take_over(struct hd_context* ctx, struct hd_kernel_variant* v,
                                 const struct hd_request* request) {
  const struct hd_variant_table* table = ctx->variants;
  const struct hd_family* family = hd_family_of(ctx, v->kernel);
  const struct hd_kernel_variant* found = NULL;
  struct hd_device_model model;
  struct hd_choice best = {0};
  if (hd_tile_params_apply(ctx->config, v->kernel, request->shape, best.values)) return false;
  ctx->backend->model(ctx, &model);
  for (int i = 0; i < table->num_variants; i++) {
    const struct hd_kernel_variant* other = table->variants[i];
    struct hd_choice choice = {0};
    if (other->kernel != v->kernel || other->code == NULL || other->origin != HD_CHOSEN) continue;
    if (!(family->distance(&other->name, request->shape) <= HD_NEAR_OCTAVES)) continue;
    if (!hd_is_kernel_for(other, request, family, &model, &choice)) continue;
    if (found != NULL && choice.seconds >= best.seconds) continue;
    best = choice;
    found = other;
  }
  if (found == NULL) return false;
  hd_variant_set(v, family, request, &best);
  v->origin = HD_TAKEN_OVER;
  v->lost = 0;
  v->excess = v->seconds - family->least_seconds(&model, request->shape);
  v->code = found->code;
  if (!ctx->logging) return true;
  struct hd_text text = {0};
  hd_add_shape(&text, family, request->shape);
  hd_text_add(&text, " the kernel of ");
  hd_add_shape_name(&text, &found->name);
  hd_text_add(&text, "; the model expects %.1f us", 1e6 * v->seconds);
  fprintf(ctx->log, "Took for %s.%s.\n", ctx->program->specialized[v->kernel].label, text.chars);
  hd_text_clear(&text);
  return true;
}

static double hd_variant_generic_seconds(struct hd_context* ctx, const struct hd_kernel_variant* v,
                                         const struct hd_request* request) {
  double seconds = v->seconds;
  if (v->origin == HD_NOT_CHOSEN) {
    struct hd_device_model model;
    ctx->backend->model(ctx, &model);
    seconds = hd_family_of(ctx, v->kernel)->least_seconds(&model, request->shape);
  }
  return HD_GENERIC_TIMES * seconds;
}

// What may have been lost by launches, for these sizes and those near them, that a kernel chosen for these would do.
static double hd_lost_nearby(const struct hd_context* ctx, const struct hd_kernel_variant* v,
                             const struct hd_request* request) {
  const struct hd_variant_table* table = ctx->variants;
  const struct hd_family* family = hd_family_of(ctx, v->kernel);
  double lost = 0;
  for (int i = 0; i < table->num_variants; i++) {
    const struct hd_kernel_variant* other = table->variants[i];
    if (other->kernel != v->kernel || other->code != NULL) continue;
    if (family->distance(&other->name, request->shape) <= HD_NEAR_OCTAVES) lost += other->lost;
  }
  return lost;
}

// Whether sizes that come and go are served without a kernel of their own: by that of near ones, or else by the generic one.
static bool hd_variant_makes_do(struct hd_context* ctx, struct hd_kernel_variant* v, const struct hd_request* request,
                                double generic_seconds) {
  if (v->lost < HD_MAKING_SECONDS && hd_variant_take_over(ctx, v, request)) return true;
  if (ctx->config->specialize_after == 0 || hd_lost_nearby(ctx, v, request) >= HD_MAKING_SECONDS) return false;
  v->lost += generic_seconds;
  return true;
}

// Gives the variant its values and its code when it is time for them. Where neither is there the generic kernel runs.
static void hd_variant_make(struct hd_context* ctx, struct hd_kernel_variant* v, const struct hd_request* request) {
  double generic_seconds = hd_variant_generic_seconds(ctx, v, request);
  bool large = generic_seconds > HD_MAKING_SECONDS, tuning = ctx->config->tune_tilings != NULL;
  bool recurs = v->times_seen > ctx->config->specialize_after;
  if (request->changes && !large && !tuning && hd_variant_makes_do(ctx, v, request, generic_seconds)) return;
  if (v->origin == HD_NOT_CHOSEN && (recurs || large || tuning)) hd_variant_choose(ctx, v, request);
  if (!v->suitable) return;
  if (tuning && v->times_seen == 1) {
    hd_measuring_free(ctx, ctx->variants->measuring);
    ctx->variants->measuring = hd_measuring_begin(ctx, v, request);
  }
  if (v->suitable && v->code == NULL && (recurs || large) && !hd_variant_share(ctx, v, request))
    hd_variant_compile(ctx, v);
}

HD_API struct hd_kernel_variant* hd_find_variant(struct hd_context* ctx, const struct hd_request* request,
                                                 int64_t* values) {
  if (ctx->device == NULL || ctx->backend->load == NULL || ctx->error != NULL) return NULL;
  if (ctx->config->specialize_after < 0 || ctx->backend->model == NULL) return NULL;
  if (!hd_suits(ctx, request)) return NULL;
  if (ctx->variants != NULL && ctx->variants->measuring != NULL) {
    // Left behind where launches failed; the request that it was for is gone.
    hd_measuring_free(ctx, ctx->variants->measuring);
    ctx->variants->measuring = NULL;
  }
  struct hd_kernel_variant* v = hd_variant_entry(ctx, request);
  if (v == NULL || !v->suitable) return NULL;
  v->last_use = ++ctx->variants->clock;
  v->times_seen++;
  if (v->origin == HD_TAKEN_OVER && (v->lost += v->excess) >= HD_MAKING_SECONDS) {
    hd_variant_drop_code(ctx, v);
    v->origin = HD_NOT_CHOSEN;
  }
  if (v->code == NULL) hd_variant_make(ctx, v, request);
  if (!v->suitable) return NULL;
  memcpy(values, v->values, (size_t)ctx->program->specialized[v->kernel].num_constants * sizeof *values);
  return v;
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
  for (int i = 0; i < ctx->variants->num_variants; i++) {
    struct hd_kernel_variant* v = ctx->variants->variants[i];
    ctx->variants->variants[i] = NULL;
    hd_variant_free(ctx, v);
  }
  hd_text_clear(&ctx->variants->key);
  free(ctx->variants);
  ctx->variants = NULL;
}
