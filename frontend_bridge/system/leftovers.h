// What must not be left over when a signal ends heddle: temporary files, and the commands that it waits for. Each
// signal that users, shells and terminals end programs with first ends the commands, then removes the files, and then
// ends heddle as it would have without this (SIGKILL cannot be handled).
#pragma once

#include <sys/types.h>

#include <csignal>

#include <memory>
#include <string>

namespace heddle {

// A path, of a file or of a folder of files, that is gone when the object is, or when a signal ends the process.
// Nothing needs to be there, neither at first nor at last.
class TemporaryPath {
 public:
  explicit TemporaryPath(std::string path);
  TemporaryPath(TemporaryPath&&) noexcept = default;
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(TemporaryPath&&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;
  ~TemporaryPath();

  const std::string& get() const { return *path_; }

 private:
  std::unique_ptr<const std::string> path_;  // signal handlers know the address of its characters
};

// Blocks the signals that end heddle, for a few lines that must not be cut in two.
class WithoutSignals {
 public:
  WithoutSignals();
  ~WithoutSignals();
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

  const sigset_t& before() const { return before_; }  // the signals that were blocked already

 private:
  sigset_t before_;
};

// The commands that a signal ends first: processes or, negative, process groups. The first of a group must be our
// child, and whoever waits for it must do so with WNOWAIT until it is removed here, so that its number stays its own.
void add_running_command(pid_t process_or_group);
void remove_running_command(pid_t process_or_group);

}  // namespace heddle
