#include "rewrites/recipes/beyond_image.h"

#include <algorithm>

#include "rewrites/points/index_code.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;
using recognize::Exchange;
using recognize::ExchangedDim;

// A stage's places are exchanged as the first has it that reads it beyond a border. Who has it otherwise, or reads in a dimension that
// all tiles have as a whole, goes on doing so by itself, and reads elements within the border. Of a torus, places are what is read around it.
BeyondImage::BeyondImage(const Stages& stages, const TilePlaces& places) : stages_(stages), places_(places) {
  for (const StageCode* stage : stages_) exchanges_.emplace_back(stage->indices.size());
  for (const StageCode* reader : stages_) {
    for (const ExchangedDim& x : reader->beyond.dims) {
      const std::optional<size_t> p = made_by(x.buffer);
      if (p && places_.goes_along(*p, x.dim) && !places_.wraps(*p, x.dim) && !exchanges_[*p][x.dim])
        exchanges_[*p][x.dim] = x.by;
    }
  }
  for (size_t s = 0; s < stages_.size(); ++s) {
    const StageCode& reader = *stages_[s];
    auto goes_on = [&](const Name& buffer, size_t d) {
      const std::optional<size_t> p = made_by(buffer);
      return p && places_.goes_along(*p, d) && std::ranges::all_of(reader.beyond.dims, [&](const ExchangedDim& x) {
               const bool is_own = places_.wraps(*p, d) ? x.by == Exchange::Wrap : exchanges_[*p][d] == x.by;
               return x.buffer != buffer || x.dim != d || is_own;
             });
    };
    auto is_torus = [&](size_t d) { return places_.wraps(s, d); };
    work_.push_back(recognize::exchanged_but(reader.beyond, reader.indices, goes_on, is_torus));
  }
}

std::optional<size_t> BeyondImage::made_by(const Name& array) const {
  for (size_t s = 0; s < stages_.size(); ++s) {
    if (std::ranges::find(stages_[s]->arrays, array) != stages_[s]->arrays.end()) return s;
  }
  return std::nullopt;
}

BeyondImage::Part BeyondImage::part(size_t s, const std::vector<Expr>& first, const std::vector<int64_t>& box,
                                    NameSource& names, nest::Block& lets) const {
  Part part{{}, {}, nest::constant(prim::Value::of_bool(true))};
  for (size_t d = 0; d < first.size(); ++d) {
    const recognize::Index& own = stages_[s]->indices[d];
    const Expr end = nest::add(first[d], i64(box[d]));
    if (places_.wraps(s, d)) {
      part.first.push_back(first[d]);
      part.last.push_back(nest::sub(end, i64(1)));
      part.some_exist = nest::both(part.some_exist, places_.exists(s, d, first[d]));
      continue;
    }
    const Name name = names.fresh(own.name.base + "_last");
    lets.push_back(nest::stmt(nest::Let{name, nest::sub(nest::min(own.extent, end), i64(1))}));
    const Expr last = nest::var(name, Type::I64);
    const bool may_be_negative = places_.may_be_negative(s, d);
    part.first.push_back(may_be_negative ? nest::max(first[d], i64(0)) : first[d]);
    part.last.push_back(last);
    if (may_be_negative) part.some_exist = nest::both(part.some_exist, nest::less(i64(-1), last));
    part.some_exist = nest::both(part.some_exist, nest::less(first[d], nest::add(last, i64(1))));
  }
  return part;
}

nest::Block BeyondImage::point_at(size_t s, size_t d, const Expr& place, const Part& part) const {
  if (places_.wraps(s, d)) return places_.at_other_end(s, d, nest::min(place, part.last[d]));
  const recognize::Index& own = stages_[s]->indices[d];
  const Exchange by = exchanges_[s][d].value_or(Exchange::Clamp);
  Expr point = place;
  if (by == Exchange::Clamp) {
    point = nest::min(point, part.last[d]);
    if (places_.may_be_negative(s, d)) point = nest::max(point, i64(0));
  } else {
    // A mirror may have no point of the tile for a place that nobody reads.
    point = nest::max(nest::min(recognize::exchanged(by, place, own.extent), part.last[d]), part.first[d]);
  }
  return {nest::stmt(nest::Let{own.name, point})};
}

}  // namespace heddle::lower
