// What happened while profiling: one event per kernel and copy, timed by the device.
#ifndef HD_EVENTS_H
#define HD_EVENTS_H

#include "runtime/core/text.h"

// A point in the device's time; what is in it is the backend's business.
struct hd_instant {
  void* event;
  int64_t nanoseconds;
};

struct hd_event {
  const char* name;   // lives as long as the program
  char* description;  // owned
  struct hd_instant begin, end;
};

struct hd_event_list {
  struct hd_event* events;
  int num_events;
  int max_events;
};

// An operation that is being queued. Nothing is recorded unless profiling is on when it begins.
struct hd_span {
  bool recorded;
  struct hd_instant begin;
};
HD_API int hd_span_begin(struct hd_context* ctx, struct hd_span* span);
__attribute__((format(printf, 4, 5))) HD_API int hd_span_end(struct hd_context* ctx, struct hd_span* span,
                                                             const char* name, const char* format, ...);

// Adds the events to a JSON array's inside and forgets them. The device must be idle.
HD_API int hd_events_report(struct hd_context* ctx, struct hd_text* text);
HD_API void hd_events_forget(struct hd_context* ctx);

#endif
