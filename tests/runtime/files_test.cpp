// Files as wholes.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <string>

extern "C" {
#define HD_API
#include "runtime/core/text.h"
}

namespace heddle::runtime {
namespace {

// What reading a file fails with.
int reading(const char* path) {
  size_t length = 0;
  char* content = hd_read_file(path, &length);
  int problem = content == nullptr ? errno : 0;
  std::free(content);
  return problem;
}

TEST(Files, WhyReadingFailsIsTold) {
  EXPECT_EQ(reading("/nonexistent/file"), ENOENT);
  EXPECT_EQ(reading("/"), EISDIR);
}

TEST(Files, WhyWritingFailsIsTold) {
  EXPECT_EQ(hd_write_file("/nonexistent/file", "x", 1), ENOENT);
  EXPECT_EQ(hd_write_file("/dev/full", "x", 1), ENOSPC);
  const std::string long_text(1 << 20, 'x');
  EXPECT_EQ(hd_write_file("/dev/full", long_text.data(), long_text.size()), ENOSPC);
  EXPECT_EQ(hd_write_file("/dev/null", long_text.data(), long_text.size()), 0);
}

}  // namespace
}  // namespace heddle::runtime
