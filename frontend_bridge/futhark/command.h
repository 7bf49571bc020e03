// Running other commands: the real futhark, and the C compiler.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_bridge/futhark/host_options.h"
#include "ir/support/error.h"

namespace heddle {

inline constexpr int kCannotStart = 127;

struct Output {
  int status = 0;  // exit status; 128 and the signal that ended it; or kCannotStart
  std::string text;
};

// Runs a command to its end with its stdout captured, and told of line by line; stderr goes where ours goes. It has a
// process group of its own, so that a signal that ends us ends all that it started: it cannot ask the terminal.
Output run_command(const std::vector<std::string>& words, const std::function<void(std::string_view)>& on_line = {});

// Runs commands at the same time to their ends; their output goes where ours goes. Yields their exit statuses.
std::vector<int> run_together(const std::vector<std::vector<std::string>>& commands);

// Runs a program to its end, in our place at the terminal, under the name and with the arguments in `words`. Yields its
// exit status.
int run_program(const std::string& program, const std::vector<std::string>& words);

namespace futhark {

// What messages of a missing Futhark end with.
constexpr std::string_view kAskDoctor = "; 'heddle doctor' says what to do";

// Whether `program` is the Futhark whose IR heddle reads and whose tools it stands beside, found by asking it (10 ms).
// Yields nothing but success.
Result<std::monostate> check_version(const std::string& program);

// Where a command is found on PATH; itself where it names a place.
std::string place_of(const std::string& command);

// The exit code with which Futhark ends when the program is wrong, and it has said why.
inline constexpr int kRejected = 2;
// Whether that is what the error is: then nothing is left to say.
inline bool is_rejection(const Error& e) { return e.kind == ErrorKind::Input && e.message.empty(); }

// The segmented-op IR of a .fut or .fut_soacs file. Warnings and errors go to stderr as Futhark prints them.
Result<std::string> extract_kernels(const std::string& path, const HostOptions& options);

}  // namespace futhark
}  // namespace heddle
