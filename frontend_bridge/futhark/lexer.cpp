#include "frontend_bridge/futhark/lexer.h"

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::futhark {

namespace {

// Bytes above 127 are parts of letters: names may be in any script.
constexpr std::array<bool, 256> make_constituents() {
  std::array<bool, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c) table[c] = true;
  for (int c = 'A'; c <= 'Z'; ++c) table[c] = true;
  for (int c = '0'; c <= '9'; ++c) table[c] = true;
  for (int c = 128; c < 256; ++c) table[c] = true;
  for (char c : std::string_view("_/'+-=!&^.<>*|%")) table[static_cast<unsigned char>(c)] = true;
  return table;
}
constexpr std::array<bool, 256> kConstituents = make_constituents();
bool is_constituent(char c) { return kConstituents[static_cast<unsigned char>(c)]; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_utf8(std::string& out, uint32_t c) {
  auto byte = [&](uint32_t b) { out += static_cast<char>(b); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | c >> 6);
    byte(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    byte(0xE0 | c >> 12);
    byte(0x80 | (c >> 6 & 0x3F));
    byte(0x80 | (c & 0x3F));
  } else {
    byte(0xF0 | c >> 18);
    byte(0x80 | (c >> 12 & 0x3F));
    byte(0x80 | (c >> 6 & 0x3F));
    byte(0x80 | (c & 0x3F));
  }
}

// Longer names first where one begins with the other.
constexpr std::pair<std::string_view, int> kEscapes[] = {
    {"NUL", 0},  {"SOH", 1},   {"STX", 2},  {"ETX", 3},  {"EOT", 4},  {"ENQ", 5},  {"ACK", 6},  {"BEL", 7},
    {"BS", 8},   {"HT", 9},    {"LF", 10},  {"VT", 11},  {"FF", 12},  {"CR", 13},  {"SO", 14},  {"SI", 15},
    {"DLE", 16}, {"DC1", 17},  {"DC2", 18}, {"DC3", 19}, {"DC4", 20}, {"NAK", 21}, {"SYN", 22}, {"ETB", 23},
    {"CAN", 24}, {"EM", 25},   {"SUB", 26}, {"ESC", 27}, {"FS", 28},  {"GS", 29},  {"RS", 30},  {"US", 31},
    {"SP", 32},  {"DEL", 127}, {"a", 7},    {"b", 8},    {"f", 12},   {"n", 10},   {"r", 13},   {"t", 9},
    {"v", 11},   {"\"", '"'},  {"'", '\''}, {"\\", '\\'}};

}  // namespace

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    char c = text_[at_];
    if (c == '\n') {
      ++line_;
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (c == '-' && at_ + 1 < text_.size() && text_[at_ + 1] == '-') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      return;
    }
  }
}

// A name may contain a source expression between `<{` and `}>`.
size_t Lexer::word_end(size_t at) {
  while (at < text_.size() && is_constituent(text_[at])) {
    if (text_[at] == '<' && at + 1 < text_.size() && text_[at + 1] == '{' && !boxes_ended_) {
      size_t close = text_.find("}>", at + 2);
      if (close == std::string_view::npos) {
        boxes_ended_ = true;
        return at + 1;
      }
      for (size_t i = at; i < close; ++i) line_ += text_[i] == '\n';
      at = close + 2;
    } else {
      ++at;
    }
  }
  return at;
}

Token Lexer::next() {
  skip_blanks();
  Token token{TokenKind::End, {}, at_, line_};
  if (at_ == text_.size()) return token;
  char c = text_[at_];
  if (is_constituent(c)) {
    size_t end = word_end(at_);
    token.kind = TokenKind::Word;
    token.text = text_.substr(at_, end - at_);
    at_ = end;
    return token;
  }
  if (c == '"') {
    size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') {
      bool escape = text_[end] == '\\' && end + 1 < text_.size() && text_[end + 1] != '\n';
      end += escape ? 2 : 1;
    }
    bool closed = end < text_.size() && text_[end] == '"';
    token.kind = closed ? TokenKind::String : TokenKind::OpenString;
    token.text = text_.substr(at_ + 1, end - at_ - 1);
    at_ = closed ? end + 1 : end;
    return token;
  }
  token.kind = TokenKind::Punct;
  size_t length = 1;
  if (c == '#' && at_ + 1 < text_.size()) {
    switch (text_[at_ + 1]) {
      case '[':
        token.kind = TokenKind::Attr, length = 2;
        break;
      case '{':
        token.kind = TokenKind::Certs, length = 2;
        break;
      case '(':
        token.kind = TokenKind::Aliases, length = 2;
        break;
      default:
        break;
    }
  }
  token.text = text_.substr(at_, length);
  at_ += length;
  return token;
}

std::string on_one_line(std::string_view word) {
  std::string line;
  while (true) {
    const size_t end = word.find('\n');
    line += word.substr(0, end);
    if (end == std::string_view::npos) return line;
    line += ' ';
    word.remove_prefix(std::min(word.find_first_not_of(" \n", end), word.size()));
  }
}

bool operator==(const Token& a, const Token& b) {
  if (a.kind != b.kind) return false;
  return a.text == b.text || (a.kind == TokenKind::Word && on_one_line(a.text) == on_one_line(b.text));
}

bool is_one_word(std::string_view text) {
  const Token token = Lexer(text).next();
  return token.kind == TokenKind::Word && token.text == text;
}

std::optional<Divergence> compare_tokens(std::string_view left, std::string_view right) {
  Lexer l(left), r(right);
  while (true) {
    Token a = l.next(), b = r.next();
    if (a != b) return Divergence{a, b};
    if (a.kind == TokenKind::End) return std::nullopt;
  }
}

std::optional<std::string> unescape(std::string_view token) {
  std::string out;
  out.reserve(token.size());
  size_t i = 0;
  auto number = [&](int base) -> std::optional<uint32_t> {
    uint32_t value = 0;
    size_t start = i;
    for (; i < token.size(); ++i) {
      char c = token[i];
      int digit = is_digit(c)            ? c - '0'
                  : c >= 'a' && c <= 'f' ? c - 'a' + 10
                  : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                         : 99;
      if (digit >= base) break;
      value = value * base + digit;
      if (value > 0x10FFFF) return std::nullopt;
    }
    return i > start ? std::optional(value) : std::nullopt;
  };
  while (i < token.size()) {
    if (token[i] != '\\') {
      out += token[i++];
      continue;
    }
    if (++i == token.size()) return std::nullopt;
    char c = token[i];
    if (c == '&') {
      ++i;
      continue;
    }
    if (is_digit(c) || c == 'x' || c == 'o') {
      int base = is_digit(c) ? 10 : c == 'x' ? 16 : 8;
      if (!is_digit(c)) ++i;
      std::optional<uint32_t> code = number(base);
      if (!code) return std::nullopt;
      append_utf8(out, *code);
      continue;
    }
    if (c == '^') {
      if (i + 1 == token.size() || token[i + 1] < '@' || token[i + 1] > '_') return std::nullopt;
      out += static_cast<char>(token[i + 1] - '@');
      i += 2;
      continue;
    }
    bool known = false;
    for (const auto& [name, code] : kEscapes) {
      if (token.substr(i).starts_with(name)) {
        out += static_cast<char>(code);
        i += name.size();
        known = true;
        break;
      }
    }
    if (!known) return std::nullopt;
  }
  return out;
}

}  // namespace heddle::futhark
