#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/seg/among_threads.h"

namespace heddle::seg {

namespace {

// So many elements for each bin of a chunk pay for making the bins and for joining them, in a few chunks that keep some cores busy,
constexpr int64_t kElementsPerBin = 4;
constexpr int64_t kFewChunks = 8;
// and so many hide it, so that there may be as many chunks as are good for the division of the work.
constexpr int64_t kManyElementsPerBin = 32;
// So many chunks in all keep a processor's cores busy.
constexpr int64_t kEnoughChunks = 4;

Type bins_type(const HistOp& h, const Type& element) { return array_of(array_of(element, h.op_shape), h.shape); }

}  // namespace

SubExp AmongThreads::chunks_with_bins(Builder& host, const SegOp& op, const Segments& segments) const {
  SubExp bins = i64(0);
  for (const HistOp& h : op.hists) {
    SubExp of_this = i64(1);
    for (const SubExp& size : h.shape) of_this = host.binary(prim::Family::Mul, "bins", of_this, size);
    bins = host.binary(prim::Family::Add, "bins", bins, of_this);
  }
  // Where there are no segments, bins may be as many as one likes.
  bins = host.max(i64(1), bins);
  auto with = [&](int64_t elements_per_bin) {
    SubExp all = host.binary(prim::Family::SQuot, "elements", segments.width, i64(elements_per_bin));
    return host.binary(prim::Family::SQuotSafe, "quotient", all, bins);
  };
  SubExp worth = host.max(host.min(with(kElementsPerBin), i64(kFewChunks)), with(kManyElementsPerBin));
  return host.min(worth, threads_per_segment(host, segments, segments.width, levels_.first));
}

Operands AmongThreads::bins_of_chunk(Builder& b, const SegOp& op, const Operands& segment, const Chunk& chunk) {
  Hist hist{chunk.count, {}, {}, {}};
  hist.arrays.push_back(b.let("indices", Type::array(prim::Type::I64, {Dim(chunk.count)}),
                              Iota{chunk.count, chunk.start, i64(1), prim::Type::I64}));
  Operands results;
  Pat pat;
  for (const HistOp& h : op.hists) {
    HistOp plain = on_whole_elements(b, h);
    for (size_t k = 0; k < h.neutral.size(); ++k) {
      const Type type = bins_type(h, h.op.ret[k]);
      Shape all = h.shape;
      all.insert(all.end(), h.op_shape.begin(), h.op_shape.end());
      plain.dests[k] = b.let("bins", type, Replicate{all, h.neutral[k]});
      pat.push_back({names().fresh("hist"), type});
      results.emplace_back(pat.back().name);
    }
    hist.ops.push_back(std::move(plain));
  }
  Param j{{}, names().fresh("j"), Type::scalar(prim::Type::I64)};
  Builder element(names());
  Operands values = elements_of(op, 0, op.body->results.size())(element, segment, j.name);
  hist.bucket = make_lambda({j}, op.types, std::move(element), std::move(values));
  b.add(Stm{pat, {}, {}, std::move(hist), {}});
  return results;
}

std::vector<Name> AmongThreads::joined_bins(Builder& host, const HistOp& h, const Segments& segments,
                                            const SubExp& chunks, const std::vector<Name>& parts) {
  Ops ops{{ReduceOp{false, h.op, h.neutral}}, h.op.ret, h.neutral, false};
  Shape space = segments.sizes;
  space.insert(space.end(), h.shape.begin(), h.shape.end());
  space.insert(space.end(), h.op_shape.begin(), h.op_shape.end());
  auto at = [&](Builder& b, const std::vector<Name>& arrays, const Operands& index) {
    Operands values;
    for (size_t k = 0; k < arrays.size(); ++k) {
      values.emplace_back(b.let("bin", ops.types[k], Index{arrays[k], row_slice(index, ops.types[k])}));
    }
    return values;
  };
  return segmap(host, space, std::nullopt, ops.types, "hist", [&](Builder& b, const Operands& place, const SubExp&) {
    Name numbers =
        b.let("chunks", Type::array(prim::Type::I64, {Dim(chunks)}), Iota{chunks, i64(0), i64(1), prim::Type::I64});
    Param c{{}, names().fresh("c"), Type::scalar(prim::Type::I64)};
    Operands index = place;
    index.insert(index.begin() + static_cast<long>(segments.sizes.size()), SubExp(c.name));
    Builder element(names());
    Operands values = at(element, parts, index);
    Lambda map = make_lambda({c}, ops.types, std::move(element), std::move(values));
    std::vector<ReduceOp> fold = ops.ops;
    Substitution fresh;
    fold[0].lambda = rename(names(), fresh, fold[0].lambda);
    Stm redomap{{}, {}, {}, Screma{chunks, {numbers}, std::move(map), {}, std::move(fold)}, {}};
    Operands folded;
    for (const Type& t : ops.types) {
      redomap.pat.push_back({names().fresh("folded"), t});
      folded.emplace_back(redomap.pat.back().name);
    }
    b.add(std::move(redomap));
    return apply(b, ops, at(b, h.dests, place), folded);
  });
}

void AmongThreads::chunked_histogram(Builder& host, const Stm& s, const SegOp& op) {
  Segments segments = segments_of(host, op);
  SubExp chunks = host.max(i64(1), chunks_with_bins(host, op, segments));
  SubExp size = host.div_up(segments.width, chunks);
  std::vector<Type> types;
  for (const HistOp& h : op.hists) {
    for (const Type& t : h.op.ret) types.push_back(bins_type(h, t));
  }
  std::vector<Name> parts =
      segmap(host, segments.sizes, chunks, types, "bins", [&](Builder& b, const Operands& segment, const SubExp& t) {
        return bins_of_chunk(b, op, segment, contiguous(b, segments.width, size, t));
      });
  size_t next = 0;
  for (const HistOp& h : op.hists) {
    const auto first = parts.begin() + static_cast<long>(next);
    const std::vector<Name> of_this(first, first + static_cast<long>(h.dests.size()));
    for (const Name& name : joined_bins(host, h, segments, chunks, of_this)) {
      host.add(Stm{{s.pat[next++]}, {}, {}, Atom{name}, s.position});
    }
  }
}

void AmongThreads::histogram_by_size(Builder& host, const Stm& s, const SegOp& op) {
  Segments segments = segments_of(host, op);
  SubExp in_all = host.mul(chunks_with_bins(host, op, segments), segments.number);
  Name enough = host.let("enough", Type::scalar(prim::Type::Bool),
                         PrimOp{prim::Op(prim::Family::Sle, prim::Type::I64), {i64(kEnoughChunks), in_all}});
  auto arm = [&](void (AmongThreads::*way)(Builder&, const Stm&, const SegOp&)) {
    Builder inner(names());
    Stm fresh = s;
    auto body = std::make_shared<Body>();
    for (PatElem& p : fresh.pat) {
      p.name = names().fresh(p.name);
      body->result.push_back({{}, p.name});
    }
    (this->*way)(inner, fresh, op);
    body->stms = inner.take();
    return body;
  };
  Match match{MatchSort::Normal,
              {enough},
              {{{prim::Value::of_bool(true)}, arm(&AmongThreads::chunked_histogram)}},
              arm(&AmongThreads::parallel_histogram),
              {}};
  for (const PatElem& p : s.pat) match.ret.push_back(p.type);
  host.add(Stm{s.pat, s.attrs, s.certs, std::move(match), s.position});
}

}  // namespace heddle::seg
