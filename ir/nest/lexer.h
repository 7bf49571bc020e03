// Tokens of nest text. reader.h has the grammar.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::nest {

enum class TokenKind : uint8_t {
  Word,    // a keyword, type, role or function; also f32.nan
  Name,    // base_tag
  Quoted,  // the same with backquotes; `text` is what is between them, and `tag` -1 where none follows
  Number,  // with its suffix, without a sign
  Punct,   // punctuation or an operator
  End,
  OpenQuote,  // a backquote that no other one follows on the line
  Other,      // a character that means nothing
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  size_t offset = 0;
  int tag = -1;

  bool is(std::string_view punct) const { return kind == TokenKind::Punct && text == punct; }
  bool is_word(std::string_view word) const { return kind == TokenKind::Word && text == word; }
};

// All tokens of a text, of which they are views; the last one is End.
std::vector<Token> tokens(std::string_view text);

// Whether a name that is made of this base needs no backquotes.
bool is_plain(std::string_view base);
// Between backquotes, with escapes for what would end them; and back from what is between the backquotes. A backslash
// that begins no escape is left out.
std::string quoted(std::string_view base);
std::string unquoted(std::string_view text);

}  // namespace heddle::nest
