#include "frontend_bridge/futhark/reader.h"

#include <fmt/format.h>

#include <array>

#include "frontend_bridge/futhark/reader_parser.h"
#include "ir/support/located.h"

namespace heddle::futhark {

using namespace seg;

Result<Program> read(std::string_view text, std::string_view file_name) {
  try {
    return Parser(text).program();
  } catch (const SyntaxError& e) {
    return located(e.kind, text, e.offset, file_name, e.message);
  }
}

// ---- Tokens. ----

bool Parser::accept(char punct) {
  if (!at(punct)) return false;
  advance();
  return true;
}

bool Parser::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  advance();
  return true;
}

bool Parser::accept_prefix(std::string_view prefix) {
  if (token_.kind != TokenKind::Word || !token_.text.starts_with(prefix)) return false;
  if (token_.text.size() == prefix.size()) {
    advance();
  } else {
    token_.text.remove_prefix(prefix.size());
    token_.offset += prefix.size();
  }
  return true;
}

void Parser::expect(char punct) {
  if (!accept(punct)) fail(std::string("`") + punct + "`");
}

void Parser::expect_word(std::string_view word) {
  if (!accept_word(word)) fail(fmt::format("`{}`", word));
}

std::string Parser::found() const {
  std::string text = shown(token_.text);
  switch (token_.kind) {
    case TokenKind::End:
      return "the end of the file";
    case TokenKind::String:
      return "the string \"" + text + "\"";
    case TokenKind::OpenString:
      return "a string without closing quote";
    default:
      return "`" + text + "`";
  }
}

void Parser::fail(const std::string& expected) const {
  reject(ErrorKind::Input, fmt::format("expected {}, but found {}", expected, found()));
}

void Parser::reject(ErrorKind kind, const std::string& message) const {
  throw SyntaxError{kind, token_.offset, message};
}

Parser::Level::Level(Parser& parser) : parser(parser) {
  if (parser.depth_ == parser.most_levels_) {
    parser.reject(ErrorKind::Unsupported,
                  fmt::format("nested deeper than the {} levels that heddle reads", parser.most_levels_));
  }
  ++parser.depth_;
}

// ---- Dialects. ----

namespace {

constexpr std::string_view kOurs = "heddle reads what Futhark 0.25.27 prints";

}  // namespace

void Parser::check_dialect() {
  if (!at_word("name_source")) return;
  // Every later release starts so; the newest of its other marks tells how late.
  std::string release = "0.25.33 (it starts with `name_source`)";
  Lexer rest = lexer_;
  bool string_before = false;
  for (Token t = rest.next(); t.kind != TokenKind::End; t = rest.next()) {
    if (t.is_word("flatmap")) {
      release = "0.27.1 (it contains `flatmap`)";
      break;
    }
    if (string_before && t.is_word("let")) release = "0.26.3 (it has provenance strings before `let`)";
    string_before = t.kind == TokenKind::String;
  }
  reject(ErrorKind::Unsupported, fmt::format("this was printed by Futhark {} or later; {}", release, kOurs));
}

// What else may stand where a statement should, and who would have written it.
void Parser::check_stm_start() const {
  if (token_.kind == TokenKind::String) {
    reject(ErrorKind::Unsupported,
           fmt::format("provenance strings before `let` were introduced by Futhark 0.26.3; {}", kOurs));
  }
}

void Parser::not_a_definition() const {
  constexpr std::array kSourceWords = {"def", "module", "open", "import", "local", "type"};
  for (const char* w : kSourceWords) {
    if (at_word(w)) {
      reject(ErrorKind::Input,
             fmt::format("`{}` begins a definition of Futhark source; expected IR, as `futhark dev -s` prints it", w));
    }
  }
  fail("`types`, `let`, `fun` or `entry`");
}

// ---- Programs. ----

Program Parser::program() {
  check_dialect();
  Program p;
  if (accept_word("types")) p.types = opaque_types();
  p.constants = stms();
  while (token_.kind != TokenKind::End) p.functions.push_back(function());
  return p;
}

std::vector<OpaqueDef> Parser::opaque_types() {
  std::vector<OpaqueDef> defs;
  expect('{');
  while (!accept('}')) {
    if (!at_word("type")) fail("`type` or `}`");
    defs.push_back(opaque_type());
  }
  return defs;
}

OpaqueDef Parser::opaque_type() {
  OpaqueDef d;
  d.position.line = token_.line;
  expect_word("type");
  d.name = raw_string("the type's name in quotes");
  expect_word("=");
  auto sequence = [&](auto item) {
    std::vector<decltype(item())> items;
    expect('{');
    while (!accept('}')) items.push_back(item());
    return items;
  };
  auto values = [&] { return sequence([&] { return value_type(); }); };
  auto fields = [&] { return sequence([&] { return record_field(); }); };
  auto rank = [&] {
    std::string text = word("a rank such as `1d`");
    std::string_view digits(text);
    if (!digits.ends_with('d') || digits.size() > 4 || digits.size() < 2) fail("a rank such as `1d`");
    int rank = 0;
    for (char c : digits.substr(0, digits.size() - 1)) {
      if (c < '0' || c > '9') fail("a rank such as `1d`");
      rank = rank * 10 + (c - '0');
    }
    return rank;
  };
  if (accept_word("opaque")) {
    d.def = OpaqueType{values()};
  } else if (accept_word("record")) {
    d.def = OpaqueRecord{fields()};
  } else if (accept_word("sum")) {
    expect('{');
    OpaqueSum sum;
    sum.values = list('[', ']', [&] { return value_type(); });
    while (!accept('}')) sum.variants.push_back(sum_variant());
    d.def = std::move(sum);
  } else if (accept_word("array")) {
    OpaqueArray array;
    array.rank = rank();
    array.elem = raw_string("the element type's name in quotes");
    array.values = values();
    d.def = std::move(array);
  } else if (accept_word("record_array")) {
    OpaqueRecordArray array;
    array.rank = rank();
    array.elem = raw_string("the element type's name in quotes");
    array.fields = fields();
    d.def = std::move(array);
  } else {
    fail("`opaque`, `record`, `sum`, `array` or `record_array`");
  }
  return d;
}

RecordField Parser::record_field() {
  RecordField f;
  f.name = word("a field name or `}`");
  expect(':');
  f.type = entry_type();
  return f;
}

SumVariant Parser::sum_variant() {
  if (!accept('#')) fail("`#` and a constructor's name, or `}`");
  SumVariant v;
  v.name = word("a constructor's name");
  while (accept('(')) {
    SumPayload payload;
    payload.type = entry_type();
    expect(',');
    payload.slots = list('[', ']', [&] { return small_int(); });
    expect(')');
    v.payloads.push_back(std::move(payload));
  }
  return v;
}

ValueType Parser::value_type() {
  ValueType t;
  while (accept('[')) {
    expect(']');
    ++t.rank;
  }
  constexpr std::array<std::pair<std::string_view, prim::Type>, 4> kUnsigned = {
      {{"u8", prim::Type::I8}, {"u16", prim::Type::I16}, {"u32", prim::Type::I32}, {"u64", prim::Type::I64}}};
  for (const auto& [text, elem] : kUnsigned) {
    if (accept_word(text)) {
      t.elem = elem;
      t.is_unsigned = true;
      return t;
    }
  }
  t.elem = prim_type();
  return t;
}

EntryType Parser::entry_type() {
  if (accept_word("opaque")) return OpaqueRef{raw_string("the opaque type's name in quotes")};
  return value_type();
}

EntryPoint Parser::entry_point() {
  EntryPoint e;
  expect('(');
  // Tuning parameters' names begin with it.
  if (!is_one_word(token_.text)) fail("the entry point's name in quotes");
  e.name = raw_string("the entry point's name in quotes");
  expect(',');
  e.params = braces([&] {
    EntryParam p;
    p.name = word("a parameter's name");
    expect(':');
    p.unique = accept_prefix("*");
    p.type = entry_type();
    return p;
  });
  expect(',');
  e.results = braces([&] {
    EntryResult r;
    r.unique = accept_prefix("*");
    r.type = entry_type();
    return r;
  });
  expect(')');
  return e;
}

FunDef Parser::function() {
  FunDef f;
  f.position.line = token_.line;
  f.attrs = attrs();
  if (accept_word("entry")) {
    f.entry = entry_point();
  } else if (!accept_word("fun")) {
    not_a_definition();
  }
  f.name = word("the function's name");
  f.params = list('(', ')', [&] { return param(true); });
  expect(':');
  f.ret = braces([&] { return ret_type(); });
  expect_word("=");
  expect('{');
  f.body = body();
  expect('}');
  return f;
}

}  // namespace heddle::futhark
