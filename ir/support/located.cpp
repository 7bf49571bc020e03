#include "ir/support/located.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

namespace {

constexpr size_t kExcerptWidth = 100;
constexpr size_t kLongestPiece = 40;

bool is_control(char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }

}  // namespace

Error located(ErrorKind kind, std::string_view text, size_t offset, std::string_view file_name, std::string_view what) {
  size_t start = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  start = start == std::string_view::npos ? 0 : start + 1;
  size_t end = std::min(text.find('\n', offset), text.size());
  int line_number = 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(start), '\n'));
  int column = 1;
  for (char c : text.substr(start, offset - start)) column += !continues_character(c);

  size_t from = offset - start > kExcerptWidth / 2 ? offset - kExcerptWidth / 2 : start;
  size_t to = std::min(end, from + kExcerptWidth);
  while (from > start && continues_character(text[from])) --from;
  while (to < end && continues_character(text[to])) ++to;
  std::string line, caret;
  for (size_t i = from; i < to; ++i) {
    line += is_control(text[i]) ? ' ' : text[i];
    if (i < offset && !continues_character(text[i])) caret += ' ';
  }
  return {kind, fmt::format("{}:{}:{}: {}\n  {}\n  {}^", file_name, line_number, column, what, line, caret),
          line_number, column};
}

std::string shown(std::string_view piece) {
  std::string text(piece.substr(0, kLongestPiece));
  while (!text.empty() && piece.size() > kLongestPiece && continues_character(piece[text.size()])) text.pop_back();
  for (char& c : text) {
    if (is_control(c)) c = '?';
  }
  if (piece.size() > kLongestPiece) text += "...";
  return text;
}

}  // namespace heddle
