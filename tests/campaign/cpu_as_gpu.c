// A CUDA driver and an NVRTC that compute with the host's C compiler and processor, under the libraries' own names, for
// programs made by `heddle cuda` (found through LD_LIBRARY_PATH). So the specialized kernels, the choice of their tiles
// and all that the host does around them run where there is no GPU. How blocks run is in gpu_block.h.
//
// CPU_AS_GPU_FOLDER   where kernels are compiled and kept, by a hash of their text
// CPU_AS_GPU_DEVICE   which of `devices` below this is; the schedules chosen differ
// CPU_AS_GPU_BYTES    of memory that it has altogether
// CPU_AS_GPU_REGISTERS how many registers every kernel needs: with fewer it is said to spill
// CPU_AS_GPU_WITHOUT_ROOM how many a kernel takes where it is not bounded
// CPU_AS_GPU_CALLS    a file that is told at the end how often the driver's functions were called
// CPU_AS_GPU_CONTRACTS products that are added are rounded once, unless NVRTC is told --fmad=false
// Of kernels that may run at the same time (HD_BESIDE_OTHERS) the last one runs first.
// Between events as many microseconds pass as blocks are launched, so that what is measured does not depend on the
// host. Memory handed out is never zero, and writing behind an allocation ends the program when that is freed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu_block.h"
#include "runtime/backends/cuda_device.h"
#include "runtime/core/text.h"

// ---- The device. ----

struct attribute {
  int number, value;
};

enum { NUM_ATTRIBUTES = 17, NUM_DEVICES = 3 };
static const struct attribute devices[NUM_DEVICES][NUM_ATTRIBUTES] = {
    // As an H100.
    {{1, 1024},
     {5, INT32_MAX},
     {10, 32},
     {12, 65536},
     {13, 1980000},
     {16, 132},
     {20, 0},
     {36, 2619000},
     {37, 5120},
     {38, 52428800},
     {39, 2048},
     {75, 9},
     {76, 0},
     {81, 233472},
     {82, 65536},
     {83, 1},
     {97, 232448}},
    // A small one, which the same work fills with larger tiles, and so slow that all else is quick beside arithmetic.
    {{1, 1024},
     {5, INT32_MAX},
     {10, 32},
     {12, 65536},
     {13, 160},
     {16, 2},
     {20, 0},
     {36, 5000000},
     {37, 128},
     {38, 4194304},
     {39, 1024},
     {75, 8},
     {76, 6},
     {81, 102400},
     {82, 65536},
     {83, 1},
     {97, 101376}},
    // One with little shared memory and slow memory.
    {{1, 1024},
     {5, INT32_MAX},
     {10, 32},
     {12, 65536},
     {13, 1500000},
     {16, 14},
     {20, 0},
     {36, 800000},
     {37, 64},
     {38, 1048576},
     {39, 1024},
     {75, 7},
     {76, 5},
     {81, 65536},
     {82, 65536},
     {83, 1},
     {97, 49152}}};

static const struct attribute* this_device(void) {
  const char* number = getenv("CPU_AS_GPU_DEVICE");
  return devices[number == NULL ? 0 : (unsigned)atoi(number) % NUM_DEVICES];
}

int cuInit(unsigned flags) { return (void)flags, 0; }
int cuDriverGetVersion(int* version) { return *version = 13000, 0; }
int cuGetErrorString(int error, const char** words) { return (void)error, *words = "refused", 0; }
int cuDeviceGetCount(int* count) { return *count = 1, 0; }
int cuDeviceGet(int* device, int ordinal) { return *device = ordinal, 0; }
int cuDeviceGetName(char* name, int size, int device) { return (void)device, snprintf(name, (size_t)size, "CPU"), 0; }

int cuDeviceGetAttribute(int* value, int attribute, int device) {
  (void)device;
  const struct attribute* known = this_device();
  for (int i = 0; i < NUM_ATTRIBUTES; i++) {
    if (known[i].number == attribute) return *value = known[i].value, 0;
  }
  return 1;
}

// ---- What is called. ----

static _Thread_local void* current_context;
static char device_context;

enum { MOST_FUNCTIONS = 40, INVALID_CONTEXT = 201 };
static struct {
  const char* name;
  long long times;
} calls[MOST_FUNCTIONS];

static void count(const char* name) {
  for (int i = 0; i < MOST_FUNCTIONS; i++) {
    if (calls[i].name == NULL) calls[i].name = name;
    if (strcmp(calls[i].name, name) != 0) continue;
    calls[i].times++;
    return;
  }
}

__attribute__((destructor)) static void tell_calls(void) {
  const char* path = getenv("CPU_AS_GPU_CALLS");
  FILE* file = path != NULL ? fopen(path, "w") : NULL;
  if (file == NULL) return;
  for (int i = 0; i < MOST_FUNCTIONS && calls[i].name != NULL; i++)
    fprintf(file, "%s %lld\n", calls[i].name, calls[i].times);
  fclose(file);
}

// Begins what works on the device that is current on the host's thread, if it is.
#define ON_CURRENT_DEVICE()                                         \
  do {                                                              \
    count(__func__);                                                \
    if (current_context != &device_context) return INVALID_CONTEXT; \
  } while (0)

int cuDevicePrimaryCtxRetain(void** context, int device) { return (void)device, *context = &device_context, 0; }
int cuDevicePrimaryCtxRelease_v2(int device) { return (void)device, 0; }
int cuCtxSetCurrent(void* context) { return count(__func__), current_context = context, 0; }
int cuCtxGetCurrent(void** context) { return count(__func__), *context = current_context, 0; }
int cuStreamCreate(void** stream, unsigned flags) {
  ON_CURRENT_DEVICE();
  return (void)flags, *stream = stream, 0;
}
int cuStreamDestroy_v2(void* stream) { return (void)stream, 0; }
static int run_held(void);
int cuStreamSynchronize(void* stream) {
  ON_CURRENT_DEVICE();
  return (void)stream, run_held();
}
static double device_microseconds;

int cuEventCreate(void** event, unsigned flags) {
  ON_CURRENT_DEVICE();
  (void)flags;
  *event = calloc(1, sizeof(double));
  return *event == NULL ? HD_CUDA_OUT_OF_MEMORY : 0;
}
int cuEventRecord(void* event, void* stream) {
  ON_CURRENT_DEVICE();
  int result = run_held();
  return (void)stream, *(double*)event = device_microseconds, result;
}
int cuEventElapsedTime(float* ms, void* begin, void* end) {
  *ms = (float)((*(double*)end - *(double*)begin) / 1000);
  return 0;
}
int cuEventDestroy_v2(void* event) { return free(event), 0; }

// ---- Memory. ----

enum { BEFORE = 256, BEHIND = 256, POISON = 0xA5 };  // bytes around an allocation: its size, and what nobody may change

static size_t bytes_in_use;

int cuMemAlloc_v2(hd_cuda_address* address, size_t bytes) {
  ON_CURRENT_DEVICE();
  const char* most = getenv("CPU_AS_GPU_BYTES");
  if (most != NULL && bytes_in_use + bytes > strtoull(most, NULL, 10)) {
    fprintf(stderr, "There is no room for %zu bytes.\n", bytes);
    return HD_CUDA_OUT_OF_MEMORY;
  }
  bytes_in_use += bytes;
  char* block = aligned_alloc(256, (BEFORE + bytes + BEHIND + 255) / 256 * 256);
  if (block == NULL) return HD_CUDA_OUT_OF_MEMORY;
  memset(block, POISON, BEFORE + bytes + BEHIND);
  memcpy(block, &bytes, sizeof bytes);
  *address = (uintptr_t)(block + BEFORE);
  return 0;
}

int cuMemAllocManaged(hd_cuda_address* address, size_t bytes, unsigned flags) {
  return (void)flags, cuMemAlloc_v2(address, bytes);
}

int cuMemAllocHost_v2(void** memory, size_t bytes) {
  ON_CURRENT_DEVICE();
  *memory = malloc(bytes);
  return *memory == NULL ? HD_CUDA_OUT_OF_MEMORY : 0;
}
int cuMemFreeHost(void* memory) { return free(memory), 0; }

int cuMemFree_v2(hd_cuda_address address) {
  ON_CURRENT_DEVICE();
  if (run_held() != 0) return 1;
  char* block = (char*)(uintptr_t)address - BEFORE;
  size_t bytes;
  memcpy(&bytes, block, sizeof bytes);
  for (size_t i = sizeof bytes; i < BEFORE + bytes + BEHIND; i = i + 1 == BEFORE ? BEFORE + bytes : i + 1) {
    if ((unsigned char)block[i] == POISON) continue;
    fprintf(stderr, "A kernel wrote outside of an allocation of %zu bytes, at byte %td.\n", bytes,
            (ptrdiff_t)i - BEFORE);
    abort();
  }
  free(block);
  bytes_in_use -= bytes;
  return 0;
}

int cuMemcpyHtoDAsync_v2(hd_cuda_address dst, const void* src, size_t bytes, void* stream) {
  ON_CURRENT_DEVICE();
  if (run_held() != 0) return 1;
  return (void)stream, memcpy((void*)(uintptr_t)dst, src, bytes), 0;
}
int cuMemcpyDtoHAsync_v2(void* dst, hd_cuda_address src, size_t bytes, void* stream) {
  ON_CURRENT_DEVICE();
  if (run_held() != 0) return 1;
  return (void)stream, memcpy(dst, (const void*)(uintptr_t)src, bytes), 0;
}
int cuMemcpyDtoDAsync_v2(hd_cuda_address dst, hd_cuda_address src, size_t bytes, void* stream) {
  ON_CURRENT_DEVICE();
  if (run_held() != 0) return 1;
  return (void)stream, memmove((void*)(uintptr_t)dst, (const void*)(uintptr_t)src, bytes), 0;
}

// ---- NVRTC: what it hands over is the path of a shared library. ----

struct compilation {
  char* text;
  char* library;
  char* log;
};

int nvrtcVersion(int* major, int* minor) { return *major = 13, *minor = 0, 0; }
int nvrtcGetNumSupportedArchs(int* count) { return *count = 3, 0; }
int nvrtcGetSupportedArchs(int* archs) { return archs[0] = 75, archs[1] = 86, archs[2] = 90, 0; }

int nvrtcCreateProgram(void** program, const char* text, const char* name, int num_headers, const char* const* headers,
                       const char* const* header_names) {
  (void)name, (void)num_headers, (void)headers, (void)header_names;
  struct compilation* c = calloc(1, sizeof *c);
  if (c == NULL) return 1;
  c->text = strdup(text);
  *program = c;
  return 0;
}

int nvrtcDestroyProgram(void** program) {
  struct compilation* c = *program;
  free(c->text);
  free(c->library);
  free(c->log);
  free(c);
  return 0;
}

// The end of the argument of a macro that begins at `at`: a comma or parenthesis that belongs to no inner pair.
static const char* end_of_argument(const char* at) {
  int depth = 0;
  for (; *at != 0; at++) {
    if (depth == 0 && (*at == ',' || *at == ')')) return at;
    if (*at == '(') depth++;
    if (*at == ')') depth--;
  }
  return at;
}

// For the kernel whose parameters begin at `at`, what the driver calls; beside it whether it has barriers, how many bytes its arguments
// have, and which of these says how it runs beside others.
static void add_trampoline(struct hd_text* text, const char* at) {
  at += strspn(at, " \n");
  const char* end = end_of_argument(at);
  int length = (int)(end - at);
  const char* name = at;
  hd_text_add(text, "void %.*s_launch(const struct hd_cpu_launch* launch, void** args) {\n", length, name);
  hd_text_add(text, "  HD_CPU_FOR_EACH_THREAD(launch, self) %.*s(self", length, name);
  struct hd_text bytes = {0};
  int order = -1;
  for (int i = 0; *end == ','; i++) {
    at = end + 1;
    end = end_of_argument(at);
    const char* type_end = end;
    while (type_end > at &&
           (type_end[-1] == '_' || (type_end[-1] >= '0' && type_end[-1] <= '9') ||
            (type_end[-1] >= 'a' && type_end[-1] <= 'z') || (type_end[-1] >= 'A' && type_end[-1] <= 'Z'))) {
      type_end--;
    }
    hd_text_add(text, ", *(%.*s*)args[%d]", (int)(type_end - at), at, i);
    if (strncmp(type_end, "order", 5) == 0 && type_end + 5 == end) order = i;
    hd_text_add(&bytes, "sizeof(%.*s), ", (int)(type_end - at), at);
  }
  const char* body_end = strstr(end, "\n}");
  const char *barrier = strstr(end, "_BARRIER()"), *shuffle = strstr(end, "HD_SHUFFLE(");  // of a block or a warp
  bool barriers = (barrier != NULL && barrier < body_end) || (shuffle != NULL && shuffle < body_end);
  hd_text_add(text, ");\n}\nconst bool %.*s_has_barriers = %d;\n", length, name, barriers);
  hd_text_add(text, "const int %.*s_bytes[] = {%s0};\n", length, name, bytes.length > 0 ? bytes.chars : "");
  free(bytes.chars);
  hd_text_add(text, "const int %.*s_order = %d;\n", length, name, order);
}

// Stands before kernels. The headers of the device part that it includes are not included again.
static const char* const words =
    "#include <math.h>\n"
    "#include \"runtime/core/builtin.h\"\n"
    "#include \"runtime/device/async.h\"\n"
    "#include \"gpu_block.h\"\n"
    "struct gpu_words words_of_gpu;\n"
    "#define hd_cpu_barrier() words_of_gpu.barrier()\n"
    "#define hd_cpu_warp_barrier() words_of_gpu.warp_barrier()\n"
    "#define hd_cpu_shuffle(...) words_of_gpu.shuffle(__VA_ARGS__)\n"
    "#define hd_move(...) words_of_gpu.move(__VA_ARGS__)\n"
    "#undef hd_move_to_global\n"
    "#define hd_move_to_global hd_move\n"
    "#define hd_copy_async(...) words_of_gpu.copy(__VA_ARGS__)\n"
    "#undef hd_copy_async_commit\n"
    "#define hd_copy_async_commit() words_of_gpu.commit()\n"
    "#undef hd_copy_async_wait\n"
    "#define hd_copy_async_wait(pending) words_of_gpu.wait(pending)\n"
    // Kernels are started behind ones that failed, too.
    "#undef HD_ALREADY_FAILED\n"
    "#define HD_ALREADY_FAILED(record) ((record)->id >= 0)\n"
    // NVRTC is patient about where this stands.
    "#undef HD_UNROLL\n"
    "#define HD_UNROLL\n";

static char* c_text(const char* kernels) {
  struct hd_text text = {0};
  hd_text_add(&text, "%s\n%s\n", words, kernels);
  // The limit is a constant of specialized kernels.
  const char* limit = strstr(kernels, "#define registers_");
  const char* room = strstr(kernels, "#define HD_ROOM __launch_bounds__(");
  int threads = 0, blocks = 0;
  if (room != NULL) sscanf(room, "#define HD_ROOM __launch_bounds__(%d, %d)", &threads, &blocks);
  if (blocks > 0)
    hd_text_add(&text, "const int registers_of_kernel = %d;\n", 65536 / (threads * blocks) / 8 * 8);
  else
    hd_text_add(&text, "const int registers_of_kernel = %.*s;\n",
                limit != NULL ? (int)strcspn(strchr(limit, '('), "\n") : 3, limit != NULL ? strchr(limit, '(') : "255");
  for (const char* at = kernels; at != NULL; at = strchr(at, '\n')) {
    at += *at == '\n';
    if (strncmp(at, "HD_KERNEL(", 10) == 0) add_trampoline(&text, at + 10);
    if (strncmp(at, "HD_BOUNDED_KERNEL(", 18) == 0) {
      const char* threads = end_of_argument(at + 18);
      add_trampoline(&text, end_of_argument(threads + 1) + 1);
    }
  }
  return hd_text_take(&text);
}

static char* file_text(const char* path) {
  struct hd_text text = {0};
  FILE* file = fopen(path, "r");
  char line[4096];
  while (file != NULL && fgets(line, sizeof line, file) != NULL) hd_text_add(&text, "%s", line);
  if (file != NULL) fclose(file);
  return text.length > 0 ? hd_text_take(&text) : strdup("");
}

// NVRTC makes one operation of products that are added unless it is told not to; so does this where it is asked to.
static const char* arithmetic(int num_options, const char* const* options) {
  bool contracts = getenv("CPU_AS_GPU_CONTRACTS") != NULL;
  for (int i = 0; i < num_options; i++) contracts &= strcmp(options[i], "--fmad=false") != 0;
#ifdef __x86_64__
  return contracts ? "-O2 -ffp-contract=fast -mfma" : "-O0 -ffp-contract=off";
#else
  return contracts ? "-O2 -ffp-contract=fast" : "-O0 -ffp-contract=off";
#endif
}

static uint64_t hash_of(uint64_t hash, const char* text) {
  for (const char* at = text; *at != 0; at++) hash = (hash ^ (unsigned char)*at) * 1099511628211u;
  return hash;
}

int nvrtcCompileProgram(void* program, int num_options, const char* const* options) {
  struct compilation* c = program;
  const char* folder = getenv("CPU_AS_GPU_FOLDER");
  const char* how = arithmetic(num_options, options);
  uint64_t hash = hash_of(hash_of(14695981039346656037u, c->text), how);
  char *base = NULL, *own = NULL, *command = NULL;
  if (asprintf(&base, "%s/%016" PRIx64, folder != NULL ? folder : "/tmp", hash) < 0) return 1;
  if (asprintf(&c->library, "%s.so", base) < 0) return 1;
  int result = 0;
  if (access(c->library, R_OK) != 0) {
    char* source = c_text(c->text);
    // Others may compile the same text at the same time.
    if (asprintf(&own, "%s.%ld.%" PRIxPTR, base, (long)getpid(), (uintptr_t)c) < 0) return 1;
    if (asprintf(&command,
                 "cat > %s.c && " CPU_AS_GPU_CC " -std=c11 %s -w -fPIC -shared -DHD_API= -I" CPU_AS_GPU_RUNTIME
                 " -I" CPU_AS_GPU_HERE " %s.c -o %s.part -lm 2> %s.log && mv %s.part %s.so && rm %s.c",
                 own, how, own, own, own, own, base, own) < 0) {
      return 1;
    }
    FILE* pipe = popen(command, "w");
    if (pipe != NULL) fputs(source, pipe);
    result = pipe == NULL || pclose(pipe) != 0;
    char* log = NULL;
    if (asprintf(&log, "%s.log", own) < 0) return 1;
    c->log = file_text(log);
    unlink(log);
    free(log);
    free(source);
  }
  free(command);
  free(own);
  free(base);
  return result != 0 ? 6 : 0;
}

int nvrtcGetProgramLogSize(void* program, size_t* size) {
  const struct compilation* c = program;
  return *size = (c->log != NULL ? strlen(c->log) : 0) + 1, 0;
}
int nvrtcGetProgramLog(void* program, char* log) {
  const struct compilation* c = program;
  return strcpy(log, c->log != NULL ? c->log : ""), 0;
}
int nvrtcGetCUBINSize(void* program, size_t* size) {
  return *size = strlen(((const struct compilation*)program)->library) + 1, 0;
}
int nvrtcGetCUBIN(void* program, char* binary) {
  return strcpy(binary, ((const struct compilation*)program)->library), 0;
}
int nvrtcGetPTXSize(void* program, size_t* size) { return nvrtcGetCUBINSize(program, size); }
int nvrtcGetPTX(void* program, char* text) { return nvrtcGetCUBIN(program, text); }

// ---- Modules and launches. ----

int cuModuleLoadData(void** module, const void* image) {
  ON_CURRENT_DEVICE();
  *module = dlopen(image, RTLD_NOW | RTLD_LOCAL);
  if (*module == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
  struct gpu_words* words_of_gpu = dlsym(*module, "words_of_gpu");
  *words_of_gpu = gpu_words;
  return 0;
}
int cuModuleUnload(void* module) {
  ON_CURRENT_DEVICE();
  return (void)module, 0;
}

struct function {
  struct hd_kernel kernel;
  int registers;
  const int* bytes;  // of its arguments, up to a 0
  int order;         // the argument that is an enum hd_order; -1: none
};

int cuModuleGetFunction(void** found, void* module, const char* name) {
  ON_CURRENT_DEVICE();
  char symbol[512];
  struct function* function = calloc(1, sizeof *function);
  snprintf(symbol, sizeof symbol, "%s_launch", name);
  void* address = dlsym(module, symbol);
  snprintf(symbol, sizeof symbol, "%s_has_barriers", name);
  const bool* has_barriers = dlsym(module, symbol);
  const int* registers = dlsym(module, "registers_of_kernel");
  snprintf(symbol, sizeof symbol, "%s_bytes", name);
  const int* bytes = dlsym(module, symbol);
  snprintf(symbol, sizeof symbol, "%s_order", name);
  const int* order = dlsym(module, symbol);
  if (function == NULL || address == NULL || has_barriers == NULL || registers == NULL || bytes == NULL ||
      order == NULL) {
    return free(function), 500;
  }
  memcpy(&function->kernel.cpu, &address, sizeof address);
  function->kernel.has_barriers = *has_barriers;
  function->registers = *registers;
  function->bytes = bytes;
  function->order = *order;
  *found = function;
  return 0;
}

int cuFuncGetAttribute(int* value, int attribute, void* function) {
  ON_CURRENT_DEVICE();
  const char *needed = getenv("CPU_AS_GPU_REGISTERS"), *unbounded = getenv("CPU_AS_GPU_WITHOUT_ROOM");
  int limit = ((const struct function*)function)->registers, taken = unbounded != NULL ? atoi(unbounded) : 64;
  bool spills = needed != NULL && limit < atoi(needed);
  if (taken > limit) taken = limit;
  if (attribute == HD_CU_FUNC_PTX_VERSION) {
    int major = 0, minor = 0;
    cuDeviceGetAttribute(&major, HD_CU_CAPABILITY_MAJOR, 0);
    cuDeviceGetAttribute(&minor, HD_CU_CAPABILITY_MINOR, 0);
    return *value = 10 * major + minor, 0;
  }
  *value = attribute == 0 ? 1024 : attribute == 8 ? 49152 : attribute == 4 ? taken : attribute == 3 && spills ? 16 : 0;
  return 0;
}
int cuFuncSetAttribute(void* function, int attribute, int value) {
  return (void)function, (void)attribute, (void)value, 0;
}

static int run_now(const struct function* function, unsigned grid, unsigned threads, unsigned shared, void** args) {
  const struct hd_kernel* kernel = &function->kernel;
  if (grid == 0 || threads == 0) return 1;
  device_microseconds += grid;
  char* memory = aligned_alloc(256, ((size_t)shared + 511) / 256 * 256);
  if (memory == NULL) return HD_CUDA_OUT_OF_MEMORY;
  bool ran = true;
  for (unsigned b = 0; b < grid && ran; b++) {
    memset(memory, POISON, (size_t)shared + 256);
    const struct hd_cpu_launch launch = {b, b + 1, 0, (int)threads, (int)threads, grid, memory, false};
    if (kernel->has_barriers) {
      ran = gpu_run_block(kernel->cpu, &launch, args);
    } else {
      kernel->cpu(&launch, args);
    }
    for (unsigned i = 0; i < 256; i++) {
      if ((unsigned char)memory[shared + i] == POISON) continue;
      fprintf(stderr, "A kernel wrote behind its %u bytes of shared memory.\n", shared);
      abort();
    }
  }
  free(memory);
  return ran ? 0 : HD_CUDA_OUT_OF_MEMORY;
}

// ---- Kernels that let the next one begin are held back until something is queued that does not run beside them. ----

enum { MOST_ARGUMENTS = 256, MOST_BYTES_OF_ARGUMENTS = 4096 };

struct held {
  struct held* before;
  const struct function* function;
  unsigned grid, threads, shared;
  void* args[MOST_ARGUMENTS];
  char values[MOST_BYTES_OF_ARGUMENTS];
};
static struct held* latest_held;

static int run_held(void) {
  int result = 0;
  while (latest_held != NULL) {
    struct held* h = latest_held;
    latest_held = h->before;
    if (result == 0) result = run_now(h->function, h->grid, h->threads, h->shared, h->args);
    free(h);
  }
  return result;
}

static int hold(const struct function* function, unsigned grid, unsigned threads, unsigned shared, void** args) {
  struct held* h = calloc(1, sizeof *h);
  if (h == NULL) return HD_CUDA_OUT_OF_MEMORY;
  *h = (struct held){latest_held, function, grid, threads, shared, {NULL}, {0}};
  size_t at = 0;
  for (int i = 0; function->bytes[i] != 0; i++) {
    if (i == MOST_ARGUMENTS || at + (size_t)function->bytes[i] > MOST_BYTES_OF_ARGUMENTS) return free(h), 1;
    h->args[i] = memcpy(h->values + at, args[i], (size_t)function->bytes[i]);
    at += ((size_t)function->bytes[i] + 15) / 16 * 16;
  }
  latest_held = h;
  return 0;
}

int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared, void* stream, void** args, void** extra) {
  ON_CURRENT_DEVICE();
  (void)grid_y, (void)grid_z, (void)block_y, (void)block_z, (void)stream, (void)extra;
  int result = run_held();
  return result != 0 ? result : run_now(function, grid_x, block_x, shared, args);
}

int cuLaunchKernelEx(const struct hd_cu_launch_config* config, void* function, void** args, void** extra) {
  const struct function* f = function;
  const int32_t order = f->order >= 0 ? *(const int32_t*)args[f->order] : 0;
  count("cuLaunchKernel");
  if ((order & HD_WAITS_LAST) != 0) count("beside");
  if (current_context != &device_context) return INVALID_CONTEXT;
  (void)extra;
  int result = (order & HD_WAITS_LAST) != 0 ? 0 : run_held();
  if (result != 0) return result;
  if ((order & HD_LETS_NEXT_BEGIN) != 0) return hold(f, config->grid_x, config->block_x, config->shared, args);
  result = run_now(f, config->grid_x, config->block_x, config->shared, args);
  return result != 0 ? result : run_held();
}
