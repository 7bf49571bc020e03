#include "frontend_bridge/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <utility>

namespace heddle::cli {

Progress::Progress(std::string stage) : stage_(std::move(stage)) {
  if (isatty(STDERR_FILENO) == 1) clock_ = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!clock_.joinable()) return;
  {
    std::lock_guard hold(lock_);
    ended_ = true;
  }
  ends_.notify_one();
  clock_.join();
}

void Progress::show() {
  std::unique_lock hold(lock_);
  int seconds = 0;
  while (!ends_.wait_for(hold, std::chrono::seconds(1), [this] { return ended_; })) {
    fmt::print(stderr, "\033[K{} ... {} s\r", stage_, ++seconds);
  }
  if (seconds > 0) fmt::print(stderr, "\033[K");
}

}  // namespace heddle::cli
