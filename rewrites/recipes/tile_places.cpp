#include "rewrites/recipes/tile_places.h"

#include <algorithm>

#include "rewrites/points/index_code.h"

namespace heddle::lower {

using nest::Expr;

namespace {

// Beyond so many, a remainder costs less.
constexpr int64_t kMostTimesAround = 4;

Expr index(const Name& n) { return nest::var(n, prim::Type::I64); }

}  // namespace

TilePlaces::TilePlaces(const std::vector<const StageCode*>& stages, const std::vector<bool>& is_stored,
                       const stencil::FittedTile& schedule, NameSource& names, bool of_piece)
    : stages_(stages),
      is_stored_(is_stored),
      schedule_(schedule),
      halos_(schedule.halos),
      tile_(schedule.tile),
      names_(names),
      of_piece_(of_piece) {
  for (size_t d = 0; d < tile_.size(); ++d) {
    const Name& like = stages_.back()->indices[d].name;
    numbers_.push_back(names_.fresh(like.base + "_tile"));
    origins_.push_back(names_.fresh(like.base + "_origin"));
  }
}

// ---- Tiles. ----

Expr TilePlaces::count(size_t d) const {
  std::vector<Expr> counts;
  for (size_t s = stages_.size(); s-- > 0;) {
    if (s + 1 < stages_.size() && !is_stored_[s]) continue;
    const Expr count = count_of_result(s, d);
    if (std::ranges::none_of(counts, [&](const Expr& c) { return nest::equal(c, count); })) counts.push_back(count);
  }
  Expr most = counts.at(0);
  for (size_t k = 1; k < counts.size(); ++k) most = nest::max(most, counts[k]);
  return most;
}

// Where no dimension of the result goes along, one tile has all of it.
Expr TilePlaces::count_of_result(size_t s, size_t d) const {
  for (size_t e = 0; e < stages_[s]->indices.size(); ++e) {
    const std::optional<stencil::Aligned>& a = halos_.stages[s][e].aligned;
    if (a && a->tile_dim == d) return nest::ceil_div(extent(s, e), i64(tile_[d] * a->scale.num / a->scale.den));
  }
  return i64(1);
}

nest::Block TilePlaces::origins() const {
  std::vector<Expr> first;
  for (size_t d = 0; d < tile_.size(); ++d) first.push_back(nest::mul(rotated(d), i64(tile_[d])));
  return origins_at(first);
}

nest::Block TilePlaces::origins_at(const std::vector<Expr>& first) const {
  nest::Block lets;
  for (size_t d = 0; d < tile_.size(); ++d) lets.push_back(nest::stmt(nest::Let{origins_[d], first[d]}));
  return lets;
}

Expr TilePlaces::origin(size_t d) const { return is_only_tile(d) ? i64(0) : index(origins_[d]); }

// The last tiles of a dimension come first: those at borders take longest, and what takes longest had better not come last.
Expr TilePlaces::rotated(size_t d) const {
  if (is_only_tile(d)) return i64(0);
  if (for_warps()) return index(numbers_[d]);  // of which there may be more than there are
  const Expr tile = index(numbers_[d]), last = nest::sub(count(d), i64(1));
  return nest::select(nest::less(i64(0), tile), nest::sub(tile, i64(1)), last);
}

// Those of warps may lie beyond the first dimension.
bool TilePlaces::is_only_tile(size_t d) const {
  return nest::equal(count(d), i64(1)) && !(for_warps() && d == 0) && !of_piece_;
}

// ---- Their parts. ----

Expr TilePlaces::first_of(size_t s, size_t d) const {
  const stencil::Halo& h = halos_.stages[s][d];
  if (!h.aligned) return i64(h.fixed.first);
  const stencil::Ratio& scale = h.aligned->scale;
  // The tile's size is a multiple of the denominator.
  const size_t d_of_tile = h.aligned->tile_dim;
  Expr first = nest::mul(origin(d_of_tile), i64(scale.num));
  return nest::sub(nest::div(first, i64(scale.den)), i64(h.left + h.shift));
}

// floor(origin * num / den) < rest  <=>  origin < ceil(rest * den / num)
std::optional<TilePlaces::Begin> TilePlaces::begins_before(size_t s, size_t d, const Expr& end) const {
  const stencil::Halo& h = halos_.stages[s][d];
  if (!h.aligned) return std::nullopt;
  const stencil::Ratio& scale = h.aligned->scale;
  const Expr scaled = nest::mul(nest::add(end, i64(h.left + h.shift)), i64(scale.den));
  return Begin{h.aligned->tile_dim, scale.num == 1 ? scaled : nest::ceil_div(scaled, i64(scale.num))};
}

std::vector<int64_t> TilePlaces::box(size_t s) const { return stencil::extents(halos_, halos_.group.stages[s], tile_); }

bool TilePlaces::may_be_negative(size_t s, size_t d) const {
  const stencil::Halo& h = halos_.stages[s][d];
  return h.aligned ? h.left + h.shift > 0 : h.fixed.first < 0;
}

stencil::Interval TilePlaces::own_points(size_t s, size_t d) const {
  const stencil::Halo& h = halos_.stages[s][d];
  const int64_t points = tile_[h.aligned->tile_dim] * h.aligned->scale.num / h.aligned->scale.den;
  return {h.left, h.left + points - 1};
}

Expr TilePlaces::exists(size_t s, size_t d, const Expr& first) const {
  if (!for_warps()) return nest::constant(prim::Value::of_bool(true));
  return nest::less(nest::add(first, i64(halos_.stages[s][d].left)), extent(s, d));
}

// A torus may be smaller than what is read beyond it: a place is then several times around it. Where nobody reads a place any point will do.
nest::Block TilePlaces::at_other_end(size_t s, size_t d, const Expr& place) const {
  const stencil::Halo& h = halos_.stages[s][d];
  const Name& own = stages_[s]->indices[d].name;
  const Expr& n = extent(s, d);
  const bool is_like_tile = h.aligned && h.aligned->scale.num == h.aligned->scale.den;
  const int64_t most = std::max(h.left, h.right) + std::abs(h.shift);
  if (!is_like_tile || most > kMostTimesAround) return {nest::stmt(nest::Let{own, nest::mod(place, n)})};
  nest::Block lets;
  Expr at = place;
  for (int64_t times = 0; times < std::max<int64_t>(most, 1); ++times) {
    const Name name = names_.fresh(own.base + "_place");
    lets.push_back(nest::stmt(nest::Let{name, at}));
    at = recognize::exchanged(recognize::Exchange::Wrap, index(name), n);
  }
  const Name name = names_.fresh(own.base + "_place");
  lets.push_back(nest::stmt(nest::Let{name, at}));
  lets.push_back(nest::stmt(nest::Let{own, nest::max(i64(0), nest::min(index(name), nest::sub(n, i64(1))))}));
  return lets;
}

}  // namespace heddle::lower
