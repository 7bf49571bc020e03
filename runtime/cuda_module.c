#include "cuda_module.h"

#include <stdlib.h>
#include <string.h>

#include "binary_cache.h"
#include "clock.h"

static struct hd_cache_key hd_cuda_cache_key(const struct hd_cuda_device* device, const char* text,
                                             const struct hd_nvrtc_options* options) {
  struct hd_cache_key key = hd_cache_key_start();
  int version[2] = {0, 0};
  device->nvrtc.nvrtcVersion(&version[0], &version[1]);
  hd_cache_key_add(&key, (const char*)version, sizeof version);
  for (int i = 0; i < options->num_options; i++) {
    hd_cache_key_add(&key, options->options[i], strlen(options->options[i]));
  }
  hd_cache_key_add(&key, text, strlen(text));
  return key;
}

// How long something took that began at `start`, for the log.
static double hd_cuda_milliseconds(int64_t start) { return 1e-3 * (double)(hd_clock_microseconds() - start); }

// Compiles and loads; what was compiled is left in `binary`, empty when that or loading it failed.
static int hd_cuda_build(struct hd_context* ctx, struct hd_cuda_device* device, const char* text,
                         const struct hd_nvrtc_options* options, struct hd_binary* binary, void** module) {
  struct hd_binary ptx = {0};
  const char* ptx_path = ctx->config->dump_ptx;
  int64_t start = hd_clock_microseconds();
  char* problem = hd_nvrtc_compile(&device->nvrtc, text, options, binary, ptx_path != NULL ? &ptx : NULL);
  int status = HD_SUCCESS;
  if (problem != NULL) {
    status = hd_error(ctx, "%s", problem);
    free(problem);
  } else {
    if (ptx_path != NULL) {
      // The PTX text ends in a zero byte, which is not part of it.
      int failed = hd_write_file(ptx_path, ptx.bytes, strlen(ptx.bytes));
      if (failed != 0) status = hd_error(ctx, "Cannot write PTX to %s: %s.", ptx_path, strerror(failed));
    }
    if (status == HD_SUCCESS) {
      double compiling = hd_cuda_milliseconds(start);
      start = hd_clock_microseconds();
      int result = device->cuda.cuModuleLoadData(module, binary->bytes);
      if (ctx->logging) {
        fprintf(ctx->log, "Compiled kernels in %.3f ms, loaded them in %.3f ms.\n", compiling,
                hd_cuda_milliseconds(start));
      }
      status = hd_cuda_checked(ctx, device, result, "cuModuleLoadData");
    }
  }
  free(ptx.bytes);
  if (status != HD_SUCCESS) {
    free(binary->bytes);
    *binary = (struct hd_binary){0};
  }
  return status;
}

// Loads a module from the cache or compiles it and caches the result. `file`: where to keep it, else under its hash
// where the user's folder may be used.
static int hd_cuda_load_cached(struct hd_context* ctx, struct hd_cuda_device* device, const char* text,
                               const struct hd_nvrtc_options* options, const char* file, void** module) {
  const struct hd_config* config = ctx->config;
  struct hd_cache_key key = hd_cuda_cache_key(device, text, options);
  char* path = file != NULL ? hd_copy_string(file) : config->cache_folder ? hd_cache_path(&key) : NULL;
  struct hd_binary binary = {0};
  int64_t start = hd_clock_microseconds();
  if (path != NULL && config->dump_ptx == NULL) binary.bytes = hd_cache_load(path, &key, &binary.length);
  bool loaded = false;
  if (binary.bytes != NULL) {
    loaded = device->cuda.cuModuleLoadData(module, binary.bytes) == HD_CUDA_SUCCESS;
    if (!loaded) *module = NULL;
    if (ctx->logging) {
      fprintf(ctx->log, "%s kernels from %s in %.3f ms.\n", loaded ? "Restored" : "Could not restore", path,
              hd_cuda_milliseconds(start));
    }
    free(binary.bytes);
    binary = (struct hd_binary){0};
  }
  int status = HD_SUCCESS;
  if (!loaded) {
    status = hd_cuda_build(ctx, device, text, options, &binary, module);
    if (status == HD_SUCCESS && path != NULL) {
      int problem = file != NULL ? hd_cache_store(path, &key, binary.bytes, binary.length)
                                 : hd_cache_keep(&key, binary.bytes, binary.length);
      // Only who asked for the file wants to know.
      if (problem != 0 && (ctx->logging || file != NULL)) {
        fprintf(stderr, "Note: compiled kernels could not be cached in %s: %s\n", path, strerror(problem));
      }
    }
    free(binary.bytes);
  }
  free(path);
  return status;
}

HD_API int hd_cuda_compile_text(struct hd_context* ctx, struct hd_cuda_device* device, const char* text,
                                const char* file, void** module) {
  char* problem = device->nvrtc_open ? NULL : hd_nvrtc_api_open(&device->nvrtc, device->driver_major);
  device->nvrtc_open = problem == NULL;
  struct hd_nvrtc_options options = {0};
  if (problem == NULL) problem = hd_nvrtc_choose_options(&device->nvrtc, ctx->config, device->capability, &options);
  if (problem != NULL) {
    hd_error(ctx, "%s", problem);
    free(problem);
    return HD_ERROR_PROGRAM;
  }
  if (ctx->logging) {
    fprintf(ctx->log, "NVRTC compile options:\n");
    for (int i = 0; i < options.num_options; i++) fprintf(ctx->log, "\t%s\n", options.options[i]);
    fprintf(ctx->log, "\n");
  }
  int status = hd_cuda_load_cached(ctx, device, text, &options, file, module);
  hd_nvrtc_options_free(&options);
  return status;
}

HD_API int hd_cuda_load_module(struct hd_context* ctx, struct hd_cuda_device* device) {
  const struct hd_config* config = ctx->config;
  size_t length;
  if (config->load_ptx != NULL) {
    char* image = hd_read_file(config->load_ptx, &length);
    if (image == NULL) return hd_error(ctx, "Cannot read %s.", config->load_ptx);
    int result = device->cuda.cuModuleLoadData(&device->module, image);
    free(image);
    return hd_cuda_checked(ctx, device, result, "cuModuleLoadData");
  }
  char* text = config->load_cuda != NULL   ? hd_read_file(config->load_cuda, &length)
               : config->cuda_text != NULL ? hd_copy_string(config->cuda_text)
                                           : hd_program_text(ctx->program);
  if (text == NULL && config->load_cuda != NULL) return hd_error(ctx, "Cannot read %s.", config->load_cuda);
  if (text == NULL) return hd_memory_error(ctx, "Out of host memory.");
  int status = HD_SUCCESS;
  if (config->dump_cuda != NULL) {
    int failed = hd_write_file(config->dump_cuda, text, strlen(text));
    if (failed != 0) status = hd_error(ctx, "Cannot write CUDA to %s: %s.", config->dump_cuda, strerror(failed));
  }
  if (status == HD_SUCCESS) status = hd_cuda_compile_text(ctx, device, text, config->cache_file, &device->module);
  free(text);
  return status;
}
