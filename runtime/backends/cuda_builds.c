#include "runtime/backends/cuda_builds.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/binary_cache.h"
#include "runtime/core/clock.h"
#include "runtime/core/processors.h"

struct hd_cuda_build {
  const struct hd_cuda_builds* of;
  const char* text;
  bool compiled;  // or tried to
  bool restored;  // from the cache
  double milliseconds;
  char* problem;
  struct hd_binary binary, ptx;
  pthread_t thread;
};

// How long something took that began at `start`, for the log.
static double hd_cuda_milliseconds(int64_t start) { return 1e-3 * (double)(hd_clock_microseconds() - start); }

HD_API int hd_cuda_builds_begin(struct hd_context* ctx, struct hd_cuda_device* device, int num_texts,
                                const char* const* texts, const char* file, struct hd_cuda_builds* builds) {
  *builds = (struct hd_cuda_builds){.ctx = ctx, .device = device, .file = file};
  char* problem = device->nvrtc_open ? NULL : hd_nvrtc_api_open(&device->nvrtc, device->driver_major);
  device->nvrtc_open = problem == NULL;
  if (problem == NULL) {
    problem = hd_nvrtc_choose_options(&device->nvrtc, ctx->config, device->capability, &builds->options);
  }
  if (problem != NULL) {
    hd_error(ctx, "%s", problem);
    free(problem);
    return HD_ERROR_PROGRAM;
  }
  if (ctx->logging) {
    fprintf(ctx->log, "NVRTC compile options:\n");
    for (int i = 0; i < builds->options.num_options; i++) fprintf(ctx->log, "\t%s\n", builds->options.options[i]);
    fprintf(ctx->log, "\n");
  }
  builds->builds = calloc((size_t)num_texts, sizeof *builds->builds);
  if (builds->builds == NULL) return hd_memory_error(ctx, "Out of host memory.");
  builds->num_builds = num_texts;
  for (int i = 0; i < num_texts; i++) {
    builds->builds[i].of = builds;
    builds->builds[i].text = texts[i];
  }
  return HD_SUCCESS;
}

static struct hd_cache_key hd_cuda_cache_key(const struct hd_cuda_builds* builds, const char* text) {
  struct hd_cache_key key = hd_cache_key_start();
  int version[2] = {0, 0};
  builds->device->nvrtc.nvrtcVersion(&version[0], &version[1]);
  hd_cache_key_add(&key, (const char*)version, sizeof version);
  for (int i = 0; i < builds->options.num_options; i++) {
    hd_cache_key_add(&key, builds->options.options[i], strlen(builds->options.options[i]));
  }
  hd_cache_key_add(&key, text, strlen(text));
  return key;
}

static void* hd_cuda_run_build(void* build) {
  struct hd_cuda_build* b = build;
  const struct hd_cuda_builds* of = b->of;
  int64_t start = hd_clock_microseconds();
  struct hd_binary* ptx = of->ctx->config->dump_ptx != NULL ? &b->ptx : NULL;
  b->problem = hd_nvrtc_compile(&of->device->nvrtc, b->text, &of->options, &b->binary, ptx);
  b->milliseconds = hd_cuda_milliseconds(start);
  b->compiled = true;
  return NULL;
}

// Half of the processors are often but second threads of the others. The third text is seldom asked for, but where it is the last one often is, too.
static int hd_cuda_num_compilers(int index) {
  int processors = hd_num_processors();
  if (processors < 4) return 1;
  return index == 0 || processors < 8 ? 2 : processors / 2;
}

static void hd_cuda_compile_from(struct hd_cuda_builds* builds, int index) {
  int end = index + 1;
  for (int most = index + hd_cuda_num_compilers(index); end < most && end < builds->num_builds; end++) {
    struct hd_cuda_build* b = &builds->builds[end];
    if (pthread_create(&b->thread, NULL, hd_cuda_run_build, b) != 0) break;
  }
  hd_cuda_run_build(&builds->builds[index]);
  for (int i = index + 1; i < end; i++) pthread_join(builds->builds[i].thread, NULL);
}

// False where there is nothing fit for use in the cache.
static bool hd_cuda_load_cached(const struct hd_cuda_builds* builds, const char* path, const struct hd_cache_key* key,
                                void** module) {
  struct hd_context* ctx = builds->ctx;
  struct hd_binary binary = {0};
  int64_t start = hd_clock_microseconds();
  binary.bytes = hd_cache_load(path, key, &binary.length);
  if (binary.bytes == NULL) return false;
  bool loaded = builds->device->cuda.cuModuleLoadData(module, binary.bytes) == HD_CUDA_SUCCESS;
  if (!loaded) *module = NULL;
  if (ctx->logging) {
    fprintf(ctx->log, "%s kernels from %s in %.3f ms.\n", loaded ? "Restored" : "Could not restore", path,
            hd_cuda_milliseconds(start));
  }
  free(binary.bytes);
  return loaded;
}

static int hd_cuda_load_compiled(const struct hd_cuda_builds* builds, const struct hd_cuda_build* build,
                                 void** module) {
  struct hd_context* ctx = builds->ctx;
  const char* ptx_path = ctx->config->dump_ptx;
  if (build->problem != NULL) return hd_error(ctx, "%s", build->problem);
  if (ptx_path != NULL) {
    // The PTX text ends in a zero byte, which is not part of it.
    int failed = hd_write_file(ptx_path, build->ptx.bytes, strlen(build->ptx.bytes));
    if (failed != 0) return hd_error(ctx, "Cannot write PTX to %s: %s.", ptx_path, strerror(failed));
  }
  int64_t start = hd_clock_microseconds();
  int result = builds->device->cuda.cuModuleLoadData(module, build->binary.bytes);
  if (ctx->logging) {
    fprintf(ctx->log, "Compiled kernels in %.3f ms, loaded them in %.3f ms.\n", build->milliseconds,
            hd_cuda_milliseconds(start));
  }
  return hd_cuda_checked(ctx, builds->device, result, "cuModuleLoadData");
}

static void hd_cuda_keep(const struct hd_cuda_builds* builds, const char* path, const struct hd_cache_key* key,
                         const struct hd_binary* binary) {
  int problem = builds->file != NULL ? hd_cache_store(path, key, binary->bytes, binary->length)
                                     : hd_cache_keep(key, binary->bytes, binary->length);
  // Only who asked for the file wants to know.
  if (problem != 0 && (builds->ctx->logging || builds->file != NULL)) {
    fprintf(stderr, "Note: compiled kernels could not be cached in %s: %s\n", path, strerror(problem));
  }
}

// Where the module of a text is kept, to be freed; NULL where it is not.
static char* hd_cuda_cached_at(const struct hd_cuda_builds* builds, const struct hd_cache_key* key) {
  const struct hd_config* config = builds->ctx->config;
  return builds->file != NULL ? hd_copy_string(builds->file) : config->cache_folder ? hd_cache_path(key) : NULL;
}

static bool hd_cuda_restore_build(const struct hd_cuda_builds* builds, int index, void** module) {
  struct hd_cache_key key = hd_cuda_cache_key(builds, builds->builds[index].text);
  char* path = builds->ctx->config->dump_ptx == NULL ? hd_cuda_cached_at(builds, &key) : NULL;
  bool restored = path != NULL && hd_cuda_load_cached(builds, path, &key, module);
  free(path);
  return restored;
}

// What has been compiled.
static int hd_cuda_load_and_keep_build(const struct hd_cuda_builds* builds, int index, void** module) {
  const struct hd_cuda_build* build = &builds->builds[index];
  struct hd_cache_key key = hd_cuda_cache_key(builds, build->text);
  char* path = hd_cuda_cached_at(builds, &key);
  int status = hd_cuda_load_compiled(builds, build, module);
  if (status == HD_SUCCESS && path != NULL) hd_cuda_keep(builds, path, &key, &build->binary);
  free(path);
  return status;
}

HD_API int hd_cuda_builds_load(struct hd_cuda_builds* builds, int index, void** module) {
  bool compiled = builds->builds[index].compiled;
  if (!compiled && hd_cuda_restore_build(builds, index, module)) return HD_SUCCESS;
  if (!compiled) hd_cuda_compile_from(builds, index);
  return hd_cuda_load_and_keep_build(builds, index, module);
}

struct hd_cuda_queue {
  struct hd_cuda_builds* builds;
  atomic_int next;
};

// Compiles what nobody has begun to.
static void* hd_cuda_run_builds(void* queue) {
  struct hd_cuda_queue* q = queue;
  while (true) {
    int next = atomic_fetch_add(&q->next, 1);
    if (next >= q->builds->num_builds) return NULL;
    if (!q->builds->builds[next].restored) hd_cuda_run_build(&q->builds->builds[next]);
  }
}

HD_API int hd_cuda_builds_load_all(struct hd_cuda_builds* builds, void** modules) {
  struct hd_cuda_queue queue = {builds, 0};
  int missing = 0, helpers = 0;
  for (int i = 0; i < builds->num_builds; i++) {
    builds->builds[i].restored = hd_cuda_restore_build(builds, i, &modules[i]);
    missing += !builds->builds[i].restored;
  }
  for (int most = hd_num_processors(); helpers + 1 < missing && helpers + 1 < most; helpers++) {
    if (pthread_create(&builds->builds[helpers].thread, NULL, hd_cuda_run_builds, &queue) != 0) break;
  }
  hd_cuda_run_builds(&queue);
  for (int i = 0; i < helpers; i++) pthread_join(builds->builds[i].thread, NULL);
  int status = HD_SUCCESS;
  for (int i = 0; i < builds->num_builds && status == HD_SUCCESS; i++) {
    if (!builds->builds[i].restored) status = hd_cuda_load_and_keep_build(builds, i, &modules[i]);
  }
  return status;
}

HD_API void hd_cuda_builds_end(struct hd_cuda_builds* builds) {
  for (int i = 0; i < builds->num_builds; i++) {
    free(builds->builds[i].problem);
    free(builds->builds[i].binary.bytes);
    free(builds->builds[i].ptx.bytes);
  }
  free(builds->builds);
  hd_nvrtc_options_free(&builds->options);
}
