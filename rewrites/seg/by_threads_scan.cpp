#include <algorithm>
#include <functional>

#include "rewrites/seg/among_threads.h"

namespace heddle::seg {

namespace {

template <class T>
std::vector<T> chosen(const std::vector<T>& all, const std::vector<bool>& which) {
  std::vector<T> out;
  for (size_t k = 0; k < all.size(); ++k) {
    if (which[k]) out.push_back(all[k]);
  }
  return out;
}

}  // namespace

std::vector<Name> AmongThreads::scanned(Builder& host, const Ops& ops, const Segments& s, const SubExp& width,
                                        int level, const Producer& produce, const std::vector<bool>& stored,
                                        int lanes) {
  SubExp threads = i64(1);
  std::vector<Name> prefixes;
  const std::optional<int64_t> most = level == 0 ? levels_.first : level == 1 ? levels_.second : std::nullopt;
  if (most) {
    threads = threads_per_segment(host, s, width, *most);
    // Where one thread has all of a segment, nobody asks for what comes before.
    Segments divided = s;
    if (levels_.side_by_side && !s.sizes.empty())
      divided.sizes[0] = host.mul(s.sizes[0], host.min(i64(1), host.sub(threads, i64(1))));
    std::vector<Name> totals = fold(host, ops, divided, width, threads, Share::ChunksButLast, produce, lanes);
    prefixes = scanned(host, ops, divided, threads, level + 1, elements_of(totals, ops.types),
                       std::vector<bool>(ops.types.size(), true));
  }
  SubExp chunk_size = host.div_up(width, threads);
  Shape space = s.sizes;
  space.push_back(width);
  const std::vector<Type> types = chosen(ops.types, stored);
  AccType acc_type{names().fresh("cert"), space, types};
  Type acc = Type::accumulator(acc_type);
  WithAccInput input{space, {}, std::nullopt};
  for (const Type& t : types) {
    Type full = array_of(t, space);
    Shape shape;
    for (const Dim& d : full.dims) shape.push_back(d.size());
    input.arrays.push_back(host.let("scanned", full, Scratch{t.elem, shape}));
  }
  Param cert{{}, acc_type.cert, Type::scalar(prim::Type::Unit)};
  Param acc_param{{}, names().fresh("acc"), acc};
  Builder inner(names());
  std::vector<Name> updated =
      segmap(inner, s.sizes, threads, {acc}, "acc", [&](Builder& b, const Operands& segment, const SubExp& t) {
        Chunk c = contiguous(b, width, chunk_size, t);
        Operands start = prefixes.empty() ? ops.neutral : prefix(b, ops, prefixes, segment, t);
        return Operands{scan_chunk(b, ops, acc, acc_param.name, segment, c, start, produce, stored)};
      });
  Lambda lambda = make_lambda({cert, acc_param}, {acc}, std::move(inner), {updated[0]});
  Stm with{{}, {}, {}, WithAcc{{input}, std::move(lambda)}, {}};
  std::vector<Name> results;
  for (const Type& t : types) {
    results.push_back(names().fresh("scanned"));
    with.pat.push_back({results.back(), array_of(t, space)});
  }
  host.add(std::move(with));
  return results;
}

Operands AmongThreads::prefix(Builder& b, const Ops& ops, const std::vector<Name>& prefixes, const Operands& segment,
                              const SubExp& t) {
  Name is_first = b.let("is_first", Type::scalar(prim::Type::Bool),
                        PrimOp{prim::Op(prim::Family::Eq, prim::Type::I64), {t, i64(0)}});
  auto neutral = std::make_shared<Body>();
  for (const SubExp& ne : ops.neutral) neutral->result.push_back({{}, ne});
  Builder other(names());
  SubExp before = other.sub(t, i64(1));
  Operands values = elements_of(prefixes, ops.types)(other, segment, before);
  auto previous = std::make_shared<Body>();
  previous->stms = other.take();
  for (const SubExp& v : values) previous->result.push_back({{}, v});
  Match choose{MatchSort::Normal, {is_first}, {{{prim::Value::of_bool(true)}, neutral}}, previous, ops.types};
  Stm s{{}, {}, {}, std::move(choose), {}};
  Operands results;
  for (const Type& type : ops.types) {
    s.pat.push_back({names().fresh("prefix"), type});
    results.emplace_back(s.pat.back().name);
  }
  b.add(std::move(s));
  return results;
}

Name AmongThreads::scan_chunk(Builder& b, const Ops& ops, const Type& acc, const Name& acc_name,
                              const Operands& segment, const Chunk& c, const Operands& start, const Producer& produce,
                              const std::vector<bool>& stored) {
  Loop loop;
  loop.params.push_back({{}, names().fresh("acc"), acc});
  loop.inits.emplace_back(acc_name);
  Operands running;
  for (size_t k = 0; k < ops.types.size(); ++k) {
    loop.params.push_back({{}, names().fresh("running"), ops.types[k]});
    loop.inits.push_back(start[k]);
    running.emplace_back(loop.params.back().name);
  }
  Name i = names().fresh("i");
  loop.form = ForLoop{i, prim::Type::I64, c.count};
  Builder iteration(names());
  SubExp j = iteration.add64(c.start, i);
  Operands x = produce(iteration, segment, j);
  Operands next = apply(iteration, ops, running, x);
  Operands index = segment;
  index.push_back(j);
  Name updated = iteration.let("acc", acc, UpdateAcc{false, loop.params[0].name, index, chosen(next, stored)});
  auto body = std::make_shared<Body>();
  body->stms = iteration.take();
  body->result.push_back({{}, updated});
  for (const SubExp& v : next) body->result.push_back({{}, v});
  loop.body = std::move(body);
  Stm s{{}, {}, {}, std::move(loop), {}};
  Name result = names().fresh("acc");
  s.pat.push_back({result, acc});
  for (const Type& t : ops.types) s.pat.push_back({names().fresh("total"), t});
  b.add(std::move(s));
  return result;
}

void AmongThreads::scan(Builder& host, const Stm& s, const SegOp& op) {
  Segments segments = segments_of(host, op);
  Ops ops = plain_ops(host, op.ops);
  Producer elements = mapped(host, s, op, ops);
  std::vector<bool> stored;
  for (size_t k = 0; k < ops.types.size(); ++k)
    stored.push_back(unread_ == nullptr || !unread_->contains(s.pat[k].name));
  if (std::ranges::none_of(stored, std::identity())) stored[0] = true;
  std::vector<Name> results = scanned(host, ops, segments, segments.width, 0, elements, stored, lanes_of(op));
  for (size_t k = 0, next = 0; k < ops.types.size(); ++k) {
    if (stored[k]) host.add(Stm{{s.pat[k]}, {}, {}, Atom{results[next++]}, s.position});
  }
}

}  // namespace heddle::seg
