#include "ir/nest/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace heddle::nest {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Bytes above 127 are parts of letters: bases may be in any script.
bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '\'' ||
         static_cast<unsigned char>(c) >= 128;
}

// Longer ones first where one begins with the other.
constexpr std::string_view kPuncts[] = {":=", "+%", "-%", "*%", "<<", ">>", "<=", "==", "&&", "||", "(",
                                        ")",  "{",  "}",  "[",  "]",  ",",  ";",  ":",  "=",  "?",  "+",
                                        "-",  "*",  "/",  "%",  "<",  "&",  "|",  "^",  "!"};

// The tag that these digits are, or -1. Tags have no leading zeros, and room above them for those that passes make.
int tag_of(std::string_view digits) {
  constexpr size_t kMostDigits = 9;
  if (digits.empty() || digits.size() > kMostDigits || (digits[0] == '0' && digits.size() > 1)) return -1;
  int tag = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), tag);
  return error == std::errc() && end == digits.data() + digits.size() ? tag : -1;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next() {
    skip_blanks();
    char c = peek(0);
    if (at_ == text_.size()) return {TokenKind::End, {}, at_};
    if (is_digit(c)) return number();
    if (is_letter_or_digit(c)) return word();
    if (c == '`') return quoted_name();
    for (std::string_view p : kPuncts) {
      if (text_.substr(at_).starts_with(p)) return take(TokenKind::Punct, p.size());
    }
    return take(TokenKind::Other, 1);
  }

 private:
  char peek(size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  Token take(TokenKind kind, size_t length) {
    Token token{kind, text_.substr(at_, length), at_};
    at_ += length;
    return token;
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++at_;
      } else if (c == '-' && peek(1) == '-') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        return;
      }
    }
  }

  // Signs belong to a number only behind the e of its exponent.
  Token number() {
    size_t n = 0;
    while (is_letter_or_digit(peek(n)) || peek(n) == '.' ||
           ((peek(n) == '-' || peek(n) == '+') && peek(n - 1) == 'e' && is_digit(peek(n + 1)))) {
      ++n;
    }
    return take(TokenKind::Number, n);
  }

  size_t letters(size_t from) const {
    size_t n = from;
    while (is_letter_or_digit(peek(n))) ++n;
    return n;
  }

  Token word() {
    size_t n = letters(0);
    if (peek(n) == '.') return take(TokenKind::Word, letters(n + 1));
    Token token = take(TokenKind::Word, n);
    size_t last = token.text.rfind('_');
    if (last != std::string_view::npos) token.tag = tag_of(token.text.substr(last + 1));
    if (token.tag >= 0) token.kind = TokenKind::Name;
    return token;
  }

  Token quoted_name() {
    size_t n = 1;
    while (at_ + n < text_.size() && peek(n) != '`' && peek(n) != '\n') {
      n += peek(n) == '\\' && at_ + n + 1 < text_.size() ? 2 : 1;
    }
    if (peek(n) != '`') return take(TokenKind::OpenQuote, std::min(n, text_.size() - at_));
    Token token = take(TokenKind::Quoted, n + 1);
    token.text = token.text.substr(1, n - 1);
    size_t end = letters(0);
    if (peek(0) == '_') token.tag = tag_of(text_.substr(at_ + 1, end - 1));
    if (token.tag >= 0) at_ += end;
    return token;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokens(std::string_view text) {
  std::vector<Token> all;
  Lexer lexer(text);
  do {
    all.push_back(lexer.next());
  } while (all.back().kind != TokenKind::End);
  return all;
}

bool is_plain(std::string_view base) {
  return std::all_of(base.begin(), base.end(), is_letter_or_digit) && (base.empty() || !is_digit(base[0]));
}

std::string quoted(std::string_view base) {
  std::string text = "`";
  for (char c : base) {
    if (c == '`' || c == '\\') {
      text += '\\';
      text += c;
    } else if (static_cast<unsigned char>(c) < 32 || c == 127) {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      text += c;
    }
  }
  return text + "`";
}

std::string unquoted(std::string_view text) {
  std::string base;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      unsigned code = 0;
      std::string_view digits = text.substr(i + 1, 2);
      if (text[i] == 'x' && digits.size() == 2) {
        auto [end, error] = std::from_chars(digits.data(), digits.data() + 2, code, 16);
        if (error == std::errc() && end == digits.data() + 2) {
          base += static_cast<char>(code);
          i += 2;
          continue;
        }
      }
    }
    base += text[i];
  }
  return base;
}

}  // namespace heddle::nest
