#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/context.h"

static double hd_half_value(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  int fraction = bits & 1023;
  double magnitude = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                     : exponent == 0 ? ldexp(fraction, -24)
                                     : ldexp(1024 + fraction, exponent - 25);
  return bits >> 15 ? -magnitude : magnitude;
}

static void hd_add_traced(struct hd_text* text, enum hd_elem elem, const void* value) {
  union hd_scalar x = {0};
  memcpy(&x, value, (size_t)hd_elem_size(elem));
  switch (elem) {
    case HD_I8:
      hd_text_add(text, "%d", x.i8);
      break;
    case HD_I16:
      hd_text_add(text, "%d", x.i16);
      break;
    case HD_I32:
      hd_text_add(text, "%" PRId32, x.i32);
      break;
    case HD_I64:
      hd_text_add(text, "%" PRId64, x.i64);
      break;
    case HD_F16:
      hd_text_add(text, "%f", hd_half_value(x.f16));
      break;
    case HD_F32:
      hd_text_add(text, "%f", (double)x.f32);
      break;
    case HD_F64:
      hd_text_add(text, "%f", x.f64);
      break;
    case HD_BOOL:
      hd_text_add(text, "%s", x.b ? "true" : "false");
      break;
    case HD_UNIT:
      hd_text_add(text, "()");
      break;
  }
}

static void hd_add_traced_array(struct hd_context* ctx, struct hd_text* text, const struct hd_array* array) {
  struct hd_array dense;
  if (hd_array_dense(ctx, &dense, array) != HD_SUCCESS) return;
  int64_t num_elems = hd_array_num_elems(&dense);
  int64_t size = hd_elem_size(dense.elem);
  char* host = malloc((size_t)(num_elems * size) + 1);
  if (host != NULL && hd_array_download(ctx, &dense, host) == HD_SUCCESS) {
    for (int64_t i = 0; i < num_elems; i++) {
      hd_add_traced(text, dense.elem, host + i * size);
      hd_text_add_bytes(text, " ", 1);
    }
  }
  free(host);
  hd_array_release(ctx, &dense);
}

// An array whose kernels failed shows no elements: its error is reported by the next sync in the program's own course.
HD_API void hd_trace(struct hd_context* ctx, const char* tag, const struct hd_constituent* value) {
  struct hd_text text = {0};
  hd_text_add(&text, "%s: ", tag);
  if (value->is_array) {
    hd_add_traced_array(ctx, &text, &value->array);
  } else {
    hd_add_traced(&text, value->elem, &value->scalar);
  }
  if (text.chars != NULL) fprintf(ctx->log, "%s\n", text.chars);
  hd_text_clear(&text);
}
