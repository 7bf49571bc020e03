// Arrays whose dimensions lie in an order that only the program's run tells, or only the plan of what made them.
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

// The rows that a scan's threads make beside its elements lie as threads write them, which nobody knows before the scan is taken apart.
const std::string kRows = R"(
def rows [n] (s: i32) (xs: [n]i32) (as: [n][n]i32) : (i32, [n][n]i32) =
  let (ys, bs) = unzip (map2 (\x a -> let b = copy a with [i64.i32 x % n] = x in (x + s, b)) xs as)
  let sums = scan (+) 0 ys
  in (sums[n - 1], scatter bs (map (\y -> i64.i32 y % n) sums) (replicate n (map i32.i64 (iota n))))
entry once [n] (xs: [n]i32) (as: [n][n]i32) : [n][n]i32 = scan (map2 (+)) (replicate n 0) (rows 0 xs as).1
entry in_turns [n] (xs: [n]i32) (as: [n][n]i32) : (i32, [n][n]i32) = loop (s, as) = (0, as) for _i < 3i32 do rows s xs as
entry either [n] [k] (xs: [n]i32) (as: [n][n]i32) (_: [k]i64) : [n][n]i32 =
  map (scan (+) 0) (transpose (if k % 2 == 0 then (rows 1 xs as).1 else as))
)";

class RowsOfScans : public BesideFuthark {
 protected:
  RowsOfScans() : BesideFuthark(kRows) {}
};

TEST_F(RowsOfScans, AreReadAsTheyLie) {
  for (const char* n : {"1", "2", "37"}) {
    const std::string xs = std::string("[") + n + "]i32", as = std::string("[") + n + "]" + xs;
    for (const char* entry : {"once", "in_turns"}) expect_same(entry, {xs, as}, 0);
    for (const char* which : {"[1]i64", "[2]i64"}) expect_same("either", {xs, as, which}, 0);
  }
}

// Constants are planned before the functions that read them.
const std::string kConstants = R"(
def n : i64 = i64.sum (opaque (iota 5))
def xs : [n]i32 = opaque (map i32.i64 (iota n))
def as : [n][n]i32 = opaque (unflatten (map i32.i64 (iota (n * n))))
def rows : [n][n]i32 =
  let (ys, bs) = unzip (map2 (\x a -> let b = copy a with [i64.i32 x % n] = x in (x, b)) xs as)
  in scatter bs (map (\y -> i64.i32 y % n) (scan (+) 0 ys)) (replicate n (replicate n 7))
entry added (k: i32) : [n][n]i32 = map (map (+ k)) rows
entry sums_of_parts (k: i32) : []i32 = map i32.sum (transpose rows[i64.i32 (k & 3):])
)";

class ConstantRowsOfScans : public BesideFuthark {
 protected:
  ConstantRowsOfScans() : BesideFuthark(kConstants) {}
};

TEST_F(ConstantRowsOfScans, AreReadAsTheyLie) {
  for (const char* entry : {"added", "sums_of_parts"}) expect_same(entry, {"i32"}, 0);
}

}  // namespace
