#include "frontend_bridge/pass_dump.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "frontend_bridge/kernel_listing.h"
#include "ir/host/printer.h"
#include "ir/nest/printer.h"
#include "ir/seg/printer.h"

namespace heddle {

Result<PassDump> PassDump::begin(const std::string& folder, const seg::Program& program) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) return input_error(fmt::format("cannot make the folder {}: {}", folder, problem.message()));
  PassDump dump(folder);
  if (auto error = dump.add("read.fut_gpu", seg::print(program), "the program as it came")) return *error;
  return dump;
}

std::optional<Error> PassDump::pass(const SegPass& pass, const seg::Program& before, const seg::Program& after) {
  std::string text = seg::print(after);
  bool changed = text != seg::print(before);
  return add(fmt::format("{}.fut_gpu", pass.name), changed ? std::optional(text) : std::nullopt,
             std::string(pass.description));
}

std::optional<Error> PassDump::kernels(const lower::PlannedProgram& lowered) {
  for (const ListedKernel& k : list_kernels(lowered)) {
    if (auto error =
            add(k.kernel->name + ".nest", nest::to_text(*k.kernel), fmt::format("{}", fmt::join(k.about, "\n    ")))) {
      return error;
    }
  }
  return std::nullopt;
}

std::optional<Error> PassDump::host(const std::string& folder, int number, std::string_view pass,
                                    const host::Program& after) {
  return PassDump(folder).write(fmt::format("host-{}-{}.host", number, pass), host::to_text(after));
}

std::optional<Error> PassDump::add(const std::string& name, const std::optional<std::string>& text,
                                   const std::string& about) {
  std::string file = fmt::format("{:02}-{}", number_++, name);
  index_ += fmt::format("{}{}: {}\n", file, text ? "" : " (unchanged)", about);
  if (text) {
    if (auto error = write(file, *text)) return error;
  }
  return write("index.txt", index_);
}

std::optional<Error> PassDump::write(const std::string& name, const std::string& text) const {
  std::string path = folder_ + "/" + name;
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (file.flush()) return std::nullopt;
  return input_error(
      fmt::format("cannot write {}: {}", path, std::error_code(errno, std::generic_category()).message()));
}

}  // namespace heddle
