#include "frontend_bridge/cli/c_compiler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "frontend_bridge/futhark/command.h"
#include "frontend_bridge/leftovers.h"

namespace heddle::cli {

namespace {

std::vector<std::string> words(const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  std::istringstream in(value && *value ? value : otherwise);
  std::vector<std::string> out;
  for (std::string w; in >> w;) out.push_back(w);
  return out;
}

}  // namespace

Result<std::monostate> build_executable(const std::string& c_text, const std::string& output) {
  namespace fs = std::filesystem;
  for (const std::string& file : {output, output + ".c"}) {
    std::error_code ignored;
    if (fs::is_directory(file, ignored)) return input_error(fmt::format("cannot write {}: it is a folder", file));
    if (fs::is_other(fs::symlink_status(file, ignored)))
      return input_error(fmt::format("cannot write {}: it is no regular file", file));
  }
  // Next to where they will end up, so that renaming cannot fail half-way; removed on every path out.
  struct Files {
    TemporaryPath c, executable;
  } temporary{TemporaryPath(fmt::format("{}.{}.tmp.c", output, getpid())),
              TemporaryPath(fmt::format("{}.{}.tmp", output, getpid()))};

  {
    std::ofstream file(temporary.c.get(), std::ios::binary);
    file << c_text;
    if (!file.flush()) return input_error(fmt::format("cannot write {}.c: {}", output, std::strerror(errno)));
  }
  std::vector<std::string> command = words("CC", "cc");
  std::string compiler = command[0];
  for (const std::string& flag : words("CFLAGS", "-O3")) command.push_back(flag);
  command.insert(command.end(),
                 {"-std=gnu11", temporary.c.get(), "-o", temporary.executable.get(), "-lm", "-ldl", "-lpthread"});
  Output result = run_command(command);
  if (result.status == kCannotStart)
    return input_error("cannot run the C compiler " + compiler + ": install one, or name it by CC");
  if (result.status != 0) return input_error("the C compiler " + compiler + " failed on the program made");
  std::error_code problem;
  fs::rename(temporary.c.get(), output + ".c", problem);
  if (!problem) fs::rename(temporary.executable.get(), output, problem);
  if (problem) return input_error("cannot write " + output + ": " + problem.message());
  return std::monostate{};
}

}  // namespace heddle::cli
