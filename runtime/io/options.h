// The command line of a generated program, the same for executables and servers where it can be.
#ifndef HD_OPTIONS_H
#define HD_OPTIONS_H

#include "runtime/core/config.h"

enum hd_mode { HD_EXECUTABLE = 1, HD_SERVER = 2 };

struct hd_options {
  struct hd_config* config;
  enum hd_mode mode;
  const char* program_name;  // for messages
  bool setup_only;           // end once the context exists
  const char* entry;         // the rest is for executables
  const char* runtime_path;  // NULL: times are not wanted
  int num_runs;
  bool warm_up;
  bool binary;
  bool print_result;
};

// Fills in the options, creating options->config. 0: go on; else 1 with the exit code of the program in *exit_code.
HD_API int hd_options_parse(struct hd_options* options, enum hd_mode mode, const struct hd_program* program, int argc,
                            char** argv, int* exit_code);
HD_API void hd_options_free(struct hd_options* options);
// 0, or 1 having said why what was printed to stdout could not be written.
HD_API int hd_finish_output(const char* program_name);

#endif
