// Chunks of a contraction's reduction, as the host computes them from sizes.
#include "rewrites/seg/contraction_tiles.h"

#include <gtest/gtest.h>

#include "frontend_bridge/futhark/reader.h"
#include "ir/seg/eval.h"

namespace heddle::seg {
namespace {

constexpr const char* kSizes = R"(
types {
}

entry("main", {channels: i64, rows: i64, columns: i64}, {i64, i64, i64, i64, i64, i64})
  entry_main (channels_1 : i64, rows_2 : i64, columns_3 : i64)
  : {i64, i64, i64, i64, i64, i64} = {
  in {0i64, 0i64, 0i64, 0i64, 0i64, 0i64}
}
)";

struct Index {
  int64_t extent, rounds, chunk;
};

// Of a sum over channels and windows, in chunks as convolutions have them.
std::vector<Index> chunks_of(const std::vector<int64_t>& extents) {
  Result<Program> program = futhark::read(kSizes, "sizes");
  EXPECT_TRUE(program) << (program ? "" : program.error().message);
  FunDef& main = program->functions.at(0);
  TiledContraction c{{}, {}, {}, {}, prim::Op(prim::Family::Add, prim::Type::I64), prim::Value::i64(0), {}};
  for (const Param& p : main.params) {
    bool outermost = c.reduction.empty();
    c.reduction.push_back({p.name, outermost ? 4 : 64, outermost ? 64 : 176});
  }
  c.parallel.push_back({i64(1), 1, 1});
  NameSource names(program->next_tag());
  Builder host(names), before(names);
  ContractionTiles tiles = contraction_tiles(c, host, before);
  Body body{host.take(), {}};
  for (size_t r = 0; r < extents.size(); ++r) body.result.push_back({{}, tiles.rounds[r]});
  for (size_t r = 0; r < extents.size(); ++r) body.result.push_back({{}, tiles.chunks[r]});
  main.body = std::make_shared<const Body>(std::move(body));
  std::vector<TypedValue> inputs;
  for (int64_t e : extents) inputs.push_back({prim::Value::i64(e)});
  EvalResult result = evaluate(*program, "main", inputs);
  EXPECT_EQ(result.outcome, Outcome::Ok) << result.message;
  std::vector<Index> all;
  auto number = [&](size_t k) { return std::get<prim::Value>(result.values.at(k).value).i; };
  for (size_t r = 0; r < extents.size(); ++r) all.push_back({extents[r], number(r), number(extents.size() + r)});
  return all;
}

TEST(ContractionTiles, ChunksAreWholeWindowsWhereTheseAreSmall) {
  auto steps = [](const std::vector<int64_t>& extents) {
    std::vector<int64_t> chunks;
    for (const Index& i : chunks_of(extents)) chunks.push_back(i.chunk);
    return chunks;
  };
  EXPECT_EQ(steps({32, 1, 1}), (std::vector<int64_t>{4, 1, 1}));
  EXPECT_EQ(steps({32, 5, 5}), (std::vector<int64_t>{2, 5, 5}));
  EXPECT_EQ(steps({32, 13, 13}), (std::vector<int64_t>{1, 13, 13}));
  EXPECT_EQ(steps({32, 17, 17}), (std::vector<int64_t>{1, 9, 17}));
  EXPECT_EQ(steps({32, 3, 100}), (std::vector<int64_t>{1, 1, 50}));
}

// What is copied of an operand along the reduction is one piece then.
TEST(ContractionTiles, ChunksHaveOneStepOutsideAnIndexThatIsCut) {
  for (int64_t channels : {0, 1, 3, 4, 5, 64}) {
    for (int64_t rows : {0, 1, 2, 7, 13, 14, 63, 64, 65, 1000}) {
      for (int64_t columns : {0, 1, 3, 13, 17, 64, 65, 176, 177, 100000}) {
        SCOPED_TRACE(testing::PrintToString(std::vector{channels, rows, columns}));
        std::vector<Index> all = chunks_of({channels, rows, columns});
        int64_t steps = 1;
        bool is_cut = false;
        for (size_t r = all.size(); r-- > 0;) {
          EXPECT_GE(all[r].chunk, 1);
          EXPECT_GE(all[r].rounds * all[r].chunk, all[r].extent);
          EXPECT_TRUE(all[r].rounds == 0 || (all[r].rounds - 1) * all[r].chunk < all[r].extent);
          EXPECT_TRUE(!is_cut || all[r].chunk == 1);
          is_cut |= all[r].rounds > 1;
          steps *= all[r].chunk;
        }
        EXPECT_LE(steps, 176);
        EXPECT_LE(all[0].chunk == 1 ? 1 : steps, 64);
      }
    }
  }
}

}  // namespace
}  // namespace heddle::seg
