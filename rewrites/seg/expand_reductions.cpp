#include "rewrites/seg/expand_reductions.h"

#include <algorithm>
#include <functional>

#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

namespace {

using Operands = std::vector<SubExp>;
// Emits the code that computes the operands at element `j` of the segment with these indices.
using Producer = std::function<Operands(Builder&, const Operands& segment, const SubExp& j)>;

Lambda make_lambda(std::vector<Param> params, std::vector<Type> ret, Builder body, Operands results) {
  Lambda l{std::move(params), std::move(ret), nullptr};
  auto b = std::make_shared<Body>();
  b->stms = body.take();
  for (SubExp& r : results) b->result.push_back({{}, std::move(r)});
  l.body = std::move(b);
  return l;
}

class Expander {
 public:
  // `keep`: whether reductions of scalars stay (expand_scans).
  Expander(NameSource& names, const ReductionLevels& levels, bool keep) : names_(names), levels_(levels), keep_(keep) {}

  Stms expand(const Stm& s) {
    const auto* op = std::get_if<SegOp>(&s.exp);
    if (!op || op->level.kind != LevelKind::Thread || op->kind == SegKind::Map) return just(s);
    if (keep_ && op->kind == SegKind::Hist && has_atomic_bins(*op)) return just(s);
    if (keep_ && op->kind == SegKind::Scan && of_scalars(*op) && !updates_accumulators(*op)) return just(s);
    Builder host(names_);
    if (op->kind == SegKind::Red) reduction(host, s, *op);
    if (op->kind == SegKind::Scan) scan(host, s, *op);
    if (op->kind == SegKind::Hist) histogram(host, s, *op);
    return host.take();
  }

 private:
  struct Segments {
    Shape sizes;    // of all dimensions but the last
    SubExp width;   // the last
    SubExp number;  // product of sizes, at least 1
  };

  Segments segments_of(Builder& host, const SegOp& op) {
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

  SubExp threads_per_segment(Builder& host, const Segments& s, const SubExp& width, int64_t total) {
    return host.max(i64(1), host.min(width, host.div_up(i64(total), s.number)));
  }

  // ---- Operators. ----

  // An operator that is a map over `shape` becomes one on arrays.
  Lambda lifted(const Lambda& op, const Shape& shape) {
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

  // The operators of a segred or segscan as plain ones, with their neutral elements as values of full shape.
  struct Ops {
    std::vector<ReduceOp> ops;
    std::vector<Type> types;
    Operands neutral;
    bool commutative = true;
  };

  Ops plain_ops(Builder& host, const std::vector<SegBinOp>& ops) {
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

  // acc' = op(acc, x), inline.
  Operands apply(Builder& b, const Ops& ops, const Operands& acc, const Operands& x) {
    Operands results;
    size_t at = 0;
    for (const ReduceOp& op : ops.ops) {
      Substitution to;
      size_t n = op.neutral.size();
      for (size_t k = 0; k < n; ++k) {
        to.insert_or_assign(op.lambda.params[k].name, acc[at + k]);
        to.insert_or_assign(op.lambda.params[n + k].name, x[at + k]);
      }
      Body inlined = rename(names_, to, *op.lambda.body);
      b.add_all(inlined.stms);
      for (const SubExpRes& r : inlined.result) results.push_back(r.value);
      at += n;
    }
    return results;
  }

  // ---- Kernels. ----

  Producer elements_of(const SegOp& op, size_t first, size_t count) {
    return [this, &op, first, count](Builder& b, const Operands& segment, const SubExp& j) {
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
      KernelBody body = rename(names_, to, *op.body);
      b.add_all(body.stms);
      Operands values;
      for (size_t k = first; k < first + count; ++k) values.push_back(std::get<Returns>(body.results[k]).value);
      return values;
    };
  }

  Producer elements_of(const std::vector<Name>& arrays, const std::vector<Type>& types) {
    return [arrays, types](Builder& b, const Operands& segment, const SubExp& j) {
      Operands values, index = segment;
      index.push_back(j);
      for (size_t k = 0; k < arrays.size(); ++k) {
        values.emplace_back(b.let("partial", types[k], Index{arrays[k], row_slice(index, types[k])}));
      }
      return values;
    };
  }

  struct Chunk {
    SubExp start, count, stride;
  };
  static Chunk strided(Builder& b, const SubExp& width, const SubExp& threads, const SubExp& thread) {
    return {thread, b.div_up(b.sub(width, thread), threads), threads};
  }
  static Chunk contiguous(Builder& b, const SubExp& width, const SubExp& size, const SubExp& thread) {
    SubExp start = b.mul(thread, size);
    return {start, b.max(i64(0), b.min(size, b.sub(width, start))), i64(1)};
  }

  // segmap over the segments (or one point), and over `threads` per segment if given. `emit` gets the segment's indices
  // and the thread's, and returns the results.
  std::vector<Name> segmap(Builder& host, const Shape& segments, const std::optional<SubExp>& threads,
                           const std::vector<Type>& types, const std::string& base,
                           const std::function<Operands(Builder&, const Operands&, const SubExp&)>& emit) {
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

  // Partial results, [segments][threads] of each type; [segments] (or [1]) without `threads`.
  std::vector<Name> fold(Builder& host, const Ops& ops, const Segments& s, const SubExp& width,
                         const std::optional<SubExp>& threads, bool in_order, const Producer& produce) {
    SubExp chunk_size = threads && in_order ? host.div_up(width, *threads) : i64(0);
    return segmap(host, s.sizes, threads, ops.types, "partial",
                  [&](Builder& b, const Operands& segment, const SubExp& t) {
                    Chunk c = !threads   ? Chunk{i64(0), width, i64(1)}
                              : in_order ? contiguous(b, width, chunk_size, t)
                                         : strided(b, width, *threads, t);
                    Type index_type = Type::scalar(prim::Type::I64);
                    Name indices = b.let("indices", Type::array(prim::Type::I64, {Dim(c.count)}),
                                         Iota{c.count, c.start, c.stride, prim::Type::I64});
                    Param j{{}, names_.fresh("j"), index_type};
                    Builder element(names_);
                    Operands values = produce(element, segment, j.name);
                    Lambda map = make_lambda({j}, ops.types, std::move(element), std::move(values));
                    Stm redomap{{}, {}, {}, Screma{c.count, {indices}, std::move(map), {}, ops.ops}, {}};
                    Operands results;
                    for (const Type& t2 : ops.types) {
                      redomap.pat.push_back({names_.fresh("folded"), t2});
                      results.emplace_back(redomap.pat.back().name);
                    }
                    b.add(std::move(redomap));
                    return results;
                  });
  }

  // Binds the statement's names from `first` on to arrays that have an extra dimension of one if there are no segments.
  void bind_results(Builder& host, const Stm& s, const Segments& segments, const std::vector<Name>& arrays) {
    for (size_t k = 0; k < arrays.size(); ++k) {
      Exp e = Atom{arrays[k]};
      if (segments.sizes.empty()) e = Index{arrays[k], row_slice({i64(0)}, s.pat[k].type)};
      host.add(Stm{{s.pat[k]}, {}, {}, std::move(e), s.position});
    }
  }

  // Binds what a segred or segscan returns besides its reductions, and returns its elements. They are computed again
  // wherever they are needed, unless the body updates accumulators: that must happen once, so they are stored.
  Producer mapped(Builder& host, const Stm& s, const SegOp& op, const Ops& ops) {
    size_t num_folded = ops.types.size();
    Producer elements = elements_of(op, 0, num_folded);
    if (s.pat.size() == num_folded) return elements;
    bool once = std::any_of(s.pat.begin(), s.pat.end(), [](const PatElem& p) { return p.type.is_acc(); });
    SegOp map = op;
    map.kind = SegKind::Map;
    map.ops.clear();
    Pat pat(s.pat.begin() + static_cast<long>(num_folded), s.pat.end());
    if (once) {
      Shape space;
      for (const SegDim& d : op.space.dims) space.push_back(d.size);
      std::vector<Name> stored;
      for (size_t k = 0; k < num_folded; ++k) {
        stored.push_back(names_.fresh("element"));
        pat.insert(pat.begin() + static_cast<long>(k), {stored.back(), array_of(ops.types[k], space)});
      }
      elements = elements_of(stored, ops.types);
    } else {
      map.types.erase(map.types.begin(), map.types.begin() + static_cast<long>(num_folded));
      auto body = std::make_shared<KernelBody>(*op.body);
      body->results.erase(body->results.begin(), body->results.begin() + static_cast<long>(num_folded));
      map.body = std::move(body);
    }
    Substitution fresh;
    map = rename(names_, fresh, map);
    host.add(Stm{std::move(pat), s.attrs, s.certs, std::move(map), s.position});
    return elements;
  }

  static bool updates_accumulators(const SegOp& op) {
    return std::ranges::any_of(op.types, [](const Type& t) { return t.is_acc(); });
  }

  void keep(Builder& host, const Stm& s, const SegOp& op, const Segments& segments, const std::vector<Type>& types,
            const Producer& elements) {
    SegOp reduction = op;
    reduction.types = types;
    reduction.space = {names_.fresh("flat"), {}};
    Operands segment;
    for (const SubExp& size : segments.sizes) {
      reduction.space.dims.push_back({names_.fresh("segment"), size});
      segment.emplace_back(reduction.space.dims.back().index);
    }
    if (segments.sizes.empty()) reduction.space.dims.push_back({names_.fresh("segment"), i64(1)});
    Shape outer;
    for (const SegDim& d : reduction.space.dims) outer.push_back(d.size);
    reduction.space.dims.push_back({names_.fresh("j"), segments.width});
    Builder point(names_);
    auto body = std::make_shared<KernelBody>();
    for (SubExp& x : elements(point, segment, reduction.space.dims.back().index))
      body->results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, std::move(x)});
    body->stms = point.take();
    reduction.body = std::move(body);
    Stm kept{{}, s.attrs, s.certs, std::move(reduction), s.position};
    std::vector<Name> names;
    for (const Type& t : types) {
      names.push_back(names_.fresh("reduced"));
      kept.pat.push_back({names.back(), array_of(t, outer)});
    }
    host.add(std::move(kept));
    bind_results(host, s, segments, names);
  }

  void reduction(Builder& host, const Stm& s, const SegOp& op) {
    Segments segments = segments_of(host, op);
    Ops ops = plain_ops(host, op.ops);
    Producer elements = mapped(host, s, op, ops);
    if (keep_ && of_scalars(op)) return keep(host, s, op, segments, ops.types, elements);
    bool in_order = !ops.commutative;
    SubExp t1 = threads_per_segment(host, segments, segments.width, levels_.first);
    SubExp t2 = threads_per_segment(host, segments, t1, levels_.second);
    std::vector<Name> first = fold(host, ops, segments, segments.width, t1, in_order, elements);
    std::vector<Name> second = fold(host, ops, segments, t1, t2, in_order, elements_of(first, ops.types));
    std::vector<Name> last = fold(host, ops, segments, t2, std::nullopt, in_order, elements_of(second, ops.types));
    bind_results(host, s, segments, last);
  }

  // ---- Scans. ----

  std::vector<Name> scanned(Builder& host, const Ops& ops, const Segments& s, const SubExp& width, int level,
                            const Producer& produce) {
    SubExp threads = i64(1);
    std::vector<Name> prefixes;
    if (level < 2) {
      threads = threads_per_segment(host, s, width, level == 0 ? levels_.first : levels_.second);
      std::vector<Name> totals = fold(host, ops, s, width, threads, true, produce);
      prefixes = scanned(host, ops, s, threads, level + 1, elements_of(totals, ops.types));
    }
    SubExp chunk_size = host.div_up(width, threads);
    Shape space = s.sizes;
    space.push_back(width);
    AccType acc_type{names_.fresh("cert"), space, ops.types};
    Type acc = Type::accumulator(acc_type);
    WithAccInput input{space, {}, std::nullopt};
    for (const Type& t : ops.types) {
      Type full = array_of(t, space);
      Shape shape;
      for (const Dim& d : full.dims) shape.push_back(d.size());
      input.arrays.push_back(host.let("scanned", full, Scratch{t.elem, shape}));
    }
    Param cert{{}, acc_type.cert, Type::scalar(prim::Type::Unit)};
    Param acc_param{{}, names_.fresh("acc"), acc};
    Builder inner(names_);
    std::vector<Name> updated =
        segmap(inner, s.sizes, threads, {acc}, "acc", [&](Builder& b, const Operands& segment, const SubExp& t) {
          Chunk c = contiguous(b, width, chunk_size, t);
          Operands start = prefixes.empty() ? ops.neutral : prefix(b, ops, prefixes, segment, t);
          return Operands{scan_chunk(b, ops, acc, acc_param.name, segment, c, start, produce)};
        });
    Lambda lambda = make_lambda({cert, acc_param}, {acc}, std::move(inner), {updated[0]});
    Stm with{{}, {}, {}, WithAcc{{input}, std::move(lambda)}, {}};
    std::vector<Name> results;
    for (const Type& t : ops.types) {
      results.push_back(names_.fresh("scanned"));
      with.pat.push_back({results.back(), array_of(t, space)});
    }
    host.add(std::move(with));
    return results;
  }

  // The result of all chunks before this one.
  Operands prefix(Builder& b, const Ops& ops, const std::vector<Name>& prefixes, const Operands& segment,
                  const SubExp& t) {
    Name is_first = b.let("is_first", Type::scalar(prim::Type::Bool),
                          PrimOp{prim::Op(prim::Family::Eq, prim::Type::I64), {t, i64(0)}});
    auto neutral = std::make_shared<Body>();
    for (const SubExp& ne : ops.neutral) neutral->result.push_back({{}, ne});
    Builder other(names_);
    SubExp before = other.sub(t, i64(1));
    Operands values = elements_of(prefixes, ops.types)(other, segment, before);
    auto previous = std::make_shared<Body>();
    previous->stms = other.take();
    for (const SubExp& v : values) previous->result.push_back({{}, v});
    Match choose{MatchSort::Normal, {is_first}, {{{prim::Value::of_bool(true)}, neutral}}, previous, ops.types};
    Stm s{{}, {}, {}, std::move(choose), {}};
    Operands results;
    for (const Type& type : ops.types) {
      s.pat.push_back({names_.fresh("prefix"), type});
      results.emplace_back(s.pat.back().name);
    }
    b.add(std::move(s));
    return results;
  }

  Name scan_chunk(Builder& b, const Ops& ops, const Type& acc, const Name& acc_name, const Operands& segment,
                  const Chunk& c, const Operands& start, const Producer& produce) {
    Loop loop;
    loop.params.push_back({{}, names_.fresh("acc"), acc});
    loop.inits.emplace_back(acc_name);
    Operands running;
    for (size_t k = 0; k < ops.types.size(); ++k) {
      loop.params.push_back({{}, names_.fresh("running"), ops.types[k]});
      loop.inits.push_back(start[k]);
      running.emplace_back(loop.params.back().name);
    }
    Name i = names_.fresh("i");
    loop.form = ForLoop{i, prim::Type::I64, c.count};
    Builder iteration(names_);
    SubExp j = iteration.add64(c.start, i);
    Operands x = produce(iteration, segment, j);
    Operands next = apply(iteration, ops, running, x);
    Operands index = segment;
    index.push_back(j);
    Name updated = iteration.let("acc", acc, UpdateAcc{false, loop.params[0].name, index, next});
    auto body = std::make_shared<Body>();
    body->stms = iteration.take();
    body->result.push_back({{}, updated});
    for (const SubExp& v : next) body->result.push_back({{}, v});
    loop.body = std::move(body);
    Stm s{{}, {}, {}, std::move(loop), {}};
    Name result = names_.fresh("acc");
    s.pat.push_back({result, acc});
    for (const Type& t : ops.types) s.pat.push_back({names_.fresh("total"), t});
    b.add(std::move(s));
    return result;
  }

  void scan(Builder& host, const Stm& s, const SegOp& op) {
    Segments segments = segments_of(host, op);
    Ops ops = plain_ops(host, op.ops);
    Producer elements = mapped(host, s, op, ops);
    std::vector<Name> results = scanned(host, ops, segments, segments.width, 0, elements);
    for (size_t k = 0; k < results.size(); ++k) host.add(Stm{{s.pat[k]}, {}, {}, Atom{results[k]}, s.position});
  }

  // ---- Histograms. ----

  static bool is_atomic(const HistOp& op) {
    return op.dests.size() == 1 && op.op_shape.empty() && op.op.ret[0].is_scalar();
  }

  void histogram(Builder& host, const Stm& s, const SegOp& op) {
    bool atomic = std::all_of(op.hists.begin(), op.hists.end(), is_atomic);
    if (atomic) {
      parallel_histogram(host, s, op);
    } else {
      sequential_histogram(host, s, op);
    }
  }

  void parallel_histogram(Builder& host, const Stm& s, const SegOp& op) {
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
      Lambda combine = rename(names_, fresh, h.op);
      std::vector<Param> indices;
      for (size_t d = 0; d < space.size(); ++d) {
        indices.push_back({{}, names_.fresh("bin"), Type::scalar(prim::Type::I64)});
      }
      combine.params.insert(combine.params.begin(), indices.begin(), indices.end());
      with.inputs.push_back({space, h.dests, WithAccOp{std::move(combine), h.neutral}});
      AccType type{names_.fresh("cert"), space, h.op.ret};
      certs.push_back({{}, type.cert, Type::scalar(prim::Type::Unit)});
      acc_types.push_back(Type::accumulator(type));
      accs.push_back({{}, names_.fresh("acc"), acc_types.back()});
    }

    SegOp map = op;
    map.kind = SegKind::Map;
    map.hists.clear();
    map.types = acc_types;
    Builder body(names_);
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

    Builder inner(names_);
    Stm segmap_stm{{}, {}, {}, std::move(map), s.position};
    Operands results;
    for (const Type& t : acc_types) {
      segmap_stm.pat.push_back({names_.fresh("acc"), t});
      results.emplace_back(segmap_stm.pat.back().name);
    }
    inner.add(std::move(segmap_stm));
    std::vector<Param> params = certs;
    params.insert(params.end(), accs.begin(), accs.end());
    with.lambda = make_lambda(std::move(params), acc_types, std::move(inner), std::move(results));
    host.add(Stm{s.pat, s.attrs, s.certs, std::move(with), s.position});
  }

  // One thread per segment: for operators that no atomic operation can apply.
  void sequential_histogram(Builder& host, const Stm& s, const SegOp& op) {
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
            HistOp plain = h;
            plain.op = lifted(h.op, h.op_shape);
            plain.op_shape.clear();
            for (size_t k = 0; k < h.neutral.size() && !h.op_shape.empty(); ++k) {
              plain.neutral[k] = b.let("neutral", plain.op.ret[k], Replicate{h.op_shape, h.neutral[k]});
            }
            for (Name& dest : plain.dests) {
              const Type& t = row_types[next++];
              Name row = b.let("row", t, Index{dest, row_slice(segment, t)});
              dest = b.let("bins", t, Replicate{{}, row});
              pat.push_back({names_.fresh("hist"), t});
              results.emplace_back(pat.back().name);
            }
            hist.ops.push_back(std::move(plain));
          }
          Param j{{}, names_.fresh("j"), Type::scalar(prim::Type::I64)};
          Builder element(names_);
          Operands values = elements_of(op, 0, num_results)(element, segment, j.name);
          hist.bucket = make_lambda({j}, op.types, std::move(element), std::move(values));
          b.add(Stm{pat, {}, {}, std::move(hist), {}});
          return results;
        });
    bind_results(host, s, segments, rows);
  }

  NameSource& names_;
  ReductionLevels levels_;
  bool keep_;
};

Result<Program> expand(const Program& program, const ReductionLevels& levels, bool keep) try {
  NameSource names(program.next_tag());
  Expander expander(names, levels, keep);
  auto expand = [&](const Stm& s) { return expander.expand(s); };
  Program out = program;
  out.constants = StmExpander<decltype(expand)>(expand, false).stms(program.constants);
  for (FunDef& f : out.functions) f.body = StmExpander<decltype(expand)>(expand, false).body(f.body);
  return out;
} catch (const Refused& r) {
  return r.error;
}

}  // namespace

Result<Program> expand_reductions(const Program& program, const ReductionLevels& levels) {
  return expand(program, levels, false);
}

Result<Program> expand_reductions(const Program& program) { return expand_reductions(program, ReductionLevels{}); }

Result<Program> expand_scans(const Program& program) { return expand(program, ReductionLevels{}, true); }

Stms expand_reduction(const Stm& reduction, NameSource& names) {
  return Expander(names, ReductionLevels{}, false).expand(reduction);
}

}  // namespace heddle::seg
