#include "runtime/io/values.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

HD_API const char* hd_elem_name(const struct hd_value_type* type) {
  bool u = type->is_unsigned;
  switch (type->elem) {
    case HD_I8:
      return u ? "u8" : "i8";
    case HD_I16:
      return u ? "u16" : "i16";
    case HD_I32:
      return u ? "u32" : "i32";
    case HD_I64:
      return u ? "u64" : "i64";
    case HD_F16:
      return "f16";
    case HD_F32:
      return "f32";
    case HD_F64:
      return "f64";
    default:
      return "bool";
  }
}

HD_API int64_t hd_host_value_num_elems(const struct hd_host_value* value) {
  int64_t n = 1;
  for (int i = 0; i < value->type.rank; i++) n *= value->shape[i];
  return n;
}

HD_API void hd_host_value_free(struct hd_host_value* value) {
  free(value->data);
  value->data = NULL;
}

// An extent of zero does not excuse the others, since strides are products of extents.
HD_API int64_t hd_checked_num_elems(const int64_t* shape, int rank, int64_t elem_size) {
  int64_t product = 1;
  bool empty = false;
  for (int i = 0; i < rank; i++) {
    if (shape[i] < 0) return -1;
    if (shape[i] == 0) {
      empty = true;
    } else if (product > INT64_MAX / elem_size / shape[i]) {
      return -1;
    } else {
      product *= shape[i];
    }
  }
  return empty ? 0 : product;
}

HD_API bool hd_buffer_reserve(struct hd_buffer* buffer, int64_t more) {
  if (buffer->data && buffer->capacity - buffer->used >= more) return true;
  if (more > INT64_MAX - buffer->used || buffer->used > INT64_MAX / 2) return false;
  int64_t wanted = buffer->used + more > 2 * buffer->used ? buffer->used + more : 2 * buffer->used;
  char* data = realloc(buffer->data, wanted > 0 ? (size_t)wanted : 1);
  if (!data) return false;
  buffer->data = data;
  buffer->capacity = wanted;
  return true;
}

HD_API void hd_reader_init(struct hd_reader* reader, FILE* file) {
  memset(reader, 0, sizeof *reader);
  reader->file = file;
  reader->line = 1;
}

HD_API int hd_reader_fail(struct hd_reader* reader, const char* format, ...) {
  if (ferror(reader->file)) {
    snprintf(reader->problem, sizeof reader->problem, "reading fails: %s", strerror(errno));
    return 1;
  }
  va_list args;
  va_start(args, format);
  vsnprintf(reader->problem, sizeof reader->problem, format, args);
  va_end(args);
  return 1;
}

HD_API int hd_read_value(struct hd_reader* reader, const struct hd_value_type* type, struct hd_host_value* value) {
  memset(value, 0, sizeof *value);
  value->type = *type;
  int c;
  do {
    c = getc(reader->file);
    if (c == '\n') reader->line++;
  } while (isspace(c));
  if (c == 'b') return hd_read_binary(reader, value);
  if (c != EOF) ungetc(c, reader->file);
  return hd_read_text(reader, value);
}

HD_API bool hd_reader_at_end(struct hd_reader* reader) { return !hd_next_token(reader) && !ferror(reader->file); }

HD_API float hd_half_to_float(uint16_t half) {
  int exponent = half >> 10 & 31;
  int mantissa = half & 1023;
  float magnitude = exponent == 31  ? (mantissa ? NAN : INFINITY)
                    : exponent == 0 ? ldexpf((float)mantissa, -24)
                                    : ldexpf((float)(mantissa + 1024), exponent - 25);
  return half & 0x8000 ? -magnitude : magnitude;
}

HD_API uint16_t hd_float_to_half(float value) {
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  if (isnan(value)) return sign | 0x7e00;
  float magnitude = fabsf(value);
  if (magnitude == 0) return sign;
  if (magnitude >= 65520.0f) return sign | 0x7c00;
  // Counted in units of the half's last place, which is 2^-24 at the lowest. 2048 steps carry into the exponent by
  // themselves.
  int exponent;
  frexpf(magnitude, &exponent);
  int unit = exponent - 11 > -24 ? exponent - 11 : -24;
  int steps = (int)rintf(ldexpf(magnitude, -unit));
  return (uint16_t)(sign | ((unit + 24) * 1024 + steps));
}
