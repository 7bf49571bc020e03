// Which arrays are laid out by columns before a loop of the host, or a single operation.
#include "rewrites/plan/columns_first.h"

#include <gtest/gtest.h>

#include "frontend_bridge/pipeline.h"
#include "ir/seg/host_stms.h"
#include "ir/seg/printer.h"
#include "ir/seg/verify.h"

namespace heddle::lower {
namespace {

seg::Program parsed(const std::string& text) {
  Result<seg::Program> program = read_program(text, "test.fut_gpu");
  if (!program) throw std::runtime_error(program.error().message);
  return std::move(*program);
}

// Three steps, in each of which every point adds up a row. `more` is what else the point does with the rows.
seg::Program steps(const std::string& more) {
  std::string text = R"(types {}
entry("main", {xs: [][]i32}, {[]i32})
  entry_main (n_1 : i64, m_2 : i64, xs_3 : [n_1][m_2]i32) : {[n_1]i32} = {
  let {starts_4 : [n_1]i32} = replicate([n_1], 0i32)
  let {last_5 : [n_1]i32} = loop {sums_6 : [n_1]i32} = {starts_4} for k_7:i64 < 3i64 do {
    let {next_8 : [n_1]i32} =
      segmap(thread; ; grid=1i64; blocksize=256i64) (i_9 < n_1) (~t_10) : {i32} {
        let {old_11 : i32} = sums_6[i_9]
        let {row_12 : [m_2]i32} = xs_3[i_9, 0i64 :+ m_2 * 1i64])" +
                     more + R"(
        let {sum_13 : i32} = loop {acc_14 : i32} = {old_11} for j_15:i64 < m_2 do {
          let {x_16 : i32} = row_12[j_15]
          let {next_17 : i32} = add32(acc_14, x_16)
          in {next_17}
        }
        return {returns sum_13}
      }
    in {next_8}
  }
  in {last_5}
})";
  return parsed(text);
}

// Three steps, in each of which the sums of all rows are added up.
seg::Program sums_of_rows(const std::string& comm) {
  std::string text = R"(types {}
entry("main", {xs: [][]i32}, {[]i32})
  entry_main (n_1 : i64, m_2 : i64, xs_3 : [n_1][m_2]i32) : {[1i64]i32} = {
  let {start_4 : [1i64]i32} = replicate([1i64], 0i32)
  let {last_5 : [1i64]i32} = loop {sum_6 : [1i64]i32} = {start_4} for k_7:i64 < 3i64 do {
    let {next_8 : [1i64]i32} =
      segred(thread; ; grid=1i64; blocksize=256i64) (one_9 < 1i64, i_10 < n_1) (~t_11)
      ({0i32}, , )" + comm +
                     R"(\ {a_12 : i32, b_13 : i32} : {i32} -> let {c_14 : i32} = add32(a_12, b_13) in {c_14}) : {i32} {
        let {old_15 : i32} = sum_6[0i64]
        let {of_row_16 : i32} = loop {acc_17 : i32} = {old_15} for j_18:i64 < m_2 do {
          let {x_19 : i32} = xs_3[i_10, j_18]
          let {next_20 : i32} = add32(acc_17, x_19)
          in {next_20}
        }
        return {returns of_row_16}
      }
    in {next_8}
  }
  in {last_5}
})";
  return parsed(text);
}

// Every point runs through its row once, or as often as there are numbers.
seg::Program rows_and_numbers(bool again, const std::string& points, const std::string& width = "m_2") {
  const std::string once =
      R"(redomap(@, {row_8}, \ {x_9 : i32} : {i32} -> in {x_9}, {\ {a_10 : i32, b_11 : i32} : {i32} ->
          let {c_12 : i32} = add32(a_10, b_11) in {c_12}, {0i32}}))";
  std::string text =
      R"(types {}
entry("main", {xs: [][]i32, ys: [][]i32}, {[][]i32})
  entry_main (n_1 : i64, m_2 : i64, k_3 : i64, xs_4 : [n_1][@]i32, ys_5 : [k_3][@]i32) : {[)" +
      points + "][k_3]i32} = {\n  let {sums_6 : [" + points +
      "][k_3]i32} = segmap(thread; ; grid=1i64; blocksize=256i64) (i_7 < " + points + R"() (~t_13) : {[k_3]i32} {
      let {row_8 : [@]i32} = xs_4[i_7, 0i64 :+ @ * 1i64]
      let {of_row_14 : [k_3]i32} = )" +
      (again ? "map(k_3, {ys_5}, \\ {y_15 : [@]i32} : {i32} -> let {s_16 : i32} = " + once + " in {s_16})"
             : std::string("replicate([k_3], 0i32)\n      let {s_16 : i32} = ") + once) +
      R"(
      return {returns of_row_14}
    }
  in {sums_6}
})";
  for (size_t at = text.find('@'); at != std::string::npos; at = text.find('@')) text.replace(at, 1, width);
  return parsed(text);
}

// Every point of two indices takes the sums of its rows' rows, and adds up their squares, or the sums; or has them for a result.
enum class Sums { Squared, Added, Kept };
seg::Program rows_of_rows(Sums sums) {
  const std::string add =
      R"({\ {a_10 : i32, b_11 : i32} : {i32} -> let {c_12 : i32} = add32(a_10, b_11) in {c_12}, {0i32}})";
  const std::string row = R"(\ {row_13 : [d_3]i32} : {i32} ->
        let {sum_14 : i32} = redomap(d_3, {row_13}, \ {x_9 : i32} : {i32} -> in {x_9}, )" +
                          add + R"()
        in {sum_14})";
  const std::string kept = sums == Sums::Kept ? "[m_2]" : "";
  std::string point = "let {all_15 : [m_2]i32} = map(m_2, {rows_8}, " + row + ")\n";
  if (sums == Sums::Added) point = "let {all_15 : i32} = redomap(m_2, {rows_8}, " + row + ", " + add + ")\n";
  if (sums == Sums::Squared)
    point += R"(      let {sum_16 : i32} = redomap(m_2, {all_15}, \ {y_17 : i32} : {i32} ->
        let {z_18 : i32} = mul32(y_17, y_17) in {z_18}, )" +
             add + ")\n";
  return parsed(R"(types {}
entry("main", {xs: [][][]i32}, {[][])" +
                std::string(sums == Sums::Kept ? "[]" : "") + R"(i32})
  entry_main (n_1 : i64, m_2 : i64, d_3 : i64, k_20 : i64, xs_4 : [n_1][m_2][d_3]i32) : {[k_20][n_1])" +
                kept + R"(i32} = {
  let {sums_6 : [k_20][n_1])" +
                kept + R"(i32} = segmap(thread; ; grid=1i64; blocksize=256i64) (j_5 < k_20, i_7 < n_1) (~t_19) : {)" +
                kept + R"(i32} {
      let {rows_8 : [m_2][d_3]i32} = xs_4[i_7, 0i64 :+ m_2 * 1i64, 0i64 :+ d_3 * 1i64]
      )" + point +
                "      return {returns " + (sums == Sums::Squared ? "sum_16" : "all_15") + R"(}
    }
  in {sums_6}
})");
}

// Every point runs through its row once, or in each step of a loop around.
seg::Program rows_in_loops(bool again) {
  std::string inner = R"(loop {acc_9 : i32} = {@} for j_10:i64 < m_2 do {
          let {x_11 : i32} = xs_3[i_5, j_10]
          let {y_12 : i32} = add32(acc_9, x_11)
          in {y_12}
        })";
  inner.replace(inner.find('@'), 1, again ? "sum_7" : "0i32");
  const std::string point =
      again ? "loop {sum_7 : i32} = {0i32} for k_8:i64 < 3i64 do {\n let {s_13 : i32} = " + inner + "\n in {s_13} }"
            : inner;
  return parsed(R"(types {}
entry("main", {xs: [][]i32}, {[]i32})
  entry_main (n_1 : i64, m_2 : i64, xs_3 : [n_1][m_2]i32) : {[n_1]i32} = {
  let {sums_4 : [n_1]i32} =
    segmap(thread; ; grid=1i64; blocksize=256i64) (i_5 < n_1) (~t_6) : {i32} {
      let {sum_14 : i32} = )" +
                point + R"(
      return {returns sum_14}
    }
  in {sums_4}
})");
}

// Every point adds up the products of each of its row's rows with each other, or the elements of each.
seg::Program products_of_rows(bool with_each_other) {
  const std::string add =
      R"({\ {a_10 : i32, b_11 : i32} : {i32} -> let {c_12 : i32} = add32(a_10, b_11) in {c_12}, {0i32}})";
  const std::string products = R"(map(m_2, {numbers_20}, \ {l_21 : i64} : {i32} ->
          let {other_22 : [d_3]i32} = xs_4[i_7, l_21, 0i64 :+ d_3 * 1i64]
          let {sum_23 : i32} = redomap(d_3, {row_14, other_22}, \ {x_15 : i32, y_16 : i32} : {i32} ->
            let {z_17 : i32} = mul32(x_15, y_16) in {z_17}, )" +
                               add + R"()
          in {sum_23}))";
  const std::string sum = R"(redomap(d_3, {row_14}, \ {x_15 : i32} : {i32} -> in {x_15}, )" + add + ")";
  const std::string each = with_each_other ? "[m_2]" : "";
  return parsed(R"(types {}
entry("main", {xs: [][][]i32}, {[][])" +
                std::string(with_each_other ? "[]" : "") + R"(i32})
  entry_main (n_1 : i64, m_2 : i64, d_3 : i64, xs_4 : [n_1][m_2][d_3]i32) : {[n_1][m_2])" +
                each + R"(i32} = {
  let {numbers_20 : [m_2]i64} = iota64(m_2, 0i64, 1i64)
  let {sums_6 : [n_1][m_2])" +
                each + R"(i32} = segmap(thread; ; grid=1i64; blocksize=256i64) (i_7 < n_1) (~t_19) : {[m_2])" + each +
                R"(i32} {
      let {all_8 : [m_2])" +
                each + R"(i32} = map(m_2, {numbers_20}, \ {k_13 : i64} : {)" + each + R"(i32} ->
        let {row_14 : [d_3]i32} = xs_4[i_7, k_13, 0i64 :+ d_3 * 1i64]
        let {of_row_24 : )" +
                each + "i32} = " + (with_each_other ? products : sum) + R"(
        in {of_row_24})
      return {returns all_8}
    }
  in {sums_6}
})");
}

// Each of `segments` sums goes through three elements of all rows.
seg::Program sums_of_segments(const std::string& segments) {
  return parsed(R"(types {}
entry("main", {k: i64, xs: [][]i32}, {[]i32})
  entry_main (k_1 : i64, n_2 : i64, xs_3 : [n_2][3i64]i32) : {[)" +
                segments + R"(]i32} = {
  let {sums_4 : [)" +
                segments + R"(]i32} =
    segred(thread; ; grid=1i64; blocksize=256i64) (s_5 < )" +
                segments + R"(, i_6 < n_2) (~t_7)
    ({0i32}, , commutative \ {a_8 : i32, b_9 : i32} : {i32} -> let {c_10 : i32} = add32(a_8, b_9) in {c_10}) : {i32} {
      let {of_row_11 : i32} = loop {acc_12 : i32} = {0i32} for j_13:i64 < 3i64 do {
        let {x_14 : i32} = xs_3[i_6, j_13]
        let {y_15 : i32} = add32(acc_12, x_14)
        in {y_15}
      }
      return {returns of_row_11}
    }
  in {sums_4}
})");
}

// Distances of all rows from each other, each of which a thread goes through, as it goes through one that all of its neighbours read.
seg::Program distances() {
  return parsed(R"(types {}
entry("main", {xs: [][]i32}, {[]i32})
  entry_main (n_2 : i64, d_3 : i64, xs_4 : [n_2][d_3]i32) : {[n_2]i32} = {
  let {sums_5 : [n_2]i32} =
    segred(thread; ; grid=1i64; blocksize=256i64) (s_6 < n_2, i_7 < n_2) (~t_8)
    ({0i32}, , commutative \ {a_9 : i32, b_10 : i32} : {i32} -> let {c_11 : i32} = add32(a_9, b_10) in {c_11}) : {i32} {
      let {of_rows_12 : i32} = loop {acc_13 : i32} = {0i32} for j_14:i64 < d_3 do {
        let {x_15 : i32} = xs_4[s_6, j_14]
        let {y_16 : i32} = xs_4[i_7, j_14]
        let {z_17 : i32} = sub32(x_15, y_16)
        let {w_18 : i32} = add32(acc_13, z_17)
        in {w_18}
      }
      return {returns of_rows_12}
    }
  in {sums_5}
})");
}

// Of each of `h_1` heads points have scores, from which they make as many results; and all return them instead where there are none.
seg::Program attention(bool has_scores) {
  const std::string add =
      R"({\ {a_30 : i32, b_31 : i32} : {i32} -> let {c_32 : i32} = add32(a_30, b_31) in {c_32}, {0i32}})";
  return parsed(R"(types {}
entry("main", {xs: [][][]i32}, {[][][]i32})
  entry_main (h_1 : i64, n_2 : i64, d_3 : i64, xs_4 : [h_1][n_2][d_3]i32) : {[h_1][n_2][n_2]i32} = {
  let {numbers_5 : [n_2]i64} = iota64(n_2, 0i64, 1i64)
  let {all_6 : [h_1][n_2][n_2]i32} =
    segmap(thread; ; grid=1i64; blocksize=256i64) (g_7 < h_1, i_8 < n_2) (~t_9) : {[n_2]i32} {
      let {own_10 : [d_3]i32} = xs_4[g_7, i_8, 0i64 :+ d_3 * 1i64]
      let {scores_11 : [n_2]i32} = map(n_2, {numbers_5}, \ {k_12 : i64} : {i32} ->
        let {other_13 : [d_3]i32} = xs_4[g_7, k_12, 0i64 :+ d_3 * 1i64]
        let {sum_14 : i32} = redomap(d_3, {own_10, other_13}, \ {x_15 : i32, y_16 : i32} : {i32} ->
          let {z_17 : i32} = mul32(x_15, y_16) in {z_17}, )" +
                add + R"()
        in {sum_14}))" +
                (has_scores ? R"(
      let {most_18 : i32} = scores_11[0i64]
      let {least_19 : [n_2]i32} = map(n_2, {scores_11}, \ {s_20 : i32} : {i32} ->
        let {t_21 : i32} = sub32(s_20, most_18) in {t_21})
      return {returns least_19})"
                            : R"(
      return {returns scores_11})") +
                R"(
    }
  in {all_6}
})");
}

// Each of the sums of each of `k_1` pictures goes through the elements of all the picture's rows.
seg::Program sums_of_pictures() {
  return parsed(R"(types {}
entry("main", {xs: [][][]i32}, {[][]i32})
  entry_main (k_1 : i64, n_2 : i64, d_16 : i64, xs_3 : [k_1][n_2][d_16]i32) : {[k_1][n_2]i32} = {
  let {sums_4 : [k_1][n_2]i32} =
    segred(thread; ; grid=1i64; blocksize=256i64) (p_17 < k_1, s_5 < n_2, i_6 < n_2) (~t_7)
    ({0i32}, , commutative \ {a_8 : i32, b_9 : i32} : {i32} -> let {c_10 : i32} = add32(a_8, b_9) in {c_10}) : {i32} {
      let {of_row_11 : i32} = loop {acc_12 : i32} = {0i32} for j_13:i64 < d_16 do {
        let {x_14 : i32} = xs_3[p_17, i_6, j_13]
        let {y_15 : i32} = add32(acc_12, x_14)
        in {y_15}
      }
      return {returns of_row_11}
    }
  in {sums_4}
})");
}

size_t copies(const seg::Program& program) {
  size_t count = 0;
  seg::for_each_host_stm(program,
                         [&](const seg::StmPtr& s) { count += std::holds_alternative<seg::Manifest>(s->exp) ? 1 : 0; });
  return count;
}

seg::Program by_columns(const seg::Program& program) {
  NameSource names(program.next_tag());
  return columns_first(program, names);
}

TEST(ColumnsFirst, OnceForAllStepsOfALoop) {
  seg::Program before = steps(""), after = by_columns(before);
  EXPECT_EQ(copies(after), 1u);
  const seg::Stms& stms = after.functions.at(0).body->stms;
  ASSERT_EQ(stms.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<seg::Manifest>(stms[1]->exp));
  EXPECT_TRUE(seg::verify(after).empty());
}

TEST(ColumnsFirst, NotWhatIsReadOtherwise) {
  EXPECT_EQ(copies(by_columns(steps("\n        let {first_20 : i32} = xs_3[0i64, 0i64]"))), 0u);
}

TEST(ColumnsFirst, ForReductionsWhoseThreadsTakeNeighbours) {
  seg::Program after = by_columns(sums_of_rows("commutative "));
  EXPECT_EQ(copies(after), 1u);
  EXPECT_TRUE(seg::verify(after).empty());
}

TEST(ColumnsFirst, NotWhereEachThreadReducesElementsInOrder) { EXPECT_EQ(copies(by_columns(sums_of_rows(""))), 0u); }

TEST(ColumnsFirst, ForOneOperationThatRunsThroughRowsAgainAndAgain) {
  seg::Program after = by_columns(rows_and_numbers(true, "n_1"));
  EXPECT_EQ(copies(after), 1u);
  EXPECT_TRUE(seg::verify(after).empty());
  EXPECT_EQ(copies(by_columns(rows_and_numbers(false, "n_1"))), 0u);
}

TEST(ColumnsFirst, ForPointsOfSeveralIndicesThatMakeArraysOfSums) {
  seg::Program after = by_columns(rows_of_rows(Sums::Squared));
  EXPECT_EQ(copies(after), 1u);
  EXPECT_TRUE(seg::verify(after).empty());
}

// Of such sums points that share an index share what they load.
TEST(ColumnsFirst, NotForWhatMayBeContractions) {
  EXPECT_EQ(copies(by_columns(rows_of_rows(Sums::Added))), 0u);
  EXPECT_EQ(copies(by_columns(rows_of_rows(Sums::Kept))), 0u);
}

// Threads find what they need of short rows in lines that their neighbours have loaded.
TEST(ColumnsFirst, NotForShortRows) {
  EXPECT_EQ(copies(by_columns(rows_and_numbers(true, "n_1", "9i64"))), 0u);
  EXPECT_EQ(copies(by_columns(rows_and_numbers(true, "n_1", "90i64"))), 1u);
}

// A copy of all rows may be much more than what a few points read.
TEST(ColumnsFirst, NotWhereOnlySomeRowsAreRead) { EXPECT_EQ(copies(by_columns(rows_and_numbers(true, "k_3"))), 0u); }

TEST(ColumnsFirst, OfRowsThatALoopRunsThroughInEachStepOfAnother) {
  EXPECT_EQ(copies(by_columns(rows_in_loops(true))), 1U);
  EXPECT_EQ(copies(by_columns(rows_in_loops(false))), 0U);
}

TEST(ColumnsFirst, OfRowsOfRowsThatAreRunThroughAgainAndAgain) {
  seg::Program after = by_columns(products_of_rows(true));
  EXPECT_EQ(copies(after), 1U);
  EXPECT_TRUE(seg::verify(after).empty());
  EXPECT_EQ(copies(by_columns(products_of_rows(false))), 0U);
}

TEST(ColumnsFirst, OfNarrowRowsWhereSeveralSegmentsReadAll) {
  EXPECT_EQ(copies(by_columns(sums_of_segments("k_1"))), 1U);
  EXPECT_EQ(copies(by_columns(sums_of_segments("1i64"))), 0U);
}

// What is read of the array otherwise is read where it was.
TEST(ColumnsFirst, OfRowsThatNeighboursShareOnlyTheirOwn) {
  seg::Program after = by_columns(distances());
  EXPECT_EQ(copies(after), 1U);
  EXPECT_TRUE(seg::verify(after).empty());
  EXPECT_NE(seg::print(after).find("= xs_4[s_6, j_14]"), std::string::npos);
}

// Points that return the sums themselves may be those of a contraction.
TEST(ColumnsFirst, OfRowsWithinOthersWherePointsHaveArraysForThemselves) {
  seg::Program after = by_columns(attention(true));
  EXPECT_EQ(copies(after), 1U);
  EXPECT_TRUE(seg::verify(after).empty());
  EXPECT_EQ(copies(by_columns(attention(false))), 0U);
}

TEST(ColumnsFirst, OfRowsWithinPicturesThatAllSumsOfEachRead) {
  seg::Program after = by_columns(sums_of_pictures());
  EXPECT_EQ(copies(after), 1U);
  EXPECT_TRUE(seg::verify(after).empty());
  seg::for_each_host_stm(after, [&](const seg::StmPtr& s) {
    const auto* copied = std::get_if<seg::Manifest>(&s->exp);
    if (copied) {
      EXPECT_EQ(copied->perm, (std::vector<int>{0, 2, 1}));
    }
  });
}

}  // namespace
}  // namespace heddle::lower
