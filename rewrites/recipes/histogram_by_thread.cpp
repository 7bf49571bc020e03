#include "rewrites/recipes/histogram_by_thread.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "ir/support/error.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/points/index_code.h"
#include "rewrites/points/parameters.h"
#include "rewrites/recipes/find_contraction.h"
#include "rewrites/seg/split_histogram.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

// Threads of a block, the fewest segments that fill a device, and how many there are for each element of one, so that many short turns
// take no longer than few long ones.
constexpr int64_t kThreadsWithBins = 64;
constexpr int64_t kFillingSegments = 4096;
constexpr int64_t kSegmentsOfElement = 16;
// What a thread reads at a time: more of it waits once, until there is more on the way than memory takes in. 2560x1536 pixels in cells of 64 take 4.9 us less
// with 16 than with 8, 4.5 less with 32 and 1.6 less with 64.
constexpr int64_t kMostElementsAtATime = 16, kFewestElementsAtATime = 8;
constexpr int64_t kWidestAccess = 16;  // bytes

}  // namespace

Expr HistogramByThread::is_worth() const {
  Expr segments = kernel_.num_segments(), width = kernel_.host(kernel_.width());
  Expr enough = nest::max(i64(kFillingSegments), nest::mul(width, i64(kSegmentsOfElement)));
  return nest::both(nest::less(nest::sub(enough, i64(1)), segments),
                    nest::less(kernel_.bytes_of_bins(), i64(seg::kRoomForBins / kThreadsWithBins)));
}

Launch HistogramByThread::run(const std::string& name, Expr& enabled) {
  KernelBuilder& builder = kernel_.builder();
  Expr count = builder.launch_scalar("segments", kernel_.num_segments());
  Name block = kernel_.names().fresh("block"), thread = kernel_.names().fresh("thread");
  nest::Block work = body_.block([&] {
    Expr segment = body_.bind(nest::add(nest::mul(var(block), i64(kThreadsWithBins)), var(thread)));
    make_bins(var(thread));
    body_.guarded(nest::less(segment, count), [&] { all_of(kernel_.segment_indices(segment)); });
  });
  nest::Facts facts = builder.facts(work);
  auto simplified = [&](const std::vector<Expr>& positive) {
    return facts.scope([&] {
      tell_indices(facts, {{block, count}, {thread, i64(kThreadsWithBins)}});
      for (const Expr& size : positive) facts.assume(nest::less(i64(0), size));
      return nest::discharge(work, facts);
    });
  };
  // Elements of clamped indices are there if the array has any. A check that remains keeps threads from loading ahead.
  const std::vector<Expr> sizes = sizes_compared(work);
  nest::Block unchecked = nest::may_fail(work) && !sizes.empty() ? simplified(sizes) : nest::Block{};
  if (!unchecked.empty() && !nest::may_fail(unchecked)) {
    work = std::move(unchecked);
    for (const Expr& size : sizes) enabled = nest::both(enabled, nest::less(i64(0), kernel_.host(size)));
  } else {
    work = simplified({});
  }
  if (builder.has_scratch()) refuse("a histogram whose threads need memory of their own");
  Expr blocks = builder.launch_scalar(
      "blocks", nest::select(enabled, nest::ceil_div(kernel_.host(count), i64(kThreadsWithBins)), i64(0)));
  builder.add_host_scalars(work);
  work = {loop(thread, i64(kThreadsWithBins), nest::Role::Block, std::move(work))};
  work = {loop(block, blocks, nest::Role::Grid, std::move(work))};
  return with_parameters_of_stages(
      std::move(builder).finish(name, std::move(work), blocks, i64(kThreadsWithBins), std::nullopt));
}

// Those that the histogram does not have itself.
Launch HistogramByThread::with_parameters_of_stages(Launch launch) const {
  std::vector<const Launch*> launches;
  for (const StageCode* stage : finishing_) launches.push_back(&stage->launch);
  Launch more;
  take_parameters(more, nest::free_names(launch.kernel.body), launches);
  auto is_known = [](const auto& parameters, const Name& name) {
    return std::ranges::any_of(parameters, [&](const auto& p) { return p.name == name; });
  };
  for (size_t k = 0; k < more.kernel.buffers.size(); ++k) {
    if (is_known(launch.kernel.buffers, more.kernel.buffers[k].name)) continue;
    launch.kernel.buffers.push_back(more.kernel.buffers[k]);
    launch.buffer_args.push_back(more.buffer_args[k]);
  }
  for (size_t k = 0; k < more.kernel.scalars.size(); ++k) {
    if (is_known(launch.kernel.scalars, more.kernel.scalars[k].name)) continue;
    launch.kernel.scalars.push_back(more.kernel.scalars[k]);
    launch.scalar_args.push_back(more.scalar_args[k]);
  }
  return launch;
}

// The host's scalars that something is compared with to be less.
std::vector<Expr> HistogramByThread::sizes_compared(const nest::Block& work) const {
  std::vector<Expr> sizes;
  nest::for_each_expr(work, [&](const Expr& e) {
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (!o || o->op != prim::Op(prim::Family::Slt, Type::I64)) return;
    const auto* v = std::get_if<nest::Var>(&o->args[1]->node);
    const bool is_known = std::ranges::any_of(sizes, [&](const Expr& s) { return nest::equal(s, o->args[1]); });
    if (v && !is_known && kernel_.builder().is_parameter(v->name)) sizes.push_back(o->args[1]);
  });
  return sizes;
}

// Neighbours' bins of the same number are neighbours, so that no two threads of a warp meet in a bank.
void HistogramByThread::make_bins(const Expr& thread) {
  size_t result = 0;
  for (const HistogramKernel::Hist& h : kernel_.hists()) {
    std::vector<Expr> dims = h.dims;
    dims.push_back(i64(kThreadsWithBins));
    Own own{h, {}, {}};
    for (const ArrayValue& whole : h.whole) {
      nest::Buffer b{kernel_.names().fresh("of_thread"), whole.elem, nest::Space::Shared, dims,
                     nest::dense_strides(dims)};
      body_.emit(nest::stmt(nest::Alloc{b}));
      own.bins.push_back(whole_buffer(b, true, {thread}));
      own.arrays.push_back(arrays_[result++].name);
      bins_.push_back({own.arrays.back(), b, thread});
    }
    own_.push_back(std::move(own));
  }
}

// A segment, in the order of its elements.
void HistogramByThread::all_of(const Indices& segment) {
  for (const Own& h : own_) {
    for (size_t k = 0; k < h.bins.size(); ++k) {
      ArrayValue whole = row(h.hist.whole[k], segment);
      const std::optional<Expr>& filler = h.hist.filled_with[k];
      body_.for_all(h.hist.dims,
                    [&](const Indices& i) { body_.store(h.bins[k], i, filler ? *filler : body_.read(whole, i)); });
    }
  }
  elements(segment);
  for (const Own& h : own_) {
    for (size_t k = 0; k < h.bins.size(); ++k) {
      if (is_finished(h.arrays[k])) continue;
      const int64_t width = width_of_access(h, k);
      if (width > 1) {
        store_wide(h, k, segment, width);
      } else {
        ArrayValue whole = row(h.hist.whole[k], segment);
        body_.for_all(h.hist.dims, [&](const Indices& i) { body_.store(whole, i, body_.read(h.bins[k], i)); });
      }
    }
  }
  for (const StageCode* stage : finishing_) body_.emit_all(finished_segment(*stage, segment, bins_, kernel_.names()));
}

// Whether nobody reads it but stages that are computed of the bins.
bool HistogramByThread::is_finished(const Name& array) const {
  return std::ranges::any_of(finishing_, [&](const StageCode* stage) {
    return std::ranges::any_of(stage->reads, [&](const recognize::WindowedRead& r) { return r.buffer == array; });
  });
}

// Some at a time, where it is known that this comes out: a thread waits for what they read once.
void HistogramByThread::elements(const Indices& segment) {
  const std::optional<int64_t> width = nest::int_constant(kernel_.width());
  int64_t at_a_time = kMostElementsAtATime;
  while (width && at_a_time >= kFewestElementsAtATime && *width % at_a_time != 0) at_a_time /= 2;
  if (!width || at_a_time < kFewestElementsAtATime)
    return body_.loop(kernel_.width(), [&](const Expr& j) { point(segment, j); });
  body_.loop(i64(*width / at_a_time), [&](const Expr& turn) {
    Name k = kernel_.names().fresh("element");
    nest::Block body =
        body_.block([&] { point(segment, body_.bind(nest::add(nest::mul(turn, i64(at_a_time)), var(k)))); });
    body_.emit(loop(k, i64(at_a_time), nest::Role::Unrolled, std::move(body)));
  });
}

void HistogramByThread::point(const Indices& segment, const Expr& j) {
  const HistogramKernel::Element element = kernel_.element(segment, j);
  for (size_t k = 0; k < own_.size(); ++k) {
    const Own& h = own_[k];
    body_.if_inside(row(h.hist.whole[0], segment), element[k].bin, [&] {
      kernel_.update(HistogramKernel::bins(h.hist, h.bins, false), {}, element[k],
                     [&](const HistogramKernel::Emit& emit) { body_.for_all(h.hist.of_bin(), emit); });
    });
  }
}

// How many neighbouring bins may be stored at once: memory of its own begins where the widest access may, and so does each row of bins.
int64_t HistogramByThread::width_of_access(const Own& h, size_t k) const {
  const int64_t widest = kWidestAccess / std::max<int64_t>(1, prim::size_bytes(h.bins[k].elem));
  const std::optional<int64_t> bins = nest::int_constant(h.hist.dims.back());
  return !kernel_.results().empty() && bins && *bins % widest == 0 ? widest : 1;
}

// Segments' bins lie one row after the other: stored one by one, those of a warp's threads would be in as many places each time.
void HistogramByThread::store_wide(const Own& h, size_t k, const Indices& segment, int64_t width) {
  std::vector<Expr> words = h.hist.dims;
  words.back() = i64(*nest::int_constant(words.back()) / width);
  body_.for_all(words, [&](const Indices& word) {
    nest::Buffer values{kernel_.names().fresh("bins"), h.bins[k].elem, nest::Space::Register, {i64(width)}, {i64(1)}};
    body_.emit(nest::stmt(nest::Alloc{values}));
    const ArrayValue in_registers = whole_buffer(values, true);
    auto of_word = [&](nest::Role role, const std::function<void(const Expr& bin, const Indices& at)>& emit) {
      Name bin = kernel_.names().fresh("bin");
      nest::Block body = body_.block([&] {
        Indices at = word;
        at.back() = nest::add(nest::mul(word.back(), i64(width)), var(bin));
        emit(var(bin), at);
      });
      body_.emit(loop(bin, i64(width), role, std::move(body)));
    };
    of_word(nest::Role::Unrolled,
            [&](const Expr& bin, const Indices& at) { body_.store(in_registers, {bin}, body_.read(h.bins[k], at)); });
    const ArrayValue whole = row(h.hist.whole[k], segment);
    of_word(nest::Role::Vector,
            [&](const Expr& bin, const Indices& at) { body_.store(whole, at, body_.read(in_registers, {bin})); });
  });
}

}  // namespace heddle::lower
