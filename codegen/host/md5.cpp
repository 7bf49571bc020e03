#include "codegen/host/md5.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace heddle::codegen::host {

namespace {

using State = std::array<uint32_t, 4>;

// The text, a one, zeros, and the length in bits, which completes the last block.
std::string padded(std::string_view text) {
  std::string bytes(text);
  bytes += '\x80';
  while (bytes.size() % 64 != 56) bytes += '\0';
  uint64_t bits = 8 * static_cast<uint64_t>(text.size());
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(bits >> (8 * i));
  return bytes;
}

std::array<uint32_t, 16> words(std::string_view block) {
  std::array<uint32_t, 16> all{};
  for (size_t i = 0; i < 64; ++i) all[i / 4] |= uint32_t{static_cast<unsigned char>(block[i])} << (8 * (i % 4));
  return all;
}

State mixed(const State& before, std::string_view block) {
  static constexpr int kShifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  std::array<uint32_t, 16> word = words(block);
  auto [a, b, c, d] = before;
  for (uint32_t i = 0; i < 64; ++i) {
    uint32_t round = i / 16;
    uint32_t f = round == 0   ? (b & c) | (~b & d)
                 : round == 1 ? (d & b) | (~d & c)
                 : round == 2 ? b ^ c ^ d
                              : c ^ (b | ~d);
    uint32_t at = round == 0 ? i : round == 1 ? 5 * i + 1 : round == 2 ? 3 * i + 5 : 7 * i;
    auto constant = static_cast<uint32_t>(std::floor(0x1p32 * std::fabs(std::sin(i + 1.0))));
    uint32_t sum = a + f + constant + word[at % 16];
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, kShifts[round][i % 4]);
  }
  return {before[0] + a, before[1] + b, before[2] + c, before[3] + d};
}

}  // namespace

std::string md5(std::string_view text) {
  State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  std::string bytes = padded(text);
  for (size_t at = 0; at < bytes.size(); at += 64) state = mixed(state, std::string_view(bytes).substr(at, 64));
  std::string digits;
  for (uint32_t word : state) {
    for (int i = 0; i < 4; ++i) digits += fmt::format("{:02x}", word >> (8 * i) & 0xff);
  }
  return digits;
}

}  // namespace heddle::codegen::host
