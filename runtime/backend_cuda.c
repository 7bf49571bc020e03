#include "backend_cuda.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "binary_cache.h"
#include "builtin.h"
#include "clock.h"
#include "nvrtc.h"

// Numbers of the driver's binary interface.
enum {
  HD_CU_MAX_THREADS_PER_BLOCK = 1,
  HD_CU_MAX_GRID_DIM_X = 5,
  HD_CU_CLOCK_RATE = 13,
  HD_CU_WARP_SIZE = 10,
  HD_CU_MAX_REGISTERS_PER_BLOCK = 12,
  HD_CU_MULTIPROCESSOR_COUNT = 16,
  HD_CU_COMPUTE_MODE = 20,
  HD_CU_L2_CACHE_SIZE = 38,
  HD_CU_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  HD_CU_MEMORY_CLOCK_RATE = 36,
  HD_CU_MEMORY_BUS_WIDTH = 37,
  HD_CU_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
  HD_CU_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
  HD_CU_CAPABILITY_MAJOR = 75,
  HD_CU_CAPABILITY_MINOR = 76,
  HD_CU_MANAGED_MEMORY = 83,
  HD_CU_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
  HD_CU_COMPUTE_MODE_PROHIBITED = 2,
  HD_CU_FUNC_MAX_THREADS_PER_BLOCK = 0,
  HD_CU_FUNC_SHARED_SIZE = 1,
  HD_CU_FUNC_LOCAL_SIZE = 3,
  HD_CU_FUNC_NUM_REGISTERS = 4,
  HD_CU_FUNC_MAX_DYNAMIC_SHARED_SIZE = 8,
  HD_CU_MEM_ATTACH_GLOBAL = 1
};

// Copies to pageable memory make the driver wait for each of them: short ones go through pinned memory.
enum { HD_STAGING_BYTES = 4096 };

struct hd_cuda_kernel {
  void* function;  // NULL until first used
  int max_threads;
  int num_registers;
  int local_bytes;  // of a thread
  int static_shared;
  int dynamic_shared;  // allowed so far
};

struct hd_cuda_device {
  struct hd_cuda_api cuda;
  struct hd_nvrtc_api nvrtc;
  int driver_major;
  int ordinal;  // of the chosen device
  int capability;
  bool managed;
  bool nvrtc_open;
  struct hd_device_model model;
  void* context;
  void* remembered;  // what was current on the host thread before
  void* stream;
  void* module;
  char* staging;                   // pinned host memory
  struct hd_cuda_kernel* kernels;  // the program's, then the builtin ones
};

static const char* hd_cuda_words(const struct hd_cuda_device* device, int result) {
  const char* words = NULL;
  if (device->cuda.cuGetErrorString(result, &words) != HD_CUDA_SUCCESS || words == NULL) return "unknown error";
  return words;
}

static int hd_cuda_checked(struct hd_context* ctx, const struct hd_cuda_device* device, int result, const char* call) {
  if (result == HD_CUDA_SUCCESS) return HD_SUCCESS;
  const char* words = hd_cuda_words(device, result);
  if (result == HD_CUDA_OUT_OF_MEMORY) {
    return hd_memory_error(ctx, "The CUDA device is out of memory: %s failed with error %d (%s).", call, result, words);
  }
  return hd_error(ctx, "The CUDA call %s failed with error %d (%s).", call, result, words);
}

// Calls a driver function and returns from the caller with a message when that fails.
#define HD_CUDA_TRY(ctx, device, function, ...)                                                    \
  do {                                                                                             \
    int hd_status = hd_cuda_checked(ctx, device, (device)->cuda.function(__VA_ARGS__), #function); \
    if (hd_status != HD_SUCCESS) return hd_status;                                                 \
  } while (0)

// The driver's context belongs to the host thread that is calling.
static int hd_cuda_enter(struct hd_context* ctx) {
  struct hd_cuda_device* device = ctx->device;
  HD_CUDA_TRY(ctx, device, cuCtxSetCurrent, device->context);
  return HD_SUCCESS;
}

static int hd_cuda_attribute(struct hd_context* ctx, const struct hd_cuda_device* device, int ordinal, int attribute,
                             int64_t* value) {
  int number = 0;
  HD_CUDA_TRY(ctx, device, cuDeviceGetAttribute, &number, attribute, ordinal);
  *value = number;
  return HD_SUCCESS;
}

static int hd_cuda_start_driver(struct hd_context* ctx, struct hd_cuda_device* device) {
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

static int hd_cuda_choose_device(struct hd_context* ctx, struct hd_cuda_device* device) {
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

static int hd_cuda_query_limits(struct hd_context* ctx, const struct hd_cuda_device* device) {
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
  limits->warp_size = (int)warp;
  return HD_SUCCESS;
}

// What the driver says, and what follows from the compute capability.
static int hd_cuda_query_model(struct hd_context* ctx, struct hd_cuda_device* device) {
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

static int hd_cuda_compile_text(struct hd_context* ctx, struct hd_cuda_device* device, const char* text,
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

static int hd_cuda_load_module(struct hd_context* ctx, struct hd_cuda_device* device) {
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

static int hd_cuda_set_up(struct hd_context* ctx, struct hd_cuda_device* device) {
  int status = hd_cuda_start_driver(ctx, device);
  if (status == HD_SUCCESS) status = hd_cuda_choose_device(ctx, device);
  if (status == HD_SUCCESS) status = hd_cuda_query_limits(ctx, device);
  if (status == HD_SUCCESS) status = hd_cuda_query_model(ctx, device);
  if (status != HD_SUCCESS) return status;
  if (ctx->config->unified_memory) {
    int64_t managed = 0;
    status = hd_cuda_attribute(ctx, device, device->ordinal, HD_CU_MANAGED_MEMORY, &managed);
    if (status != HD_SUCCESS) return status;
    if (managed == 0 && ctx->config->unified_memory == 1) {
      return hd_error(ctx, "The CUDA device has no unified memory.");
    }
    device->managed = managed != 0;
  }
  HD_CUDA_TRY(ctx, device, cuCtxGetCurrent, &device->remembered);
  HD_CUDA_TRY(ctx, device, cuDevicePrimaryCtxRetain, &device->context, device->ordinal);
  HD_CUDA_TRY(ctx, device, cuCtxSetCurrent, device->context);
  HD_CUDA_TRY(ctx, device, cuStreamCreate, &device->stream, 0);
  HD_CUDA_TRY(ctx, device, cuMemAllocHost_v2, (void**)&device->staging, HD_STAGING_BYTES);
  size_t num_kernels = (size_t)ctx->program->num_kernels + HD_NUM_BUILTINS;
  device->kernels = calloc(num_kernels, sizeof *device->kernels);
  if (device->kernels == NULL) return hd_memory_error(ctx, "Out of host memory.");
  return hd_cuda_load_module(ctx, device);
}

// Also undoes a set-up that failed half-way. What the driver says to this no longer matters.
static void hd_cuda_tear_down(struct hd_cuda_device* device) {
  if (device->context != NULL) {
    device->cuda.cuCtxSetCurrent(device->context);
    if (device->module != NULL) device->cuda.cuModuleUnload(device->module);
    if (device->staging != NULL) device->cuda.cuMemFreeHost(device->staging);
    if (device->stream != NULL) device->cuda.cuStreamDestroy_v2(device->stream);
    device->cuda.cuDevicePrimaryCtxRelease_v2(device->ordinal);
    device->cuda.cuCtxSetCurrent(device->remembered);
  }
  // The driver's library stays open: threads of its own may outlive the last context.
  hd_nvrtc_api_close(&device->nvrtc);
  free(device->kernels);
  free(device);
}

static int hd_cuda_open(struct hd_context* ctx) {
  struct hd_cuda_device* device = calloc(1, sizeof *device);
  if (device == NULL) return hd_memory_error(ctx, "Out of host memory.");
  int status = hd_cuda_set_up(ctx, device);
  if (status == HD_SUCCESS) {
    ctx->device = device;
  } else {
    hd_cuda_tear_down(device);
  }
  return status;
}

static void hd_cuda_close(struct hd_context* ctx) {
  hd_cuda_tear_down(ctx->device);
  ctx->device = NULL;
}

static void hd_cuda_remember(struct hd_context* ctx) {
  struct hd_cuda_device* device = ctx->device;
  hd_cuda_checked(ctx, device, device->cuda.cuCtxGetCurrent(&device->remembered), "cuCtxGetCurrent");
}

static void hd_cuda_restore(struct hd_context* ctx) {
  struct hd_cuda_device* device = ctx->device;
  hd_cuda_checked(ctx, device, device->cuda.cuCtxSetCurrent(device->remembered), "cuCtxSetCurrent");
}

static int hd_cuda_alloc(struct hd_context* ctx, int64_t bytes, void** address) {
  struct hd_cuda_device* device = ctx->device;
  int status = hd_cuda_enter(ctx);
  if (status != HD_SUCCESS) return status;
  hd_cuda_address block = 0;
  int result = device->managed ? device->cuda.cuMemAllocManaged(&block, (size_t)bytes, HD_CU_MEM_ATTACH_GLOBAL)
                               : device->cuda.cuMemAlloc_v2(&block, (size_t)bytes);
  if (result == HD_CUDA_OUT_OF_MEMORY) return HD_ERROR_MEMORY;
  *address = (void*)(uintptr_t)block;
  return hd_cuda_checked(ctx, device, result, "cuMemAlloc");
}

static void hd_cuda_free(struct hd_context* ctx, void* address) {
  struct hd_cuda_device* device = ctx->device;
  if (hd_cuda_enter(ctx) != HD_SUCCESS) return;
  hd_cuda_checked(ctx, device, device->cuda.cuMemFree_v2((uintptr_t)address), "cuMemFree");
}

// The host memory is pageable: the driver has taken a copy of what goes to the device when the call returns.
static int hd_cuda_copy(struct hd_context* ctx, void* dst, const void* src, int64_t bytes,
                        enum hd_direction direction) {
  struct hd_cuda_device* device = ctx->device;
  int status = hd_cuda_enter(ctx);
  if (status != HD_SUCCESS) return status;
  size_t size = (size_t)bytes;
  switch (direction) {
    case HD_TO_DEVICE:
      HD_CUDA_TRY(ctx, device, cuMemcpyHtoDAsync_v2, (uintptr_t)dst, src, size, device->stream);
      break;
    case HD_ON_DEVICE:
      HD_CUDA_TRY(ctx, device, cuMemcpyDtoDAsync_v2, (uintptr_t)dst, (uintptr_t)src, size, device->stream);
      break;
  }
  return HD_SUCCESS;
}

static int hd_cuda_look_up(struct hd_context* ctx, void* module, const char* name, struct hd_cuda_kernel* kernel) {
  struct hd_cuda_device* device = ctx->device;
  void* function = NULL;
  HD_CUDA_TRY(ctx, device, cuModuleGetFunction, &function, module, name);
  HD_CUDA_TRY(ctx, device, cuFuncGetAttribute, &kernel->max_threads, HD_CU_FUNC_MAX_THREADS_PER_BLOCK, function);
  HD_CUDA_TRY(ctx, device, cuFuncGetAttribute, &kernel->num_registers, HD_CU_FUNC_NUM_REGISTERS, function);
  HD_CUDA_TRY(ctx, device, cuFuncGetAttribute, &kernel->local_bytes, HD_CU_FUNC_LOCAL_SIZE, function);
  HD_CUDA_TRY(ctx, device, cuFuncGetAttribute, &kernel->static_shared, HD_CU_FUNC_SHARED_SIZE, function);
  HD_CUDA_TRY(ctx, device, cuFuncGetAttribute, &kernel->dynamic_shared, HD_CU_FUNC_MAX_DYNAMIC_SHARED_SIZE, function);
  kernel->function = function;
  return HD_SUCCESS;
}

// Looks a kernel up when it is first used.
static int hd_cuda_find_kernel(struct hd_context* ctx, int index, struct hd_cuda_kernel** found) {
  struct hd_cuda_device* device = ctx->device;
  struct hd_cuda_kernel* kernel = &device->kernels[index];
  *found = kernel;
  if (kernel->function != NULL) return HD_SUCCESS;
  return hd_cuda_look_up(ctx, device->module, hd_kernel_name(ctx, index), kernel);
}

// A kernel compiled at run time.
struct hd_cuda_code {
  void* module;
  struct hd_cuda_kernel kernel;
};

static void hd_cuda_unload(struct hd_context* ctx, void* code) {
  struct hd_cuda_device* device = ctx->device;
  struct hd_cuda_code* c = code;
  if (hd_cuda_enter(ctx) == HD_SUCCESS && c->module != NULL) device->cuda.cuModuleUnload(c->module);
  free(c);
}

static void* hd_cuda_load(struct hd_context* ctx, const char* text, const char* name, int* spilled) {
  struct hd_cuda_device* device = ctx->device;
  struct hd_cuda_code* code = calloc(1, sizeof *code);
  if (code == NULL) return NULL;
  int status = hd_cuda_enter(ctx);
  if (status == HD_SUCCESS) status = hd_cuda_compile_text(ctx, device, text, NULL, &code->module);
  if (status == HD_SUCCESS) status = hd_cuda_look_up(ctx, code->module, name, &code->kernel);
  if (status == HD_SUCCESS) {
    *spilled = code->kernel.local_bytes;
    return code;
  }
  char* problem = hd_context_take_error(ctx);
  if (ctx->logging) fprintf(ctx->log, "%s\n", problem);
  free(problem);
  hd_cuda_unload(ctx, code);
  return NULL;
}

static void hd_cuda_model(struct hd_context* ctx, struct hd_device_model* model) {
  *model = ((struct hd_cuda_device*)ctx->device)->model;
}

static int hd_cuda_launch(struct hd_context* ctx, const struct hd_launch* launch) {
  struct hd_cuda_device* device = ctx->device;
  struct hd_cuda_kernel* kernel;
  int status = hd_cuda_enter(ctx);
  if (launch->code != NULL) {
    kernel = &((struct hd_cuda_code*)launch->code)->kernel;
  } else if (status == HD_SUCCESS) {
    status = hd_cuda_find_kernel(ctx, launch->kernel, &kernel);
  }
  if (status != HD_SUCCESS) return status;
  const char* name = launch->code != NULL ? launch->name : hd_kernel_name(ctx, launch->kernel);
  if (launch->block_size > kernel->max_threads) {
    return hd_error(ctx,
                    "Kernel %s cannot have blocks of %d threads: with %d registers per thread, the device's %" PRId64
                    " registers per block suffice for %d.",
                    name, launch->block_size, kernel->num_registers, ctx->limits.max_registers, kernel->max_threads);
  }
  if (launch->shared_bytes + kernel->static_shared > ctx->limits.max_shared_memory) {
    return hd_error(
        ctx, "Kernel %s needs %" PRId64 " bytes of shared memory per block, but the device allows at most %" PRId64 ".",
        name, launch->shared_bytes + kernel->static_shared, ctx->limits.max_shared_memory);
  }
  if (launch->shared_bytes > kernel->dynamic_shared) {
    // Without being asked, the driver refuses more than 48 KiB.
    HD_CUDA_TRY(ctx, device, cuFuncSetAttribute, kernel->function, HD_CU_FUNC_MAX_DYNAMIC_SHARED_SIZE,
                (int)launch->shared_bytes);
    kernel->dynamic_shared = (int)launch->shared_bytes;
  }
  int result =
      device->cuda.cuLaunchKernel(kernel->function, (unsigned)launch->num_blocks, 1, 1, (unsigned)launch->block_size, 1,
                                  1, (unsigned)launch->shared_bytes, device->stream, launch->args, NULL);
  if (result == HD_CUDA_SUCCESS) return HD_SUCCESS;
  if (result == HD_CUDA_OUT_OF_MEMORY) {
    return hd_memory_error(ctx, "Kernel %s cannot start: the device has no memory left for its threads' private data.",
                           name);
  }
  return hd_error(ctx, "Kernel %s cannot start: error %d (%s).", name, result, hd_cuda_words(device, result));
}

static int hd_cuda_finish(struct hd_context* ctx, const struct hd_read* reads, int num_reads) {
  struct hd_cuda_device* device = ctx->device;
  int status = hd_cuda_enter(ctx);
  if (status != HD_SUCCESS) return status;
  int64_t staged = 0;
  for (int i = 0; i < num_reads; i++) {
    bool fits = reads[i].bytes <= HD_STAGING_BYTES - staged;
    void* to = fits ? device->staging + staged : reads[i].host;
    HD_CUDA_TRY(ctx, device, cuMemcpyDtoHAsync_v2, to, (uintptr_t)reads[i].device, (size_t)reads[i].bytes,
                device->stream);
    if (fits) staged += reads[i].bytes;
  }
  HD_CUDA_TRY(ctx, device, cuStreamSynchronize, device->stream);
  staged = 0;
  for (int i = 0; i < num_reads; i++) {
    if (reads[i].bytes > HD_STAGING_BYTES - staged) continue;
    memcpy(reads[i].host, device->staging + staged, (size_t)reads[i].bytes);
    staged += reads[i].bytes;
  }
  return HD_SUCCESS;
}

static int hd_cuda_mark(struct hd_context* ctx, struct hd_instant* instant) {
  struct hd_cuda_device* device = ctx->device;
  int status = hd_cuda_enter(ctx);
  if (status != HD_SUCCESS) return status;
  *instant = (struct hd_instant){0};
  HD_CUDA_TRY(ctx, device, cuEventCreate, &instant->event, 0);
  HD_CUDA_TRY(ctx, device, cuEventRecord, instant->event, device->stream);
  return HD_SUCCESS;
}

static int hd_cuda_elapsed(struct hd_context* ctx, struct hd_instant* begin, struct hd_instant* end,
                           double* microseconds) {
  struct hd_cuda_device* device = ctx->device;
  int status = hd_cuda_enter(ctx);
  if (status != HD_SUCCESS) return status;
  float milliseconds = 0;
  int result = device->cuda.cuEventElapsedTime(&milliseconds, begin->event, end->event);
  *microseconds = 1000.0 * (double)milliseconds;
  device->cuda.cuEventDestroy_v2(begin->event);
  device->cuda.cuEventDestroy_v2(end->event);
  return hd_cuda_checked(ctx, device, result, "cuEventElapsedTime");
}

HD_API const struct hd_backend_ops* hd_backend_cuda(void) {
  static const struct hd_backend_ops ops = {.open = hd_cuda_open,
                                            .close = hd_cuda_close,
                                            .remember = hd_cuda_remember,
                                            .restore = hd_cuda_restore,
                                            .alloc = hd_cuda_alloc,
                                            .free = hd_cuda_free,
                                            .copy = hd_cuda_copy,
                                            .launch = hd_cuda_launch,
                                            .load = hd_cuda_load,
                                            .unload = hd_cuda_unload,
                                            .model = hd_cuda_model,
                                            .finish = hd_cuda_finish,
                                            .mark = hd_cuda_mark,
                                            .elapsed = hd_cuda_elapsed};
  return &ops;
}
