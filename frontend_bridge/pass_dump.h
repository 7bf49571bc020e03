// The program after each pass and the kernels of what was lowered, as files: for people, and for `heddle pass`, which
// reads them.
//
//   00-read.fut_gpu           the program as it came
//   01-qualify-keys.fut_gpu   after the first pass that changed it; what a pass left as it was is not written again
//   06-main_segmap_12.nest    a kernel
//   host-0-build.host         what the host does, before all passes on that
//   host-1-remove-dead.host   after the first of them
//   index.txt                 a line for each pass, and what each kernel is for
#pragma once

#include <optional>
#include <string>

#include "ir/host/host.h"
#include "ir/support/error.h"
#include "rewrites/passes.h"
#include "rewrites/plan/planned_program.h"

namespace heddle {

class PassDump {
 public:
  // Makes the folder where there is none.
  static Result<PassDump> begin(const std::string& folder, const seg::Program& program);

  // Each file is complete when these return; the error says which one could not be written.
  std::optional<Error> pass(const SegPass& pass, const seg::Program& before, const seg::Program& after);
  std::optional<Error> kernels(const lower::PlannedProgram& lowered);
  // Into a folder that is there, and not into its index.
  static std::optional<Error> host(const std::string& folder, int number, std::string_view pass,
                                   const host::Program& after);

 private:
  explicit PassDump(std::string folder) : folder_(std::move(folder)) {}
  std::optional<Error> write(const std::string& name, const std::string& text) const;
  // Writes a numbered file, or none where there is no text, and adds lines to the index.
  std::optional<Error> add(const std::string& name, const std::optional<std::string>& text, const std::string& about);

  std::string folder_, index_;
  int number_ = 0;
};

}  // namespace heddle
