#include "frontend_bridge/futhark/command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "frontend_bridge/system/leftovers.h"

namespace heddle {

namespace {

enum class Group { Ours, Own };

struct Started {
  pid_t process = -1;           // -1: it could not be started
  pid_t process_or_group = -1;  // what ends with us
};

// A signal that ends us ends it, too.
Started start(const std::string& program, const std::vector<std::string>& words,
              const posix_spawn_file_actions_t* actions, Group group) {
  std::vector<char*> argv;
  for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
  argv.push_back(nullptr);
  WithoutSignals meanwhile;
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &meanwhile.before());
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | (group == Group::Own ? POSIX_SPAWN_SETPGROUP : 0));
  pid_t pid = -1;
  int failed = posix_spawnp(&pid, program.c_str(), actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (failed) return {};
  Started started{pid, group == Group::Own ? -pid : pid};
  add_running_command(started.process_or_group);
  return started;
}

int status_of(const Started& started) {
  if (started.process < 0) return kCannotStart;
  siginfo_t info;
  waitid(P_PID, static_cast<id_t>(started.process), &info, WEXITED | WNOWAIT);
  remove_running_command(started.process_or_group);
  int status = 0;
  if (waitpid(started.process, &status, 0) < 0) return kCannotStart;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Output run_command(const std::vector<std::string>& words, const std::function<void(std::string_view)>& on_line) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {kCannotStart, ""};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  Started started = start(words[0], words, &actions, Group::Own);
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
  out.status = status_of(started);
  return out;
}

std::vector<int> run_together(const std::vector<std::vector<std::string>>& commands) {
  std::vector<Started> started;
  for (const auto& words : commands) started.push_back(start(words[0], words, nullptr, Group::Own));
  std::vector<int> statuses;
  for (const Started& s : started) statuses.push_back(status_of(s));
  return statuses;
}

int run_program(const std::string& program, const std::vector<std::string>& words) {
  return status_of(start(program, words, nullptr, Group::Ours));
}

namespace futhark {

namespace {

constexpr std::string_view kVersion = HEDDLE_FUTHARK_VERSION;

Error wrong_futhark(const std::string& what) {
  return input_error(
      fmt::format("{}: heddle needs Futhark {}, on PATH or named by HEDDLE_FUTHARK{}", what, kVersion, kAskDoctor));
}

}  // namespace

std::string place_of(const std::string& command) {
  const char* path = std::getenv("PATH");
  if (command.find('/') != std::string::npos || !path) return command;
  std::istringstream folders{std::string(path)};
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string place = (folder.empty() ? "." : folder) + "/" + command;
    if (access(place.c_str(), X_OK) == 0) return place;
  }
  return command;
}

Result<std::monostate> check_version(const std::string& program) {
  Output out = run_command({program, "--version"});
  if (out.status == kCannotStart) return wrong_futhark("cannot run " + program);
  std::istringstream words(out.text);
  std::string name, version;
  words >> name >> version;
  if (version.ends_with('.')) version.pop_back();
  if (name != "Futhark" || version.empty()) return wrong_futhark(place_of(program) + " is not Futhark");
  if (version == kVersion) return std::monostate{};
  return wrong_futhark(fmt::format("{} is Futhark {}", place_of(program), version));
}

Result<std::string> extract_kernels(const std::string& path, const HostOptions& options) {
  Result<std::monostate> right = check_version(options.futhark);
  if (!right) return right.error();
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
  if (out.status == kRejected) return input_error("");
  if (out.status != 0)
    return input_error(fmt::format("futhark could not compile {} (it ended with {})", path, out.status));
  if (out.text.empty()) return input_error(fmt::format("{} printed no program for {}", options.futhark, path));
  return std::move(out.text);
}

}  // namespace futhark
}  // namespace heddle
