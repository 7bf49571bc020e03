// The search for a better choice than the model's, by measuring: from the model's best few, values are changed step by
// step, as the family proposes, and the steps go on from whatever was fastest so far. Who measures asks for the next
// candidate and tells its time.
#ifndef HD_NEIGHBOURHOOD_H
#define HD_NEIGHBOURHOOD_H

#include "runtime/families/family.h"

struct hd_candidate {
  struct hd_choice choice;
  double measured;  // seconds; 0: not yet; infinite: it could not be run
  int generation;   // how many times the search had gone on from a new best when this was proposed
};

struct hd_neighbourhood {
  const struct hd_family* family;
  const struct hd_device_model* device;
  const void* shape;
  int num_values;
  struct hd_candidate* candidates;  // the model's choice first
  int num_candidates, max_candidates;
  int most;  // to be measured
  int num_measured;
  int generation;
  int best;  // -1: none yet
};

// Device and shape must live on. False if no choice fits, or memory has run out.
HD_API bool hd_neighbourhood_init(struct hd_neighbourhood* n, const struct hd_family* family,
                                  const struct hd_device_model* device, const void* shape, int most);
HD_API void hd_neighbourhood_free(struct hd_neighbourhood* n);

// For the family: a candidate with these values, if they can be used and are new. Derived ones need not be given.
HD_API void hd_neighbourhood_propose(struct hd_neighbourhood* n, const int64_t* values);

// The number of the next candidate to measure; -1 if the search has ended.
HD_API int hd_neighbourhood_next(const struct hd_neighbourhood* n);
// Negative: it could not be run.
HD_API void hd_neighbourhood_tell(struct hd_neighbourhood* n, int candidate, double seconds);

// How many candidates will have been measured if no better one is found.
HD_API int hd_neighbourhood_total(const struct hd_neighbourhood* n);

#endif
