#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "fixture.h"

extern "C" {
#include "../need.h"
#include "runtime/backends/nvrtc.h"
#include "runtime/core/binary_cache.h"
}

namespace heddle::runtime {
namespace {

TEST(Cuda, AMissingDriverIsOneClearSentence) {
  if (have_cuda()) GTEST_SKIP() << "this machine has a CUDA driver";
  Runtime runtime(HD_BACKEND_CUDA);
  EXPECT_EQ(runtime.error(),
            "No CUDA driver was found (libcuda.so.1 cannot be loaded), so this machine cannot run CUDA programs; "
            "those that heddle cpu makes need none.");
  // Whoever goes on all the same gets errors, not crashes.
  hd_array array;
  const int64_t n = 10;
  EXPECT_EQ(hd_array_alloc(runtime.context(), &array, HD_I32, 1, &n), HD_ERROR_PROGRAM);
  EXPECT_EQ(launch(runtime.context(), GIVE_UP, 1, 1, 0, {}), HD_ERROR_PROGRAM);
  EXPECT_EQ(hd_sync(runtime.context()), HD_ERROR_PROGRAM);
  EXPECT_EQ(hd_context_clear_caches(runtime.context()), HD_ERROR_PROGRAM);
  EXPECT_EQ(hd_context_report(runtime.context()), nullptr);
}

TEST(Cuda, ADeviceThatDoesNotExistIsRefusedWithTheNamesOfThoseThatDo) {
  if (!have_cuda()) GTEST_SKIP() << "there is no CUDA device";
  Runtime runtime(HD_BACKEND_CUDA);
  hd_config_set_device(runtime.config(), "#7 Abacus");
  EXPECT_EQ(runtime.error().substr(0, 74),
            "There is no CUDA device number 7 whose name contains \"Abacus\"; there are: ");
}

class NvrtcTest : public testing::Test {
 protected:
  void SetUp() override {
    char* problem = hd_nvrtc_api_open(&api, 13);
    if (problem != nullptr) {
      std::string words = problem;
      std::free(problem);
      HEDDLE_NEED(false, words);
    }
  }
  void TearDown() override {
    if (api.library != nullptr) hd_nvrtc_api_close(&api);
  }
  // Compiles for a device of `capability`; empty, or the compiler's complaint.
  std::string compile(const std::string& text, int capability, hd_binary* binary, hd_binary* ptx) {
    hd_nvrtc_options options;
    char* problem = hd_nvrtc_choose_options(&api, runtime.config(), capability, &options);
    if (problem == nullptr) problem = hd_nvrtc_compile(&api, text.c_str(), &options, binary, ptx);
    hd_nvrtc_options_free(&options);
    std::string words = problem != nullptr ? problem : "";
    std::free(problem);
    return words;
  }

  hd_nvrtc_api api = {};
  Runtime runtime{HD_BACKEND_CUDA};
};

TEST_F(NvrtcTest, TheKernelTextCompilesToMachineCode) {
  hd_binary binary = {}, ptx = {};
  ASSERT_EQ(compile(kernel_text(), 90, &binary, &ptx), "");
  ASSERT_GT(binary.length, 4u);
  EXPECT_EQ(std::string(binary.bytes, 4), "\177ELF");
  std::string text = ptx.bytes;
  EXPECT_NE(text.find(".target sm_90"), std::string::npos);
  for (const char* name : {"hd_builtin_copy", "hd_builtin_fill", "add_one", "try_atomics"}) {
    EXPECT_NE(text.find(std::string(".entry ") + name + "("), std::string::npos) << name;
  }
  std::free(binary.bytes);
  std::free(ptx.bytes);
}

TEST_F(NvrtcTest, TheKernelTextHasNoWarnings) {
  void* program = nullptr;
  std::string text = kernel_text();
  ASSERT_EQ(api.nvrtcCreateProgram(&program, text.c_str(), "kernels", 0, nullptr, nullptr), 0);
  const char* options[] = {"--gpu-architecture=sm_90", "--std=c++17", "-default-device", "--diag-suppress=177"};
  EXPECT_EQ(api.nvrtcCompileProgram(program, 4, options), 0);
  size_t size = 0;
  ASSERT_EQ(api.nvrtcGetProgramLogSize(program, &size), 0);
  std::string log(size, ' ');
  ASSERT_EQ(api.nvrtcGetProgramLog(program, log.data()), 0);
  EXPECT_STREQ(log.c_str(), "");
  api.nvrtcDestroyProgram(&program);
}

TEST_F(NvrtcTest, ADeviceNewerThanTheCompilerGetsPtx) {
  hd_binary binary = {};
  ASSERT_EQ(compile(kernel_text(), 999, &binary, nullptr), "");
  EXPECT_NE(std::string(binary.bytes).find(".target sm_"), std::string::npos);
  std::free(binary.bytes);
  EXPECT_EQ(compile(kernel_text(), 10, &binary, nullptr),
            "The device's compute capability 1.0 is older than any that the installed NVRTC supports.");
}

TEST_F(NvrtcTest, TheCompilersComplaintIsPassedOn) {
  hd_binary binary = {};
  std::string problem = compile("this is not C", 90, &binary, nullptr);
  EXPECT_EQ(problem.substr(0, 25), "NVRTC compilation failed ");
  EXPECT_NE(problem.find("heddle-kernels(1): error"), std::string::npos) << problem;
  EXPECT_EQ(binary.bytes, nullptr);
}

class CacheTest : public testing::Test {
 protected:
  void SetUp() override {
    folder = testing::TempDir() + "heddle_cache_test/deeper";
    setenv("HEDDLE_CACHE", folder.c_str(), 1);
    key = hd_cache_key_start();
    hd_cache_key_add(&key, "text", 4);
    char* found = hd_cache_path(&key);
    ASSERT_NE(found, nullptr);
    path = found;
    std::free(found);
  }
  void TearDown() override {
    std::filesystem::remove_all(std::filesystem::path(folder).parent_path());
    unsetenv("HEDDLE_CACHE");
  }
  std::string load(const hd_cache_key& wanted) {
    size_t length = 0;
    char* bytes = hd_cache_load(path.c_str(), &wanted, &length);
    std::string content = bytes != nullptr ? std::string(bytes, length) : "(nothing)";
    std::free(bytes);
    return content;
  }

  std::string folder, path;
  hd_cache_key key;
};

TEST_F(CacheTest, EntriesComeBackOnlyForTheirKey) {
  EXPECT_EQ(load(key), "(nothing)");
  EXPECT_EQ(hd_cache_store(path.c_str(), &key, "cu\0bin", 6), 0);
  EXPECT_EQ(load(key), std::string("cu\0bin", 6));
  hd_cache_key other = hd_cache_key_start();
  hd_cache_key_add(&other, "te", 2);
  hd_cache_key_add(&other, "xt", 2);
  EXPECT_EQ(load(other), "(nothing)");
}

TEST_F(CacheTest, DamagedEntriesCountAsMissing) {
  ASSERT_EQ(hd_cache_store(path.c_str(), &key, "content", 7), 0);
  std::string whole;
  std::getline(std::ifstream(path, std::ios::binary), whole, '\xff');
  for (size_t i = 0; i < whole.size(); i++) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    std::ofstream(path, std::ios::binary) << damaged;
    ASSERT_EQ(load(key), "(nothing)") << i;
  }
  for (size_t length : {size_t{0}, size_t{10}, whole.size() - 1}) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, length);
    ASSERT_EQ(load(key), "(nothing)") << length;
  }
}

// Nor is anything waited for, followed or changed.
TEST_F(CacheTest, WhatIsNoFileIsNoEntry) {
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(load(key), "(nothing)");
  std::filesystem::remove(path);
  std::filesystem::create_symlink("/dev/zero", path);
  EXPECT_EQ(load(key), "(nothing)");
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  EXPECT_EQ(load(key), "(nothing)");
  std::filesystem::remove(path);

  const std::string target = folder + "/target";
  std::filesystem::file_time_type before = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  ASSERT_EQ(hd_cache_store(target.c_str(), &key, "content", 7), 0);
  std::filesystem::last_write_time(target, before);
  std::filesystem::create_symlink(target, path);
  EXPECT_EQ(load(key), "(nothing)");
  EXPECT_EQ(std::filesystem::last_write_time(target), before);
  // What lies in its place gives way to an entry.
  ASSERT_EQ(hd_cache_store(path.c_str(), &key, "other", 5), 0);
  EXPECT_EQ(load(key), "other");
  EXPECT_EQ(std::filesystem::last_write_time(target), before);
}

TEST_F(CacheTest, EntriesOfAbsurdSizeAreNotRead) {
  ASSERT_EQ(hd_cache_store(path.c_str(), &key, "content", 7), 0);
  std::filesystem::resize_file(path, uintmax_t{1} << 42);
  EXPECT_EQ(load(key), "(nothing)");
}

TEST_F(CacheTest, OnlyUseMakesAnEntryYounger) {
  ASSERT_EQ(hd_cache_store(path.c_str(), &key, "content", 7), 0);
  std::filesystem::file_time_type before = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::last_write_time(path, before);
  hd_cache_key other = hd_cache_key_start();
  EXPECT_EQ(load(other), "(nothing)");
  EXPECT_EQ(std::filesystem::last_write_time(path), before);
  EXPECT_EQ(load(key), "content");
  EXPECT_GT(std::filesystem::last_write_time(path), before);
}

TEST_F(CacheTest, TheFolderIsForItsUserAlone) {
  EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all);
}

TEST_F(CacheTest, NotBeingAbleToWriteIsAnErrnoAndLeavesNothing) {
  EXPECT_EQ(hd_cache_store((folder + "/no/such/folder/x").c_str(), &key, "x", 1), ENOENT);
  setenv("HEDDLE_CACHE", "", 1);
  EXPECT_EQ(hd_cache_path(&key), nullptr);
}

TEST(Cuda, KernelsAreCompiledOnce) {
  if (!have_cuda()) GTEST_SKIP() << "there is no CUDA device";
  std::string folder = testing::TempDir() + "heddle_cuda_cache_test";
  setenv("HEDDLE_CACHE", folder.c_str(), 1);
  ino_t written = 0;
  for (int round = 0; round < 2; round++) {
    Runtime runtime(HD_BACKEND_CUDA);
    ASSERT_EQ(runtime.error(), "");
    std::filesystem::directory_iterator entry(folder);
    ASSERT_NE(entry, std::filesystem::directory_iterator());
    // A file written anew is another one.
    struct stat file = {};
    ASSERT_EQ(stat(entry->path().c_str(), &file), 0);
    if (round == 0) written = file.st_ino;
    EXPECT_EQ(file.st_ino, written);
  }
  std::filesystem::remove_all(folder);
  unsetenv("HEDDLE_CACHE");
}

}  // namespace
}  // namespace heddle::runtime
