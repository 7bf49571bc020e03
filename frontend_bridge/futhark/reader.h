// Reads Futhark's IR text (SOACS form or GPU form, as Futhark 0.25.27 prints it) into a seg program.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "ir/seg/syntax.h"

namespace heddle::futhark {

enum class Fault {
  Input = 1,        // the text is wrong
  Unsupported = 3,  // the text is right, but of a kind that heddle does not read
};

struct Diagnostic {
  Fault fault = Fault::Input;
  std::string file;
  int line = 0;    // from 1
  int column = 0;  // from 1, in characters
  std::string message;
  std::string excerpt;  // the offending line, and below it a caret

  std::string text() const;
};

template <class T, class E>
class Result {
 public:
  Result(T value) : v_(std::in_place_index<0>, std::move(value)) {}  // NOLINT
  Result(E error) : v_(std::in_place_index<1>, std::move(error)) {}  // NOLINT
  explicit operator bool() const { return v_.index() == 0; }
  const T& value() const& { return std::get<0>(v_); }
  T&& value() && { return std::get<0>(std::move(v_)); }
  const E& error() const { return std::get<1>(v_); }

 private:
  std::variant<T, E> v_;
};

// Checks syntax only: scopes and types are the verifier's. No text makes it throw or overflow the stack.
Result<seg::Program, Diagnostic> read(std::string_view text, std::string_view file_name);

}  // namespace heddle::futhark
