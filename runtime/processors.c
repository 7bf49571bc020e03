#include "processors.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

HD_API int hd_num_processors(void) {
  const char* wanted = getenv("HEDDLE_THREADS");
  if (wanted != NULL && atoi(wanted) > 0) return atoi(wanted);
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) > 0) return CPU_COUNT(&cores);
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int)online : 1;
}
