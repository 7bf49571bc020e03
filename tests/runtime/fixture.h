// A program, its configuration and a context, on either backend.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "embedded_runtime_builtins.h"
#include "embedded_runtime_device.h"
#include "embedded_test_kernels.h"

#define HD_API
extern "C" {
#include "runtime/backends/backend_cpu.h"
#include "runtime/backends/backend_cuda.h"
#include "runtime/backends/cuda_api.h"
#include "runtime/core/context.h"
#include "runtime_under_test.h"
}

namespace heddle::runtime {

inline const std::vector<hd_failure>& failures() {
  static const std::vector<hd_failure> all = {
      {"Element %lld is %f (even: %d), 100%% bad", "ifb", "-> #0  test.fut:1:2-3\n"},
      {"Gave up", "", nullptr},
  };
  return all;
}

inline const std::vector<hd_tuning_param>& params() {
  static const std::vector<hd_tuning_param> all = {
      {"main.suff_outer_par_0", HD_TUNE_THRESHOLD, "threshold(def, )", 0},
      {"main.suff_outer_par_1", HD_TUNE_THRESHOLD, "threshold(77, !main.suff_outer_par_0)", 77},
      {"main.block_size_2", HD_TUNE_THREAD_BLOCK_SIZE, "thread_block_size", 0},
      {"main.grid_size_3", HD_TUNE_GRID_SIZE, "grid_size", 0},
      {"main.seghist_4.seghist_num_groups", HD_TUNE_GRID_SIZE, "grid_size", 0},
      {"main.tile_5", HD_TUNE_TILE_SIZE, "tile_size", 0},
      {"mine", HD_TUNE_BESPOKE, "bespoke", 12},
  };
  return all;
}

inline std::string kernel_text() {
  using namespace heddle::embedded;
  return std::string(runtime_device) + std::string(runtime_builtins) + std::string(test_kernels);
}

class Runtime {
 public:
  explicit Runtime(hd_backend backend) : text_(kernel_text()) {
    pieces_[0] = text_.c_str();
    program_.backend = backend;
    program_.backend_ops = backend == HD_BACKEND_CUDA ? hd_backend_cuda : hd_backend_cpu;
    program_.name = "test";
    program_.num_params = static_cast<int>(params().size());
    program_.params = params().data();
    program_.num_failures = static_cast<int>(failures().size());
    program_.failures = failures().data();
    program_.num_kernels = NUM_TEST_KERNELS;
    program_.kernels = test_kernels;
    program_.kernel_text = backend == HD_BACKEND_CUDA ? pieces_ : nullptr;
    config_ = hd_config_new(&program_);
  }
  Runtime(const Runtime&) = delete;
  ~Runtime() {
    free_context();
    hd_config_free(config_);
  }
  void free_context() {
    hd_context_free(context_);
    context_ = nullptr;
  }

  hd_config* config() { return config_; }

  // Made on first use, so that a test can configure it.
  hd_context* context() {
    if (context_ == nullptr) context_ = hd_context_new(config_);
    return context_;
  }

  std::string error() {
    char* error = hd_context_take_error(context());
    std::string text = error != nullptr ? error : "";
    std::free(error);
    return text;
  }

 private:
  std::string text_;
  const char* pieces_[2] = {nullptr, nullptr};
  hd_program program_ = {};
  hd_config* config_ = nullptr;
  hd_context* context_ = nullptr;
};

inline bool have_cuda() {
  static const bool found = [] {
    hd_cuda_api api;
    char* problem = hd_cuda_api_open(&api);
    bool usable = problem == nullptr && api.cuInit(0) == HD_CUDA_SUCCESS;
    std::free(problem);
    return usable;
  }();
  return found;
}

// Tests that run on both backends; the GPU's are skipped where there is none.
class OnBothBackends : public testing::TestWithParam<hd_backend> {
 protected:
  void SetUp() override {
    if (GetParam() == HD_BACKEND_CUDA && !have_cuda()) GTEST_SKIP() << "there is no CUDA device";
    runtime = std::make_unique<Runtime>(GetParam());
  }
  hd_context* ctx() { return runtime->context(); }

  std::unique_ptr<Runtime> runtime;
};

#define HEDDLE_ON_BOTH_BACKENDS(suite)                                  \
  INSTANTIATE_TEST_SUITE_P(                                             \
      Backend, suite, testing::Values(HD_BACKEND_CPU, HD_BACKEND_CUDA), \
      [](const testing::TestParamInfo<hd_backend>& info) { return info.param == HD_BACKEND_CPU ? "Cpu" : "Cuda"; })

// A dense array that holds `values`.
template <typename T>
hd_array upload(hd_context* ctx, hd_elem elem, const std::vector<int64_t>& shape, const std::vector<T>& values) {
  hd_array array;
  EXPECT_EQ(hd_array_alloc(ctx, &array, elem, static_cast<int>(shape.size()), shape.data()), HD_SUCCESS);
  EXPECT_EQ(hd_array_num_elems(&array), static_cast<int64_t>(values.size()));
  EXPECT_EQ(hd_array_upload(ctx, &array, values.data()), HD_SUCCESS);
  return array;
}

// The elements of any window, in row-major order.
template <typename T>
std::vector<T> download(hd_context* ctx, const hd_array& window) {
  hd_array dense;
  EXPECT_EQ(hd_array_dense(ctx, &dense, &window), HD_SUCCESS);
  EXPECT_EQ(static_cast<int64_t>(sizeof(T)), hd_elem_size(window.elem));
  std::vector<T> values(static_cast<size_t>(hd_array_num_elems(&dense)));
  EXPECT_EQ(hd_array_download(ctx, &dense, values.data()), HD_SUCCESS);
  hd_array_release(ctx, &dense);
  return values;
}

inline int launch(hd_context* ctx, test_kernel kernel, int64_t num_blocks, int block_size, int64_t shared_bytes,
                  std::vector<void*> args) {
  args.insert(args.begin(), hd_failure_address(ctx));
  hd_launch launch = {};
  launch.kernel = kernel;
  launch.num_blocks = num_blocks;
  launch.block_size = block_size;
  launch.shared_bytes = shared_bytes;
  launch.args = args.data();
  return hd_launch_kernel(ctx, &launch);
}

}  // namespace heddle::runtime
