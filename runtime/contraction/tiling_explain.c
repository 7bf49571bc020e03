#include "runtime/contraction/tiling_explain.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

HD_API void hd_tiling_add(struct hd_text* text, const struct hd_contraction* c, const struct hd_tiling* tiling) {
  struct hd_tiling copy = *tiling;
  struct hd_tiling_value values[HD_MAX_TILING_VALUES];
  int n = hd_tiling_list(c, &copy, values);
  const char* separator = "";
  for (int i = 0; i < n; i++) {
    if (values[i].derived || values[i].index > 0) continue;
    hd_text_add(text, "%s%s ", separator, values[i].name);
    separator = ", ";
    const char* times = "";
    for (int k = i; k < n; k++) {
      if (strcmp(values[k].name, values[i].name) != 0) continue;
      hd_text_add(text, "%s%" PRId64, times, *values[k].place);
      times = "x";
    }
  }
}

enum hd_limit { HD_LIMIT_ISSUE, HD_LIMIT_SHARED, HD_LIMIT_MEMORY, HD_LIMIT_LATENCY };

static enum hd_limit hd_tiling_limit_of(const struct hd_tiling_cost* cost) {
  if (cost->memory_seconds >= fmax(cost->issue_seconds, cost->shared_seconds)) return HD_LIMIT_MEMORY;
  if (cost->waits_for_memory) return HD_LIMIT_LATENCY;
  return cost->shared_seconds > cost->issue_seconds ? HD_LIMIT_SHARED : HD_LIMIT_ISSUE;
}

HD_API const char* hd_tiling_limit(const struct hd_tiling_cost* cost) {
  static const char* const names[] = {"issuing instructions", "shared memory", "device memory",
                                      "latency of device memory"};
  return names[hd_tiling_limit_of(cost)];
}

static double hd_tiling_waves(const struct hd_device_model* device, const struct hd_tiling_cost* cost) {
  return (double)cost->num_blocks / (double)(device->multiprocessors * cost->blocks_per_multiprocessor);
}

// Why `other` takes longer than `best`, by what limits it and, where that is instructions, by what has grown most.
static const char* hd_tiling_reason(const struct hd_device_model* device, const struct hd_tiling_cost* best,
                                    const struct hd_tiling_cost* other) {
  enum hd_limit limit = hd_tiling_limit_of(other);
  if (limit == HD_LIMIT_MEMORY) return "it moves more between device memory and multiprocessors";
  if (limit == HD_LIMIT_LATENCY) return "it waits for device memory";
  if (limit == HD_LIMIT_SHARED) return "it is limited by shared memory";
  // The issue time contains what is lost by the last wave.
  double waves = hd_tiling_waves(device, best), other_waves = hd_tiling_waves(device, other);
  double issue = best->issue_seconds * waves / ceil(waves);
  double other_issue = other->issue_seconds * other_waves / ceil(other_waves);
  double more_issue = other_issue - issue;
  double more_idle = other->issue_seconds - other_issue - (best->issue_seconds - issue);
  double more_waiting = other->seconds - best->seconds - more_issue - more_idle;
  if (more_issue >= fmax(more_idle, more_waiting)) return "more instructions beside the arithmetic";
  return more_idle >= more_waiting ? "more multiprocessors are idle in the last wave"
                                   : "more waiting: at barriers, or with few warps to hide it behind";
}

HD_API void hd_tiling_add_ranking(struct hd_text* text, const struct hd_device_model* device,
                                  const struct hd_contraction* c, int num_ranked,
                                  const struct hd_ranked_tiling* ranked) {
  hd_text_add(text,
              "       time        FMA      issue     shared     memory  threads  registers  shared KiB    waves\n");
  for (int i = 0; i < num_ranked; i++) {
    const struct hd_tiling_cost* cost = &ranked[i].cost;
    hd_text_add(text, "%2d %8.1f   %8.1f   %8.1f   %8.1f   %8.1f  %4" PRId64 "x%-2" PRId64 "  %9" PRId64, i + 1,
                1e6 * cost->seconds, 1e6 * cost->fma_seconds, 1e6 * cost->issue_seconds, 1e6 * cost->shared_seconds,
                1e6 * cost->memory_seconds, cost->threads, cost->blocks_per_multiprocessor, cost->registers);
    hd_text_add(text, "  %10.1f  %7.2f\n   ", (double)cost->shared_bytes / 1024, hd_tiling_waves(device, cost));
    hd_tiling_add(text, c, &ranked[i].tiling);
    hd_text_add(text, "\n   ");
    if (i == 0) {
      hd_text_add(text, "chosen; limited by %s, %.0f %% of the time for the multiplications alone",
                  hd_tiling_limit(cost), 100 * cost->seconds / cost->fma_seconds);
    } else {
      hd_text_add(text, "%.1f %% slower: %s", 100 * (cost->seconds / ranked[0].cost.seconds - 1),
                  hd_tiling_reason(device, &ranked[0].cost, cost));
    }
    hd_text_add(text, "\n");
  }
}
