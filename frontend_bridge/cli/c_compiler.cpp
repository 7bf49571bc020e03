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

#include "embedded_runtime_part_cpu.h"
#include "embedded_runtime_part_cuda.h"
#include "frontend_bridge/cli/temporary_folder.h"
#include "frontend_bridge/futhark/command.h"
#include "frontend_bridge/system/leftovers.h"

namespace heddle::cli {

namespace {

using codegen::host::Target;
using Words = std::vector<std::string>;

Words words(const char* variable) {
  const char* value = std::getenv(variable);
  std::istringstream in(value ? value : "");
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
        runtime(executable.get() + ".runtime.o"),
        host(executable.get() + ".host.o"),
        kernels(executable.get() + ".kernels.o"),
        more_kernels(executable.get() + ".more.o") {}

  TemporaryPath executable, c, runtime, host, kernels, more_kernels;
};

Result<std::monostate> write(const std::string& path, std::string_view content, const std::string& name) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  if (!file.flush()) return input_error(fmt::format("cannot write {}: {}", name, std::strerror(errno)));
  return std::monostate{};
}

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

// Bytes of a program; the runtime's share is some 300,000.
constexpr size_t kLongText = 600'000;

// How kernels for the CPU are compiled. Where there are many or long ones, the loops that -O3 transforms further are few
// beside all else; programs run as fast with -O2 that vectorizes as -O3 does, and compile by a fifth to a quarter faster.
// Small ones (blur, convolution) lose a few per cent by that. Loops begin at multiples of 32 bytes, since it is else left
// to chance whether a short one takes one or two cycles.
Words kernel_flags(bool long_text) {
  const Words level = long_text ? Words{"-O2", "-ftree-vectorize"} : Words{"-O3"};
  return level + Words{"-falign-loops=32", "-DHD_ONLY_KERNELS"};
}

Result<std::monostate> compile_and_link(Target target, size_t text_size, const Files& files) {
  const Words named = words("CC"), flags = words("CFLAGS"), libraries = {"-lm", "-ldl", "-lpthread"};
  const Words compiler = c_compiler() + Words{"-std=gnu11"};
  const Words whole = Words{files.c.get(), "-o", files.executable.get()} + libraries;
  // What a program does not need of its runtime.
  const Words leave_out = {"-Wl,--gc-sections"};
  if (!flags.empty()) return compile({compiler + flags + whole});
  // The runtime as it was compiled with heddle suits the machine's own compiler; of others nobody knows what they make.
  const bool apart = named.empty();
  const bool cpu = target == Target::Cpu;
  if (apart) {
    Result<std::monostate> written =
        write(files.runtime.get(), cpu ? embedded::runtime_part_cpu : embedded::runtime_part_cuda, files.runtime.get());
    if (!written) return written;
  }
  if (!cpu) {
    return compile({compiler + Words{"-Og"} +
                    (apart ? Words{"-DHD_ONLY_HOST", files.runtime.get()} + leave_out : Words{}) + whole});
  }
  std::vector<Words> parts;
  Words objects;
  auto part = [&](const TemporaryPath& object, const Words& options) {
    parts.push_back(compiler + options + Words{"-c", files.c.get(), "-o", object.get()});
    objects.push_back(object.get());
  };
  // Of long programs the kernels are most: two halves at a time take half as long to wait for.
  const Words kernels = kernel_flags(text_size > kLongText);
  if (text_size > kLongText) {
    part(files.kernels, kernels + Words{"-DHD_KERNELS_HALF=0"});
    part(files.more_kernels, kernels + Words{"-DHD_KERNELS_HALF=1"});
  } else {
    part(files.kernels, kernels);
  }
  // What the host computes itself in loops may be all that a program does; functions without are not optimised at all.
  part(files.host, {"-O2", "-DHD_ONLY_HOST"});
  if (apart) {
    objects.push_back(files.runtime.get());
  } else {
    part(files.runtime, {"-Og", "-DHD_ONLY_RUNTIME"});
  }
  Result<std::monostate> compiled = compile(parts);
  if (!compiled) return compiled;
  return compile({compiler + leave_out + objects + Words{"-o", files.executable.get()} + libraries});
}

// What the runtime's libraries and headers are found by.
constexpr const char* kSmallProgram =
    "#include <dlfcn.h>\n#include <math.h>\n#include <pthread.h>\n#include <stdio.h>\nint main(void) { return 0; }\n";

}  // namespace

std::vector<std::string> c_compiler() {
  Words named = words("CC");
  return named.empty() ? Words{"cc"} : named;
}

Result<std::monostate> try_c_compiler() {
  Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder) return folder.error();
  const std::string c = folder->path() + "/small.c";
  Result<std::monostate> written = write(c, kSmallProgram, c);
  if (!written) return written;
  return compile(
      {c_compiler() + words("CFLAGS") + Words{c, "-o", folder->path() + "/small", "-lm", "-ldl", "-lpthread"}});
}

Result<std::monostate> build_executable(const std::string& c_text, Target target, const std::string& output) {
  namespace fs = std::filesystem;
  for (const std::string& file : {output, output + ".c"}) {
    std::error_code ignored;
    if (fs::is_directory(file, ignored)) return input_error(fmt::format("cannot write {}: it is a folder", file));
    if (fs::is_other(fs::symlink_status(file, ignored)))
      return input_error(fmt::format("cannot write {}: it is no regular file", file));
  }
  Files temporary(output);
  Result<std::monostate> written = write(temporary.c.get(), c_text, output + ".c");
  if (!written) return written;
  Result<std::monostate> compiled = compile_and_link(target, c_text.size(), temporary);
  if (!compiled) return compiled;
  std::error_code problem;
  fs::rename(temporary.c.get(), output + ".c", problem);
  if (!problem) fs::rename(temporary.executable.get(), output, problem);
  if (problem) return input_error("cannot write " + output + ": " + problem.message());
  return std::monostate{};
}

}  // namespace heddle::cli
