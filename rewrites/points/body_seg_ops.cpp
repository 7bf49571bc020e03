// Lowering of segmented operations within a block, when one thread does the work of the block: loops over the segspace.
#include "ir/support/error.h"
#include "rewrites/points/body.h"

namespace heddle::lower {

using nest::Expr;

// segred(inblock)(i < m, j < n) ({op, {ne}, , }) { ...i...j... return {returns x} }
//
//   for i in m { acc := ne; for j in n { ...i...j...; acc := op(acc, x) }; result[i] := acc }
//
// A segscan stores acc at every j, a seghist combines x with a bin instead, a segmap stores it.
class BodyLowerer::SegLoops {
 public:
  SegLoops(BodyLowerer& body, const seg::Pat& pat, const seg::SegOp& op)
      : b_(body), pat_(pat), op_(op), is_scan_(op.kind == seg::SegKind::Scan) {
    for (const seg::SegDim& d : op.space.dims) sizes_.push_back(b_.scalar(d.size));
    segments_.assign(sizes_.begin(), sizes_.end() - 1);
    size_t num_results = 0;
    for (const seg::SegBinOp& o : op.ops) num_results += add(o);
    for (const seg::HistOp& h : op.hists) num_results += add(h);
    for (size_t k = num_results; k < op.types.size(); ++k) add(op.body->results[k], op.types[k]);
  }

  std::vector<KernelValue> run() {
    b_.for_all(segments_, [&](const Indices& segment) {
      for (const Fold& f : folds_) reset(f);
      b_.loop(sizes_.back(), [&](const Expr& i) { point(segment, i); });
      for (const Fold& f : folds_) {
        for (size_t k = 0; !is_scan_ && k < f.running.size(); ++k) keep(f.to[k], segment, f.running[k]);
      }
    });
    std::vector<KernelValue> results;
    for (const Fold& f : folds_) {
      for (const ArrayValue& a : f.to) results.push_back(b_.current(a));
    }
    for (const Bins& bins : bins_) results.insert(results.end(), bins.arrays.begin(), bins.arrays.end());
    for (const Mapped& m : mapped_) {
      results.push_back(m.is_acc ? b_.value(returned(m.result)) : KernelValue(m.to));
    }
    return results;
  }

 private:
  struct Fold {
    const seg::SegBinOp& op;
    std::vector<Expr> shape;
    std::vector<ArrayValue> running, to;  // the same where there is but one segment to reduce
  };
  struct Bins {
    const seg::HistOp& op;
    std::vector<Expr> op_shape;
    std::vector<ArrayValue> arrays;
  };
  struct Mapped {
    const seg::KernelResult& result;
    bool is_acc;
    ArrayValue to;  // of accumulators: unused
  };

  static std::vector<Expr> join(std::vector<Expr> a, const std::vector<Expr>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  std::vector<Expr> scalars(const seg::Shape& shape) {
    std::vector<Expr> out;
    for (const seg::SubExp& x : shape) out.push_back(b_.scalar(x));
    return out;
  }

  static const seg::SubExp& returned(const seg::KernelResult& r) {
    if (const auto* returns = std::get_if<seg::Returns>(&r)) return returns->value;
    refuse("a segmented operation within a block that returns tiles");
  }

  // ---- Memory; these return how many of the body's results they take. ----

  size_t add(const seg::SegBinOp& op) {
    Fold f{op, scalars(op.shape), {}, {}};
    for (const seg::Type& t : op.lambda.ret) {
      std::vector<Expr> dims = join(f.shape, b_.dims(t));
      f.running.push_back(dims.empty() ? b_.variable(t, "acc") : b_.fresh_array(t.elem, dims));
      const std::vector<Expr>& outer = is_scan_ ? sizes_ : segments_;
      const Name& name = pat_[next_result_++].name;
      f.to.push_back(outer.empty() ? f.running.back() : b_.fresh_array_for(name, t.elem, join(outer, dims)));
    }
    folds_.push_back(std::move(f));
    return op.lambda.ret.size();
  }

  size_t add(const seg::HistOp& op) {
    Bins bins{op, scalars(op.op_shape), {}};
    for (const Name& d : op.dests) bins.arrays.push_back(b_.writable(b_.array(d)));
    bins_.push_back(std::move(bins));
    next_result_ += op.dests.size();
    return op.shape.size() + op.dests.size();
  }

  void add(const seg::KernelResult& result, const seg::Type& type) {
    Mapped m{result, type.is_acc(), {}};
    const Name& name = pat_[next_result_++].name;
    if (const auto* write = std::get_if<seg::WriteReturns>(&result)) {
      m.to = b_.writable(b_.array(write->array));
    } else if (!m.is_acc) {
      m.to = b_.fresh_array_for(name, type.elem, join(sizes_, b_.dims(type)));
    }
    mapped_.push_back(std::move(m));
  }

  // ---- The loops' bodies. ----

  void reset(const Fold& f) {
    for (size_t k = 0; k < f.running.size(); ++k) {
      KernelValue neutral = b_.value(f.op.neutral[k]);
      b_.for_all(f.shape, [&](const Indices& i) { b_.store_value(f.running[k], i, neutral); });
    }
  }

  void point(const Indices& segment, const Expr& i) {
    Indices index = segment;
    index.push_back(i);
    b_.define_point(op_.space, sizes_, index);
    b_.stms(op_.body->stms);
    size_t next = 0;
    auto values = [&](size_t count) {
      std::vector<KernelValue> out;
      for (size_t k = 0; k < count; ++k) out.push_back(b_.value(returned(op_.body->results[next++])));
      return out;
    };
    for (const Fold& f : folds_) {
      combine(f.op.lambda, f.shape, f.running, values(f.running.size()));
      for (size_t k = 0; is_scan_ && k < f.to.size(); ++k) keep(f.to[k], index, f.running[k]);
    }
    // The indices of all bins come before all values.
    std::vector<Indices> bins(bins_.size());
    for (size_t k = 0; k < bins_.size(); ++k) {
      for (const KernelValue& x : values(bins_[k].op.shape.size())) bins[k].push_back(std::get<Expr>(x));
    }
    for (size_t k = 0; k < bins_.size(); ++k) update(bins_[k], segment, bins[k], values(bins_[k].arrays.size()));
    for (const Mapped& m : mapped_) map(m, index);
  }

  void update(const Bins& bins, const Indices& segment, const Indices& bin, const std::vector<KernelValue>& values) {
    b_.if_inside(row(bins.arrays[0], segment), bin, [&] {
      std::vector<ArrayValue> targets;
      for (const ArrayValue& a : bins.arrays) targets.push_back(row(row(a, segment), bin));
      combine(bins.op.op, bins.op_shape, targets, values);
    });
  }

  void map(const Mapped& m, const Indices& index) {
    if (const auto* write = std::get_if<seg::WriteReturns>(&m.result)) {
      for (const seg::Write& w : write->writes) b_.checked_store(m.to, w.slice, b_.value(w.value));
    } else if (!m.is_acc) {
      b_.store_value(m.to, index, b_.value(returned(m.result)));
    }
  }

  void keep(const ArrayValue& to, const Indices& at, const ArrayValue& running) {
    if (to.place != running.place) b_.store_value(to, at, b_.current(running));
  }

  // into[i] := op(into[i], values[i]) for all i in `shape`.
  void combine(const seg::Lambda& op, const std::vector<Expr>& shape, const std::vector<ArrayValue>& into,
               const std::vector<KernelValue>& values) {
    b_.for_all(shape, [&](const Indices& i) {
      std::vector<ArrayValue> targets;
      std::vector<KernelValue> args;
      for (const ArrayValue& a : into) {
        targets.push_back(i.empty() ? a : row(a, i));
        args.push_back(b_.current(targets.back()));
      }
      for (const KernelValue& v : values) args.push_back(i.empty() ? v : b_.current(row(std::get<ArrayValue>(v), i)));
      b_.assign(targets, b_.call(op, args));
    });
  }

  BodyLowerer& b_;
  const seg::Pat& pat_;
  const seg::SegOp& op_;
  bool is_scan_;
  size_t next_result_ = 0;              // of the pattern
  std::vector<Expr> sizes_, segments_;  // of all dimensions, and of all but the last
  std::vector<Fold> folds_;
  std::vector<Bins> bins_;
  std::vector<Mapped> mapped_;
};

void BodyLowerer::lower(const seg::Stm& s, const seg::SegOp& e) {
  all(s, team_ ? by_team(s.pat, e) : SegLoops(*this, s.pat, e).run());
}

}  // namespace heddle::lower
