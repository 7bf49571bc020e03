#include "runtime/backends/backend_cuda.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backends/cuda_builds.h"
#include "runtime/backends/cuda_module.h"
#include "runtime/core/builtin.h"
#include "runtime/core/clock.h"
#include "runtime/families/tile_params.h"
#include "runtime/families/variants.h"

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
  HD_CUDA_TRY(ctx, device, cuMemAllocHost_v2, (void**)&device->pinned, sizeof *device->pinned);
  ctx->failure_report = &device->pinned->failure_report;
  device->num_kernels = ctx->program->num_kernels + HD_NUM_BUILTINS;
  device->kernels = calloc((size_t)device->num_kernels, sizeof *device->kernels);
  if (device->kernels == NULL) return hd_memory_error(ctx, "Out of host memory.");
  return hd_cuda_load_module(ctx, device);
}

// Also undoes a set-up that failed half-way. What the driver says to this no longer matters.
static void hd_cuda_tear_down(struct hd_cuda_device* device) {
  if (device->context != NULL) {
    device->cuda.cuCtxSetCurrent(device->context);
    for (int i = 0; i < HD_MOST_MODULES; i++) {
      if (device->modules[i] != NULL) device->cuda.cuModuleUnload(device->modules[i]);
    }
    for (int i = 0; device->kernels != NULL && i < device->num_kernels; i++) {
      if (device->kernels[i].own_module != NULL) device->cuda.cuModuleUnload(device->kernels[i].own_module);
    }
    if (device->pinned != NULL) device->cuda.cuMemFreeHost(device->pinned);
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
  hd_variants_free(ctx);
  hd_cuda_tear_down(ctx->device);
  ctx->device = NULL;
}

static void hd_cuda_remember(struct hd_context* ctx) {
  struct hd_cuda_device* device = ctx->device;
  hd_cuda_checked(ctx, device, device->cuda.cuCtxGetCurrent(&device->remembered), "cuCtxGetCurrent");
  hd_cuda_checked(ctx, device, device->cuda.cuCtxSetCurrent(device->context), "cuCtxSetCurrent");
}

static void hd_cuda_restore(struct hd_context* ctx) {
  struct hd_cuda_device* device = ctx->device;
  hd_cuda_checked(ctx, device, device->cuda.cuCtxSetCurrent(device->remembered), "cuCtxSetCurrent");
}

static int hd_cuda_alloc_block(struct hd_context* ctx, int64_t bytes, hd_cuda_address* block) {
  struct hd_cuda_device* device = ctx->device;
  int result = device->managed ? device->cuda.cuMemAllocManaged(block, (size_t)bytes, HD_CU_MEM_ATTACH_GLOBAL)
                               : device->cuda.cuMemAlloc_v2(block, (size_t)bytes);
  if (result == HD_CUDA_OUT_OF_MEMORY) return HD_ERROR_MEMORY;
  return hd_cuda_checked(ctx, device, result, "cuMemAlloc");
}

static int hd_cuda_alloc_on_host(struct hd_context* ctx, int64_t bytes, hd_cuda_address* block) {
  struct hd_cuda_device* device = ctx->device;
  void* memory = NULL;
  int result = device->cuda.cuMemAllocHost_v2(&memory, (size_t)bytes);
  *block = (uintptr_t)memory;
  if (result == HD_CUDA_OUT_OF_MEMORY) return HD_ERROR_MEMORY;
  return hd_cuda_checked(ctx, device, result, "cuMemAllocHost");
}

static int hd_cuda_add_slab(struct hd_context* ctx, struct hd_cuda_slab** slabs, bool on_host) {
  struct hd_cuda_slab* slab = calloc(1, sizeof *slab);
  if (slab == NULL) return hd_memory_error(ctx, "Out of host memory.");
  int status = on_host ? hd_cuda_alloc_on_host(ctx, HD_SLAB_BYTES, &slab->address)
                       : hd_cuda_alloc_block(ctx, HD_SLAB_BYTES, &slab->address);
  if (status != HD_SUCCESS) {
    free(slab);
    return status;
  }
  slab->next = *slabs;
  *slabs = slab;
  return HD_SUCCESS;
}

static int hd_cuda_alloc(struct hd_context* ctx, int64_t bytes, bool for_host, void** address) {
  struct hd_cuda_device* device = ctx->device;
  struct hd_cuda_slab** slabs = for_host ? &device->host_slabs : &device->slabs;
  hd_cuda_address block = 0;
  int status = HD_SUCCESS;
  if (bytes > HD_SLAB_PART_BYTES) {
    status = hd_cuda_alloc_block(ctx, bytes, &block);
  } else if ((block = hd_cuda_slab_take(*slabs)) == 0) {
    status = hd_cuda_add_slab(ctx, slabs, for_host);
    if (status == HD_SUCCESS) block = hd_cuda_slab_take(*slabs);
  }
  *address = (void*)(uintptr_t)block;
  return status;
}

static void hd_cuda_free(struct hd_context* ctx, void* address) {
  struct hd_cuda_device* device = ctx->device;
  hd_cuda_address block = (uintptr_t)address;
  struct hd_cuda_slab** slabs = hd_cuda_slab_of(device->host_slabs, block) ? &device->host_slabs : &device->slabs;
  struct hd_cuda_slab* slab = hd_cuda_slab_of(*slabs, block);
  if (slab != NULL) {
    if (!hd_cuda_slab_give(slabs, slab, block)) return;
    block = slab->address;
    free(slab);
  }
  if (slabs == &device->host_slabs) {
    hd_cuda_checked(ctx, device, device->cuda.cuMemFreeHost((void*)(uintptr_t)block), "cuMemFreeHost");
    return;
  }
  hd_cuda_checked(ctx, device, device->cuda.cuMemFree_v2(block), "cuMemFree");
}

// A copy in page-locked memory while there is room, which the next wait makes anew; else what the driver makes of
// pageable memory, of which it has taken a copy when the call returns.
static const void* hd_cuda_source(struct hd_cuda_device* device, const void* host, size_t size) {
  if (size > sizeof device->pinned->writes - device->num_written) return host;
  char* copy = device->pinned->writes + device->num_written;
  device->num_written += (size + 7) / 8 * 8;
  return memcpy(copy, host, size);
}

static int hd_cuda_copy(struct hd_context* ctx, void* dst, const void* src, int64_t bytes,
                        enum hd_direction direction) {
  struct hd_cuda_device* device = ctx->device;
  size_t size = (size_t)bytes;
  device->queued = true;
  hd_cuda_run_end(&device->run);
  switch (direction) {
    case HD_TO_DEVICE:
      HD_CUDA_TRY(ctx, device, cuMemcpyHtoDAsync_v2, (uintptr_t)dst, hd_cuda_source(device, src, size), size,
                  device->stream);
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
  // HD_AFTER_EARLIER_KERNELS in prelude.h.
  if (device->cuda.cuLaunchKernelEx != NULL) {
    int compiled_for = 0;
    HD_CUDA_TRY(ctx, device, cuFuncGetAttribute, &compiled_for, HD_CU_FUNC_PTX_VERSION, function);
    kernel->waits = compiled_for >= 90;
  }
  kernel->function = function;
  return HD_SUCCESS;
}

// A kernel compiled at run time.
struct hd_cuda_code {
  void* module;
  struct hd_cuda_kernel kernel;
};

static void hd_cuda_unload(struct hd_context* ctx, void* code) {
  struct hd_cuda_device* device = ctx->device;
  struct hd_cuda_code* c = code;
  if (c->module != NULL) device->cuda.cuModuleUnload(c->module);
  free(c);
}

// The code of builds' text `index`; NULL where it cannot be had.
static struct hd_cuda_code* hd_cuda_load_one(struct hd_context* ctx, struct hd_cuda_builds* builds, int index,
                                             const char* name) {
  struct hd_cuda_code* code = calloc(1, sizeof *code);
  if (code == NULL) return NULL;
  int status = hd_cuda_builds_load(builds, index, &code->module);
  if (status == HD_SUCCESS) status = hd_cuda_look_up(ctx, code->module, name, &code->kernel);
  if (status == HD_SUCCESS) return code;
  hd_cuda_unload(ctx, code);
  return NULL;
}

// What the first texts may take to compile for others to be tried: conditions in tiles of many sums take 7 seconds for each limit of registers.
#define HD_PATIENT_MICROSECONDS 4000000

static void* hd_cuda_load(struct hd_context* ctx, int num_texts, const char* const* texts, const char* name,
                          int* loaded) {
  struct hd_cuda_builds builds = {0};
  struct hd_cuda_code* code = NULL;
  const int64_t start = hd_clock_microseconds();
  int status = hd_cuda_builds_begin(ctx, ctx->device, num_texts, texts, NULL, &builds);
  for (int i = 0; i < num_texts && status == HD_SUCCESS; i++) {
    if (code != NULL) hd_cuda_unload(ctx, code);
    code = hd_cuda_load_one(ctx, &builds, i, name);
    *loaded = i;
    if (code == NULL || code->kernel.local_bytes == 0) break;
    if (hd_clock_microseconds() - start > HD_PATIENT_MICROSECONDS) break;
  }
  hd_cuda_builds_end(&builds);
  char* problem = hd_context_take_error(ctx);
  if (ctx->logging && problem != NULL) fprintf(ctx->log, "%s\n", problem);
  free(problem);
  return code;
}

// With so many registers a kernel leaves room for less than four blocks of 256 threads on a multiprocessor. Twice as many threads are worth
// that one in so many registers is spilled: what little lies in local memory the cache has, but threads of one block wait for their arithmetic.
enum { HD_MANY_REGISTERS = 65, HD_REGISTERS_AT_A_TIME = 8, HD_ONE_SPILLED_OF = 8 };

// Of a kernel's own text, with room for so many blocks.
static char* hd_cuda_text_with_room(const struct hd_program* program, const struct hd_kernel* kernel, int64_t blocks) {
  struct hd_text text = {0};
  hd_text_add(&text, "#define HD_ROOM __launch_bounds__(%d, %" PRId64 ")\n", kernel->threads, blocks);
  hd_add_pieces(&text, program->device_text);
  hd_add_pieces(&text, kernel->text);
  return hd_text_take(&text);
}

// Where a kernel's registers leave room for few blocks on a multiprocessor, and nothing else does, compiles it again with room for one more,
// and keeps what that makes if it takes no more local memory. Where nothing more was spilled no kernel was slower so, and some were up to
// 1.2 times as fast (bench/results/pipelines-h100.md). Of threads that never wait for each other only blocks that are alone on a multiprocessor,
// while others could be there, too, and these may spill a little for a second: from two blocks on nothing was gained for what it takes to compile them.
static void hd_cuda_make_room(struct hd_context* ctx, const struct hd_launch* launch, struct hd_cuda_kernel* kernel) {
  const struct hd_cuda_device* device = ctx->device;
  const struct hd_config* config = ctx->config;
  const struct hd_kernel* k = &ctx->program->kernels[launch->kernel];
  bool own_text = config->load_ptx == NULL && config->load_cuda == NULL && config->cuda_text == NULL;
  kernel->had_room_made = true;
  if (!own_text || config->dump_ptx != NULL || k->text == NULL || kernel->num_registers < HD_MANY_REGISTERS) return;
  if (k->threads == 0 || k->threads != launch->block_size) return;
  int64_t registers =
      (kernel->num_registers + HD_REGISTERS_AT_A_TIME - 1) / HD_REGISTERS_AT_A_TIME * HD_REGISTERS_AT_A_TIME;
  int64_t resident = device->model.registers / (registers * k->threads), blocks = resident + 1;
  if (!k->has_barriers && resident > 1) return;
  if (!k->has_barriers && launch->num_blocks <= resident * device->model.multiprocessors) {
    kernel->had_room_made = false;  // a larger launch may want it
    return;
  }
  if (blocks * (launch->shared_bytes + kernel->static_shared) > device->model.shared_bytes) return;
  char* text = hd_cuda_text_with_room(ctx->program, k, blocks);
  int loaded;
  struct hd_cuda_code* code = text != NULL ? hd_cuda_load(ctx, 1, (const char* const*)&text, k->name, &loaded) : NULL;
  free(text);
  if (code == NULL) return;
  const int spilled = !k->has_barriers ? 4 * kernel->num_registers / HD_ONE_SPILLED_OF : 0;
  bool fits = code->kernel.local_bytes <= kernel->local_bytes + spilled;
  if (ctx->logging) {
    fprintf(ctx->log,
            "Kernel %s with room for %" PRId64
            " blocks on a multiprocessor: %d registers for %d, %d bytes of local memory for %d: %s.\n",
            k->name, blocks, code->kernel.num_registers, kernel->num_registers, code->kernel.local_bytes,
            kernel->local_bytes, fits ? "kept" : "not kept");
  }
  if (!fits) {
    hd_cuda_unload(ctx, code);
    return;
  }
  *kernel = code->kernel;
  kernel->own_module = code->module;
  kernel->had_room_made = true;
  free(code);
}

// Looks a kernel up when it is first used.
static int hd_cuda_find_kernel(struct hd_context* ctx, const struct hd_launch* launch, struct hd_cuda_kernel** found) {
  struct hd_cuda_device* device = ctx->device;
  struct hd_cuda_kernel* kernel = &device->kernels[launch->kernel];
  *found = kernel;
  if (kernel->function == NULL) {
    int status = hd_cuda_look_up(ctx, device->modules[kernel->module], hd_kernel_name(ctx, launch->kernel), kernel);
    if (status != HD_SUCCESS) return status;
  }
  if (!kernel->had_room_made && launch->kernel < ctx->program->num_kernels) hd_cuda_make_room(ctx, launch, kernel);
  return HD_SUCCESS;
}

static void hd_cuda_model(struct hd_context* ctx, struct hd_device_model* model) {
  *model = ((struct hd_cuda_device*)ctx->device)->model;
}

// How much of the device the launch's blocks take, 1 being all of it.
static double hd_cuda_share(const struct hd_device_model* model, const struct hd_cuda_kernel* kernel,
                            const struct hd_launch* launch) {
  const double threads = launch->block_size, registers = threads * kernel->num_registers;
  const double shared = (double)(launch->shared_bytes + kernel->static_shared);
  double of_block = threads / (double)model->threads;  // of a multiprocessor
  if (registers / (double)model->registers > of_block) of_block = registers / (double)model->registers;
  if (shared / (double)model->shared_bytes > of_block) of_block = shared / (double)model->shared_bytes;
  return (double)launch->num_blocks * of_block / (double)model->multiprocessors;
}

// A kernel that waits by itself is brought to the device while those before it still run.
static int hd_cuda_start(struct hd_cuda_device* device, const struct hd_cuda_kernel* kernel,
                         const struct hd_launch* launch) {
  const unsigned blocks = (unsigned)launch->num_blocks, threads = (unsigned)launch->block_size,
                 shared = (unsigned)launch->shared_bytes;
  if (launch->order != NULL) *launch->order = 0;
  if (launch->order == NULL || !kernel->waits) {
    hd_cuda_run_end(&device->run);
  } else {
    *launch->order = hd_cuda_run_go_on(&device->run, launch, hd_cuda_share(&device->model, kernel, launch));
  }
  if (!kernel->waits) {
    return device->cuda.cuLaunchKernel(kernel->function, blocks, 1, 1, threads, 1, 1, shared, device->stream,
                                       launch->args, NULL);
  }
  const struct hd_cu_launch_attribute early = {HD_CU_LAUNCH_PROGRAMMATIC_SERIALIZATION, {1}};
  const struct hd_cu_launch_config config = {blocks, 1, 1, threads, 1, 1, shared, device->stream, &early, 1};
  return device->cuda.cuLaunchKernelEx(&config, kernel->function, launch->args, NULL);
}

static int hd_cuda_launch(struct hd_context* ctx, const struct hd_launch* launch) {
  struct hd_cuda_device* device = ctx->device;
  struct hd_cuda_kernel* kernel;
  if (launch->code != NULL) {
    kernel = &((struct hd_cuda_code*)launch->code)->kernel;
  } else {
    int status = hd_cuda_find_kernel(ctx, launch, &kernel);
    if (status != HD_SUCCESS) return status;
  }
  if (launch->block_size > kernel->max_threads) {
    return hd_error(ctx,
                    "Kernel %s cannot have blocks of %d threads: with %d registers per thread, the device's %" PRId64
                    " registers per block suffice for %d.",
                    hd_launch_name(ctx, launch), launch->block_size, kernel->num_registers, ctx->limits.max_registers,
                    kernel->max_threads);
  }
  if (launch->shared_bytes + kernel->static_shared > ctx->limits.max_shared_memory) {
    return hd_error(
        ctx, "Kernel %s needs %" PRId64 " bytes of shared memory per block, but the device allows at most %" PRId64 ".",
        hd_launch_name(ctx, launch), launch->shared_bytes + kernel->static_shared, ctx->limits.max_shared_memory);
  }
  if (launch->shared_bytes > kernel->dynamic_shared) {
    // Without being asked, the driver refuses more than 48 KiB.
    HD_CUDA_TRY(ctx, device, cuFuncSetAttribute, kernel->function, HD_CU_FUNC_MAX_DYNAMIC_SHARED_SIZE,
                (int)launch->shared_bytes);
    kernel->dynamic_shared = (int)launch->shared_bytes;
  }
  device->queued = true;
  int result = hd_cuda_start(device, kernel, launch);
  if (result == HD_CUDA_SUCCESS) return HD_SUCCESS;
  if (result == HD_CUDA_OUT_OF_MEMORY) {
    return hd_memory_error(ctx, "Kernel %s cannot start: the device has no memory left for its threads' private data.",
                           hd_launch_name(ctx, launch));
  }
  return hd_error(ctx, "Kernel %s cannot start: error %d (%s).", hd_launch_name(ctx, launch), result,
                  hd_cuda_words(device, result));
}

// Reads that one copy does: of elements of one slab all between the first and the last.
static bool hd_cuda_read_together(const struct hd_cuda_device* device, const struct hd_read* reads, int num_reads,
                                  struct hd_read* all) {
  struct hd_cuda_slab* slab = num_reads > 1 ? hd_cuda_slab_of(device->slabs, (uintptr_t)reads[0].device) : NULL;
  if (slab == NULL) return false;
  uint64_t begin = HD_SLAB_BYTES, end = 0;
  for (int i = 0; i < num_reads; i++) {
    uint64_t at = (uintptr_t)reads[i].device - slab->address;
    if (at >= HD_SLAB_BYTES) return false;
    if (at < begin) begin = at;
    if (at + (uint64_t)reads[i].bytes > end) end = at + (uint64_t)reads[i].bytes;
  }
  *all = (struct hd_read){NULL, (void*)(uintptr_t)(slab->address + begin), (int64_t)(end - begin)};
  return true;
}

static bool hd_cuda_is_on_host(const struct hd_cuda_device* device, const void* element) {
  return hd_cuda_slab_of(device->host_slabs, (uintptr_t)element) != NULL;
}

static int hd_cuda_finish(struct hd_context* ctx, const struct hd_read* reads, int num_reads) {
  struct hd_cuda_device* device = ctx->device;
  hd_cuda_run_end(&device->run);
  struct hd_read far[HD_MAX_READS], all;
  int num_far = 0;
  for (int i = 0; i < num_reads; i++) {
    if (!hd_cuda_is_on_host(device, reads[i].device)) far[num_far++] = reads[i];
  }
  bool together = hd_cuda_read_together(device, far, num_far, &all);
  const struct hd_read* copies = together ? &all : far;
  int num_copies = together ? 1 : num_far;
  int64_t room = sizeof device->pinned->reads, staged = 0;
  for (int i = 0; i < num_copies; i++) {
    bool fits = copies[i].bytes <= room - staged;
    void* to = fits ? device->pinned->reads + staged : copies[i].host;
    HD_CUDA_TRY(ctx, device, cuMemcpyDtoHAsync_v2, to, (uintptr_t)copies[i].device, (size_t)copies[i].bytes,
                device->stream);
    if (fits) staged += copies[i].bytes;
  }
  if (device->queued || num_far > 0) HD_CUDA_TRY(ctx, device, cuStreamSynchronize, device->stream);
  device->queued = false;
  device->num_written = 0;
  staged = 0;
  for (int i = 0; i < num_far; i++) {
    if (!together && far[i].bytes > room - staged) continue;
    int64_t at = together ? (const char*)far[i].device - (const char*)all.device : staged;
    memcpy(far[i].host, device->pinned->reads + at, (size_t)far[i].bytes);
    staged += far[i].bytes;
  }
  for (int i = 0; i < num_reads; i++) {
    if (hd_cuda_is_on_host(device, reads[i].device)) memcpy(reads[i].host, reads[i].device, (size_t)reads[i].bytes);
  }
  return HD_SUCCESS;
}

static int hd_cuda_mark(struct hd_context* ctx, struct hd_instant* instant) {
  struct hd_cuda_device* device = ctx->device;
  hd_cuda_run_end(&device->run);
  *instant = (struct hd_instant){0};
  HD_CUDA_TRY(ctx, device, cuEventCreate, &instant->event, 0);
  device->queued = true;
  HD_CUDA_TRY(ctx, device, cuEventRecord, instant->event, device->stream);
  return HD_SUCCESS;
}

static int hd_cuda_elapsed(struct hd_context* ctx, struct hd_instant* begin, struct hd_instant* end,
                           double* microseconds) {
  struct hd_cuda_device* device = ctx->device;
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
                                            .set_tile_param = hd_config_set_tile_param,
                                            .finish = hd_cuda_finish,
                                            .mark = hd_cuda_mark,
                                            .elapsed = hd_cuda_elapsed};
  return &ops;
}
