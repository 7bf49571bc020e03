// Whole dumps: those in dumps/soacs, dumps/seg and dumps/gpu were printed by Futhark 0.25.27 from programs/.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "frontend_bridge/futhark/lexer.h"
#include "frontend_bridge/futhark/reader.h"
#include "ir/seg/printer.h"
#include "ir/seg/traverse.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using futhark::read;

const fs::path kDumps = fs::path(HEDDLE_SOURCE_DIR) / "tests/frontend_bridge/dumps";

std::string slurp(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}

std::vector<fs::path> all_dumps() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kDumps)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Dumps : public testing::TestWithParam<fs::path> {};

TEST_P(Dumps, AreWrittenBackTokenForToken) {
  std::string text = slurp(GetParam());
  auto program = read(text, "dump");
  ASSERT_TRUE(program) << program.error().message;
  std::string written = seg::print(*program);
  auto divergence = futhark::compare_tokens(text, written);
  EXPECT_FALSE(divergence) << "line " << divergence->left.line << ": " << divergence->left.text << " became "
                           << divergence->right.text;
  auto again = read(written, "written");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(*again == *program);
  EXPECT_EQ(seg::print(*again), written);
}

INSTANTIATE_TEST_SUITE_P(All, Dumps, testing::ValuesIn(all_dumps()), [](const auto& info) {
  std::string name = info.param.lexically_relative(kDumps).string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

struct KindsSeen {
  std::set<size_t> kinds;
  void use(const Name&) {}
  void bind(const Name&) {}
  bool enter(const seg::BodyPtr& body) { return stms(body->stms); }
  bool enter(const seg::KernelBodyPtr& body) { return stms(body->stms); }
  bool stms(const seg::Stms& all) {
    for (const seg::StmPtr& s : all) kinds.insert(s->exp.index());
    return true;
  }
};

TEST(KindsDump, ContainsEveryKindOfExpression) {
  auto program = read(slurp(kDumps / "kinds.fut_gpu"), "kinds");
  ASSERT_TRUE(program) << program.error().message;
  KindsSeen seen;
  seen.stms(program->constants);
  for (const seg::FunDef& f : program->functions) seg::walk(seen, f.body);
  for (size_t kind = 0; kind < std::variant_size_v<seg::Exp>; ++kind) {
    EXPECT_TRUE(seen.kinds.contains(kind)) << "kind " << kind;
  }
}

TEST(Program, KnowsItsFunctionsAndItsLargestTag) {
  auto program = read(slurp(kDumps / "kinds.fut_gpu"), "kinds");
  ASSERT_TRUE(program) << program.error().message;
  ASSERT_NE(program->find_function("helper_9"), nullptr);
  EXPECT_EQ(program->find_function("helper_9")->params.size(), 0u);
  EXPECT_EQ(program->find_function("helper"), nullptr);
  EXPECT_EQ(program->next_tag(), 132);
}

TEST(Program, DiffersWhenAnythingDeepInsideDiffers) {
  std::string text = slurp(kDumps / "kinds.fut_gpu");
  auto program = read(text, "kinds");
  ASSERT_TRUE(program);
  for (auto [from, to] : {std::pair("z_48 : i64", "z_48 : i32"), std::pair("returns v_121, ", "returns v_122, "),
                          std::pair("{true, _}", "{_, _}"), std::pair("[3i64]i32", "[4i64]i32"),
                          std::pair("(gtid_122 <", "(gtid_132 <"), std::pair("snd: u8", "snd: i8"),
                          std::pair("commutative \\ {l_117", "\\ {l_117"), std::pair("helper_9 ()", "helper_8 ()"),
                          std::pair("gpu : {f32}", "gpu : {f64}"), std::pair("#[unroll] e", "#[unrolled] e")}) {
    std::string changed = text;
    size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    changed.replace(at, std::string_view(from).size(), to);
    auto other = read(changed, "changed");
    ASSERT_TRUE(other) << other.error().message;
    EXPECT_FALSE(*other == *program) << from;
  }
}

TEST(Reader, RemembersTheLinesOfStatements) {
  auto program = read("types {}\n-- c\nlet {a_1 : i64} =\n  1i64\nlet {b_2 : i64} = a_1", "p");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->constants.at(0)->position.line, 3);
  EXPECT_EQ(program->constants.at(1)->position.line, 5);
}

// Damaged dumps are refused with a message that points into them, or happen to be programs still.
void check_damaged(const std::string& text) {
  auto program = read(text, "damaged");
  if (program) {
    auto again = read(seg::print(*program), "written");
    RC_ASSERT(static_cast<bool>(again));
    RC_ASSERT(*again == *program);
  } else {
    int lines = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
    int line = 0, column = 0, before_message = 0;
    std::sscanf(program.error().message.c_str(), "damaged:%d:%d: %n", &line, &column, &before_message);
    RC_ASSERT(before_message > 0 && program.error().message[static_cast<size_t>(before_message)] != '\n');
    RC_ASSERT(line >= 1 && line <= lines);
    RC_ASSERT(column >= 1);
  }
}

RC_GTEST_PROP(DamagedDumps, AreRefusedWithAPlace, ()) {
  static const std::string text = slurp(kDumps / "kinds.fut_gpu");
  std::string damaged = text;
  size_t from = *rc::gen::inRange<size_t>(0, damaged.size());
  size_t length = *rc::gen::inRange<size_t>(0, 30);
  damaged.replace(from, length, *rc::gen::arbitrary<std::string>());
  check_damaged(damaged);
}

RC_GTEST_PROP(DamagedDumps, CutShortAreRefused, ()) {
  static const std::string text = slurp(kDumps / "soacs/control.fut_soacs");
  check_damaged(text.substr(0, *rc::gen::inRange<size_t>(0, text.size())));
}

}  // namespace
}  // namespace heddle
