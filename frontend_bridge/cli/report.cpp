#include "frontend_bridge/cli/report.h"

#include <cstdio>

#include "frontend_bridge/futhark/command.h"

namespace heddle::cli {

int report(const Error& error) {
  if (futhark::is_rejection(error)) return futhark::kRejected;
  const char* message = error.message.c_str();
  switch (error.kind) {
    case ErrorKind::Input:
      std::fprintf(stderr, "heddle: error: %s\n", message);
      break;
    case ErrorKind::Unsupported:
      std::fprintf(stderr, "heddle cannot do this yet: %s\nNothing was written.\n", message);
      break;
    case ErrorKind::Internal:
      std::fprintf(stderr, "heddle is broken: %s\nPlease report this with the program that caused it.\n", message);
      break;
  }
  return exit_code(error.kind);
}

}  // namespace heddle::cli
