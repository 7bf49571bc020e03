// Names, constants, types, parameters, slices.
#include <fmt/format.h>

#include <charconv>

#include "frontend_bridge/futhark/reader_parser.h"

namespace heddle::futhark {

using namespace seg;

namespace {

constexpr int kMaxTag = 1'000'000'000;  // leaves room for fresh names
constexpr int kMaxSmallInt = 1'000'000;

template <class T>
bool parse_number(std::string_view text, T& value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// The type of what would be a constant of an integer type if it was not too small or too large.
std::optional<prim::Type> out_of_range(std::string_view text) {
  size_t digits = text.starts_with('-') ? 1 : 0;
  size_t suffix = text.find_first_not_of("0123456789", digits);
  if (suffix == std::string_view::npos || suffix == digits) return std::nullopt;
  std::optional<prim::Type> type = prim::parse_type(text.substr(suffix));
  bool is_int_type = type && prim::is_int(*type);
  return is_int_type && !prim::parse_value(text) ? type : std::nullopt;
}

}  // namespace

std::string Parser::word(const char* what) {
  if (token_.kind != TokenKind::Word) fail(what);
  std::string text(token_.text);
  advance();
  return text;
}

std::string Parser::raw_string(const char* what) {
  if (token_.kind != TokenKind::String) fail(what);
  std::string text(token_.text);
  advance();
  return text;
}

std::string Parser::string(const char* what) {
  if (token_.kind != TokenKind::String) fail(what);
  std::optional<std::string> text = unescape(token_.text);
  if (!text) reject(ErrorKind::Input, "this string contains a malformed escape");
  advance();
  return *std::move(text);
}

int Parser::small_int() {
  int value = 0;
  if (token_.kind != TokenKind::Word || !parse_number(token_.text, value) || value < 0 || value > kMaxSmallInt) {
    fail("a small number");
  }
  advance();
  return value;
}

int64_t Parser::integer() {
  int64_t value = 0;
  if (token_.kind != TokenKind::Word || !parse_number(token_.text, value)) fail("a number");
  advance();
  return value;
}

std::optional<Name> Parser::try_name() {
  if (token_.kind != TokenKind::Word) return std::nullopt;
  std::string_view text = token_.text;
  size_t underscore = text.rfind('_');
  if (underscore == std::string_view::npos || underscore + 1 == text.size()) return std::nullopt;
  std::string_view digits = text.substr(underscore + 1);
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  int tag = 0;
  if (!parse_number(digits, tag) || tag > kMaxTag) {
    reject(ErrorKind::Unsupported, fmt::format("the number that ends this name is above {}", kMaxTag));
  }
  Name name{on_one_line(text.substr(0, underscore)), tag};
  if (name.base.starts_with('*')) starred_.try_emplace(tag, name.base);
  advance();
  return name;
}

bool Parser::at_starred_name() const {
  if (token_.kind != TokenKind::Word || !token_.text.starts_with('*')) return false;
  size_t underscore = token_.text.rfind('_');
  int tag = 0;
  if (underscore == std::string_view::npos || !parse_number(token_.text.substr(underscore + 1), tag)) return false;
  auto declared = starred_.find(tag);
  return declared != starred_.end() && declared->second == token_.text.substr(0, underscore);
}

Name Parser::name() {
  std::optional<Name> name = try_name();
  if (!name) fail("a name such as `x_12`");
  return *std::move(name);
}

std::optional<prim::Value> Parser::try_value() {
  if (token_.kind == TokenKind::Word) {
    std::optional<prim::Value> value = prim::parse_value(token_.text);
    if (value) advance();
    if (auto type = out_of_range(token_.text); !value && type) {
      int64_t least = INT64_MIN >> (64 - 8 * prim::size_bytes(*type));
      reject(ErrorKind::Input,
             fmt::format("an {} is between {} and {}, but found {}", prim::name(*type), least, ~least, found()));
    }
    return value;
  }
  if (!accept('(')) return std::nullopt;
  expect(')');
  return prim::Value::unit();
}

prim::Value Parser::value() {
  std::optional<prim::Value> value = try_value();
  if (!value) fail("a constant such as `3i64`");
  return *value;
}

SubExp Parser::sub_exp() {
  if (std::optional<Name> name = try_name()) return *std::move(name);
  if (std::optional<prim::Value> value = try_value()) return *value;
  fail("a name such as `x_12` or a constant such as `3i64`");
}

prim::Type Parser::prim_type() {
  std::optional<prim::Type> type;
  if (token_.kind == TokenKind::Word) type = prim::parse_type(token_.text);
  if (!type) fail("a primitive type");
  advance();
  return *type;
}

Type Parser::type(bool may_be_ext, bool may_be_unique) {
  Level level(*this);
  Type t;
  t.unique = may_be_unique && accept_prefix("*");
  while (accept('[')) {
    if (may_be_ext && accept('?')) {
      t.dims.emplace_back(Ext{small_int()});
    } else {
      t.dims.emplace_back(sub_exp());
    }
    expect(']');
  }
  if (at_word("mem")) {
    reject(ErrorKind::Unsupported,
           "this is a dump with memory (such as .fut_gpu_mem); heddle reads the form before memory "
           "is planned (.fut_soacs, .fut_gpu)");
  }
  if (t.dims.empty() && accept_word("acc")) {
    AccType acc;
    expect('(');
    acc.cert = name();
    expect(',');
    acc.space = shape();
    expect(',');
    acc.elems = types();
    expect(')');
    t.acc = std::make_shared<const AccType>(std::move(acc));
    return t;
  }
  if (token_.kind != TokenKind::Word || !prim::parse_type(token_.text)) {
    fail(t.dims.empty() ? "a type" : "`[` or the array's element type");
  }
  t.elem = prim_type();
  if (at('@')) {
    reject(ErrorKind::Unsupported,
           "`@` places an array in memory: this is a dump with memory (such as .fut_gpu_mem); heddle "
           "reads the form before memory is planned (.fut_soacs, .fut_gpu)");
  }
  return t;
}

RetType Parser::ret_type() {
  RetType r;
  r.type = type(true, true);
  if (token_.kind == TokenKind::Aliases) {
    advance();
    r.alias_params = list('[', ']', [&] { return small_int(); });
    expect(',');
    r.alias_results = list('[', ']', [&] { return small_int(); });
    expect(')');
  }
  return r;
}

Shape Parser::shape() {
  Shape s;
  while (accept('[')) {
    s.push_back(sub_exp());
    expect(']');
  }
  return s;
}

std::vector<int> Parser::permutation() {
  return list('(', ')', [&] { return small_int(); });
}

Attr Parser::attr() {
  Level level(*this);
  Attr a;
  std::string text = word("an attribute");
  int64_t number = 0;
  if (parse_number(std::string_view(text), number)) {
    a.head = number;
    return a;
  }
  a.head = std::move(text);
  if (accept('(')) a.args = until(')', [&] { return attr(); });
  return a;
}

Attrs Parser::attrs() {
  Attrs as;
  while (token_.kind == TokenKind::Attr) {
    advance();
    as.push_back(attr());
    expect(']');
  }
  return as;
}

Certs Parser::certs() {
  if (token_.kind != TokenKind::Certs) return {};
  advance();
  return until('}', [&] { return name(); });
}

Param Parser::param(bool may_be_unique) {
  Param p;
  p.attrs = attrs();
  p.name = name();
  expect(':');
  p.type = type(false, may_be_unique);
  return p;
}

PatElem Parser::pat_elem() {
  PatElem p;
  p.name = name();
  expect(':');
  p.type = plain_type();
  return p;
}

SubExpRes Parser::sub_exp_res() {
  SubExpRes r;
  r.certs = certs();
  r.value = sub_exp();
  return r;
}

DimIndex Parser::dim_index(SubExp first) {
  if (!accept(':')) return DimFix{std::move(first)};
  expect_word("+");
  DimSlice s;
  s.start = std::move(first);
  s.count = sub_exp();
  expect_word("*");
  s.stride = sub_exp();
  return s;
}

Slice Parser::slice() {
  return list('[', ']', [&] { return dim_index(sub_exp()); });
}

std::variant<Slice, FlatSlice> Parser::any_slice() {
  expect('[');
  if (accept(']')) return Slice{};
  SubExp first = sub_exp();
  if (accept(';')) {
    FlatSlice flat;
    flat.offset = std::move(first);
    flat.dims = until(']', [&] {
      FlatDim d;
      d.count = sub_exp();
      expect(':');
      d.stride = sub_exp();
      return d;
    });
    return flat;
  }
  Slice s;
  s.push_back(dim_index(std::move(first)));
  while (!accept(']')) {
    if (!accept(',')) fail("`,` or `]`");
    s.push_back(dim_index(sub_exp()));
  }
  return s;
}

}  // namespace heddle::futhark
