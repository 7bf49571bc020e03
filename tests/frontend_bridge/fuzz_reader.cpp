// libFuzzer target: any bytes are either refused with a message or read into a program that prints to text which reads
// back as the same program and prints the same again. Seeds: the dumps that tests/conformance/run leaves in its WORK,
// and those in dumps/; run as `fuzz_reader -dict=fuzz/reader.dict -max_len=20000 CORPUS`.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "frontend_bridge/futhark/lexer.h"
#include "frontend_bridge/futhark/reader.h"
#include "ir/seg/printer.h"

namespace {

[[noreturn]] void report(const char* what, std::string_view text) {
  std::fprintf(stderr, "%s:\n%.*s\n", what, static_cast<int>(text.size()), text.data());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto first = futhark::read(text, "fuzz");
  if (!first) {
    if (first.error().message.empty()) report("refused without a message", text);
    return 0;
  }
  std::string printed = seg::print(*first);
  auto second = futhark::read(printed, "printed");
  if (!second) report(second.error().message.c_str(), printed);
  if (!(*first == *second)) report("read back differently", printed);
  if (seg::print(*second) != printed) report("printed differently the second time", printed);
  if (first->next_tag() != second->next_tag()) report("other tags", printed);
  return 0;
}
