// Which arrays lie the same whichever version makes them.
#include "rewrites/plan/lie_alike.h"

#include <gtest/gtest.h>

#include "frontend_bridge/pipeline.h"
#include "ir/seg/host_stms.h"
#include "ir/seg/printer.h"
#include "ir/seg/verify.h"

namespace heddle::lower {
namespace {

// An array made by columns in one version and by rows in another, or by rows in both, and what reads it.
enum class First { ByColumns, ByRows };
seg::Program versions(First first, const std::string& sort, const std::string& reader) {
  const std::string by_columns = R"(segmap(thread; ; grid=1i64; blocksize=256i64) (i_5 < n_1) (~t_6) : {[m_2]i32} {
      let {row_7 : [m_2]i32} = xs_3[i_5, 0i64 :+ m_2 * 1i64]
      let {more_8 : [m_2]i32} = map(m_2, {row_7}, \ {x_9 : i32} : {i32} -> let {y_10 : i32} = add32(x_9, 1i32) in {y_10})
      return {returns more_8}
    })";
  const std::string by_rows =
      R"(segmap(thread; ; grid=1i64; blocksize=256i64) (i_15 < n_1, j_16 < m_2) (~t_17) : {i32} {
      let {x_18 : i32} = xs_3[i_15, j_16]
      let {y_19 : i32} = add32(x_18, 1i32)
      return {returns y_19}
    })";
  std::string again = by_rows;
  for (const char* name : {"i_15", "j_16", "t_17", "x_18", "y_19"}) {
    for (size_t at = again.find(name); at != std::string::npos; at = again.find(name)) again.replace(at + 2, 1, "3");
  }
  Result<seg::Program> program = read_program(R"(types {}
entry("main", {xs: [][]i32, few: bool}, {[]i32})
  entry_main (n_1 : i64, m_2 : i64, xs_3 : [n_1][m_2]i32, few_4 : bool) : {[n_1]i32} = {
  let {a_20 : [n_1][m_2]i32} = if )" + sort + R"( few_4 then {
    let {columns_11 : [n_1][m_2]i32} = )" + (first == First::ByColumns ? by_columns : again) +
                                                  R"(
    in {columns_11}
  } else {
    let {rows_12 : [n_1][m_2]i32} = )" + by_rows + R"(
    in {rows_12}
  } : {[n_1][m_2]i32}
)" + reader + "\n}",
                                              "test.fut_gpu");
  if (!program) throw std::runtime_error(program.error().message);
  return std::move(*program);
}

// Adds up a column in each of three steps.
std::string in_loop(const std::string& array = "a_20") {
  return R"(  let {start_21 : [n_1]i32} = replicate([n_1], 0i32)
  let {last_22 : [n_1]i32} = loop {sums_23 : [n_1]i32} = {start_21} for k_24:i64 < 3i64 do {
    let {next_25 : [n_1]i32} = segmap(thread; ; grid=1i64; blocksize=256i64) (i_26 < n_1) (~t_27) : {i32} {
      let {old_28 : i32} = sums_23[i_26]
      let {x_29 : i32} = )" +
         array + R"([i_26, 0i64]
      let {y_30 : i32} = add32(old_28, x_29)
      return {returns y_30}
    }
    in {next_25}
  }
  in {last_22})";
}

const std::string kOnce =
    R"(  let {next_25 : [n_1]i32} = segmap(thread; ; grid=1i64; blocksize=256i64) (i_26 < n_1) (~t_27) : {i32} {
    let {x_29 : i32} = a_20[i_26, 0i64]
    return {returns x_29}
  }
  in {next_25})";

size_t copies(const seg::Program& program) {
  NameSource names(program.next_tag());
  const seg::Program alike = lie_alike(program, names);
  EXPECT_TRUE(seg::verify(alike).empty());
  size_t count = 0;
  seg::for_each_host_stm(alike.functions[0].body->stms,
                         [&](const seg::StmPtr& s) { count += std::holds_alternative<seg::Manifest>(s->exp) ? 1 : 0; });
  return count;
}

TEST(LieAlike, VersionsOfWhatALoopReads) { EXPECT_EQ(copies(versions(First::ByColumns, "<equiv>", in_loop())), 1U); }

TEST(LieAlike, ThroughViews) {
  const std::string view = "  let {b_40 : [m_2][n_1]i32} = rearrange((1, 0), a_20)\n";
  EXPECT_EQ(copies(versions(First::ByColumns, "<equiv>", view + in_loop("b_40"))), 1U);
}

TEST(LieAlike, NotWhereTheyDo) { EXPECT_EQ(copies(versions(First::ByRows, "<equiv>", in_loop())), 0U); }

TEST(LieAlike, NotWhatIsReadOnce) { EXPECT_EQ(copies(versions(First::ByColumns, "<equiv>", kOnce)), 0U); }

TEST(LieAlike, NotTheProgramsOwnBranches) { EXPECT_EQ(copies(versions(First::ByColumns, "", in_loop())), 0U); }

}  // namespace
}  // namespace heddle::lower
