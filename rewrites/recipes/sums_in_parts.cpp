#include "rewrites/recipes/sums_in_parts.h"

#include "rewrites/contraction/direct_nest.h"
#include "rewrites/contraction/split.h"
#include "rewrites/points/block_shape.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/alternatives.h"
#include "rewrites/recipes/launched_where.h"
#include "rewrites/recipes/pack_operands.h"
#include "rewrites/recipes/way.h"

namespace heddle::lower {

namespace {

using nest::Expr;
using prim::Type;

// Threads of which a device has enough to do: half of all it has room for.
constexpr int64_t kEnoughThreads = kFillingBlocks * kBlockSize / 2;
// Steps of a sum that take longer than another kernel, some 4 us, since a thread waits 0.16 us for the elements of a step; and those that a part has, by
// half of which it is through in one wait (nest/read_ahead.h).
constexpr int64_t kLongSum = 128, kStepsOfPart = 16;
// A thread adds up all parts of a point.
constexpr int64_t kMostParts = 256;

// One where the points are enough, or their sums short.
Expr number_of_parts(const Expr& points, const Expr& extent, const Expr& others) {
  const Expr steps = nest::mul(extent, others), room = nest::div(i64(kEnoughThreads), nest::max(points, i64(1)));
  const Expr most = nest::min(nest::min(extent, i64(kMostParts)), nest::div(steps, i64(kStepsOfPart)));
  return nest::select(nest::less(steps, i64(kLongSum)), i64(1), nest::max(i64(1), nest::min(room, most)));
}

Expr are_several(const Name& parts) { return nest::less(i64(1), var(parts)); }

void tell(Launch& launch, const Name& scalar, Expr value) {
  launch.kernel.scalars.push_back({scalar, Type::I64});
  launch.scalar_args.emplace_back(std::move(value));
}

}  // namespace

std::optional<SumsInParts> sums_in_parts(const recognize::Contraction& match, const Launch& direct, const Expr& holds,
                                         NameSource& names) {
  Way way{"", match, direct};
  put_contiguous_last(way);
  const Result<size_t> index = contraction::index_to_split(way.match, way.direct.kernel.buffers);
  if (!index) return std::nullopt;
  const nest::Substitution values = host_values(direct);
  auto on_host = [&](const Expr& e) { return nest::substitute(values, e); };
  std::vector<recognize::Index> others = way.match.reduction;
  others.erase(others.begin() + static_cast<long>(*index));
  const Expr extent = on_host(way.match.reduction[*index].extent);
  Expr number =
      number_of_parts(on_host(product_of_extents(way.match.parallel)), extent, on_host(product_of_extents(others)));
  if (holds) number = nest::select(holds, number, i64(1));

  const Name parts = names.fresh("parts"), each = names.fresh("each");
  contraction::Split split = contraction::split(way.match, way.direct.kernel.buffers, *index, parts, each, names);
  tell(way.direct, parts, number);
  tell(way.direct, each, nest::div(extent, number));
  add_temporary(way, split.partial);
  SumsInParts result{parts, number, {}, {}, way.temporaries[0]};
  result.partial.num_elems = nest::select(nest::less(i64(1), number), result.partial.num_elems, i64(0));
  auto launch = [&](const char* suffix, const std::vector<recognize::Index>& box, nest::Block point) {
    return launched_where(are_several(parts), launch_per_point(way, suffix, box, std::move(point), names));
  };
  nest::Block of_part = contraction::point_of(split.first, way.direct.kernel.buffers, names);
  result.parts = launch("_parts", split.first.parallel, std::move(of_part));
  result.sums = launch("_sums", way.match.parallel, std::move(split.second));
  return result;
}

void do_in_parts(Plan& plan, SumsInParts parts) {
  Launch& direct = plan.launches[0];
  tell(direct, parts.several, parts.number);
  direct = launched_where(nest::negate(are_several(parts.several)), std::move(direct));
  plan.launches.push_back(std::move(parts.parts));
  plan.launches.push_back(std::move(parts.sums));
  plan.temporaries.push_back(std::move(parts.partial));
}

}  // namespace heddle::lower
