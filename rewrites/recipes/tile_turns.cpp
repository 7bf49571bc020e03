#include "rewrites/recipes/tile_turns.h"

#include <algorithm>

#include "rewrites/points/index_code.h"
#include "rewrites/stencil/tiles.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

// What a strip costs beside its rows: dividing its number, and reading the rows that it shares with the next.
constexpr int64_t kRowsOfOverhead = 2;

int64_t product(const std::vector<int64_t>& box) {
  int64_t count = 1;
  for (int64_t d : box) count *= d;
  return count;
}

// The digits of a number over `box`. A box has few points, so 32 bits suffice to divide them, which are much faster.
Digits digits_of(const Expr& number, const std::vector<int64_t>& box) {
  auto constant = [](int64_t x) { return nest::constant(prim::Value::i32(static_cast<int32_t>(x))); };
  auto by = [&](prim::Family f, const Expr& a, int64_t b) {
    return nest::operation(prim::Op(f, Type::I32), {a, constant(b)});
  };
  Expr rest = number;
  Digits digits(box.size());
  for (size_t d = box.size(); d-- > 0;) {
    Expr digit = d == 0 ? rest : by(prim::Family::UMod, rest, box[d]);
    digits[d] = nest::operation(prim::Op(prim::Family::ZExt, Type::I32, Type::I64), {digit});
    if (d > 0) rest = by(prim::Family::UDiv, rest, box[d]);
  }
  return digits;
}

Expr index(const Name& n) { return nest::var(n, Type::I64); }

Expr in_32_bits(const Expr& e) { return nest::operation(prim::Op(prim::Family::ZExt, Type::I64, Type::I32), {e}); }

}  // namespace

nest::Stmt by_points(const std::vector<int64_t>& box, const TeamOfThreads& team,
                     const std::function<nest::Block(const Digits&)>& point, NameSource& names) {
  Name piece = names.fresh("piece"), at = names.fresh("at"), number = names.fresh("number");
  nest::Block work = {nest::stmt(nest::Let{number, in_32_bits(index(at))})};
  Digits digits = digits_of(nest::var(number, Type::I32), box);
  for (Expr& digit : digits) {
    Name name = names.fresh("digit");
    work.push_back(nest::stmt(nest::Let{name, digit}));
    digit = index(name);
  }
  nest::Block of_point = point(digits);
  work.insert(work.end(), of_point.begin(), of_point.end());
  const int64_t count = product(box), rounds = (count + team.threads - 1) / team.threads;
  Expr place = nest::add(nest::mul(index(piece), i64(team.threads)), index(team.thread));
  if (rounds * team.threads > count)
    work = {nest::stmt(nest::If{nest::less(index(at), i64(count)), std::move(work), {}})};
  nest::Block body = {nest::stmt(nest::Let{at, place})};
  body.insert(body.end(), work.begin(), work.end());
  return nest::stmt(nest::For{piece, i64(rounds), nest::Role::Serial, std::move(body)});
}

Strips strips_for(const std::vector<int64_t>& box, int64_t threads, int64_t most_rows, int64_t points_of_row) {
  size_t last = box.size();
  while (last > 0 && box[last - 1] <= stencil::kNarrow) --last;
  if (last < 2) return {};
  Strips best;
  best.along =
      static_cast<size_t>(std::max_element(box.begin(), box.begin() + static_cast<long>(last) - 1) - box.begin());
  const int64_t extent = box[best.along], others = product(box) / extent;
  auto strips = [&](int64_t rows) { return (extent + rows - 1) / rows; };
  auto cost = [&](int64_t rows) {
    return (strips(rows) * others + threads - 1) / threads * (rows * points_of_row + kRowsOfOverhead);
  };
  for (int64_t rows = 2; rows <= std::min(most_rows, extent); ++rows) {
    if (cost(rows) < cost(best.rows)) best.rows = rows;
  }
  return best;
}

nest::Stmt by_strips(const std::vector<int64_t>& box, const Strips& strips, const TeamOfThreads& team,
                     const std::function<nest::Block(const StripDigits&)>& strip, NameSource& names) {
  std::vector<int64_t> of_strips = box;
  int64_t& along = of_strips[strips.along];
  along /= strips.rows;
  auto points = [&](const Digits& digits) {
    return strip([&](const Expr& row) {
      Digits point = digits;
      point[strips.along] = nest::add(nest::mul(digits[strips.along], i64(strips.rows)), row);
      return point;
    });
  };
  return by_points(of_strips, team, points, names);
}

}  // namespace heddle::lower
