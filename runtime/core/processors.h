// How many threads are worth having on the host.
#ifndef HD_PROCESSORS_H
#define HD_PROCESSORS_H

#include "runtime/core/program.h"

// HEDDLE_THREADS, else the processors that this process may use.
HD_API int hd_num_processors(void);
// What HEDDLE_THREADS is where it is no number of threads, and so without effect; NULL where it is one or is not set.
HD_API const char* hd_bad_threads_variable(void);

#endif
