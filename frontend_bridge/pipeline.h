// From a file to a lowered program: what every subcommand of the tool starts with.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frontend_bridge/futhark/host_options.h"
#include "ir/host/host.h"
#include "ir/support/error.h"
#include "rewrites/host/build.h"
#include "rewrites/passes.h"
#include "rewrites/plan/planner.h"

namespace heddle {

// Debug builds verify the result of every pass, and the kernels; release builds trust them.
#ifdef NDEBUG
inline constexpr bool kVerifyPasses = false;
#else
inline constexpr bool kVerifyPasses = true;
#endif

inline constexpr size_t kLargestText = size_t{1} << 30;  // bytes; dumps of a megabyte are large

// All of a file.
Result<std::string> read_text(const std::string& path);

// The IR text of the program in `path`, after kernel extraction: see load_program.
Result<std::string> load_text(const std::string& path, const HostOptions& options);

// The program in `path`, after kernel extraction: .fut and .fut_soacs files go through Futhark first, .fut_gpu files
// are read as they are. Verified, a .fut_soacs file before and after.
Result<seg::Program> load_program(const std::string& path, const HostOptions& options);

// The program as the file has it: only .fut files go through Futhark. Verified.
Result<seg::Program> load_as_written(const std::string& path, const HostOptions& options);

// Reads and verifies IR text.
Result<seg::Program> read_program(const std::string& text, const std::string& file_name);

struct KernelOptions {
  // Each pass' result and each kernel is verified. An ill-formed one is an internal error that names the pass or the
  // kernel, and files with the program before and after.
  bool verify = kVerifyPasses;
  std::string dump_folder;  // where the program after each pass and the kernels are written (PassDump); none if empty
  std::string until;        // the last step of the derivation of tiled kernels, for measuring; all if empty
  PassWatcher watch;        // is told of each pass as well; may be null
  std::span<const SegPass> passes = seg_passes();
  lower::PlanOptions plan = {};
  void for_blocks() { plan.device = lower::Device::Blocks; }
};

// Runs the passes and lowers.
Result<lower::PlannedProgram> compile_kernels(const seg::Program& program, const KernelOptions& options);
Result<lower::PlannedProgram> compile_kernels(const seg::Program& program, bool verify);

// What the host does, after all passes on it. Verified and written after each of them as KernelOptions says.
Result<host::Program> host_program(const lower::PlannedProgram& lowered, host::BuildOptions target,
                                   const KernelOptions& options = {});

// The error that a program is ill-formed after a pass, or one of the kernels; none if all is well.
std::optional<Error> check_pass(const SegPass& pass, const seg::Program& before, const seg::Program& after);
std::optional<Error> check_kernels(const lower::PlannedProgram& lowered);

}  // namespace heddle
