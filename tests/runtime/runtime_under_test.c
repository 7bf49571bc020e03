#define HD_API

// Each of these builds on those before it, so they must not be sorted.
// clang-format off
#include "embedded_runtime_headers.txt"
#include "embedded_runtime_host.txt"
#include "embedded_runtime_cpu.txt"
#include "embedded_runtime_cuda_headers.txt"
#include "embedded_runtime_contraction_headers.txt"
#include "embedded_runtime_cuda.txt"
#include "embedded_runtime_contraction.txt"
#include "embedded_runtime_device.txt"
#include "embedded_runtime_builtins.txt"
#include "runtime_under_test.h"
#include "test_kernels.h"
// clang-format on

static void add_one_cpu(const struct hd_cpu_launch* launch, void** args) {
  struct hd_failure_record* failure = *(struct hd_failure_record**)args[0];
  const float* x = *(const float**)args[1];
  float* y = *(float**)args[2];
  int64_t n = *(int64_t*)args[3];
  HD_CPU_FOR_EACH_THREAD(launch, self) add_one(self, failure, x, y, n);
}

static void give_up_cpu(const struct hd_cpu_launch* launch, void** args) {
  struct hd_failure_record* failure = *(struct hd_failure_record**)args[0];
  HD_CPU_FOR_EACH_THREAD(launch, self) give_up(self, failure);
}

static void count_threads_cpu(const struct hd_cpu_launch* launch, void** args) {
  struct hd_failure_record* failure = *(struct hd_failure_record**)args[0];
  int32_t* counts = *(int32_t**)args[1];
  int64_t* sum = *(int64_t**)args[2];
  HD_CPU_FOR_EACH_THREAD(launch, self) count_threads(self, failure, counts, sum);
}

static void reverse_blocks_cpu(const struct hd_cpu_launch* launch, void** args) {
  struct hd_failure_record* failure = *(struct hd_failure_record**)args[0];
  int32_t* x = *(int32_t**)args[1];
  HD_CPU_FOR_EACH_THREAD(launch, self) reverse_blocks(self, failure, x);
}

static void try_atomics_cpu(const struct hd_cpu_launch* launch, void** args) {
  struct hd_failure_record* failure = *(struct hd_failure_record**)args[0];
  int8_t* bytes = *(int8_t**)args[1];
  int16_t* halves = *(int16_t**)args[2];
  float* f32 = *(float**)args[3];
  double* f64 = *(double**)args[4];
  HD_CPU_FOR_EACH_THREAD(launch, self) try_atomics(self, failure, bytes, halves, f32, f64);
}

const struct hd_kernel test_kernels[NUM_TEST_KERNELS] = {
    [ADD_ONE] = {"add_one", false, add_one_cpu, NULL, 0, false, false, false},
    [GIVE_UP] = {"give_up", false, give_up_cpu, NULL, 0, false, false, false},
    [COUNT_THREADS] = {"count_threads", false, count_threads_cpu, NULL, 0, false, false, false},
    [REVERSE_BLOCKS] = {"reverse_blocks", true, reverse_blocks_cpu, NULL, 0, false, false, false},
    [TRY_ATOMICS] = {"try_atomics", false, try_atomics_cpu, NULL, 0, false, false, false},
};
