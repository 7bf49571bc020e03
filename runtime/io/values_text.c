#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/io/values.h"

// Tokens are words, made of the characters that literals consist of, and any other character alone. "--" starts a
// comment, also at the end of a word.
HD_API bool hd_next_token(struct hd_reader* reader) {
  size_t n = 0;
  for (;;) {
    int c = getc(reader->file);
    if (c == EOF) break;
    bool in_word = isalnum(c) || c == '.' || c == '-' || c == '+' || c == '_';
    if (n > 0 && c == '-' && reader->token[n - 1] == '-') {
      while (c != '\n' && c != EOF) c = getc(reader->file);
      if (c == '\n') ungetc(c, reader->file);
      if (--n > 0) break;
    } else if (in_word && n < HD_MAX_TOKEN) {
      reader->token[n++] = (char)c;
    } else if (in_word) {
      reader->token[n - 1] = '?';  // No literal is that long.
    } else if (n > 0) {
      ungetc(c, reader->file);
      break;
    } else if (c == '\n') {
      reader->line++;
    } else if (!isspace(c)) {
      reader->token[n++] = (char)c;
      break;
    }
  }
  reader->token[n] = '\0';
  return n > 0;
}

static int hd_unexpected(struct hd_reader* reader, const char* expected) {
  const char* token = reader->token;
  long long line = reader->line;
  if (token[0] == '\0' && feof(reader->file)) {
    return hd_reader_fail(reader, "line %lld: expected %s, but the input ends", line, expected);
  }
  if (!isprint((unsigned char)token[0])) {
    return hd_reader_fail(reader, "line %lld: expected %s, but got byte 0x%02x", line, expected,
                          (unsigned char)token[0]);
  }
  return hd_reader_fail(reader, "line %lld: expected %s, but got '%.60s'", line, expected, token);
}

static int hd_expect(struct hd_reader* reader, const char* token, const char* expected) {
  return hd_next_token(reader) && strcmp(reader->token, token) == 0 ? 0 : hd_unexpected(reader, expected);
}

// Decimal, 0x and 0b, with an optional sign and type suffix. Whatever fits the bits is taken, signed or not, so that
// 128 and 0xff are i8s and -1 is a u8, as with Futhark; but a decimal i64 beyond the largest is none: Futhark makes the
// largest of it, which nobody means. What does not fit the bits, and loses some with Futhark, is none either.
static bool hd_parse_integer(const char* text, const struct hd_value_type* type, uint64_t* result) {
  const char* suffix = hd_elem_name(type);
  int bits = 8 * (int)hd_elem_size(type->elem);
  bool negative = *text == '-';
  if (*text == '-' || *text == '+') text++;
  unsigned base = 10;
  if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) base = 16;
  if (text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) base = 2;
  if (base != 10) text += 2;
  uint64_t max = UINT64_MAX >> (64 - bits);
  if (base == 10 && bits == 64 && !type->is_unsigned && !negative) max = INT64_MAX;
  uint64_t limit = negative ? max / 2 + 1 : max;
  uint64_t magnitude = 0;
  const char* digits = text;
  for (;; text++) {
    int c = tolower((unsigned char)*text);
    unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 99;
    if (digit >= base) break;
    if (magnitude > (limit - digit) / base) return false;
    magnitude = magnitude * base + digit;
  }
  if (text == digits || (*text != '\0' && strcmp(text, suffix) != 0)) return false;
  *result = negative ? 0 - magnitude : magnitude;
  return true;
}

// "f32.nan", "-f32.inf" and the like. Returns false if the text is none of them.
static bool hd_parse_special_float(const char* text, const char* type, double* result) {
  bool negative = *text == '-';
  if (negative) text++;
  size_t length = strlen(type);
  if (strncmp(text, type, length) != 0) return false;
  double value = strcmp(text + length, ".nan") == 0 ? NAN : strcmp(text + length, ".inf") == 0 ? INFINITY : 0;
  *result = negative ? -value : value;
  return value != 0;
}

// Cuts off the type suffix. In a hexadecimal number without an exponent "f32" is three digits.
static void hd_strip_float_suffix(char* text, const char* suffix) {
  size_t length = strlen(text), suffix_length = strlen(suffix);
  bool is_hex = strpbrk(text, "xX") != NULL && strpbrk(text, "pP") == NULL;
  if (!is_hex && length > suffix_length && strcmp(text + length - suffix_length, suffix) == 0) {
    text[length - suffix_length] = '\0';
  }
}

// Stores the literal in the token, which is changed, as one element.
static bool hd_parse_literal(char* text, const struct hd_value_type* type, void* elem) {
  const char* name = hd_elem_name(type);
  char* kept = text;
  for (char* c = text; *c; c++) {
    if (*c != '_') *kept++ = *c;
  }
  *kept = '\0';
  int64_t size = hd_elem_size(type->elem);
  switch (type->elem) {
    case HD_I8:
    case HD_I16:
    case HD_I32:
    case HD_I64: {
      uint64_t bits;
      if (!hd_parse_integer(text, type, &bits)) return false;
      memcpy(elem, &bits, (size_t)size);  // little-endian
      return true;
    }
    case HD_F16:
    case HD_F32:
    case HD_F64: {
      double special;
      bool is_special = hd_parse_special_float(text, name, &special);
      hd_strip_float_suffix(text, name);
      // Going through double would round twice.
      char* end = text;
      float f32 = is_special ? (float)special : strtof(text, &end);
      double f64 = is_special ? special : strtod(text, &end);
      uint16_t f16 = hd_float_to_half(f32);
      memcpy(elem, type->elem == HD_F16 ? (void*)&f16 : type->elem == HD_F32 ? (void*)&f32 : (void*)&f64, (size_t)size);
      return is_special || (end != text && *end == '\0');
    }
    case HD_BOOL:
    case HD_UNIT: {
      bool truth = strcmp(text, "true") == 0;
      memcpy(elem, &truth, 1);
      return truth || strcmp(text, "false") == 0;
    }
  }
  return false;
}

static int hd_append_literal(struct hd_reader* reader, const struct hd_value_type* type, struct hd_buffer* buffer) {
  int64_t size = hd_elem_size(type->elem);
  if (!hd_buffer_reserve(buffer, size))
    return hd_reader_fail(reader, "line %lld: out of memory", (long long)reader->line);
  char token[sizeof reader->token];
  memcpy(token, reader->token, strlen(reader->token) + 1);
  if (!hd_parse_literal(token, type, buffer->data + buffer->used)) return hd_unexpected(reader, hd_elem_name(type));
  buffer->used += size;
  return 0;
}

// The rest of an array after its opening bracket. `shape` holds -1 where the extent is not known yet.
static int hd_read_text_row(struct hd_reader* reader, const struct hd_value_type* type, int dim, int64_t* shape,
                            struct hd_buffer* buffer) {
  int64_t count = 0;
  hd_next_token(reader);
  while (strcmp(reader->token, "]") != 0) {
    if (dim == type->rank - 1) {
      if (hd_append_literal(reader, type, buffer)) return 1;
    } else {
      if (strcmp(reader->token, "[") != 0) return hd_unexpected(reader, "'['");
      if (hd_read_text_row(reader, type, dim + 1, shape, buffer)) return 1;
    }
    count++;
    hd_next_token(reader);
    if (strcmp(reader->token, ",") == 0) {
      hd_next_token(reader);
    } else if (strcmp(reader->token, "]") != 0) {
      return hd_unexpected(reader, "',' or ']'");
    }
  }
  if (shape[dim] >= 0 && shape[dim] != count) {
    return hd_reader_fail(reader, "line %lld: irregular array: a row of %lld elements among rows of %lld",
                          (long long)reader->line, (long long)count, (long long)shape[dim]);
  }
  shape[dim] = count;
  return 0;
}

// The rest of "empty([0][3]i32)" after the first word.
static int hd_read_text_empty(struct hd_reader* reader, struct hd_host_value* value) {
  const struct hd_value_type* type = &value->type;
  if (hd_expect(reader, "(", "'('")) return 1;
  for (int i = 0; i < type->rank; i++) {
    const struct hd_value_type i64 = {HD_I64, false, 0};
    uint64_t extent;
    if (hd_expect(reader, "[", "'['")) return 1;
    if (!hd_next_token(reader) || !hd_parse_integer(reader->token, &i64, &extent) || extent > INT64_MAX) {
      return hd_unexpected(reader, "an array size");
    }
    if (hd_expect(reader, "]", "']'")) return 1;
    value->shape[i] = (int64_t)extent;
  }
  if (hd_expect(reader, hd_elem_name(type), hd_elem_name(type)) || hd_expect(reader, ")", "')'")) return 1;
  if (hd_checked_num_elems(value->shape, type->rank, hd_elem_size(type->elem)) != 0) {
    return hd_reader_fail(reader, "line %lld: an empty array must have a size of 0 and no impossible one",
                          (long long)reader->line);
  }
  return 0;
}

static int hd_read_text_into(struct hd_reader* reader, struct hd_host_value* value, struct hd_buffer* buffer) {
  const struct hd_value_type* type = &value->type;
  hd_next_token(reader);
  if (type->rank == 0) return hd_append_literal(reader, type, buffer);
  if (strcmp(reader->token, "empty") == 0) return hd_read_text_empty(reader, value);
  if (strcmp(reader->token, "[") != 0) return hd_unexpected(reader, "'[' or 'empty'");
  for (int i = 0; i < type->rank; i++) value->shape[i] = -1;
  if (hd_read_text_row(reader, type, 0, value->shape, buffer)) return 1;
  for (int i = 0; i < type->rank; i++) {
    if (value->shape[i] < 0) {
      return hd_reader_fail(reader, "line %lld: the sizes inside this empty array are unknown; write empty(...)",
                            (long long)reader->line);
    }
  }
  return 0;
}

HD_API int hd_read_text(struct hd_reader* reader, struct hd_host_value* value) {
  struct hd_buffer buffer = {0};
  if (hd_read_text_into(reader, value, &buffer) || !hd_buffer_reserve(&buffer, 0)) {
    free(buffer.data);
    return 1;
  }
  value->data = buffer.data;
  return 0;
}

static void hd_write_float(FILE* file, double x, int digits, const char* name) {
  if (isnan(x)) {
    fprintf(file, "%s.nan", name);
  } else if (isinf(x)) {
    fprintf(file, "%s%s.inf", x < 0 ? "-" : "", name);
  } else {
    fprintf(file, "%.*f%s", digits, x, name);
  }
}

static void hd_write_literal(FILE* file, const struct hd_value_type* type, const void* elem) {
  const char* name = hd_elem_name(type);
  union hd_scalar x;
  memcpy(&x, elem, (size_t)hd_elem_size(type->elem));
  bool u = type->is_unsigned;
  switch (type->elem) {
    case HD_I8:
      fprintf(file, "%d%s", u ? (uint8_t)x.i8 : x.i8, name);
      break;
    case HD_I16:
      fprintf(file, "%d%s", u ? (uint16_t)x.i16 : x.i16, name);
      break;
    case HD_I32:
      fprintf(file, "%" PRId64 "%s", u ? (int64_t)(uint32_t)x.i32 : x.i32, name);
      break;
    case HD_I64:
      fprintf(file, u ? "%" PRIu64 "%s" : "%" PRId64 "%s", x.i64, name);
      break;
    case HD_F16:
      hd_write_float(file, hd_half_to_float(x.f16), FLT_DIG, name);
      break;
    case HD_F32:
      hd_write_float(file, x.f32, FLT_DIG, name);
      break;
    case HD_F64:
      hd_write_float(file, x.f64, DBL_DIG, name);
      break;
    case HD_BOOL:
    case HD_UNIT:
      fputs(x.b ? "true" : "false", file);
      break;
  }
}

// Writes the part of the array that starts at `data` and has the extents from `dim` on; returns where it ends.
static const char* hd_write_text_row(FILE* file, const struct hd_host_value* value, int dim, const char* data) {
  if (dim == value->type.rank) {
    hd_write_literal(file, &value->type, data);
    return data + hd_elem_size(value->type.elem);
  }
  fputc('[', file);
  for (int64_t i = 0; i < value->shape[dim]; i++) {
    if (i > 0) fputs(", ", file);
    data = hd_write_text_row(file, value, dim + 1, data);
  }
  fputc(']', file);
  return data;
}

HD_API void hd_write_text(FILE* file, const struct hd_host_value* value) {
  if (hd_host_value_num_elems(value) > 0) {
    hd_write_text_row(file, value, 0, value->data);
    return;
  }
  fputs("empty(", file);
  for (int i = 0; i < value->type.rank; i++) fprintf(file, "[%" PRId64 "]", value->shape[i]);
  fprintf(file, "%s)", hd_elem_name(&value->type));
}
