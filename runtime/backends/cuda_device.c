#include "runtime/backends/cuda_device.h"

#include <stdlib.h>
#include <string.h>

static const char* hd_cuda_words(const struct hd_cuda_device* device, int result) {
  const char* words = NULL;
  if (device->cuda.cuGetErrorString(result, &words) != HD_CUDA_SUCCESS || words == NULL) return "unknown error";
  return words;
}

HD_API int hd_cuda_checked(struct hd_context* ctx, const struct hd_cuda_device* device, int result, const char* call) {
  if (result == HD_CUDA_SUCCESS) return HD_SUCCESS;
  const char* words = hd_cuda_words(device, result);
  if (result == HD_CUDA_OUT_OF_MEMORY) {
    return hd_memory_error(ctx, "The CUDA device is out of memory: %s failed with error %d (%s).", call, result, words);
  }
  return hd_error(ctx, "The CUDA call %s failed with error %d (%s).", call, result, words);
}

HD_API int hd_cuda_attribute(struct hd_context* ctx, const struct hd_cuda_device* device, int ordinal, int attribute,
                             int64_t* value) {
  int number = 0;
  HD_CUDA_TRY(ctx, device, cuDeviceGetAttribute, &number, attribute, ordinal);
  *value = number;
  return HD_SUCCESS;
}

HD_API int hd_cuda_start_driver(struct hd_context* ctx, struct hd_cuda_device* device) {
  char* problem = hd_cuda_api_open(&device->cuda);
  if (problem != NULL) {
    hd_error(ctx, "%s", problem);
    free(problem);
    return HD_ERROR_PROGRAM;
  }
  int result = device->cuda.cuInit(0);
  if (result == HD_CUDA_NO_DEVICE) return hd_error(ctx, "The CUDA driver is installed, but there is no CUDA device.");
  if (result != HD_CUDA_SUCCESS) {
    return hd_error(ctx, "The CUDA driver could not be started: error %d (%s).", result, hd_cuda_words(device, result));
  }
  int version = 0;
  HD_CUDA_TRY(ctx, device, cuDriverGetVersion, &version);
  device->driver_major = version / 1000;
  return HD_SUCCESS;
}

struct hd_cuda_candidate {
  int ordinal;
  int capability;
  bool allowed;  // to compute
  char name[256];
};

static int hd_cuda_describe(struct hd_context* ctx, const struct hd_cuda_device* device, int i,
                            struct hd_cuda_candidate* candidate) {
  *candidate = (struct hd_cuda_candidate){0};
  int64_t major = 0, minor = 0, mode = 0;
  HD_CUDA_TRY(ctx, device, cuDeviceGet, &candidate->ordinal, i);
  int ordinal = candidate->ordinal;
  HD_CUDA_TRY(ctx, device, cuDeviceGetName, candidate->name, sizeof candidate->name - 1, ordinal);
  int status = hd_cuda_attribute(ctx, device, ordinal, HD_CU_CAPABILITY_MAJOR, &major);
  if (status == HD_SUCCESS) status = hd_cuda_attribute(ctx, device, ordinal, HD_CU_CAPABILITY_MINOR, &minor);
  if (status == HD_SUCCESS) status = hd_cuda_attribute(ctx, device, ordinal, HD_CU_COMPUTE_MODE, &mode);
  if (status != HD_SUCCESS) return status;
  candidate->capability = (int)(10 * major + minor);
  candidate->allowed = mode != HD_CU_COMPUTE_MODE_PROHIBITED;
  if (ctx->logging) {
    fprintf(ctx->log, "Device #%d: name=\"%s\", compute capability=%d.%d\n", i, candidate->name, (int)major,
            (int)minor);
  }
  return HD_SUCCESS;
}

// Looks through the devices for the one that the user wants, or else for the one with the highest compute capability.
// `names` receives those that could have been chosen.
static int hd_cuda_search(struct hd_context* ctx, struct hd_cuda_device* device, struct hd_text* names, bool* found) {
  const struct hd_config* config = ctx->config;
  bool any = *config->device == 0 && config->device_number == 0;
  int count = 0, matches = 0;
  *found = false;
  HD_CUDA_TRY(ctx, device, cuDeviceGetCount, &count);
  for (int i = 0; i < count; i++) {
    struct hd_cuda_candidate candidate;
    int status = hd_cuda_describe(ctx, device, i, &candidate);
    if (status != HD_SUCCESS) return status;
    if (!candidate.allowed) continue;
    hd_text_add(names, "%s\"%s\"", names->length > 0 ? ", " : "", candidate.name);
    bool wanted = any ? !*found || candidate.capability > device->capability
                      : strstr(candidate.name, config->device) != NULL && matches++ == config->device_number;
    if (!wanted) continue;
    *found = true;
    device->ordinal = candidate.ordinal;
    device->capability = candidate.capability;
  }
  return HD_SUCCESS;
}

HD_API int hd_cuda_choose_device(struct hd_context* ctx, struct hd_cuda_device* device) {
  struct hd_text names = {0};
  bool found;
  int status = hd_cuda_search(ctx, device, &names, &found);
  if (status == HD_SUCCESS && !found && names.length == 0) {
    status = hd_error(ctx, "There is no CUDA device that computations are allowed on.");
  } else if (status == HD_SUCCESS && !found) {
    status = hd_error(ctx, "There is no CUDA device number %d whose name contains \"%s\"; there are: %s.",
                      ctx->config->device_number, ctx->config->device, names.chars);
  } else if (status == HD_SUCCESS && ctx->logging) {
    fprintf(ctx->log, "Using device #%d\n", device->ordinal);
  }
  hd_text_clear(&names);
  return status;
}

HD_API int hd_cuda_query_limits(struct hd_context* ctx, const struct hd_cuda_device* device) {
  struct hd_limits* limits = &ctx->limits;
  int64_t processors = 1, threads = 1, warp = 32;
  const struct {
    int attribute;
    int64_t* value;
  } queries[] = {{HD_CU_MAX_THREADS_PER_BLOCK, &limits->max_block_size},
                 {HD_CU_MAX_GRID_DIM_X, &limits->max_grid_size},
                 {HD_CU_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &limits->max_shared_memory},
                 {HD_CU_MAX_REGISTERS_PER_BLOCK, &limits->max_registers},
                 {HD_CU_L2_CACHE_SIZE, &limits->max_cache},
                 {HD_CU_MULTIPROCESSOR_COUNT, &processors},
                 {HD_CU_MAX_THREADS_PER_MULTIPROCESSOR, &threads},
                 {HD_CU_WARP_SIZE, &warp}};
  for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
    int status = hd_cuda_attribute(ctx, device, device->ordinal, queries[i].attribute, queries[i].value);
    if (status != HD_SUCCESS) return status;
  }
  limits->grid_threads = processors * threads;
  limits->enough_threads = 32 * 1024;  // as Futhark has it
  limits->warp_size = (int)warp;
  return HD_SUCCESS;
}

// What the driver says, and what follows from the compute capability.
HD_API int hd_cuda_query_model(struct hd_context* ctx, struct hd_cuda_device* device) {
  struct hd_device_model* model = &device->model;
  int64_t clock = 0, memory_clock = 0, bus = 0;
  const struct {
    int attribute;
    int64_t* value;
  } queries[] = {{HD_CU_MULTIPROCESSOR_COUNT, &model->multiprocessors},
                 {HD_CU_CLOCK_RATE, &clock},
                 {HD_CU_MEMORY_CLOCK_RATE, &memory_clock},
                 {HD_CU_MEMORY_BUS_WIDTH, &bus},
                 {HD_CU_MAX_REGISTERS_PER_MULTIPROCESSOR, &model->registers},
                 {HD_CU_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, &model->shared_bytes},
                 {HD_CU_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &model->shared_bytes_of_block},
                 {HD_CU_MAX_THREADS_PER_MULTIPROCESSOR, &model->threads}};
  for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
    int status = hd_cuda_attribute(ctx, device, device->ordinal, queries[i].attribute, queries[i].value);
    if (status != HD_SUCCESS) return status;
  }
  // Rates come in kHz. Devices since 8.6 have 128 single precision lanes per multiprocessor, 8.0 and 7.x have 64.
  model->clock_hz = 1e3 * (double)clock;
  model->bytes_per_second = 0.85 * 2 * 1e3 * (double)memory_clock * (double)bus / 8;
  model->fma_per_clock = device->capability >= 86 ? 128 : 64;
  model->words_per_clock = 32;
  return HD_SUCCESS;
}
