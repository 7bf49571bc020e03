// Host programs are written and read without loss, and texts that are none are refused with a place.
#include "ir/host/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "ir/host/printer.h"
#include "ir/host/verify.h"
#include "tests/ir/host_examples.h"

namespace heddle::host {
namespace {

TEST(HostReader, ReadsAllThatIsWritten) {
  Result<Program> program = read(examples::kEverything);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(to_text(*program), examples::kEverything);
  EXPECT_EQ(verify(*program), std::vector<std::string>{});
}

TEST(HostReader, ReadsProgramsThatDoNothing) {
  Result<Program> program = read("");
  ASSERT_TRUE(program);
  EXPECT_EQ(to_text(*program), "");
}

TEST(HostReader, SaysWhereATextIsNone) {
  auto expect = [](const std::string& statements, const std::string& problem) {
    Result<Program> program =
        read("entry `main` () : ()\ntakes (a_1: f32[], n_2: i64) {\n" + statements + "\n}\n", "t");
    ASSERT_FALSE(program) << statements;
    EXPECT_EQ(program.error().kind, ErrorKind::Input);
    EXPECT_THAT(program.error().message, testing::StartsWith("t:3:" + problem));
  };
  expect("free b_3;", "6: no array b_3 is in scope");
  expect("free n_2;", "6: no array n_2 is in scope");
  expect("let x_3: i64 = a_1;", "16: a_1 is a buffer");
  expect("let x_3: i32 = n_2;", "5: the value of x_3 is i64, not i32");
  expect("measure m_3 = length 0 of a_1;", "15: expected what is measured, but found `length`");
  expect("wait;", "1: expected a statement or `}`, but found `wait`");
  expect("launch all () ();", "8: expected the number of a kernel, or `chosen`, but found `all`");
  expect("loop (x_3: i64 = n_2) for i_4 < n_2 { yield x_3; } giving ();", "52: a loop gives as many results");
  expect("check true else message;", "17: expected a text between backquotes");
}

// Damaged texts are refused, or programs still.
RC_GTEST_PROP(HostReaderProperties, DamagedTextsAreRefusedOrRead, ()) {
  std::string damaged = examples::kEverything;
  size_t from = *rc::gen::inRange<size_t>(0, damaged.size());
  damaged.replace(from, *rc::gen::inRange<size_t>(0, 30), *rc::gen::arbitrary<std::string>());
  Result<Program> program = read(damaged);
  if (!program) return;
  std::string text = to_text(*program);
  Result<Program> again = read(text);
  RC_ASSERT(static_cast<bool>(again));
  RC_ASSERT(to_text(*again) == text);
}

}  // namespace
}  // namespace heddle::host
