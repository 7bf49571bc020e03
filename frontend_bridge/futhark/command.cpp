#include "frontend_bridge/futhark/command.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <vector>

extern char** environ;

namespace heddle {

Output run_command(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
  argv.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {127, ""};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t pid = 0;
  int failed = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  Output out;
  std::array<char, 65536> buffer{};
  for (ssize_t n; (n = read(ends[0], buffer.data(), buffer.size())) > 0;)
    out.text.append(buffer.data(), static_cast<size_t>(n));
  close(ends[0]);
  if (failed != 0) return {127, ""};
  waitpid(pid, &out.status, 0);
  out.status = WIFEXITED(out.status) ? WEXITSTATUS(out.status) : 128;
  return out;
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
  words.push_back(path);
  Output out = run_command(words);
  if (out.status == 127) {
    return input_error("cannot run " + options.futhark +
                       ": heddle needs Futhark 0.25.27, on PATH or named by HEDDLE_FUTHARK");
  }
  if (out.status != 0) return input_error("futhark could not compile " + path);
  return std::move(out.text);
}

}  // namespace futhark
}  // namespace heddle
