// Wherever memory ends, calls say so, leave nothing behind and work again afterwards: memory_test PROGRAM
#include <errno.h>
#include <stdatomic.h>

#include "support.h"

// The C library's own, behind ours, which the library under test then finds.
extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t number, size_t size);
extern void* __libc_realloc(void* memory, size_t size);
extern void __libc_free(void* memory);
static atomic_long left = -1;  // allocations until one fails, and all after it; less than 0: none does
static atomic_long allocated;

static int is_there(void) {
  if (atomic_load(&left) < 0 || atomic_fetch_sub(&left, 1) > 0) return 1;
  atomic_store(&left, 0);
  errno = ENOMEM;
  return 0;
}

static void* counted(void* memory) {
  if (memory) atomic_fetch_add(&allocated, 1);
  return memory;
}

void* malloc(size_t size) { return is_there() ? counted(__libc_malloc(size)) : NULL; }
void* calloc(size_t number, size_t size) { return is_there() ? counted(__libc_calloc(number, size)) : NULL; }
void* realloc(void* memory, size_t size) {
  if (!memory) return malloc(size);
  return is_there() ? __libc_realloc(memory, size) : NULL;
}
void free(void* memory) {
  if (memory) atomic_fetch_sub(&allocated, 1);
  __libc_free(memory);
}

// Yields the first status that is no success.
static heddle_status compile(struct text t, heddle_error** error) {
  heddle_program *program = NULL, *after = NULL, *host = NULL;
  heddle_plan* plan = NULL;
  char *json = NULL, *kernel = NULL, *text = NULL;
  heddle_status status = heddle_program_read(HEDDLE_SEG, t.bytes, t.length, "program", &program, error);
  if (!status) status = heddle_program_pass(program, "inline-functions", NULL, &after, error);
  if (!status) status = heddle_program_plan(after, HEDDLE_CUDA, &plan, error);
  if (!status) status = heddle_plan_json(plan, &json, error);
  if (!status) status = heddle_plan_kernel_text(plan, 0, &kernel, error);
  if (!status) status = heddle_plan_host(plan, &host, error);
  if (!status) status = heddle_program_text(host, &text, error);
  atomic_store(&left, -1);
  heddle_text_free(text);
  heddle_text_free(kernel);
  heddle_text_free(json);
  heddle_program_free(host);
  heddle_plan_free(plan);
  heddle_program_free(after);
  heddle_program_free(program);
  return status;
}

int main(int argc, char** argv) {
  EXPECT(argc == 2);
  struct text t = read_file(argv[1]);
  heddle_error* error;
  expect_ok(compile(t, &error), &error);  // tables that are made once are there from now on
  long before = atomic_load(&allocated), failures = 0;
  for (long n = 0;; n += 1 + n / 25) {
    atomic_store(&left, n);
    heddle_status status = compile(t, &error);
    if (status == HEDDLE_OK) break;
    EXPECT(status == HEDDLE_OUT_OF_MEMORY && heddle_error_status(error) == status);
    EXPECT(strcmp(heddle_error_message(error), "out of memory") == 0);
    heddle_error_free(error);
    EXPECT(atomic_load(&allocated) == before);
    failures++;
  }
  EXPECT(failures > 50);
  printf("%ld times out of memory\n", failures);
  expect_ok(compile(t, &error), &error);
  free(t.bytes);
  return 0;
}
