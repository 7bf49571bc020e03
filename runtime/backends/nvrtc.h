// From kernel text to something the driver can load.
#ifndef HD_NVRTC_H
#define HD_NVRTC_H

#include "runtime/backends/cuda_api.h"
#include "runtime/core/config.h"

struct hd_binary {
  char* bytes;
  size_t length;
};

// NULL-terminated pieces of text, of which there may be none (NULL).
HD_API void hd_add_pieces(struct hd_text* text, const char* const* pieces);
// The whole kernel text of a program: its pieces, one after the other. To be freed; NULL when host memory ran out.
HD_API char* hd_program_text(const struct hd_program* program);

struct hd_nvrtc_options {
  char** options;
  int num_options;
  bool binary;  // machine code for the device at hand, else PTX, which the driver translates
};
// What to compile with for a device of the given compute capability (90 for 9.0). NULL, or what is wrong.
HD_API char* hd_nvrtc_choose_options(const struct hd_nvrtc_api* api, const struct hd_config* config, int capability,
                                     struct hd_nvrtc_options* options);
HD_API void hd_nvrtc_options_free(struct hd_nvrtc_options* options);

// Compiles. NULL, or the compiler's complaint, to be freed. `ptx` may be NULL, else it also gets the PTX.
HD_API char* hd_nvrtc_compile(const struct hd_nvrtc_api* api, const char* text, const struct hd_nvrtc_options* options,
                              struct hd_binary* binary, struct hd_binary* ptx);

#endif
