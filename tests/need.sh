# To be sourced by scripts that are tests: see tests/need.h.

# missing WHAT: ends the test as skipped, with the exit code that CTest is told means so, or as failed in CI.
missing() {
  if [ -n "${HEDDLE_TESTS_NEED_ALL:-}" ]; then
    echo "failed: $1"
    exit 1
  fi
  echo "skipped: $1"
  exit 77
}
