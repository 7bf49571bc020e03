// Libraries that a test uses where they are installed, and skips where they are not.
#pragma once

#include <dlfcn.h>

#include <initializer_list>
#include <stdexcept>
#include <string>

namespace heddle::testing_support {

class DynamicLibrary {
 public:
  // The first of these that can be loaded.
  explicit DynamicLibrary(std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (handle_ == nullptr) handle_ = dlopen(name, RTLD_NOW);
    }
  }
  explicit operator bool() const { return handle_ != nullptr; }

  template <typename... Args>
  int call(const char* function, Args... args) const {
    auto address = reinterpret_cast<int (*)(Args...)>(dlsym(handle_, function));
    if (address == nullptr) throw std::runtime_error(std::string("no function ") + function);
    return address(args...);
  }
  // For calls that only fail when the test is wrong.
  template <typename... Args>
  void must(const char* function, Args... args) const {
    if (int error = call(function, args...); error != 0) {
      throw std::runtime_error(std::string(function) + " fails with error " + std::to_string(error));
    }
  }

 private:
  void* handle_ = nullptr;
};

}  // namespace heddle::testing_support
