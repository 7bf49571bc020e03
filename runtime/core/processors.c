#include "runtime/core/processors.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

// What HEDDLE_THREADS asks for: 0 for one thread per core, as where it is not set, -1 for what is no such number.
static int hd_wanted_processors(void) {
  const char* text = getenv("HEDDLE_THREADS");
  if (text == NULL || *text == 0) return 0;
  char* end;
  errno = 0;
  long number = strtol(text, &end, 10);
  return *end != 0 || errno != 0 || number < 0 || number > INT_MAX ? -1 : (int)number;
}

HD_API const char* hd_bad_threads_variable(void) {
  return hd_wanted_processors() < 0 ? getenv("HEDDLE_THREADS") : NULL;
}

HD_API int hd_num_processors(void) {
  int wanted = hd_wanted_processors();
  if (wanted > 0) return wanted;
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) > 0) return CPU_COUNT(&cores);
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int)online : 1;
}
