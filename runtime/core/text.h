// Growing strings, for messages and reports. A text that ran out of host memory stays empty rather than half-written.
#ifndef HD_TEXT_H
#define HD_TEXT_H

#include <stdarg.h>

#include "runtime/core/program.h"

struct hd_text {
  char* chars;  // NULL while empty
  size_t length;
  size_t capacity;
  bool out_of_memory;
};

__attribute__((format(printf, 2, 3))) HD_API void hd_text_add(struct hd_text* text, const char* format, ...);
HD_API void hd_text_add_args(struct hd_text* text, const char* format, va_list args);
HD_API void hd_text_add_bytes(struct hd_text* text, const char* bytes, size_t length);
// The string as a JSON literal, quotes included.
HD_API void hd_text_add_json_string(struct hd_text* text, const char* string);
// Hands the characters to the caller, who frees them, and empties the text. NULL when memory ran out.
HD_API char* hd_text_take(struct hd_text* text);
HD_API void hd_text_clear(struct hd_text* text);

// A formatted string that the caller frees; NULL when memory ran out.
__attribute__((format(printf, 1, 2))) HD_API char* hd_message(const char* format, ...);
HD_API char* hd_copy_string(const char* string);  // NULL gives NULL
// The whole content of a file with a zero byte appended; NULL, errno set, when that fails.
HD_API char* hd_read_file(const char* path, size_t* length);
HD_API int hd_write_file(const char* path, const char* bytes, size_t length);  // 0, or errno

#endif
