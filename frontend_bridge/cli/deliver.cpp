#include "frontend_bridge/cli/deliver.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "frontend_bridge/cli/report.h"
#include "frontend_bridge/cli/write_files.h"

namespace heddle::cli {

int deliver(const std::string& text, const std::string& output) {
  if (output.empty()) {
    bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (written) return 0;
    return report(input_error(fmt::format("cannot write to standard output: {}", std::strerror(errno))));
  }
  Result<std::monostate> written = write_files({{output, text}});
  return written ? 0 : report(written.error());
}

}  // namespace heddle::cli
