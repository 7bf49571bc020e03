#include "rewrites/seg/version_by_threads.h"

#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/two_ways.h"

namespace heddle::seg {

namespace {

// Threads that keep a device busy without sharing a place.
constexpr int64_t kManyPlaces = 1 << 16;

}  // namespace

Screma redomap(const SegDim& dim, const Operator& op, BodyPtr body, Builder& point) {
  const Type index = Type::scalar(prim::Type::I64);
  const Name all = point.let("all", array_of(index, {dim.size}), Iota{dim.size, i64(0), i64(1), prim::Type::I64});
  const Lambda map{{{{}, dim.index, index}}, op.lambda.ret, std::move(body)};
  return {dim.size, {all}, map, {}, {{op.commutative, fresh(op.lambda, point.names()), op.neutral}}};
}

Stms by_many_places(const Stm& reduction, const SegOp& by_places, const Shape& shape, NameSource& names) {
  Builder host(names);
  SubExp places = i64(1);
  for (const SubExp& size : shape) places = host.mul(places, size);
  const Name many = host.let("many_places", Type::scalar(prim::Type::Bool),
                             PrimOp{prim::Op(prim::Family::Sle, prim::Type::I64), {i64(kManyPlaces), places}});
  Stm threads = reduction;
  threads.exp = by_places;
  host.add(two_ways(reduction, many, just(std::move(threads)), just(reduction), names));
  return host.take();
}

bool shares_reads(const SegOp& op) {
  const Name& step = op.space.dims.back().index;
  return std::all_of(op.space.dims.begin(), op.space.dims.end() - 1, [&](const SegDim& d) {
    return std::ranges::any_of(op.body->stms, [&](const StmPtr& s) {
      const auto* read = std::get_if<Index>(&s->exp);
      if (!read) return false;
      const NameSet used = free_names(Exp(*read));
      return used.contains(step) && !used.contains(d.index);
    });
  });
}

Stms with_version_by_threads(const StmPtr& s, NameSource& names) {
  const auto* op = std::get_if<SegOp>(&s->exp);
  if (!op || op->kind != SegKind::Red || op->level.kind != LevelKind::Thread || op->space.dims.size() < 3 ||
      op->ops.size() != 1 || !op->ops[0].shape.empty() || op->types.size() != op->ops[0].neutral.size() ||
      free_names(*op->body).contains(op->space.flat) || !shares_reads(*op))
    return {s};
  SegOp by_places{SegKind::Map, op->level, op->space, {}, {}, op->types, nullptr};
  const SegDim step = op->space.dims.back();
  by_places.space.dims.pop_back();
  auto body = std::make_shared<Body>();
  body->stms = op->body->stms;
  for (const KernelResult& r : op->body->results) {
    const auto* returns = std::get_if<Returns>(&r);
    if (!returns) return {s};
    body->result.push_back({returns->certs, returns->value});
  }
  const Operator folding{op->ops[0].lambda, op->ops[0].neutral, op->ops[0].commutative};
  Builder point(names);
  auto points = std::make_shared<KernelBody>();
  Pat pat;
  for (const Type& t : op->types) {
    pat.push_back({names.fresh("folded"), t});
    points->results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, pat.back().name});
  }
  point.add(Stm{pat, {}, {}, redomap(step, folding, std::move(body), point), s->position});
  points->stms = point.take();
  by_places.body = std::move(points);
  Shape shape;
  for (const SegDim& d : by_places.space.dims) shape.push_back(d.size);
  return by_many_places(*s, by_places, shape, names);
}

}  // namespace heddle::seg
