#include "rewrites/points/warp_lanes.h"

#include "rewrites/points/block_shape.h"
#include "rewrites/points/index_code.h"

namespace heddle::lower {

using nest::Expr;
using prim::Family;
using prim::Op;
using prim::Type;

namespace {

Expr is_less(const Expr& a, const Expr& b) { return nest::operation(Op(Family::Slt, Type::I32), {a, b}); }
Expr short_constant(int32_t x) { return nest::constant(prim::Value::i32(x)); }

}  // namespace

Expr modulo_warp(const Expr& thread) {
  return nest::operation(Op(Family::And, Type::I64), {thread, i64(kLanesOfWarp - 1)});
}

Values WarpLanes::in_lane(const std::vector<ArrayValue>& variables, const Expr& lane) {
  Values received;
  for (const KernelValue& own : current(b_, variables)) {
    const Expr& value = std::get<Expr>(own);
    const Name other = names_.fresh("other");
    b_.emit(nest::stmt(nest::Shuffle{other, value, lane}));
    received.emplace_back(nest::var(other, value->type));
  }
  return received;
}

// Of lanes a device compares with one instruction what has 32 bits, with two what has 64.
Expr WarpLanes::short_number(const Expr& x) {
  return b_.bind(nest::operation(Op(Family::SExt, Type::I64, Type::I32), {x}));
}

void WarpLanes::for_distances(const Expr& lanes, const std::function<void(const Expr& apart)>& emit) {
  const Name level = names_.fresh("level");
  const Expr shorts = short_number(lanes);
  nest::Block steps = b_.block([&] {
    const Expr apart = b_.bind(power_of_two(nest::var(level, Type::I64)));
    b_.guarded(is_less(short_number(apart), shorts), [&] { emit(apart); });
  });
  b_.emit(nest::stmt(nest::For{level, i64(kLevelsOfWarp), role_, std::move(steps)}));
}

void WarpLanes::fold(const std::vector<ArrayValue>& acc, const Expr& lane, const Expr& lanes) {
  const Expr own = short_number(lane);
  for_distances(lanes, [&](const Expr& apart) {
    const Values behind = in_lane(acc, b_.bind(modulo_warp(nest::add(thread_, apart))));
    const Expr among =
        nest::operation(Op(Family::And, Type::I32), {own, short_number(nest::sub(nest::mul(i64(2), apart), i64(1)))});
    b_.guarded(nest::operation(Op(Family::Eq, Type::I32), {among, short_constant(0)}),
               [&] { b_.assign(acc, combined(b_, ops_, current(b_, acc), behind)); });
  });
}

void WarpLanes::scan(const std::vector<ArrayValue>& acc, const Expr& lane, const Expr& lanes) {
  const Expr own = short_number(lane);
  for_distances(lanes, [&](const Expr& apart) {
    const Values before = in_lane(acc, b_.bind(modulo_warp(nest::sub(thread_, apart))));
    b_.guarded(is_less(short_number(nest::sub(apart, i64(1))), own),
               [&] { b_.assign(acc, combined(b_, ops_, before, current(b_, acc))); });
  });
}

}  // namespace heddle::lower
