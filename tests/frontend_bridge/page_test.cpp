// `heddle explain --html`, as a browser shows it: what can be read there, and that nothing overlaps or is cut, on a wide and on a
// narrow window. Without Chromium only what is written is looked at.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/frontend_bridge/page_look.h"
#include "tests/need.h"

namespace {

const std::string kSource = HEDDLE_SOURCE_DIR;

class Page : public testing::Test {
 protected:
  void SetUp() override { HEDDLE_NEED(!std::string(FUTHARK).empty(), "there is no Futhark compiler"); }

  // Makes the page of a program.
  ProcessResult explain(const std::string& file, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"/usr/bin/env", "HEDDLE_FUTHARK=" FUTHARK, HEDDLE, "explain", file, "--html",
                                      page()};
    words.insert(words.end(), more.begin(), more.end());
    return run_process(words, "");
  }
  std::string page() const { return folder_.path("page.html"); }

  void look(const std::vector<std::string>& readable) const { look_at_page(folder_, page(), readable); }

  TemporaryFolder folder_;
};

TEST_F(Page, NeedsNoNetwork) {
  ASSERT_EQ(explain(kSource + "/examples/blur.fut").exit_code, 0);
  const std::string text = read_file(page());
  for (const char* word : {"src=", "href=", "@import", "url(", "fetch(", "XMLHttpRequest"})
    EXPECT_EQ(text.find(word), std::string::npos) << word;
}

TEST_F(Page, ShowsContractionsWithTheirTilings) {
  ProcessResult r = explain(kSource + "/examples/matmul.fut", {"--tilings", "n=2048,m=2048,k=2048"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  look({"Tilings for", "TFLOP/s, limited by", "what the numbers of a tiling say",
        "registers:", "shared memory:", "1 &lt; parts_", "chosen", "Roofline", "its blocks and loops"});
}

TEST_F(Page, ShowsPipelinesWithTheirGroups) {
  ASSERT_EQ(explain(kSource + "/bench/pipelines/harris.fut").exit_code, 0);
  look({"A pipeline of ", "by strategy largest", "One kernel of overlapped tiles of", "shared memory of a block",
        "Roofline"});
}

TEST_F(Page, PlacesGroupsForTheSizesGiven) {
  write_file(folder_.path("report"), R"({"events":[{"name":"entry_main_segmap_7024_group","duration":50}]})");
  ASSERT_EQ(explain(kSource + "/examples/blur.fut", {"--tilings", "h=3200,w=6400", "--profile", folder_.path("report")})
                .exit_code,
            0);
  look({"For the sizes given: 10,000 tiles, whose ", " MB of device memory take at least ",
        "Measured: 1 run, 50.0 µs each.", " TFLOP/s (measured), "});
  const ProcessResult r = explain(kSource + "/examples/blur.fut", {"--tilings", "depth=3"});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.err.find("no kernel depends on a size depth"), std::string::npos) << r.err;
}

TEST_F(Page, ShowsWhatTheHostChecks) {
  ASSERT_EQ(explain(kSource + "/tests/rewrites/data/stages.fut_gpu").exit_code, 0);
  look({"what the host checks before, so that no thread does: "});
}

TEST_F(Page, ShowsTimesThatWereMeasured) {
  write_file(
      folder_.path("report"),
      R"({"memory":{},"events":[{"name":"entry_main_segmap_7024_group","duration":12.5,"description":""},)"
      R"({"name":"entry_main_segmap_7024_group","duration":13.5,"description":""},{"name":"copy","duration":4}]})");
  ASSERT_EQ(explain(kSource + "/examples/blur.fut", {"--profile", folder_.path("report")}).exit_code, 0);
  look({"Times measured", "30.0 µs on the device", "(2 runs, 13.0 µs each)", "87 %"});
}

TEST_F(Page, SaysWhatIsWrongWithAProfile) {
  write_file(folder_.path("report"), "no report");
  const ProcessResult r = explain(kSource + "/examples/blur.fut", {"--profile", folder_.path("report")});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.err.find("is no profiling report"), std::string::npos) << r.err;
  EXPECT_FALSE(std::filesystem::exists(page()));
  EXPECT_NE(explain(kSource + "/examples/blur.fut", {"--profile", "/nowhere"}).err.find("cannot read /nowhere"),
            std::string::npos);
}

TEST_F(Page, KeepsTheNamesOfAnyProgramOutOfItsScript) {
  write_file(folder_.path("odd.fut"), "entry main (xs: []i32) = map (+ 1) xs\n");
  std::filesystem::rename(folder_.path("odd.fut"), folder_.path("<!--<script>.fut"));
  ASSERT_EQ(explain(folder_.path("<!--<script>.fut")).exit_code, 0);
  look({"&lt;!--&lt;script&gt;.fut"});
}

}  // namespace
