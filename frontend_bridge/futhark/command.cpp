#include "frontend_bridge/futhark/command.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <vector>

namespace heddle {

namespace {

// While it exists, interrupts from the keyboard end the command that we wait for and not us, so that we can clean up.
class LeaveInterruptsToCommand {
 public:
  LeaveInterruptsToCommand() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigemptyset(&reset_);
    for (size_t k = 0; k < kSignals.size(); ++k) {
      sigaction(kSignals[k], &ignore, &before_[k]);
      if (before_[k].sa_handler != SIG_IGN) sigaddset(&reset_, kSignals[k]);
    }
  }
  ~LeaveInterruptsToCommand() {
    for (size_t k = 0; k < kSignals.size(); ++k) sigaction(kSignals[k], &before_[k], nullptr);
  }
  LeaveInterruptsToCommand(const LeaveInterruptsToCommand&) = delete;
  LeaveInterruptsToCommand& operator=(const LeaveInterruptsToCommand&) = delete;

  // The signals that the command must not inherit as ignored.
  const sigset_t& reset() const { return reset_; }

 private:
  static constexpr std::array kSignals = {SIGINT, SIGQUIT};
  std::array<struct sigaction, kSignals.size()> before_{};
  sigset_t reset_;
};

// The process, or -1.
pid_t start(const std::string& program, const std::vector<std::string>& words,
            const posix_spawn_file_actions_t* actions, const sigset_t& reset) {
  std::vector<char*> argv;
  for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
  argv.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &reset);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t pid = -1;
  int failed = posix_spawnp(&pid, program.c_str(), actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  return failed ? -1 : pid;
}

int status_of(pid_t pid) {
  int status = 0;
  if (pid < 0 || waitpid(pid, &status, 0) < 0) return kCannotStart;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Output run_command(const std::vector<std::string>& words, const std::function<void(std::string_view)>& on_line) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {kCannotStart, ""};
  LeaveInterruptsToCommand interrupts;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t pid = start(words[0], words, &actions, interrupts.reset());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  Output out;
  std::array<char, 65536> buffer{};
  size_t told = 0;
  for (ssize_t n; (n = read(ends[0], buffer.data(), buffer.size())) > 0;) {
    out.text.append(buffer.data(), static_cast<size_t>(n));
    for (size_t end; on_line && (end = out.text.find('\n', told)) != std::string::npos; told = end + 1) {
      on_line(std::string_view(out.text).substr(told, end - told));
    }
  }
  close(ends[0]);
  out.status = status_of(pid);
  return out;
}

std::vector<int> run_together(const std::vector<std::vector<std::string>>& commands) {
  LeaveInterruptsToCommand interrupts;
  std::vector<pid_t> started;
  for (const auto& words : commands) started.push_back(start(words[0], words, nullptr, interrupts.reset()));
  std::vector<int> statuses;
  for (pid_t pid : started) statuses.push_back(status_of(pid));
  return statuses;
}

int run_program(const std::string& program, const std::vector<std::string>& words) {
  LeaveInterruptsToCommand interrupts;
  return status_of(start(program, words, nullptr, interrupts.reset()));
}

namespace futhark {

Result<std::string> extract_kernels(const std::string& path, const HostOptions& options) {
  std::vector<std::string> words = {options.futhark, "dev"};
  bool soacs = path.ends_with(".fut_soacs");
  if (!soacs) words.emplace_back("-s");
  words.insert(words.end(), {"--extract-kernels", "-e"});
  for (const std::string& e : options.entry_points) words.push_back("--entry-point=" + e);
  if (options.safe) words.emplace_back("--safe");
  if (options.werror) words.emplace_back("--Werror");
  if (!options.warnings) words.emplace_back("-w");
  words.push_back(path.starts_with('-') ? "./" + path : path);
  Output out = run_command(words);
  if (out.status == kCannotStart) {
    return input_error("cannot run " + options.futhark +
                       ": heddle needs Futhark 0.25.27, on PATH or named by HEDDLE_FUTHARK");
  }
  if (out.status != 0) return input_error("futhark could not compile " + path);
  return std::move(out.text);
}

}  // namespace futhark
}  // namespace heddle
