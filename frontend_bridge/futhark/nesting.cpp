#include "frontend_bridge/futhark/nesting.h"

#include <pthread.h>

#include <algorithm>

namespace heddle::futhark {

int most_levels() {
  pthread_attr_t attributes;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
  }
  return static_cast<int>(std::clamp<size_t>(size / kStackPerLevel, 64, kMostLevels));
}

}  // namespace heddle::futhark
