// Writing C: indentation, and the only ways for text from the input to get into it.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace heddle::codegen::host {

// A C string literal, whatever bytes `text` holds.
std::string c_string(std::string_view text);

// `text` made into a part of a C identifier: only letters, digits and underscores, starting with a lower-case letter,
// not too long, and never the beginning of one of the runtime's names.
std::string c_identifier(std::string_view text);

std::string join(const std::vector<std::string>& parts, std::string_view separator = ", ");

class CWriter {
 public:
  explicit CWriter(int depth = 0) : depth_(depth) {}

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    put(fmt::format(format, std::forward<Args>(args)...));
  }
  // `head {`, then deeper.
  template <class... Args>
  void open(fmt::format_string<Args...> format, Args&&... args) {
    std::string head = fmt::format(format, std::forward<Args>(args)...);
    put(head.empty() ? "{" : head + " {");
    ++depth_;
  }
  void otherwise(const std::string& head);  // `} head {`
  void close(std::string_view tail = "");   // `}tail`
  void label(std::string_view name);
  void blank() { text_ += "\n"; }
  void raw(std::string_view text) { text_ += text; }
  void nested(const CWriter& inner);  // its lines, as deep as we are

  // Long lists, broken into lines.
  void list(const std::vector<std::string>& items);
  const std::string& text() const { return text_; }

 private:
  void put(const std::string& line);

  std::string text_;
  int depth_;
};

}  // namespace heddle::codegen::host
