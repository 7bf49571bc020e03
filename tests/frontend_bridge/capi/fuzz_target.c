// A libFuzzer target; mutations_test drives it without.
#include "fuzz_target.h"

#include "support.h"

static const uint8_t* input;
static size_t input_length;

static void broken(const char* what) {
  fprintf(stderr, "%s; of this text:\n", what);
  fwrite(input, 1, input_length, stderr);
  fflush(stderr);
  abort();
}

// Whether there is a result. That there is none is an error of the input, or something that cannot be done yet.
static int holds(heddle_status status, heddle_error** error) {
  if (status == HEDDLE_OK) {
    if (*error) broken("success with an error");
    return 1;
  }
  if (!*error || heddle_error_status(*error) != status || !*heddle_error_message(*error))
    broken("an error without a message");
  if (status != HEDDLE_INPUT && status != HEDDLE_UNSUPPORTED) broken(heddle_error_message(*error));
  heddle_error_free(*error);
  return 0;
}

static char* printed(const heddle_program* program) {
  char* text;
  heddle_error* error;
  if (!holds(heddle_program_text(program, &text, &error), &error)) broken("a program without a text");
  return text;
}

static void expect_reads_back(const heddle_program* program) {
  char* text = printed(program);
  heddle_program* again;
  heddle_error* error;
  heddle_status status =
      heddle_program_read(heddle_program_form(program), text, strlen(text), "printed", &again, &error);
  if (status != HEDDLE_OK) broken(heddle_error_message(error));
  char* second = printed(again);
  if (strcmp(text, second) != 0) broken("printed differently the second time");
  heddle_text_free(second);
  heddle_text_free(text);
  heddle_program_free(again);
}

static void run_pass(const heddle_program* program, const char* pass) {
  heddle_program* after;
  heddle_error* error;
  if (!holds(heddle_program_pass(program, pass, NULL, &after, &error), &error)) return;
  expect_reads_back(after);
  heddle_program_free(after);
}

static void expect_text(heddle_status status, heddle_error** error, char* text) {
  if (!holds(status, error)) return;
  if (!*text) broken("an empty text");
  heddle_text_free(text);
}

static void plan(const heddle_program* program, heddle_target target) {
  heddle_plan* plan;
  heddle_error* error;
  char* text;
  if (!holds(heddle_program_plan(program, target, &plan, &error), &error)) return;
  heddle_status status = heddle_plan_json(plan, &text, &error);
  expect_text(status, &error, text);
  status = heddle_plan_explanation(plan, &text, &error);
  expect_text(status, &error, text);
  for (size_t k = 0; k < heddle_plan_num_kernels(plan); k++) {
    status = heddle_plan_kernel_text(plan, k, &text, &error);
    expect_text(status, &error, text);
  }
  heddle_program* host;
  if (holds(heddle_plan_host(plan, &host, &error), &error)) {
    expect_reads_back(host);
    heddle_program_free(host);
  }
  heddle_plan_free(plan);
}

// A number that depends on all of the bytes.
static size_t digest(void) {
  size_t d = 0;
  for (size_t i = 0; i < input_length; i++) d = d * 31 + input[i];
  return d ^ d >> 17;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t length) {
  static const char* const passes[][4] = {{"inline-functions", "by-threads", "with-segments", "qualify-keys"},
                                          {"discharge", "without-unused", "drop-guards", "distribute"},
                                          {"remove-dead", "free-early", "reuse-memory", "share-kernels"}};
  input = bytes;
  input_length = length;
  for (int form = HEDDLE_SEG; form <= HEDDLE_HOST; form++) {
    heddle_program* program;
    heddle_error* error;
    if (!holds(heddle_program_read((heddle_form)form, (const char*)bytes, length, "fuzz", &program, &error), &error))
      continue;
    expect_reads_back(program);
    run_pass(program, passes[form][digest() % 4]);
    if (form == HEDDLE_SEG) plan(program, digest() / 4 % 2 ? HEDDLE_CPU : HEDDLE_CUDA);
    heddle_program_free(program);
  }
  return 0;
}
