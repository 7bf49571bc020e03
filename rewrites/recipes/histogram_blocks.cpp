#include "rewrites/recipes/histogram_blocks.h"

#include <algorithm>

#include "ir/support/error.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/find_contraction.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

// Threads that share an element's row, at most: a warp, or where elements are few a block.
constexpr int64_t kMaxAbreast = 32;

}  // namespace

HistogramBlocks::HistogramBlocks(HistogramKernel& kernel, const FillingBlocks& filling, const std::optional<Expr>& most)
    : kernel_(kernel), body_(kernel.body()), filling_(filling), elements_at_once_(i64(filling.threads)) {
  KernelBuilder& builder = kernel_.builder();
  Expr segments = kernel_.num_segments(), width = kernel_.host(kernel_.width());
  if (threads_share_rows()) {
    abreast_ = builder.launch_scalar("abreast", abreast(width));
    elements_at_once_ = builder.launch_scalar("elements", nest::div(i64(filling_.threads), kernel_.host(abreast_)));
  }
  Expr at_once = kernel_.host(elements_at_once_);
  Expr useful = nest::ceil_div(nest::mul(width, updates_of_thread()), nest::mul(at_once, i64(kElementsOfThread)));
  if (kernel_.has_rows()) useful = nest::min(useful, nest::ceil_div(width, at_once));
  if (most) useful = nest::min(useful, *most);
  Expr room = nest::ceil_div(i64(filling_.blocks), nest::max(i64(1), segments));
  chunks_ = builder.launch_scalar("chunks", nest::max(i64(1), nest::min(useful, room)));
}

// Whether elements are rows of arrays of which neighbours are neighbours in memory, and each of several threads may find out which.
bool HistogramBlocks::threads_share_rows() const {
  bool rows = false;
  for (const seg::StmPtr& s : kernel_.op().body->stms) {
    const auto* index = std::get_if<seg::Index>(&s->exp);
    if (!index && !std::holds_alternative<seg::PrimOp>(s->exp)) return false;
    if (!index || s->pat[0].type.dims.empty()) continue;
    auto perm = kernel_.builder().host().layouts.dense_perm(index->array);
    if (perm && perm->back() + 1 != static_cast<int>(perm->size())) return false;
    rows = true;
  }
  return rows && kernel_.has_rows();
}

// How many threads share the elements of a row, a power of two. Neighbours then read neighbours, and meet in no bin.
Expr HistogramBlocks::abreast(const Expr& elements) const {
  Expr longest = i64(1);
  for (const HistogramKernel::Hist& h : kernel_.hists()) {
    if (h.dims.size() > h.rank) longest = nest::max(longest, kernel_.host(h.dims.back()));
  }
  const int64_t few = filling_.blocks * (filling_.threads / kMaxAbreast);
  Expr most = nest::select(nest::less(elements, i64(few)), i64(filling_.threads), i64(kMaxAbreast));
  return power_of_two(log2_up(nest::min(longest, most)));
}

// Bins that an element has a thread update, of the histogram of which they are most.
Expr HistogramBlocks::updates_of_thread() const {
  Expr updates = i64(1);
  for (const HistogramKernel::Hist& h : kernel_.hists()) {
    std::vector<Expr> sizes = h.of_bin();
    for (Expr& size : sizes) size = kernel_.host(size);
    if (abreast_ && !sizes.empty()) sizes.back() = nest::ceil_div(sizes.back(), kernel_.host(abreast_));
    if (!sizes.empty()) updates = nest::max(updates, HistogramKernel::product(sizes));
  }
  return updates;
}

Launch HistogramBlocks::launch(const std::string& name, const Expr& enabled, const Passes& in_passes,
                               const std::function<void(const Place&)>& emit) {
  KernelBuilder& builder = kernel_.builder();
  NameSource& names = kernel_.names();
  Expr blocks = builder.launch_scalar("segments", nest::select(enabled, kernel_.num_segments(), i64(0)));
  Name segment = names.fresh("segment"), pass = names.fresh("pass");
  Name chunk = names.fresh("chunk"), thread = names.fresh("thread");
  Expr passes = in_passes ? in_passes() : i64(1);
  nest::Block work = body_.block([&] {
    auto make_array = [&](Type elem, const std::vector<Expr>& dims) {
      nest::Buffer b{names.fresh("of_block"), elem, nest::Space::Shared, dims, nest::dense_strides(dims)};
      body_.emit(nest::stmt(nest::Alloc{b}));
      return whole_buffer(b, true);
    };
    body_.work_together({var(thread), i64(filling_.threads), make_array});
    Indices at = kernel_.segment_indices(var(segment));
    thread_ = var(thread);
    emit({std::move(at), var(pass), var(chunk), abreast_ ? body_.bind(nest::div(thread_, abreast_)) : thread_});
  });
  nest::Facts facts = builder.facts(work);
  work = facts.scope([&] {
    tell_indices(facts, {{segment, blocks}, {pass, passes}, {chunk, chunks_}, {thread, i64(filling_.threads)}});
    return nest::discharge(work, facts);
  });
  if (builder.has_scratch() || builder.one_thread()) refuse("a histogram whose threads need memory of their own");
  builder.add_host_scalars(work);
  work = {loop(thread, i64(filling_.threads), nest::Role::Block, std::move(work))};
  work = {loop(chunk, chunks_, nest::Role::Grid, std::move(work))};
  if (in_passes) work = {loop(pass, passes, nest::Role::Grid, std::move(work))};
  work = {loop(segment, blocks, nest::Role::Grid, std::move(work))};
  Expr all = nest::mul(nest::mul(blocks, passes), chunks_);
  return std::move(builder).finish(name, std::move(work), all, i64(filling_.threads), std::nullopt);
}

HistogramBlocks::Turns HistogramBlocks::turns(const Place& place) {
  Expr stride = body_.bind(nest::mul(chunks_, elements_at_once_));
  if (abreast_) lane_ = body_.bind(modulo_power(thread_, abreast_));
  Expr first = body_.bind(nest::add(nest::mul(place.chunk, elements_at_once_), place.element));
  Expr rounds = body_.bind(nest::ceil_div(nest::sub(kernel_.width(), first), stride));
  return {first, stride, rounds};
}

void HistogramBlocks::for_all(const Turns& turns, const std::function<void(const Expr& j)>& emit) {
  body_.loop(turns.rounds, [&](const Expr& round) {
    Expr j = body_.bind(nest::add(turns.first, nest::mul(round, turns.stride)));
    Expr zero = i64(0);
    // What the loop's extent says in a way that checks of indices are not decided by.
    Expr inside =
        nest::both(nest::operation(prim::Op(prim::Family::Sle, Type::I64), {zero, j}), nest::less(j, kernel_.width()));
    body_.guarded(inside, [&] { emit(j); });
  });
}

void HistogramBlocks::for_own(std::vector<Expr> dims, const HistogramKernel::Emit& emit) {
  if (!abreast_) return body_.for_all(dims, emit);
  if (dims.empty()) return body_.guarded(equal_to(lane_, i64(0)), [&] { emit({}); });
  Expr columns = dims.back();
  dims.pop_back();
  body_.for_all(dims, [&](Indices i) {
    i.emplace_back();
    body_.loop(nest::ceil_div(columns, abreast_), [&](const Expr& turn) {
      i.back() = body_.bind(nest::add(nest::mul(turn, abreast_), lane_));
      body_.guarded(nest::less(i.back(), columns), [&] { emit(i); });
    });
  });
}

}  // namespace heddle::lower
