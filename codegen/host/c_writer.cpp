#include "codegen/host/c_writer.h"

#include <algorithm>

namespace heddle::codegen::host {

namespace {

constexpr size_t kMaxColumns = 120;
constexpr size_t kMaxIdentifier = 40;
constexpr int kMaxIndented = 64;  // deeper lines begin there, else deep nesting is mostly blanks

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_word_character(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

}  // namespace

std::string c_string(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '?' || byte < 0x20 || byte >= 0x7f) {
      // Octal escapes end after three digits, whatever follows. Question marks could form trigraphs.
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string c_identifier(std::string_view text) {
  std::string out;
  for (char c : text.substr(0, kMaxIdentifier)) out += is_word_character(c) ? c : '_';
  if (out.empty() || !is_lower(out[0]) || out.starts_with("hd")) out = "v_" + out;
  return out;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

void CWriter::put(const std::string& line) {
  text_.append(static_cast<size_t>(2 * std::min(depth_, kMaxIndented)), ' ');
  text_ += line;
  text_ += '\n';
}

void CWriter::otherwise(const std::string& head) {
  --depth_;
  put("} " + head + " {");
  ++depth_;
}

void CWriter::close(std::string_view tail) {
  --depth_;
  put("}" + std::string(tail));
}

void CWriter::label(std::string_view name) {
  text_ += name;
  text_ += ":\n";
}

void CWriter::nested(const CWriter& inner) {
  std::string_view rest = inner.text_;
  while (!rest.empty()) {
    size_t end = rest.find('\n');
    put(std::string(rest.substr(0, end)));
    rest.remove_prefix(end + 1);
  }
}

void CWriter::list(const std::vector<std::string>& items) {
  std::string current;
  for (const std::string& item : items) {
    if (!current.empty() && static_cast<size_t>(2 * depth_) + current.size() + item.size() + 2 > kMaxColumns) {
      put(current);
      current.clear();
    }
    current += (current.empty() ? "" : " ") + item + ",";
  }
  if (!current.empty()) put(current);
}

}  // namespace heddle::codegen::host
