// A generated program as a command: reads the input of one entry point from stdin and prints its results.
#ifndef HD_EXECUTABLE_H
#define HD_EXECUTABLE_H

#include "runtime/core/program.h"

// What main returns.
HD_API int hd_main_executable(const struct hd_program* program, int argc, char** argv);

#endif
