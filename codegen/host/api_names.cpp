#include "codegen/host/api_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "codegen/host/md5.h"

namespace heddle::codegen::host {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
bool is_identifier(std::string_view name) {
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), is_word);
}

// Arrays, tuples and names, as they are nested in a type's name.
class TypeName {
 public:
  explicit TypeName(std::string_view text) : rest_(text) {}

  std::optional<std::string> whole() {
    std::optional<std::string> name = type();
    return rest_.empty() ? name : std::nullopt;
  }

 private:
  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  std::optional<std::string> type() {
    if (++depth_ > kMaxDepth) return std::nullopt;
    int rank = 0;
    while (take("[]")) ++rank;
    std::optional<std::string> elem = take("(") ? tuple() : atom();
    if (!elem || rank == 0) return elem;
    return fmt::format("arr{}d_{}", rank, *elem);
  }

  std::optional<std::string> tuple() {
    std::vector<std::string> parts;
    if (!take(")")) {
      do {
        while (take(" ")) {
        }
        std::optional<std::string> part = type();
        if (!part) return part;
        parts.push_back(*part);
      } while (take(","));
      if (!take(")")) return std::nullopt;
    }
    return fmt::format("tup{}_{}", parts.size(), fmt::join(parts, "_"));
  }

  std::optional<std::string> atom() {
    size_t end = std::min(rest_.find_first_of("[]{}(),"), rest_.size());
    if (end == 0) return std::nullopt;
    std::string name(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return name;
  }

  static constexpr int kMaxDepth = 1000;  // of types in a type, one after the other included
  std::string_view rest_;
  int depth_ = 0;
};

// GHC's Z-encoding, as far as names can have it: what has no letter there has its number.
std::string encoded(char c) {
  static constexpr std::string_view kFrom = "()[]:Zz&|^$=>#.<-!+'\\/*%";
  static constexpr std::string_view kTo = "ZLZRZMZNZCZZzzzazbzczdzezgzhzizlzmznzpzqzrzsztzv";
  size_t at = kFrom.find(c);
  if (at != std::string_view::npos) return std::string(kTo.substr(2 * at, 2));
  if (is_word(c)) return std::string(1, c);
  std::string hex = fmt::format("{:x}U", static_cast<unsigned char>(c));
  return is_digit(hex[0]) ? "z" + hex : "z0" + hex;
}

std::string encoded_name(std::string_view name) {
  std::string text;
  for (char c : name) {
    bool first = text.empty();
    text += first && is_digit(c) ? fmt::format("z{:x}U", static_cast<unsigned char>(c)) : encoded(c);
  }
  return text;
}

}  // namespace

std::string array_name(const seg::ValueType& type) {
  std::string elem(prim::name(type.elem));
  if (type.is_unsigned && prim::is_int(type.elem)) elem[0] = 'u';
  return fmt::format("{}_{}d", elem, type.rank);
}

std::string opaque_name(std::string_view type) {
  if (type == "()") return "opaque_unit";
  std::optional<std::string> name = TypeName(type).whole();
  if (name && is_identifier(*name)) return "opaque_" + *name;
  return "opaque_" + md5(type);
}

std::string escaped_name(std::string_view name) { return is_identifier(name) ? std::string(name) : encoded_name(name); }

std::string escaped_suffix(std::string_view name) {
  return std::all_of(name.begin(), name.end(), is_word) ? std::string(name) : encoded_name(name);
}

std::string api_type(const seg::ValueType& type) {
  if (type.elem == prim::Type::F16) return "uint16_t";
  std::string name(prim::c_type(type.elem));
  return type.is_unsigned && prim::is_int(type.elem) ? "u" + name : name;
}

}  // namespace heddle::codegen::host
