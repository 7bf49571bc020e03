#include "runtime/core/array.h"

#include <inttypes.h>
#include <string.h>

#include "runtime/core/ahead.h"
#include "runtime/core/backend.h"
#include "runtime/core/builtin.h"
#include "runtime/core/launch.h"

HD_API int64_t hd_elem_size(enum hd_elem elem) {
  switch (elem) {
    case HD_I16:
    case HD_F16:
      return 2;
    case HD_I32:
    case HD_F32:
      return 4;
    case HD_I64:
    case HD_F64:
      return 8;
    default:
      return 1;
  }
}

// The other extents of an array without elements may be such that their product is no number.
HD_API int64_t hd_array_num_elems(const struct hd_array* a) {
  int64_t n = 1;
  for (int d = 0; d < a->rank; d++) {
    if (a->shape[d] == 0) return 0;
  }
  for (int d = 0; d < a->rank; d++) n *= a->shape[d];
  return n;
}

HD_API bool hd_array_is_dense(const struct hd_array* a) {
  int64_t expected = 1;
  bool dense = true;
  if (hd_array_num_elems(a) == 0) return true;
  for (int d = a->rank - 1; d >= 0; d--) {
    if (a->shape[d] != 1 && a->stride[d] != expected) dense = false;
    expected *= a->shape[d];
  }
  return dense;
}

HD_API int64_t hd_array_element_address(const struct hd_array* a) {
  return a->mem == NULL ? 0 : (int64_t)((uintptr_t)a->mem->address / (uintptr_t)hd_elem_size(a->elem)) + a->offset;
}

HD_API void* hd_array_address(const struct hd_array* a) {
  return a->mem == NULL ? NULL : (char*)a->mem->address + a->offset * hd_elem_size(a->elem);
}

// The number of bytes of a dense array; -1 when a size is negative or the product too large.
static int64_t hd_array_bytes(enum hd_elem elem, int rank, const int64_t* shape) {
  int64_t bytes = hd_elem_size(elem);
  bool empty = false;
  for (int d = 0; d < rank; d++) {
    if (shape[d] < 0) return -1;
    if (shape[d] == 0) empty = true;
  }
  for (int d = 0; d < rank && !empty; d++) {
    if (__builtin_mul_overflow(bytes, shape[d], &bytes)) return -1;
  }
  return empty ? 0 : bytes;
}

static int hd_array_bad_shape(struct hd_context* ctx, int rank, const int64_t* shape) {
  struct hd_text text = {0};
  bool negative = false;
  for (int d = 0; d < rank; d++) {
    hd_text_add(&text, "[%" PRId64 "]", shape[d]);
    if (shape[d] < 0) negative = true;
  }
  const char* words = text.chars != NULL ? text.chars : "";
  int status = negative ? hd_error(ctx, "Error: cannot make an array of shape %s: a size is negative.", words)
                        : hd_memory_error(ctx, "Error: an array of shape %s is larger than any memory.", words);
  hd_text_clear(&text);
  return status;
}

static const int hd_identity_perm[HD_MAX_RANK] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// Makes *dst an array without memory; *bytes is how much it needs.
static int hd_array_layout(struct hd_context* ctx, struct hd_array* dst, enum hd_elem elem, int rank,
                           const int64_t* shape, const int* perm, int64_t* bytes) {
  dst->mem = NULL;
  dst->offset = 0;
  dst->elem = elem;
  dst->rank = 0;
  if (rank < 0 || rank > HD_MAX_RANK) {
    return hd_error(ctx, "An array of %d dimensions is needed, but at most %d are supported.", rank, HD_MAX_RANK);
  }
  *bytes = hd_array_bytes(elem, rank, shape);
  if (*bytes < 0) return hd_array_bad_shape(ctx, rank, shape);
  dst->rank = rank;
  int64_t stride = 1;
  for (int d = rank - 1; d >= 0; d--) {
    dst->shape[perm[d]] = shape[perm[d]];
    dst->stride[perm[d]] = stride;
    if (*bytes > 0) stride *= shape[perm[d]];
  }
  return HD_SUCCESS;
}

HD_API int hd_array_alloc_permuted(struct hd_context* ctx, struct hd_array* dst, enum hd_elem elem, int rank,
                                   const int64_t* shape, const int* perm) {
  int64_t bytes;
  int status = hd_array_layout(ctx, dst, elem, rank, shape, perm, &bytes);
  return status != HD_SUCCESS || bytes == 0 ? status : hd_mem_alloc(ctx, &dst->mem, bytes);
}

HD_API int hd_array_alloc(struct hd_context* ctx, struct hd_array* dst, enum hd_elem elem, int rank,
                          const int64_t* shape) {
  return hd_array_alloc_permuted(ctx, dst, elem, rank, shape, hd_identity_perm);
}

HD_API int hd_array_alloc_for_host(struct hd_context* ctx, struct hd_array* dst, enum hd_elem elem, int rank,
                                   const int64_t* shape) {
  int64_t bytes;
  int status = hd_array_layout(ctx, dst, elem, rank, shape, hd_identity_perm, &bytes);
  return status != HD_SUCCESS || bytes == 0 ? status : hd_mem_alloc_for_host(ctx, &dst->mem, bytes);
}

HD_API int hd_array_alloc_from(struct hd_context* ctx, struct hd_array* dst, struct hd_array* from, enum hd_elem elem,
                               int rank, const int64_t* shape, const int* perm) {
  struct hd_mem* mem = from->mem;
  from->mem = NULL;
  int64_t bytes;
  int status = hd_array_layout(ctx, dst, elem, rank, shape, perm == NULL ? hd_identity_perm : perm, &bytes);
  if (status == HD_SUCCESS && mem != NULL && mem->references == 1 && !mem->borrowed && mem->size == bytes) {
    dst->mem = mem;
#ifdef HD_DEBUG
    if (ctx->program->backend == HD_BACKEND_CPU) memset(mem->address, 0xA5, (size_t)bytes);  // as hd_mem_alloc does
#endif
    return HD_SUCCESS;
  }
  hd_mem_release(ctx, mem);
  return status != HD_SUCCESS || bytes == 0 ? status : hd_mem_alloc(ctx, &dst->mem, bytes);
}

// Of a loop over all dimensions C compilers make calls of memcpy, which take longer than all else.
static void hd_array_set(struct hd_array* dst, const struct hd_array* src) {
  dst->mem = src->mem;
  dst->offset = src->offset;
  dst->elem = src->elem;
  dst->rank = src->rank;
  if (src->rank > 0) {
    dst->shape[0] = src->shape[0];
    dst->stride[0] = src->stride[0];
  }
  if (src->rank > 1) {
    dst->shape[1] = src->shape[1];
    dst->stride[1] = src->stride[1];
  }
  for (int d = 2; d < src->rank; d++) {
    dst->shape[d] = src->shape[d];
    dst->stride[d] = src->stride[d];
  }
}

// Makes *dst an array in the memory of src, but for its dimensions.
static void hd_array_begin_view(struct hd_array* dst, const struct hd_array* src, int64_t offset, int rank) {
  dst->mem = src->mem;
  dst->offset = offset;
  dst->elem = src->elem;
  dst->rank = rank;
  hd_mem_share(dst->mem);
}

HD_API void hd_array_move(struct hd_array* dst, struct hd_array* src) {
  hd_array_set(dst, src);
  src->mem = NULL;
}

HD_API void hd_array_share(struct hd_array* dst, const struct hd_array* src) {
  hd_array_set(dst, src);
  hd_mem_share(dst->mem);
}

HD_API void hd_array_release(struct hd_context* ctx, struct hd_array* a) {
  hd_mem_release(ctx, a->mem);
  a->mem = NULL;
}

HD_API void hd_array_slice(struct hd_array* dst, const struct hd_array* src, const struct hd_dim_index* dims) {
  int64_t offset = src->offset;
  int rank = 0;
  for (int d = 0; d < src->rank; d++) {
    offset += dims[d].start * src->stride[d];
    if (dims[d].fixed) continue;
    dst->shape[rank] = dims[d].count;
    dst->stride[rank] = dims[d].stride * src->stride[d];
    rank++;
  }
  hd_array_begin_view(dst, src, offset, rank);
}

HD_API void hd_array_flat_slice(struct hd_array* dst, const struct hd_array* src, int64_t offset, int rank,
                                const int64_t* counts, const int64_t* strides) {
  hd_array_begin_view(dst, src, src->offset + offset * src->stride[0], rank);
  for (int d = 0; d < rank; d++) {
    dst->shape[d] = counts[d];
    dst->stride[d] = strides[d] * src->stride[0];
  }
}

HD_API void hd_array_rearrange(struct hd_array* dst, const struct hd_array* src, const int* perm) {
  hd_array_begin_view(dst, src, src->offset, src->rank);
  for (int d = 0; d < src->rank; d++) {
    dst->shape[d] = src->shape[perm[d]];
    dst->stride[d] = src->stride[perm[d]];
  }
}

// Finds strides for `view` (rank and shape are set, there are elements) that walk through `src` in row-major order.
// Both shapes are matched from the outside: as soon as groups of dimensions on both sides have equally many elements,
// the source's group must be walkable with one stride.
static bool hd_array_reshape_strides(struct hd_array* view, const struct hd_array* src) {
  struct hd_array old = {0};
  for (int d = 0; d < src->rank; d++) {
    if (src->shape[d] == 1) continue;
    old.shape[old.rank] = src->shape[d];
    old.stride[old.rank] = src->stride[d];
    old.rank++;
  }
  int old_begin = 0, new_begin = 0;
  while (old_begin < old.rank && new_begin < view->rank) {
    int64_t old_count = old.shape[old_begin], new_count = view->shape[new_begin];
    int old_end = old_begin + 1, new_end = new_begin + 1;
    while (old_count != new_count) {
      if (new_count < old_count) {
        if (new_end == view->rank) return false;
        new_count *= view->shape[new_end++];
      } else {
        if (old_end == old.rank) return false;
        old_count *= old.shape[old_end++];
      }
    }
    for (int d = old_begin; d + 1 < old_end; d++) {
      if (old.stride[d] != old.shape[d + 1] * old.stride[d + 1]) return false;
    }
    int64_t stride = old.stride[old_end - 1];
    for (int d = new_end - 1; d >= new_begin; d--) {
      view->stride[d] = stride;
      stride *= view->shape[d];
    }
    old_begin = old_end;
    new_begin = new_end;
  }
  for (; new_begin < view->rank; new_begin++) view->stride[new_begin] = 1;
  return old_begin == old.rank;
}

HD_API int hd_array_reshape(struct hd_context* ctx, struct hd_array* dst, const struct hd_array* src, int rank,
                            const int64_t* shape) {
  struct hd_array view = {.mem = src->mem, .offset = src->offset, .elem = src->elem};
  *dst = (struct hd_array){.elem = src->elem};
  if (rank < 0 || rank > HD_MAX_RANK) {
    return hd_error(ctx, "An array of %d dimensions is needed, but at most %d are supported.", rank, HD_MAX_RANK);
  }
  view.rank = rank;
  for (int d = 0; d < rank; d++) view.shape[d] = shape[d];
  int64_t bytes = hd_array_bytes(src->elem, rank, shape);
  if (bytes < 0) return hd_array_bad_shape(ctx, rank, shape);
  // One that does not fit was taken out of a branch that is not run: nobody reads it.
  bool fits = bytes == hd_array_num_elems(src) * hd_elem_size(src->elem);
  if (bytes == 0 || !fits) return hd_array_alloc(ctx, dst, src->elem, rank, shape);
  if (hd_array_reshape_strides(&view, src)) {
    hd_array_share(dst, &view);
    return HD_SUCCESS;
  }
  int status = hd_array_copy(ctx, dst, src);
  if (status != HD_SUCCESS) return status;
  view.mem = dst->mem;
  view.offset = 0;
  hd_array_reshape_strides(&view, dst);
  *dst = view;
  return HD_SUCCESS;
}

HD_API int hd_array_manifest(struct hd_context* ctx, struct hd_array* dst, const struct hd_array* src,
                             const int* perm) {
  int status = hd_array_alloc_permuted(ctx, dst, src->elem, src->rank, src->shape, perm);
  if (status == HD_SUCCESS) status = hd_copy_elements(ctx, dst, src);
  if (status != HD_SUCCESS) hd_array_release(ctx, dst);
  return status;
}

HD_API int hd_array_copy(struct hd_context* ctx, struct hd_array* dst, const struct hd_array* src) {
  return hd_array_manifest(ctx, dst, src, hd_identity_perm);
}

HD_API int hd_array_dense(struct hd_context* ctx, struct hd_array* dst, const struct hd_array* src) {
  if (!hd_array_is_dense(src)) return hd_array_copy(ctx, dst, src);
  hd_array_share(dst, src);
  return HD_SUCCESS;
}

HD_API int hd_array_assign(struct hd_context* ctx, const struct hd_array* dst, const struct hd_array* src) {
  bool same = dst->rank == src->rank;
  for (int d = 0; same && d < dst->rank; d++) same = dst->shape[d] == src->shape[d];
  if (!same)
    return hd_error(ctx, "An array cannot be overwritten by one of another shape; this is a bug in the compiler.");
  return hd_copy_elements(ctx, dst, src);
}

HD_API int hd_array_pack(struct hd_context* ctx, const struct hd_array* dst, const struct hd_array* src, int rank,
                         const int64_t* shape, const int64_t* dst_strides, const int64_t* src_strides) {
  struct hd_array to = *dst, from = *src;
  to.rank = from.rank = rank;
  for (int d = 0; d < rank; d++) {
    to.shape[d] = from.shape[d] = shape[d];
    to.stride[d] = dst_strides[d];
    from.stride[d] = src_strides[d];
  }
  return hd_copy_elements(ctx, &to, &from);
}

HD_API int hd_array_fill(struct hd_context* ctx, const struct hd_array* dst, const void* value) {
  return hd_fill_elements(ctx, dst, value);
}

HD_API int hd_array_iota(struct hd_context* ctx, const struct hd_array* dst, int64_t start, int64_t step) {
  return hd_iota_elements(ctx, dst, start, step);
}

static void hd_move_element(void* dst, const void* src, enum hd_elem elem) {
  switch (hd_elem_size(elem)) {
    case 1:
      memcpy(dst, src, 1);
      break;
    case 2:
      memcpy(dst, src, 2);
      break;
    case 4:
      memcpy(dst, src, 4);
      break;
    default:
      memcpy(dst, src, 8);
      break;
  }
}

static int hd_send(struct hd_context* ctx, void* device, const void* host, int64_t bytes) {
  if (bytes == 0) return HD_SUCCESS;
  struct hd_span span;
  int status = hd_span_begin(ctx, &span);
  if (status == HD_SUCCESS) status = ctx->backend->copy(ctx, device, host, bytes, HD_TO_DEVICE);
  hd_ahead_written(ctx, device, host, bytes);
  return status == HD_SUCCESS ? hd_span_end(ctx, &span, "copy_host_to_dev", "%" PRId64 " bytes", bytes) : status;
}

static void* hd_element_address(const struct hd_array* a, const int64_t* index) {
  int64_t offset = a->offset;
  for (int d = 0; d < a->rank; d++) offset += index[d] * a->stride[d];
  return (char*)a->mem->address + offset * hd_elem_size(a->elem);
}

HD_API int hd_array_read_all(struct hd_context* ctx, int num_elements, const struct hd_element* elements) {
  struct hd_read reads[HD_MAX_READS];
  int num_reads = 0;
  for (int i = 0; i < num_elements; i++) {
    const struct hd_element* e = &elements[i];
    const struct hd_mem* mem = e->array->mem;
    struct hd_read read = {e->value, hd_element_address(e->array, e->index), hd_elem_size(e->array->elem)};
    bool is_read = false;
    if (!mem->for_host && !hd_host_reaches_arrays(ctx)) {
      int status = hd_ahead_read(ctx, mem, read.device, read.bytes, read.host, &is_read);
      if (status != HD_SUCCESS) return status;
    }
    if (!is_read) reads[num_reads++] = read;
  }
  return num_reads == 0 ? HD_SUCCESS : hd_fetch(ctx, reads, num_reads);
}

HD_API int hd_array_read(struct hd_context* ctx, const struct hd_array* a, const int64_t* index, void* value) {
  if (hd_host_reaches_arrays(ctx)) {
    hd_move_element(value, hd_element_address(a, index), a->elem);
    return HD_SUCCESS;
  }
  return hd_array_read_all(ctx, 1, &(struct hd_element){a, index, value});
}

HD_API int hd_array_write(struct hd_context* ctx, const struct hd_array* a, const int64_t* index, const void* value) {
  if (hd_host_reaches_arrays(ctx)) {
    hd_move_element(hd_element_address(a, index), value, a->elem);
    return HD_SUCCESS;
  }
  return hd_send(ctx, hd_element_address(a, index), value, hd_elem_size(a->elem));
}

HD_API int hd_array_upload(struct hd_context* ctx, const struct hd_array* dense, const void* host) {
  int64_t bytes = hd_array_num_elems(dense) * hd_elem_size(dense->elem);
  return hd_send(ctx, hd_array_address(dense), host, bytes);
}

HD_API int hd_array_download(struct hd_context* ctx, const struct hd_array* dense, void* host) {
  int64_t bytes = hd_array_num_elems(dense) * hd_elem_size(dense->elem);
  return hd_fetch(ctx, &(struct hd_read){host, hd_array_address(dense), bytes}, 1);
}
