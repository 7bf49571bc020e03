#include "runtime/families/measuring.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/core/backend.h"
#include "runtime/core/clock.h"
#include "runtime/families/neighbourhood.h"
#include "runtime/families/tile_params.h"

enum { HD_MOST_MEASURED = 80, HD_FEWEST_RUNS = 3 };
// Microseconds after which a candidate has run often enough.
#define HD_LONG_ENOUGH 3e5
// A candidate whose first run takes so many times as long as the best is not run again.
#define HD_TOO_SLOW 1.25

struct hd_measured_run {
  struct hd_instant begin, end;
};

struct hd_measuring {
  struct hd_kernel_variant* variant;
  const struct hd_family* family;
  const void* shape;
  struct hd_device_model device;
  struct hd_neighbourhood search;
  int candidate;  // being measured; -1: the best one is launched for the last time
  void* best_code;
  int64_t began;
  bool failed;   // the candidate could not be launched
  int num_runs;  // of the candidate so far, the one that warms up included
  int wanted_runs;
  int num_pending;  // runs at the end of `runs` whose times are not known yet
  struct hd_measured_run* runs;
  double* times;  // microseconds; the warming one has none
  int num_times;
};

static double hd_median(int n, double* times) {
  for (int i = 1; i < n; i++) {
    double t = times[i];
    int k = i;
    for (; k > 0 && times[k - 1] > t; k--) times[k] = times[k - 1];
    times[k] = t;
  }
  return n % 2 == 1 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2;
}

static void hd_measuring_unload(struct hd_context* ctx, void* code) {
  if (code != NULL) ctx->backend->unload(ctx, code);
}

// Waits for the runs that are under way. False if the program failed.
static bool hd_measuring_collect(struct hd_context* ctx, struct hd_measuring* m) {
  bool fine = hd_sync(ctx) == HD_SUCCESS;
  for (int i = 0; i < m->num_pending; i++) {
    double time = 0;
    fine = ctx->backend->elapsed(ctx, &m->runs[i].begin, &m->runs[i].end, &time) == HD_SUCCESS && fine;
    m->times[m->num_times++] = time;
  }
  m->num_pending = 0;
  return fine;
}

static void hd_measuring_report(struct hd_context* ctx, const struct hd_measuring* m, bool better, bool last) {
  const struct hd_neighbourhood* n = &m->search;
  int file = ctx->config->tune_progress;
  bool overwrite = isatty(file) == 1;
  if (n->best < 0 || !(overwrite || better || last)) return;
  struct hd_text text = {0};
  hd_text_add(&text, "%s%s.", overwrite ? "\r\033[K" : "", ctx->program->specialized[m->variant->kernel].label);
  hd_add_shape(&text, m->family, m->shape);
  hd_text_add(&text, ": %d of %d measured, best %.1f us", n->num_measured,
              last ? n->num_measured : hd_neighbourhood_total(n), 1e6 * n->candidates[n->best].measured);
  if (isfinite(n->candidates[0].measured)) {
    hd_text_add(&text, ", the model's choice %.1f us", 1e6 * n->candidates[0].measured);
  }
  if (!overwrite || last) hd_text_add(&text, "\n");
  ssize_t ignored = write(file, text.chars, text.length);
  (void)ignored;
  hd_text_clear(&text);
}

static void hd_measuring_log(struct hd_context* ctx, const struct hd_candidate* c, const char* values) {
  if (isfinite(c->measured)) {
    fprintf(ctx->log, "Measured %.1f us where the model expects %.1f us: %s.\n", 1e6 * c->measured,
            1e6 * c->choice.seconds, values);
  } else {
    fprintf(ctx->log, "Could not measure: %s.\n", values);
  }
}

// Microseconds, in JSON.
static void hd_add_time(struct hd_text* text, double seconds) {
  if (isfinite(seconds)) {
    hd_text_add(text, "%.3f", 1e6 * seconds);
  } else {
    hd_text_add(text, "null");
  }
}

// Names and values need no escapes.
static void hd_measuring_record(struct hd_context* ctx, const struct hd_measuring* m, const struct hd_candidate* c,
                                const char* values) {
  FILE* file = fopen(ctx->config->tune_record, "a");
  if (file == NULL) return;
  struct hd_text line = {0};
  hd_text_add(&line, "{\"of\": \"%s.", ctx->program->specialized[m->variant->kernel].label);
  hd_add_shape(&line, m->family, m->shape);
  hd_text_add(&line, "\", \"expected\": ");
  hd_add_time(&line, c->choice.seconds);
  hd_text_add(&line, ", \"measured\": ");
  hd_add_time(&line, c->measured);
  hd_text_add(&line, ", \"values\": \"%s\"}\n", values);
  fputs(line.chars, file);
  hd_text_clear(&line);
  fclose(file);
}

static void hd_measuring_note(struct hd_context* ctx, const struct hd_measuring* m, const struct hd_candidate* c) {
  struct hd_text values = {0};
  hd_add_values(&values, m->family, m->shape, c->choice.values);
  if (ctx->logging) hd_measuring_log(ctx, c, values.chars);
  if (ctx->config->tune_record != NULL) hd_measuring_record(ctx, m, c, values.chars);
  hd_text_clear(&values);
}

static void hd_measuring_write(struct hd_context* ctx, const struct hd_measuring* m) {
  const struct hd_candidate *best = &m->search.candidates[m->search.best], *first = &m->search.candidates[0];
  struct hd_text note = {0};
  hd_text_add(&note, "%.1f us", 1e6 * best->measured);
  if (best != first && isfinite(first->measured)) {
    hd_text_add(&note, ", the model's choice %.1f us", 1e6 * first->measured);
  }
  hd_text_add(&note, "; %d tilings measured", m->search.num_measured);
  const char* path = ctx->config->tune_tilings;
  int problem = hd_tile_params_write(path, &ctx->program->specialized[m->variant->kernel], m->shape,
                                     best->choice.values, note.chars);
  if (problem != 0) fprintf(stderr, "Note: Tilings could not be written to %s: %s\n", path, strerror(problem));
  hd_text_clear(&note);
}

// Keeps the code of what is the best now.
static void hd_measuring_settle_candidate(struct hd_context* ctx, struct hd_measuring* m, double seconds) {
  int best_before = m->search.best;
  hd_neighbourhood_tell(&m->search, m->candidate, seconds);
  bool better = m->search.best != best_before;
  hd_measuring_unload(ctx, better ? m->best_code : m->variant->code);
  if (better) m->best_code = m->variant->code;
  m->variant->code = NULL;
  hd_measuring_note(ctx, m, &m->search.candidates[m->candidate]);
  hd_measuring_report(ctx, m, better, false);
}

static void hd_measuring_set(struct hd_measuring* m, int candidate) {
  const int64_t* values = m->search.candidates[candidate].choice.values;
  memcpy(m->variant->values, values, (size_t)m->search.num_values * sizeof *values);
}

// Gives the variant the next candidate that can be compiled or, at the end, the best. False if there is none.
static bool hd_measuring_next(struct hd_context* ctx, struct hd_measuring* m) {
  struct hd_kernel_variant* v = m->variant;
  double seconds = 1e-6 * (double)(hd_clock_microseconds() - m->began);
  bool out_of_time = ctx->config->tune_seconds > 0 && seconds > ctx->config->tune_seconds && m->search.best >= 0;
  while ((m->candidate = out_of_time ? -1 : hd_neighbourhood_next(&m->search)) >= 0) {
    hd_measuring_set(m, m->candidate);
    hd_variant_compile(ctx, v);
    if (v->code != NULL) {
      m->num_runs = m->num_times = 0;
      m->wanted_runs = HD_FEWEST_RUNS;
      m->failed = false;
      return true;
    }
    hd_measuring_settle_candidate(ctx, m, -1);
  }
  v->suitable = m->search.best >= 0;
  if (!v->suitable) return false;
  hd_measuring_report(ctx, m, false, true);
  hd_measuring_write(ctx, m);
  hd_measuring_set(m, m->search.best);
  v->code = m->best_code;
  m->best_code = NULL;
  return true;
}

HD_API struct hd_measuring* hd_measuring_begin(struct hd_context* ctx, struct hd_kernel_variant* variant,
                                               const struct hd_request* request) {
  struct hd_measuring* m = calloc(1, sizeof *m);
  if (m == NULL) return NULL;
  m->variant = variant;
  variant->most_registers = 0;  // each limit is a candidate of its own here
  m->family = ctx->program->specialized[request->kernel].family();
  m->shape = request->shape;
  m->began = hd_clock_microseconds();
  ctx->backend->model(ctx, &m->device);
  size_t most_runs = (size_t)ctx->config->tune_runs + HD_FEWEST_RUNS;
  m->runs = calloc(most_runs, sizeof *m->runs);
  m->times = calloc(most_runs, sizeof *m->times);
  bool begun = m->runs != NULL && m->times != NULL &&
               hd_neighbourhood_init(&m->search, m->family, &m->device, m->shape, HD_MOST_MEASURED) &&
               hd_measuring_next(ctx, m);
  if (begun) return m;
  hd_measuring_free(ctx, m);
  return NULL;
}

// Whether the candidate is run again. The first run warms up; the second's time decides how many follow, without
// waiting in between.
static bool hd_measuring_runs_again(struct hd_context* ctx, struct hd_measuring* m) {
  if (m->failed) return false;
  if (m->num_runs > 0) {
    if (ctx->backend->mark(ctx, &m->runs[m->num_pending].end) != HD_SUCCESS) return false;
    m->num_pending++;
  }
  m->num_runs++;
  if (m->num_runs == 2) {
    if (!hd_measuring_collect(ctx, m)) return false;
    const struct hd_neighbourhood* n = &m->search;
    if (n->best >= 0 && 1e-6 * m->times[0] > HD_TOO_SLOW * n->candidates[n->best].measured) return false;
    double enough = HD_LONG_ENOUGH / fmax(m->times[0], 1);
    double most = ctx->config->tune_runs;
    m->wanted_runs = (int)fmax(fmin(enough, most), fmin(HD_FEWEST_RUNS, most));
  }
  if (m->num_runs > m->wanted_runs) return false;
  return ctx->backend->mark(ctx, &m->runs[m->num_pending].begin) == HD_SUCCESS;
}

HD_API bool hd_measuring_goes_on(struct hd_context* ctx, struct hd_measuring* m) {
  if (ctx->error != NULL || m->candidate < 0) return false;
  if (hd_measuring_runs_again(ctx, m)) return true;
  if (!hd_measuring_collect(ctx, m)) return false;
  double seconds = m->failed || m->num_times == 0 ? -1 : 1e-6 * hd_median(m->num_times, m->times);
  hd_measuring_settle_candidate(ctx, m, seconds);
  if (hd_measuring_next(ctx, m)) return true;
  hd_error(ctx, "None of the tilings of %s could be run.", ctx->program->specialized[m->variant->kernel].label);
  return false;
}

HD_API bool hd_measuring_excuses(struct hd_context* ctx, struct hd_measuring* m,
                                 const struct hd_kernel_variant* variant) {
  if (m == NULL || m->variant != variant || m->candidate < 0) return false;
  char* problem = hd_context_take_error(ctx);
  if (ctx->logging) fprintf(ctx->log, "%s\n", problem);
  free(problem);
  m->failed = true;
  return true;
}

HD_API void hd_measuring_free(struct hd_context* ctx, struct hd_measuring* m) {
  if (m == NULL) return;
  hd_measuring_unload(ctx, m->best_code);
  hd_neighbourhood_free(&m->search);
  free(m->runs);
  free(m->times);
  free(m);
}
