#include "rewrites/lower/reduction.h"

#include <functional>

#include "ir/nest/traverse.h"
#include "ir/seg/traverse.h"
#include "rewrites/lower/block_shape.h"
#include "rewrites/lower/body.h"
#include "rewrites/lower/plan_contraction.h"
#include "rewrites/nest/discharge.h"

namespace heddle::lower {

using nest::Expr;
using prim::Family;
using prim::Type;

namespace {

// Blocks that fill the largest devices of today, several on each multiprocessor.
constexpr int64_t kFillingBlocks = 132 * 8;
// Elements of a thread that are worth a block more.
constexpr int64_t kElementsOfThread = 8;
// That every device has for a block.
constexpr int64_t kSharedBytes = 48 * 1024;

Expr i64(int64_t x) { return nest::constant(x); }

bool has_checks(const seg::Stms& stms) {
  struct Find {
    bool found = false;
    void use(const Name&) {}
    void bind(const Name&) {}
    bool enter(const seg::BodyPtr& b) {
      found = found || has_checks(b->stms);
      return false;
    }
    bool enter(const seg::KernelBodyPtr& b) {
      found = found || has_checks(b->stms);
      return false;
    }
  };
  Find find;
  for (const seg::StmPtr& s : stms) {
    find.found = find.found || std::holds_alternative<seg::Assert>(s->exp);
    seg::walk(find, s->exp);
  }
  return find.found;
}

// How the work is divided, in expressions of the host.
struct Division {
  Expr segments, width;  // so many segments of so many elements
  Expr levels, lanes, rows, blocks, chunks;
};

Division divide(const Expr& segments, const Expr& width, bool in_chunks) {
  Division d{segments, width, {}, {}, {}, {}, i64(1)};
  d.levels = log2_up(nest::max(i64(1), nest::min(width, i64(kBlockSize))));
  d.lanes = power_of_two(d.levels);
  d.rows = nest::div(i64(kBlockSize), d.lanes);
  d.blocks = nest::ceil_div(segments, d.rows);
  if (in_chunks) {
    Expr useful = nest::ceil_div(width, nest::mul(d.lanes, i64(kElementsOfThread)));
    Expr room = nest::ceil_div(i64(kFillingBlocks), nest::max(i64(1), d.blocks));
    d.chunks = nest::max(i64(1), nest::min(useful, room));
  }
  return d;
}

// One of the two kernels.
class Reduction {
 public:
  Reduction(const seg::SegOp& op, const HostScope& host, NameSource& names, FailureTable& failures)
      : op_(op), names_(names), kernel_(host, names, failures), body_(kernel_) {
    for (const seg::SegBinOp& o : op.ops) commutative_ = commutative_ && o.commutative;
    for (const seg::SegDim& d : op.space.dims) sizes_.push_back(kernel_.host_operand(d.size));
  }

  std::vector<Expr> segment_sizes() const { return {sizes_.begin(), sizes_.end() - 1}; }
  Expr segments() const {
    Expr number = i64(1);
    for (const Expr& s : segment_sizes()) number = nest::mul(number, s);
    return kernel_.host_value(number);
  }
  const Expr& width() const { return sizes_.back(); }

  KernelBuilder& kernel() { return kernel_; }

  // What element `j` of the segment with these indices adds.
  using Element = std::function<std::vector<KernelValue>(const Indices& segment, const Expr& j)>;
  // Keeps what chunk `c` of a segment gives.
  using Keep = std::function<void(const Indices& segment, const Expr& chunk, const std::vector<Expr>& values)>;

  // The points of the seg op.
  std::vector<KernelValue> element(const Indices& segment, const Expr& j) {
    Indices index = segment;
    index.push_back(j);
    Expr flat = i64(0);
    for (size_t d = 0; d < index.size(); ++d) {
      body_.define(op_.space.dims[d].index, index[d]);
      flat = nest::add(nest::mul(flat, sizes_[d]), index[d]);
    }
    body_.define(op_.space.flat, flat);
    body_.stms(op_.body->stms);
    std::vector<KernelValue> values;
    for (const seg::KernelResult& r : op_.body->results) values.push_back(body_.value(std::get<seg::Returns>(r).value));
    return values;
  }

  void if_else(const Expr& condition, const std::function<void()>& then, const std::function<void()>& otherwise) {
    nest::Block then_body = body_.block(then);
    body_.emit(nest::stmt(nest::If{condition, std::move(then_body), body_.block(otherwise)}));
  }
  Expr read(const ArrayValue& a, const Indices& index) { return body_.read(a, index); }
  void store(const ArrayValue& a, const Indices& index, const Expr& value) { body_.store(a, index, value); }

  // Nothing if the kernel is none that blocks can run (reduction.h).
  // `width`: the kernel's name for d.width.
  std::optional<Launch> run(const std::string& name, const Division& d, const Expr& width, const Element& element,
                            const Keep& keep) {
    // The program's own names, where they are sizes: its checks are about these.
    width_ = width;
    segments_ = sizes_.size() == 2 ? sizes_[0] : kernel_.launch_scalar("segments", d.segments);
    levels_ = kernel_.launch_scalar("levels", d.levels);
    lanes_ = kernel_.launch_scalar("lanes", d.lanes);
    rows_ = kernel_.launch_scalar("rows", d.rows);
    Expr blocks = kernel_.launch_scalar("blocks", d.blocks);
    chunks_ = kernel_.launch_scalar("chunks", d.chunks);
    Name block = names_.fresh("segment_block"), chunk = names_.fresh("chunk"), row = names_.fresh("row"),
         lane = names_.fresh("lane");
    nest::Block work = body_.block([&] {
      Expr segment = body_.bind(nest::add(nest::mul(index(block), rows_), index(row)));
      thread(segment, index(chunk), index(row), index(lane), element, keep);
    });
    nest::Facts facts = kernel_.facts(work);
    work = facts.scope([&] {
      tell_indices(facts, {{block, blocks}, {chunk, chunks_}, {row, rows_}, {lane, lanes_}});
      return nest::discharge(work, facts);
    });
    if (kernel_.has_scratch() || kernel_.one_thread() || nest::may_fail(work)) return std::nullopt;
    kernel_.add_host_scalars(work);
    work = {loop(lane, lanes_, nest::Role::Block, std::move(work))};
    work = {loop(row, rows_, nest::Role::Block, std::move(work))};
    work = {loop(chunk, chunks_, nest::Role::Grid, std::move(work))};
    work = {loop(block, blocks, nest::Role::Grid, std::move(work))};
    return std::move(kernel_).finish(name, std::move(work), nest::mul(blocks, chunks_), nest::mul(rows_, lanes_),
                                     std::nullopt);
  }

 private:
  static Expr index(const Name& n) { return nest::var(n, Type::I64); }
  static nest::Stmt loop(const Name& i, Expr extent, nest::Role role, nest::Block body) {
    return nest::stmt(nest::For{i, std::move(extent), role, std::move(body)});
  }

  void thread(const Expr& segment, const Expr& chunk, const Expr& row, const Expr& lane, const Element& element,
              const Keep& keep) {
    std::vector<ArrayValue> acc, shared;
    for (const seg::Type& t : op_.types) {
      acc.push_back(body_.variable(t, "acc"));
      nest::Buffer tile{names_.fresh("shared"), t.elem, nest::Space::Shared, {rows_, lanes_}, {}};
      tile.strides = nest::dense_strides(tile.dims);
      body_.emit(nest::stmt(nest::Alloc{tile}));
      shared.push_back(whole_buffer(tile, true));
    }
    std::vector<KernelValue> neutral;
    for (const seg::SegBinOp& o : op_.ops) {
      for (const seg::SubExp& ne : o.neutral) neutral.push_back(body_.value(ne));
    }
    body_.assign(acc, neutral);
    Expr inside = nest::less(segment, segments_);
    Indices at;
    body_.guarded(inside, [&] {
      Indices of_segment = indices(segment);
      Expr threads = nest::mul(chunks_, lanes_), thread = nest::add(nest::mul(chunk, lanes_), lane);
      Expr each = commutative_ ? nullptr : body_.bind(nest::ceil_div(width_, threads));
      Expr first = body_.bind(commutative_ ? thread : nest::mul(thread, each));
      Expr count =
          commutative_ ? nest::ceil_div(nest::sub(width_, first), threads) : nest::min(each, nest::sub(width_, first));
      body_.loop(body_.bind(count), [&](const Expr& k) {
        Expr j = body_.bind(nest::add(first, commutative_ ? nest::mul(k, threads) : k));
        if (!has_checks(op_.body->stms)) return combine(acc, element(of_segment, j));
        // What the loop's extent says in a way that checks of indices are not decided by.
        Expr is_element =
            nest::both(nest::operation(prim::Op(Family::Sle, Type::I64), {i64(0), j}), nest::less(j, width_));
        body_.guarded(is_element, [&] { combine(acc, element(of_segment, j)); });
      });
    });
    for (size_t k = 0; k < acc.size(); ++k) body_.store(shared[k], {row, lane}, body_.read(acc[k], {}));
    body_.loop(levels_, [&](const Expr& level) {
      body_.emit(nest::stmt(nest::Barrier{nest::Scope::Block}));
      Expr apart = body_.bind(power_of_two(level));
      Expr among =
          nest::operation(prim::Op(Family::And, Type::I64), {lane, nest::sub(nest::mul(i64(2), apart), i64(1))});
      body_.guarded(nest::operation(prim::Op(Family::Eq, Type::I64), {among, i64(0)}), [&] {
        std::vector<KernelValue> other;
        for (const ArrayValue& s : shared) other.emplace_back(body_.bind(body_.read(s, {row, nest::add(lane, apart)})));
        std::vector<ArrayValue> own;
        for (const ArrayValue& s : shared) own.push_back(lower::row(lower::row(s, {row}), {lane}));
        combine(own, other);
      });
    });
    Expr is_first = nest::operation(prim::Op(Family::Eq, Type::I64), {lane, i64(0)});
    body_.guarded(nest::both(is_first, inside), [&] {
      std::vector<Expr> values;
      for (const ArrayValue& s : shared) values.push_back(body_.bind(body_.read(s, {row, lane})));
      keep(indices(segment), chunk, values);
    });
  }

  // Of the segment with this number.
  Indices indices(Expr segment) {
    std::vector<Expr> sizes = segment_sizes();
    Indices reversed;
    for (size_t d = sizes.size(); d-- > 1;) {
      reversed.push_back(body_.bind(nest::mod(segment, sizes[d])));
      segment = body_.bind(nest::div(segment, sizes[d]));
    }
    reversed.push_back(segment);
    return {reversed.rbegin(), reversed.rend()};
  }

  // into := op(into, x), one operator after the other.
  void combine(const std::vector<ArrayValue>& into, const std::vector<KernelValue>& x) {
    size_t next = 0;
    for (const seg::SegBinOp& o : op_.ops) {
      size_t end = next + o.neutral.size();
      std::vector<ArrayValue> targets(into.begin() + static_cast<long>(next), into.begin() + static_cast<long>(end));
      std::vector<KernelValue> args;
      for (const ArrayValue& t : targets) args.push_back(body_.current(t));
      args.insert(args.end(), x.begin() + static_cast<long>(next), x.begin() + static_cast<long>(end));
      body_.assign(targets, body_.call(o.lambda, args));
      next = end;
    }
  }

  const seg::SegOp& op_;
  NameSource& names_;
  KernelBuilder kernel_;
  BodyLowerer body_;
  std::vector<Expr> sizes_;
  bool commutative_ = true;
  Expr width_, segments_, levels_, lanes_, rows_, chunks_;
};

}  // namespace

std::optional<Lowered> lower_reduction(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host,
                                       NameSource& names, FailureTable& failures) {
  const auto& op = std::get<seg::SegOp>(stm.exp);
  int64_t bytes = 0;
  for (const seg::Type& t : op.types) bytes += kBlockSize * prim::size_bytes(t.elem);
  if (bytes > kSharedBytes) return std::nullopt;
  Reduction first(op, host, names, failures), last(op, host, names, failures);
  const Division of_elements = divide(first.segments(), first.kernel().host_value(first.width()), true);
  Division of_partials = divide(first.segments(), of_elements.chunks, false);
  // Where there is one chunk, the first kernel is the last.
  of_partials.blocks = nest::select(nest::less(i64(1), of_elements.chunks), of_partials.blocks, i64(0));

  Lowered lowered;
  lowered.recipe = "reduction by blocks of threads";
  lowered.why_not = "it is a reduction of whole segments";
  for (const seg::Type& t : op.types) {
    FreshResult place{t.elem, first.segment_sizes(), {}};
    for (size_t d = 0; d < place.shape.size(); ++d) place.perm.push_back(static_cast<int>(d));
    lowered.results.emplace_back(std::move(place));
    Expr several = nest::select(nest::less(i64(1), of_elements.chunks), of_elements.chunks, i64(0));
    lowered.temporaries.push_back({t.elem, nest::mul(first.segments(), several)});
  }

  auto result_arrays = [&](Reduction& r) {
    std::vector<ArrayValue> arrays;
    for (size_t k = 0; k < op.types.size(); ++k) {
      arrays.push_back(r.kernel().result_array(static_cast<int>(k), std::get<FreshResult>(lowered.results[k])));
    }
    return arrays;
  };
  auto partial_arrays = [&](Reduction& r, const Expr& chunks) {
    std::vector<Expr> dims = r.segment_sizes();
    dims.push_back(chunks);
    std::vector<ArrayValue> arrays;
    for (size_t k = 0; k < op.types.size(); ++k) {
      arrays.push_back(r.kernel().temporary_array(static_cast<int>(k), op.types[k].elem, dims));
    }
    return arrays;
  };
  auto with = [](Indices segment, const Expr& j) {
    segment.push_back(j);
    return segment;
  };

  Expr chunks = first.kernel().launch_scalar("num_chunks", of_elements.chunks);
  std::vector<ArrayValue> results = result_arrays(first), partials = partial_arrays(first, chunks);
  std::optional<Launch> launch = first.run(
      kernel_name, of_elements, first.width(),
      [&](const Indices& segment, const Expr& j) { return first.element(segment, j); },
      [&](const Indices& segment, const Expr& chunk, const std::vector<Expr>& values) {
        first.if_else(
            nest::less(i64(1), chunks),
            [&] {
              for (size_t k = 0; k < values.size(); ++k) first.store(partials[k], with(segment, chunk), values[k]);
            },
            [&] {
              for (size_t k = 0; k < values.size(); ++k) first.store(results[k], segment, values[k]);
            });
      });
  if (!launch) return std::nullopt;
  lowered.launches.push_back(std::move(*launch));

  chunks = last.kernel().launch_scalar("num_chunks", of_elements.chunks);
  results = result_arrays(last), partials = partial_arrays(last, chunks);
  launch = last.run(
      kernel_name + "_last", of_partials, chunks,
      [&](const Indices& segment, const Expr& j) {
        std::vector<KernelValue> values;
        for (const ArrayValue& p : partials) values.emplace_back(last.read(p, with(segment, j)));
        return values;
      },
      [&](const Indices& segment, const Expr&, const std::vector<Expr>& values) {
        for (size_t k = 0; k < values.size(); ++k) last.store(results[k], segment, values[k]);
      });
  if (!launch) return std::nullopt;
  lowered.launches.push_back(std::move(*launch));
  return lowered;
}

}  // namespace heddle::lower
