#include "runtime/core/events.h"

#include <inttypes.h>
#include <stdlib.h>

#include "runtime/core/backend.h"

HD_API int hd_span_begin(struct hd_context* ctx, struct hd_span* span) {
  span->recorded = ctx->profiling && !ctx->profiling_paused;
  return span->recorded ? ctx->backend->mark(ctx, &span->begin) : HD_SUCCESS;
}

HD_API int hd_span_end(struct hd_context* ctx, struct hd_span* span, const char* name, const char* format, ...) {
  if (!span->recorded) return HD_SUCCESS;
  struct hd_event_list* list = &ctx->events;
  if (list->num_events == list->max_events) {
    int max_events = 2 * list->max_events + 64;
    struct hd_event* events = realloc(list->events, (size_t)max_events * sizeof *events);
    if (events == NULL) return hd_memory_error(ctx, "Out of host memory for profiling events.");
    list->events = events;
    list->max_events = max_events;
  }
  struct hd_event* event = &list->events[list->num_events];
  event->name = name;
  event->begin = span->begin;
  int status = ctx->backend->mark(ctx, &event->end);
  if (status != HD_SUCCESS) return status;
  struct hd_text text = {0};
  va_list args;
  va_start(args, format);
  hd_text_add_args(&text, format, args);
  va_end(args);
  event->description = hd_text_take(&text);
  list->num_events++;
  return HD_SUCCESS;
}

// Futhark's tools before 0.25.33 want "description", later ones "provenance" and "details"; both ignore what they do
// not know.
HD_API int hd_events_report(struct hd_context* ctx, struct hd_text* text) {
  int status = HD_SUCCESS;
  for (int i = 0; i < ctx->events.num_events; i++) {
    struct hd_event* event = &ctx->events.events[i];
    double microseconds = 0;
    int elapsed = ctx->backend->elapsed(ctx, &event->begin, &event->end, &microseconds);
    if (status == HD_SUCCESS) status = elapsed;
    hd_text_add(text, "%s{\"name\":", i > 0 ? "," : "");
    hd_text_add_json_string(text, event->name);
    // With a point whatever the locale: that of a library's user may want a comma.
    int64_t nanoseconds = (int64_t)(1000 * microseconds);
    hd_text_add(text, ",\"duration\":%" PRId64 ".%03" PRId64 ",\"description\":", nanoseconds / 1000,
                nanoseconds % 1000);
    hd_text_add_json_string(text, event->description ? event->description : "");
    hd_text_add(text, ",\"provenance\":\"unknown\",\"details\":{}}");
    free(event->description);
  }
  ctx->events.num_events = 0;
  return status;
}

HD_API void hd_events_forget(struct hd_context* ctx) {
  struct hd_text ignored = {0};
  hd_events_report(ctx, &ignored);
  hd_text_clear(&ignored);
  free(ctx->events.events);
  ctx->events = (struct hd_event_list){0};
}
