#include "rewrites/nest/interchange.h"

#include "ir/nest/printer.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

Expr next(const Name& i) { return add(v(i), i64(1)); }

// for i in n { for j in m { both[i + di][j + dj] := both[i + ei][j + ej] + in[i][j] } }
Kernel recurrence(const Names& s, Expr to_i, Expr to_j, Expr from_i, Expr from_j) {
  Expr value = fadd(at(s.both, {std::move(from_i), std::move(from_j)}), at(s.in, {v(s.i), v(s.j)}));
  return matrix_kernel(s,
                       {loop(Role::Serial, s.j, v(s.m), {store(s.both, {std::move(to_i), std::move(to_j)}, value)})});
}

void expect_legal(const Kernel& before, const Names& s) {
  Names names = s;
  Kernel after = rewritten(interchange(before, s.i, names.fresh));
  for (int64_t n : {0, 1, 2, 7}) {
    for (int64_t m : {0, 1, 3, 5}) expect_same(before, after, {{s.n, n}, {s.m, m}, {s.tile, 1}, {s.points, 1}});
  }
}

TEST(Interchange, MovesWhatStandsBetweenInside) {
  Names s;
  Block point = {store(s.out, {v(s.x), v(s.j)}, at(s.in, {v(s.x), v(s.j)}))};
  Kernel before = matrix_kernel(s, {let(s.x, sub(sub(v(s.n), i64(1)), v(s.i))),
                                    when(less(v(s.x), i64(5)), {loop(Role::Serial, s.j, v(s.m), point)})});
  Result<Rewritten> result = interchange(before, s.i, s.fresh);
  EXPECT_EQ(to_text(rewritten(result).body), R"(for j_11 in m_2 (serial) {
  for i_10 in n_1 (serial) {
    let x_16: i64 = n_1 - 1 - i_10;
    if x_16 < 5 {
      out_7[x_16][j_11] := in_5[x_16][j_11];
    }
  }
}
)");
  EXPECT_EQ(result->why_legal, "no dependence over (i_10, j_11) has the direction (<, >): out_7 (=, =)");
  expect_legal(before, s);
}

TEST(Interchange, IsLegalForOtherDirections) {
  Names s;
  expect_legal(recurrence(s, next(s.i), v(s.j), v(s.i), v(s.j)), s);     // (<, =)
  expect_legal(recurrence(s, next(s.i), next(s.j), v(s.i), v(s.j)), s);  // (<, <)
  expect_legal(recurrence(s, v(s.i), next(s.j), v(s.i), v(s.j)), s);     // (=, <)
}

TEST(Interchange, RefusesDependencesThatWouldTurnAround) {
  Names s;
  Kernel k = recurrence(s, next(s.i), v(s.j), v(s.i), next(s.j));
  EXPECT_EQ(refusal(interchange(k, s.i, s.fresh)),
            "iterations of i_10 and j_11 may depend on each other in the direction (<, >) through both_8");
  // The same the other way round: an element is read before it is overwritten.
  k = recurrence(s, v(s.i), next(s.j), next(s.i), v(s.j));
  EXPECT_NE(refusal(interchange(k, s.i, s.fresh)), "done");
  // Not affine, so not known.
  k = recurrence(s, v(s.i), mul(v(s.j), v(s.j)), v(s.i), v(s.j));
  EXPECT_EQ(refusal(interchange(k, s.i, s.fresh)), "done") << "the first dimension is another in each iteration of i";
  k = recurrence(s, mul(v(s.i), v(s.i)), v(s.j), v(s.i), next(s.j));
  EXPECT_NE(refusal(interchange(k, s.i, s.fresh)), "done");
}

TEST(Interchange, ReordersReductionsOnly) {
  Names s;
  auto reduction = [&](Expr value) {
    Kernel k = matrix_kernel(s, {loop(Role::Serial, s.j, v(s.m), {store(s.both, {i64(0), i64(0)}, std::move(value))})});
    return k;
  };
  Expr old = at(s.both, {i64(0), i64(0)}), element = at(s.in, {v(s.i), v(s.j)});
  expect_legal(reduction(fadd(old, element)), s);
  EXPECT_NE(refusal(interchange(reduction(fadd(element, fmul(old, f32(2)))), s.i, s.fresh)), "done");
  prim::Op minus(prim::Family::FSub, prim::Type::F32);
  EXPECT_NE(refusal(interchange(reduction(operation(minus, {old, element})), s.i, s.fresh)), "done");
  // The last one to store wins.
  EXPECT_NE(refusal(interchange(reduction(element), s.i, s.fresh)), "done");
}

TEST(Interchange, Refuses) {
  Names s;
  Stmt point = store(s.out, {v(s.i), v(s.j)}, at(s.in, {v(s.i), v(s.j)}));
  Kernel triangle = matrix_kernel(s, {let(s.x, v(s.i)), loop(Role::Serial, s.j, v(s.x), {point})});
  EXPECT_EQ(refusal(interchange(triangle, s.i, s.fresh)), "the extent of j_11 depends on i_10");
  Kernel two = matrix_kernel(s, {store(s.both, {v(s.i), i64(0)}, f32(0)), loop(Role::Serial, s.j, v(s.m), {point})});
  EXPECT_EQ(refusal(interchange(two, s.i, s.fresh)), "i_10 has no loop directly inside, or more than that");
  Kernel quotient =
      matrix_kernel(s, {when(less(i64(0), v(s.m)), {loop(Role::Serial, s.j, div(v(s.n), v(s.m)), {point})})});
  EXPECT_EQ(refusal(interchange(quotient, s.i, s.fresh)),
            "the extent of j_11 is defined only under the conditions around it");
  Kernel failing = matrix_kernel(s, {loop(Role::Serial, s.j, v(s.m), {stmt(Fail{0, {v(s.i)}}), point})});
  EXPECT_EQ(refusal(interchange(failing, s.i, s.fresh)),
            "it may fail inside, and the first failure is the one that is reported");
}

}  // namespace
}  // namespace heddle::nest
