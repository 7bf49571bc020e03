#include "rewrites/seg/fold_parts.h"

#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/seg/own_memory.h"
#include "rewrites/seg/store_elements.h"

namespace heddle::seg {

Lambda make_lambda(std::vector<Param> params, std::vector<Type> ret, Builder body, Operands results) {
  Lambda l{std::move(params), std::move(ret), nullptr};
  auto b = std::make_shared<Body>();
  b->stms = body.take();
  for (SubExp& r : results) b->result.push_back({{}, std::move(r)});
  l.body = std::move(b);
  return l;
}

void expect_same_operators_for_all(const SegOp& op) {
  NameSet used = free_names(op.ops);
  used.merge(free_names(op.hists));
  bool uses_index = used.contains(op.space.flat);
  for (const SegDim& d : op.space.dims) uses_index |= used.contains(d.index);
  if (uses_index) refuse("an operator that uses the index of a point");
}

Segments FoldParts::segments_of(Builder& host, const SegOp& op) {
  Segments s;
  SubExp number = i64(1);
  for (size_t k = 0; k + 1 < op.space.dims.size(); ++k) {
    s.sizes.push_back(op.space.dims[k].size);
    number = host.mul(number, op.space.dims[k].size);
  }
  s.width = op.space.dims.back().size;
  s.number = host.max(i64(1), number);
  return s;
}

Lambda FoldParts::lifted(const Lambda& op, const Shape& shape) {
  Lambda l = op;
  Substitution fresh;
  l = rename(names_, fresh, l);
  for (size_t d = shape.size(); d-- > 0;) {
    Shape inner(shape.begin() + static_cast<long>(d) + 1, shape.end());
    Shape outer(shape.begin() + static_cast<long>(d), shape.end());
    std::vector<Param> params;
    std::vector<Name> arrays;
    for (const Param& p : l.params) {
      Type t = p.type;
      t.dims.insert(t.dims.begin(), Dim(shape[d]));
      params.push_back({{}, names_.fresh(p.name), t});
      arrays.push_back(params.back().name);
    }
    Builder body(names_);
    Screma map{shape[d], arrays, l, {}, {}};
    Stm s{{}, {}, {}, map, {}};
    Operands results;
    std::vector<Type> ret;
    for (const Type& t : l.ret) {
      Type row = t;
      row.dims.insert(row.dims.begin(), Dim(shape[d]));
      s.pat.push_back({names_.fresh("lifted"), row});
      results.emplace_back(s.pat.back().name);
      ret.push_back(row);
    }
    body.add(std::move(s));
    l = make_lambda(std::move(params), std::move(ret), std::move(body), std::move(results));
  }
  return l;
}

Ops FoldParts::plain_ops(Builder& host, const std::vector<SegBinOp>& ops) {
  Ops out;
  for (const SegBinOp& op : ops) {
    ReduceOp r{op.commutative, lifted(op.lambda, op.shape), {}};
    for (size_t k = 0; k < op.neutral.size(); ++k) {
      Type t = array_of(op.lambda.ret[k], op.shape);
      SubExp ne = op.neutral[k];
      if (!op.shape.empty()) ne = host.let("neutral", t, Replicate{op.shape, ne});
      out.types.push_back(t);
      out.neutral.push_back(ne);
      r.neutral.push_back(ne);
    }
    out.commutative = out.commutative && op.commutative;
    out.ops.push_back(std::move(r));
  }
  return out;
}

Operands FoldParts::apply(Builder& b, const Ops& ops, const Operands& acc, const Operands& x) {
  Operands results;
  size_t at = 0;
  for (const ReduceOp& op : ops.ops) {
    Substitution to;
    size_t n = op.neutral.size();
    const Lambda lambda = with_own_memory(op.lambda, names_);
    for (size_t k = 0; k < n; ++k) {
      to.insert_or_assign(lambda.params[k].name, acc[at + k]);
      to.insert_or_assign(lambda.params[n + k].name, x[at + k]);
    }
    Body inlined = rename(names_, to, *lambda.body);
    b.add_all(inlined.stms);
    for (const SubExpRes& r : inlined.result) results.push_back(r.value);
    at += n;
  }
  return results;
}

Producer FoldParts::elements_of(const SegOp& op, size_t first, size_t count) {
  return [this, &op, first, count, point = with_own_memory(*op.body, names_)](Builder& b, const Operands& segment,
                                                                              const SubExp& j) {
    Substitution to;
    for (size_t k = 0; k < segment.size(); ++k) to.insert_or_assign(op.space.dims[k].index, segment[k]);
    to.insert_or_assign(op.space.dims.back().index, j);
    SubExp flat = j;
    for (size_t k = 0, scale = 0; k < segment.size(); ++k, ++scale) {
      SubExp part = segment[k];
      for (size_t d = k + 1; d < op.space.dims.size(); ++d) part = b.mul(part, op.space.dims[d].size);
      flat = b.add64(flat, part);
    }
    to.insert_or_assign(op.space.flat, flat);
    KernelBody body = rename(names_, to, point);
    b.add_all(body.stms);
    Operands values;
    for (size_t k = first; k < first + count; ++k) values.push_back(std::get<Returns>(body.results[k]).value);
    return values;
  };
}

Producer FoldParts::elements_of(const std::vector<Name>& arrays, const std::vector<Type>& types) {
  return [arrays, types](Builder& b, const Operands& segment, const SubExp& j) {
    Operands values, index = segment;
    index.push_back(j);
    for (size_t k = 0; k < arrays.size(); ++k) {
      values.emplace_back(b.let("partial", types[k], Index{arrays[k], row_slice(index, types[k])}));
    }
    return values;
  };
}

std::vector<Name> FoldParts::segmap(Builder& host, const Shape& segments, const std::optional<SubExp>& threads,
                                    const std::vector<Type>& types, const std::string& base, const PointCode& emit) {
  SegOp op;
  op.types = types;
  op.space.flat = names_.fresh("flat");
  Operands segment;
  Shape outer;
  for (const SubExp& size : segments) {
    op.space.dims.push_back({names_.fresh("segment"), size});
    segment.emplace_back(op.space.dims.back().index);
    outer.push_back(size);
  }
  SubExp thread = i64(0);
  if (threads || segments.empty()) {
    SubExp size = threads ? *threads : i64(1);
    op.space.dims.push_back({names_.fresh("chunk"), size});
    thread = op.space.dims.back().index;
    outer.push_back(size);
  }
  Builder body(names_);
  auto kernel_body = std::make_shared<KernelBody>();
  Operands results = emit(body, segment, thread);
  kernel_body->stms = body.take();
  for (SubExp& r : results) kernel_body->results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, std::move(r)});
  op.body = std::move(kernel_body);
  Stm s{{}, {}, {}, std::move(op), {}};
  std::vector<Name> names;
  for (const Type& t : types) {
    names.push_back(names_.fresh(base));
    s.pat.push_back({names.back(), t.is_acc() ? t : array_of(t, outer)});
  }
  host.add(std::move(s));
  return names;
}

void FoldParts::bind_results(Builder& host, const Stm& s, const Segments& segments, const std::vector<Name>& arrays) {
  for (size_t k = 0; k < arrays.size(); ++k) {
    Exp e = Atom{arrays[k]};
    if (segments.sizes.empty()) e = Index{arrays[k], row_slice({i64(0)}, s.pat[k].type)};
    host.add(Stm{{s.pat[k]}, {}, {}, std::move(e), s.position});
  }
}

Producer FoldParts::mapped(Builder& host, const Stm& s, const SegOp& op, const Ops& ops, bool store) {
  size_t num_folded = ops.types.size();
  Producer elements = elements_of(op, 0, num_folded);
  if (s.pat.size() == num_folded) return elements;
  bool once = store || std::any_of(s.pat.begin(), s.pat.end(), [](const PatElem& p) { return p.type.is_acc(); });
  if (once) {
    MapOfElements apart = map_of_elements(s, names_);
    host.add(std::move(apart.map));
    return apart.elements;
  }
  SegOp map = op;
  map.kind = SegKind::Map;
  map.ops.clear();
  map.types.erase(map.types.begin(), map.types.begin() + static_cast<long>(num_folded));
  auto body = std::make_shared<KernelBody>(with_own_memory(*op.body, names_));
  body->results.erase(body->results.begin(), body->results.begin() + static_cast<long>(num_folded));
  map.body = std::move(body);
  Substitution fresh;
  map = rename(names_, fresh, map);
  Pat pat(s.pat.begin() + static_cast<long>(num_folded), s.pat.end());
  host.add(Stm{std::move(pat), s.attrs, s.certs, std::move(map), s.position});
  return elements;
}

}  // namespace heddle::seg
