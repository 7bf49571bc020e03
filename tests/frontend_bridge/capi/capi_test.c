// The C interface as another program uses it: capi_test CONV.fut_gpu KERNEL.nest PROGRAM.host SOACS.fut_soacs
#include "support.h"

static heddle_program* read(heddle_form form, struct text t, const char* name) {
  heddle_program* program;
  heddle_error* error;
  expect_ok(heddle_program_read(form, t.bytes, t.length, name, &program, &error), &error);
  return program;
}

static heddle_program* program_in(const char* path) {
  struct text t = read_file(path);
  heddle_program* program = read(form_of(path), t, path);
  free(t.bytes);
  return program;
}

static char* text_of(const heddle_program* program) {
  char* text;
  heddle_error* error;
  expect_ok(heddle_program_text(program, &text, &error), &error);
  return text;
}

static void expect_error(heddle_status status, heddle_error* error, heddle_status wanted, int line, int column,
                         const char* message) {
  EXPECT(status == wanted && error);
  EXPECT(heddle_error_status(error) == wanted);
  if (!strstr(heddle_error_message(error), message)) fprintf(stderr, "%s\n", heddle_error_message(error));
  EXPECT(strstr(heddle_error_message(error), message));
  EXPECT(heddle_error_line(error) == line && heddle_error_column(error) == column);
  heddle_error_free(error);
}

static void texts_round_trip(const char* path) {
  struct text t = read_file(path);
  heddle_program* program = read(form_of(path), t, path);
  memset(t.bytes, 'x', t.length);  // it was only needed during the call
  free(t.bytes);
  EXPECT(heddle_program_form(program) == form_of(path));
  char* text = text_of(program);
  heddle_program* again = read(form_of(path), (struct text){text, strlen(text)}, "printed");
  heddle_program_free(program);
  char* second = text_of(again);
  EXPECT(strcmp(text, second) == 0);
  heddle_text_free(text);
  heddle_text_free(second);
  heddle_program_free(again);
}

static void errors_have_kind_and_place(const char* kernel) {
  heddle_program* program = (heddle_program*)1;
  heddle_error* error;
  const char* wrong = "types {\n}\nentry(\"\xc3\xa9\" 7)";
  heddle_status status = heddle_program_read(HEDDLE_SEG, wrong, strlen(wrong), "wrong", &program, &error);
  EXPECT(!program);
  expect_error(status, error, HEDDLE_INPUT, 3, 11, "wrong:3:11: ");
  // Without anybody to be told more.
  EXPECT(heddle_program_read(HEDDLE_SEG, wrong, strlen(wrong), "wrong", &program, NULL) == HEDDLE_INPUT);

  const char* ill_formed = "fun f_1 () : {i64} = {\n  let {x_2 : i64} = add64(1i64, y_3)\n  in {x_2}\n}\n";
  status = heddle_program_read(HEDDLE_SEG, ill_formed, strlen(ill_formed), "ill", &program, &error);
  expect_error(status, error, HEDDLE_INPUT, 2, 0, "y_3");
  const char* newer = "name_source 7\n";
  status = heddle_program_read(HEDDLE_SEG, newer, strlen(newer), "newer", &program, &error);
  expect_error(status, error, HEDDLE_UNSUPPORTED, 1, 1, "0.25.33");
  status = heddle_program_read(HEDDLE_NEST, "kernel\n 7", 9, "k", &program, &error);
  expect_error(status, error, HEDDLE_INPUT, 2, 2, "k:2:2: ");
  status = heddle_program_read((heddle_form)9, "", 0, "", &program, &error);
  expect_error(status, error, HEDDLE_INPUT, 0, 0, "no form 9");

  program = program_in(kernel);
  heddle_program* after = (heddle_program*)1;
  status = heddle_program_pass(program, "no such pass", NULL, &after, &error);
  EXPECT(!after);
  expect_error(status, error, HEDDLE_INPUT, 0, 0, "no such pass");
  status = heddle_program_pass(program, "cse", NULL, &after, &error);
  expect_error(status, error, HEDDLE_INPUT, 0, 0, "cse");
  heddle_plan* plan = (heddle_plan*)1;
  status = heddle_program_plan(program, HEDDLE_CPU, &plan, &error);
  EXPECT(!plan);
  expect_error(status, error, HEDDLE_INPUT, 0, 0, "HEDDLE_SEG");
  heddle_program_free(program);
}

// What is read needs no stack of the caller's, nor do its passes and its end.
static void nesting_has_a_bound(void) {
  enum { LEVELS = 4990 };  // of statements; a branch and its body are two of the reader's
  char *text = malloc(LEVELS * 2 * 200 + 100), *at = text;
  EXPECT(text);
  for (int levels = LEVELS; levels <= 2 * LEVELS; levels *= 2, at = text) {
    at += sprintf(at, "fun f_1 () : {i64} = {\n");
    for (int i = 0; i < levels; i++) at += sprintf(at, "let {x_%d : i64} = if true then {", i + 2);
    at += sprintf(at, "1i64");
    for (int i = levels; i-- > 0;) at += sprintf(at, "} else {1i64} : {i64} in {x_%d}", i + 2);
    at += sprintf(at, "}\n");
    heddle_program* program;
    heddle_error* error;
    heddle_status status = heddle_program_read(HEDDLE_SEG, text, (size_t)(at - text), "deep", &program, &error);
    if (levels > LEVELS) {
      EXPECT(status == HEDDLE_UNSUPPORTED);
      heddle_error_free(error);
    } else {
      expect_ok(status, &error);
      heddle_program* after;
      expect_ok(heddle_program_pass(program, "inline-functions", NULL, &after, &error), &error);
      heddle_program_free(program);
      heddle_program_free(after);
    }
  }
  free(text);
}

static void passes_run_by_name(const char* conv, const char* kernel, const char* host) {
  char* json;
  heddle_error* error;
  expect_ok(heddle_passes(&json, &error), &error);
  EXPECT(strstr(json, "\"name\": \"inline-functions\"") && strstr(json, "\"name\": \"stripmine\"") &&
         strstr(json, "\"form\": \"host\"") && strstr(json, "\"optional\": true"));
  heddle_text_free(json);

  heddle_program *before = program_in(conv), *after;
  char* text = text_of(before);
  expect_ok(heddle_program_pass(before, "inline_functions", NULL, &after, &error), &error);
  EXPECT(heddle_program_form(after) == HEDDLE_SEG);
  char* unchanged = text_of(before);
  EXPECT(strcmp(text, unchanged) == 0);
  heddle_text_free(unchanged);
  heddle_text_free(text);
  heddle_program_free(before);
  heddle_program_free(after);

  before = program_in(kernel);
  heddle_status status = heddle_program_pass(before, "stripmine", NULL, &after, &error);
  EXPECT(status == HEDDLE_INPUT && strstr(heddle_error_message(error), "loop"));
  heddle_error_free(error);
  status = heddle_program_pass(before, "stripmine", (const char*[]){"loop", NULL}, &after, &error);
  EXPECT(status == HEDDLE_INPUT && strstr(heddle_error_message(error), "PARAMETER=VALUE"));
  heddle_error_free(error);
  expect_ok(heddle_program_pass(before, "stripmine", (const char*[]){"loop=i_5", "by=8", NULL}, &after, &error),
            &error);
  text = text_of(after);
  EXPECT(strstr(text, " / 8)"));
  heddle_text_free(text);
  heddle_program_free(before);
  heddle_program_free(after);

  before = program_in(host);
  expect_ok(heddle_program_pass(before, "remove-dead", NULL, &after, &error), &error);
  EXPECT(heddle_program_form(after) == HEDDLE_HOST);
  heddle_program_free(before);
  heddle_program_free(after);
}

static void plans_have_kernels(const char* conv) {
  heddle_program* program = program_in(conv);
  for (int target = HEDDLE_CPU; target <= HEDDLE_CUDA; target++) {
    heddle_plan* plan;
    heddle_error* error;
    char* text;
    expect_ok(heddle_program_plan(program, (heddle_target)target, &plan, &error), &error);
    expect_ok(heddle_plan_json(plan, &text, &error), &error);
    EXPECT(strstr(text, "\"launches\": ") && strstr(text, "\"threads_per_block\": ") && strstr(text, "\"result\": 0"));
    EXPECT(strstr(text, "\"constants\": "));
    heddle_text_free(text);
    expect_ok(heddle_plan_explanation(plan, &text, &error), &error);
    EXPECT(strstr(text, "\"match\": \"contraction\""));
    heddle_text_free(text);

    size_t kernels = heddle_plan_num_kernels(plan);
    EXPECT(kernels > 1);  // plain and tiled
    heddle_program* kernel;
    for (size_t k = 0; k < kernels; k++) {
      expect_ok(heddle_plan_kernel_text(plan, k, &text, &error), &error);
      EXPECT(strstr(text, "HD_KERNEL(") == text || strstr(text, "HD_BOUNDED_KERNEL("));
      heddle_text_free(text);
      expect_ok(heddle_plan_kernel(plan, k, &kernel, &error), &error);
      EXPECT(heddle_program_form(kernel) == HEDDLE_NEST);
      heddle_program_free(kernel);
    }
    heddle_status status = heddle_plan_kernel_text(plan, kernels, &text, &error);
    expect_error(status, error, HEDDLE_INPUT, 0, 0, "there is no kernel");
    EXPECT(!text);

    heddle_program* host;
    expect_ok(heddle_plan_host(plan, &host, &error), &error);
    heddle_plan_free(plan);
    text = text_of(host);
    EXPECT(strstr(text, "launch"));
    heddle_text_free(text);
    heddle_program_free(host);
  }
  EXPECT(strstr(heddle_kernel_prelude(), "#define HD_KERNEL"));
  heddle_program_free(program);
}

int main(int argc, char** argv) {
  EXPECT(argc == 5);
  EXPECT(strcmp(heddle_version(), "") != 0);
  for (int i = 1; i < argc; i++) texts_round_trip(argv[i]);
  errors_have_kind_and_place(argv[2]);
  nesting_has_a_bound();
  passes_run_by_name(argv[1], argv[2], argv[3]);
  plans_have_kernels(argv[1]);
  heddle_program_free(NULL);
  heddle_plan_free(NULL);
  heddle_error_free(NULL);
  heddle_text_free(NULL);
  return 0;
}
