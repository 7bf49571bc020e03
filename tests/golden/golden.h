// Golden files: expected texts that live in files of their own, are refreshed by `./dev update-golden`, and reviewed as
// diffs.
//
// EXPECT_GOLDEN("rewrites/nest/stripmine/last_tile.nest", text) compares with that file below tests/golden/files. Where
// HEDDLE_UPDATE_GOLDEN is set, it writes the file instead. Names are literals, so that golden_test can tell which files
// no test uses any more, and each stands in one place only.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

namespace heddle::golden {

void expect(const std::string& name, const std::string& actual, const char* file, int line);
// The same with any path, for tests whose cases are files: what a case becomes stands beside it.
void expect_file(const std::string& path, const std::string& actual, const char* file, int line);

// Whether files are to be written.
bool updating();
std::optional<std::string> contents(const std::string& path);

}  // namespace heddle::golden

#define EXPECT_GOLDEN(name, actual) ::heddle::golden::expect("" name, actual, __FILE__, __LINE__)
