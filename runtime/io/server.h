// A generated program as a server: takes one command per line on stdin and answers on stdout, as Futhark's do.
#ifndef HD_SERVER_H
#define HD_SERVER_H

#include "runtime/core/program.h"

// What main returns.
HD_API int hd_main_server(const struct hd_program* program, int argc, char** argv);

#endif
