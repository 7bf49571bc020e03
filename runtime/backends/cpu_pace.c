#include "runtime/backends/cpu_pace.h"

HD_API bool hd_cpu_is_short(const struct hd_cpu_pace* pace, int64_t num_units) {
  return pace->launches_left > 0 && pace->nanoseconds_per_unit * (float)num_units < (float)HD_WORTH_TIMING_NANOSECONDS;
}

HD_API void hd_cpu_saw_alone(struct hd_cpu_pace* pace, struct hd_cpu_begun* begun, int64_t done, double nanoseconds) {
  const double per_unit = nanoseconds / (double)done;
  if (begun->done == 0) begun->said_first = per_unit * (double)begun->num_units;
  begun->done = done;
  begun->nanoseconds = nanoseconds;
  pace->nanoseconds_per_unit = (float)per_unit;
  pace->launches_left = HD_LAUNCHES_UNTIMED;
}

static double hd_cpu_left_by_all(const struct hd_cpu_begun* begun) {
  return begun->nanoseconds / (double)begun->done * (double)(begun->num_units - begun->done);
}

// The first units find nothing in the cache, or are the longest: what they say is put right by what came of it before. Where units turn out to be
// longer than that, it is those until now that say more.
HD_API double hd_cpu_left(const struct hd_cpu_pace* pace, const struct hd_cpu_begun* begun) {
  const double left = hd_cpu_left_by_all(begun);
  if (pace->evenness == 0) return left;
  const double by_first = begun->said_first * (double)pace->evenness - begun->nanoseconds;
  const double by_all = pace->evenness < 1 ? left * (double)pace->evenness : left;
  return by_first > by_all ? by_first : by_all;
}

HD_API bool hd_cpu_is_time_to_wake(const struct hd_cpu_pace* pace, const struct hd_cpu_begun* begun) {
  const double left = hd_cpu_left(pace, begun), by_all = hd_cpu_left_by_all(begun);
  return hd_cpu_wakes(pace, left < by_all ? left : by_all);
}

HD_API bool hd_cpu_wakes(const struct hd_cpu_pace* pace, double nanoseconds_left) {
  if (nanoseconds_left <= HD_WORTH_WAKING_NANOSECONDS) return false;
  if (pace->evenness == 0 && nanoseconds_left < HD_WORTH_COMPARING_NANOSECONDS) return false;
  return pace->launches_alone == 0 || nanoseconds_left > 2 * (double)pace->too_little;
}

HD_API void hd_cpu_stayed_alone(struct hd_cpu_pace* pace, const struct hd_cpu_begun* begun, double nanoseconds) {
  if (nanoseconds > HD_WORTH_WAKING_NANOSECONDS && pace->launches_alone > 0) pace->launches_alone--;
  // Of few units the first say little of many.
  if (begun->nanoseconds < HD_WORTH_WAKING_NANOSECONDS / 2) return;
  const float seen = (float)(begun->nanoseconds / begun->said_first);
  // Where something else had the core meanwhile, it took longer than it does.
  const float most = pace->evenness > 0 ? 1.125F * pace->evenness : seen;
  pace->evenness = most < seen ? most : seen;
  if (pace->evenness < 0.5F) pace->evenness = 0.5F;
}

HD_API void hd_cpu_saw_together(struct hd_cpu_pace* pace, double nanoseconds, double took) {
  if (took <= nanoseconds) {
    if (pace->times_slower > HD_LEAST_TIMES_SLOWER) pace->times_slower--;
    return;
  }
  if (++pace->times_slower < HD_TIMES_SLOWER) return;
  pace->times_slower = HD_TIMES_SLOWER - 1;
  pace->too_little = (float)nanoseconds;
  pace->launches_alone = HD_LAUNCHES_ALONE;
}

HD_API bool hd_cpu_compares(const struct hd_cpu_pace* pace, double nanoseconds) {
  return pace->evenness > 0 && nanoseconds < HD_WORTH_COMPARING_NANOSECONDS;
}
