#include "tests/campaign/server.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace heddle::campaign {

Server::Server(std::vector<std::string> command, std::vector<std::string> environment, std::string log, int seconds)
    : command_(std::move(command)),
      environment_(std::move(environment)),
      log_(std::move(log)),
      milliseconds_(1000 * seconds) {}

Server::~Server() { stop(); }

void Server::start() {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) return;
  std::vector<char*> argv;
  for (std::string& word : command_) argv.push_back(word.data());
  argv.push_back(nullptr);
  process_ = fork();
  if (process_ == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    int log = open(log_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(log, 2);
    for (std::string& setting : environment_) putenv(setting.data());
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  to_ = in[1];
  from_ = out[0];
  unread_.clear();
  answer();
}

void Server::stop() {
  if (process_ < 0) return;
  close(to_);
  close(from_);
  // Without input it ends by itself, and writes its log; should it not, it is made to.
  bool ended = false;
  for (int tenths = 0; tenths < 50 && !ended; ++tenths) {
    ended = waitpid(process_, nullptr, WNOHANG) != 0;
    if (!ended) usleep(100'000);
  }
  if (!ended) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  process_ = -1;
}

Answer Server::say(const std::string& command) {
  if (process_ < 0) start();
  std::string line = command + "\n";
  signal(SIGPIPE, SIG_IGN);
  if (process_ < 0 || write(to_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    stop();
    return {};
  }
  return answer();
}

Answer Server::answer() {
  Answer result;
  result.kind = Answer::Ok;
  for (;;) {
    size_t end = unread_.find('\n');
    if (end == std::string::npos) {
      pollfd ready{from_, POLLIN, 0};
      char bytes[4096];
      ssize_t n = poll(&ready, 1, milliseconds_) > 0 ? read(from_, bytes, sizeof bytes) : 0;
      if (n <= 0) {
        stop();
        return {};
      }
      unread_.append(bytes, static_cast<size_t>(n));
      continue;
    }
    std::string line = unread_.substr(0, end);
    unread_.erase(0, end + 1);
    if (line.starts_with("%%% OK")) return result;
    if (line.starts_with("%%% FAILURE")) {
      result.kind = Answer::Failure;
    } else {
      (result.kind == Answer::Failure ? result.text : result.log) += line + "\n";
    }
  }
}

}  // namespace heddle::campaign
