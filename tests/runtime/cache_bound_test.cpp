#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

extern "C" {
#define HD_API
#include "runtime/core/binary_cache.h"
#include "runtime/core/cache_bound.h"
}

namespace heddle::runtime {
namespace {

namespace fs = std::filesystem;

class CacheBoundTest : public testing::Test {
 protected:
  CacheBoundTest() {
    fs::remove_all(folder);
    fs::create_directories(folder);
    setenv("HEDDLE_CACHE", folder.c_str(), 1);
  }
  ~CacheBoundTest() override {
    unsetenv("HEDDLE_CACHE");
    unsetenv("HEDDLE_CACHE_MIB");
    fs::remove_all(folder);
  }

  static hd_cache_key key(int number) {
    hd_cache_key k = hd_cache_key_start();
    hd_cache_key_add(&k, reinterpret_cast<const char*>(&number), sizeof number);
    return k;
  }
  std::string path(int number) const {
    hd_cache_key k = key(number);
    char* chars = hd_cache_path(&k);
    std::string result = chars;
    std::free(chars);
    return result;
  }
  static void keep(int number, size_t bytes) {
    hd_cache_key k = key(number);
    std::string content(bytes, static_cast<char>('a' + number % 26));
    EXPECT_EQ(hd_cache_keep(&k, content.data(), content.size()), 0);
  }
  // Whether the entry is there, as it was kept.
  bool kept(int number, size_t bytes) const {
    hd_cache_key k = key(number);
    size_t length = 0;
    char* content = hd_cache_load(path(number).c_str(), &k, &length);
    bool same =
        content != nullptr && std::string(content, length) == std::string(bytes, static_cast<char>('a' + number % 26));
    std::free(content);
    return same;
  }
  void used(const std::string& file, int seconds_ago) const {
    const timespec time = {::time(nullptr) - seconds_ago, 0};
    const timespec times[] = {time, time};
    ASSERT_EQ(utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
  }

  std::string folder = testing::TempDir() + "heddle_cache_bound";
};

TEST_F(CacheBoundTest, TheLimitIsConfigurable) {
  EXPECT_EQ(hd_cache_limit(), int64_t{256} << 20);
  setenv("HEDDLE_CACHE_MIB", "3", 1);
  EXPECT_EQ(hd_cache_limit(), 3 << 20);
  for (const char* wrong : {"", "x", "3x", "-1", "99999999999999999999"}) {
    setenv("HEDDLE_CACHE_MIB", wrong, 1);
    EXPECT_EQ(hd_cache_limit(), int64_t{256} << 20) << wrong;
  }
}

TEST_F(CacheBoundTest, WhatWasNotUsedForLongestGoesFirst) {
  for (int i = 0; i < 4; ++i) {
    keep(i, 5000);
    used(path(i), 100 - 10 * i);
  }
  EXPECT_TRUE(kept(0, 5000));  // and so it was used just now
  hd_cache_bound(folder.c_str(), 4 * 8192);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(fs::exists(path(i))) << i;
  hd_cache_bound(folder.c_str(), 2 * 8192);
  EXPECT_TRUE(fs::exists(path(0)));
  EXPECT_FALSE(fs::exists(path(1)));
  EXPECT_FALSE(fs::exists(path(2)));
  EXPECT_TRUE(fs::exists(path(3)));
}

TEST_F(CacheBoundTest, KeepingBoundsTheFolder) {
  setenv("HEDDLE_CACHE_MIB", "1", 1);
  for (int i = 0; i < 10; ++i) {
    keep(i, 300'000);
    used(path(i), 100 - 10 * i);
    uintmax_t total = 0;
    for (const auto& entry : fs::directory_iterator(folder)) total += entry.file_size();
    EXPECT_LE(total, 1u << 20);
    EXPECT_TRUE(kept(i, 300'000));
  }
}

TEST_F(CacheBoundTest, OtherFilesAreLeftAlone) {
  std::vector<std::string> others = {"thesis.tex", "0123456789abcdef0123456789abcdef.cubin.old",
                                     "0123456789abcdef0123456789abcdef.txt", "short.cubin"};
  for (const std::string& name : others) {
    std::ofstream(folder + "/" + name) << std::string(100'000, 'x');
    used(folder + "/" + name, 100'000);
  }
  fs::create_directory(folder + "/0123456789abcdef0123456789abcdee.cubin");
  keep(1, 10);
  hd_cache_bound(folder.c_str(), 0);
  EXPECT_FALSE(fs::exists(path(1)));
  for (const std::string& name : others) EXPECT_TRUE(fs::exists(folder + "/" + name)) << name;
}

TEST_F(CacheBoundTest, UnfinishedEntriesAreNotUsedAndGoInTheEnd) {
  std::string unfinished = path(1) + ".aB3xyz", fresh = path(2) + ".aB3xyz";
  for (const std::string& file : {unfinished, fresh}) std::ofstream(file) << "half of it";
  used(unfinished, 7200);
  keep(3, 10);
  EXPECT_FALSE(kept(1, 10));
  EXPECT_FALSE(fs::exists(unfinished)) << "its program must have been ended";
  EXPECT_TRUE(fs::exists(fresh)) << "its program may still be writing";
  // A file that was cut off under its final name, say by a full disk, is not taken for an entry either.
  fs::resize_file(path(3), fs::file_size(path(3)) - 1);
  EXPECT_FALSE(kept(3, 10));
  keep(3, 10);
  EXPECT_TRUE(kept(3, 10));
}

TEST_F(CacheBoundTest, SeveralProgramsAtOnceKeepAndDelete) {
  setenv("HEDDLE_CACHE_MIB", "1", 1);
  std::vector<pid_t> programs;
  for (int p = 0; p < 4; ++p) {
    pid_t pid = fork();
    if (pid == 0) {
      bool fine = true;
      for (int i = 0; i < 60; ++i) {
        // All of them want the same entries; one that is there is whole.
        int number = (i * (p + 1)) % 20;
        hd_cache_key k = key(number);
        size_t length = 0, bytes = 100'000;
        char* content = hd_cache_load(path(number).c_str(), &k, &length);
        fine = fine && (content == nullptr || (length == bytes && content[bytes - 1] == 'a' + number));
        std::free(content);
        std::string made(bytes, static_cast<char>('a' + number));
        fine = fine && hd_cache_keep(&k, made.data(), made.size()) == 0;
      }
      _exit(fine ? 0 : 1);
    }
    programs.push_back(pid);
  }
  for (pid_t pid : programs) {
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
  }
  hd_cache_bound(folder.c_str(), hd_cache_limit());
  uintmax_t total = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    EXPECT_EQ(entry.path().extension(), ".cubin") << "left behind";
    total += entry.file_size();
  }
  EXPECT_LE(total, 1u << 20);
  EXPECT_GT(total, 0u);
}

}  // namespace
}  // namespace heddle::runtime
