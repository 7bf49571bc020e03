#include "ir/nest/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ir/nest/lexer.h"
#include "ir/nest/printer.h"
#include "tests/golden/golden.h"
#include "tests/ir/nest_examples.h"

namespace heddle::nest {
namespace {

using namespace examples;
using prim::Type;
using testing::HasSubstr;

// What is lost on the way through the text, or nothing.
std::string lost(const Kernel& k) {
  std::string text = to_text(k);
  Result<Kernel> again = read_kernel(text);
  if (!again) return again.error().message;
  if (!equal_kernels(k, *again)) return "another kernel was read from\n" + text;
  return to_text(*again) == text ? "" : "other names were read from\n" + text;
}

std::string refusal(std::string_view text) {
  Result<std::vector<Kernel>> kernels = read(text);
  return kernels ? "" : kernels.error().message;
}

Kernel with_body(Block body) {
  Kernel k;
  k.name = "f";
  k.body = std::move(body);
  return k;
}

TEST(NestReader, Examples) {
  for (const Kernel& k : {copy(), matmul(), tiled_matmul(), block_sums(), warp_sums(), rotated(), histogram(),
                          histogram(false), checked_roots()}) {
    EXPECT_EQ(lost(k), "");
  }
}

TEST(NestReader, EveryOperatorAndFunction) {
  Name x{"x", 1}, y{"y", 2}, z{"z", 3};
  auto check = [&](const std::string& name, std::vector<Type> types, auto make) {
    std::vector<Name> names = {x, y, z};
    Kernel k;
    k.name = name;
    std::vector<Expr> args;
    for (size_t i = 0; i < types.size(); ++i) {
      k.scalars.push_back({names[i], types[i]});
      args.push_back(var(names[i], types[i]));
    }
    k.body = {examples::let(Name{"r", 4}, make(args))};
    EXPECT_EQ(lost(k), "");
  };
  for (const prim::Op& op : prim::all_ops()) {
    check(prim::name(op), std::vector<Type>(prim::arity(op), prim::arg_type(op)),
          [&](const std::vector<Expr>& args) { return operation(op, args); });
    EXPECT_EQ(prim::find_function(prim::name(op)), nullptr) << "names of operators are none of functions";
  }
  for (const prim::Function& f : prim::all_functions()) {
    check(f.name, {f.arg_types().begin(), f.arg_types().end()},
          [&](const std::vector<Expr>& args) { return call(&f, args); });
  }
}

TEST(NestReader, Constants) {
  Block body;
  int tag = 0;
  for (Type type : {Type::I8, Type::I16, Type::I32, Type::I64}) {
    for (int64_t x :
         {int64_t{0}, int64_t{1}, int64_t{-1}, INT64_MAX, INT64_MIN, INT64_MIN >> (64 - 8 * prim::size_bytes(type))}) {
      body.push_back(examples::let(Name{"x", ++tag}, constant(prim::Value::of_int(type, x))));
    }
  }
  for (Type type : {Type::F16, Type::F32, Type::F64}) {
    for (double x : {0.0, -0.0, 0.1, -1e-7, 65504.0, 1.5e300, -HUGE_VAL, HUGE_VAL, std::nan(""), 5e-324}) {
      body.push_back(examples::let(Name{"x", ++tag}, constant(prim::Value::of_float(type, x))));
    }
  }
  for (prim::Value v : {prim::Value::of_bool(true), prim::Value::of_bool(false), prim::Value::unit()}) {
    body.push_back(examples::let(Name{"x", ++tag}, constant(v)));
  }
  EXPECT_EQ(lost(with_body(body)), "");
}

TEST(NestReader, Names) {
  Kernel k;
  int tag = 0;
  for (std::string base :
       {"x",        "x'",   "",      "_",    "a_1",     "log10", "9lives", "+",   "two words", "`",  "\\",      "a\nb",
        "\xc3\xa6", "\xff", "\\x41", "\x7f", "f64.nan", "--",    "\"",     "let", "true",      "x_", "(serial)"}) {
    Name n{base, tag++};
    k.scalars.push_back({n, Type::I64});
    k.body.push_back(loop(Role::Serial, Name{base, tag++}, v(n), {}));
  }
  for (const char* name : {"f", "two words", "f_1", "let", "", "`"}) {
    k.name = name;
    EXPECT_EQ(lost(k), "");
  }
}

TEST(NestReader, TheWholeHeadOfAKernel) {
  Name c{"C", 1}, n{"n", 2}, u{"u", 3}, b{"b", 4}, at{"at", 5}, strided{"strided", 6}, one{"one", 7};
  Kernel k{"head",
           {{n, Type::I64}, {u, Type::Unit}},
           {buffer(b, Type::F16, Space::Global, {v(n), add(v(c), i64(1))}),
            {strided, Type::Bool, Space::Global, {v(n), v(n)}, {i64(1), v(n)}},
            buffer(one, Type::I8, Space::Global, {})},
           {stmt(Alloc{buffer(at, Type::I64, Space::Register, {})})},
           {c},
           {n, at},
           LaunchBounds{mul(v(c), i64(32)), i64(64)},
           true};
  EXPECT_EQ(lost(k), "");
  EXPECT_GOLDEN("ir/nest_printer/head.nest", to_text(k));
}

TEST(NestReader, EveryStatement) {
  Name n{"n", 1}, a{"a", 2}, t{"t", 3}, old{"old", 4}, x{"x", 5};
  Expr o = var(old, Type::I32);
  Kernel k = with_body({
      stmt(Alloc{buffer(t, Type::I32, Space::Shared, {i64(4)})}),
      stmt(AsyncCopy{t, {i64(0)}, a, {v(n)}, i64(4), less(v(n), i64(3))}),
      stmt(AsyncCopy{t, {i64(0)}, a, {v(n)}, i64(4), less(v(n), i64(3)), true}),
      stmt(AsyncCommit{}),
      stmt(AsyncWait{sub(v(n), i64(1))}),
      barrier(),
      barrier(Scope::Warp),
      stmt(Shuffle{Name{"other", 6}, nest::load(t, Type::I32, {v(n)}), sub(v(n), i64(1))}),
      stmt(AtomicUpdate{a, {i64(0)}, old, {}, o}),
      stmt(AtomicUpdate{a, {i64(0)}, old, {examples::let(x, o)}, var(x, Type::I32)}),
      stmt(Locked{a, {v(n)}, {store(t, {i64(1)}, constant(prim::Value::i32(2)))}}),
      stmt(While{less(v(n), i64(1)), {barrier(Scope::Warp)}}),
      stmt(While{less(v(n), i64(1)), {barrier(Scope::Warp)}, 700}),
      stmt(If{less(v(n), i64(-1)), {stmt(Fail{3, {v(n), f32(0.5)}})}, {stmt(Fail{4, {}})}}),
      stmt(If{less(v(n), i64(0)), {}, {stmt(Fail{0, {}})}}),
      stmt(If{less(v(n), i64(0)), {}, {}}),
  });
  k.scalars = {{n, Type::I64}};
  k.buffers = {buffer(a, Type::I32, Space::Global, {v(n)})};
  for (Role role : {Role::Grid, Role::Block, Role::Warp, Role::Lane, Role::Serial, Role::Unrolled, Role::Vector}) {
    k.body.push_back(loop(role, Name{"i", 10}, v(n), {store(a, {v(Name{"i", 10})}, constant(prim::Value::i32(1)))}));
  }
  EXPECT_EQ(lost(k), "");
  EXPECT_GOLDEN("ir/nest_printer/every_statement.nest", to_text(k));
}

// A name that looks like a function, in front of a role in parentheses.
TEST(NestReader, ANameIsNoCallBeforeARole) {
  Result<Kernel> k = read_kernel("kernel f(log10_32: i64) { for i_1 in log10_32 (serial) { } }");
  ASSERT_TRUE(k) << k.error().message;
  EXPECT_EQ(lost(*k), "");
}

TEST(NestReader, ReadsWhatPeopleWrite) {
  Result<std::vector<Kernel>> kernels = read(R"(-- two kernels
kernel f(n_1: i64, a_2: global f32[n_1]) { a_2[n_1 - 1 + 0] := 1.5f32; } -- the last element
kernel g() { let x_1: bool = 1 < 2 && !(3 <= 2); let y_2: i64 = add_nw64(1, - 2) * (ceil(7 / 2) - 5 % 3); }
)");
  ASSERT_TRUE(kernels) << kernels.error().message;
  ASSERT_EQ(kernels->size(), 2u);
  EXPECT_EQ(to_text((*kernels)[0].body), "a_2[n_1 - 1] := 1.5f32;\n");
  EXPECT_EQ(to_text((*kernels)[1].body), "let x_1: bool = true;\nlet y_2: i64 = -2;\n");
  EXPECT_TRUE(read("")->empty());
  EXPECT_EQ(read_kernel("").error().message, "nest: expected one kernel, but found 0");
}

TEST(NestReader, NamesEndWithTheirBlock) {
  EXPECT_EQ(refusal("kernel f() { if true { let x_1: i64 = 1; let y_2: i64 = x_1; } let x_1: i32 = 1i32; }"), "");
  EXPECT_THAT(refusal("kernel f() { if true { let x_1: i64 = 1; } let y_2: i64 = x_1; }"),
              HasSubstr("no variable x_1 is in scope"));
  EXPECT_THAT(refusal("kernel f() { for i_1 in i_1 (serial) { } }"), HasSubstr("no variable i_1 is in scope"));
  EXPECT_THAT(refusal("kernel f() { } kernel g(a_1: global f32[n_2]) { }"), HasSubstr("no variable n_2"));
}

TEST(NestReader, ErrorsSayWhereAndWhat) {
  EXPECT_EQ(refusal("kernel f(n_1: i64) {\n  let x_2: i64 = n_1 + ;\n}\n"),
            "nest:2:24: expected an expression, but found `;`\n    let x_2: i64 = n_1 + ;\n                         ^");
  struct Case {
    const char* body;
    const char* message;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"let x_3: i64 = 1i32;", "the value of x_3 is i32, not i64"},
           {"let x_3: i32 = n_1 + 1i32;", "an operand of `+` is i32, not i64"},
           {"let x_3: i64 = n_1 +% true;", "an operand of `+%` is bool, not i64"},
           {"let x_3: bool = true + true;", "`+` takes no operands of type bool"},
           {"let x_3: i64 = !n_1;", "`!` takes no operands of type i64"},
           {"let x_3: bool = -true;", "`-` takes no operands of type bool"},
           {"let x_3: i64 = n_1 ? 1 : 2;", "the condition before `?` is i64, not bool"},
           {"let x_3: i64 = true ? 1 : 2i32;", "`?` chooses between i64 and i32"},
           {"let x_3: bool = n_1 < 2 < 3;", "expected `;`, but found `<`"},
           {"let x_3: i64 = n_1 & 2 | 3;", "expected `;`, but found `|`"},
           {"let x_3: i64 = ceil(n_1);", "expected `/`, a divisor and `)`, but found `)`"},
           {"let x_3: i64 = ceil(n_1 / 2 * 3);", "expected `/`, a divisor and `)`, but found `)`"},
           {"let x_3: f32 = ceil(1.0f32 / 2.0f32);", "`ceil` takes no operands of type f32"},
           {"let x_3: i64 = min(1);", "`min` takes 2 operands, not 1"},
           {"let x_3: i64 = min();", "`min` takes operands"},
           {"let x_3: f32 = sqrt32(1);", "`sqrt32` takes other arguments"},
           {"let x_3: f32 = sqrt33(1);", "there is no function `sqrt33`"},
           {"let x_3: i64 = a_2;", "a_2 is a buffer; an element of it has [ ]"},
           {"let x_3: i64 = n_1[0];", "no buffer n_1 is in scope"},
           {"let x_3: i64 = 9223372036854775808;", "expected a number of some type"},
           {"let x_3: i8 = 128i8;", "expected a number of some type"},
           {"let x_03: i64 = 1;", "expected a name with its tag, but found `x_03`"},
           {"let x_1234567890: i64 = 1;", "expected a name with its tag"},
           {"let `x_3: i64 = 1;", "expected a name with its tag, but found a backquote without another one"},
           {"let x_3: i65 = 1;", "expected a type, but found `i65`"},
           {"a_2[0] = 1.0f32;", "expected `:=`, but found `=`"},
           {"a_2 := 1.0f32;", "expected `[`, but found `:=`"},
           {"alloc b_3: shared f32[1i32][2];", "sizes are of type i64"},
           {"alloc b_3: local f32;", "expected `global`, `shared` or `register`, but found `local`"},
           {"for i_3 in 5 (parallel) { }", "expected the role of the loop, but found `parallel`"},
           {"fail x;", "expected the number of a failure, but found `x`"},
           {"fail -1();", "expected the number of a failure, but found `-`"},
           {"return;", "expected a statement or `}`, but found `return`"},
           {"\x01", "expected a statement or `}`, but found `?`"},
           {"if true {", "expected a statement or `}`, but found the end of the text"},
       }) {
    EXPECT_THAT(refusal("kernel f(n_1: i64, a_2: global f32[n_1]) {\n  " + std::string(c.body) + "\n}\n"),
                HasSubstr(c.message))
        << c.body;
  }
  EXPECT_THAT(refusal("kernel f(a_1: global f32, n_2: i64) { }"),
              HasSubstr("constants and scalars stand before buffers"));
  EXPECT_THAT(refusal("kernel f(n_2: i64, c_1: constant) { }"), HasSubstr("constants stand before scalars"));
}

std::string times(int n, const std::string& text) {
  std::string all;
  for (int i = 0; i < n; ++i) all += text;
  return all;
}

// Deep trees are refused before whoever walks over them runs out of stack.
TEST(NestReader, DepthIsBounded) {
  constexpr int kDeep = 100000;
  std::string let = "kernel f(x_1: i64) { let y_2: i64 = ";
  EXPECT_THAT(refusal(let + times(kDeep, "(")), HasSubstr("nested deeper than"));
  EXPECT_THAT(refusal(let + times(kDeep, "- ")), HasSubstr("nested deeper than"));
  EXPECT_THAT(refusal(let + times(kDeep, "min(x_1, ")), HasSubstr("nested deeper than"));
  EXPECT_THAT(refusal(let + times(kDeep, "true ? 1 : ")), HasSubstr("nested deeper than"));
  EXPECT_THAT(refusal(let + "1" + times(kDeep, " + x_1") + "; }"), HasSubstr("an expression of more than"));
  EXPECT_THAT(refusal(let + times(500, "(") + "x_1" + times(500, times(500, " + x_1") + ")") + "; }"),
              HasSubstr("an expression of more than"));
  EXPECT_THAT(refusal("kernel f() { " + times(kDeep, "if true { ")), HasSubstr("nested deeper than"));
  EXPECT_THAT(refusal("kernel f() { " + times(kDeep, "if true { } else { ")), HasSubstr("nested deeper than"));
  EXPECT_EQ(refusal(let + times(200, "(") + "x_1" + times(200, ") + x_1") + "; }"), "");
}

// Whatever is done to a text, it is refused with a place and a reason, or read into what prints and reads the same.
TEST(NestReader, SpoiltTexts) {
  std::mt19937 random(1);
  auto below = [&](size_t n) { return random() % n; };
  int refused = 0, read_anyway = 0;
  for (const Kernel& k : {copy(), tiled_matmul(), block_sums(), histogram(), checked_roots()}) {
    std::string text = to_text(k);
    std::vector<Token> all = tokens(text);
    for (int round = 0; round < 400; ++round) {
      std::string spoilt = text;
      for (size_t changes = 1 + below(3); changes > 0; --changes) {
        size_t at = below(spoilt.size());
        const Token& t = all[below(all.size())];
        switch (below(4)) {
          case 0:
            spoilt.erase(at, 1 + below(10));
            break;
          case 1:
            spoilt.insert(at, t.text);
            break;
          case 2:
            spoilt[at] = static_cast<char>(below(256));
            break;
          default:
            spoilt.replace(t.offset < spoilt.size() ? t.offset : at, t.text.size(), all[below(all.size())].text);
        }
      }
      Result<std::vector<Kernel>> kernels = read(spoilt);
      if (!kernels) {
        ++refused;
        EXPECT_THAT(kernels.error().message, testing::StartsWith("nest:"));
        continue;
      }
      ++read_anyway;
      for (const Kernel& read : *kernels) EXPECT_EQ(lost(read), "");
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(read_anyway, 50);
}

}  // namespace
}  // namespace heddle::nest
