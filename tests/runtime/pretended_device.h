// A program whose kernels are compiled while it runs, on a device that compiles anything and takes as long as a test says.
#pragma once

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "convolution_shape.h"

extern "C" {
#include "runtime/core/backend.h"
#include "runtime/families/tile_params.h"
#include "runtime/families/variants.h"
}

namespace heddle::runtime {

// What "#define NAME (VALUE)" says in a kernel's text.
using Defines = std::map<std::string, int64_t>;

class PretendedDevice {
 public:
  explicit PretendedDevice(std::vector<hd_specialized_kernel> kernels) : specialized_(std::move(kernels)) {
    setenv("HEDDLE_CACHE", "", 1);  // none
    for (hd_specialized_kernel& k : specialized_) k.text = &nothing_;
    program_.backend_ops = ops;
    program_.num_kernels = 1;
    program_.kernels = &generic_;
    program_.num_specialized = static_cast<int>(specialized_.size());
    program_.specialized = specialized_.data();
    program_.device_text = &nothing_;
    config_ = hd_config_new(&program_);
    config_->specialize_after = 0;
    context_.program = &program_;
    context_.config = config_;
    context_.backend = ops();
    context_.device = this;
    context_.failure_report = &no_failure_;
    context_.limits.max_block_size = context_.limits.max_grid_size = 1024;
  }
  PretendedDevice(const PretendedDevice&) = delete;
  ~PretendedDevice() {
    hd_variants_free(&context_);
    hd_config_free(config_);
    unsetenv("HEDDLE_CACHE");
  }

  hd_context* context() { return &context_; }
  hd_config* config() { return config_; }
  hd_specialized_kernel& kernel(size_t i) { return specialized_[i]; }

  std::vector<Defines> compiled;  // each time a kernel was
  std::function<double(const Defines&)> microseconds = [](const Defines&) { return 1; };

 private:
  static const hd_backend_ops* ops() {
    static const hd_backend_ops ops = [] {
      hd_backend_ops o{};
      o.load = load, o.unload = unload, o.model = model, o.launch = launch, o.finish = finish, o.mark = mark;
      o.elapsed = elapsed, o.set_tile_param = hd_config_set_tile_param;
      return o;
    }();
    return &ops;
  }
  static PretendedDevice* device(hd_context* ctx) { return static_cast<PretendedDevice*>(ctx->device); }
  static void* load(hd_context* ctx, int, const char* const* texts, const char*, int* loaded) {
    auto* defines = new Defines;
    char name[64];
    int64_t value = 0;
    int length = 0;
    for (const char* at = texts[0]; std::sscanf(at, "#define %63s (%" SCNd64 ")%n", name, &value, &length) == 2;) {
      (*defines)[name] = value;
      at += length + 1;
    }
    device(ctx)->compiled.push_back(*defines);
    *loaded = 0;
    return defines;
  }
  static void unload(hd_context*, void* code) { delete static_cast<Defines*>(code); }
  static void model(hd_context*, hd_device_model* model) { *model = kH100; }
  static int launch(hd_context* ctx, const hd_launch* launch) {
    device(ctx)->now_ += device(ctx)->microseconds(*static_cast<const Defines*>(launch->code));
    return HD_SUCCESS;
  }
  static int finish(hd_context*, const hd_read*, int) { return HD_SUCCESS; }
  static int mark(hd_context* ctx, hd_instant* instant) {
    instant->nanoseconds = static_cast<int64_t>(1000 * device(ctx)->now_);
    return HD_SUCCESS;
  }
  static int elapsed(hd_context*, hd_instant* begin, hd_instant* end, double* microseconds) {
    *microseconds = 1e-3 * static_cast<double>(end->nanoseconds - begin->nanoseconds);
    return HD_SUCCESS;
  }

  const char* nothing_ = nullptr;
  std::vector<hd_specialized_kernel> specialized_;
  hd_kernel generic_ = {"generic", false, nullptr, nullptr, 0, false, false, false};
  hd_program program_{};
  hd_config* config_ = nullptr;
  hd_context context_{};
  hd_failure_report no_failure_ = {-1, {}};
  double now_ = 0;  // microseconds
};

}  // namespace heddle::runtime
