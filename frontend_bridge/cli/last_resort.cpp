#include "frontend_bridge/cli/last_resort.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "frontend_bridge/cli/report.h"

namespace heddle::cli {

namespace {

int reporting_exceptions(const std::function<int()>& action) try { return action(); } catch (const std::bad_alloc&) {
  return report(input_error("out of memory"));
} catch (const Refused& refused) {
  return report(internal_error("a limit was met where none was expected: " + refused.error.message));
} catch (const std::exception& e) {
  return report(internal_error(e.what()));
} catch (...) {
  return report(internal_error("an exception of an unknown kind"));
}

}  // namespace

int last_resort(const std::function<int()>& action) {
  const int code = reporting_exceptions(action);
  if (code != 0 || (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)) return code;
  return report(input_error(fmt::format("cannot write to standard output: {}", std::strerror(errno))));
}

}  // namespace heddle::cli
