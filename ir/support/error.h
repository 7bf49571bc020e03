// Errors, of three kinds: the user's input is wrong, heddle cannot do something yet, heddle is broken.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace heddle {

enum class ErrorKind { Input, Unsupported, Internal };

struct Error {
  ErrorKind kind;
  std::string message;       // one or more full lines, without "error:" and without a final newline
  int line = 0, column = 0;  // in the text that was read, from 1; 0 where unknown
};

// The process exit code for each kind.
constexpr int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Input:
      return 1;
    case ErrorKind::Unsupported:
      return 3;
    case ErrorKind::Internal:
      return 4;
  }
  return 4;
}

inline Error input_error(std::string message) { return {ErrorKind::Input, std::move(message)}; }
inline Error unsupported(std::string message) { return {ErrorKind::Unsupported, std::move(message)}; }
inline Error internal_error(std::string message) { return {ErrorKind::Internal, std::move(message)}; }

// A value or the reason why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : v_(std::move(value)) {}      // NOLINT: a value is a result
  Result(Error error) : v_(std::move(error)) {}  // NOLINT: and so is an error

  explicit operator bool() const { return v_.index() == 0; }
  T& operator*() { return std::get<0>(v_); }
  const T& operator*() const { return std::get<0>(v_); }
  T* operator->() { return &std::get<0>(v_); }
  const T* operator->() const { return &std::get<0>(v_); }
  const Error& error() const { return std::get<1>(v_); }

 private:
  std::variant<T, Error> v_;
};

// Thrown inside a pass that cannot go on, deep in a recursion, and turned into an Error by the pass' exported function;
// never crosses it.
struct Refused {
  Error error;
};

[[noreturn]] inline void refuse(std::string message) { throw Refused{unsupported(std::move(message))}; }

}  // namespace heddle
