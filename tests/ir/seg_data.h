// The checked-in dumps (tests/ir/data, made by make.sh) and what their programs should compute.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_bridge/futhark/reader.h"
#include "ir/seg/value.h"

namespace heddle::seg {

inline constexpr const char* kDataPrograms[] = {"accumulate", "control", "failures", "products",
                                                "scans",      "stencil", "updates",  "views"};
// SOACS; after kernel extraction; after the host compiler's own tiling.
inline constexpr const char* kForms[] = {".fut_soacs", ".fut_gpu", ".tiled.fut_gpu"};

inline std::string data_text(const std::string& file) {
  std::ifstream in(std::string(HEDDLE_SOURCE_DIR) + "/tests/ir/data/" + file);
  EXPECT_TRUE(in.good()) << file;
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}

inline Program parse(std::string_view text, const std::string& file = "test") {
  auto program = futhark::read(text, file);
  if (!program) ADD_FAILURE() << program.error().message;
  return program ? std::move(*program) : Program{};
}

inline Program data_program(const std::string& file) { return parse(data_text(file), file); }

inline std::vector<TypedValue> values(std::string_view text) {
  ReadValues read = read_values(text);
  EXPECT_FALSE(read.error) << *read.error << " in " << text;
  return read.values;
}

struct DataCase {
  std::string entry, arguments;
  std::string results;  // or "error: " and Futhark's message
};

inline std::vector<DataCase> data_cases(const std::string& program) {
  std::vector<DataCase> cases;
  std::istringstream in(data_text(program + ".expected"));
  bool results = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("== ")) {
      cases.push_back({line.substr(3), "", ""});
      results = false;
    } else if (line == "--") {
      results = true;
    } else {
      (results ? cases.back().results : cases.back().arguments) += line + "\n";
    }
  }
  EXPECT_FALSE(cases.empty()) << program;
  return cases;
}

}  // namespace heddle::seg
