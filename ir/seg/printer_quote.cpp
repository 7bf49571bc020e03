#include <array>

#include "ir/seg/printer.h"

namespace heddle::seg {

namespace {

// The code point at text[i] and its length in bytes; a byte that is not UTF-8 stands for itself, with length 0.
std::pair<uint32_t, size_t> code_point(std::string_view text, size_t i) {
  auto byte = [&](size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  uint32_t first = byte(i);
  if (first < 0x80) return {first, 1};
  size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC0 || first >= 0xF8) return {first, 0};
  uint32_t c = first & (0xFFu >> (length + 1));
  for (size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xC0) != 0x80) return {first, 0};
    c = c << 6 | (byte(i + k) & 0x3F);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (c < kSmallest[length] || c > 0x10FFFF) return {first, 0};
  return {c, length};
}

}  // namespace

std::string quote(std::string_view text) {
  static constexpr std::array<const char*, 32> kControls = {
      "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "a",   "b",   "t",  "n",   "v",   "f",  "r",  "SO", "SI",
      "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US"};
  std::string out = "\"";
  bool after_number = false, after_so = false;
  for (size_t i = 0; i < text.size();) {
    auto [c, length] = code_point(text, i);
    // `\&` keeps what follows from being read as part of the escape.
    if ((after_number && c >= '0' && c <= '9') || (after_so && c == 'H')) out += "\\&";
    after_number = after_so = false;
    if (length == 0) {
      out += text[i++];
      continue;
    }
    i += length;
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 32) {
      out += '\\';
      out += kControls[c];
      after_so = c == 14;
    } else if (c == 127) {
      out += "\\DEL";
    } else if (c > 127) {
      out += "\\" + std::to_string(c);
      after_number = true;
    } else {
      out += static_cast<char>(c);
    }
  }
  return out + '"';
}

}  // namespace heddle::seg
