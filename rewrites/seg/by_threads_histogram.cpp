#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/seg/among_threads.h"

namespace heddle::seg {

namespace {

bool is_atomic(const HistOp& op) { return op.dests.size() == 1 && op.op_shape.empty() && op.op.ret[0].is_scalar(); }

}  // namespace

void AmongThreads::histogram(Builder& host, const Stm& s, const SegOp& op) {
  bool atomic = std::all_of(op.hists.begin(), op.hists.end(), is_atomic);
  if (levels_.side_by_side) {
    if (atomic) {
      histogram_by_size(host, s, op);
    } else {
      chunked_histogram(host, s, op);
    }
  } else if (atomic) {
    parallel_histogram(host, s, op);
  } else {
    sequential_histogram(host, s, op);
  }
}

void AmongThreads::parallel_histogram(Builder& host, const Stm& s, const SegOp& op) {
  WithAcc with;
  std::vector<Param> certs, accs;
  std::vector<Type> acc_types;
  Operands segment;
  Shape sizes;
  for (size_t k = 0; k + 1 < op.space.dims.size(); ++k) {
    segment.emplace_back(op.space.dims[k].index);
    sizes.push_back(op.space.dims[k].size);
  }
  for (const HistOp& h : op.hists) {
    Shape space = sizes;
    space.insert(space.end(), h.shape.begin(), h.shape.end());
    Substitution fresh;
    Lambda combine = rename(names(), fresh, h.op);
    std::vector<Param> indices;
    for (size_t d = 0; d < space.size(); ++d) {
      indices.push_back({{}, names().fresh("bin"), Type::scalar(prim::Type::I64)});
    }
    combine.params.insert(combine.params.begin(), indices.begin(), indices.end());
    with.inputs.push_back({space, h.dests, WithAccOp{std::move(combine), h.neutral}});
    AccType type{names().fresh("cert"), space, h.op.ret};
    certs.push_back({{}, type.cert, Type::scalar(prim::Type::Unit)});
    acc_types.push_back(Type::accumulator(type));
    accs.push_back({{}, names().fresh("acc"), acc_types.back()});
  }

  SegOp map = op;
  map.kind = SegKind::Map;
  map.hists.clear();
  map.types = acc_types;
  Builder body(names());
  body.add_all(op.body->stms);
  auto kernel_body = std::make_shared<KernelBody>();
  size_t next_bin = 0, next_value = 0;
  for (const HistOp& h : op.hists) next_value += h.shape.size();
  auto result = [&](size_t k) { return std::get<Returns>(op.body->results[k]).value; };
  for (size_t k = 0; k < op.hists.size(); ++k) {
    Operands index = segment;
    for (size_t d = 0; d < op.hists[k].shape.size(); ++d) index.push_back(result(next_bin++));
    Name updated = body.let("acc", acc_types[k], UpdateAcc{true, accs[k].name, index, {result(next_value++)}});
    kernel_body->results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, updated});
  }
  kernel_body->stms = body.take();
  map.body = std::move(kernel_body);

  Builder inner(names());
  Stm segmap_stm{{}, {}, {}, std::move(map), s.position};
  Operands results;
  for (const Type& t : acc_types) {
    segmap_stm.pat.push_back({names().fresh("acc"), t});
    results.emplace_back(segmap_stm.pat.back().name);
  }
  inner.add(std::move(segmap_stm));
  std::vector<Param> params = certs;
  params.insert(params.end(), accs.begin(), accs.end());
  with.lambda = make_lambda(std::move(params), acc_types, std::move(inner), std::move(results));
  host.add(Stm{s.pat, s.attrs, s.certs, std::move(with), s.position});
}

// One thread per segment: for operators that no atomic operation can apply.
HistOp AmongThreads::on_whole_elements(Builder& b, const HistOp& h) {
  HistOp plain = h;
  plain.op = lifted(h.op, h.op_shape);
  plain.op_shape.clear();
  for (size_t k = 0; k < h.neutral.size() && !h.op_shape.empty(); ++k)
    plain.neutral[k] = b.let("neutral", plain.op.ret[k], Replicate{h.op_shape, h.neutral[k]});
  return plain;
}

void AmongThreads::sequential_histogram(Builder& host, const Stm& s, const SegOp& op) {
  Segments segments = segments_of(host, op);
  size_t num_results = op.body->results.size();
  std::vector<Type> row_types;
  for (const HistOp& h : op.hists) {
    for (const Type& t : h.op.ret) row_types.push_back(array_of(array_of(t, h.op_shape), h.shape));
  }
  std::vector<Name> rows = segmap(
      host, segments.sizes, std::nullopt, row_types, "hist", [&](Builder& b, const Operands& segment, const SubExp&) {
        Hist hist{segments.width, {}, {}, {}};
        hist.arrays.push_back(b.let("indices", Type::array(prim::Type::I64, {Dim(segments.width)}),
                                    Iota{segments.width, i64(0), i64(1), prim::Type::I64}));
        size_t next = 0;
        Operands results;
        Pat pat;
        for (const HistOp& h : op.hists) {
          HistOp plain = on_whole_elements(b, h);
          for (Name& dest : plain.dests) {
            const Type& t = row_types[next++];
            Name row = b.let("row", t, Index{dest, row_slice(segment, t)});
            dest = b.let("bins", t, Replicate{{}, row});
            pat.push_back({names().fresh("hist"), t});
            results.emplace_back(pat.back().name);
          }
          hist.ops.push_back(std::move(plain));
        }
        Param j{{}, names().fresh("j"), Type::scalar(prim::Type::I64)};
        Builder element(names());
        Operands values = elements_of(op, 0, num_results)(element, segment, j.name);
        hist.bucket = make_lambda({j}, op.types, std::move(element), std::move(values));
        b.add(Stm{pat, {}, {}, std::move(hist), {}});
        return results;
      });
  bind_results(host, s, segments, rows);
}

}  // namespace heddle::seg
