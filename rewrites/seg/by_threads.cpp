#include "rewrites/seg/by_threads.h"

#include <algorithm>

#include "rewrites/seg/among_threads.h"
#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

AmongThreads::Chunk AmongThreads::strided(Builder& b, const SubExp& width, const SubExp& threads,
                                          const SubExp& thread) {
  return {thread, b.div_up(b.sub(width, thread), threads), threads};
}

AmongThreads::Chunk AmongThreads::contiguous(Builder& b, const SubExp& width, const SubExp& size,
                                             const SubExp& thread) {
  SubExp start = b.mul(thread, size);
  return {start, b.max(i64(0), b.min(size, b.sub(width, start))), i64(1)};
}

SubExp AmongThreads::threads_per_segment(Builder& host, const Segments& s, const SubExp& width, int64_t total) {
  return host.max(i64(1), host.min(width, host.div_up(i64(total), s.number)));
}

Operands AmongThreads::folded(Builder& b, const Ops& ops, const Operands& segment, const Chunk& chunk,
                              const Producer& produce) {
  Name indices = b.let("indices", Type::array(prim::Type::I64, {Dim(chunk.count)}),
                       Iota{chunk.count, chunk.start, chunk.stride, prim::Type::I64});
  Param j{{}, names().fresh("j"), Type::scalar(prim::Type::I64)};
  Builder element(names());
  Operands values = produce(element, segment, j.name);
  Lambda map = make_lambda({j}, ops.types, std::move(element), std::move(values));
  Stm redomap{{}, {}, {}, Screma{chunk.count, {indices}, std::move(map), {}, ops.ops}, {}};
  Operands results;
  for (const Type& t : ops.types) {
    redomap.pat.push_back({names().fresh("folded"), t});
    results.emplace_back(redomap.pat.back().name);
  }
  b.add(std::move(redomap));
  return results;
}

std::vector<Name> AmongThreads::fold(Builder& host, const Ops& ops, const Segments& s, const SubExp& width,
                                     const std::optional<SubExp>& threads, Share share, const Producer& produce,
                                     int lanes) {
  const bool chunks = threads && share != Share::Strided;
  SubExp chunk_size = chunks ? host.div_up(width, *threads) : i64(0);
  SubExp end = chunks && share == Share::ChunksButLast
                   ? host.min(width, host.mul(host.sub(*threads, i64(1)), chunk_size))
                   : width;
  return segmap(
      host, s.sizes, threads, ops.types, "partial", [&](Builder& b, const Operands& segment, const SubExp& t) {
        Chunk c = !threads ? Chunk{i64(0), width, i64(1)}
                  : chunks ? contiguous(b, end, chunk_size, t)
                           : strided(b, width, *threads, t);
        return lanes > 1 ? folded_in_lanes(b, ops, segment, c, produce, lanes) : folded(b, ops, segment, c, produce);
      });
}

namespace {

// Elements that a thread folds in less time than it takes to begin.
constexpr int64_t kLeastShortElements = 4096;

bool are_short(const std::vector<SegBinOp>& ops) {
  return std::ranges::all_of(ops,
                             [](const SegBinOp& op) { return op.shape.empty() && is_short(op.lambda.body->stms); });
}

// Of scalars, and some of them over rows.
bool are_maps_over_rows(const std::vector<SegBinOp>& ops) {
  const auto of_scalars = [](const SegBinOp& op) { return std::ranges::all_of(op.lambda.ret, is_stored_scalar); };
  return std::ranges::all_of(ops, of_scalars) &&
         std::ranges::any_of(ops, [](const SegBinOp& op) { return !op.shape.empty(); });
}

}  // namespace

std::vector<Name> AmongThreads::reduced_columns(Builder& host, const SegOp& op, const Segments& s,
                                                const SubExp& threads, const std::vector<Name>& partials) {
  SegOp red = op;
  red.types.clear();
  red.space = {names().fresh(op.space.flat), {}};
  for (SegBinOp& o : red.ops) o.shape.clear();
  std::vector<SubExp> at;
  Shape sizes;
  auto dim = [&](const std::string& base, const SubExp& size) {
    red.space.dims.push_back({names().fresh(base), size});
    return SubExp(red.space.dims.back().index);
  };
  // Without segments there is one, as bind_results wants it.
  if (s.sizes.empty()) dim("segment", i64(1));
  for (const SubExp& size : s.sizes) at.push_back(dim("segment", size));
  std::vector<SubExp> column;
  for (const SubExp& size : op.ops[0].shape) column.push_back(dim("column", size));
  for (const SegDim& d : red.space.dims) sizes.push_back(d.size);
  at.push_back(dim("chunk", threads));
  at.insert(at.end(), column.begin(), column.end());

  Builder point(names());
  auto body = std::make_shared<KernelBody>();
  Stm stm{{}, {}, {}, {}, {}};
  std::vector<Name> results;
  for (size_t k = 0; k < partials.size(); ++k) {
    const Type elem = Type::scalar(op.types[k].elem);
    body->results.emplace_back(
        Returns{ReturnsKind::MaySimplify, {}, point.let("element", elem, Index{partials[k], row_slice(at, elem)})});
    red.types.push_back(elem);
    results.push_back(names().fresh("reduced"));
    stm.pat.push_back({results.back(), array_of(elem, sizes)});
  }
  body->stms = point.take();
  red.body = std::move(body);
  stm.exp = std::move(red);
  host.add(std::move(stm));
  return results;
}

std::vector<Name> AmongThreads::reduced_by_shapes(Builder& host, const SegOp& op, const Segments& s,
                                                  const SubExp& threads, const std::vector<Name>& partials) {
  std::vector<Name> results;
  for (size_t o = 0; o < op.ops.size();) {
    SegOp alike = op;
    alike.ops.clear();
    alike.types.clear();
    const size_t first = results.size();
    for (const Shape& shape = op.ops[o].shape; o < op.ops.size() && op.ops[o].shape == shape; ++o) {
      alike.ops.push_back(op.ops[o]);
      for (size_t k = 0; k < op.ops[o].neutral.size(); ++k) alike.types.push_back(op.types[first + alike.types.size()]);
    }
    const auto from = partials.begin() + static_cast<long>(first);
    const std::vector<Name> reduced =
        reduced_columns(host, alike, s, threads, {from, from + static_cast<long>(alike.types.size())});
    results.insert(results.end(), reduced.begin(), reduced.end());
  }
  return results;
}

void AmongThreads::reduction(Builder& host, const Stm& s, const SegOp& op) {
  Segments segments = segments_of(host, op);
  Ops ops = plain_ops(host, op.ops);
  // A processor computes a long point once, for the fold and for what is returned besides.
  Producer elements = mapped(host, s, op, ops, levels_.side_by_side && !is_short(op.body->stms));
  const Share share = levels_.side_by_side || !ops.commutative ? Share::Chunks : Share::Strided;
  SubExp width = segments.width;
  Producer rest = elements;
  int lanes = lanes_of(op);
  const bool many_a_chunk = levels_.side_by_side && is_short(op.body->stms) && are_short(op.ops);
  std::vector<Name> partials;
  for (const std::optional<int64_t>& level : {std::optional(levels_.first), levels_.second}) {
    if (!level) continue;
    SubExp most = many_a_chunk ? host.div_up(width, i64(kLeastShortElements)) : width;
    SubExp threads = threads_per_segment(host, segments, most, *level);
    partials = fold(host, ops, segments, width, threads, share, rest, lanes);
    rest = elements_of(partials, ops.types);
    width = threads;
    lanes = 1;
    if (!levels_.side_by_side && are_maps_over_rows(op.ops))
      return bind_results(host, s, segments, reduced_by_shapes(host, op, segments, threads, partials));
  }
  auto joined = [&](Builder& b) { return fold(b, ops, segments, width, std::nullopt, share, rest); };
  const bool may_be_whole = levels_.side_by_side && !segments.sizes.empty();
  bind_results(host, s, segments,
               may_be_whole ? joined_unless_one(host, ops, segments, width, partials, joined) : joined(host));
}

std::vector<Name> AmongThreads::joined_unless_one(Builder& host, const Ops& ops, const Segments& s,
                                                  const SubExp& threads, const std::vector<Name>& partials,
                                                  const std::function<std::vector<Name>(Builder&)>& joined) {
  auto arm = [&](const std::function<std::vector<Name>(Builder&)>& emit) {
    Builder inner(names());
    auto body = std::make_shared<Body>();
    for (const Name& result : emit(inner)) body->result.push_back({{}, result});
    body->stms = inner.take();
    return body;
  };
  auto as_they_are = [&](Builder& b) {
    std::vector<Name> results;
    for (size_t k = 0; k < ops.types.size(); ++k) {
      const Type type = array_of(ops.types[k], s.sizes);
      Shape shape;
      for (const Dim& d : type.dims) shape.push_back(d.size());
      results.push_back(b.let("whole", type, Reshape{false, shape, partials[k]}));
    }
    return results;
  };
  const Name one = host.let("one", Type::scalar(prim::Type::Bool),
                            PrimOp{prim::Op(prim::Family::Eq, prim::Type::I64), {threads, i64(1)}});
  Match match{MatchSort::Normal, {one}, {{{prim::Value::of_bool(true)}, arm(as_they_are)}}, arm(joined), {}};
  Stm chosen{{}, {}, {}, {}, {}};
  std::vector<Name> results;
  for (const Type& t : ops.types) {
    match.ret.push_back(array_of(t, s.sizes));
    results.push_back(names().fresh("reduced"));
    chosen.pat.push_back({results.back(), match.ret.back()});
  }
  chosen.exp = std::move(match);
  host.add(std::move(chosen));
  return results;
}

Stms by_threads(const Stm& folded, NameSource& names, const ThreadLevels& levels, const NameSet* unread) {
  const auto* op = std::get_if<SegOp>(&folded.exp);
  if (!op || op->level.kind != LevelKind::Thread || op->kind == SegKind::Map) return just(folded);
  expect_same_operators_for_all(*op);
  Builder host(names);
  AmongThreads threads(names, levels, unread);
  if (op->kind == SegKind::Red) threads.reduction(host, folded, *op);
  if (op->kind == SegKind::Scan) threads.scan(host, folded, *op);
  if (op->kind == SegKind::Hist) threads.histogram(host, folded, *op);
  return host.take();
}

Result<Program> by_threads(const Program& program, const ThreadLevels& levels) {
  NameSource names(program.next_tag());
  return expand_host_stms(program, [&](const Stm& s) { return by_threads(s, names, levels); });
}

Result<Program> by_threads(const Program& program) { return by_threads(program, ThreadLevels{}); }

}  // namespace heddle::seg
