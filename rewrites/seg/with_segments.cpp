#include "rewrites/seg/with_segments.h"

#include <algorithm>

#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/fold_parts.h"
#include "rewrites/seg/takes_loops.h"

namespace heddle::seg {

std::optional<Stms> with_segments(const Stm& s, NameSource& names) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  if (!op || op->level.kind != LevelKind::Thread || op->kind != SegKind::Red || !of_scalars(*op)) return std::nullopt;
  expect_same_operators_for_all(*op);
  FoldParts parts(names);
  Builder host(names);
  Ops ops = parts.plain_ops(host, op->ops);
  bool together = std::ranges::all_of(op->types, is_stored_scalar);
  if (op->space.dims.size() > 1 && together) return std::nullopt;
  Segments segments = parts.segments_of(host, *op);
  SegOp reduction = *op;
  if (!together) reduction.types = ops.types;
  Producer elements =
      together ? parts.elements_of(*op, 0, op->types.size()) : parts.mapped(host, s, *op, ops, takes_loops(*op->body));
  reduction.space = {names.fresh("flat"), {}};
  Operands segment;
  for (const SubExp& size : segments.sizes) {
    reduction.space.dims.push_back({names.fresh("segment"), size});
    segment.emplace_back(reduction.space.dims.back().index);
  }
  if (segments.sizes.empty()) reduction.space.dims.push_back({names.fresh("segment"), i64(1)});
  Shape outer;
  for (const SegDim& d : reduction.space.dims) outer.push_back(d.size);
  reduction.space.dims.push_back({names.fresh("j"), segments.width});
  Builder point(names);
  auto body = std::make_shared<KernelBody>();
  for (SubExp& x : elements(point, segment, reduction.space.dims.back().index))
    body->results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, std::move(x)});
  body->stms = point.take();
  reduction.body = std::move(body);
  std::vector<Type> types = reduction.types;
  Stm kept{{}, s.attrs, s.certs, std::move(reduction), s.position};
  std::vector<Name> results;
  Shape all = outer;
  all.push_back(segments.width);
  for (size_t k = 0; k < types.size(); ++k) {
    bool reduced = k < ops.types.size();
    results.push_back(names.fresh(reduced ? "reduced" : "mapped"));
    kept.pat.push_back({results.back(), array_of(types[k], reduced ? outer : all)});
  }
  host.add(std::move(kept));
  parts.bind_results(host, s, segments, results);
  return host.take();
}

Result<Program> with_segments(const Program& program) {
  NameSource names(program.next_tag());
  return expand_host_stms(program, [&](const Stm& s) {
    std::optional<Stms> parts = with_segments(s, names);
    return parts ? *parts : just(s);
  });
}

}  // namespace heddle::seg
