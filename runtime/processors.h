// How many threads are worth having on the host.
#ifndef HD_PROCESSORS_H
#define HD_PROCESSORS_H

#include "program.h"

// HEDDLE_THREADS, else the processors that this process may use.
HD_API int hd_num_processors(void);

#endif
