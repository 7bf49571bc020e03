// How tests run kernel text: every thread of a block that has barriers is a thread of the system, so that barriers mean
// what they say and sanitizers see what the threads do. Between runtime/device and the kernels in the file that is
// compiled.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WARP_SIZE = 32, MAX_WARPS = 32 };
static pthread_barrier_t block_barrier, warp_barriers[MAX_WARPS];
static __thread int current_thread;

static void hd_cpu_barrier(void) { pthread_barrier_wait(&block_barrier); }
static void hd_cpu_warp_barrier(void) { pthread_barrier_wait(&warp_barriers[current_thread / WARP_SIZE]); }
static void hd_cpu_shuffle(void* variable, int bytes, int lane) {
  static char offered[MAX_WARPS * WARP_SIZE][8];
  memcpy(offered[current_thread], variable, (size_t)bytes);
  hd_cpu_warp_barrier();
  memcpy(variable, offered[current_thread / WARP_SIZE * WARP_SIZE + lane], (size_t)bytes);
  hd_cpu_warp_barrier();
}

struct test_kernel {
  void (*cpu)(const struct hd_cpu_launch* launch, void** args);
  bool has_barriers;
};

struct test_thread {
  const struct test_kernel* kernel;
  struct hd_cpu_launch launch;
  void** args;
};

static void* run_thread(void* argument) {
  struct test_thread* thread = argument;
  current_thread = thread->launch.first_thread;
  thread->kernel->cpu(&thread->launch, thread->args);
  return NULL;
}

static void run_block_in_threads(const struct test_kernel* kernel, const struct hd_cpu_launch* launch, void** args) {
  int n = launch->block_size;
  pthread_t* ids = calloc((size_t)n, sizeof *ids);
  struct test_thread* threads = calloc((size_t)n, sizeof *threads);
  pthread_barrier_init(&block_barrier, NULL, (unsigned)n);
  for (int w = 0; w * WARP_SIZE < n; w++) {
    int left = n - w * WARP_SIZE;
    pthread_barrier_init(&warp_barriers[w], NULL, (unsigned)(left < WARP_SIZE ? left : WARP_SIZE));
  }
  for (int t = 0; t < n; t++) {
    threads[t] = (struct test_thread){kernel, *launch, args};
    threads[t].launch.first_thread = t;
    threads[t].launch.end_thread = t + 1;
    pthread_create(&ids[t], NULL, run_thread, &threads[t]);
  }
  for (int t = 0; t < n; t++) pthread_join(ids[t], NULL);
  free(threads);
  free(ids);
}

static void run_kernel(const struct test_kernel* kernel, int64_t num_blocks, int block_size, int64_t shared_bytes,
                       void** args) {
  char* shared = NULL;
  if (posix_memalign((void**)&shared, 16, (size_t)shared_bytes + 16) != 0) abort();
  for (int64_t b = 0; b < num_blocks; b++) {
    struct hd_cpu_launch launch = {b, b + 1, 0, block_size, block_size, num_blocks, shared, false};
    memset(shared, 0xA5, (size_t)shared_bytes);
    if (kernel->has_barriers) {
      run_block_in_threads(kernel, &launch, args);
    } else {
      kernel->cpu(&launch, args);
    }
  }
  free(shared);
}
