#include "runtime/core/clock.h"

#include <time.h>

HD_API int64_t hd_clock_microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
