#include "runtime/backends/fiber.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/backends/flow.h"

// Pages are committed when they are first touched, so generous stacks cost nothing; below each lies a page that faults.
enum { HD_FIBER_STACK_BYTES = 1 << 18 };

struct hd_fiber {
  struct hd_flow flow;
  bool finished;
};

struct hd_fiber_block {
  struct hd_flow scheduler;
  struct hd_fiber* fibers;
  int current;
  const struct hd_kernel* kernel;
  const struct hd_cpu_launch* launch;
  void** args;
};

// The block that this core is running; barriers have no other way to find it.
static __thread struct hd_fiber_block* hd_current_block;

HD_API void hd_fiber_stacks_free(struct hd_fiber_stacks* stacks) {
  if (stacks->memory != NULL) munmap(stacks->memory, (size_t)stacks->num_fibers * HD_FIBER_STACK_BYTES);
  *stacks = (struct hd_fiber_stacks){0};
}

static int hd_fiber_stacks_reserve(struct hd_fiber_stacks* stacks, int num_fibers) {
  if (stacks->num_fibers >= num_fibers) return 0;
  hd_fiber_stacks_free(stacks);
  size_t bytes = (size_t)num_fibers * HD_FIBER_STACK_BYTES;
  char* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return errno;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < num_fibers; i++) mprotect(memory + (size_t)i * HD_FIBER_STACK_BYTES, page, PROT_NONE);
  *stacks = (struct hd_fiber_stacks){memory, num_fibers};
  return 0;
}

HD_API void hd_cpu_barrier(void) {
  struct hd_fiber_block* block = hd_current_block;
  hd_flow_switch(&block->fibers[block->current].flow, &block->scheduler);
}

// Apart from hd_fiber_main, so that nothing of it is left on the stack when the stack is used again.
static __attribute__((noinline)) void hd_fiber_run(void) {
  struct hd_fiber_block* block = hd_current_block;
  struct hd_cpu_launch launch = *block->launch;
  launch.end_block = launch.first_block + 1;
  launch.first_thread = block->current;
  launch.end_thread = block->current + 1;
  block->kernel->cpu(&launch, block->args);
  block->fibers[block->current].finished = true;
}

static void hd_fiber_main(void) {
  hd_fiber_run();
  // The scheduler never comes back here.
  hd_cpu_barrier();
}

HD_API int hd_run_block_in_fibers(struct hd_fiber_stacks* stacks, const struct hd_kernel* kernel,
                                  const struct hd_cpu_launch* launch, void** args) {
  int problem = hd_fiber_stacks_reserve(stacks, launch->block_size);
  if (problem != 0) return problem;
  struct hd_fiber_block block = {.kernel = kernel, .launch = launch, .args = args};
  block.fibers = calloc((size_t)launch->block_size, sizeof *block.fibers);
  if (block.fibers == NULL) return ENOMEM;
  hd_current_block = &block;
  for (int i = 0; i < launch->block_size; i++) {
    char* stack = stacks->memory + (size_t)i * HD_FIBER_STACK_BYTES;
    hd_flow_prepare(&block.fibers[i].flow, stack, HD_FIBER_STACK_BYTES, hd_fiber_main);
  }
  // One round runs every living fiber up to its next barrier. A fiber that returned no longer takes part in barriers.
  for (int living = launch->block_size; living > 0;) {
    living = 0;
    for (block.current = 0; block.current < launch->block_size; block.current++) {
      struct hd_fiber* fiber = &block.fibers[block.current];
      if (fiber->finished) continue;
      hd_flow_switch(&block.scheduler, &fiber->flow);
      if (!fiber->finished) living++;
    }
  }
  hd_current_block = NULL;
  free(block.fibers);
  return 0;
}
