// Runs the entry point `main` of a library that Futhark or heddle made, on inputs that stay on the device, and times
// it.
//
//   cc -DSIGNATURE='"unsharp.signature.h"' driver.c unsharp.c ...
//   a.out INPUTS [--out FILE] [--samples N] [--runs N] [--cache FILE] [--param NAME=VALUE] [--report FILE]
//
// INPUTS holds the arguments in Futhark's binary format; --out writes the results of a first call in that format.
// Prints the least and the median of the samples, in milliseconds a call (each sample is that many runs and one
// synchronisation), and the median of single calls, each with its synchronisation. --report writes the runtime's own
// report on one more call: an event for each kernel.
//
// The signature is a file of macros: #include of the library's header,
//   INPUTS(A, S)   A(in1, f32, 3) for each array, S(in0) for each number (i32)
//   OUTPUTS(A)     A(out0, f32, 3) for each result
//   CALL           futhark_entry_main(context, &out0, in0, in1)
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include SIGNATURE

typedef uint8_t u8;
typedef uint16_t u16;
typedef float f32;

static struct futhark_context* context;

static _Noreturn void die(const char* what, const char* why) {
  fprintf(stderr, "%s: %s\n", what, why ? why : "failed");
  exit(1);
}

static void check(int failed, const char* what) {
  if (failed != 0) {
    die(what, futhark_context_get_error(context));
  }
}

// ---- values in Futhark's binary format: 'b', 2, rank, four letters for the type, sizes, elements ----
typedef struct {
  int64_t shape[3];
  void* elements;
} Value;

static Value read_value(FILE* file, const char* type, int rank, size_t size) {
  unsigned char head[7];
  int c = fgetc(file);
  while (c == '\n') {
    c = fgetc(file);
  }
  ungetc(c, file);
  char wanted[5];
  snprintf(wanted, sizeof wanted, "%4s", type);
  if (fread(head, 1, 7, file) != 7 || head[0] != 'b' || head[1] != 2 || head[2] != rank ||
      memcmp(head + 3, wanted, 4) != 0) {
    die("inputs", "not of the program's types");
  }
  Value value = {{1, 1, 1}, NULL};
  if (fread(value.shape, 8, (size_t)rank, file) != (size_t)rank) {
    die("inputs", "too short");
  }
  const size_t count = (size_t)(value.shape[0] * value.shape[1] * value.shape[2]);
  value.elements = malloc(count * size + 1);
  if (value.elements == NULL || fread(value.elements, size, count, file) != count) {
    die("inputs", "too short");
  }
  return value;
}

static void write_value(FILE* file, const char* type, int rank, const int64_t* shape, const void* elements,
                        size_t bytes) {
  fprintf(file, "b%c%c%4s", 2, rank, type);
  if (fwrite(shape, 8, (size_t)rank, file) != (size_t)rank || fwrite(elements, 1, bytes, file) != bytes) {
    die("results", "cannot be written");
  }
}

// ---- inputs and outputs ----
#define JOIN_(a, b, c, d) a##b##_##c##d
#define JOIN(a, b, c, d) JOIN_(a, b, c, d)
#define NAME(prefix, type, rank) JOIN(prefix, type, rank, d)
#define SHAPE_1(s) s[0]
#define SHAPE_2(s) s[0], s[1]
#define SHAPE_3(s) s[0], s[1], s[2]

#define DECLARE_ARRAY(name, type, rank) static struct NAME(futhark_, type, rank) * name;
#define DECLARE_NUMBER(name) static int32_t name;
INPUTS(DECLARE_ARRAY, DECLARE_NUMBER)
OUTPUTS(DECLARE_ARRAY)

#define READ_ARRAY(name, type, rank)                                                           \
  {                                                                                            \
    Value value = read_value(file, #type, rank, sizeof(type));                                 \
    name = NAME(futhark_new_, type, rank)(context, value.elements, SHAPE_##rank(value.shape)); \
    check(name == NULL, "inputs");                                                             \
    check(futhark_context_sync(context), "inputs");                                            \
    free(value.elements);                                                                      \
  }
#define READ_NUMBER(name)                        \
  {                                              \
    Value value = read_value(file, "i32", 0, 4); \
    memcpy(&(name), value.elements, 4);          \
    free(value.elements);                        \
  }
static void read_inputs(const char* path) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) {
    die(path, "cannot be read");
  }
  INPUTS(READ_ARRAY, READ_NUMBER)
  fclose(file);
}

#define WRITE_ARRAY(name, type, rank)                                             \
  {                                                                               \
    const int64_t* shape = NAME(futhark_shape_, type, rank)(context, name);       \
    size_t count = 1;                                                             \
    for (int d = 0; d < (rank); ++d) {                                            \
      count *= (size_t)shape[d];                                                  \
    }                                                                             \
    type* elements = malloc(count * sizeof(type) + 1);                            \
    check(NAME(futhark_values_, type, rank)(context, name, elements), "results"); \
    check(futhark_context_sync(context), "results");                              \
    write_value(file, #type, rank, shape, elements, count * sizeof(type));        \
    free(elements);                                                               \
  }
static void write_outputs(const char* path) {
  FILE* file = fopen(path, "wb");
  if (file == NULL) {
    die(path, "cannot be written");
  }
  OUTPUTS(WRITE_ARRAY)
  if (fclose(file) != 0) {
    die(path, "cannot be written");
  }
}

#define FREE_ARRAY(name, type, rank) check(NAME(futhark_free_, type, rank)(context, name), "free");
static void free_outputs(void) { OUTPUTS(FREE_ARRAY) }

// ---- time ----
static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void call(void) { check(CALL, "main"); }

static double sample(int runs) {
  const double start = milliseconds();
  for (int run = 0; run < runs; ++run) {
    call();
    free_outputs();
  }
  check(futhark_context_sync(context), "main");
  return (milliseconds() - start) / runs;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a;
  const double y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* times, int count) {
  qsort(times, (size_t)count, sizeof *times, ascending);
  return (times[(count - 1) / 2] + times[count / 2]) / 2;
}

enum { kSingleCalls = 11, kMostSamples = 100 };

int main(int count, char** arguments) {
  const char* out = NULL;
  const char* report = NULL;
  int samples = 5;
  int runs = 100;
  struct futhark_context_config* config = futhark_context_config_new();
  if (count < 2) {
    die("usage", "INPUTS [--out FILE] [--samples N] [--runs N] [--cache FILE] [--param NAME=VALUE] [--report FILE]");
  }
  for (int i = 2; i + 1 < count; i += 2) {
    char* value = arguments[i + 1];
    if (strcmp(arguments[i], "--out") == 0) {
      out = value;
    } else if (strcmp(arguments[i], "--report") == 0) {
      report = value;
      futhark_context_config_set_profiling(config, 1);
    } else if (strcmp(arguments[i], "--samples") == 0) {
      samples = atoi(value);
    } else if (strcmp(arguments[i], "--runs") == 0) {
      runs = atoi(value);
    } else if (strcmp(arguments[i], "--cache") == 0) {
      futhark_context_config_set_cache_file(config, value);
    } else if (strcmp(arguments[i], "--param") == 0 && strchr(value, '=') != NULL) {
      char* number = strchr(value, '=') + 1;
      number[-1] = '\0';
      if (futhark_context_config_set_tuning_param(config, value, (size_t)strtoull(number, NULL, 10)) != 0) {
        die(value, "no such parameter");
      }
    } else {
      die(arguments[i], "unknown option");
    }
  }
  context = futhark_context_new(config);
  if (context == NULL || futhark_context_get_error(context) != NULL) {
    die("context", context != NULL ? futhark_context_get_error(context) : NULL);
  }
  if (report != NULL) {
    futhark_context_pause_profiling(context);
  }
  read_inputs(arguments[1]);
  call();
  check(futhark_context_sync(context), "main");
  if (out != NULL) {
    write_outputs(out);
  }
  free_outputs();

  if (samples > 0 && samples <= kMostSamples && runs > 0) {
    const double start = milliseconds();
    do {  // as Halide's peers do it: at least 0.1 s, so that the device's clocks are up
      (void)sample(runs < 10 ? runs : 10);
    } while (milliseconds() - start < 100);
    double times[kMostSamples];
    for (int i = 0; i < samples; ++i) {
      times[i] = sample(runs);
    }
    double single[kSingleCalls];
    for (int i = 0; i < kSingleCalls; ++i) {
      single[i] = sample(1);
    }
    const double middle = median(times, samples);
    printf("%.4f %.4f %.4f\n", times[0], middle, median(single, kSingleCalls));
  }
  if (report != NULL) {
    futhark_context_unpause_profiling(context);
    (void)sample(1);
    char* text = futhark_context_report(context);
    FILE* file = fopen(report, "w");
    if (file == NULL || text == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
      die(report, "cannot be written");
    }
    free(text);
  }
  return 0;
}
