// libFuzzer target: any bytes are either refused with a message or read into kernels that print to a text which reads
// back as the same kernels and prints the same again. Seeds: the nests in tests/golden/files.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ir/nest/printer.h"
#include "ir/nest/reader.h"

namespace {

[[noreturn]] void report(const char* what, std::string_view text) {
  std::fprintf(stderr, "%s:\n%.*s\n", what, static_cast<int>(text.size()), text.data());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto kernels = nest::read(text);
  if (!kernels) {
    if (kernels.error().message.empty()) report("refused without a message", text);
    return 0;
  }
  for (const nest::Kernel& k : *kernels) {
    std::string printed = nest::to_text(k);
    auto again = nest::read_kernel(printed, "printed");
    if (!again) report(again.error().message.c_str(), printed);
    if (!nest::equal_kernels(k, *again)) report("read back differently", printed);
    if (nest::to_text(*again) != printed) report("printed differently the second time", printed);
  }
  return 0;
}
