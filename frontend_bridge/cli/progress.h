// What takes longer than a second is told on the terminal while it lasts.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace heddle::cli {

// While it exists: the stage's name and its seconds, from the first on, in a line that is gone afterwards. Nothing when
// standard error is no terminal. What others write there meanwhile begins at the line's beginning.
class Progress {
 public:
  explicit Progress(std::string stage);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void show();

  std::string stage_;
  std::mutex lock_;
  std::condition_variable ends_;
  bool ended_ = false;
  std::thread clock_;
};

template <class F>
auto during(const char* stage, F&& work) {
  Progress progress(stage);
  return work();
}

}  // namespace heddle::cli
