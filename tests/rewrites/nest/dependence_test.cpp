#include "rewrites/nest/dependence.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

// Over the iterations of i in n, of which this is the body.
std::string over_i(const std::string& body) {
  Names s;
  Kernel k = vector_kernel("for i_10 in n_1 (serial) {" + body + "}");
  const For& f = *find_loop(k, s.i).loop;
  return to_text(dependences(k, {&f}, f.body, s.fresh));
}

TEST(Dependence, TilesDoNotOverlap) {
  // Rows of T elements.
  EXPECT_EQ(over_i("for j_11 in T_3 (serial) { both_8[i_10 * T_3 + j_11] := 1.0f32; }"), "both_8 (=)");
  // The last of them is shorter.
  EXPECT_EQ(over_i("for j_11 in min(T_3, n_1 - i_10 * T_3) (serial) { both_8[i_10 * T_3 + j_11] := 1.0f32; }"),
            "both_8 (=)");
  // One element too long.
  EXPECT_EQ(over_i("for j_11 in T_3 + 1 (serial) { both_8[i_10 * T_3 + j_11] := 1.0f32; }"), "both_8 (*)");
  // Backwards.
  EXPECT_EQ(over_i("for j_11 in 2 (serial) { both_8[n_1 - i_10 * 2 - j_11] := 1.0f32; }"), "both_8 (=)");
}

TEST(Dependence, DistancesHaveDirections) {
  EXPECT_EQ(over_i("both_8[i_10 * 2 + 2] := both_8[i_10 * 2];"), "both_8 (=), both_8 (<)");
  EXPECT_EQ(over_i("both_8[i_10 * 2] := both_8[i_10 * 2 + 2];"), "both_8 (=), both_8 (<)");
  EXPECT_EQ(over_i("both_8[i_10 * 2 + 1] := both_8[i_10 * 2];"), "both_8 (=)") << "even and odd elements";
}

TEST(Dependence, WhatIsNotKnownIsPossible) {
  EXPECT_EQ(over_i("both_8[i_10 * i_10] := 1.0f32;"), "both_8 (*)");
  EXPECT_EQ(over_i("both_8[i_10 * (T_3 - 1)] := 1.0f32;"), "both_8 (*)") << "the step may be zero";
  EXPECT_EQ(over_i("out_7[i_10] := in_5[i_10];"), "out_7 (=)") << "what is only read has no dependences";
  EXPECT_EQ(over_i("alloc local_30: register f32; local_30[] := 0.0f32; out_7[i_10] := local_30[];"), "out_7 (=)")
      << "nor has what each iteration makes for itself";
}

TEST(Dependence, StepsOfAReduction) {
  EXPECT_EQ(over_i("both_8[0] := in_5[i_10] + both_8[0];"), "both_8 (*) within a reduction");
  EXPECT_EQ(over_i("both_8[0] := both_8[0] + both_8[0];"), "both_8 (*)") << "doubling is no reduction";
}

// Against all pairs of iterations.
RC_GTEST_PROP(DependenceProperty, NoDirectionIsMissed, ()) {
  auto small = [](int64_t low, int64_t high) { return *rc::gen::inRange<int64_t>(low, high); };
  Names s;
  Name e{"e", 40};
  int64_t n = small(1, 5), m = small(1, 5), inner = small(1, 4);
  struct Map {
    int64_t i, j, e, constant;
    int64_t operator()(int64_t x, int64_t y, int64_t z) const { return i * x + j * y + e * z + constant; }
  };
  auto map = [&] { return Map{small(-4, 5), small(-4, 5), small(-2, 3), small(-3, 4)}; };
  size_t rank = static_cast<size_t>(small(1, 3));
  std::vector<Map> to, from;
  for (size_t d = 0; d < rank; ++d) {
    to.push_back(map());
    from.push_back(*rc::gen::arbitrary<bool>() ? map() : to.back());
    if (*rc::gen::arbitrary<bool>()) from.back().constant = small(-3, 4);
  }
  auto index = [&](const std::vector<Map>& maps) {
    std::vector<Expr> result;
    for (const Map& f : maps)
      result.push_back(
          add(add(mul(i64(f.i), v(s.i)), mul(i64(f.j), v(s.j))), add(mul(i64(f.e), v(e)), i64(f.constant))));
    return result;
  };
  Kernel k = vector_kernel("");
  k.body = {loop(Role::Serial, s.i, i64(n),
                 {loop(Role::Serial, s.j, i64(m),
                       {loop(Role::Serial, e, i64(inner), {store(s.both, index(to), at(s.both, index(from)))})})})};
  const For &outer = *find_loop(k, s.i).loop, &middle = *find_loop(k, s.j).loop;
  std::vector<Dependence> all = dependences(k, {&outer, &middle}, middle.body, s.fresh);

  auto sign = [](int64_t d) -> unsigned { return d < 0 ? kEarlier : d == 0 ? kSame : kLater; };
  auto found = [&](unsigned of_i, unsigned of_j) {
    for (const Dependence& d : all) {
      auto has = [&](unsigned x, unsigned y) { return (d.loops[0] & x) != 0 && (d.loops[1] & y) != 0; };
      auto turned = [](unsigned x) -> unsigned { return x == kSame ? kSame : x == kLater ? kEarlier : kLater; };
      if (has(of_i, of_j) || has(turned(of_i), turned(of_j))) return true;
    }
    return false;
  };
  auto same_element = [&](const std::vector<Map>& f, const std::vector<Map>& g, const std::vector<int64_t>& a,
                          const std::vector<int64_t>& b) {
    for (size_t d = 0; d < rank; ++d) {
      if (f[d](a[0], a[1], a[2]) != g[d](b[0], b[1], b[2])) return false;
    }
    return true;
  };
  std::vector<std::vector<int64_t>> points;
  for (int64_t x = 0; x < n; ++x) {
    for (int64_t y = 0; y < m; ++y) {
      for (int64_t z = 0; z < inner; ++z) points.push_back({x, y, z});
    }
  }
  for (const auto& a : points) {
    for (const auto& b : points) {
      if (same_element(to, to, a, b) || same_element(to, from, a, b))
        RC_ASSERT(found(sign(b[0] - a[0]), sign(b[1] - a[1])));
    }
  }
}

}  // namespace
}  // namespace heddle::nest
