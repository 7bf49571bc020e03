// Kernels as text in the common subset of C11 and CUDA C++: only words of runtime/device/prelude.h and scalar.h.
//
// Parameters, in this order: the failure record, how the kernel runs beside others if it may, the scalars, the buffers, the divisors.
// Those of type unit are left out.
#pragma once

#include <string>
#include <vector>

#include "ir/nest/nest.h"

namespace heddle::codegen {

struct KernelTextOptions {
  bool check_earlier_failure = false;  // do nothing if an earlier kernel has failed
  bool beside_others = false;          // let each launch say whether it runs while others do (HD_BESIDE_OTHERS)
  bool on_processor = false;  // who waits for another block leaves the core to it, and who is alone updates plainly
};

std::string kernel_text(const nest::Kernel& kernel, const KernelTextOptions& options = {});

// `static void NAME_cpu(const struct hd_cpu_launch *launch, void **args)`: the form of a kernel that runs on the CPU.
std::string cpu_trampoline(const nest::Kernel& kernel);

// What the number of a block or thread is divided by to get at the indices of parallel loops, over the kernel's scalar
// parameters. The host passes each as a `struct hd_divisor`, made with hd_divisor_of.
std::vector<nest::Expr> divisors(const nest::Kernel& kernel);
// The same for what else i64 numbers are divided by: as `struct hd_long_divisor`, made with
// hd_long_divisor_of, behind the others.
std::vector<nest::Expr> long_divisors(const nest::Kernel& kernel);

}  // namespace heddle::codegen
