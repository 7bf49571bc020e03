// Tokens of Futhark's IR text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::futhark {

enum class TokenKind : uint8_t {
  Word,     // a name, keyword, number or operator: a run of the characters that names are made of
  String,   // text without the quotes, escapes as they stand
  Punct,    // one other character
  Attr,     // #[
  Certs,    // #{
  Aliases,  // #(
  End,
  OpenString,  // a string without closing quote
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  size_t offset = 0;
  int line = 1;

  bool is(char punct) const { return kind == TokenKind::Punct && text[0] == punct; }
  bool is_word(std::string_view word) const { return kind == TokenKind::Word && text == word; }
};

// A word with its lines joined: the source expression in a name is broken and indented as the place of each use has room.
std::string on_one_line(std::string_view word);

bool operator==(const Token& a, const Token& b);

// Tokens are views into the text, which must outlive them. Total time is linear in the text.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();

 private:
  size_t word_end(size_t at);
  void skip_blanks();

  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  bool boxes_ended_ = false;  // no `}>` ahead
};

// Whether the text is a word by itself, so that it is one, too, where it stands in a longer word's place or begins it.
bool is_one_word(std::string_view text);

// Whether two texts are the same tokens, and if not, where they part.
struct Divergence {
  Token left, right;
};
std::optional<Divergence> compare_tokens(std::string_view left, std::string_view right);

// The text that a string token with Haskell's escapes stands for, as UTF-8; nullopt if an escape is malformed.
std::optional<std::string> unescape(std::string_view token);

}  // namespace heddle::futhark
