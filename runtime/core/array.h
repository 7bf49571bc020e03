// Arrays as host statements see them. Views share the block and take a new reference; `dst` is always uninitialised on
// entry and owned by the caller afterwards. No function frees its sources.
#ifndef HD_ARRAY_H
#define HD_ARRAY_H

#include "runtime/core/program.h"

HD_API int64_t hd_elem_size(enum hd_elem elem);  // bytes; a unit takes one

// Fresh dense row-major memory of undefined content.
HD_API int hd_array_alloc(struct hd_context* ctx, struct hd_array* dst, enum hd_elem elem, int rank,
                          const int64_t* shape);
// The same for an element that only the host reads, and kernels seldom write.
HD_API int hd_array_alloc_for_host(struct hd_context* ctx, struct hd_array* dst, enum hd_elem elem, int rank,
                                   const int64_t* shape);
// Fresh dense memory of undefined content in which dimension perm[rank-1] is contiguous, perm[rank-2] next, and so on.
HD_API int hd_array_alloc_permuted(struct hd_context* ctx, struct hd_array* dst, enum hd_elem elem, int rank,
                                   const int64_t* shape, const int* perm);
// In the memory of `from` if nobody else holds that and it has the size, else in fresh memory; of undefined content, and laid out
// as above, or row-major where perm is NULL. `from` is released in either case.
HD_API int hd_array_alloc_from(struct hd_context* ctx, struct hd_array* dst, struct hd_array* from, enum hd_elem elem,
                               int rank, const int64_t* shape, const int* perm);
// Takes src's reference over. Most of the struct is room for dimensions that an array has not, and stays as it is.
HD_API void hd_array_move(struct hd_array* dst, struct hd_array* src);
HD_API void hd_array_share(struct hd_array* dst, const struct hd_array* src);
HD_API void hd_array_release(struct hd_context* ctx, struct hd_array* a);  // also sets mem to NULL
HD_API int64_t hd_array_num_elems(const struct hd_array* a);
HD_API bool hd_array_is_dense(const struct hd_array* a);  // row-major without gaps; the offset does not matter
HD_API int64_t hd_array_element_address(const struct hd_array* a);  // where in memory it begins, in elements

struct hd_dim_index {  // one per dimension of the source
  bool fixed;
  int64_t start;   // index, or first element of the slice
  int64_t count;   // slices only
  int64_t stride;  // slices only; may be negative or 0
};
// Views. The caller has checked all bounds.
HD_API void hd_array_slice(struct hd_array* dst, const struct hd_array* src, const struct hd_dim_index* dims);
// The same of `src` of rank 1.
HD_API void hd_array_flat_slice(struct hd_array* dst, const struct hd_array* src, int64_t offset, int rank,
                                const int64_t* counts, const int64_t* strides);
HD_API void hd_array_rearrange(struct hd_array* dst, const struct hd_array* src, const int* perm);
// A view where the strides allow it, else a copy; undefined elements where src has more or fewer of them.
HD_API int hd_array_reshape(struct hd_context* ctx, struct hd_array* dst, const struct hd_array* src, int rank,
                            const int64_t* shape);

// Copies.
HD_API int hd_array_copy(struct hd_context* ctx, struct hd_array* dst, const struct hd_array* src);  // dense row-major
HD_API int hd_array_manifest(struct hd_context* ctx, struct hd_array* dst, const struct hd_array* src, const int* perm);
// src itself (shared) when it is dense row-major, else a copy that is.
HD_API int hd_array_dense(struct hd_context* ctx, struct hd_array* dst, const struct hd_array* src);

// Writing into existing memory: `dst` is a view of what to overwrite, of the same shape as `src`. The two may overlap
// only if they are identical.
HD_API int hd_array_assign(struct hd_context* ctx, const struct hd_array* dst, const struct hd_array* src);
// The same for what is seen of their memory, from where each begins, with this shape and these strides.
HD_API int hd_array_pack(struct hd_context* ctx, const struct hd_array* dst, const struct hd_array* src, int rank,
                         const int64_t* shape, const int64_t* dst_strides, const int64_t* src_strides);
HD_API int hd_array_fill(struct hd_context* ctx, const struct hd_array* dst, const void* value);
// `dst` has rank 1 and integers.
HD_API int hd_array_iota(struct hd_context* ctx, const struct hd_array* dst, int64_t start, int64_t step);

// Single elements and host data. Those that read wait for the device and report failures of kernels launched before.
struct hd_element {
  const struct hd_array* array;
  const int64_t* index;
  void* value;
};
HD_API int hd_array_read(struct hd_context* ctx, const struct hd_array* a, const int64_t* index, void* value);
// Several elements for one wait, at most HD_MAX_READS.
HD_API int hd_array_read_all(struct hd_context* ctx, int num_elements, const struct hd_element* elements);
HD_API int hd_array_write(struct hd_context* ctx, const struct hd_array* a, const int64_t* index, const void* value);
HD_API int hd_array_upload(struct hd_context* ctx, const struct hd_array* dense, const void* host);
HD_API int hd_array_download(struct hd_context* ctx, const struct hd_array* dense, void* host);

#endif
