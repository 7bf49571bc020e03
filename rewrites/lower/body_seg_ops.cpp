// Lowering of segmented operations within a block, when one thread does the work of the block: loops over the segspace.
#include "ir/support/error.h"
#include "rewrites/lower/body.h"

namespace heddle::lower {

using nest::Expr;

namespace {

// Where the results of the points go that are not combined.
struct Mapped {
  const seg::KernelResult& result;
  const seg::Type& type;
  ArrayValue to;  // of accumulators: unused
};

struct Combined {
  const seg::SegBinOp& op;
  std::vector<Expr> shape;
  std::vector<ArrayValue> running;
  std::vector<seg::Type> types;  // of what is combined, without `shape`
  std::vector<ArrayValue> to;
};

const seg::SubExp& returned(const seg::KernelResult& r) {
  if (const auto* returns = std::get_if<seg::Returns>(&r)) return returns->value;
  refuse("a kernel that returns tiles");
}

}  // namespace

// into[i] := op(into[i], values[i]) for all i in `shape`.
void BodyLowerer::combine(const seg::Lambda& op, const std::vector<Expr>& shape, const std::vector<ArrayValue>& into,
                          const std::vector<KernelValue>& values) {
  auto element = [&](const ArrayValue& a) { return a.rank() == 0 ? KernelValue(bind(read(a, {}))) : KernelValue(a); };
  for_all(shape, [&](const Indices& i) {
    std::vector<ArrayValue> targets;
    std::vector<KernelValue> args;
    for (const ArrayValue& a : into) {
      targets.push_back(i.empty() ? a : row(a, i));
      args.push_back(element(targets.back()));
    }
    for (const KernelValue& v : values) args.push_back(i.empty() ? v : element(row(std::get<ArrayValue>(v), i)));
    assign(targets, call(op, args));
  });
}

//   segred(inblock)(i < n) ({op, {ne}, , }) { ...i... return {returns x} }
//
//   acc := ne; for i in n { ...i...; acc := op(acc, x) }
void BodyLowerer::lower(const seg::Stm& s, const seg::SegOp& e) {
  bool scan = e.kind == seg::SegKind::Scan;
  auto scalars = [&](const seg::Shape& shape) {
    std::vector<Expr> out;
    for (const seg::SubExp& x : shape) out.push_back(scalar(x));
    return out;
  };
  auto join = [](std::vector<Expr> a, const std::vector<Expr>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  std::vector<Expr> sizes;
  for (const seg::SegDim& d : e.space.dims) sizes.push_back(scalar(d.size));
  std::vector<Expr> segments(sizes.begin(), sizes.end() - 1);

  size_t num_combined = 0;
  std::vector<Combined> combined;
  for (const seg::SegBinOp& op : e.ops) {
    Combined c{op, scalars(op.shape), {}, op.lambda.ret, {}};
    for (const seg::Type& t : c.types) {
      std::vector<Expr> dims_of_one = join(c.shape, dims(t));
      c.running.push_back(dims_of_one.empty() ? variable(t, "acc") : fresh_array(t.elem, dims_of_one));
      const std::vector<Expr>& outer = scan ? sizes : segments;
      c.to.push_back(outer.empty() ? c.running.back() : fresh_array(t.elem, join(outer, dims_of_one)));
    }
    num_combined += c.types.size();
    combined.push_back(std::move(c));
  }
  std::vector<std::vector<ArrayValue>> bins;
  size_t num_indices = 0;
  for (const seg::HistOp& h : e.hists) {
    bins.emplace_back();
    for (const seg::Name& d : h.dests) bins.back().push_back(writable(array(d)));
    num_indices += h.shape.size();
    num_combined += h.shape.size() + h.dests.size();
  }
  std::vector<Mapped> mapped;
  for (size_t k = num_combined; k < e.types.size(); ++k) {
    Mapped m{e.body->results[k], e.types[k], {}};
    if (const auto* write = std::get_if<seg::WriteReturns>(&m.result)) {
      m.to = writable(array(write->array));
    } else if (!m.type.is_acc()) {
      m.to = fresh_array(m.type.elem, join(sizes, dims(m.type)));
    }
    mapped.push_back(std::move(m));
  }

  auto whole = [&](const ArrayValue& a) { return a.rank() == 0 ? KernelValue(bind(read(a, {}))) : KernelValue(a); };
  auto point = [&](const Indices& segment, const Expr& i) {
    Indices index = segment;
    index.push_back(i);
    Expr flat = nest::constant(int64_t{0});
    for (size_t d = 0; d < index.size(); ++d) {
      define(e.space.dims[d].index, index[d]);
      flat = nest::add(nest::mul(flat, sizes[d]), index[d]);
    }
    define(e.space.flat, flat);
    stms(e.body->stms);
    size_t next = 0;
    auto values = [&](size_t count) {
      std::vector<KernelValue> out;
      for (size_t k = 0; k < count; ++k) out.push_back(value(returned(e.body->results[next++])));
      return out;
    };
    for (const Combined& c : combined) {
      combine(c.op.lambda, c.shape, c.running, values(c.types.size()));
      for (size_t k = 0; scan && k < c.to.size(); ++k) store_value(c.to[k], index, whole(c.running[k]));
    }
    std::vector<KernelValue> bin_indices = values(num_indices);
    size_t next_index = 0;
    for (size_t k = 0; k < e.hists.size(); ++k) {
      Indices bin;
      for (size_t d = 0; d < e.hists[k].shape.size(); ++d) bin.push_back(std::get<Expr>(bin_indices[next_index++]));
      std::vector<KernelValue> new_values = values(bins[k].size());
      if_inside(row(bins[k][0], segment), bin, [&] {
        std::vector<ArrayValue> targets;
        for (const ArrayValue& b : bins[k]) targets.push_back(row(row(b, segment), bin));
        combine(e.hists[k].op, scalars(e.hists[k].op_shape), targets, new_values);
      });
    }
    for (const Mapped& m : mapped) {
      if (const auto* write = std::get_if<seg::WriteReturns>(&m.result)) {
        for (const seg::Write& w : write->writes) checked_store(m.to, w.slice, value(w.value));
      } else if (!m.type.is_acc()) {
        store_value(m.to, index, value(returned(m.result)));
      }
    }
  };

  for_all(segments, [&](const Indices& segment) {
    for (const Combined& c : combined) {
      for (size_t k = 0; k < c.running.size(); ++k) {
        KernelValue neutral = value(c.op.neutral[k]);
        for_all(c.shape, [&](const Indices& i) { store_value(c.running[k], i, neutral); });
      }
    }
    loop(sizes.back(), [&](const Expr& i) { point(segment, i); });
    for (const Combined& c : combined) {
      for (size_t k = 0; !scan && !segments.empty() && k < c.to.size(); ++k) {
        store_value(c.to[k], segment, whole(c.running[k]));
      }
    }
  });

  std::vector<KernelValue> results;
  for (const Combined& c : combined) {
    for (const ArrayValue& a : c.to) results.push_back(whole(a));
  }
  for (const auto& arrays : bins) results.insert(results.end(), arrays.begin(), arrays.end());
  for (const Mapped& m : mapped) {
    results.push_back(m.type.is_acc() ? value(returned(m.result)) : KernelValue(m.to));
  }
  all(s, std::move(results));
}

}  // namespace heddle::lower
