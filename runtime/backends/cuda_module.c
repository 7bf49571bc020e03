#include "runtime/backends/cuda_module.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backends/cuda_builds.h"

static int hd_cuda_compile_program(struct hd_context* ctx, struct hd_cuda_device* device, const char* text) {
  struct hd_cuda_builds builds;
  int status = hd_cuda_builds_begin(ctx, device, 1, &text, ctx->config->cache_file, &builds);
  if (status == HD_SUCCESS) status = hd_cuda_builds_load(&builds, 0, &device->module);
  hd_cuda_builds_end(&builds);
  return status;
}

HD_API int hd_cuda_load_module(struct hd_context* ctx, struct hd_cuda_device* device) {
  const struct hd_config* config = ctx->config;
  size_t length;
  if (config->load_ptx != NULL) {
    char* image = hd_read_file(config->load_ptx, &length);
    if (image == NULL) return hd_error(ctx, "Cannot read %s: %s.", config->load_ptx, strerror(errno));
    int result = device->cuda.cuModuleLoadData(&device->module, image);
    free(image);
    return hd_cuda_checked(ctx, device, result, "cuModuleLoadData");
  }
  char* text = config->load_cuda != NULL   ? hd_read_file(config->load_cuda, &length)
               : config->cuda_text != NULL ? hd_copy_string(config->cuda_text)
                                           : hd_program_text(ctx->program);
  if (text == NULL && config->load_cuda != NULL) {
    return hd_error(ctx, "Cannot read %s: %s.", config->load_cuda, strerror(errno));
  }
  if (text == NULL) return hd_memory_error(ctx, "Out of host memory.");
  int status = HD_SUCCESS;
  if (config->dump_cuda != NULL) {
    int failed = hd_write_file(config->dump_cuda, text, strlen(text));
    if (failed != 0) status = hd_error(ctx, "Cannot write CUDA to %s: %s.", config->dump_cuda, strerror(failed));
  }
  if (status == HD_SUCCESS) status = hd_cuda_compile_program(ctx, device, text);
  free(text);
  return status;
}
