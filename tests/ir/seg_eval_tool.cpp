// Evaluates one entry point of a dump:  seg_eval_tool DUMP ENTRY [default|first]
// Reads the arguments from standard input, then a line `---` and the expected results, if any. The first line printed
// says how it went: "agree", "differ" (or "ok" where nothing was expected), "input", "error", "unsupported", "limit" or
// "broken", then the message; the results follow.
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>

#include "frontend_bridge/futhark/reader.h"
#include "ir/seg/eval.h"

namespace seg = heddle::seg;

namespace {

// As futhark test compares: within two thousandths of the largest expected number, or of 1.
constexpr double kTolerance = 0.002;

bool close(const heddle::prim::Value& a, const heddle::prim::Value& b, double largest) {
  if (a == b) return true;
  if (a.type != b.type || !heddle::prim::is_float(a.type)) return false;
  return std::abs(a.f - b.f) <= kTolerance * std::max(1.0, largest);
}

bool close(const seg::TypedValue& a, const seg::TypedValue& b) {
  if (a.value.index() != b.value.index()) return false;
  if (auto* x = std::get_if<heddle::prim::Value>(&a.value)) {
    return close(*x, std::get<heddle::prim::Value>(b.value), std::abs(std::get<heddle::prim::Value>(b.value).f));
  }
  const auto& x = std::get<seg::Array>(a.value);
  const auto& y = std::get<seg::Array>(b.value);
  if (x.elem != y.elem || x.shape != y.shape) return false;
  double largest = 0;
  for (int64_t i = 0; i < y.size(); i++) largest = std::fmax(largest, std::abs(y.at(i).f));
  for (int64_t i = 0; i < x.size(); i++) {
    if (!close(x.at(i), y.at(i), largest)) return false;
  }
  return true;
}

std::string slurp(std::istream& in) {
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 1;
  std::ifstream file(argv[1]);
  auto program = heddle::futhark::read(slurp(file), argv[1]);
  if (!program) {
    fmt::print("unread {}\n", program.error().message);
    return 1;
  }
  std::string text = slurp(std::cin);
  size_t split = text.find("\n---\n");
  auto inputs = seg::read_values(std::string_view(text).substr(0, split));
  if (inputs.error) {
    fmt::print("unread input: {}\n", *inputs.error);
    return 1;
  }
  seg::EvalOptions options;
  options.max_steps = 200'000'000;
  std::string versions = argc > 3 ? argv[3] : "";
  if (versions == "default") options.versions = seg::Versions::Default;
  if (versions == "first") options.versions = seg::Versions::FirstFeasible;
  auto result = seg::evaluate(*program, argv[2], inputs.values, options);
  static constexpr const char* kOutcomes[] = {"ok", "input", "error", "unsupported", "limit", "broken"};
  std::string word = kOutcomes[static_cast<int>(result.outcome)];
  if (result.outcome == seg::Outcome::Ok && split != std::string::npos) {
    auto expected = seg::read_values(std::string_view(text).substr(split + 5));
    if (expected.error) {
      fmt::print("unread output: {}\n", *expected.error);
      return 1;
    }
    bool agree = expected.values.size() == result.values.size();
    for (size_t i = 0; agree && i < expected.values.size(); i++) agree = close(result.values[i], expected.values[i]);
    word = agree ? "agree" : "differ";
  }
  fmt::print("{} {}", word, result.message);
  if (!result.location.empty()) fmt::print(" at {}", result.location);
  fmt::print(" (line {})\n", result.line);
  for (const auto& v : result.values) fmt::print("{}\n", seg::to_text(v.value, v.is_unsigned));
}
