// Threads that use the same program and plan at the same time, and others of their own, all get what one gets alone:
// threads_test PROGRAM.fut_gpu...
#include <pthread.h>

#include "support.h"

enum { NUM_THREADS = 8, NUM_ROUNDS = 3 };

// All that a plan has to say.
static char* said_by(const heddle_plan* plan) {
  char* all[3];
  heddle_program* host;
  heddle_error* error;
  expect_ok(heddle_plan_json(plan, &all[0], &error), &error);
  expect_ok(heddle_plan_explanation(plan, &all[1], &error), &error);
  expect_ok(heddle_plan_host(plan, &host, &error), &error);
  expect_ok(heddle_program_text(host, &all[2], &error), &error);
  heddle_program_free(host);
  char* together = calloc(1, strlen(all[0]) + strlen(all[1]) + strlen(all[2]) + 1);
  EXPECT(together);
  for (int i = 0; i < 3; i++) {
    strcat(together, all[i]);
    heddle_text_free(all[i]);
  }
  return together;
}

static heddle_plan* plan_of(const heddle_program* program) {
  heddle_plan* plan;
  heddle_error* error;
  expect_ok(heddle_program_plan(program, HEDDLE_CUDA, &plan, &error), &error);
  return plan;
}

static heddle_program* program_of(struct text t) {
  heddle_program* program;
  heddle_error* error;
  expect_ok(heddle_program_read(HEDDLE_SEG, t.bytes, t.length, "program", &program, &error), &error);
  return program;
}

struct shared {
  struct text text;
  heddle_program* program;
  heddle_plan* plan;
  char* said;
};
static struct shared shared[8];
static int num_shared;

static void expect_same(const heddle_plan* plan, const struct shared* s) {
  char* said = said_by(plan);
  EXPECT(strcmp(said, s->said) == 0);
  free(said);
}

static void* work(void* number) {
  for (int round = 0; round < NUM_ROUNDS; round++) {
    const struct shared* s = &shared[((size_t)(char*)number + (size_t)round) % (size_t)num_shared];
    expect_same(s->plan, s);
    heddle_plan* planned_here = plan_of(s->program);
    expect_same(planned_here, s);
    heddle_plan_free(planned_here);
    heddle_program* read_here = program_of(s->text);
    planned_here = plan_of(read_here);
    heddle_program_free(read_here);
    expect_same(planned_here, s);
    heddle_plan_free(planned_here);

    heddle_program* none;
    heddle_error* error;
    EXPECT(heddle_program_read(HEDDLE_SEG, "fun", 3, "wrong", &none, &error) == HEDDLE_INPUT);
    EXPECT(strstr(heddle_error_message(error), "wrong:1:4"));
    heddle_error_free(error);
  }
  return NULL;
}

int main(int argc, char** argv) {
  EXPECT(argc > 1 && argc <= 9);
  for (num_shared = 0; num_shared < argc - 1; num_shared++) {
    struct shared* s = &shared[num_shared];
    s->text = read_file(argv[1 + num_shared]);
    s->program = program_of(s->text);
    s->plan = plan_of(s->program);
    s->said = said_by(s->plan);
  }
  pthread_t threads[NUM_THREADS];
  for (size_t i = 0; i < NUM_THREADS; i++) EXPECT(pthread_create(&threads[i], NULL, work, (char*)NULL + i) == 0);
  for (int i = 0; i < NUM_THREADS; i++) EXPECT(pthread_join(threads[i], NULL) == 0);
  for (int i = 0; i < num_shared; i++) {
    heddle_plan_free(shared[i].plan);
    heddle_program_free(shared[i].program);
    free(shared[i].said);
    free(shared[i].text.bytes);
  }
  return 0;
}
