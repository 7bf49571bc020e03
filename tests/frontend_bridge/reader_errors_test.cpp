// What the reader says about texts that it does not read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "frontend_bridge/futhark/nesting.h"
#include "frontend_bridge/futhark/reader.h"
#include "ir/seg/verify.h"

namespace heddle::futhark {
namespace {

// What is wrong, without the place and the line shown.
std::string what(const Error& error) {
  size_t begin = error.message.find(": ") + 2;
  return error.message.substr(begin, error.message.find('\n') - begin);
}

std::string message(const std::string& text) {
  auto result = read(text, "p.fut_gpu");
  return result ? "(read)" : what(result.error());
}

std::string in_statement(const std::string& exp) { return message("let {x_1 : i64} =\n  " + exp); }

TEST(ReaderErrors, ShowThePlace) {
  auto result = read("types {\n}\nlet {d₀_1 : i65} = 1i64\n", "p.fut_gpu");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::Input);
  EXPECT_EQ(result.error().message,
            "p.fut_gpu:3:13: expected a type, but found `i65`\n"
            "  let {d₀_1 : i65} = 1i64\n"
            "              ^");
}

TEST(ReaderErrors, LongLinesAreCutAroundThePlace) {
  std::string padding(500, ' ');
  auto result = read("let {x_1 : i64} = " + padding + "foo" + padding, "p");
  ASSERT_FALSE(result);
  std::istringstream lines(result.error().message);
  std::string first, excerpt, caret;
  std::getline(lines, first);
  std::getline(lines, excerpt);
  std::getline(lines, caret);
  EXPECT_EQ(first, "p:1:519: expected an expression, but found `foo`");
  EXPECT_LE(excerpt.size(), 110u);
  EXPECT_EQ(excerpt.find("foo"), caret.find('^'));
  EXPECT_NE(caret.find('^'), std::string::npos);
}

TEST(ReaderErrors, SayWhatWasExpected) {
  EXPECT_EQ(in_statement("foo"), "expected an expression, but found `foo`");
  EXPECT_EQ(in_statement("add64(x_2 y_3)"), "expected `,`, but found `y_3`");
  EXPECT_EQ(in_statement("add64(x_2, y)"),
            "expected a name such as `x_12` or a constant such as `3i64`, but found `y`");
  EXPECT_EQ(in_statement("rearrange((1, 0), 3i64)"), "expected a name such as `x_12`, but found `3i64`");
  EXPECT_EQ(in_statement("sext i64 x_2 to f32"), "`sext` does not convert i64 to f32");
  EXPECT_EQ(in_statement("x_2[1i64; 2i64 * 3i64]"), "expected `:`, but found `*`");
  EXPECT_EQ(in_statement("x_2 with? [0i64;] = y_3"), "expected an ordinary slice after `with?`, but found `y_3`");
  EXPECT_EQ(in_statement("loop {} = {} until x_2"), "expected `for` or `while`, but found `until`");
  EXPECT_EQ(in_statement("segmap(warp; ;)"), "expected `thread`, `block` or `inblock`, but found `warp`");
  EXPECT_EQ(in_statement("get_size(a, b)"),
            "expected a size class, such as `thread_block_size` or `threshold`, but found `b`");
  EXPECT_EQ(in_statement("assert(x_2, {\"\\q\"}, \"\")"), "this string contains a malformed escape");
  EXPECT_EQ(in_statement("x_2 fun"), "expected the function's name, but found the end of the file");
  EXPECT_EQ(in_statement("if x_2 then {let {y_3 : i64} = 1i64} else {}"), "expected `let` or `in`, but found `}`");
  EXPECT_EQ(message("let {x_1 : i64, } = 1i64"), "expected a name such as `x_12`, but found `}`");
  EXPECT_EQ(message("let {x_1 : i64; y_2 : i64} = 1i64"), "expected `,` or `}`, but found `;`");
  EXPECT_EQ(message("types { type point = record {} }"), "expected the type's name in quotes, but found `point`");
  EXPECT_EQ(message("entry(\"main\" x)"), "expected `,`, but found `x`");
  EXPECT_EQ(message("entry(\")\", {}, {})"), "expected the entry point's name in quotes, but found the string \")\"");
}

TEST(ReaderErrors, TruncatedText) {
  EXPECT_EQ(message("types {"), "expected `type` or `}`, but found the end of the file");
  EXPECT_EQ(message("let {x_1 : i64} ="), "expected an expression, but found the end of the file");
  EXPECT_EQ(message("types { type \"po"),
            "expected the type's name in quotes, but found a string without closing quote");
  EXPECT_EQ(message("fun f_1 () : {} = {"), "expected `let`, `in` or `{`, but found the end of the file");
}

TEST(ReaderErrors, GarbledText) {
  EXPECT_EQ(message("\x7f"
                    "ELF\x02\x01"),
            "expected `types`, `let`, `fun` or `entry`, but found `?`");
  EXPECT_EQ(message(std::string(100, 'x')),
            "expected `types`, `let`, `fun` or `entry`, but found `" + std::string(40, 'x') + "...`");
  EXPECT_EQ(message(std::string("let {x_1 : i64} = \0", 19)), "expected an expression, but found `?`");
}

TEST(ReaderErrors, AnEmptyTextIsAnEmptyProgram) { EXPECT_EQ(message(""), "(read)"); }

TEST(ReaderErrors, FutharkSourceIsRecognised) {
  EXPECT_EQ(message("-- Adds.\ndef add (x: i32) = x"),
            "`def` begins a definition of Futhark source; expected IR, as `futhark dev -s` prints it");
  EXPECT_EQ(message("entry main (x: i32) = x"), "expected `(`, but found `main`");
}

TEST(ReaderErrors, ConstantsMustFitTheirType) {
  EXPECT_EQ(in_statement("add64(x_2, 9223372036854775808i64)"),
            "an i64 is between -9223372036854775808 and 9223372036854775807, but found `9223372036854775808i64`");
  EXPECT_EQ(in_statement("x_2[99999999999999999999i64]"),
            "an i64 is between -9223372036854775808 and 9223372036854775807, but found `99999999999999999999i64`");
  EXPECT_EQ(in_statement("128i8"), "an i8 is between -128 and 127, but found `128i8`");
  EXPECT_EQ(in_statement("-129i8"), "an i8 is between -128 and 127, but found `-129i8`");
  EXPECT_EQ(in_statement("add32(x_2, -2147483649i32)"),
            "an i32 is between -2147483648 and 2147483647, but found `-2147483649i32`");
  EXPECT_EQ(in_statement("-128i8"), "(read)");
  EXPECT_EQ(in_statement("128i7"), "expected an expression, but found `128i7`");
}

// What is wrong with a definition itself, not with a statement of it.
TEST(ReaderErrors, ProblemsOfDefinitionsHaveTheirLine) {
  auto problems = [](const std::string& text) {
    auto program = read(text, "p.fut_gpu");
    std::string all = program ? "" : program.error().message;
    if (!program) return all;
    for (const seg::Problem& p : seg::verify(*program)) all += fmt::format("line {}: {}\n", p.line, p.message);
    return all;
  };
  EXPECT_EQ(problems("types {\n  type \"t\" = array 1d \"u\" {[]i32}\n}\n"),
            "line 2: Type \"t\" is an array of type \"u\", which is not defined before it.\n");
  EXPECT_EQ(problems("types {\n}\n\nfun f () : {} = {\n  in {}\n}\nfun f () : {} = {\n  in {}\n}\n"),
            "line 7: There are several functions named f.\n");
  EXPECT_EQ(problems("types {\n}\n\nfun f (x_1 : [n_2]i32) : {} = {\n  in {}\n}\n"),
            "line 4: n_2 is not bound here.\n");
}

TEST(ReaderErrors, HugeTagsAreRefused) {
  EXPECT_EQ(in_statement("x_1000000000"), "(read)");
  EXPECT_EQ(in_statement("x_1000000001"), "the number that ends this name is above 1000000000");
  EXPECT_EQ(in_statement("x_99999999999999999999"), "the number that ends this name is above 1000000000");
}

std::string repeated(const std::string& part, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += part;
  return all;
}

TEST(ReaderErrors, DeepNestingIsRefused) {
  const std::string too_deep = fmt::format("nested deeper than the {} levels that heddle reads", most_levels());
  std::string head = "let {x_1 : i64} = ";
  for (const char* part : {"if c_2 then {let {y_3 : i64} = ", "loop {} = {} while c_2 do {let {y_3 : i64} = ",
                           "map(n_4, {}, \\ {} : {} -> let {y_3 : i64} = ", "gpu : {} {let {y_3 : i64} = ",
                           "segmap(inblock; ) () (~t_5) : {} {let {y_3 : i64} = "}) {
    EXPECT_EQ(message(head + repeated(std::string(part), 100000)), too_deep) << part;
  }
  EXPECT_EQ(message("let {x_1 : " + repeated("acc(c_2, , {", 100000)), too_deep);
  EXPECT_EQ(message(head + repeated("#[a(", 1) + repeated("a(", 100000)), too_deep);
  EXPECT_EQ(read(head + repeated("gpu : {} {let {y_3 : i64} = ", 1000), "p").error().kind, ErrorKind::Unsupported);
}

TEST(ReaderErrors, NestingWithinTheLimitIsRead) {
  EXPECT_EQ(message("let {x_1 : i64} = " + repeated("if c_2 then {let {y_3 : i64} = ", 127) + "0i64" +
                    repeated(" in {y_3}} else {} : {i64}", 127)),
            "(read)");
}

std::string refusal(const std::string& text) {
  auto result = read(text, "p.fut_gpu");
  if (result) return "(read)";
  EXPECT_EQ(result.error().kind, ErrorKind::Unsupported);
  return what(result.error());
}

TEST(Dialects, LaterReleasesAreNamed) {
  EXPECT_EQ(refusal("name_source {123}\ntypes {}"),
            "this was printed by Futhark 0.25.33 (it starts with `name_source`) or later; heddle reads what Futhark "
            "0.25.27 prints");
  EXPECT_EQ(refusal("name_source {1}\ntypes {}\n\"a.fut:1:2-3\"\nlet {x_1 : i64} = 1i64"),
            "this was printed by Futhark 0.26.3 (it has provenance strings before `let`) or later; heddle reads what "
            "Futhark 0.25.27 prints");
  EXPECT_EQ(refusal("name_source {1}\ntypes {}\nlet {x_1 : i64} = flatmap(n_2, {}, nilFn)"),
            "this was printed by Futhark 0.27.1 (it contains `flatmap`) or later; heddle reads what Futhark 0.25.27 "
            "prints");
}

TEST(Dialects, FragmentsOfLaterReleasesAreNamed) {
  EXPECT_EQ(
      refusal("\"a.fut:1:2-3\"\nlet {x_1 : i64} = 1i64"),
      "provenance strings before `let` were introduced by Futhark 0.26.3; heddle reads what Futhark 0.25.27 prints");
  EXPECT_EQ(refusal("let {x_1 : i64} = flatmap(n_2, {}, nilFn)"),
            "`flatmap` was introduced by Futhark 0.27.1; heddle reads what Futhark 0.25.27 prints");
  EXPECT_EQ(refusal("let {x_1 : i64} = map(n_2, {}, nilFn, nilFn)"),
            "a second lambda here was introduced by Futhark 0.25.37; heddle reads what Futhark 0.25.27 prints");
}

TEST(Dialects, EarlierReleasesAreNamed) {
  EXPECT_EQ(refusal("let {x_1 : i64} = segmap(group; ; ) (i_2 < n_3) (~p_4) : {} {return {}}"),
            "this level's name was replaced by Futhark 0.25.11; heddle reads what Futhark 0.25.27 prints");
}

TEST(Dialects, FormsWithMemoryAreNamed) {
  EXPECT_EQ(refusal("fun f_1 (m_2 : mem@device) : {} = {{}}"),
            "this is a dump with memory (such as .fut_gpu_mem); heddle reads the form before memory is planned "
            "(.fut_soacs, .fut_gpu)");
  EXPECT_EQ(refusal("let {x_1 : [n_2]f32 @ m_3 -> {offset: 0i64}} = y_4"),
            "`@` places an array in memory: this is a dump with memory (such as .fut_gpu_mem); heddle reads the form "
            "before memory is planned (.fut_soacs, .fut_gpu)");
  EXPECT_EQ(refusal("let {x_1 : i64} = alloc(8i64)"),
            "`alloc` belongs to dumps with memory (such as .fut_gpu_mem); heddle reads the form before memory is "
            "planned (.fut_soacs, .fut_gpu)");
}

TEST(Dialects, TheMulticoreFormIsNamed) {
  EXPECT_EQ(refusal("let {x_1 : i64} = segmap() (i_2 < n_3) (~p_4) : {} {return {}}"),
            "segops without a level belong to the multicore form (.fut_mc); heddle reads .fut_soacs and .fut_gpu");
  EXPECT_EQ(refusal("let {x_1 : i64} = par {segmap() }"),
            "`par` belongs to the multicore form (.fut_mc); heddle reads .fut_soacs and .fut_gpu");
}

}  // namespace
}  // namespace heddle::futhark
