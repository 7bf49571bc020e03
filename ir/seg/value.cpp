#include "ir/seg/value.h"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

namespace heddle::seg {

int64_t to_cell(const prim::Value& value) {
  return prim::is_float(value.type) ? std::bit_cast<int64_t>(value.f) : value.i;
}

prim::Value from_cell(prim::Type type, int64_t cell) {
  prim::Value v;
  v.type = type;
  if (prim::is_float(type)) {
    v.f = std::bit_cast<double>(cell);
  } else {
    v.i = cell;
  }
  return v;
}

prim::Value Array::at(int64_t i) const { return from_cell(elem, (*cells)[static_cast<size_t>(i)]); }

void Array::set(int64_t i, const prim::Value& value) {
  if (cells.use_count() > 1) cells = std::make_shared<std::vector<int64_t>>(*cells);
  (*cells)[static_cast<size_t>(i)] = to_cell(value);
}

std::optional<int64_t> element_count(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  bool empty = false;
  for (int64_t n : shape) {
    if (n < 0) return std::nullopt;
    if (n == 0) {
      empty = true;
    } else if (__builtin_mul_overflow(count, n, &count)) {
      return std::nullopt;
    }
  }
  return empty ? 0 : count;
}

bool equal(const Value& a, const Value& b) {
  if (a.index() != b.index()) return false;
  if (auto* x = std::get_if<prim::Value>(&a)) return *x == std::get<prim::Value>(b);
  const Array& x = std::get<Array>(a);
  const Array& y = std::get<Array>(b);
  if (x.elem != y.elem || x.shape != y.shape || x.size() != y.size()) return false;
  for (int64_t i = 0; i < x.size(); i++) {
    if (!(x.at(i) == y.at(i))) return false;
  }
  return true;
}

// ---- Printing. ----

namespace {

std::string type_name(prim::Type type, bool is_unsigned) {
  std::string name(prim::name(type));
  if (is_unsigned && prim::is_int(type)) name[0] = 'u';
  return name;
}

std::string scalar_text(const prim::Value& v, bool is_unsigned) {
  if (!is_unsigned || !prim::is_int(v.type)) return prim::to_text(v);
  int bits = 8 * prim::size_bytes(v.type);
  uint64_t u = static_cast<uint64_t>(v.i);
  if (bits < 64) u &= (uint64_t{1} << bits) - 1;
  return fmt::format("{}{}", u, type_name(v.type, true));
}

void array_text(const Array& a, bool is_unsigned, size_t dim, int64_t& next, std::string& out) {
  if (dim == a.shape.size()) {
    out += scalar_text(a.at(next++), is_unsigned);
    return;
  }
  out += '[';
  for (int64_t i = 0; i < a.shape[dim]; i++) {
    if (i > 0) out += ", ";
    array_text(a, is_unsigned, dim + 1, next, out);
  }
  out += ']';
}

}  // namespace

std::string to_text(const Value& value, bool is_unsigned) {
  if (auto* v = std::get_if<prim::Value>(&value)) return scalar_text(*v, is_unsigned);
  const Array& a = std::get<Array>(value);
  std::string out;
  if (a.size() == 0) {
    out = "empty(";
    for (int64_t n : a.shape) out += fmt::format("[{}]", n);
    return out + type_name(a.elem, is_unsigned) + ")";
  }
  int64_t next = 0;
  array_text(a, is_unsigned, 0, next, out);
  return out;
}

// ---- Reading. ----

namespace {

struct Bad {
  std::string message;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  ReadValues read() {
    ReadValues result;
    try {
      for (skip(); at_ < text_.size(); skip()) result.values.push_back(value());
    } catch (const Bad& bad) {
      int line = 1;
      for (size_t i = 0; i < at_ && i < text_.size(); i++) line += text_[i] == '\n';
      result.error = fmt::format("line {}: {}", line, bad.message);
    }
    return result;
  }

 private:
  static constexpr size_t kMaxRank = 64;

  void skip() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
        at_++;
      } else if (text_.substr(at_).starts_with("--")) {
        while (at_ < text_.size() && text_[at_] != '\n') at_++;
      } else {
        return;
      }
    }
  }
  bool accept(std::string_view token) {
    skip();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) throw Bad{fmt::format("'{}' expected", token)};
  }

  TypedValue value() {
    skip();
    if (text_[at_] == '[') {
      Array array;
      array.cells = std::make_shared<std::vector<int64_t>>();
      bool is_unsigned = false;
      elements(array, is_unsigned, 0);
      return {std::move(array), is_unsigned};
    }
    if (text_[at_] == '"') return string();
    if (accept("empty")) return empty();
    bool is_unsigned = false;
    prim::Value v = scalar(is_unsigned);
    return {v, is_unsigned};
  }

  void elements(Array& array, bool& is_unsigned, size_t depth) {
    if (depth >= kMaxRank) throw Bad{"the array has too many dimensions"};
    expect("[");
    bool first_row = array.shape.size() == depth;
    if (first_row) array.shape.push_back(-1);
    int64_t count = 0;
    for (skip(); !accept("]"); skip()) {
      if (count > 0) expect(",");
      skip();
      if (at_ >= text_.size()) throw Bad{"the array does not end"};
      if (text_[at_] == '[') {
        if (depth + 1 > array.shape.size() || (depth + 1 == array.shape.size() && array.size() > 0)) {
          throw Bad{"the rows of an array must have the same shape"};
        }
        elements(array, is_unsigned, depth + 1);
      } else {
        if (depth + 1 < array.shape.size()) throw Bad{"the rows of an array must have the same shape"};
        bool u = false;
        prim::Value v = scalar(u);
        if (array.size() == 0) {
          array.elem = v.type;
          is_unsigned = u;
        } else if (array.elem != v.type || is_unsigned != u) {
          throw Bad{"the elements of an array must have the same type"};
        }
        array.cells->push_back(to_cell(v));
      }
      count++;
    }
    if (array.shape[depth] >= 0 && array.shape[depth] != count) {
      throw Bad{"the rows of an array must have the same shape"};
    }
    array.shape[depth] = count;
    if (depth == 0 && array.size() == 0) throw Bad{"an empty array is written as in empty([0]i32)"};
  }

  TypedValue string() {
    Array array{prim::Type::I8, {}, std::make_shared<std::vector<int64_t>>()};
    for (at_++; at_ < text_.size() && text_[at_] != '"'; at_++) {
      char c = text_[at_];
      if (c == '\\' && at_ + 1 < text_.size()) {
        c = text_[++at_];
        if (c == 'n') c = '\n';
        if (c == 't') c = '\t';
      }
      array.cells->push_back(static_cast<signed char>(c));
    }
    if (at_ >= text_.size()) throw Bad{"the string does not end"};
    at_++;
    array.shape = {array.size()};
    return {std::move(array), true};
  }

  TypedValue empty() {
    Array array{prim::Type::I32, {}, std::make_shared<std::vector<int64_t>>()};
    bool is_unsigned = false;
    expect("(");
    while (accept("[")) {
      skip();
      array.shape.push_back(integer(digits()));
      expect("]");
    }
    skip();
    if (!type(word(), array.elem, is_unsigned)) throw Bad{"a type expected"};
    expect(")");
    if (element_count(array.shape) != 0 || array.shape.size() > kMaxRank) {
      throw Bad{"an empty array must have a size that is 0"};
    }
    return {std::move(array), is_unsigned};
  }

  std::string_view digits() {
    size_t start = at_;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) at_++;
    return text_.substr(start, at_ - start);
  }
  static int64_t integer(std::string_view digits) {
    int64_t n = 0;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    if (error != std::errc() || end != digits.data() + digits.size()) throw Bad{"a size expected"};
    return n;
  }

  static bool type(std::string_view name, prim::Type& type, bool& is_unsigned) {
    std::string signed_name(name);
    is_unsigned = name.size() > 1 && name[0] == 'u' && name != "unit";
    if (is_unsigned) signed_name[0] = 'i';
    auto parsed = prim::parse_type(signed_name);
    if (parsed) type = *parsed;
    return parsed.has_value() && type != prim::Type::Unit;
  }

  // A scalar's text: letters, digits, dots, and a sign in front or after an exponent.
  std::string_view word() {
    size_t start = at_;
    bool hex = false;
    for (; at_ < text_.size(); at_++) {
      char c = text_[at_];
      bool sign = (c == '-' || c == '+') && (at_ == start || (!hex && std::tolower(text_[at_ - 1]) == 'e') ||
                                             std::tolower(text_[at_ - 1]) == 'p');
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '_' && !sign) break;
      if (c == 'x' || c == 'X') hex = true;
    }
    return text_.substr(start, at_ - start);
  }

  prim::Value scalar(bool& is_unsigned) {
    skip();
    std::string w;
    for (char c : word()) {
      if (c != '_') w += c;
    }
    if (w == "true" || w == "false") return prim::Value::of_bool(w == "true");
    if (w.empty()) throw Bad{"a value expected"};
    bool negative = w[0] == '-';
    std::string_view rest = std::string_view(w).substr(negative || w[0] == '+' ? 1 : 0);
    for (prim::Type t : {prim::Type::F16, prim::Type::F32, prim::Type::F64}) {
      for (std::string_view special : {".nan", ".inf"}) {
        if (rest != std::string(prim::name(t)) + std::string(special)) continue;
        double x =
            special == ".nan" ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
        return prim::Value::of_float(t, negative ? -x : x);
      }
    }
    prim::Type t = prim::Type::I32;
    bool suffixed = false;
    bool hex = rest.starts_with("0x") || rest.starts_with("0X");
    for (std::string_view s : {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"}) {
      // In a hexadecimal number f32 and the like are digits, unless it has a binary exponent.
      if (!rest.ends_with(s) || (hex && s[0] == 'f' && rest.find_first_of("pP") == std::string_view::npos)) continue;
      suffixed = type(s, t, is_unsigned);
      rest.remove_suffix(s.size());
      break;
    }
    bool fractional = rest.find_first_of(hex ? ".pP" : ".eE") != std::string_view::npos;
    if (!suffixed && fractional) t = prim::Type::F64;
    return prim::is_float(t) ? floating(rest, t, negative, hex) : integral(rest, t, negative);
  }

  static prim::Value floating(std::string_view digits, prim::Type t, bool negative, bool hex) {
    if (hex) digits.remove_prefix(2);
    double x = 0;
    const char* end = digits.data() + digits.size();
    auto [stop, error] =
        std::from_chars(digits.data(), end, x, hex ? std::chars_format::hex : std::chars_format::general);
    if (error == std::errc::result_out_of_range) {
      x = std::strtod(std::string(digits).c_str(), nullptr);
    } else if (error != std::errc() || stop != end) {
      throw Bad{fmt::format("'{}' is not a number", digits)};
    }
    if (t == prim::Type::F32 && !hex) {
      // Rounding twice, through double, would sometimes be off.
      float f = 0;
      if (std::from_chars(digits.data(), end, f).ec == std::errc()) x = f;
    }
    return prim::Value::of_float(t, negative ? -x : x);
  }

  static prim::Value integral(std::string_view digits, prim::Type t, bool negative) {
    int base = 10;
    if (digits.starts_with("0x") || digits.starts_with("0X")) base = 16;
    if (digits.starts_with("0b") || digits.starts_with("0B")) base = 2;
    if (base != 10) digits.remove_prefix(2);
    uint64_t n = 0;
    const char* end = digits.data() + digits.size();
    auto [stop, error] = std::from_chars(digits.data(), end, n, base);
    if (error != std::errc() || stop != end) throw Bad{fmt::format("'{}' is not a number", digits)};
    // Too large ones wrap, as for the host compiler.
    return prim::Value::of_int(t, static_cast<int64_t>(negative ? -n : n));
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

ReadValues read_values(std::string_view text) { return Reader(text).read(); }

}  // namespace heddle::seg
