// Time for measuring how long something took.
#ifndef HD_CLOCK_H
#define HD_CLOCK_H

#include "runtime/core/program.h"

HD_API int64_t hd_clock_microseconds(void);

#endif
