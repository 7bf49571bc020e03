// The smallest family of kernels beside contractions: rows become columns, tile by tile through shared memory.
#pragma once

#define HD_API
extern "C" {
#include "runtime/families/family.h"
#include "runtime/families/neighbourhood.h"
}

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <vector>

namespace heddle::runtime {

struct Transposition {
  int64_t rows, columns;
};

// How often the model was asked to choose.
inline int times_chosen = 0;

namespace transposition {

inline const Transposition& of(const void* shape) { return *static_cast<const Transposition*>(shape); }

inline bool suits(const void* shape) {
  auto [rows, columns] = of(shape);
  return rows > 0 && columns > 0 && rows <= HD_MOST_NARROW && columns <= HD_MOST_NARROW;
}

inline void add_key(const void* shape, hd_text* key) {
  const int64_t numbers[] = {of(shape).rows, of(shape).columns};
  hd_key_add(key, 2, numbers);
}

inline void name_shape(const void* shape, hd_shape_name* name) {
  *name = {1, {2}, {of(shape).rows, of(shape).columns}};
}

// What is best does not depend on how many rows there are.
inline double distance(const hd_shape_name* name, const void* shape) {
  double octaves = std::abs(std::log2(static_cast<double>(name->extents[1]) / static_cast<double>(of(shape).columns)));
  return octaves <= 1 ? octaves : INFINITY;
}

inline int list_named(const hd_shape_name* name, hd_value* list) {
  if (name->num_groups != 1 || name->lengths[0] != 2) return 0;
  list[0] = {"tile", 0, HD_VALUE_SET};
  list[1] = {"tile", 1, HD_VALUE_SET};
  list[2] = {"threads", -1, HD_VALUE_DERIVED};
  return 3;
}

inline int list(const void* shape, hd_value* list) {
  hd_shape_name name;
  name_shape(shape, &name);
  return list_named(&name, list);
}

inline char* settle(const hd_device_model* device, const void* shape, hd_choice* choice) {
  int64_t bytes = 4;
  double waste = 1;
  for (int i = 0; i < 2; ++i) {
    int64_t tile = choice->values[i];
    if (tile < 1 || tile > 256) return hd_message("tile_%d is %" PRId64 ", which is not between 1 and 256", i, tile);
    bytes *= tile;
    waste += 8 / static_cast<double>(tile);
  }
  if (bytes > device->shared_bytes_of_block) {
    return hd_message("it needs %" PRId64 " bytes of shared memory per block, but the device has %" PRId64, bytes,
                      device->shared_bytes_of_block);
  }
  choice->values[2] = std::min<int64_t>(bytes / 4, 1024);
  double moved = 8 * static_cast<double>(of(shape).rows) * static_cast<double>(of(shape).columns);
  choice->seconds = moved / device->bytes_per_second * waste;
  std::snprintf(choice->limit, sizeof choice->limit, "device memory");
  return nullptr;
}

inline int choose(const hd_device_model* device, const void* shape, int most, hd_choice* list) {
  ++times_chosen;
  std::vector<hd_choice> all;
  for (int64_t y = 8; y <= 256; y *= 2) {
    for (int64_t x = 8; x <= 256; x *= 2) {
      hd_choice choice{};
      choice.values[0] = y;
      choice.values[1] = x;
      char* problem = settle(device, shape, &choice);
      if (problem == nullptr) all.push_back(choice);
      std::free(problem);
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
  all.resize(std::min(all.size(), static_cast<size_t>(most)));
  std::copy(all.begin(), all.end(), list);
  return static_cast<int>(all.size());
}

inline double least_seconds(const hd_device_model* device, const void* shape) {
  return 8 * static_cast<double>(of(shape).rows) * static_cast<double>(of(shape).columns) / device->bytes_per_second;
}

inline void propose(hd_neighbourhood* neighbourhood, const int64_t* centre) {
  for (int i = 0; i < 2; ++i) {
    for (int64_t tile : {centre[i] / 2, 2 * centre[i]}) {
      int64_t values[] = {centre[0], centre[1], 0};
      values[i] = tile;
      hd_neighbourhood_propose(neighbourhood, values);
    }
  }
}

inline double explain(const hd_device_model* device, const void* shape, int most, hd_text* text) {
  std::vector<hd_choice> best(static_cast<size_t>(most));
  int n = choose(device, shape, most, best.data());
  for (int i = 0; i < n; ++i) {
    const hd_choice& choice = best[static_cast<size_t>(i)];
    hd_text_add(text, "%d %.1f %" PRId64 "x%" PRId64 "\n", i + 1, 1e6 * choice.seconds, choice.values[0],
                choice.values[1]);
  }
  return n > 0 ? best[0].seconds : -1;
}

}  // namespace transposition

inline hd_family transposition_with_revision(const char* revision) {
  using namespace transposition;
  return {"transposition", revision, suits,         add_key, name_shape, distance, list,
          list_named,      choose,   least_seconds, settle,  propose,    explain};
}

inline const hd_family* transposition_family() {
  static const hd_family family = transposition_with_revision("1");
  return &family;
}

}  // namespace heddle::runtime
