#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "ir/nest/printer.h"
#include "ir/nest/reader.h"
#include "tests/codegen/random_nest.h"

namespace heddle::nest {
namespace {

RC_GTEST_PROP(NestReaderProperty, RandomKernelsAreReadFromTheirText, ()) {
  Kernel k = codegen::random_case().kernel;
  std::string text = to_text(k);
  Result<Kernel> again = read_kernel(text);
  if (!again) RC_FAIL(again.error().message + "\n" + text);
  RC_ASSERT(equal_kernels(k, *again));
  RC_ASSERT(to_text(*again) == text);
}

}  // namespace
}  // namespace heddle::nest
