#include "runtime/backends/backend_cpu.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/backends/cpu_pace.h"
#include "runtime/backends/fiber.h"
#include "runtime/core/builtin.h"

enum {
  // So many cores are faster with atomic updates than one is with plain ones, at least, and than one alone as soon as they are awake.
  HD_NOT_FEW_CORES = 6
};

// A launch cut into units: runs of threads within one block. Units are numbered block by block.
struct hd_cpu_job {
  void (*cpu)(const struct hd_cpu_launch*, void**);
  const struct hd_kernel* fiber_kernel;  // NULL unless the kernel has barriers
  const struct hd_launch* launch;
  int units_per_block;
  int threads_per_unit;
  int64_t num_units;
  int64_t chunk;  // units that a worker takes at a time
  bool waits;     // one for what those before it say, so that it is better to take them one by one
  bool updates;   // most of the work is atomic updates
  bool updates_some;
  _Atomic int64_t next_unit;
  _Atomic int problem;  // errno of the first worker that could not do its part
};

struct hd_cpu_worker {
  struct hd_cpu_device* device;
  pthread_t thread;
  char* shared;
  int64_t shared_capacity;
  struct hd_fiber_stacks stacks;
};

struct hd_cpu_device {
  int num_workers;  // workers[0] is the thread that launches
  struct hd_cpu_worker* workers;
  pid_t process;  // whose threads the others are
  int64_t memory_bytes;
  struct hd_failure_report failure_report;
  struct hd_cpu_pace* paces;  // one per kernel, the builtin ones behind the program's
  uint64_t ticks;             // when a launch last ended, of those of several units
  pthread_mutex_t lock;
  pthread_cond_t wake;
  pthread_cond_t done;
  struct hd_cpu_job* job;  // the rest is guarded by lock
  int64_t generation;      // counts jobs handed out
  _Atomic int num_busy;    // and may be read without
  bool closing;
};

static bool hd_cpu_are_few(int num_workers) { return num_workers < HD_NOT_FEW_CORES; }

static int64_t hd_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// What is quick to read, and takes no longer than a nanosecond each.
static uint64_t hd_cpu_ticks(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return (uint64_t)hd_nanoseconds();
#endif
}

HD_API void hd_cpu_give_way(void) {
  enum { HD_TURNS_OF_A_SHORT_WAIT = 256 };
  static __thread unsigned turns;
  if (++turns % HD_TURNS_OF_A_SHORT_WAIT == 0) sched_yield();
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

static int hd_cpu_reserve_shared(struct hd_cpu_worker* worker, int64_t bytes) {
  if (worker->shared_capacity >= bytes) return 0;
  free(worker->shared);
  worker->shared_capacity = 0;
  if (posix_memalign((void**)&worker->shared, 64, (size_t)bytes) != 0) {
    worker->shared = NULL;
    return ENOMEM;
  }
  worker->shared_capacity = bytes;
  return 0;
}

// `alone`: nobody else works on the job.
static int hd_cpu_run_units(struct hd_cpu_worker* worker, struct hd_cpu_job* job, int64_t begin, int64_t end,
                            bool alone) {
  const struct hd_launch* launch = job->launch;
  int problem = hd_cpu_reserve_shared(worker, launch->shared_bytes);
  if (problem != 0) return problem;
  struct hd_cpu_launch part = {
      .block_size = launch->block_size, .num_blocks = launch->num_blocks, .shared = worker->shared, .alone = alone};
  // Without shared memory, whole blocks need nothing from each other's set-up: one call does them all.
  if (job->units_per_block == 1 && job->fiber_kernel == NULL && launch->shared_bytes == 0) {
    part.first_block = begin;
    part.end_block = end;
    part.end_thread = launch->block_size;
    job->cpu(&part, launch->args);
    return 0;
  }
  for (int64_t unit = begin; unit < end; unit++) {
    part.first_block = unit / job->units_per_block;
    part.end_block = part.first_block + 1;
    part.first_thread = (int)(unit % job->units_per_block) * job->threads_per_unit;
    part.end_thread = part.first_thread + job->threads_per_unit;
    if (part.end_thread > launch->block_size) part.end_thread = launch->block_size;
#ifdef HD_DEBUG
    if (launch->shared_bytes > 0) memset(worker->shared, 0xA5, (size_t)launch->shared_bytes);
#endif
    if (job->fiber_kernel != NULL) {
      problem = hd_run_block_in_fibers(&worker->stacks, job->fiber_kernel, &part, launch->args);
      if (problem != 0) return problem;
    } else {
      job->cpu(&part, launch->args);
    }
  }
  return 0;
}

static void hd_cpu_note_problem(struct hd_cpu_job* job, int problem) {
  int none = 0;
  atomic_compare_exchange_strong(&job->problem, &none, problem);
}

// Takes units until there are none left.
static void hd_cpu_take_units(struct hd_cpu_worker* worker, struct hd_cpu_job* job) {
  int problem = 0;
  while (problem == 0) {
    int64_t begin = atomic_fetch_add(&job->next_unit, job->chunk);
    if (begin >= job->num_units) return;
    int64_t end = begin + job->chunk < job->num_units ? begin + job->chunk : job->num_units;
    problem = hd_cpu_run_units(worker, job, begin, end, false);
  }
  hd_cpu_note_problem(job, problem);
}

// What is not worth sharing. A unit may take longer than in the launch before, so that the next is timed where much time went by since a
// launch last ended. That includes what the host did, but takes one look at the clock instead of two.
static void hd_cpu_run_short(struct hd_cpu_device* device, struct hd_cpu_job* job, struct hd_cpu_pace* pace) {
  int problem = hd_cpu_run_units(&device->workers[0], job, 0, job->num_units, true);
  if (problem != 0) hd_cpu_note_problem(job, problem);
  if (job->num_units == 1) return;
  const uint64_t now = hd_cpu_ticks();
  pace->launches_left = now - device->ticks < HD_WORTH_WAKING_NANOSECONDS ? pace->launches_left - 1 : 0;
  device->ticks = now;
}

// Runs units from the first on as long as nobody else knows of the job. True when the rest is worth asking for help, which would take one core
// `left` nanoseconds.
static bool hd_cpu_run_alone(struct hd_cpu_worker* worker, struct hd_cpu_job* job, struct hd_cpu_pace* pace,
                             double* left) {
  int64_t start = hd_nanoseconds();
  // Reading the clock takes as long as a unit may, so it is read after twice as many units each time.
  struct hd_cpu_begun begun = {.num_units = job->num_units};
  double most_left = 0;
  for (int64_t taken = job->chunk; begun.done < job->num_units; taken = 2 * taken) {
    int64_t end = begun.done + taken < job->num_units ? begun.done + taken : job->num_units;
    int problem = hd_cpu_run_units(worker, job, begun.done, end, true);
    if (problem != 0) {
      hd_cpu_note_problem(job, problem);
      return false;
    }
    hd_cpu_saw_alone(pace, &begun, end, (double)(hd_nanoseconds() - start));
    *left = hd_cpu_left(pace, &begun);
    if (*left > most_left) most_left = *left;
    if (end < job->num_units && hd_cpu_is_time_to_wake(pace, &begun)) {
      atomic_store(&job->next_unit, end);
      return true;
    }
  }
  hd_cpu_stayed_alone(pace, &begun, most_left);
  return false;
}

static void* hd_cpu_worker_main(void* argument) {
  struct hd_cpu_worker* worker = argument;
  struct hd_cpu_device* device = worker->device;
  int64_t seen = 0;
  pthread_mutex_lock(&device->lock);
  for (;;) {
    while (!device->closing && device->generation == seen) pthread_cond_wait(&device->wake, &device->lock);
    if (device->closing) break;
    seen = device->generation;
    struct hd_cpu_job* job = device->job;
    // A worker that wakes up late finds the job done and gone.
    if (job == NULL) continue;
    device->num_busy++;
    pthread_mutex_unlock(&device->lock);
    hd_cpu_take_units(worker, job);
    pthread_mutex_lock(&device->lock);
    if (--device->num_busy == 0) pthread_cond_signal(&device->done);
  }
  pthread_mutex_unlock(&device->lock);
  return NULL;
}

// Where the system refuses further threads, those there are do the work.
static void hd_cpu_start_workers(struct hd_cpu_device* device, int num_workers) {
  pthread_mutex_init(&device->lock, NULL);
  pthread_cond_init(&device->wake, NULL);
  pthread_cond_init(&device->done, NULL);
  device->process = getpid();
  device->generation = 0;
  device->num_workers = 1;
  for (; device->num_workers < num_workers; device->num_workers++) {
    struct hd_cpu_worker* worker = &device->workers[device->num_workers];
    worker->device = device;
    if (pthread_create(&worker->thread, NULL, hd_cpu_worker_main, worker) != 0) break;
  }
}

// A forked child has a copy of the workers' memory, but none of their threads, and locks as these left them.
static bool hd_cpu_has_lost_workers(const struct hd_cpu_device* device) { return device->process != getpid(); }

// Whoever is still busy has hardly anything left to do, as a rule: to go to sleep takes longer.
static void hd_cpu_await_busy(struct hd_cpu_device* device) {
  const uint64_t start = hd_cpu_ticks();
  while (atomic_load(&device->num_busy) > 0 && hd_cpu_ticks() - start < HD_WORTH_WAKING_NANOSECONDS) hd_cpu_give_way();
  if (atomic_load(&device->num_busy) == 0) return;
  pthread_mutex_lock(&device->lock);
  while (atomic_load(&device->num_busy) > 0) pthread_cond_wait(&device->done, &device->lock);
  pthread_mutex_unlock(&device->lock);
}

static void hd_cpu_run_together(struct hd_cpu_device* device, struct hd_cpu_job* job) {
  if (hd_cpu_has_lost_workers(device)) hd_cpu_start_workers(device, device->num_workers);
  pthread_mutex_lock(&device->lock);
  device->job = job;
  device->generation++;
  pthread_mutex_unlock(&device->lock);
  // Who wakes up takes the lock first.
  pthread_cond_broadcast(&device->wake);
  hd_cpu_take_units(&device->workers[0], job);
  pthread_mutex_lock(&device->lock);
  device->job = NULL;
  pthread_mutex_unlock(&device->lock);
  hd_cpu_await_busy(device);
}

// Whether one core is better left alone with it.
static bool hd_cpu_is_for_one(const struct hd_cpu_device* device, const struct hd_cpu_job* job) {
  return device->num_workers == 1 || (job->updates && hd_cpu_are_few(device->num_workers));
}

// Several cores may be slower than one: with little work, since they must wake up; with more where one alone updates without atomic operations, and
// scans what it knows the beginning of, above all where other programs keep them waiting.
static void hd_cpu_run_rest_together(struct hd_cpu_device* device, struct hd_cpu_job* job, struct hd_cpu_pace* pace,
                                     double left) {
  const int64_t start = hd_nanoseconds();
  hd_cpu_run_together(device, job);
  const double took = (double)(hd_nanoseconds() - start);
  if (hd_cpu_are_few(device->num_workers) && (job->updates_some || job->waits || hd_cpu_compares(pace, left)))
    hd_cpu_saw_together(pace, left, took);
}

static void hd_cpu_run_job(struct hd_cpu_device* device, struct hd_cpu_job* job, struct hd_cpu_pace* pace) {
  if (hd_cpu_is_for_one(device, job)) {
    int problem = hd_cpu_run_units(&device->workers[0], job, 0, job->num_units, true);
    if (problem != 0) hd_cpu_note_problem(job, problem);
  } else if (job->num_units == 1 || hd_cpu_is_short(pace, job->num_units)) {
    hd_cpu_run_short(device, job, pace);
  } else {
    job->chunk = job->waits ? 1 : job->num_units / (16 * (int64_t)device->num_workers);
    if (job->chunk < 1) job->chunk = 1;
    double left = 0;
    if (hd_cpu_run_alone(&device->workers[0], job, pace, &left)) hd_cpu_run_rest_together(device, job, pace, left);
    device->ticks = hd_cpu_ticks();
  }
}

static int hd_cpu_launch_kernel(struct hd_context* ctx, const struct hd_launch* launch) {
  struct hd_cpu_device* device = ctx->device;
  // Kernels after a failed one would compute with garbage.
  if (((struct hd_failure_record*)ctx->failure_address)->id >= 0) return HD_SUCCESS;
  struct hd_cpu_job job = {.launch = launch, .units_per_block = 1, .threads_per_unit = launch->block_size};
  if (launch->kernel < ctx->program->num_kernels) {
    const struct hd_kernel* kernel = &ctx->program->kernels[launch->kernel];
    job.cpu = kernel->cpu;
    job.waits = kernel->waits;
    job.updates = kernel->updates;
    job.updates_some = kernel->updates_some;
    if (kernel->has_barriers) job.fiber_kernel = kernel;
  } else {
    job.cpu = hd_builtin_cpu[launch->kernel - ctx->program->num_kernels];
  }
  if (job.cpu == NULL) {
    return hd_error(ctx, "Kernel %s was not compiled for the CPU; this is a bug in the compiler.",
                    hd_kernel_name(ctx, launch->kernel));
  }
  // Few large blocks are cut so that all cores get something. Shared memory is one block's business and stays together.
  int64_t wanted = 8 * (int64_t)device->num_workers;
  if (launch->block_size > 1 && job.fiber_kernel == NULL && launch->shared_bytes == 0 && launch->num_blocks < wanted) {
    int64_t pieces = (wanted + launch->num_blocks - 1) / launch->num_blocks;
    if (pieces > launch->block_size) pieces = launch->block_size;
    job.threads_per_unit = (int)((launch->block_size + pieces - 1) / pieces);
    job.units_per_block = (launch->block_size + job.threads_per_unit - 1) / job.threads_per_unit;
  }
  job.num_units = launch->num_blocks * job.units_per_block;
  hd_cpu_run_job(device, &job, &device->paces[launch->kernel]);
  int problem = atomic_load(&job.problem);
  if (problem == 0) return HD_SUCCESS;
  return hd_memory_error(ctx, "Kernel %s cannot run: %s.", hd_kernel_name(ctx, launch->kernel), strerror(problem));
}

static void hd_cpu_stop_workers(struct hd_cpu_device* device) {
  pthread_mutex_lock(&device->lock);
  device->closing = true;
  pthread_cond_broadcast(&device->wake);
  pthread_mutex_unlock(&device->lock);
  for (int i = 1; i < device->num_workers; i++) pthread_join(device->workers[i].thread, NULL);
  pthread_cond_destroy(&device->done);
  pthread_cond_destroy(&device->wake);
  pthread_mutex_destroy(&device->lock);
}

static void hd_cpu_close(struct hd_context* ctx) {
  struct hd_cpu_device* device = ctx->device;
  if (!hd_cpu_has_lost_workers(device)) hd_cpu_stop_workers(device);
  for (int i = 0; i < device->num_workers; i++) {
    free(device->workers[i].shared);
    hd_fiber_stacks_free(&device->workers[i].stacks);
  }
  free(device->workers);
  free(device->paces);
  free(device);
  ctx->device = NULL;
  ctx->reaches_arrays = false;
}

// A few for each core, so that all end at about the same time; for one core nothing need be shared out.
static int64_t hd_cpu_enough_threads(int num_workers) { return num_workers == 1 ? 1 : 8 * (int64_t)num_workers; }

static int hd_cpu_open(struct hd_context* ctx) {
  bool chosen = ctx->config->num_threads > 0;
  if (!chosen && hd_bad_threads_variable() != NULL) {
    fprintf(stderr, "Note: HEDDLE_THREADS is \"%s\", which is no number of threads; there is one per core.\n",
            hd_bad_threads_variable());
  }
  int num_threads = chosen ? ctx->config->num_threads : hd_num_processors();
  if (num_threads > 1024) num_threads = 1024;
  struct hd_cpu_device* device = calloc(1, sizeof *device);
  struct hd_cpu_worker* workers = calloc((size_t)num_threads, sizeof *workers);
  struct hd_cpu_pace* paces = calloc((size_t)ctx->program->num_kernels + HD_NUM_BUILTINS, sizeof *paces);
  if (device == NULL || workers == NULL || paces == NULL) {
    free(device);
    free(workers);
    free(paces);
    return hd_memory_error(ctx, "Out of host memory.");
  }
  device->workers = workers;
  device->paces = paces;
  device->memory_bytes = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
  workers[0].device = device;
  hd_cpu_start_workers(device, num_threads);
  // What many cores do is not compared with what one would have done.
  for (int k = 0; k < ctx->program->num_kernels + HD_NUM_BUILTINS; k++)
    paces[k].evenness = hd_cpu_are_few(num_threads) ? 0 : 1;
  ctx->device = device;
  ctx->reaches_arrays = !ctx->profiling;
  ctx->failure_report = &device->failure_report;
  ctx->limits = (struct hd_limits){.max_block_size = 1024,
                                   .max_grid_size = INT32_MAX,
                                   .max_shared_memory = 64 * 1024,
                                   .max_registers = 64 * 1024,
                                   .max_cache = 1024 * 1024,
                                   .grid_threads = 2048 * (int64_t)device->num_workers,
                                   .enough_threads = hd_cpu_enough_threads(device->num_workers),
                                   .warp_size = 1};
  if (ctx->logging) fprintf(ctx->log, "Using %d threads\n", device->num_workers);
  return HD_SUCCESS;
}

// The system hands out more memory than there is and kills who uses it: refuse before that.
static int hd_cpu_alloc(struct hd_context* ctx, int64_t bytes, bool for_host, void** address) {
  (void)for_host;
  struct hd_cpu_device* device = ctx->device;
  if (bytes > device->memory_bytes || ctx->pool.obtained > device->memory_bytes - bytes) return HD_ERROR_MEMORY;
  return posix_memalign(address, 64, (size_t)bytes) == 0 ? HD_SUCCESS : HD_ERROR_MEMORY;
}

static void hd_cpu_free(struct hd_context* ctx, void* address) {
  (void)ctx;
  free(address);
}

static int hd_cpu_copy(struct hd_context* ctx, void* dst, const void* src, int64_t bytes, enum hd_direction direction) {
  (void)ctx;
  (void)direction;
  memmove(dst, src, (size_t)bytes);
  return HD_SUCCESS;
}

static int hd_cpu_finish(struct hd_context* ctx, const struct hd_read* reads, int num_reads) {
  (void)ctx;
  for (int i = 0; i < num_reads; i++) memcpy(reads[i].host, reads[i].device, (size_t)reads[i].bytes);
  return HD_SUCCESS;
}

static int hd_cpu_mark(struct hd_context* ctx, struct hd_instant* instant) {
  (void)ctx;
  *instant = (struct hd_instant){.nanoseconds = hd_nanoseconds()};
  return HD_SUCCESS;
}

static int hd_cpu_elapsed(struct hd_context* ctx, struct hd_instant* begin, struct hd_instant* end,
                          double* microseconds) {
  (void)ctx;
  *microseconds = (double)(end->nanoseconds - begin->nanoseconds) / 1000;
  return HD_SUCCESS;
}

HD_API const struct hd_backend_ops* hd_backend_cpu(void) {
  static const struct hd_backend_ops ops = {.open = hd_cpu_open,
                                            .close = hd_cpu_close,
                                            .alloc = hd_cpu_alloc,
                                            .free = hd_cpu_free,
                                            .copy = hd_cpu_copy,
                                            .launch = hd_cpu_launch_kernel,
                                            .finish = hd_cpu_finish,
                                            .mark = hd_cpu_mark,
                                            .elapsed = hd_cpu_elapsed};
  return &ops;
}
