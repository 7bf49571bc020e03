// What keeps the input's text out of C syntax, and what is refused.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "codegen/host/api_names.h"
#include "codegen/host/c_writer.h"
#include "codegen/host/generate.h"
#include "codegen/host/md5.h"
#include "codegen/host/straight.h"
#include "codegen/host/type_table.h"
#include "frontend_bridge/futhark/reader.h"
#include "ir/host/reader.h"
#include "rewrites/host/build.h"
#include "tests/golden/golden.h"
#include "tests/ir/host_examples.h"

namespace heddle::codegen::host {
namespace {

// Of a program without kernels.
Result<heddle::host::Program> on_host(const std::string& text) {
  auto program = futhark::read(text, "test.fut_gpu");
  EXPECT_TRUE(program) << program.error().message;
  lower::PlannedProgram lowered;
  lowered.program = *program;
  return heddle::host::build(lowered);
}

std::string entry(const std::string& params, const std::string& statements) {
  return fmt::format("entry(\"main\", {{}}, {{}})\n  entry_main ({}) : {{}} = {{\n{}\n  in {{}}\n}}\n", params,
                     statements);
}

void expect_refusal(const std::string& text, const std::string& reason) {
  Result<heddle::host::Program> c = on_host(text);
  ASSERT_FALSE(c);
  EXPECT_EQ(c.error().kind, ErrorKind::Unsupported);
  EXPECT_NE(c.error().message.find(reason), std::string::npos) << c.error().message;
}

TEST(HostText, StringsEscapeWhatCouldEndThem) {
  EXPECT_EQ(c_string("a\"b\\c\n"), "\"a\\\"b\\\\c\\n\"");
  EXPECT_EQ(c_string("?\?/"), "\"\\077\\077/\"");
  EXPECT_EQ(c_string(std::string_view("\0001", 2)), "\"\\0001\"");
  EXPECT_EQ(c_string("\xc3\xa9"), "\"\\303\\251\"");
}

TEST(HostText, IdentifiersHoldNothingElse) {
  EXPECT_EQ(c_identifier("a b;}"), "a_b__");
  EXPECT_EQ(c_identifier(""), "v_");
  EXPECT_EQ(c_identifier("1x"), "v_1x");
  EXPECT_EQ(c_identifier("EOF"), "v_EOF");
  EXPECT_EQ(c_identifier("hd_fail"), "v_hd_fail");
  EXPECT_LE(c_identifier(std::string(1000, 'x')).size(), 60u);
}

TEST(HostText, HashesAreThoseOfTheStandard) {
  EXPECT_EQ(md5(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(md5("abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(md5("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
            "57edf4a22be3c955ac49da2e2107b67a");
}

TEST(HostText, TypesOfTheCApiAreNamedAsFutharkNamesThem) {
  EXPECT_EQ(opaque_name("point"), "opaque_point");
  EXPECT_EQ(opaque_name("()"), "opaque_unit");
  EXPECT_EQ(opaque_name("[][](i32, (f32, u8))"), "opaque_arr2d_tup2_i32_tup2_f32_u8");
  EXPECT_EQ(opaque_name("t'"), "opaque_" + md5("t'"));
  EXPECT_EQ(opaque_name("{a:i32}"), "opaque_" + md5("{a:i32}"));
  EXPECT_EQ(opaque_name("(i32"), "opaque_" + md5("(i32"));
  EXPECT_EQ(opaque_name("_t"), "opaque_" + md5("_t"));
  EXPECT_EQ(opaque_name("\xc3\xa9"), "opaque_" + md5("\xc3\xa9"));
  EXPECT_EQ(opaque_name(""), "opaque_" + md5(""));
  std::string deep(1000000, '(');
  EXPECT_EQ(opaque_name(deep), "opaque_" + md5(deep));
  EXPECT_EQ(escaped_name("f'"), "fzq");
  EXPECT_EQ(escaped_name("_f"), "_f");
  EXPECT_EQ(escaped_name("1zZ;}"), "z31UzzZZz3bUz7dU");
  EXPECT_EQ(escaped_suffix("1z"), "1z");
  EXPECT_EQ(api_type({prim::Type::F16, false, 2}), "uint16_t");
  EXPECT_EQ(api_type({prim::Type::I8, true, 0}), "uint8_t");
  EXPECT_EQ(array_name({prim::Type::I8, true, 3}), "u8_3d");
}

void expect_no_library(const std::string& types, const std::string& reason) {
  std::string text = "types {\n" + types + "\n}\n" + entry("", "");
  Result<Library> library = generate_library(*on_host(text), Target::Cpu, "p", "1");
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().kind, ErrorKind::Input);
  EXPECT_EQ(library.error().message, reason);
}

TEST(HostText, TypesThatLibrariesCannotTakeApartAreRefused) {
  expect_no_library("type \"e\" = opaque {\nf32\n}\ntype \"[]e\" = array 1d \"e\" {\nf32\n}",
                    "the type \"[]e\" is not an array of \"e\"");
  expect_no_library("type \"e\" = record {\na: f32\n}\ntype \"[]e\" = record_array 1d \"e\" {\na: []f64\n}",
                    "the type \"[]e\" is not an array of \"e\"");
  expect_no_library("type \"s\" = sum {\n[i8, i32]\n#a (f32, [1])\n}",
                    "the values of the sum type \"s\" do not hold all of its variants");
  expect_no_library("type \"s\" = sum {\n[i32]\n#a\n}",
                    "the values of the sum type \"s\" do not hold all of its variants");
}

TEST(HostText, KernelTextStaysWithinTheLongestLiterals) {
  std::string c = generate(*on_host(entry("", "")), {Target::Cuda, Mode::Server, "p"});
  size_t begin = c.find("device_text[]"), end = c.find("NULL,", begin);
  ASSERT_NE(end, std::string::npos);
  size_t piece = 0, longest = 0;
  for (size_t i = c.find('\n', begin) + 1; i < end;) {
    size_t next = c.find('\n', i) + 1;
    piece += next - i;
    longest = std::max(longest, piece);
    if (next >= 2 && c[next - 2] == ',') piece = 0;
    i = next;
  }
  EXPECT_GT(longest, 100u);
  // Escapes make the source a little longer than what it stands for.
  EXPECT_LT(longest, 4600u);
}

// Whether all loops of an entry point with these statements launch kernels.
bool straight(const std::string& statements) {
  auto program = heddle::host::read("entry `main` () : ()\ntakes (n_1: i64, c_2: bool) {\n" + statements + "}\n");
  EXPECT_TRUE(program) << (program ? "" : program.error().message);
  return every_loop_launches(program->functions[0].body);
}

std::string loop(const std::string& body) { return "loop () for i_7 < n_1 {\n" + body + "}\n"; }

TEST(HostText, FunctionsAreStraightWhereEveryLoopLaunchesAKernel) {
  const std::string kernel = "launch 0 () ();\n", scalar = "let z_6: i64 = n_1 + 1;\n";
  EXPECT_TRUE(straight(""));
  EXPECT_TRUE(straight(loop(kernel)));
  EXPECT_TRUE(straight(loop(scalar + kernel)));
  EXPECT_TRUE(straight(loop("if c_2 {\n" + kernel + "} else {\n" + kernel + "}\n")));
  EXPECT_FALSE(straight(loop(scalar)));
  EXPECT_FALSE(straight(kernel + loop(scalar)));
  EXPECT_FALSE(straight(loop(kernel + loop(scalar))));
  EXPECT_FALSE(straight(loop("if c_2 {\n" + kernel + "} else {\n}\n")));
}

TEST(HostText, EachStatementIsAFewLinesOfC) {
  auto program = heddle::host::read(heddle::host::examples::kEverything);
  ASSERT_TRUE(program) << program.error().message;
  std::string c = generate(*program, {Target::Cuda, Mode::Server, "p"});
  size_t begin = c.find("static void tile_geometry0");
  std::string geometry = c.substr(begin, c.find("// ---- Host functions", begin) - begin);
  begin = c.find("static int init_constants");
  EXPECT_GOLDEN("codegen/host/every_statement.txt",
                geometry + c.substr(begin, c.find("static const struct hd_param_type", begin) - begin));
}

TEST(HostText, AProcessorsHostReadsAndWritesElementsWhereTheyAre) {
  auto program = heddle::host::read(
      "entry `main` () : ()\ntakes (a_1: f32[][], n_2: i64) {\n"
      "read x_3: f32 = a_1[n_2][1];\nread y_4: f32 = a_1[0][1];\nwrite a_1[1][0] := x_3;\n}\n");
  ASSERT_TRUE(program) << program.error().message;
  const std::string c = generate(*program, {Target::Cpu, Mode::Server, "p"});
  EXPECT_NE(c.find("  float y_4 = ((float *)in[0].array.mem->address)[in[0].array.offset + "), std::string::npos);
  EXPECT_NE(c.find(".stride[1]] = x_3;"), std::string::npos);
  EXPECT_EQ(c.find("TRY(hd_array_write("), std::string::npos);
  const std::string cuda = generate(*program, {Target::Cuda, Mode::Server, "p"});
  EXPECT_NE(cuda.find("TRY(hd_array_read_all(ctx, 2, "), std::string::npos);
  EXPECT_NE(cuda.find("TRY(hd_array_write(ctx, "), std::string::npos);
}

// Once between launches is enough, but what only a branch or a step of a loop has seen is not seen behind it.
TEST(HostText, AProcessorsHostSeesFailuresOnceBetweenLaunches) {
  const auto order = [](const std::string& body) {
    auto program = heddle::host::read(
        "kernel k_1(xs_2: global f32[1]) {\n  for i_3 in 1 (grid) {\n    for t_4 in 1 (block) {\n      xs_2[0] := "
        "1.0f32;\n"
        "    }\n  }\n}\nentry `main` (`a`: f32[], `n`: i64, `c`: bool) : ()\ntakes (a_5: f32[], n_6: i64, c_7: bool) "
        "{\n" +
        body + "}\n");
    EXPECT_TRUE(program) << program.error().message;
    if (!program) return std::string();
    const std::string c = generate(*program, {Target::Cpu, Mode::Server, "p"});
    std::string found;
    for (size_t at = c.find("static int run0_main"); at < c.size(); ++at) {
      if (c.compare(at, 16, "hd_see_failures(") == 0) found += "see ";
      if (c.compare(at, 12, "mem->address") == 0) found += "read ";
      if (c.compare(at, 17, "struct hd_launch ") == 0) found += "launch ";
    }
    return found;
  };
  const std::string x = "read x_8: f32 = a_5[0];\n", y = "read y_9: f32 = a_5[1];\n", launch = "launch 0 () (a_5);\n";
  const auto loop = [](const std::string& body) { return "loop () for i_10 < n_6 {\n" + body + "}\n"; };
  const auto branch = [](const std::string& body) { return "if c_7 {\n" + body + "} else {\n}\n"; };
  EXPECT_EQ(order(x + y), "see read read ");
  EXPECT_EQ(order(x + launch + y), "see read launch see read ");
  EXPECT_EQ(order(loop(x) + y), "see read see read ");
  EXPECT_EQ(order(y + loop(x)), "see read read ");
  EXPECT_EQ(order(y + loop(x + launch)), "see read see read launch ");
  EXPECT_EQ(order(branch(x) + y), "see read see read ");
  EXPECT_EQ(order(y + branch(launch) + x), "see read launch see read ");
}

TEST(HostText, Refusals) {
  std::string rank17;
  for (int i = 0; i < 17; ++i) rank17 += "[1i64]";
  expect_refusal(entry("", "  let {a_1 : " + rank17 + "i32} =\n    scratch(i32, 1i64)"), "16 dimensions");
  expect_refusal("fun f (x_1 : i32) : {i32} = {\n  in {x_1}\n}\n", "function f");
  expect_refusal(entry("x_1 : i32", "  let {y_2 : i32} =\n    apply g(x_1) : {i32}"), "function g");
  expect_refusal(entry("n_1 : i64, a_2 : [n_1]i32",
                       "  let {b_3 : [n_1]i32} =\n    map(n_1, {a_2}, \\ {x_4 : i32} : {i32} -> {x_4})"),
                 "map, reduce and scan outside kernels (line 3");
  expect_refusal(entry("n_1 : i64",
                       "  let {a_2 : [n_1]i64} =\n    segmap(thread; ; )\n    (i_3 < n_1) (~t_4) : {i64} {\n"
                       "      return {returns i_3}\n    }"),
                 "this segmap");
}

TEST(HostText, TypesListTheirConstituentsInOrder) {
  auto program = futhark::read(
      "types {\n  type \"inner\" = record {\n    a: u8\n    b: [][]f64\n  }\n"
      "  type \"outer\" = record {\n    0: i64\n    1: opaque \"inner\"\n    2: []bool\n  }\n"
      "  type \"loop\" = record {\n    self: opaque \"loop\"\n  }\n}\n",
      "types.fut_gpu");
  ASSERT_TRUE(program) << program.error().message;
  heddle::host::Program on_host;
  on_host.types = program->types;
  TypeTable table(on_host);
  std::vector<seg::ValueType> expected{{prim::Type::I64, false, 0},
                                       {prim::Type::I8, true, 0},
                                       {prim::Type::F64, false, 2},
                                       {prim::Type::Bool, false, 1}};
  EXPECT_EQ(table.constituents(seg::OpaqueRef{"outer"}), expected);
  EXPECT_TRUE(table.constituents(seg::OpaqueRef{"loop"}).empty());
  EXPECT_EQ(TypeTable::name(seg::ValueType{prim::Type::I16, true, 2}), "[][]u16");
}

}  // namespace
}  // namespace heddle::codegen::host
