// Kernels compiled while the program runs, for the sizes at hand.
//
// A launch site that has such a kernel first runs the generic one. For sizes that come again, or at once when the work is large enough to
// pay for it, the model chooses, and the kernel is compiled; then it is kept, up to a bound. Sizes for which one that is there is
// about as good as any get that one. Where a loop goes through many sizes, choosing and compiling for some of them takes longer than
// thousands of launches: those that are near others take over their kernel, and where there is none the generic one goes on running, until
// as much time may have been lost by that as making a kernel takes.
#ifndef HD_VARIANTS_H
#define HD_VARIANTS_H

#include "runtime/core/launch.h"
#include "runtime/families/family.h"

enum hd_origin { HD_NOT_CHOSEN, HD_CHOSEN, HD_TAKEN_OVER };

struct hd_kernel_variant {
  int kernel;
  struct hd_text key;                                         // the shape's, then the fixed values
  int64_t values[HD_MAX_CHOSEN_VALUES + HD_MAX_FIXED_SIZES];  // of the kernel's constants
  struct hd_shape_name name;
  enum hd_origin origin;   // of the values
  bool suitable;           // no choice has been found wanting, nor failed to compile
  double seconds;          // that the model expects
  double excess;           // ... beyond the least, of values that were taken over
  double lost;             // by launches with such values, or by generic ones of sizes that come and go
  int64_t* registers;      // which of the values is a thread's limit; NULL: none
  int64_t most_registers;  // to which it may be raised where the kernel spills
  bool is_given;           // the values, by a tuning file
  int64_t times_seen;
  int64_t last_use;
  void* code;  // the backend's; NULL until compiled; perhaps other variants', too
};

// What a launch site asks for: the program's specialized kernel `kernel`, for this shape, which is one of the kernel's
// family. `fixed` are the values of its constants besides those that are chosen.
struct hd_request {
  int kernel;
  const void* shape;
  int num_fixed;
  const int64_t* fixed;
  int num_places;
  const int64_t* places;  // scalars with which the kernel computes places of elements in 32 bits
  bool changes;           // the shape, from one round of a host's loop to the next
};

// The variant to launch, and the values of its constants (of which there are as many as the kernel has); NULL if there
// is none for these sizes, or if the request exceeds the limits (device/limits.h). Where its `code` is NULL the generic
// kernel is to run this time.
HD_API struct hd_kernel_variant* hd_find_variant(struct hd_context* ctx, const struct hd_request* request,
                                                 int64_t* values);

// After the launches of a variant: whether they are to be done once more with the new values of the constants, since
// tilings are being measured. Launches with any tiling compute the same.
HD_API bool hd_repeat_variant(struct hd_context* ctx, struct hd_kernel_variant* variant, int64_t* values);

// Compiles a variant for its values, with the least limit of registers from which nothing spills, since the one chosen is
// an estimate; with more a kernel may be slower. variant->code stays NULL if that fails.
HD_API void hd_variant_compile(struct hd_context* ctx, struct hd_kernel_variant* variant);

// As hd_launch_kernel; launch->kernel is not used.
HD_API int hd_launch_variant(struct hd_context* ctx, struct hd_kernel_variant* variant, const struct hd_launch* launch);

HD_API void hd_variants_free(struct hd_context* ctx);

#endif
