// Kernels compiled while the program runs, for the sizes at hand.
//
// A launch site that has such a kernel first runs the generic one. The specialized one is compiled when the same values
// come again, or at once when the work is large enough to pay for compiling; then it is kept, up to a bound.
#ifndef HD_VARIANTS_H
#define HD_VARIANTS_H

#include "launch.h"
#include "parts.h"
#include "relaying.h"

// What the variant was asked for: extents, two values of each operand, fixed values.
#define HD_MAX_VARIANT_KEY (2 * HD_MAX_TILED_INDICES + 2 * HD_MAX_TILED_OPERANDS + HD_MAX_FIXED_SIZES)

struct hd_kernel_variant {
  int kernel;
  int64_t key[HD_MAX_VARIANT_KEY];
  int key_length;
  int64_t values[HD_MAX_TILING_VALUES + HD_MAX_FIXED_SIZES];  // of the kernel's constants
  bool suitable;                                              // there is a tiling, and it compiled
  struct hd_tiling_cost cost;
  int64_t* registers;      // which of the values is a thread's limit of registers
  int64_t most_registers;  // to which it may be raised where the kernel spills
  int64_t times_seen;
  int64_t last_use;
  void* code;  // the backend's; NULL until compiled
};

// What a launch site asks for: the program's specialized kernel `kernel`, for a contraction of this shape. `fixed` are
// the values of its constants besides the tiling.
struct hd_request {
  int kernel;
  const struct hd_contraction* contraction;
  int num_fixed;
  const int64_t* fixed;
  int num_places;
  const int64_t* places;  // scalars with which the kernel computes places of elements in 32 bits
};

// The variant to launch, and the values of its constants (of which there are as many as the kernel has); NULL if there
// is none for these sizes, or if the request exceeds the limits (device/limits.h). Where its `code` is NULL the generic
// kernel is to run this time.
HD_API struct hd_kernel_variant* hd_find_variant(struct hd_context* ctx, const struct hd_request* request,
                                                 int64_t* values);

// hd_parts_on and hd_relaying_pays_on the context's device, which must have room for what is laid anew; where nothing
// is specialized, nothing is.
HD_API int64_t hd_parts(struct hd_context* ctx, int64_t points, int64_t extent, int64_t depth);
HD_API bool hd_relaying_pays(struct hd_context* ctx, int64_t steps, int64_t bytes);

// After the launches of a variant: whether they are to be done once more with the new values of the constants, since
// tilings are being measured. Launches with any tiling compute the same.
HD_API bool hd_repeat_variant(struct hd_context* ctx, struct hd_kernel_variant* variant, int64_t* values);

// Compiles a variant for its values, with the least limit of registers from which nothing spills:
// hd_tiling_register_limit says why not more, and is an estimate. variant->code stays NULL if that fails.
HD_API void hd_variant_compile(struct hd_context* ctx, struct hd_kernel_variant* variant);

// As hd_launch_kernel; launch->kernel is not used.
HD_API int hd_launch_variant(struct hd_context* ctx, struct hd_kernel_variant* variant, const struct hd_launch* launch);

// The alignment (struct hd_tiled_operand) of an array whose dimension with stride 1 is taken as the last, as the
// compiler does, too; 1 if there is none.
HD_API int64_t hd_array_alignment(const struct hd_array* a);
// Where in memory an array begins, in elements.
HD_API int64_t hd_array_place(const struct hd_array* a);
// ... of dense memory with rows of this length, which begins at a multiple of everything. `elem_size` in bytes.
HD_API int64_t hd_row_alignment(int64_t length, int64_t elem_size);

HD_API void hd_variants_free(struct hd_context* ctx);

#endif
