// Contractions of arrays that only the program's run tells the order of, with kernels for their sizes.
#include "tests/frontend_bridge/beside_futhark_fixture.h"

namespace {

const std::string kProgram = R"(
def product [n] (a: [n][n]i32) (b: [n][n]i32) : [n][n]i32 =
  map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose b)) a
entry left [n] [k] (a: [n][n]i32) (b: [n][n]i32) (_: [k]i64) : [n][n]i32 = product (if k % 2 == 0 then a else transpose a) b
entry right [n] [k] (a: [n][n]i32) (b: [n][n]i32) (_: [k]i64) : [n][n]i32 = product a (if k % 2 == 0 then b else transpose b)
entry batched [n] [k] (rows: [n][8][8]i32) (vs: [n][8]i32) (_: [k]i64) : [n][8]i32 =
  let ms = if k % 2 == 0 then rows else map (\r -> #[sequential] scan (map2 (+)) (replicate 8 0) r) rows
  in map2 (\m v -> map (\row -> i32.sum (map2 (*) row v)) m) ms vs
)";

class Orders : public BesideFuthark {
 protected:
  Orders() : BesideFuthark(kProgram) {}
};

// Several elements are moved at a time only where they are neighbours.
TEST_F(Orders, OfArraysThatABranchChose) {
  for (const char* which : {"[1]i64", "[2]i64"}) {
    for (const char* entry : {"left", "right"})
      expect_same(entry, {"[64][64]i32", "[64][64]i32", which}, 0, "--specialize-after=0");
    expect_same("batched", {"[256][8][8]i32", "[256][8]i32", which}, 0, "--specialize-after=0");
  }
}

}  // namespace
