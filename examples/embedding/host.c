// A host of heddle's library in miniature: a compiler whose programs are a single formula over neighbours in a list.
// It writes the program as IR text, has it planned, and launches the kernel through the CUDA driver, whose interface it
// declares itself, so that it can be compiled where no CUDA is.
//
//   host SIZE    prints the averages of three neighbours in 0, 1, 4, 9, ..., SIZE numbers
#include <dlfcn.h>
#include <heddle.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "host: %s\n", what);
  exit(1);
}

// ---- The program. ----

static void check(heddle_status status, heddle_error** error) {
  if (status == HEDDLE_OK) return;
  fprintf(stderr, "host: %s\n", heddle_error_message(*error));
  heddle_error_free(*error);
  exit(1);
}

// Sizes that are digits in the program become digits in the plan, so that nothing is left to compute at the launch.
static heddle_program* write_program(int n) {
  char text[2000];
  int length = snprintf(text, sizeof text,
                        "entry(\"averages\", {xs: []f32}, {[]f32})\n"
                        "  averages (xs_1 : [%1$di64]f32) : {[%1$di64]f32} = {\n"
                        "  let {ys_2 : [%1$di64]f32} =\n"
                        "    segmap(thread; ; grid=1i64; blocksize=256i64)\n"
                        "    (i_3 < %1$di64) (~thread_4) : {f32} {\n"
                        "      let {before_5 : i64} = sub64(i_3, 1i64)\n"
                        "      let {left_6 : i64} = smax64(0i64, before_5)\n"
                        "      let {behind_7 : i64} = add64(i_3, 1i64)\n"
                        "      let {right_8 : i64} = smin64(%2$di64, behind_7)\n"
                        "      let {a_9 : f32} = xs_1[left_6]\n"
                        "      let {b_10 : f32} = xs_1[i_3]\n"
                        "      let {c_11 : f32} = xs_1[right_8]\n"
                        "      let {ab_12 : f32} = fadd32(a_9, b_10)\n"
                        "      let {abc_13 : f32} = fadd32(ab_12, c_11)\n"
                        "      let {average_14 : f32} = fdiv32(abc_13, 3.0f32)\n"
                        "      return {returns average_14}\n"
                        "    }\n"
                        "  in {ys_2}\n"
                        "}\n",
                        n, n - 1);
  heddle_program* program;
  heddle_error* error;
  check(heddle_program_read(HEDDLE_SEG, text, (size_t)length, "averages", &program, &error), &error);
  return program;
}

// ---- What the plan says of its one launch. ----

enum { MOST_SCALARS = 16 };

struct launch {
  char* text;  // of the kernel, with what it needs
  char name[200];
  long blocks, threads, shared_bytes;
  int num_scalars;
  long scalars[MOST_SCALARS];
  int num_buffers;  // the first one is that of the argument, or that of the result
  int result_first;
};

// The value of the first member of this name behind `*json`, which moves on there. A compiler that is more than an
// example would use a
// library for JSON.
static int find(const char** json, const char* member, char* value, size_t size) {
  char key[100];
  snprintf(key, sizeof key, "\"%s\": ", member);
  const char* at = strstr(*json, key);
  if (!at) return 0;
  at += strlen(key);
  if (*at == '"') at++;
  size_t length = strcspn(at, "\",\n");
  require(length < size, "the plan has longer words than expected");
  memcpy(value, at, length);
  value[length] = 0;
  *json = at;
  return 1;
}

static long find_number(const char* json, const char* member) {
  char text[200], *end;
  require(find(&json, member, text, sizeof text), "the plan lacks a number");
  long number = strtol(text, &end, 10);
  require(end != text && *end == 0, "a number of the plan is not known");
  return number;
}

static struct launch plan(const heddle_program* program) {
  heddle_plan* plan;
  heddle_error* error;
  char *json, *text;
  check(heddle_program_plan(program, HEDDLE_CUDA, &plan, &error), &error);
  check(heddle_plan_json(plan, &json, &error), &error);
  require(heddle_plan_num_kernels(plan) == 1, "one kernel was expected");
  check(heddle_plan_kernel_text(plan, 0, &text, &error), &error);

  struct launch l = {0};
  const char* prelude = heddle_kernel_prelude();
  l.text = malloc(strlen(prelude) + strlen(text) + 1);
  require(l.text != NULL, "out of memory");
  strcat(strcpy(l.text, prelude), text);
  const char* launches = strstr(json, "\"launches\": ");
  const char* at = strstr(launches, "\"kernel\": ");
  require(find(&at, "name", l.name, sizeof l.name), "the kernel has no name");
  l.blocks = find_number(launches, "blocks");
  l.threads = find_number(launches, "threads_per_block");
  l.shared_bytes = find_number(launches, "shared_bytes");
  char word[200];
  at = strstr(launches, "\"scalars\": ");
  for (const char* end = strchr(at, ']'); find(&at, "value", word, sizeof word) && at < end; l.num_scalars++) {
    require(l.num_scalars < MOST_SCALARS, "the kernel has more scalars than expected");
    l.scalars[l.num_scalars] = strtol(word, NULL, 10);
  }
  at = strstr(launches, "\"buffers\": ");
  l.result_first = strstr(at, "\"result\": ") < strstr(at, "\"array\": ");
  heddle_text_free(text);
  heddle_text_free(json);
  heddle_plan_free(plan);
  return l;
}

// ---- The device. ----

typedef unsigned long long address;
typedef void* handle;

static void* library(const char* const* names) {
  for (; *names; names++) {
    void* found = dlopen(*names, RTLD_NOW);
    if (found) return found;
  }
  // Not an error: whoever compiles for a device need not have one.
  puts("no CUDA is here, so the kernel is not launched");
  exit(77);
}

// Calls a function of the driver or of NVRTC, which yield 0 where they succeed.
#define CALL(from, name, types, ...) require(((int(*) types)symbol(from, #name))(__VA_ARGS__) == 0, #name " failed")

static void* symbol(void* library, const char* name) {
  void* found = dlsym(library, name);
  require(found != NULL, name);
  return found;
}

static char* compile(const char* text) {
  void* nvrtc = library((const char*[]){"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", NULL});
  handle program;
  size_t size;
  CALL(nvrtc, nvrtcCreateProgram, (handle*, const char*, const char*, int, const char* const*, const char* const*),
       &program, text, "kernel.cu", 0, NULL, NULL);
  CALL(nvrtc, nvrtcCompileProgram, (handle, int, const char* const*), program, 1,
       (const char*[]){"--gpu-architecture=compute_75"});
  CALL(nvrtc, nvrtcGetPTXSize, (handle, size_t*), program, &size);
  char* ptx = malloc(size);
  require(ptx != NULL, "out of memory");
  CALL(nvrtc, nvrtcGetPTX, (handle, char*), program, ptx);
  CALL(nvrtc, nvrtcDestroyProgram, (handle*), &program);
  return ptx;
}

static void run(const struct launch* l, const float* xs, float* ys, int n) {
  void* cuda = library((const char*[]){"libcuda.so.1", NULL});
  char* ptx = compile(l->text);
  int device;
  handle context, module, kernel;
  CALL(cuda, cuInit, (unsigned), 0);
  CALL(cuda, cuDeviceGet, (int*, int), &device, 0);
  CALL(cuda, cuDevicePrimaryCtxRetain, (handle*, int), &context, device);
  CALL(cuda, cuCtxSetCurrent, (handle), context);
  CALL(cuda, cuModuleLoadData, (handle*, const void*), &module, ptx);
  CALL(cuda, cuModuleGetFunction, (handle*, handle, const char*), &kernel, module, l->name);

  size_t bytes = (size_t)n * sizeof(float);
  int64_t no_failure[2] = {-1, 0};
  address arrays[2], failure;
  for (int i = 0; i < 2; i++) CALL(cuda, cuMemAlloc_v2, (address*, size_t), &arrays[i], bytes);
  CALL(cuda, cuMemAlloc_v2, (address*, size_t), &failure, sizeof no_failure);
  CALL(cuda, cuMemcpyHtoDAsync_v2, (address, const void*, size_t, handle), failure, no_failure, sizeof no_failure,
       NULL);
  CALL(cuda, cuMemcpyHtoDAsync_v2, (address, const void*, size_t, handle), arrays[l->result_first], xs, bytes, NULL);

  void* arguments[MOST_SCALARS + 3] = {&failure};
  for (int i = 0; i < l->num_scalars; i++) arguments[1 + i] = (void*)&l->scalars[i];
  for (int i = 0; i < 2; i++) arguments[1 + l->num_scalars + i] = &arrays[i];
  CALL(cuda, cuLaunchKernel,
       (handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle, void**, void**), kernel,
       (unsigned)l->blocks, 1, 1, (unsigned)l->threads, 1, 1, (unsigned)l->shared_bytes, NULL, arguments, NULL);
  CALL(cuda, cuMemcpyDtoHAsync_v2, (void*, address, size_t, handle), ys, arrays[!l->result_first], bytes, NULL);
  CALL(cuda, cuStreamSynchronize, (handle), NULL);
  for (int i = 0; i < 2; i++) CALL(cuda, cuMemFree_v2, (address), arrays[i]);
  CALL(cuda, cuMemFree_v2, (address), failure);
  CALL(cuda, cuModuleUnload, (handle), module);
  free(ptx);
}

int main(int argc, char** argv) {
  int n = argc == 2 ? atoi(argv[1]) : 0;
  require(n > 0 && n <= 1000000, "usage: host SIZE");
  heddle_program* program = write_program(n);
  struct launch l = plan(program);
  heddle_program_free(program);
  printf("%s: %ld blocks of %ld threads\n", l.name, l.blocks, l.threads);

  float *xs = malloc((size_t)n * sizeof *xs), *ys = malloc((size_t)n * sizeof *ys);
  require(xs && ys, "out of memory");
  for (int i = 0; i < n; i++) xs[i] = (float)i * (float)i;
  run(&l, xs, ys, n);
  for (int i = 0; i < n; i++) printf("%g%c", ys[i], i + 1 < n ? ' ' : '\n');
  free(xs);
  free(ys);
  free(l.text);
  return 0;
}
