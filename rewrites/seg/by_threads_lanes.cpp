// A fold of which each step waits for the one before takes as long as the operator's latency, while a processor could do several steps in
// that time. So a thread works on several parts of its chunk at a time, which it combines at the end; of an operator that commutes they are
// every so many elements, which the C compiler then does with a vector:
//
//   redomap(j < n, \ j -> {x[j]}, {op, {ne}})
// becomes, with two lanes,
//   {a, b} = redomap(j < n / 2, \ j -> {x[j * 2], x[j * 2 + 1]}, {op, {ne}}, {op, {ne}})
//   c = redomap(n / 2 * 2 <= j < n, \ j -> {x[j]}, {op, {ne}})
//   op(op(a, b), c)
#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/seg/among_threads.h"

namespace heddle::seg {

bool is_short(const Stms& stms) {
  constexpr size_t kMostStms = 12;
  return stms.size() <= kMostStms && std::ranges::all_of(stms, [](const StmPtr& s) {
           const bool scalar = std::ranges::all_of(s->pat, [](const PatElem& p) { return p.type.is_scalar(); });
           return scalar && (std::holds_alternative<PrimOp>(s->exp) || std::holds_alternative<Index>(s->exp) ||
                             std::holds_alternative<Atom>(s->exp));
         });
}

namespace {

// How many arrays are read for an element, at most. Parts of a chunk that are apart are a stream of memory each.
constexpr long kMostStreams = 2;

long num_reads(const Stms& stms) {
  return std::ranges::count_if(stms, [](const StmPtr& s) { return std::holds_alternative<Index>(s->exp); });
}

// Sums and the like of integers the C compiler puts into vectors by itself.
bool is_reordered_by_compiler(const Lambda& op) {
  if (op.body->stms.size() > 1) return false;
  return std::ranges::none_of(op.ret, [](const Type& t) { return prim::is_float(t.elem); });
}

}  // namespace

int AmongThreads::lanes_of(const SegOp& op) const {
  if (!levels_.side_by_side || op.ops.size() != 1) return 1;
  const SegBinOp& o = op.ops[0];
  const bool scalars =
      o.shape.empty() && std::ranges::all_of(o.lambda.ret, [](const Type& t) { return t.is_scalar(); });
  if (!scalars || !is_short(o.lambda.body->stms) || !is_short(op.body->stms)) return 1;
  if (is_reordered_by_compiler(o.lambda) || (!o.commutative && num_reads(op.body->stms) > kMostStreams)) return 1;
  return o.lambda.body->stms.size() == 1 ? 8 : 4;
}

Operands AmongThreads::folded_in_lanes(Builder& b, const Ops& ops, const Operands& segment, const Chunk& chunk,
                                       const Producer& produce, int lanes) {
  const SubExp in_lane = b.binary(prim::Family::SQuot, "in_lane", chunk.count, i64(lanes));
  const Operands of_lanes = lanes_together(b, ops, segment, chunk, produce, lanes, in_lane);
  const SubExp done = b.mul(in_lane, i64(lanes));
  const Chunk rest{b.add64(chunk.start, done), b.sub(chunk.count, done), i64(1)};
  return apply(b, ops, of_lanes, folded(b, ops, segment, rest, produce));
}

Operands AmongThreads::lanes_together(Builder& outer, const Ops& ops, const Operands& segment, const Chunk& chunk,
                                      const Producer& produce, int lanes, const SubExp& in_lane) {
  Builder b(names());
  Name indices =
      b.let("indices", Type::array(prim::Type::I64, {Dim(in_lane)}), Iota{in_lane, i64(0), i64(1), prim::Type::I64});
  Param j{{}, names().fresh("j"), Type::scalar(prim::Type::I64)};
  Builder element(names());
  Ops all;
  Operands values;
  for (int lane = 0; lane < lanes; ++lane) {
    const SubExp in_chunk = ops.commutative ? element.add64(element.mul(j.name, i64(lanes)), i64(lane))
                                            : element.add64(element.mul(in_lane, i64(lane)), j.name);
    const Operands x = produce(element, segment, element.add64(chunk.start, in_chunk));
    values.insert(values.end(), x.begin(), x.end());
    all.types.insert(all.types.end(), ops.types.begin(), ops.types.end());
    for (ReduceOp op : ops.ops) {
      Substitution fresh;
      op.lambda = rename(names(), fresh, op.lambda);
      all.ops.push_back(std::move(op));
    }
  }
  Lambda map = make_lambda({j}, all.types, std::move(element), std::move(values));
  Stm redomap{{}, {}, {}, Screma{in_lane, {indices}, std::move(map), {}, all.ops}, {}};
  for (const Type& t : all.types) redomap.pat.push_back({names().fresh("lane"), t});
  const Pat lane_results = redomap.pat;
  b.add(std::move(redomap));

  Operands so_far;
  for (int lane = 0; lane < lanes; ++lane) {
    Operands of_lane;
    for (size_t k = 0; k < ops.types.size(); ++k) {
      of_lane.emplace_back(lane_results[static_cast<size_t>(lane) * ops.types.size() + k].name);
    }
    so_far = lane == 0 ? of_lane : apply(b, ops, so_far, of_lane);
  }
  // Short chunks have enough to do without lanes of nothing.
  auto some = std::make_shared<Body>(), none = std::make_shared<Body>();
  some->stms = b.take();
  for (const SubExp& x : so_far) some->result.push_back({{}, x});
  for (const SubExp& x : ops.neutral) none->result.push_back({{}, x});
  const Name is_long = outer.let("is_long", Type::scalar(prim::Type::Bool),
                                 PrimOp{prim::Op(prim::Family::Slt, prim::Type::I64), {i64(0), in_lane}});
  Stm chosen{
      {}, {}, {}, Match{MatchSort::Normal, {is_long}, {{{prim::Value::of_bool(true)}, some}}, none, ops.types}, {}};
  Operands results;
  for (const Type& t : ops.types) {
    chosen.pat.push_back({names().fresh("of_lanes"), t});
    results.emplace_back(chosen.pat.back().name);
  }
  outer.add(std::move(chosen));
  return results;
}

}  // namespace heddle::seg
