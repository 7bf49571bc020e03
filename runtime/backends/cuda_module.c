#include "runtime/backends/cuda_module.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backends/cuda_builds.h"

// Long programs are compiled in parts, side by side: of about as many bytes of kernels, before which each has what all
// kernels need. How many there are depends on the program alone, so that what is cached is found again.
enum { HD_PART_BYTES = 40 * 1024 };

static int hd_cuda_compile(struct hd_context* ctx, struct hd_cuda_device* device, int num_texts,
                           const char* const* texts) {
  struct hd_cuda_builds builds;
  int status = hd_cuda_builds_begin(ctx, device, num_texts, texts, ctx->config->cache_file, &builds);
  if (status == HD_SUCCESS) status = hd_cuda_builds_load_all(&builds, device->modules);
  hd_cuda_builds_end(&builds);
  return status;
}

static size_t hd_length_of_pieces(const char* const* pieces) {
  size_t length = 0;
  for (; pieces != NULL && *pieces != NULL; pieces++) length += strlen(*pieces);
  return length;
}

static int hd_cuda_compile_in_parts(struct hd_context* ctx, struct hd_cuda_device* device) {
  const struct hd_program* program = ctx->program;
  size_t length = 0, before = 0;
  for (int k = 0; k < program->num_kernels; k++) length += hd_length_of_pieces(program->kernels[k].text);
  size_t num_parts = length / HD_PART_BYTES + 1;
  if (num_parts > HD_MOST_MODULES) num_parts = HD_MOST_MODULES;
  struct hd_text texts[HD_MOST_MODULES] = {0};
  for (size_t i = 0; i < num_parts; i++) hd_add_pieces(&texts[i], program->device_text);
  hd_add_pieces(&texts[0], program->kernel_text);
  for (int k = 0; k < program->num_kernels; k++) {
    const char* const* text = program->kernels[k].text;
    if (text == NULL) continue;
    size_t part = before * num_parts / (length + 1);
    device->kernels[k].module = (int)part;
    hd_add_pieces(&texts[part], text);
    before += hd_length_of_pieces(text);
  }
  char* whole[HD_MOST_MODULES] = {0};
  int status = HD_SUCCESS;
  for (size_t i = 0; i < num_parts; i++) {
    whole[i] = hd_text_take(&texts[i]);
    if (whole[i] == NULL) status = hd_memory_error(ctx, "Out of host memory.");
  }
  if (status == HD_SUCCESS) status = hd_cuda_compile(ctx, device, (int)num_parts, (const char* const*)whole);
  for (size_t i = 0; i < num_parts; i++) free(whole[i]);
  return status;
}

HD_API int hd_cuda_load_module(struct hd_context* ctx, struct hd_cuda_device* device) {
  const struct hd_config* config = ctx->config;
  size_t length;
  if (config->load_ptx != NULL) {
    char* image = hd_read_file(config->load_ptx, &length);
    if (image == NULL) return hd_error(ctx, "Cannot read %s: %s.", config->load_ptx, strerror(errno));
    int result = device->cuda.cuModuleLoadData(&device->modules[0], image);
    free(image);
    return hd_cuda_checked(ctx, device, result, "cuModuleLoadData");
  }
  // One file has room for one module, and a text from elsewhere stays whole.
  bool in_parts =
      config->load_cuda == NULL && config->cuda_text == NULL && config->dump_ptx == NULL && config->cache_file == NULL;
  if (in_parts && config->dump_cuda == NULL) return hd_cuda_compile_in_parts(ctx, device);
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
  if (status == HD_SUCCESS) {
    status =
        in_parts ? hd_cuda_compile_in_parts(ctx, device) : hd_cuda_compile(ctx, device, 1, (const char* const*)&text);
  }
  free(text);
  return status;
}
