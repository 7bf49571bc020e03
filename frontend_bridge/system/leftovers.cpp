#include "frontend_bridge/system/leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>

namespace heddle {

namespace {

constexpr std::array kSignals = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};

// What signal handlers must find; null and 0 where a place is free. What finds no place is not cleaned up by signals.
constexpr size_t kPlaces = 16;
std::array<std::atomic<const char*>, kPlaces> paths{};
std::array<std::atomic<pid_t>, kPlaces> commands{};

template <class T>
void exchange_one(std::array<std::atomic<T>, kPlaces>& places, T from, T to) {
  for (auto& place : places) {
    T expected = from;
    if (place.compare_exchange_strong(expected, to)) return;
  }
}

// From here on only what may be called in a signal handler.

void remove_files_in(int folder) {
  alignas(dirent64) std::array<char, 4096> entries{};
  // Anew after each removal, since what a folder lists while it changes is not defined.
  for (bool removed = true; removed;) {
    removed = false;
    lseek(folder, 0, SEEK_SET);
    for (ssize_t n; (n = getdents64(folder, entries.data(), entries.size())) > 0;) {
      for (ssize_t at = 0; at < n;) {
        const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
        removed = unlinkat(folder, entry->d_name, 0) == 0 || removed;
        at += entry->d_reclen;
      }
    }
  }
}

void remove_path(const char* path) {
  if (unlink(path) == 0 || errno != EISDIR) return;
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return;
  remove_files_in(folder);
  close(folder);
  rmdir(path);
}

bool ends_within_a_second(pid_t process) {
  constexpr timespec kPause = {0, 10'000'000};
  for (int k = 0; k < 100; ++k) {
    if (waitpid(process, nullptr, WNOHANG) != 0) return true;
    nanosleep(&kPause, nullptr);
  }
  return false;
}

void end_command(pid_t process_or_group) {
  const pid_t first = process_or_group < 0 ? -process_or_group : process_or_group;
  bool ended = ends_within_a_second(first);
  // The first of a group may be gone before those that it started, which are ours to wait for then.
  if (!ended || process_or_group < 0) kill(process_or_group, SIGKILL);
  while (waitpid(process_or_group, nullptr, 0) > 0) continue;
}

void end(int signal) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (const auto& command : commands) {
    const pid_t c = command;
    if (c == 0) continue;
    kill(c, SIGTERM);
    kill(c, SIGCONT);
  }
  for (const auto& command : commands) {
    if (const pid_t c = command) end_command(c);
  }
  for (const auto& path : paths) {
    if (const char* p = path) remove_path(p);
  }
  struct sigaction otherwise {};
  otherwise.sa_handler = SIG_DFL;
  sigaction(signal, &otherwise, nullptr);
  raise(signal);  // comes when this handler has returned
}

// Those that whoever started us chose to ignore (nohup) stay ignored.
void handle_signals() {
  struct sigaction action {};
  action.sa_handler = end;
  sigfillset(&action.sa_mask);
  for (int signal : kSignals) {
    struct sigaction before {};
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);
  }
}

}  // namespace

TemporaryPath::TemporaryPath(std::string path) : path_(std::make_unique<const std::string>(std::move(path))) {
  handle_signals();
  exchange_one<const char*>(paths, nullptr, path_->c_str());
}

TemporaryPath::~TemporaryPath() {
  if (!path_) return;
  std::error_code ignored;
  std::filesystem::remove_all(*path_, ignored);
  exchange_one<const char*>(paths, path_->c_str(), nullptr);
}

WithoutSignals::WithoutSignals() {
  sigset_t blocked;
  sigemptyset(&blocked);
  for (int signal : kSignals) sigaddset(&blocked, signal);
  pthread_sigmask(SIG_BLOCK, &blocked, &before_);
}

WithoutSignals::~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void add_running_command(pid_t process_or_group) {
  handle_signals();
  exchange_one<pid_t>(commands, 0, process_or_group);
}

void remove_running_command(pid_t process_or_group) { exchange_one<pid_t>(commands, process_or_group, 0); }

}  // namespace heddle
