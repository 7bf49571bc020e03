#include "rewrites/nest/dependence.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

std::string over_i(const Kernel& k, Names& s) {
  const For& f = *find_loop(k, s.i).loop;
  return to_text(dependences(k, {&f}, f.body, s.fresh));
}

TEST(Dependence, TilesDoNotOverlap) {
  Names s;
  // Rows of T elements.
  Kernel k = vector_kernel(
      s, {loop(Role::Serial, s.j, v(s.tile), {store(s.both, {add(mul(v(s.i), v(s.tile)), v(s.j))}, f32(1))})});
  EXPECT_EQ(over_i(k, s), "both_8 (=)");
  // The last of them is shorter.
  Expr rest = min(v(s.tile), sub(v(s.n), mul(v(s.i), v(s.tile))));
  k = vector_kernel(s, {loop(Role::Serial, s.j, rest, {store(s.both, {add(mul(v(s.i), v(s.tile)), v(s.j))}, f32(1))})});
  EXPECT_EQ(over_i(k, s), "both_8 (=)");
  // One element too long.
  k = vector_kernel(s, {loop(Role::Serial, s.j, add(v(s.tile), i64(1)),
                             {store(s.both, {add(mul(v(s.i), v(s.tile)), v(s.j))}, f32(1))})});
  EXPECT_EQ(over_i(k, s), "both_8 (*)");
  // Backwards.
  Expr index = sub(sub(v(s.n), mul(v(s.i), i64(2))), v(s.j));
  k = vector_kernel(s, {loop(Role::Serial, s.j, i64(2), {store(s.both, {index}, f32(1))})});
  EXPECT_EQ(over_i(k, s), "both_8 (=)");
}

TEST(Dependence, DistancesHaveDirections) {
  Names s;
  auto shifted = [&](int64_t to, int64_t from) {
    return vector_kernel(
        s, {store(s.both, {add(mul(v(s.i), i64(2)), i64(to))}, at(s.both, {add(mul(v(s.i), i64(2)), i64(from))}))});
  };
  EXPECT_EQ(over_i(shifted(2, 0), s), "both_8 (=), both_8 (<)");
  EXPECT_EQ(over_i(shifted(0, 2), s), "both_8 (=), both_8 (<)");
  EXPECT_EQ(over_i(shifted(1, 0), s), "both_8 (=)") << "even and odd elements";
}

TEST(Dependence, WhatIsNotKnownIsPossible) {
  Names s;
  Kernel k = vector_kernel(s, {store(s.both, {mul(v(s.i), v(s.i))}, f32(1))});
  EXPECT_EQ(over_i(k, s), "both_8 (*)");
  k = vector_kernel(s, {store(s.both, {mul(v(s.i), sub(v(s.tile), i64(1)))}, f32(1))});
  EXPECT_EQ(over_i(k, s), "both_8 (*)") << "the step may be zero";
  k = vector_kernel(s, {store(s.out, {v(s.i)}, at(s.in, {v(s.i)}))});
  EXPECT_EQ(over_i(k, s), "out_7 (=)") << "what is only read has no dependences";
  Name local{"local", 30};
  k = vector_kernel(s, {stmt(Alloc{buffer(local, prim::Type::F32, Space::Register, {})}), store(local, {}, f32(0)),
                        store(s.out, {v(s.i)}, at(local, {}))});
  EXPECT_EQ(over_i(k, s), "out_7 (=)") << "nor has what each iteration makes for itself";
}

TEST(Dependence, StepsOfAReduction) {
  Names s;
  Kernel k = vector_kernel(s, {store(s.both, {i64(0)}, fadd(at(s.in, {v(s.i)}), at(s.both, {i64(0)})))});
  EXPECT_EQ(over_i(k, s), "both_8 (*) within a reduction");
  k = vector_kernel(s, {store(s.both, {i64(0)}, fadd(at(s.both, {i64(0)}), at(s.both, {i64(0)})))});
  EXPECT_EQ(over_i(k, s), "both_8 (*)") << "doubling is no reduction";
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
  Kernel k = vector_kernel(s, {});
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
