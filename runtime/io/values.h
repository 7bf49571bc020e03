// Futhark's two data formats, text and binary, in host memory. Nothing here knows about devices.
#ifndef HD_VALUES_H
#define HD_VALUES_H

#include <stdio.h>

#include "runtime/core/array.h"

// A value in host memory: dense, row-major. Whoever holds it frees it with hd_host_value_free.
struct hd_host_value {
  struct hd_value_type type;
  int64_t shape[HD_MAX_RANK];
  void* data;
};

#define HD_MAX_TOKEN 1200  // a denormal f64 written out in full has under 1100 characters
#define HD_MAX_PROBLEM 256

// Reads values one after the other; text and binary may alternate.
struct hd_reader {
  FILE* file;
  int64_t line;
  char token[HD_MAX_TOKEN + 1];
  char problem[HD_MAX_PROBLEM];  // why the last hd_read_value failed
};

HD_API const char* hd_elem_name(const struct hd_value_type* type);  // "u8", for an array of u8 too; a unit is a "bool"
HD_API int64_t hd_host_value_num_elems(const struct hd_host_value* value);
HD_API void hd_host_value_free(struct hd_host_value* value);

HD_API void hd_reader_init(struct hd_reader* reader, FILE* file);
// 0, or 1 with reader->problem set and nothing to free.
HD_API int hd_read_value(struct hd_reader* reader, const struct hd_value_type* type, struct hd_host_value* value);
HD_API bool hd_reader_at_end(struct hd_reader* reader);  // nothing but blanks and comments is left

HD_API void hd_write_text(FILE* file, const struct hd_host_value* value);
#define HD_BINARY_HEADER 7
// What stands before the shape of a value in the binary format, and a zero byte.
HD_API void hd_binary_header(const struct hd_value_type* type, char header[HD_BINARY_HEADER + 1]);
HD_API void hd_write_binary(FILE* file, const struct hd_host_value* value);

// Between the two formats' files.
// Says what the problem is, unless reading itself failed, which is the problem then. Always returns 1.
__attribute__((format(printf, 2, 3))) HD_API int hd_reader_fail(struct hd_reader* reader, const char* format, ...);
HD_API bool hd_next_token(struct hd_reader* reader);  // false at the end of input
HD_API int hd_read_text(struct hd_reader* reader, struct hd_host_value* value);
HD_API int hd_read_binary(struct hd_reader* reader, struct hd_host_value* value);
// How many elements an array of this shape has, or -1 if no array can have this shape.
HD_API int64_t hd_checked_num_elems(const int64_t* shape, int rank, int64_t elem_size);

// Memory that grows with what has been read, never with what a header merely promises.
struct hd_buffer {
  char* data;
  int64_t used, capacity;  // bytes
};
HD_API bool hd_buffer_reserve(struct hd_buffer* buffer, int64_t more);

HD_API float hd_half_to_float(uint16_t half);
HD_API uint16_t hd_float_to_half(float value);  // rounds to nearest, ties to even

#endif
