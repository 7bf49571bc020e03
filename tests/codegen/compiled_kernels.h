// Kernel text compiled by the host's C compiler and run on the same arguments that the evaluator takes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/nest/eval.h"

namespace heddle::codegen {

// A value as it lies in memory, and back.
void append_bytes(std::vector<char>& bytes, const prim::Value& value);
prim::Value value_of_bytes(prim::Type type, const char* bytes);

struct RunResult {
  int64_t failure = -1;  // none
  std::vector<int64_t> failure_args;
};

// Text for kernels that compute senseless things cannot be free of warnings.
enum class Warnings { Errors, Ignored };

class CompiledKernels {
 public:
  // Throws std::runtime_error with the compiler's messages if it refuses.
  explicit CompiledKernels(std::vector<nest::Kernel> kernels, Warnings warnings = Warnings::Errors);
  ~CompiledKernels();
  CompiledKernels(const CompiledKernels&) = delete;

  // Overwrites the data of `buffers`.
  RunResult run(size_t kernel, const std::vector<prim::Value>& scalars, std::vector<nest::Memory>& buffers) const;

 private:
  std::vector<nest::Kernel> kernels_;
  std::string folder_;
  void* library_ = nullptr;
};

// Runs both the evaluator and the compiled kernel, and expects of them the same failure, the same elements where the
// evaluator has written, and no others to have changed. The evaluator must find no problem.
void expect_agreement(const CompiledKernels& compiled, size_t number, const nest::Kernel& kernel,
                      const std::vector<prim::Value>& scalars, const std::vector<nest::Memory>& buffers);

}  // namespace heddle::codegen
