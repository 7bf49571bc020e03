#include "rewrites/plan/tile_waste.h"

namespace heddle::lower {

using prim::Family;
using prim::Type;
using seg::SubExp;

namespace {

// About as many as a large device computes at a time.
constexpr int64_t kFewPoints = 1 << 18;

SubExp truth(seg::Builder& host, const std::string& base, prim::Op op, SubExp a, SubExp b) {
  return host.let(base, seg::Type::scalar(Type::Bool), seg::PrimOp{op, {std::move(a), std::move(b)}});
}

}  // namespace

SubExp wastes_little(const std::vector<SubExp>& extents, const stencil::Tile& tile, seg::Builder& host) {
  SubExp points = seg::i64(1), covered = seg::i64(1);
  for (size_t d = 0; d < extents.size(); ++d) {
    points = host.mul(points, extents[d]);
    covered = host.mul(covered, host.mul(host.div_up(extents[d], seg::i64(tile[d])), seg::i64(tile[d])));
  }
  const prim::Op at_most(Family::Sle, Type::I64);
  SubExp little = truth(host, "little", at_most, host.mul(covered, seg::i64(3)), host.mul(points, seg::i64(4)));
  SubExp few = truth(host, "few", at_most, points, seg::i64(kFewPoints));
  return truth(host, "worth", prim::Op(Family::LogOr, Type::Bool), few, little);
}

}  // namespace heddle::lower
