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

using Words = std::vector<std::string>;

Words words(const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  std::istringstream in(value && *value ? value : otherwise);
  Words out;
  for (std::string w; in >> w;) out.push_back(w);
  return out;
}

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// What is made on the way to the executable, next to where that and its text will end up, so that renaming cannot fail
// half-way; removed on every path out.
struct Files {
  explicit Files(const std::string& output)
      : executable(fmt::format("{}.{}.tmp", output, getpid())),
        c(executable.get() + ".c"),
        host(executable.get() + ".host.o"),
        kernels(executable.get() + ".kernels.o") {}

  TemporaryPath executable, c, host, kernels;
};

// Runs the C compiler, several times at once.
Result<std::monostate> compile(const std::vector<Words>& commands) {
  const std::string& compiler = commands[0][0];
  for (int status : run_together(commands)) {
    if (status == kCannotStart)
      return input_error("cannot run the C compiler " + compiler + ": install one, or name it by CC");
    if (status != 0) return input_error("the C compiler " + compiler + " failed on the program made");
  }
  return std::monostate{};
}

// How kernels for the CPU are compiled. Where there are many or long ones, the loops that -O3 transforms further are few
// beside all else; programs run as fast with -O2 that vectorizes as -O3 does, and compile by a fifth to a quarter faster.
// Small ones (blur, convolution) lose a few per cent by that. Loops begin at multiples of 32 bytes, since it is else left
// to chance whether a short one takes one or two cycles.
Words kernel_flags(size_t text_size) {
  constexpr size_t kLongText = 600'000;  // bytes; the runtime's share is some 300,000
  const Words level = text_size > kLongText ? Words{"-O2", "-ftree-vectorize"} : Words{"-O3"};
  return level + Words{"-falign-loops=32"};
}

Result<std::monostate> compile_and_link(codegen::host::Target target, size_t text_size, const Files& files) {
  const Words compiler = words("CC", "cc") + Words{"-std=gnu11"}, libraries = {"-lm", "-ldl", "-lpthread"};
  const Words flags = words("CFLAGS", "");
  if (!flags.empty() || target == codegen::host::Target::Cuda)
    return compile({compiler + (flags.empty() ? Words{"-Og"} : flags) +
                    Words{files.c.get(), "-o", files.executable.get()} + libraries});
  Result<std::monostate> compiled = compile(
      {compiler + kernel_flags(text_size) + Words{"-DHD_ONLY_KERNELS", "-c", files.c.get(), "-o", files.kernels.get()},
       compiler + Words{"-Og", "-DHD_ONLY_HOST", "-c", files.c.get(), "-o", files.host.get()}});
  if (!compiled) return compiled;
  return compile({compiler + Words{files.host.get(), files.kernels.get(), "-o", files.executable.get()} + libraries});
}

}  // namespace

Result<std::monostate> build_executable(const std::string& c_text, codegen::host::Target target,
                                        const std::string& output) {
  namespace fs = std::filesystem;
  for (const std::string& file : {output, output + ".c"}) {
    std::error_code ignored;
    if (fs::is_directory(file, ignored)) return input_error(fmt::format("cannot write {}: it is a folder", file));
    if (fs::is_other(fs::symlink_status(file, ignored)))
      return input_error(fmt::format("cannot write {}: it is no regular file", file));
  }
  Files temporary(output);
  {
    std::ofstream file(temporary.c.get(), std::ios::binary);
    file << c_text;
    if (!file.flush()) return input_error(fmt::format("cannot write {}.c: {}", output, std::strerror(errno)));
  }
  Result<std::monostate> compiled = compile_and_link(target, c_text.size(), temporary);
  if (!compiled) return compiled;
  std::error_code problem;
  fs::rename(temporary.c.get(), output + ".c", problem);
  if (!problem) fs::rename(temporary.executable.get(), output, problem);
  if (problem) return input_error("cannot write " + output + ": " + problem.message());
  return std::monostate{};
}

}  // namespace heddle::cli
