#include "frontend_bridge/cli/c_compiler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "frontend_bridge/futhark/command.h"

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
  // Next to where they will end up, so that renaming cannot fail half-way; removed on every path out.
  struct Files {
    std::string c, executable;
    ~Files() {
      std::error_code ignored;
      fs::remove(c, ignored);
      fs::remove(executable, ignored);
    }
  } temporary{fmt::format("{}.{}.tmp.c", output, getpid()), fmt::format("{}.{}.tmp", output, getpid())};

  {
    std::ofstream file(temporary.c, std::ios::binary);
    file << c_text;
    if (!file.flush()) return input_error("cannot write " + temporary.c);
  }
  std::vector<std::string> command = words("CC", "cc");
  std::string compiler = command[0];
  for (const std::string& flag : words("CFLAGS", "-O3")) command.push_back(flag);
  command.insert(command.end(), {"-std=gnu11", temporary.c, "-o", temporary.executable, "-lm", "-ldl", "-lpthread"});
  Output result = run_command(command);
  if (result.status == 127)
    return input_error("cannot run the C compiler " + compiler + ": install one, or name it by CC");
  if (result.status != 0) return input_error("the C compiler " + compiler + " failed on the program made");
  std::error_code problem;
  fs::rename(temporary.c, output + ".c", problem);
  if (!problem) fs::rename(temporary.executable, output, problem);
  if (problem) return input_error("cannot write " + output + ": " + problem.message());
  return std::monostate{};
}

}  // namespace heddle::cli
