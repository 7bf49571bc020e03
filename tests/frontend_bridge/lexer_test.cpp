#include "frontend_bridge/futhark/lexer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "ir/seg/printer.h"

namespace heddle::futhark {
namespace {

std::vector<std::string> tokens(std::string_view text) {
  std::vector<std::string> all;
  Lexer lexer(text);
  for (Token t = lexer.next(); t.kind != TokenKind::End; t = lexer.next()) all.emplace_back(t.text);
  return all;
}

using Words = std::vector<std::string>;

TEST(Lexer, NamesContainOperatorsPrimesAndOtherScripts) {
  EXPECT_EQ(tokens("+_lhs_12 x'_3 d₀_4 *_5 a|b%c_6"), (Words{"+_lhs_12", "x'_3", "d₀_4", "*_5", "a|b%c_6"}));
}

TEST(Lexer, ABoxInANameMayContainAnything) {
  EXPECT_EQ(tokens("f_<{(*) m,\n b}>_14, x"), (Words{"f_<{(*) m,\n b}>_14", ",", "x"}));
  EXPECT_EQ(tokens("<{ x"), (Words{"<", "{", "x"}));
}

TEST(Lexer, ABoxIsTheSameHoweverItIsBroken) {
  EXPECT_EQ(on_one_line("d<{(\\x ->\n     x > 0)}>_arg0_5"), "d<{(\\x -> x > 0)}>_arg0_5");
  EXPECT_EQ(on_one_line("x_1"), "x_1");
  EXPECT_FALSE(compare_tokens("d<{a\n b}>_5", "d<{a b}>_5"));
  EXPECT_TRUE(compare_tokens("d<{a\n b}>_5", "d<{ab}>_5"));
}

TEST(Lexer, LinesAreCountedInBoxesAndComments) {
  Lexer lexer("a -- one\n<{\n}>_1 b");
  EXPECT_EQ(lexer.next().line, 1);
  EXPECT_EQ(lexer.next().line, 2);
  EXPECT_EQ(lexer.next().line, 3);
}

TEST(Lexer, PunctuationAfterAHashDecidesWhatItOpens) {
  Lexer lexer("#[a] #{b} #(c) #d");
  EXPECT_EQ(lexer.next().kind, TokenKind::Attr);
  lexer.next(), lexer.next();
  EXPECT_EQ(lexer.next().kind, TokenKind::Certs);
  lexer.next(), lexer.next();
  EXPECT_EQ(lexer.next().kind, TokenKind::Aliases);
  lexer.next(), lexer.next();
  EXPECT_TRUE(lexer.next().is('#'));
}

TEST(Lexer, StringsEndAtTheFirstBareQuote) {
  EXPECT_EQ(tokens(R"("a\"b\\" c)"), (Words{R"(a\"b\\)", "c"}));
  Lexer lexer("\"abc\ndef\"");
  EXPECT_EQ(lexer.next().kind, TokenKind::OpenString);
}

TEST(Lexer, ComparingIgnoresLayoutOnly) {
  EXPECT_FALSE(compare_tokens("a_1 [b_2]\n-- text\n", "a_1[ b_2 ]"));
  auto divergence = compare_tokens("a_1\n\"x y\"", "a_1 \"x  y\"");
  ASSERT_TRUE(divergence);
  EXPECT_EQ(divergence->left.line, 2);
  EXPECT_EQ(divergence->right.text, "x  y");
  EXPECT_TRUE(compare_tokens("\"a\"", "a"));
  EXPECT_TRUE(compare_tokens("a b", "a"));
}

TEST(Strings, QuotingEscapesAsHaskellDoes) {
  EXPECT_EQ(seg::quote("a\"b\\\n\t"), R"("a\"b\\\n\t")");
  EXPECT_EQ(seg::quote(std::string("\0\x1f\x7f", 3)), R"("\NUL\US\DEL")");
  EXPECT_EQ(seg::quote("\xE2\x82\x80"), R"("\8320")");
  EXPECT_EQ(seg::quote("\xE2\x82\x80"
                       "5"),
            R"("\8320\&5")");
  EXPECT_EQ(seg::quote("\x0eH"), R"("\SO\&H")");
  EXPECT_EQ(seg::quote("\x0eS"), R"("\SOS")");
}

TEST(Strings, UnescapingReadsEveryNotation) {
  EXPECT_EQ(unescape(R"(\1234\&5\x41\o101\^A\SOH\SO\&H\'\&)"),
            "\xD3\x92"
            "5AA\x01\x01\x0eH'");
}

TEST(Strings, MalformedEscapesAreRefused) {
  for (const char* text : {"\\", "\\q", "\\x", "\\1114112", "\\^a", "\\99999999999999999999"}) {
    EXPECT_FALSE(unescape(text)) << text;
  }
}

RC_GTEST_PROP(Strings, AnyBytesSurviveQuoting, (const std::string& text)) {
  std::string quoted = seg::quote(text);
  Lexer lexer(quoted);
  Token token = lexer.next();
  RC_ASSERT(token.kind == TokenKind::String);
  RC_ASSERT(lexer.next().kind == TokenKind::End);
  RC_ASSERT(unescape(token.text) == text);
}

}  // namespace
}  // namespace heddle::futhark
