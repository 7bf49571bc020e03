// Random choices that are the same on every machine for the same seed.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace heddle::campaign {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  int64_t below(int64_t n) { return static_cast<int64_t>(engine_() % static_cast<uint64_t>(n)); }
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool percent(int64_t share) { return below(100) < share; }

  template <class T>
  const T& pick(const std::vector<T>& list) {
    return list[static_cast<size_t>(below(static_cast<int64_t>(list.size())))];
  }

  template <class T>
  T& pick_mutable(std::vector<T>& list) {
    return list[static_cast<size_t>(below(static_cast<int64_t>(list.size())))];
  }

  template <class T>
  void shuffle(std::vector<T>& list) {
    for (size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[static_cast<size_t>(below(static_cast<int64_t>(i)))]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace heddle::campaign
