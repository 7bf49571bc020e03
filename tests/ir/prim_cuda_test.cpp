// NVRTC accepts the C text, and where there is a device it computes there what evaluation does.
#include <gtest/gtest.h>

#include "../need.h"
#include "embedded_prim_device.h"
#include "tests/dynamic_library.h"
#include "tests/ir/prim_table.h"

namespace heddle::prim {
namespace {

using samples::Callable;
using Library = testing_support::DynamicLibrary;

const Library& nvrtc() {
  static const Library library({HEDDLE_NVRTC, "libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"});
  return library;
}

std::string device_text() {
  std::string text = R"(
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#define HD_DEVICE static __device__ inline
)";
  text += embedded::prim_device;
  text += samples::table_text();
  text += R"(
extern "C" __global__ void prim_kernel(const int *numbers, const union prim_slot *operands, union prim_slot *results, int n) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) prim_call(numbers[i], operands + 3 * i, results + i);
}
extern "C" __global__ void prim_others(int number, const union prim_slot *operands, union prim_slot *results) {
  prim_infix(number, operands, results);
  prim_literal(number, operands, results + 1);
}
extern "C" __global__ void prim_shifts(int x, int y, union prim_slot *results) {
  results[0].bits = (uint64_t)hd_shl32_by_any(x, y);
  results[1].bits = (uint64_t)hd_lshr32_by_any(x, y);
}
)";
  return text;
}

std::string compile(const std::string& text, const char* architecture) {
  void* program = nullptr;
  nvrtc().must("nvrtcCreateProgram", &program, text.c_str(), "prim.cu", 0, nullptr, nullptr);
  const char* options[] = {architecture};
  int error = nvrtc().call("nvrtcCompileProgram", program, 1, options);
  size_t log_size = 0;
  nvrtc().must("nvrtcGetProgramLogSize", program, &log_size);
  std::string log(log_size, '\0');
  nvrtc().must("nvrtcGetProgramLog", program, log.data());
  EXPECT_EQ(error, 0) << log;
  EXPECT_EQ(log.find("warning"), std::string::npos) << log;
  size_t size = 0;
  std::string cubin;
  if (error == 0) {
    nvrtc().must("nvrtcGetCUBINSize", program, &size);
    cubin.resize(size);
    nvrtc().must("nvrtcGetCUBIN", program, cubin.data());
  }
  nvrtc().must("nvrtcDestroyProgram", &program);
  return cubin;
}

TEST(PrimCuda, NvrtcCompilesEveryFunction) {
  HEDDLE_NEED(nvrtc(), "NVRTC is not installed");
  EXPECT_FALSE(compile(device_text(), "--gpu-architecture=sm_90").empty());
}

struct Case {
  const Callable* callable;
  int number;
  std::vector<Value> operands;
  Value expected;
};

std::vector<Case> all_cases(const std::vector<Callable>& callables) {
  std::vector<Case> cases;
  for (size_t i = 0; i < callables.size(); ++i) {
    for (const std::vector<Value>& operands : samples::operand_samples(callables[i].args)) {
      if (samples::breaks_promise(callables[i], operands)) continue;
      std::optional<Value> expected = callables[i].eval(operands);
      if (expected) cases.push_back({&callables[i], static_cast<int>(i), operands, *expected});
    }
  }
  return cases;
}

// The functions that the device's mathematics library, or fused multiply-add, computes differently in the last places.
bool is_approximate(const Callable& callable) {
  if (callable.op) return callable.op->family == Family::FPow;
  switch (callable.function->builtin) {
    case Builtin::Sqrt:
    case Builtin::Round:
    case Builtin::Ceil:
    case Builtin::Floor:
    case Builtin::Nextafter:
    case Builtin::Copysign:
    case Builtin::Ldexp:
    case Builtin::Fma:
    case Builtin::ToBits:
    case Builtin::FromBits:
      return false;
    default:
      return is_float(callable.result);
  }
}

double relative_tolerance(Type type) {
  switch (type) {
    case Type::F16:
      return 0x1p-9;
    case Type::F32:
      return 0x1p-18;
    default:
      return 0x1p-46;
  }
}

bool is_nan_bits(const Case& c) {
  return c.callable->function != nullptr && c.callable->function->builtin == Builtin::ToBits &&
         std::isnan(c.operands[0].f);
}

bool agree(const Case& c, const Value& actual) {
  if (actual == c.expected || is_nan_bits(c)) return true;
  if (!is_float(actual.type)) return false;
  if (actual.f == 0 && c.expected.f == 0)
    return is_approximate(*c.callable) || samples::ignores_sign_of_zero(*c.callable);
  if (!is_approximate(*c.callable) || !std::isfinite(actual.f) || !std::isfinite(c.expected.f)) return false;
  double scale = std::fabs(c.expected.f);
  for (const Value& operand : c.operands) {
    // Sums of products may cancel.
    if (c.operands.size() == 3 && std::isfinite(operand.f)) scale = std::max(scale, operand.f * operand.f);
  }
  // So do the logarithms in lgamma, beside its zeros.
  if (c.callable->name.starts_with("lgamma")) scale = std::max(scale, 1.0);
  double least = float_from_bits(actual.type, 1).f;
  return std::fabs(actual.f - c.expected.f) <= relative_tolerance(actual.type) * scale + 4 * least;
}

TEST(PrimCuda, DeviceComputesWhatEvaluationDoes) {
  Library driver({"libcuda.so.1"});
  int count = 0;
  if (!driver || driver.call("cuInit", 0u) != 0 || driver.call("cuDeviceGetCount", &count) != 0 || count == 0) {
    GTEST_SKIP() << "there is no CUDA device";
  }
  HEDDLE_NEED(nvrtc(), "NVRTC is not installed");
  int device = 0, major = 0, minor = 0;
  driver.must("cuDeviceGet", &device, 0);
  constexpr int kMajor = 75, kMinor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR
  driver.must("cuDeviceGetAttribute", &major, kMajor, device);
  driver.must("cuDeviceGetAttribute", &minor, kMinor, device);
  void *context = nullptr, *module = nullptr, *kernel = nullptr;
  driver.must("cuDevicePrimaryCtxRetain", &context, device);
  driver.must("cuCtxSetCurrent", context);
  std::string architecture = "--gpu-architecture=sm_" + std::to_string(10 * major + minor);
  std::string cubin = compile(device_text(), architecture.c_str());
  driver.must("cuModuleLoadData", &module, static_cast<const void*>(cubin.data()));
  driver.must("cuModuleGetFunction", &kernel, module, "prim_kernel");

  std::vector<Callable> callables = samples::all_callables();
  std::vector<Case> cases = all_cases(callables);
  size_t n = cases.size();
  std::vector<int> numbers;
  std::vector<uint64_t> operands(3 * n), results(n);
  for (size_t i = 0; i < n; ++i) {
    numbers.push_back(cases[i].number);
    for (size_t k = 0; k < cases[i].operands.size(); ++k) operands[3 * i + k] = samples::to_slot(cases[i].operands[k]);
  }
  uint64_t device_numbers = 0, device_operands = 0, device_results = 0;
  driver.must("cuMemAlloc_v2", &device_numbers, n * sizeof(int));
  driver.must("cuMemAlloc_v2", &device_operands, 3 * n * sizeof(uint64_t));
  driver.must("cuMemAlloc_v2", &device_results, n * sizeof(uint64_t));
  driver.must("cuMemsetD8_v2", device_results, static_cast<unsigned char>(0), n * sizeof(uint64_t));
  driver.must("cuMemcpyHtoD_v2", device_numbers, static_cast<const void*>(numbers.data()), n * sizeof(int));
  driver.must("cuMemcpyHtoD_v2", device_operands, static_cast<const void*>(operands.data()), 3 * n * sizeof(uint64_t));
  int num_cases = static_cast<int>(n);
  void* args[] = {&device_numbers, &device_operands, &device_results, &num_cases};
  void* none = nullptr;
  driver.must("cuLaunchKernel", kernel, static_cast<unsigned>((n + 127) / 128), 1u, 1u, 128u, 1u, 1u, 0u, none,
              static_cast<void**>(args), none);
  driver.must("cuMemcpyDtoH_v2", static_cast<void*>(results.data()), device_results, n * sizeof(uint64_t));
  for (uint64_t memory : {device_numbers, device_operands, device_results}) driver.must("cuMemFree_v2", memory);
  driver.must("cuModuleUnload", module);
  driver.must("cuDevicePrimaryCtxRelease_v2", device);

  std::vector<int> failures(callables.size());
  for (size_t i = 0; i < n; ++i) {
    Value actual = samples::from_slot(cases[i].callable->result, results[i]);
    if (agree(cases[i], actual) || ++failures[static_cast<size_t>(cases[i].number)] > 5) continue;
    ADD_FAILURE() << samples::describe(*cases[i].callable, cases[i].operands) << " is " << to_text(actual)
                  << " on the device, but " << to_text(cases[i].expected) << " by evaluation";
  }
  RecordProperty("compared", std::to_string(n));
}

}  // namespace
}  // namespace heddle::prim
