#include "gpu_block.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/backends/flow.h"

enum { STACK_BYTES = 1 << 18, MAX_THREADS = 1024, WARP = 32 };

struct copy {
  void* to;
  const void* from;
  int bytes;
  bool valid;
  int group;
};

enum state { RUNS, AT_WARP_BARRIER, AT_BLOCK_BARRIER, FINISHED };

struct thread {
  struct hd_flow flow;
  enum state state;
  struct copy* copies;  // not arrived yet, oldest first
  int num_copies, capacity;
  int num_groups;  // committed so far
  int shuffles;    // so far
  char offered[2][8];
};

static struct block {
  void (*kernel)(const struct hd_cpu_launch*, void**);
  const struct hd_cpu_launch* launch;
  void** args;
  struct hd_flow scheduler;
  int current;
  struct thread threads[MAX_THREADS];
} block;

static char* stacks;
static uint32_t randomness = 12345;

static uint32_t below(uint32_t n) {
  randomness ^= randomness << 13;
  randomness ^= randomness >> 17;
  randomness ^= randomness << 5;
  return randomness % n;
}

static void leave(enum state state) {
  struct thread* t = &block.threads[block.current];
  t->state = state;
  hd_flow_switch(&t->flow, &block.scheduler);
}
static void block_barrier(void) { leave(AT_BLOCK_BARRIER); }
static void warp_barrier(void) { leave(AT_WARP_BARRIER); }

// Who goes on may come to the next shuffle before others have received in this one, but no further: two places suffice.
static void shuffle(void* variable, int bytes, int lane) {
  struct thread* t = &block.threads[block.current];
  const int turn = t->shuffles++ % 2, first = block.current / WARP * WARP;
  memcpy(t->offered[turn], variable, (size_t)bytes);
  leave(AT_WARP_BARRIER);
  if (lane < 0 || lane >= WARP) abort();
  memcpy(variable, block.threads[first + lane].offered[turn], (size_t)bytes);
}

// Lets the copies of all groups below this number arrive.
static void arrive(struct thread* t, int group) {
  int n = 0;
  for (; n < t->num_copies && t->copies[n].group < group; n++) {
    const struct copy* c = &t->copies[n];
    if (c->valid) {
      memcpy(c->to, c->from, (size_t)c->bytes);
    } else {
      memset(c->to, 0, (size_t)c->bytes);
    }
  }
  t->num_copies -= n;
  memmove(t->copies, t->copies + n, (size_t)t->num_copies * sizeof *t->copies);
}

// The device wants wide accesses aligned. Registers, here places on a stack, may lie anywhere.
static void expect_aligned(const void* address, int bytes) {
  uintptr_t place = (uintptr_t)address, first = (uintptr_t)stacks;
  bool is_register = place >= first && place - first < (uintptr_t)STACK_BYTES * MAX_THREADS;
  if (is_register || place % (uintptr_t)bytes == 0) return;
  fprintf(stderr, "A misaligned access to %d bytes.\n", bytes);
  abort();
}

static void move(void* to, const void* from, int bytes) {
  expect_aligned(to, bytes);
  expect_aligned(from, bytes);
  memcpy(to, from, (size_t)bytes);
}

static void copy(void* to, const void* from, int bytes, bool valid) {
  struct thread* t = &block.threads[block.current];
  expect_aligned(to, bytes);
  if (valid) expect_aligned(from, bytes);
  if (t->num_copies == t->capacity) {
    t->capacity = 2 * t->capacity + 16;
    t->copies = realloc(t->copies, (size_t)t->capacity * sizeof *t->copies);
    if (t->copies == NULL) abort();
  }
  t->copies[t->num_copies++] = (struct copy){to, from, bytes, valid, t->num_groups};
  // Other sizes cannot be copied asynchronously.
  if (bytes != 4 && bytes != 8 && bytes != 16) {
    const struct copy now = t->copies[--t->num_copies];
    if (now.valid) {
      memcpy(now.to, now.from, (size_t)bytes);
    } else {
      memset(now.to, 0, (size_t)bytes);
    }
  }
}

static void commit(void) { block.threads[block.current].num_groups++; }

static void wait_for_copies(int pending) {
  struct thread* t = &block.threads[block.current];
  arrive(t, t->num_groups - pending);
}

const struct gpu_words gpu_words = {block_barrier, warp_barrier, shuffle, move, copy, commit, wait_for_copies};

static __attribute__((noinline)) void run_thread(void) {
  struct hd_cpu_launch one = *block.launch;
  one.first_thread = block.current;
  one.end_thread = block.current + 1;
  block.kernel(&one, block.args);
  struct thread* t = &block.threads[block.current];
  arrive(t, t->num_groups + 1);
}

static void thread_main(void) {
  run_thread();
  leave(FINISHED);  // for good
}

// Lets the threads from `first` to `end` go on if all of them that live wait at such a barrier.
static bool pass(int first, int end, enum state barrier) {
  bool waits = false;
  for (int i = first; i < end; i++) {
    enum state state = block.threads[i].state;
    if (state != barrier && state != FINISHED) return false;
    waits |= state == barrier;
  }
  for (int i = first; waits && i < end; i++) {
    if (block.threads[i].state == barrier) block.threads[i].state = RUNS;
  }
  return waits;
}

// False when all threads have returned.
static bool pass_barriers(int n) {
  bool passed = false;
  for (int i = 0; i < n; i += WARP) passed |= pass(i, i + WARP < n ? i + WARP : n, AT_WARP_BARRIER);
  if (passed || pass(0, n, AT_BLOCK_BARRIER)) return true;
  for (int i = 0; i < n; i++) {
    if (block.threads[i].state == FINISHED) continue;
    fprintf(stderr, "Thread %d waits at a barrier that others do not reach.\n", i);
    abort();
  }
  return false;
}

bool gpu_run_block(void (*kernel)(const struct hd_cpu_launch*, void**), const struct hd_cpu_launch* launch,
                   void** args) {
  int n = launch->block_size;
  if (stacks == NULL) {
    size_t bytes = (size_t)STACK_BYTES * MAX_THREADS;
    stacks = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED) stacks = NULL;
  }
  if (stacks == NULL || n > MAX_THREADS) return false;
  block.kernel = kernel;
  block.launch = launch;
  block.args = args;
  int order[MAX_THREADS];
  for (int i = 0; i < n; i++) {
    struct thread* t = &block.threads[i];
    t->state = RUNS;
    t->num_copies = 0;
    t->num_groups = 0;
    t->shuffles = 0;
    hd_flow_prepare(&t->flow, stacks + (size_t)i * STACK_BYTES, STACK_BYTES, thread_main);
    order[i] = i;
  }
  // A thread that returned no longer takes part in barriers.
  do {
    for (int i = n; i > 1; i--) {
      int j = (int)below((uint32_t)i), other = order[j];
      order[j] = order[i - 1];
      order[i - 1] = other;
    }
    for (int i = 0; i < n; i++) {
      block.current = order[i];
      struct thread* t = &block.threads[block.current];
      if (t->state == RUNS) hd_flow_switch(&block.scheduler, &t->flow);
    }
  } while (pass_barriers(n));
  return true;
}
