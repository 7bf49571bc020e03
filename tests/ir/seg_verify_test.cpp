#include <gtest/gtest.h>

#include "ir/seg/verify.h"
#include "seg_data.h"
#include "seg_mutate.h"

namespace heddle::seg {
namespace {

std::string all_messages(const Program& program) {
  std::string all;
  for (const Problem& p : verify(program)) all += std::to_string(p.line) + ": " + p.message + "\n";
  return all;
}

TEST(SegVerify, AcceptsWhatTheHostCompilerPrints) {
  for (const char* program : kDataPrograms) {
    for (const char* form : kForms)
      EXPECT_EQ(all_messages(data_program(program + std::string(form))), "") << program << form;
  }
}

TEST(SegVerify, NoticesDamage) {
  for (Damage damage : kAllDamage) {
    int tried = 0, noticed = 0;
    for (const char* name : kDataPrograms) {
      for (const char* form : kForms) {
        Program program = data_program(name + std::string(form));
        for (int place = 0, n = 0; n < 10; place = 2 * place + 1 + n % 3, n++) {
          auto damaged = mutate(program, damage, place);
          if (!damaged) break;
          tried++;
          noticed += !verify(*damaged).empty();
        }
      }
    }
    // Another name, or the other result, may be of the same type: then the program is well-formed, but computes
    // something else.
    double least = damage == Damage::SwapResults ? 0.3 : damage == Damage::ReplaceUse ? 0.8 : 1;
    EXPECT_GT(tried, 20) << name(damage);
    EXPECT_GE(noticed, least * tried) << name(damage) << ": " << noticed << " of " << tried;
  }
}

// Each program is a function body with the parameters
// n_1 : i64, x_2 : i32, xs_3 : [n_1]i32, us_4 : *[n_1]i32, b_5 : bool.
struct Wrong {
  const char* name;
  const char* body;
  const char* result;  // "" for {i32}
  const char* message;
};

const Wrong kWrong[] = {
    {"NotBound", "{y_9}", "", "y_9 is not bound here."},
    {"BoundTwice", "let {y_9 : i32} = add32(x_2, x_2) let {y_9 : i32} = add32(x_2, x_2) in {y_9}", "",
     "y_9 is bound although it is in scope already"},
    {"OperandType", "let {y_9 : i32} = add32(x_2, n_1) in {y_9}", "",
     "An operand of add32 must be of type i32, but n_1 is of type i64."},
    {"PatternType", "let {y_9 : i64} = add32(x_2, x_2) in {x_2}", "",
     "y_9 is declared to be of type i64, but its expression yields i32."},
    {"PatternSize", "let {ys_9 : [n_1]i32} = replicate([3i64], x_2) in {x_2}", "",
     "ys_9 is declared to be of type [n_1]i32, but its expression yields [3i64]i32."},
    {"PatternCount", "let {y_9 : i32, z_10 : i32} = add32(x_2, x_2) in {y_9}", "",
     "The statement binds 2 names, but its expression yields 1 value."},
    {"Certificate", "let {y_9 : i32} = #{x_2} add32(x_2, x_2) in {y_9}", "", "A certificate must be of type unit"},
    {"IndexRank", "let {y_9 : i32} = xs_3[0i64, 0i64] in {y_9}", "", "xs_3 has 1 dimensions, but is indexed with 2."},
    {"IndexType", "let {y_9 : i32} = xs_3[x_2] in {y_9}", "", "An index must be of type i64, but x_2 is of type i32."},
    {"NotAnArray", "let {y_9 : i32} = x_2[0i64] in {y_9}", "",
     "What is indexed must be an array, but x_2 is of type i32."},
    {"Permutation", "let {ys_9 : [n_1]i32} = rearrange((1), xs_3) in {x_2}", "",
     "(1) does not permute the 1 dimensions of xs_3."},
    {"UpdateValue", "let {ys_9 : [n_1]i32} = us_4 with [0i64] = n_1 in {x_2}", "",
     "The value written by this update must be of type i32"},
    {"ConsumedTwice",
     "let {ys_9 : [n_1]i32} = us_4 with [0i64] = x_2 let {zs_10 : [n_1]i32} = us_4 with [0i64] = x_2 in {x_2}", "",
     "us_4 is used after it has been consumed"},
    {"UsedAfterConsumption", "let {ys_9 : [n_1]i32} = us_4 with [0i64] = x_2 let {y_10 : i32} = us_4[0i64] in {y_10}",
     "", "us_4 is used after it has been consumed"},
    {"AliasUsedAfterConsumption",
     "let {ys_9 : [n_1]i32} = us_4[0i64 :+ n_1 * 1i64] let {zs_10 : [n_1]i32} = us_4 with [0i64] = x_2 "
     "let {y_11 : i32} = ys_9[0i64] in {y_11}",
     "", "ys_9 is used after us_4, which it may alias, has been consumed"},
    {"NotUnique", "let {ys_9 : [n_1]i32} = xs_3 with [0i64] = x_2 in {x_2}", "",
     "xs_3 is consumed, but may alias xs_3, which is not unique."},
    {"ConsumedInLoop",
     "let {y_9 : i32} = loop {z_10 : i32} = {x_2} for i_11:i64 < n_1 do { "
     "let {zs_12 : [n_1]i32} = us_4 with [i_11] = z_10 in {z_10} } in {y_9}",
     "", "us_4 is consumed in a loop, function or lambda that it is not a parameter of"},
    {"LoopInit", "let {y_9 : i32} = loop {z_10 : i32} = {n_1} for i_11:i64 < n_1 do { {z_10} } in {y_9}", "",
     "Loop parameter z_10 starts as n_1, which is of type i64, but must be of type i32."},
    {"LoopResult", "let {y_9 : i32} = loop {z_10 : i32} = {x_2} for i_11:i64 < n_1 do { {n_1} } in {y_9}", "",
     "Result 0 of the body of a loop must be of type i32, but n_1 is of type i64."},
    {"LoopBound", "let {y_9 : i32} = loop {z_10 : i32} = {x_2} for i_11:i64 < x_2 do { {z_10} } in {y_9}", "",
     "The bound of a loop must be of type i64"},
    {"BranchType", "let {y_9 : i32} = if b_5 then {x_2} else {n_1} : {i32} in {y_9}", "",
     "Result 0 of the body of the default of match must be of type i32, but n_1 is of type i64."},
    {"BranchCondition", "let {y_9 : i32} = if x_2 then {x_2} else {x_2} : {i32} in {y_9}", "",
     "x_2 of type i32 can't match true."},
    {"LambdaArity", "let {ys_9 : [n_1]i32} = map(n_1, {xs_3}, \\ {a_10 : i32, b_11 : i32} : {i32} -> {a_10}) in {x_2}",
     "", "The lambda of map takes 2 parameters, but must take 1."},
    {"LambdaParameter", "let {ys_9 : [n_1]i32} = map(n_1, {xs_3}, \\ {a_10 : i64} : {i32} -> {x_2}) in {x_2}", "",
     "Parameter a_10 of the lambda of map is of type i64, but must be of type i32."},
    {"Width", "let {ys_9 : [2i64]i32} = map(2i64, {xs_3}, \\ {a_10 : i32} : {i32} -> {a_10}) in {x_2}", "",
     "map has width 2i64, but xs_3 is of type [n_1]i32."},
    {"Neutral",
     "let {y_9 : i32} = redomap(n_1, {xs_3}, \\ {a_10 : i32} : {i32} -> {a_10}, "
     "{\\ {p_11 : i32, q_12 : i32} : {i32} -> {p_11}, {0i64}}) in {y_9}",
     "", "The operator of redomap returns {i32}, but its neutral element is of type {i64}."},
    {"Function", "let {y_9 : i32} = apply nowhere(x_2) : {i32} in {y_9}", "", "There is no function nowhere."},
    {"BuiltinArgument", "let {y_9 : f32} = apply sqrt32(x_2) : {f32} in {x_2}", "",
     "An argument of sqrt32 must be of type f32, but x_2 is of type i32."},
    {"Result", "{n_1}", "", "Result 0 of the body of function f must be of type i32, but n_1 is of type i64."},
    {"ResultAlias", "{xs_3}", "{[n_1]i32}", "Result 0 may alias parameter xs_3, but its type does not say so."},
    {"SegmapResult",
     "let {g_20 : i64} = get_size(g, grid_size) let {ys_9 : [n_1]i32} = segmap(thread; ; grid=g_20; blocksize=g_20) "
     "(i_10 < n_1) (~f_11) : {i32} { return {returns i_10} } in {x_2}",
     "", "What a point returns must be of type i32, but i_10 is of type i64."},
    {"SegmapNesting",
     "let {ys_9 : [n_1]i32} = segmap(inblock; ) (i_10 < n_1) (~f_11) : {i32} { return {returns x_2} } in {x_2}", "",
     "An inblock segop must be directly in a block segop."},
};

class SegVerifyRefuses : public testing::TestWithParam<Wrong> {};

TEST_P(SegVerifyRefuses, AndSaysWhy) {
  const Wrong& w = GetParam();
  std::string result = *w.result ? w.result : "{i32}";
  std::string text =
      "types { }\nfun f (n_1 : i64, x_2 : i32, xs_3 : [n_1]i32, us_4 : *[n_1]i32, b_5 : bool) : " + result + " = {\n" +
      w.body + "\n}\n";
  std::string messages = all_messages(parse(text));
  EXPECT_NE(messages.find(w.message), std::string::npos) << messages;
}

INSTANTIATE_TEST_SUITE_P(Wrong, SegVerifyRefuses, testing::ValuesIn(kWrong),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(SegVerify, ChecksEntryPointsAgainstTheirFunctions) {
  std::string head = "types { }\nentry(\"main\", {xs: []i32}, {i32})\n";
  EXPECT_EQ(all_messages(parse(head + "fun_main (n_1 : i64, xs_2 : [n_1]i32) : {i32} = { {0i32} }")), "");
  EXPECT_NE(
      all_messages(parse(head + "fun_main (n_1 : i64, xs_2 : [n_1]i64) : {i32} = { {0i32} }"))
          .find("Parameter 1 of the function of entry point main is of type [n_1]i64, but must be of type []i32."),
      std::string::npos);
  EXPECT_NE(all_messages(parse(head + "fun_main (n_1 : i32, m_2 : i64, xs_3 : [m_2]i32) : {i32} = { {0i32} }"))
                .find("but must be a size, of type i64."),
            std::string::npos);
}

TEST(SegVerify, StopsAfterAHundredProblems) {
  std::string text = "types { }\nfun f (x_1 : i32) : {i32} = {\n";
  for (int i = 0; i < 300; i++) text += "let {y_" + std::to_string(10 + i) + " : i32} = add32(x_1, z_5)\n";
  EXPECT_EQ(verify(parse(text + "in {x_1} }")).size(), 100u);
}

}  // namespace
}  // namespace heddle::seg
