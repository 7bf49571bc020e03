#include "rewrites/recipes/folds.h"

#include <bit>

#include "ir/seg/has_checks.h"
#include "ir/seg/traverse.h"
#include "rewrites/points/block_shape.h"
#include "rewrites/points/index_code.h"
#include "rewrites/points/operators.h"
#include "rewrites/points/warp_lanes.h"
#include "rewrites/recipes/exchanged_words.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

Indices element_of(const Folds::RowOfThreads& threads, const Expr& lane) {
  Indices at = threads.row;
  at.push_back(lane);
  return at;
}

}  // namespace

Folds::Folds(const seg::SegOp& op, const HostScope& host, NameSource& names)
    : op_(op), names_(names), kernel_(host, names), body_(kernel_), has_checks_(seg::has_checks(op.body->stms)) {
  for (const seg::SegBinOp& o : op.ops) {
    commutative_ = commutative_ && o.commutative;
    types_.insert(types_.end(), o.lambda.ret.begin(), o.lambda.ret.end());
  }
  for (const seg::SegDim& d : op.space.dims) sizes_.push_back(kernel_.host_operand(d.size));
}

std::vector<seg::Type> Folds::mapped_types() const {
  return {op_.types.begin() + static_cast<long>(types_.size()), op_.types.end()};
}

Expr Folds::segments() const {
  Expr number = nest::constant(int64_t{1});
  for (const Expr& s : segment_sizes()) number = nest::mul(number, s);
  return kernel_.host_value(number);
}

Indices Folds::segment_indices(Expr segment) {
  std::vector<Expr> sizes = segment_sizes();
  if (sizes.empty()) return {};
  Indices reversed;
  for (size_t d = sizes.size(); d-- > 1;) {
    reversed.push_back(body_.bind(nest::mod(segment, sizes[d])));
    segment = body_.bind(nest::div(segment, sizes[d]));
  }
  reversed.push_back(segment);
  return {reversed.rbegin(), reversed.rend()};
}

std::vector<KernelValue> Folds::point(const Indices& index) {
  body_.define_point(op_.space, sizes_, index);
  body_.stms(op_.body->stms);
  std::vector<KernelValue> values;
  for (const seg::KernelResult& r : op_.body->results) values.push_back(body_.value(std::get<seg::Returns>(r).value));
  return values;
}

std::vector<KernelValue> Folds::neutral() { return neutral_elements(body_, op_.ops); }

std::vector<KernelValue> Folds::combined(const std::vector<KernelValue>& a, const std::vector<KernelValue>& b) {
  return lower::combined(body_, op_.ops, a, b);
}

void Folds::combine(const std::vector<ArrayValue>& into, const std::vector<KernelValue>& x) {
  body_.assign(into, combined(current(into), x));
}

void Folds::combine_some(const std::vector<ArrayValue>& into, size_t first, const std::vector<KernelValue>& x) {
  std::vector<seg::SegBinOp> ops;
  size_t at = 0;
  for (const seg::SegBinOp& o : op_.ops) {
    if (at >= first && at < first + x.size()) ops.push_back(o);
    at += o.lambda.ret.size();
  }
  const auto begin = into.begin() + static_cast<long>(first);
  const std::vector<ArrayValue> some(begin, begin + static_cast<long>(x.size()));
  body_.assign(some, lower::combined(body_, ops, current(some), x));
}

std::vector<ArrayValue> Folds::variables() {
  std::vector<ArrayValue> result;
  for (const seg::Type& t : types_) result.push_back(body_.variable(t, "acc"));
  return result;
}

std::vector<KernelValue> Folds::current(const std::vector<ArrayValue>& variables) {
  return lower::current(body_, variables);
}

std::vector<KernelValue> Folds::read(const std::vector<ArrayValue>& arrays, const Indices& index) {
  return lower::read(body_, arrays, index);
}

void Folds::store(const std::vector<ArrayValue>& arrays, const Indices& index, const std::vector<KernelValue>& values) {
  lower::store(body_, arrays, index, values);
}

void Folds::say(const ArrayValue& words, const std::function<Indices(int64_t)>& place,
                const std::vector<KernelValue>& values) {
  int64_t word = 0;
  for (const KernelValue& v : values) {
    for (const Expr& w : to_words(body_, std::get<Expr>(v))) body_.store(words, place(word++), w);
  }
}

Expr Folds::hear(const ArrayValue& words, const std::function<Indices(int64_t)>& place,
                 const std::vector<ArrayValue>& into, const Expr& needed) {
  Expr there = nest::constant(prim::Value::of_bool(true));
  int64_t word = 0;
  std::vector<KernelValue> values;
  for (const seg::Type& t : types_) {
    std::vector<Expr> heard;
    for (size_t k = 0; k < num_words(t.elem); ++k) {
      heard.push_back(body_.bind(body_.read(words, place(word++))));
      Expr silent = nest::operation(prim::Op(prim::Family::Eq, Type::I64), {heard.back(), nest::constant(int64_t{0})});
      there = nest::both(there, nest::negate(needed ? nest::both(needed, silent) : silent));
    }
    values.emplace_back(from_words(t.elem, heard));
  }
  body_.assign(into, values);
  return body_.bind(there);
}

std::vector<ArrayValue> Folds::shared(const std::vector<Expr>& dims) {
  std::vector<ArrayValue> result;
  for (const seg::Type& t : types_) result.push_back(shared(t.elem, dims));
  return result;
}

ArrayValue Folds::shared(Type elem, const std::vector<Expr>& dims) {
  nest::Buffer buffer{names_.fresh("shared"), elem, nest::Space::Shared, dims, nest::dense_strides(dims)};
  body_.emit(nest::stmt(nest::Alloc{buffer}));
  return whole_buffer(buffer, true);
}

std::vector<ArrayValue> Folds::own(int64_t count) {
  std::vector<ArrayValue> result;
  for (const seg::Type& t : types_) {
    nest::Buffer buffer{names_.fresh("own"), t.elem, nest::Space::Register, {i64(count)}, {i64(1)}};
    body_.emit(nest::stmt(nest::Alloc{buffer}));
    result.push_back(whole_buffer(buffer, true));
  }
  return result;
}

void Folds::levels_of_warp(const RowOfThreads& threads, const std::vector<ArrayValue>& own, nest::Role role) {
  WarpLanes(body_, names_, op_.ops, threads.thread, role).fold(own, threads.lane, threads.lanes);
}

void Folds::levels(const RowOfThreads& threads, const std::vector<ArrayValue>& own,
                   const std::vector<ArrayValue>& shared, nest::Role role) {
  const Expr in_warp = body_.bind(modulo_warp(threads.lane));
  levels_of_warp({threads.row, in_warp, threads.lanes, threads.thread}, own, role);
  // Rows of a warp need no memory.
  body_.guarded(nest::both(nest::less(i64(kLanesOfWarp), threads.lanes), equal_to(in_warp, i64(0))),
                [&] { store(shared, element_of(threads, threads.lane), current(own)); });
  levels_in_memory(threads, own, shared, kLanesOfWarp, role);
}

// Partners are `from`, 2*from, ... apart.
void Folds::levels_in_memory(const RowOfThreads& threads, const std::vector<ArrayValue>& own,
                             const std::vector<ArrayValue>& shared, int64_t from, nest::Role role) {
  Name level = names_.fresh("level");
  nest::Block body = body_.block([&] {
    Expr apart = body_.bind(nest::mul(i64(from), power_of_two(nest::var(level, Type::I64))));
    body_.guarded(nest::less(apart, threads.lanes), [&] {
      barrier(nest::Scope::Block);
      const Expr mask = nest::sub(nest::mul(i64(2), apart), i64(1));
      Expr among = nest::operation(prim::Op(prim::Family::And, Type::I64), {threads.lane, mask});
      body_.guarded(equal_to(among, i64(0)), [&] {
        combine(own, read(shared, element_of(threads, nest::add(threads.lane, apart))));
        store(shared, element_of(threads, threads.lane), current(own));
      });
    });
  });
  body_.emit(loop(level, i64(std::countr_zero(static_cast<uint64_t>(kBlockSize / from))), role, std::move(body)));
}

void Folds::if_else(const Expr& condition, const std::function<void()>& then, const std::function<void()>& otherwise) {
  nest::Block then_body = body_.block(then);
  body_.emit(nest::stmt(nest::If{condition, std::move(then_body), body_.block(otherwise)}));
}

}  // namespace heddle::lower
