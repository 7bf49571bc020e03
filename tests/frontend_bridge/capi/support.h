// What the tests of the C interface share, which only use that.
#ifndef HEDDLE_TESTS_CAPI_SUPPORT_H
#define HEDDLE_TESTS_CAPI_SUPPORT_H

#include <heddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                   \
  do {                                                                      \
    if (condition) break;                                                   \
    fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
    exit(1);                                                                \
  } while (0)

struct text {
  char* bytes;
  size_t length;
};

static inline struct text read_file(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  struct text t = {NULL, 0};
  size_t room = 0;
  do {
    t.bytes = realloc(t.bytes, room += 1 << 16);
    EXPECT(t.bytes);
    t.length += fread(t.bytes + t.length, 1, room - t.length, file);
  } while (t.length == room);
  fclose(file);
  return t;
}

static inline int ends_with(const char* text, const char* end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static inline heddle_form form_of(const char* path) {
  return ends_with(path, ".nest") ? HEDDLE_NEST : ends_with(path, ".host") ? HEDDLE_HOST : HEDDLE_SEG;
}

// Ends the test where a call failed.
static inline void expect_ok(heddle_status status, heddle_error** error) {
  if (status == HEDDLE_OK && !*error) return;
  fprintf(stderr, "failed with status %d: %s\n", status, *error ? heddle_error_message(*error) : "(no error)");
  exit(1);
}

#endif
