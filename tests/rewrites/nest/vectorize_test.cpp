// Neighbouring elements moved at once.
#include "rewrites/nest/vectorize.h"
#include "ir/nest/printer.h"
#include "rewrites/nest/stripmine.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

// for t in m { for e in R { S } }, over in, out: f32[n][m].
Kernel pieces(const Names& s, Block body) {
  Kernel k = matrix_kernel(s, {loop(Role::Serial, s.j, v(s.m), {loop(Role::Serial, s.x, v(s.points), body)})});
  return k;
}

Expr first(const Names& s) { return mul(v(s.j), v(s.points)); }

TEST(Vectorize, AsksWhetherTheWidthDividesRows) {
  Names s;
  Expr at_e = add(first(s), v(s.x));
  Kernel before = pieces(
      s, {let(s.k, at_e), when(less(v(s.k), v(s.m)), {store(s.out, {v(s.i), v(s.k)}, at(s.in, {v(s.i), v(s.k)}))})});
  Kernel after = rewritten(vectorize(before, s.x, s.fresh));
  EXPECT_EQ(to_text(after.body), R"(for i_10 in n_1 (serial) {
  for j_11 in m_2 (serial) {
    if m_2 % R_4 == 0 {
      if j_11 * R_4 < m_2 {
        for x_16 in R_4 (vector) {
          out_7[i_10][j_11 * R_4 + x_16] := in_5[i_10][j_11 * R_4 + x_16];
        }
      }
    } else {
      for x_101 in R_4 (serial) {
        let k_100: i64 = j_11 * R_4 + x_101;
        if k_100 < m_2 {
          out_7[i_10][k_100] := in_5[i_10][k_100];
        }
      }
    }
  }
}
)");
  for (int64_t m : awkward_sizes(4)) {
    for (int64_t width : {1, 2, 4}) expect_same(before, after, {{s.n, 3}, {s.m, m}, {s.tile, 1}, {s.points, width}});
  }
}

TEST(Vectorize, ComputesIntoRegistersFirst) {
  Names s;
  Expr at_e = add(first(s), v(s.x));
  Kernel before = pieces(s, {when(both(less(i64(-1), at_e), less(at_e, v(s.m))),
                                  {let(s.sum, at(s.in, {v(s.i), at_e})),
                                   store(s.out, {v(s.i), at_e}, fadd(var(s.sum, prim::Type::F32), f32(1)))})});
  Kernel after = rewritten(vectorize(before, s.x, s.fresh));
  EXPECT_NE(to_text(after.body).find(R"(
        alloc values_100: register f32[R_4];
        for x_101 in R_4 (unrolled) {
          values_100[x_101] := in_5[i_10][j_11 * R_4 + x_101] + 1.0f32;
        }
        for x_16 in R_4 (vector) {
          out_7[i_10][j_11 * R_4 + x_16] := values_100[x_16];
        }
)"),
            std::string::npos)
      << to_text(after.body);
  for (int64_t m : awkward_sizes(4)) expect_same(before, after, {{s.n, 2}, {s.m, m}, {s.tile, 1}, {s.points, 2}});
}

TEST(Vectorize, Refuses) {
  Names s;
  auto refused = [&](Block body) { return refusal(vectorize(pieces(s, std::move(body)), s.x, s.fresh)); };
  Expr at_e = add(first(s), v(s.x)), shifted = add(at_e, i64(1));
  EXPECT_EQ(refused({store(s.out, {v(s.i), at_e}, at(s.in, {v(s.i), shifted}))}),
            "1 + R_4 * j_11 may be no multiple of R_4");
  EXPECT_EQ(refused({store(s.out, {v(s.i), at_e}, at(s.in, {v(s.i), add(v(s.j), v(s.x))}))}),
            "j_11 may be no multiple of R_4");
  EXPECT_EQ(refused({store(s.out, {v(s.i), at_e}, at(s.in, {at_e, v(s.i)}))}),
            "j_11 * R_4 + x_16 does not move to the neighbour in in_5 with x_16");
  EXPECT_EQ(refused({store(s.out, {v(s.i), at_e}, at(s.out, {v(s.i), at_e}))}), "out_7 is read, too");
  EXPECT_EQ(refused({store(s.out, {v(s.i), at_e}, f32(0)), store(s.both, {v(s.i), at_e}, f32(0))}),
            "x_16 does more than one store");
  EXPECT_EQ(refused({when(less(v(s.x), v(s.j)), {store(s.out, {v(s.i), at_e}, f32(0))})}),
            "j_11 may be no multiple of R_4");
  EXPECT_EQ(refused({when(less(mul(v(s.x), i64(2)), v(s.m)), {store(s.out, {v(s.i), at_e}, f32(0))})}),
            "x_16 * 2 < m_2 may hold for some of the elements only");
  Kernel k = pieces(s, {store(s.out, {v(s.i), at_e}, at(s.in, {v(s.i), at_e}))});
  EXPECT_EQ(refusal(vectorize(k, s.j, s.fresh)), "a width of m_2 is not constant");
  for (Buffer& b : k.buffers) b.strides = {i64(1), v(s.n)};
  EXPECT_EQ(refusal(vectorize(k, s.x, s.fresh)), "neighbours in out_7 lie apart");
}

}  // namespace
}  // namespace heddle::nest
