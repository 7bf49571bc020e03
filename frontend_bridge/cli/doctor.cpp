#include "frontend_bridge/cli/doctor.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>

#include "embedded_futhark_install.h"
#include "frontend_bridge/cli/c_compiler.h"
#include "frontend_bridge/cli/futhark_path.h"
#include "frontend_bridge/cli/options_of.h"
#include "frontend_bridge/cli/report.h"
#include "frontend_bridge/cli/temporary_folder.h"
#include "frontend_bridge/cli/write_files.h"
#include "frontend_bridge/futhark/command.h"

extern "C" {
#include "runtime/backends/cuda_api.h"
#include "runtime/core/binary_cache.h"
#include "runtime/core/cache_bound.h"
}

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

struct Finding {
  std::string what;
  bool there = false;
  std::string words = {};   // the version and the place, or what is wrong
  std::string advice = {};  // where it is not there
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string taken(char* words) {
  std::string text = words ? words : "memory ran out";
  std::free(words);
  return text;
}

bool named_futhark() {
  const char* named = std::getenv("HEDDLE_FUTHARK");
  return named && *named;
}

Finding find_futhark() {
  const std::string path = futhark_path();
  Result<std::monostate> right = futhark::check_version(path);
  if (right) return {"Futhark", true, fmt::format("{}, {}", HEDDLE_FUTHARK_VERSION, futhark::place_of(path))};
  const std::string& message = right.error().message;
  return {"Futhark", false, message.substr(0, message.find(futhark::kAskDoctor)),
          named_futhark()
              ? "HEDDLE_FUTHARK names it: let it name another one, or none"
              : "install the package futhark (Debian 13), or run 'heddle doctor --install-futhark' (Debian 12)"};
}

Finding find_c_compiler() {
  const std::string advice = "install the packages gcc and libc6-dev, or name a C compiler by CC";
  if (Result<std::monostate> works = try_c_compiler(); !works)
    return {"C compiler", false, works.error().message, advice};
  const std::vector<std::string> command = c_compiler();
  return {"C compiler", true, first_line(run_command({command[0], "--version"}).text)};
}

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

// ", PLACE" of the library in which a function is.
std::string place_of(const void* function) {
  Dl_info info{};
  return dladdr(function, &info) != 0 && info.dli_fname ? fmt::format(", {}", info.dli_fname) : "";
}

// The driver with its devices, and NVRTC that goes with it, found as programs find them.
std::vector<Finding> find_cuda() {
  Finding driver{"NVIDIA driver"}, devices{"device"}, nvrtc{"NVRTC"};
  hd_cuda_api cuda{};
  int version = 0;
  if (char* problem = hd_cuda_api_open(&cuda)) {
    driver.words = taken(problem);
    driver.advice = "install NVIDIA's driver, if the machine has a GPU";
    devices.words = "none without a driver";
  } else {
    cuda.cuDriverGetVersion(&version);
    driver.there = true;
    driver.words = "for CUDA " + version_text(version);
    int count = 0;
    if (const int error = cuda.cuInit(0); error != HD_CUDA_SUCCESS) {
      const char* words = nullptr;
      cuda.cuGetErrorString(error, &words);
      devices.words = words ? words : "the driver cannot be started";
    } else {
      cuda.cuDeviceGetCount(&count);
      if (count == 0) devices.words = "the driver finds none";
    }
    devices.advice = "see whether nvidia-smi lists a GPU";
    for (int k = 0; k < count; ++k) {
      int device = 0;
      char name[128] = "";
      if (cuda.cuDeviceGet(&device, k) != HD_CUDA_SUCCESS) continue;
      cuda.cuDeviceGetName(name, sizeof name, device);
      devices.there = true;
      devices.words += fmt::format("{}#{} {}", k == 0 ? "" : ", ", k, name);
    }
    hd_cuda_api_close(&cuda);
  }
  hd_nvrtc_api compiler{};
  if (char* problem = hd_nvrtc_api_open(&compiler, version / 1000)) {
    nvrtc.words = taken(problem);
    nvrtc.advice =
        "install it with the CUDA toolkit 12 or 13, or alone (NVIDIA's package cuda-nvrtc, PyPI's nvidia-cuda-nvrtc)";
  } else {
    int major = 0, minor = 0;
    compiler.nvrtcVersion(&major, &minor);
    nvrtc.there = true;
    nvrtc.words = fmt::format("{}.{}{}; of the CUDA toolkit nothing else is needed", major, minor,
                              place_of(reinterpret_cast<const void*>(compiler.nvrtcVersion)));
    if (version > 0 && major * 1000 > version) {
      nvrtc.there = false;
      nvrtc.words += ", which is newer than the driver, so that kernels may not load";
      nvrtc.advice = fmt::format("install NVRTC {} beside it, or a newer driver", version / 1000);
    }
    hd_nvrtc_api_close(&compiler);
  }
  return {driver, devices, nvrtc};
}

// Found by trying, since file systems and users with all rights have their own ideas of permissions.
bool may_write_into(const fs::path& folder) {
  std::string probe = folder / "heddle.XXXXXX";
  return mkdtemp(probe.data()) && rmdir(probe.c_str()) == 0;
}

Finding find_cache() {
  Finding cache{"cache folder"};
  char* folder = hd_cache_folder();
  if (!folder) {
    cache.there = std::getenv("HEDDLE_CACHE") != nullptr;
    cache.words = cache.there ? "none, since HEDDLE_CACHE is set to nothing" : "there is no home folder";
    if (!cache.there) cache.advice = "name one by HEDDLE_CACHE; else kernels are compiled anew each time";
    return cache;
  }
  const std::string path = taken(folder);
  std::error_code ignored;
  uintmax_t bytes = 0;
  int kernels = 0;
  for (const fs::directory_entry& e : fs::directory_iterator(path, ignored)) {
    if (e.path().extension() != ".cubin") continue;
    ++kernels;
    bytes += e.file_size(ignored);
  }
  cache.words = fmt::format("{}: {} kernels and choices, {:.1f} of {} MiB", path, kernels,
                            static_cast<double>(bytes) / (1 << 20), hd_cache_limit() >> 20);
  fs::path above = path;
  while (!fs::exists(above, ignored) && above.has_relative_path()) above = above.parent_path();
  cache.there = may_write_into(above);
  if (!cache.there) {
    const bool folder_above = fs::is_directory(above, ignored);
    cache.words = path + (folder_above    ? " may not be written"
                          : above == path ? " is no folder"
                                          : ": " + above.string() + " is no folder");
    cache.advice = "name another one by HEDDLE_CACHE; else kernels are compiled anew each time";
  }
  return cache;
}

void tell(const Finding& f) {
  fmt::print("{:<14} {}: {}\n", f.what, f.there ? "found" : "missing", f.words);
  if (!f.there && !f.advice.empty()) fmt::print("{:<14}   {}\n", "", f.advice);
}

// The text that ./dev sources, too.
int install_futhark() {
  Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder) return report(folder.error());
  const std::string script = folder->path() + "/install.sh";
  Result<std::monostate> written =
      write_files({{script, std::string(embedded::futhark_install) + "install_futhark\n"}});
  if (!written) return report(written.error());
  fmt::print("Fetching Futhark " HEDDLE_FUTHARK_VERSION " ...\n");
  std::fflush(stdout);
  if (run_together({{"bash", script}})[0] != 0) return report(input_error("Futhark could not be fetched"));
  return 0;
}

int examine() {
  const Finding futhark = find_futhark(), compiler = find_c_compiler();
  fmt::print("heddle " HEDDLE_VERSION "\n\nFor all programs:\n");
  tell(futhark);
  tell(compiler);
  fmt::print("\nFor programs that heddle cuda makes, besides:\n");
  bool runs = true;
  for (const Finding& f : find_cuda()) {
    tell(f);
    runs &= f.there;
  }
  tell(find_cache());
  const bool ready = futhark.there && compiler.there;
  fmt::print("\n{}\n",
             !ready ? "heddle cannot be used yet: see what is missing above."
             : runs ? "heddle cpu and heddle cuda can be used."
                    : "heddle cpu can be used; what heddle cuda makes cannot run here: see what is missing above.");
  return ready ? 0 : exit_code(ErrorKind::Input);
}

void declare(CLI::App& app, bool& install) {
  app.add_flag("--install-futhark", install,
               "first fetch Futhark " HEDDLE_FUTHARK_VERSION " into ~/.cache/heddle (Debian, amd64)");
}

}  // namespace

std::vector<OptionInfo> doctor_options() {
  CLI::App app;
  bool install = false;
  declare(app, install);
  return options_of(app);
}

int doctor_command(int argc, char** argv) {
  CLI::App app("Says what of all that heddle needs is found and missing, and what to do.", "heddle doctor");
  bool install = false;
  declare(app, install);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    return report(input_error(fmt::format("{}; try 'heddle doctor --help'", e.what())));
  }
  if (install && !named_futhark() && !find_futhark().there) {
    if (int code = install_futhark()) return code;
  }
  return examine();
}

}  // namespace heddle::cli
