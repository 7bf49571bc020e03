// Every pass over programs, before and after: the text of small programs for each of them (data/PASS/CASE.fut_gpu), and
// for these and all dumps that what is made is well-formed and computes the same.
#include "rewrites/passes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "frontend_bridge/futhark/reader.h"
#include "ir/seg/printer.h"
#include "ir/seg/verify.h"
#include "rewrites/seg/by_threads.h"
#include "rewrites/seg/rows_by_elements.h"
#include "rewrites/seg/steps_until.h"
#include "rewrites/seg/sum_updates.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/seg/generated_inputs.h"

namespace heddle::seg {
namespace {

namespace fs = std::filesystem;

const fs::path kTests = fs::path(HEDDLE_SOURCE_DIR) / "tests";
const fs::path kCases = kTests / "rewrites/seg/data";

std::vector<SegPass> all_passes() {
  std::vector<SegPass> all(seg_passes().begin(), seg_passes().end());
  all.insert(all.end(), seg_passes_of_planning().begin(), seg_passes_of_planning().end());
  return all;
}

std::vector<fs::path> files_in(const fs::path& folder, const std::vector<std::string>& extensions) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (std::ranges::find(extensions, entry.path().extension().string()) != extensions.end())
      files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

Program program_in(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  Result<Program> program = futhark::read(text.str(), file.string());
  EXPECT_TRUE(program) << (program ? "" : program.error().message);
  if (!program) return {};
  for (const Problem& p : verify(*program)) ADD_FAILURE() << file << ", line " << p.line << ": " << p.message;
  return std::move(*program);
}

// Checks that the second is well-formed and computes the same as the first; yields how many times it was compared.
size_t expect_same(const Program& before, const Program& after, const std::string& what) {
  for (const Problem& p : verify(after)) ADD_FAILURE() << what << ", line " << p.line << ": " << p.message;
  size_t compared = 0;
  for (const FunDef& f : before.functions) {
    if (!f.entry) continue;
    for (const std::vector<int64_t>& sizes : kAwkwardSizes) {
      Comparison c = compare(before, after, f.entry->name, generated_inputs(before, f, sizes));
      EXPECT_EQ(c.difference, "") << what;
      compared += c.evaluated;
    }
  }
  return compared;
}

std::string test_name(const fs::path& file, const fs::path& from) {
  std::string name = file.lexically_relative(from).replace_extension().string();
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

// ---- Small programs, and what each pass makes of them. ----

std::vector<fs::path> cases() {
  std::vector<fs::path> files = files_in(kCases, {".fut_gpu"});
  std::erase_if(files, [](const fs::path& f) { return f.stem().extension() == ".after"; });
  return files;
}

class SegPassCase : public ::testing::TestWithParam<fs::path> {};

TEST_P(SegPassCase, BecomesWhatItShould) {
  std::string pass_name = GetParam().parent_path().filename().string();
  std::vector<SegPass> passes = all_passes();
  auto pass = std::ranges::find(passes, pass_name, &SegPass::name);
  ASSERT_NE(pass, passes.end()) << "there is no pass " << pass_name;
  Program before = program_in(GetParam());
  Result<Program> after = pass->run(before);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_FALSE(*after == before) << "the pass has nothing to do here";
  fs::path golden = GetParam();
  golden::expect_file(golden.replace_extension(".after.fut_gpu").string(), print(*after), __FILE__, __LINE__);
  EXPECT_GT(expect_same(before, *after, pass_name), 0u) << "nothing could be evaluated";
}

INSTANTIATE_TEST_SUITE_P(All, SegPassCase, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return test_name(info.param, kCases); });

TEST(SegPasses, EachHasACase) {
  for (const SegPass& pass : all_passes()) EXPECT_TRUE(fs::exists(kCases / pass.name)) << pass.name;
}

// ---- Reductions and scans with so few threads that chunks have several elements, a remainder, or none. ----

TEST(ByThreadsProperties, AnyNumberOfThreadsComputesTheSame) {
  for (const fs::path& file : files_in(kCases / "by-threads", {".fut_gpu"})) {
    if (file.stem().extension() == ".after") continue;
    Program before = program_in(file);
    for (ThreadLevels levels : {ThreadLevels{1, 1},
                                {2, 1},
                                {3, 2},
                                {4, 3},
                                {6, 4},
                                {100, 2},
                                {1, {}, true},
                                {3, {}, true},
                                {5, 2, true},
                                {100, {}}}) {
      Result<Program> after = by_threads(before, levels);
      ASSERT_TRUE(after) << after.error().message;
      std::string what = file.filename().string() + " with " + std::to_string(levels.first) + " and " +
                         std::to_string(levels.second.value_or(0)) + " threads";
      EXPECT_GT(expect_same(before, *after, what), 0u);
    }
  }
}

// Where rows have no elements no sum is computed, but each point fails that did before.
TEST(SumUpdates, KeepsWhatPointsCheck) {
  Result<Program> program = futhark::read(R"(types {}
entry("main", {places: []i64, rows: []f32, w: []f32}, {[]f32})
entry_main (n_1 : i64, m_2 : i64, d_3 : i64, places_4 : [n_1]i64, rows_5 : [m_2]f32, w_6 : [d_3]f32) : {[d_3]f32} = {
  let {zeros_7 : [d_3]f32} = replicate([d_3], 0.0f32)
  let {all_8 : [d_3]i64} = iota64(d_3, 0i64, 1i64)
  let {sums_9 : [d_3]f32} = with_acc({([d_3], {zeros_7}, (\ {i_10 : i64, x_11 : f32, y_12 : f32} : {f32} ->
      let {sum_13 : f32} = fadd32(x_11, y_12)
      in {sum_13}, {0.0f32}))},
    \ {cert_14 : unit, acc_15 : acc(cert_14, [d_3], {f32})} : {acc(cert_14, [d_3], {f32})} ->
      let {updated_16 : acc(cert_14, [d_3], {f32})} = segmap(thread; ; ) (i_17 < n_1) (~flat_18) : {acc(cert_14, [d_3], {f32})} {
        let {place_19 : i64} = places_4[i_17]
        let {inside_20 : bool} = slt64(place_19, m_2)
        let {checked_21 : unit} = assert(inside_20, {"outside"}, "here")
        let {row_22 : f32} = #{checked_21} rows_5[place_19]
        let {each_23 : acc(cert_14, [d_3], {f32})} = map(d_3, {w_6, all_8, acc_15},
          \ {x_24 : f32, l_25 : i64, a_26 : acc(cert_14, [d_3], {f32})} : {acc(cert_14, [d_3], {f32})} ->
            let {v_27 : f32} = fmul32(x_24, row_22)
            let {u_28 : acc(cert_14, [d_3], {f32})} = update_acc(a_26, {l_25}, {v_27})
            in {u_28})
        return {returns each_23}
      }
      in {updated_16})
  in {sums_9}
})",
                                          "sum_updates_test.fut_gpu");
  ASSERT_TRUE(program) << program.error().message;
  Result<Program> after = sum_updates(*program);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_TRUE(*after == *program);
}

// Its name is bound where the points are computed, which is elsewhere then.
TEST(ByThreads, RefusesOperatorsThatUseAPointsIndex) {
  Result<Program> program = futhark::read(R"(types {}
entry("main", {xs: []i64}, {i64})
entry_main (n_1 : i64, xs_2 : [n_1]i64) : {i64} = {
  let {sum_3 : i64} = segred(thread; ; ) (i_4 < n_1) (~t_5)
    ({0i64}, , commutative \ {a_6 : i64, b_7 : i64} : {i64} ->
      let {c_8 : i64} = add64(a_6, b_7)
      in {i_4}) : {i64} {
    let {x_9 : i64} = xs_2[i_4]
    return {returns x_9}
  }
  in {sum_3}
}
)",
                                          "operator");
  ASSERT_TRUE(program) << program.error().message;
  for (const SegPass& pass : all_passes()) {
    if (pass.name != "by-threads" && pass.name != "with-segments") continue;
    Result<Program> after = pass.run(*program);
    ASSERT_FALSE(after) << pass.name;
    EXPECT_NE(after.error().message.find("an operator that uses the index of a point"), std::string::npos);
  }
}

// An element that a reduction says the place of would be read behind the update.
TEST(SeveralUntil, LeavesStepsThatOverwriteArrays) {
  Result<Program> program = futhark::read(R"(types {}
entry("main", {xs: []i64}, {i64})
entry_main (n_1 : i64, xs_2 : [n_1]i64) : {i64} = {
  let {on_3 : bool, k_4 : i64} = loop {on_5 : bool, l_6 : i64} = {true, 0i64} while on_5 do {
    let {ys_7 : [n_1]i64} = segmap(thread; ; ) (i_8 < n_1) (~t_9) : {i64} {
      let {x_10 : i64} = xs_2[i_8]
      let {y_11 : i64} = add64(x_10, l_6)
      return {returns y_11}
    }
    let {most_12 : [1i64]i64} = segred(thread; ; ) (d_13 < 1i64, j_14 < n_1) (~t_15)
    ({0i64}, , commutative \ {a_16 : i64, b_17 : i64} : {i64} ->
      let {c_18 : i64} = smax64(a_16, b_17)
      in {c_18}) : {i64} {
      let {y_19 : i64} = ys_7[j_14]
      return {returns y_19}
    }
    let {m_20 : i64} = most_12[0i64]
    let {z_21 : i64} = smin64(m_20, 0i64)
    let {e_22 : i64} = ys_7[z_21]
    let {zs_23 : [n_1]i64} = ys_7 with [0i64] = 1i64
    let {f_24 : i64} = zs_23[0i64]
    let {next_25 : i64} = add64(l_6, f_24)
    let {few_26 : bool} = slt64(e_22, 5i64)
    in {few_26, next_25}
  }
  in {k_4}
}
)",
                                          "step");
  ASSERT_TRUE(program) << program.error().message;
  Result<Program> after = several_until(*program);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_TRUE(*after == *program);
  EXPECT_GT(expect_same(*program, *after, "several-until"), 0u);
}

// Whoever reads the condition outside knows whether such a loop ends.
TEST(SeveralUntil, LeavesLoopsThatDoNotDecideAboutSteps) {
  Result<Program> program = futhark::read(R"(types {}
entry("main", {xs: []i64}, {[]i64})
entry_main (n_1 : i64, xs_2 : [n_1]i64) : {[n_1]i64} = {
  let {on_3 : bool} = slt64(n_1, 0i64)
  let {ys_4 : [n_1]i64} = loop {zs_5 : [n_1]i64} = {xs_2} while on_3 do {
    let {ys_6 : [n_1]i64} = segmap(thread; ; ) (i_7 < n_1) (~t_8) : {i64} {
      let {x_9 : i64} = zs_5[i_7]
      let {y_10 : i64} = add64(x_9, 1i64)
      return {returns y_10}
    }
    in {ys_6}
  }
  in {ys_4}
}
)",
                                          "outside");
  ASSERT_TRUE(program) << program.error().message;
  Result<Program> after = several_until(*program);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_TRUE(*after == *program);
}

// No rows, and a row that is found at a place which the point reads before.
TEST(RowsByElements, LeavesWhatHasNoRowsOrNeedsMore) {
  auto of_point = [](const std::string& rows, const std::string& point) {
    Result<Program> program = futhark::read(R"(types {}
entry("main", {is: []i64, xs: [][]i32}, {[][][]i32})
  entry_main (n_1 : i64, m_2 : i64, is_3 : [n_1]i64, xs_4 : [n_1][m_2]i32) : {[n_1][)" +
                                                rows + R"(][m_2]i32} = {
  let {zs_5 : [n_1][)" + rows + R"(][m_2]i32} =
    segmap(thread; ; grid=1i64; blocksize=256i64) (g_6 < n_1) (~t_7) : {[)" +
                                                rows + R"(][m_2]i32} {
      )" + point + R"(
      return {returns z_8}
    }
  in {zs_5}
})",
                                            "rows");
    if (!program) throw std::runtime_error(program.error().message);
    return std::move(*program);
  };
  const std::string none = "let {z_8 : [0i64][m_2]i32} = [] : [][m_2]i32";
  const std::string looked_up = R"(let {i_9 : i64} = is_3[g_6]
      let {x_10 : [m_2]i32} = xs_4[i_9, 0i64 :+ m_2 * 1i64]
      let {z_8 : [1i64][m_2]i32} = [x_10] : [][m_2]i32)";
  const std::string own = R"(let {x_10 : [m_2]i32} = xs_4[g_6, 0i64 :+ m_2 * 1i64]
      let {z_8 : [1i64][m_2]i32} = [x_10] : [][m_2]i32)";
  auto changes = [&](const Program& before) { return !(*rows_by_elements(before) == before); };
  EXPECT_FALSE(changes(of_point("0i64", none)));
  EXPECT_FALSE(changes(of_point("1i64", looked_up)));
  EXPECT_TRUE(changes(of_point("1i64", own)));
}

// What one function's pass leaves out, or reads from elsewhere, has the tag of something else in another function.
TEST(SegPasses, KeepFunctionsApartThatBindTheSameTags) {
  const std::string repeated = R"(types {}
entry("repeated", {xs: []i64}, {[][]i64})
entry_repeated (n_1 : i64, xs_2 : [n_1]i64) : {[n_1][n_1]i64} = {
  let {copies_3 : [n_1][n_1]i64} = replicate([n_1], xs_2)
  let {sums_4 : [n_1][n_1]i64} = segmap(thread; ; ) (i_5 < n_1, j_6 < n_1) (~t_7) : {i64} {
    let {x_8 : i64} = copies_3[i_5, j_6]
    let {y_9 : i64} = add64(x_8, i_5)
    return {returns y_9}
  }
  in {sums_4}
}
)";
  const std::string twice = R"(types {}
entry("twice", {xs: []i64}, {i64})
entry_twice (n_1 : i64, xs_2 : [n_1]i64) : {i64} = {
  let {a_10 : [n_1]i64, b_3 : [n_1]i64} = segscan(thread; ; ) (i_5 < n_1) (~t_7)
    ({0i64, 0i64}, , \ {p_11 : i64, q_12 : i64, r_13 : i64, s_14 : i64} : {i64, i64} ->
      let {u_15 : i64} = add64(p_11, r_13)
      let {v_16 : i64} = add64(q_12, s_14)
      in {u_15, v_16}) : {i64, i64} {
    let {x_8 : i64} = xs_2[i_5]
    return {returns x_8, returns x_8}
  }
  let {sum_17 : [1i64]i64} = segred(thread; ; ) (d_18 < 1i64, i_19 < n_1) (~t_20)
    ({0i64}, , \ {p_21 : i64, q_22 : i64} : {i64} ->
      let {r_23 : i64} = add64(p_21, q_22)
      in {r_23}) : {i64} {
    let {x_24 : i64} = a_10[i_19]
    let {y_25 : i64} = b_3[i_19]
    let {z_26 : i64} = mul64(x_24, y_25)
    return {returns z_26}
  }
  let {all_27 : i64} = sum_17[0i64]
  in {all_27}
}
)";
  const std::string other = R"(entry("other", {xs: []i64, k: i64}, {i64})
entry_other (n_1 : i64, xs_2 : [n_1]i64, k_28 : i64) : {i64} = {
  let {squares_3 : [n_1]i64} = segmap(thread; ; ) (i_5 < n_1) (~t_7) : {i64} {
    let {x_8 : i64} = xs_2[i_5]
    let {y_9 : i64} = mul64(x_8, k_28)
    return {returns y_9}
  }
  let {last_29 : i64} = sub64(n_1, 1i64)
  let {found_30 : i64} = squares_3[last_29]
  in {found_30}
})";
  for (const std::string& one : {repeated, twice}) {
    Result<Program> program = futhark::read(one + other, "tags");
    ASSERT_TRUE(program) << program.error().message;
    Result<Program> after = run_seg_passes(seg_passes(), *program, nullptr);
    ASSERT_TRUE(after) << after.error().message;
    EXPECT_GT(expect_same(*program, *after, "all passes"), 0u);
  }
}

// ---- All dumps. ----

std::vector<fs::path> dumps() {
  std::vector<fs::path> all;
  for (const char* folder : {"frontend_bridge/dumps/gpu", "frontend_bridge/dumps/seg", "frontend_bridge/dumps/soacs",
                             "ir/data", "rewrites/data"}) {
    std::vector<fs::path> files = files_in(kTests / folder, {".fut_gpu", ".fut_soacs"});
    all.insert(all.end(), files.begin(), files.end());
  }
  return all;
}

class SegPassProperties : public ::testing::TestWithParam<fs::path> {};

TEST_P(SegPassProperties, EachByItselfChangesNoResult) {
  Program before = program_in(GetParam());
  for (const SegPass& pass : all_passes()) {
    Result<Program> after = pass.run(before);
    ASSERT_TRUE(after) << pass.name << ": " << after.error().message;
    expect_same(before, *after, std::string(pass.name));
  }
}

TEST_P(SegPassProperties, AllInOrderChangeNoResult) {
  Program before = program_in(GetParam());
  auto same_as_first = [&](const SegPass& pass, const Program&, const Program& after) -> std::optional<Error> {
    expect_same(before, after, std::string(pass.name));
    return std::nullopt;
  };
  Result<Program> after = run_seg_passes(seg_passes(), before, same_as_first);
  ASSERT_TRUE(after) << after.error().message;
  struct BoundTwice {
    NameSet bound, again;
    void use(const Name&) {}
    void bind(const Name& n) {
      if (!bound.insert(n).second) again.insert(n);
    }
  } twice;
  walk(twice, after->constants);
  for (const FunDef& f : after->functions) {
    walk(twice, f.params);
    walk(twice, f.body);
  }
  for (const Name& n : twice.again) ADD_FAILURE() << n.text() << " is bound twice";
}

INSTANTIATE_TEST_SUITE_P(Dumps, SegPassProperties, ::testing::ValuesIn(dumps()), [](const auto& info) {
  return test_name(info.param, kTests) + (info.param.extension() == ".fut_soacs" ? "_soacs" : "_gpu");
});

}  // namespace
}  // namespace heddle::seg
