// What a test needs of the machine it runs on, besides a GPU.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

// Skips the test where `condition` does not hold, and fails it where HEDDLE_TESTS_NEED_ALL is set: CI, where a test
// that is skipped for anything but a missing GPU would be a test nobody runs. `what` says what is missing.
// tests/need.sh is the same for scripts.
#define HEDDLE_NEED(condition, what)                                     \
  do {                                                                   \
    if (condition) break;                                                \
    if (std::getenv("HEDDLE_TESTS_NEED_ALL") != nullptr) FAIL() << what; \
    GTEST_SKIP() << what;                                                \
  } while (false)
