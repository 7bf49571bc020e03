#include "runtime/backends/cpu_pace.h"

HD_API bool hd_cpu_is_short(const struct hd_cpu_pace* pace, int64_t num_units) {
  return pace->launches_left > 0 && pace->nanoseconds_per_unit * (float)num_units < (float)HD_WORTH_TIMING_NANOSECONDS;
}

HD_API void hd_cpu_saw_alone(struct hd_cpu_pace* pace, double nanoseconds_per_unit) {
  pace->nanoseconds_per_unit = (float)nanoseconds_per_unit;
  pace->launches_left = HD_LAUNCHES_UNTIMED;
}

HD_API bool hd_cpu_wakes(const struct hd_cpu_pace* pace, double nanoseconds_left) {
  return nanoseconds_left > HD_WORTH_WAKING_NANOSECONDS &&
         (pace->launches_alone == 0 || nanoseconds_left > 2 * (double)pace->too_little);
}

HD_API void hd_cpu_stayed_alone(struct hd_cpu_pace* pace, double nanoseconds) {
  if (nanoseconds > HD_WORTH_WAKING_NANOSECONDS && pace->launches_alone > 0) pace->launches_alone--;
}

HD_API void hd_cpu_saw_together(struct hd_cpu_pace* pace, double nanoseconds, double took) {
  if (took <= nanoseconds) return;
  pace->too_little = (float)nanoseconds;
  pace->launches_alone = HD_LAUNCHES_ALONE;
}
