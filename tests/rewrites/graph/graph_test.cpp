// Which names are the same memory, what changes it, and the arrays between operations.
#include "rewrites/graph/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend_bridge/pipeline.h"

namespace heddle::graph {
namespace {

using ::testing::ElementsAre;

// One operation, a view, an update in place, and a loop around an operation.
constexpr const char* kProgram = R"(types {}
entry("main", {n: i64, xs: *[]i64, ys: []i64}, {[]i64, []i64})
  entry_main (n_1 : i64, xs_2 : *[n_1]i64, ys_3 : [n_1]i64) : {[n_1]i64, [n_1]i64} = {
  let {zs_4 : [n_1]i64} =
    segmap(thread; ; grid=1i64; blocksize=256i64)
    (i_20 < n_1) (~t_21) : {i64} {
      let {y_22 : i64} = ys_3[i_20]
      return {returns y_22}
    }
  let {view_5 : [n_1]i64} = rearrange((0), xs_2)
  let {us_6 : [n_1]i64} = view_5 with [0i64] = 7i64
  let {rs_7 : [n_1]i64} =
    loop {as_8 : [n_1]i64} = {zs_4}
    for k_9:i64 < n_1 do {
      let {bs_10 : [n_1]i64} =
        segmap(thread; ; grid=1i64; blocksize=256i64)
        (i_23 < n_1) (~t_24) : {i64} {
          let {a_25 : i64} = as_8[i_23]
          return {returns a_25}
        }
      in {bs_10}
    }
  in {us_6, rs_7}
}
)";

class Graphs : public ::testing::Test {
 protected:
  Graphs() {
    Result<seg::Program> program = read_program(kProgram, "small.fut_gpu");
    EXPECT_TRUE(program) << (program ? "" : program.error().message);
    program_ = std::move(*program);
    graph_.emplace(program_.constants, program_.functions.at(0));
  }

  Name name(int tag) const { return {"", tag}; }
  bool same(int a, int b) const { return graph_->memory(name(a)) == graph_->memory(name(b)); }

  seg::Program program_;
  std::optional<Graph> graph_;
};

TEST_F(Graphs, HaveArraysBetweenOperations) {
  std::vector<std::string> edges;
  const Arrays& arrays = graph_->arrays();
  for (auto [e, end] = boost::edges(arrays); e != end; ++e) {
    edges.push_back(std::to_string(boost::source(*e, arrays)) + " -> " + std::to_string(boost::target(*e, arrays)) +
                    " " + arrays[*e].array.text() + (arrays[*e].overwrites ? "!" : ""));
  }
  std::ranges::sort(edges);
  // 0 input, 1 zs, 2 view, 3 us, 4 loop, 5 bs within it, 6 output
  EXPECT_THAT(edges, ElementsAre("0 -> 1 ys_3", "0 -> 2 xs_2", "1 -> 4 zs_4", "2 -> 3 view_5!", "3 -> 6 us_6",
                                 "4 -> 5 as_8", "4 -> 6 rs_7"));
  EXPECT_EQ(arrays[5].within, 4u);
  EXPECT_EQ(arrays[6].within, std::nullopt);
}

TEST_F(Graphs, KnowWhatIsTheSameMemory) {
  EXPECT_TRUE(same(2, 5)) << "a view";
  EXPECT_TRUE(same(2, 6)) << "what an update returns";
  EXPECT_TRUE(same(4, 8)) << "what a loop begins with";
  EXPECT_TRUE(same(8, 10)) << "what it goes on with";
  EXPECT_TRUE(same(8, 7)) << "what it ends with";
  EXPECT_FALSE(same(3, 4)) << "an operation's result";
  EXPECT_FALSE(same(2, 3));
}

TEST_F(Graphs, KnowWhatIsOverwritten) {
  EXPECT_TRUE(graph_->is_overwritten(name(2)));
  EXPECT_TRUE(graph_->is_overwritten(name(5)));
  EXPECT_FALSE(graph_->is_overwritten(name(3)));
  EXPECT_FALSE(graph_->is_overwritten(name(4)));
  EXPECT_TRUE(graph_->is_overwritten(name(99))) << "not known here";
}

}  // namespace
}  // namespace heddle::graph
