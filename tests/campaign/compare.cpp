#include "tests/campaign/compare.h"

#include <fmt/format.h>

#include <cctype>
#include <fstream>
#include <sstream>

namespace heddle::campaign {

namespace {

std::string slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string without_backtrace(const std::string& message) {
  std::string text = message.substr(0, message.find("Backtrace:"));
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  return text;
}

// "Index [7, 3] out of bounds" with no numbers: threads race to be the first.
std::string without_index(const std::string& message) {
  size_t begin = message.find("Index ["), end = message.find("] out of bounds");
  if (begin == std::string::npos || end == std::string::npos || end < begin) return message;
  std::string inside;
  for (char c : message.substr(begin, end - begin)) {
    if (!std::isdigit(static_cast<unsigned char>(c)) && c != '-') inside += c;
  }
  return message.substr(0, begin) + inside + message.substr(end);
}

}  // namespace

Outcome call(Server& server, const Entry& entry, const std::string& inputs, const std::string& scratch) {
  std::string names;
  for (const Param& p : entry.params) names += " " + p.name;
  Answer restored = server.say(fmt::format("restore {}{}", inputs, names_and_types(entry)));
  if (restored.kind != Answer::Ok) return {restored.kind, "restore: " + restored.text, "", ""};
  Answer called = server.say(fmt::format("call {} result{}", entry.name, names));
  Outcome outcome{called.kind, without_backtrace(called.text), "", called.log};
  if (called.kind == Answer::Dead) return outcome;
  if (called.kind == Answer::Ok) {
    Answer stored = server.say(fmt::format("store {} result", scratch));
    if (stored.kind != Answer::Ok) outcome = {stored.kind, without_backtrace(stored.text), "", called.log};
    outcome.value = slurp(scratch);
    names += " result";
  }
  if (server.say("free" + names).kind != Answer::Ok && outcome.kind == Answer::Ok) outcome.kind = Answer::Dead;
  return outcome;
}

std::optional<std::string> difference(const Outcome& expected, const Outcome& got) {
  if (got.kind == Answer::Dead) return "the program died";
  if (expected.kind == Answer::Ok && got.kind == Answer::Failure) return "fails with: " + got.message;
  if (expected.kind == Answer::Failure && got.kind == Answer::Ok)
    return "does not fail; it should with: " + expected.message;
  if (expected.kind == Answer::Failure) {
    if (without_index(expected.message) == without_index(got.message)) return std::nullopt;
    return fmt::format("fails with: {}\nand should with: {}", got.message, expected.message);
  }
  if (same_values(expected.value, got.value)) return std::nullopt;
  return "another value";
}

}  // namespace heddle::campaign
