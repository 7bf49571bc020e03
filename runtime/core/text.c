#include "runtime/core/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

HD_API void hd_text_add_bytes(struct hd_text* text, const char* bytes, size_t length) {
  if (text->out_of_memory) return;
  if (length >= text->capacity - text->length) {
    size_t capacity = 2 * text->capacity + length + 1;
    char* chars = realloc(text->chars, capacity);
    if (chars == NULL) {
      hd_text_clear(text);
      text->out_of_memory = true;
      return;
    }
    text->chars = chars;
    text->capacity = capacity;
  }
  memcpy(text->chars + text->length, bytes, length);
  text->length += length;
  text->chars[text->length] = 0;
}

HD_API void hd_text_add_args(struct hd_text* text, const char* format, va_list args) {
  va_list again;
  va_copy(again, args);
  char small[256];
  int length = vsnprintf(small, sizeof small, format, args);
  if (length >= 0 && (size_t)length < sizeof small) {
    hd_text_add_bytes(text, small, (size_t)length);
  } else if (length >= 0) {
    char* large = malloc((size_t)length + 1);
    if (large != NULL) {
      vsnprintf(large, (size_t)length + 1, format, again);
      hd_text_add_bytes(text, large, (size_t)length);
      free(large);
    } else {
      hd_text_clear(text);
      text->out_of_memory = true;
    }
  }
  va_end(again);
}

HD_API void hd_text_add(struct hd_text* text, const char* format, ...) {
  va_list args;
  va_start(args, format);
  hd_text_add_args(text, format, args);
  va_end(args);
}

HD_API void hd_text_add_json_string(struct hd_text* text, const char* string) {
  hd_text_add_bytes(text, "\"", 1);
  for (const char* c = string; *c; c++) {
    if (*c == '"' || *c == '\\') {
      hd_text_add(text, "\\%c", *c);
    } else if (*c == '\n') {
      hd_text_add_bytes(text, "\\n", 2);
    } else if ((unsigned char)*c < 0x20) {
      hd_text_add(text, "\\u%04x", (unsigned)(unsigned char)*c);
    } else {
      hd_text_add_bytes(text, c, 1);
    }
  }
  hd_text_add_bytes(text, "\"", 1);
}

HD_API char* hd_text_take(struct hd_text* text) {
  if (text->chars == NULL && !text->out_of_memory) hd_text_add_bytes(text, "", 0);
  char* chars = text->chars;
  *text = (struct hd_text){0};
  return chars;
}

HD_API void hd_text_clear(struct hd_text* text) {
  free(text->chars);
  *text = (struct hd_text){0};
}

HD_API char* hd_message(const char* format, ...) {
  struct hd_text text = {0};
  va_list args;
  va_start(args, format);
  hd_text_add_args(&text, format, args);
  va_end(args);
  return hd_text_take(&text);
}

HD_API char* hd_copy_string(const char* string) {
  if (string == NULL) return NULL;
  size_t size = strlen(string) + 1;
  char* copy = malloc(size);
  if (copy != NULL) memcpy(copy, string, size);
  return copy;
}

// More than any tuning file or program text has. Devices may have no end.
enum { HD_LONGEST_FILE = 1 << 30 };

HD_API char* hd_read_file(const char* path, size_t* length) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) return NULL;
  struct hd_text text = {0};
  char buffer[4096];
  size_t got;
  int problem = 0;
  while (problem == 0 && (got = fread(buffer, 1, sizeof buffer, file)) > 0) {
    hd_text_add_bytes(&text, buffer, got);
    problem = text.out_of_memory ? ENOMEM : text.length > HD_LONGEST_FILE ? EFBIG : 0;
  }
  if (problem == 0 && ferror(file)) problem = errno;
  fclose(file);
  if (problem != 0) {
    hd_text_clear(&text);
    errno = problem;
    return NULL;
  }
  *length = text.length;
  return hd_text_take(&text);
}

HD_API int hd_write_file(const char* path, const char* bytes, size_t length) {
  FILE* file = fopen(path, "wb");
  if (file == NULL) return errno;
  int problem = fwrite(bytes, 1, length, file) == length ? 0 : errno;
  if (fclose(file) != 0 && problem == 0) problem = errno;
  return problem;
}
