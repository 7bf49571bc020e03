// The transcripts in README.md and docs/ are what one sees: each command of a ``` block that begins with `$ ` is run where the
// examples are, one document's after the other in the same folder, and what follows it there must be what it prints, where `...`
// stands for anything. Blocks that name a file (```futhark first.fut) are that file. The numbers of names may differ.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include "tests/need.h"
#include "tests/runtime_io/process.h"

namespace {

namespace fs = std::filesystem;

struct Transcript {
  std::string command, output;
};
struct File {
  std::string name, content;
};
struct Document {
  std::vector<Transcript> transcripts;
  std::vector<File> files;
};

Document read_document(const std::string& text) {
  Document d;
  std::istringstream lines(text);
  enum class In { Prose, Shell, Command, File, Other } in = In::Prose;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      const size_t name = line.find(' ');
      const bool named = in == In::Prose && name != std::string::npos;
      if (named) d.files.push_back({line.substr(name + 1), ""});
      in = in != In::Prose ? In::Prose : named ? In::File : line == "```" ? In::Shell : In::Other;
    } else if ((in == In::Shell || in == In::Command) && line.starts_with("$ ")) {
      in = In::Command;
      d.transcripts.push_back({line.substr(2), ""});
    } else if (in == In::Command) {
      d.transcripts.back().output += line + "\n";
    } else if (in == In::File) {
      d.files.back().content += line + "\n";
    }
  }
  return d;
}

std::string without_numbers(const std::string& text) {
  return std::regex_replace(text, std::regex("_[0-9]{4,}"), "_N");
}

// Whether `text` is `pattern`, in which "..." stands for anything.
bool matches(std::string_view text, std::string_view pattern) {
  constexpr std::string_view kAnything = "...";
  size_t end = pattern.find(kAnything);
  if (end == std::string_view::npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, end))) return false;
  text.remove_prefix(end);
  pattern.remove_prefix(end + kAnything.size());
  if (pattern == "\n") return true;
  for (size_t skipped = 0; skipped <= text.size(); ++skipped) {
    if (matches(text.substr(skipped), pattern)) return true;
  }
  return false;
}

std::vector<std::string> documents() {
  std::vector<std::string> all = {"README.md"};
  for (const fs::directory_entry& e : fs::directory_iterator(HEDDLE_SOURCE_DIR "/docs")) {
    if (e.path().extension() == ".md") all.push_back("docs/" + e.path().filename().string());
  }
  std::sort(all.begin(), all.end());
  return all;
}

class Readme : public testing::TestWithParam<std::string> {};

TEST_P(Readme, TranscriptsAreTrue) {
  HEDDLE_NEED(!std::string(FUTHARK).empty(), "there is no Futhark compiler");
  TemporaryFolder folder;
  const std::string source = HEDDLE_SOURCE_DIR, place = folder.path("examples");
  fs::copy(source + "/examples", place);
  const Document document = read_document(read_file(source + "/" + GetParam()));
  for (const File& f : document.files) write_file(place + "/" + f.name, f.content);
  for (const Transcript& t : document.transcripts) {
    SCOPED_TRACE(t.command);
    std::string path = fs::path(HEDDLE).parent_path().string();
    ProcessResult r = run_process({"/usr/bin/env", "-C", place, std::string("HEDDLE_FUTHARK=") + FUTHARK, "CFLAGS=-O0",
                                   "/bin/sh", "-c", "PATH=" + path + ":$PATH; exec 2>&1; " + t.command},
                                  "");
    EXPECT_EQ(r.exit_code, 0);
    const std::string expected = without_numbers(t.output), got = without_numbers(r.out);
    EXPECT_TRUE(matches(got, expected)) << "expected:\n" << expected << "found:\n" << got;
  }
}

// What no command shows is at least there: a link that leads nowhere is as false as a transcript.
TEST_P(Readme, LinksLeadSomewhere) {
  const fs::path document = fs::path(HEDDLE_SOURCE_DIR) / GetParam();
  const std::string text = read_file(document);
  const std::regex link("\\]\\(([^)#:]+)\\)");
  for (auto it = std::sregex_iterator(text.begin(), text.end(), link); it != std::sregex_iterator(); ++it)
    EXPECT_TRUE(fs::exists(document.parent_path() / (*it)[1].str())) << (*it)[1];
}

INSTANTIATE_TEST_SUITE_P(Documents, Readme, testing::ValuesIn(documents()),
                         [](const auto& info) { return fs::path(info.param).stem().string(); });

TEST(Transcripts, AreThere) {
  size_t all = 0;
  for (const std::string& d : documents())
    all += read_document(read_file(HEDDLE_SOURCE_DIR "/" + d)).transcripts.size();
  EXPECT_GE(all, 12u);
}

}  // namespace
