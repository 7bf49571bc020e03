// What the halves of the printer share: lines and lists.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

#include "ir/host/printer.h"
#include "ir/nest/lexer.h"
#include "ir/nest/printer.h"

namespace heddle::host {

// As text of the program, which may be anything, always is.
inline std::string quote(std::string_view text) { return nest::quoted(text); }

template <class List, class F>
std::string list(const List& items, F text) {
  std::vector<std::string> texts;
  for (const auto& i : items) texts.push_back(text(i));
  return fmt::format("({})", fmt::join(texts, ", "));
}
inline std::string list(const std::vector<Expr>& exprs) {
  return list(exprs, [](const Expr& e) { return nest::to_text(e); });
}
inline std::string list(const std::vector<Name>& names) {
  return list(names, [](const Name& n) { return nest::to_text(n); });
}
inline std::string list(const std::vector<int>& numbers) {
  return list(numbers, [](int n) { return std::to_string(n); });
}
inline std::string to_text(const Binder& b) { return fmt::format("{}: {}", nest::to_text(b.name), to_text(b.type)); }

class Lines {
 public:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_.append(2 * static_cast<size_t>(depth_), ' ');
    text_ += fmt::format(format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  template <class F>
  void inner(F f) {
    ++depth_;
    f();
    --depth_;
  }
  void raw(std::string_view text) { text_ += text; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  int depth_ = 0;
};

void print(Lines& out, const Block& block);

}  // namespace heddle::host
