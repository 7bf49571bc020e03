#include "rewrites/recipes/reduction.h"

#include <functional>

#include "ir/nest/traverse.h"
#include "rewrites/graph/element.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/points/block_shape.h"
#include "rewrites/recipes/find_contraction.h"
#include "rewrites/recipes/folds.h"

namespace heddle::lower {

using nest::Expr;
using prim::Family;
using prim::Type;

namespace {

// Blocks that fill the largest devices of today, several on each multiprocessor.
constexpr int64_t kFillingBlocks = 132 * 8;
// Elements of a thread that are worth a block more.
constexpr int64_t kElementsOfThread = 8;
// Elements that a thread asks for before it combines the first of them, so that as many are under way; and the statements that
// an element and combining it may take for that, since they stand there as often.
constexpr int64_t kElementsAtATime = 4;
constexpr size_t kMostAtATime = 16;

Expr i64(int64_t x) { return nest::constant(x); }

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
  Reduction(const seg::SegOp& op, const HostScope& host, NameSource& names)
      : f_(op, host, names), names_(names), kernel_(f_.kernel()), body_(f_.body()) {
    size_t statements = 0;
    several_at_a_time_ = !f_.has_checks();
    auto count = [&](const seg::Stms& stms) {
      const graph::Element code(stms);
      several_at_a_time_ &= code.is_straight();
      statements += code.operations();
    };
    count(op.body->stms);
    for (const auto& o : op.ops) count(o.lambda.body->stms);
    several_at_a_time_ &= statements <= kMostAtATime;
  }

  Folds& folds() { return f_; }

  // What element `j` of the segment with these indices adds.
  using Element = std::function<std::vector<KernelValue>(const Indices& segment, const Expr& j)>;
  // Keeps what chunk `c` of a segment gives.
  using Keep = std::function<void(const Indices& segment, const Expr& chunk, const std::vector<KernelValue>& values)>;

  // Nothing if the kernel is none that blocks can run (reduction.h).
  // `width`: the kernel's name for d.width.
  std::optional<Launch> run(const std::string& name, const Division& d, const Expr& width, const Element& element,
                            const Keep& keep) {
    // The program's own names, where they are sizes: its checks are about these.
    width_ = width;
    segments_ = f_.sizes().size() == 2 ? f_.sizes()[0] : kernel_.launch_scalar("segments", d.segments);
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
    std::vector<ArrayValue> acc = f_.variables(), shared = f_.shared({rows_, lanes_});
    body_.assign(acc, f_.neutral());
    Expr inside = nest::less(segment, segments_);
    body_.guarded(inside, [&] {
      Indices of_segment = f_.segment_indices(segment);
      Expr threads = nest::mul(chunks_, lanes_), thread = nest::add(nest::mul(chunk, lanes_), lane);
      Expr each = f_.commutative() ? nullptr : body_.bind(nest::ceil_div(width_, threads));
      Expr first = body_.bind(f_.commutative() ? thread : nest::mul(thread, each));
      Expr count = body_.bind(f_.commutative() ? nest::ceil_div(nest::sub(width_, first), threads)
                                               : nest::min(each, nest::sub(width_, first)));
      auto place = [&](const Expr& k) {
        return body_.bind(nest::add(first, f_.commutative() ? nest::mul(k, threads) : k));
      };
      Expr done = i64(0);
      if (several_at_a_time_) {
        Expr full = body_.bind(nest::div(nest::max(count, i64(0)), i64(kElementsAtATime)));
        body_.loop(full, [&](const Expr& round) {
          std::vector<std::vector<KernelValue>> values;
          for (int64_t k = 0; k < kElementsAtATime; ++k) {
            Expr at = nest::add(nest::mul(round, i64(kElementsAtATime)), i64(k));
            values.push_back(element(of_segment, place(at)));
          }
          for (const auto& value : values) f_.combine(acc, value);
        });
        done = body_.bind(nest::mul(full, i64(kElementsAtATime)));
      }
      body_.loop(nest::sub(count, done), [&](const Expr& k) {
        Expr j = place(nest::add(done, k));
        if (!f_.has_checks()) return f_.combine(acc, element(of_segment, j));
        // What the loop's extent says in a way that checks of indices are not decided by.
        Expr is_element =
            nest::both(nest::operation(prim::Op(Family::Sle, Type::I64), {i64(0), j}), nest::less(j, width_));
        body_.guarded(is_element, [&] { f_.combine(acc, element(of_segment, j)); });
      });
    });
    f_.store(shared, {row, lane}, f_.current(acc));
    body_.loop(levels_, [&](const Expr& level) {
      f_.barrier(nest::Scope::Block);
      Expr apart = body_.bind(power_of_two(level));
      Expr among =
          nest::operation(prim::Op(Family::And, Type::I64), {lane, nest::sub(nest::mul(i64(2), apart), i64(1))});
      body_.guarded(nest::operation(prim::Op(Family::Eq, Type::I64), {among, i64(0)}), [&] {
        std::vector<KernelValue> other = f_.read(shared, {row, nest::add(lane, apart)});
        std::vector<ArrayValue> own;
        for (const ArrayValue& s : shared) own.push_back(lower::row(lower::row(s, {row}), {lane}));
        f_.combine(own, other);
      });
    });
    Expr is_first = nest::operation(prim::Op(Family::Eq, Type::I64), {lane, i64(0)});
    body_.guarded(nest::both(is_first, inside), [&] {
      keep(f_.segment_indices(segment), chunk, f_.read(shared, {row, lane}));
    });
  }

  Folds f_;
  NameSource& names_;
  KernelBuilder& kernel_;
  BodyLowerer& body_;
  Expr width_, segments_, levels_, lanes_, rows_, chunks_;
  bool several_at_a_time_ = false;
};

}  // namespace

Proposal lower_reduction(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host,
                         NameSource& names) {
  const auto& op = std::get<seg::SegOp>(stm.exp);
  int64_t bytes = 0;
  for (const seg::Type& t : op.types) bytes += kBlockSize * prim::size_bytes(t.elem);
  if (bytes > kSharedBytes) return Refusal{"a block has no room for its elements"};
  Reduction first(op, host, names), last(op, host, names);
  Folds &elements = first.folds(), &rest = last.folds();
  const Division of_elements = divide(elements.segments(), elements.kernel().host_value(elements.width()), true);
  Division of_partials = divide(elements.segments(), of_elements.chunks, false);
  // Where there is one chunk, the first kernel is the last.
  of_partials.blocks = nest::select(nest::less(i64(1), of_elements.chunks), of_partials.blocks, i64(0));

  Plan lowered;
  lowered.recipe = "reduction by blocks of threads";
  lowered.why_not = "it is a reduction of whole segments";
  for (const seg::Type& t : op.types) {
    FreshResult place{t.elem, elements.segment_sizes(), {}};
    for (size_t d = 0; d < place.shape.size(); ++d) place.perm.push_back(static_cast<int>(d));
    lowered.results.emplace_back(std::move(place));
    Expr several = nest::select(nest::less(i64(1), of_elements.chunks), of_elements.chunks, i64(0));
    lowered.temporaries.push_back({t.elem, nest::mul(elements.segments(), several)});
  }

  auto result_arrays = [&](Folds& f) {
    std::vector<ArrayValue> arrays;
    for (size_t k = 0; k < op.types.size(); ++k) {
      arrays.push_back(f.kernel().result_array(static_cast<int>(k), std::get<FreshResult>(lowered.results[k])));
    }
    return arrays;
  };
  auto partial_arrays = [&](Folds& f, const Expr& chunks) {
    std::vector<Expr> dims = f.segment_sizes();
    dims.push_back(chunks);
    std::vector<ArrayValue> arrays;
    for (size_t k = 0; k < op.types.size(); ++k) {
      arrays.push_back(f.kernel().temporary_array(static_cast<int>(k), op.types[k].elem, dims));
    }
    return arrays;
  };
  auto with = [](Indices segment, const Expr& j) {
    segment.push_back(j);
    return segment;
  };

  Expr chunks = elements.kernel().launch_scalar("num_chunks", of_elements.chunks);
  std::vector<ArrayValue> results = result_arrays(elements), partials = partial_arrays(elements, chunks);
  std::optional<Launch> launch = first.run(
      kernel_name, of_elements, elements.width(),
      [&](const Indices& segment, const Expr& j) { return elements.point(with(segment, j)); },
      [&](const Indices& segment, const Expr& chunk, const std::vector<KernelValue>& values) {
        elements.if_else(
            nest::less(i64(1), chunks), [&] { elements.store(partials, with(segment, chunk), values); },
            [&] { elements.store(results, segment, values); });
      });
  if (!launch) return not_together();
  lowered.launches.push_back(std::move(*launch));

  chunks = rest.kernel().launch_scalar("num_chunks", of_elements.chunks);
  results = result_arrays(rest), partials = partial_arrays(rest, chunks);
  launch = last.run(
      kernel_name + "_last", of_partials, chunks,
      [&](const Indices& segment, const Expr& j) { return rest.read(partials, with(segment, j)); },
      [&](const Indices& segment, const Expr&, const std::vector<KernelValue>& values) {
        rest.store(results, segment, values);
      });
  if (!launch) return not_together();
  lowered.launches.push_back(std::move(*launch));
  return lowered;
}

}  // namespace heddle::lower
