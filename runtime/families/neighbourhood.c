#include "runtime/families/neighbourhood.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HD_NUM_STARTS = 6 };
// What the model expects to take so many times as long as the best is not worth compiling.
#define HD_HOPELESS 1.6

HD_API void hd_neighbourhood_propose(struct hd_neighbourhood* n, const int64_t* values) {
  struct hd_choice choice = {0};
  size_t size = (size_t)n->num_values * sizeof *values;
  memcpy(choice.values, values, size);
  char* problem = n->family->settle(n->device, n->shape, &choice);
  bool is_refused = problem != NULL;
  free(problem);
  if (is_refused) return;
  if (n->best >= 0 && choice.seconds > HD_HOPELESS * n->candidates[n->best].choice.seconds) return;
  for (int i = 0; i < n->num_candidates; i++) {
    if (memcmp(n->candidates[i].choice.values, choice.values, size) == 0) return;
  }
  if (n->num_candidates == n->max_candidates) {
    int max = 2 * n->max_candidates + 64;
    struct hd_candidate* grown = realloc(n->candidates, (size_t)max * sizeof *grown);
    if (grown == NULL) return;
    n->candidates = grown;
    n->max_candidates = max;
  }
  n->candidates[n->num_candidates++] = (struct hd_candidate){.choice = choice, .generation = n->generation};
}

HD_API bool hd_neighbourhood_init(struct hd_neighbourhood* n, const struct hd_family* family,
                                  const struct hd_device_model* device, const void* shape, int most) {
  *n = (struct hd_neighbourhood){.family = family, .device = device, .shape = shape, .most = most, .best = -1};
  struct hd_value list[HD_MAX_CHOSEN_VALUES];
  n->num_values = family->list(shape, list);
  struct hd_choice starts[HD_NUM_STARTS];
  int num_starts = family->choose(device, shape, HD_NUM_STARTS, starts);
  for (int i = 0; i < num_starts; i++) hd_neighbourhood_propose(n, starts[i].values);
  return n->num_candidates > 0;
}

HD_API void hd_neighbourhood_free(struct hd_neighbourhood* n) {
  free(n->candidates);
  *n = (struct hd_neighbourhood){.best = -1};
}

HD_API int hd_neighbourhood_next(const struct hd_neighbourhood* n) {
  if (n->num_measured >= n->most) return -1;
  int next = -1;
  for (int i = 0; i < n->num_candidates; i++) {
    const struct hd_candidate* c = &n->candidates[i];
    if (c->measured != 0) continue;
    // Those around the newest best come first, in the model's order.
    const struct hd_candidate* so_far = next >= 0 ? &n->candidates[next] : NULL;
    if (so_far == NULL || c->generation > so_far->generation ||
        (c->generation == so_far->generation && c->choice.seconds < so_far->choice.seconds)) {
      next = i;
    }
  }
  return next;
}

HD_API void hd_neighbourhood_tell(struct hd_neighbourhood* n, int candidate, double seconds) {
  n->candidates[candidate].measured = seconds < 0 ? INFINITY : fmax(seconds, 1e-9);
  n->num_measured++;
  bool better = n->best < 0 || n->candidates[candidate].measured < n->candidates[n->best].measured;
  if (better && seconds >= 0) n->best = candidate;
  // The starts are all measured before the search goes on from the best of them; later a new best is gone on from at
  // once.
  bool starting = n->generation == 0;
  if (starting && hd_neighbourhood_next(n) >= 0) return;
  if (n->best < 0 || !(starting || (better && seconds >= 0))) return;
  n->generation++;
  // A copy, since candidates move when there are more of them.
  struct hd_choice centre = n->candidates[n->best].choice;
  n->family->propose(n, centre.values);
}

HD_API int hd_neighbourhood_total(const struct hd_neighbourhood* n) {
  return n->num_candidates < n->most ? n->num_candidates : n->most;
}
