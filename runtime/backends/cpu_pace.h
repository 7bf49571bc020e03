// What was seen of a kernel's launches on the host's cores, and what follows for the next ones. Sizes differ from launch to launch, so that all is
// about nanoseconds of work.
#ifndef HD_CPU_PACE_H
#define HD_CPU_PACE_H

#include "runtime/core/program.h"

enum {
  // Below this much work, waking other cores costs more than it gives,
  HD_WORTH_WAKING_NANOSECONDS = 20000,
  // and below this, reading the clock to find out costs too much already. What was seen of a kernel's launch holds for so many others.
  HD_WORTH_TIMING_NANOSECONDS = 2000,
  HD_LAUNCHES_UNTIMED = 15,
  // Where several cores were slower with so much work, one does up to twice as much for so many launches before it is tried again.
  HD_LAUNCHES_ALONE = 63,
  // Other cores may take this long until they are awake and done: with less work it is seen whether they are worth it.
  HD_WORTH_COMPARING_NANOSECONDS = 300000,
  // Once may be chance: another program had the core. So often they must have been slower than not, which does not count beyond the other.
  HD_TIMES_SLOWER = 2,
  HD_LEAST_TIMES_SLOWER = -4
};

struct hd_cpu_pace {
  float nanoseconds_per_unit;  // in the last launch that was timed
  int launches_left;           // that need not be timed if they are short at this pace
  float too_little;            // nanoseconds of work for which several cores were slower than one
  int launches_alone;          // that one core is to do if they have no more than twice that
  float evenness;              // how long launches take of what their first units say; 0: not known
  int times_slower;            // several cores were, less the times when they were not
};

// A launch that began on one core.
struct hd_cpu_begun {
  int64_t num_units;
  int64_t done;        // units
  double nanoseconds;  // that these took
  double said_first;   // how long the first units said that all would take
};

HD_API bool hd_cpu_is_short(const struct hd_cpu_pace* pace, int64_t num_units);
// Of a launch on one core so far.
HD_API void hd_cpu_saw_alone(struct hd_cpu_pace* pace, struct hd_cpu_begun* begun, int64_t done, double nanoseconds);
// How long one core needs for what is left.
HD_API double hd_cpu_left(const struct hd_cpu_pace* pace, const struct hd_cpu_begun* begun);
// Whether so much work that is left of a launch is worth waking others for.
HD_API bool hd_cpu_wakes(const struct hd_cpu_pace* pace, double nanoseconds_left);
// Whether there is as much left, by what its units took until now as well.
HD_API bool hd_cpu_is_time_to_wake(const struct hd_cpu_pace* pace, const struct hd_cpu_begun* begun);
// One core has done all of a launch, of which there were so many nanoseconds when it might first have woken others.
HD_API void hd_cpu_stayed_alone(struct hd_cpu_pace* pace, const struct hd_cpu_begun* begun, double nanoseconds);
// Several cores have done what would have taken one `nanoseconds`.
HD_API void hd_cpu_saw_together(struct hd_cpu_pace* pace, double nanoseconds, double took);
// Whether what one core would have needed is known well enough to say whether several are slower.
HD_API bool hd_cpu_compares(const struct hd_cpu_pace* pace, double nanoseconds);

#endif
