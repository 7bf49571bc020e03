// JSON as text, written as it comes. Nothing in it needs memory when it ends, unlike nlohmann's arrays and objects,
// which end the
// process where there is none left.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace heddle {

class JsonWriter {
 public:
  // Calls `members`, which writes `at(KEY)` and a value for each.
  template <class F>
  void object(F members) {
    nested('{', '}', members);
  }
  JsonWriter& at(std::string_view key) {
    next();
    scalar(key);
    text_ += ": ";
    follows_key_ = true;
    return *this;
  }

  // Calls `item`, which writes one value, for each of `items`.
  template <class Items, class F>
  void list(const Items& items, F item) {
    nested('[', ']', [&] {
      for (const auto& i : items) item(i);
    });
  }

  // A text, number, truth value or nullptr.
  template <class T>
  void value(const T& x) {
    next();
    scalar(x);
  }

  // With a newline at the end.
  std::string take() { return std::move(text_) + "\n"; }

 private:
  template <class F>
  void nested(char open, char close, F inside) {
    next();
    text_ += open;
    indent_ += 2;
    is_first_ = true;
    inside();
    indent_ -= 2;
    if (!is_first_) new_line();
    is_first_ = false;
    text_ += close;
  }
  // Texts come from the input and need not be valid UTF-8.
  template <class T>
  void scalar(const T& x) {
    text_ += nlohmann::json(x).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  void next() {
    if (!follows_key_ && indent_ > 0) {
      if (!is_first_) text_ += ',';
      new_line();
    }
    is_first_ = follows_key_ = false;
  }
  void new_line() { text_.append(1, '\n').append(indent_, ' '); }

  std::string text_;
  size_t indent_ = 0;
  bool is_first_ = true;  // of the values within the innermost braces or brackets
  bool follows_key_ = false;
};

}  // namespace heddle
