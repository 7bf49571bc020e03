#include "frontend_bridge/cli/futhark_commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "frontend_bridge/cli/commands.h"
#include "frontend_bridge/cli/futhark_path.h"
#include "frontend_bridge/cli/report.h"
#include "frontend_bridge/futhark/command.h"

namespace heddle::cli {

namespace {

// Those of Futhark 0.25.27 that heddle does not answer itself.
constexpr std::array<std::string_view, 33> kFutharks = {
    "autotune", "bench",     "benchcmp", "c",      "check-syntax", "datacmp",       "dataget", "dataset", "defs",
    "dev",      "doc",       "eval",     "fmt",    "hash",         "hip",           "imports", "ispc",    "literate",
    "lsp",      "multicore", "opencl",   "pkg",    "profile",      "pyopencl",      "python",  "query",   "repl",
    "script",   "test",      "thanks",   "tokens", "wasm",         "wasm-multicore"};
// They compile programs, by a futhark that --futhark names.
constexpr std::array<std::string_view, 5> kTools = {"autotune", "bench", "literate", "script", "test"};

bool among(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The number of characters to insert, drop, change or swap with the next.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  std::iota(d[0].begin(), d[0].end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t k = 1; k <= b.size(); ++k) {
      d[i][k] = std::min({d[i - 1][k] + 1, d[i][k - 1] + 1, d[i - 1][k - 1] + (a[i - 1] == b[k - 1] ? 0 : 1)});
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        d[i][k] = std::min(d[i][k], d[i - 2][k - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

// What --backend says, in any of getopt's ways; autotune has no other option that begins with b.
std::string_view backend_of(std::span<char*> words) {
  std::string_view backend;
  for (size_t k = 0; k < words.size(); ++k) {
    std::string_view word = words[k];
    size_t equals = word.find('=');
    std::string_view name = word.substr(0, equals);
    if (!name.starts_with("--b") || !std::string_view("--backend").starts_with(name)) continue;
    if (equals != std::string_view::npos) {
      backend = word.substr(equals + 1);
    } else if (k + 1 < words.size()) {
      backend = words[k + 1];
    }
  }
  return backend;
}

bool is_source(std::string_view word) { return word.ends_with(".fut"); }

}  // namespace

std::span<const std::string_view> futharks_commands() { return kFutharks; }

std::span<const std::string_view> futharks_tools() { return kTools; }

bool is_for_futhark(int argc, char** argv) {
  const std::string_view command = argv[1];
  const std::span<char*> rest(argv + 2, argv + argc);
  if (command == "run") return !rest.empty() && std::string_view(rest.front()) == "-e";
  if (command == "check") return std::any_of(rest.begin(), rest.end(), is_source);
  return among(kFutharks, command);
}

int become_futhark(int argc, char** argv) {
  const std::string_view command = argv[1];
  const std::span<char*> rest(argv + 2, argv + argc);
  if (command == "autotune" && backend_of(rest) == "cpu")
    return report(input_error("futhark autotune knows no backend cpu; use 'heddle tune --backend=cpu'"));
  for (const char* word : rest) {
    std::error_code ignored;
    if (command == "check" && is_source(word) && std::filesystem::is_other(word, ignored))
      return report(input_error(std::string(word) + " is no regular file"));
  }
  const std::string futhark = futhark_path();
  if (Result<std::monostate> right = futhark::check_version(futhark); !right) return report(right.error());
  std::vector<std::string> words = {futhark, std::string(command)};
  if (among(kTools, command)) {
    Result<std::string> self = own_path();
    if (!self) return report(self.error());
    words.push_back("--futhark=" + *self);  // first, so that the user's own wins
  }
  words.insert(words.end(), rest.begin(), rest.end());
  std::vector<char*> all;
  for (std::string& w : words) all.push_back(w.data());
  all.push_back(nullptr);
  execvp(all[0], all.data());
  return report(input_error("cannot run " + futhark));
}

int unknown_command(std::string_view word) {
  if (is_source(word))
    return report(input_error(
        fmt::format("a command comes before {}, as in 'heddle cuda {}' or 'heddle cpu {}'", word, word, word)));
  std::vector<std::string_view> known;
  for (const Command& c : commands()) known.push_back(c.name);
  known.insert(known.end(), kFutharks.begin(), kFutharks.end());
  auto nearest = std::min_element(known.begin(), known.end(), [&](std::string_view a, std::string_view b) {
    return distance(word, a) < distance(word, b);
  });
  constexpr size_t kTypingErrors = 2;
  const size_t far = distance(word, *nearest);
  if (word == "gpu") nearest = std::find(known.begin(), known.end(), "cuda");
  std::string hint = far <= kTypingErrors && far < nearest->size() ? fmt::format("did you mean {}? ", *nearest) : "";
  return report(
      input_error(fmt::format("there is no command {}, nor has Futhark one; {}try 'heddle --help'", word, hint)));
}

}  // namespace heddle::cli
