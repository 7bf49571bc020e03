#include "rewrites/recipes/fold_by_blocks.h"

#include <algorithm>
#include <utility>

#include "ir/nest/threads.h"
#include "ir/nest/traverse.h"
#include "rewrites/points/block_shape.h"
#include "rewrites/points/index_code.h"
#include "rewrites/points/parameters.h"
#include "rewrites/recipes/folds.h"
#include "rewrites/recipes/reduction.h"
#include "rewrites/recipes/reduction_shape.h"
#include "rewrites/recipes/way.h"
#include "rewrites/seg/builder.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

// Has elements combined where they would be stored.
struct Combine : nest::Rebuilder<Combine> {
  const std::vector<Name>& elements;
  // How many a reduction combines, where this is its last.
  std::unordered_map<Name, size_t> is_last;
  std::function<nest::Block(size_t first, const std::vector<KernelValue>& values)> combined;
  std::vector<KernelValue> values = {};  // of the elements of a point, so far

  Combine(const std::vector<PointFold>& folds, const std::vector<Name>& elements,
          std::function<nest::Block(size_t, const std::vector<KernelValue>&)> combined)
      : elements(elements), combined(std::move(combined)) {
    for (const PointFold& f : folds) is_last.emplace(f.elements.back(), f.elements.size());
  }

  void stmts(const nest::Stmt& s, nest::Block& out) {
    const auto* store = std::get_if<nest::Store>(&s->node);
    const auto element = store ? std::ranges::find(elements, store->buffer) : elements.end();
    if (element == elements.end()) return Rebuilder::stmts(s, out);
    values.emplace_back(store->value);
    const auto last = is_last.find(*element);
    if (last == is_last.end()) return;
    const auto number = static_cast<size_t>(element - elements.begin());
    nest::Block code = combined(number + 1 - last->second, std::exchange(values, {}));
    out.insert(out.end(), code.begin(), code.end());
  }
};

// The number of a block or of a thread in its block, over the loops of a kernel, and the body of the innermost one.
struct Loops {
  Expr block = i64(0), thread = i64(0);

  // `change`: of the innermost body.
  nest::Block rebuilt(const nest::Block& body, const std::function<nest::Block(const nest::Block&)>& change) {
    const auto* loop = body.size() == 1 ? std::get_if<nest::For>(&body[0]->node) : nullptr;
    if (!loop || !nest::parallel(loop->role)) return change(body);
    Expr& number = loop->role == nest::Role::Grid ? block : thread;
    number = nest::add(nest::mul(number, loop->extent), var(loop->index));
    return {nest::stmt(nest::For{loop->index, loop->extent, loop->role, rebuilt(loop->body, change)})};
  }
};

struct DropStores : nest::Rebuilder<DropStores> {
  const nest::NameSet& buffers;

  explicit DropStores(const nest::NameSet& buffers) : buffers(buffers) {}

  void stmts(const nest::Stmt& s, nest::Block& out) {
    const auto* store = std::get_if<nest::Store>(&s->node);
    if (!store || !buffers.contains(store->buffer)) Rebuilder::stmts(s, out);
  }
};

}  // namespace

int64_t shared_bytes_to_fold(const PointFold& fold) {
  int64_t bytes = 0;
  for (const seg::Type& t : folded_types(std::get<seg::SegOp>(fold.reduction->exp)))
    bytes += kBlockSize * prim::size_bytes(t.elem);
  return bytes;
}

Launch without_stores(Launch kernel, const nest::NameSet& buffers) {
  if (buffers.empty()) return kernel;
  DropStores(buffers).body(kernel.kernel.body);
  keep_used(kernel);
  return kernel;
}

FoldByBlocks::FoldByBlocks(std::vector<PointFold> folds, const HostScope& host, NameSource& names)
    : folds_(std::move(folds)),
      names_(names),
      layouts_(host.layouts),
      scope_(layouts_),
      count_(names.fresh("num_blocks")) {
  scope_.types = host.types;
  scope_.types.insert_or_assign(count_, seg::Type::scalar(Type::I64));
  const Name number = names_.fresh("block");
  seg::SegOp op;
  op.kind = seg::SegKind::Red;
  op.level = std::get<seg::SegOp>(folds_[0].reduction->exp).level;
  op.space = {names_.fresh("point"), {{names_.fresh("segment"), seg::i64(1)}, {number, count_}}};
  seg::Builder point(names_);
  auto body = std::make_shared<seg::KernelBody>();
  for (const PointFold& f : folds_) {
    const auto& own = std::get<seg::SegOp>(f.reduction->exp);
    op.ops.insert(op.ops.end(), own.ops.begin(), own.ops.end());
    for (const seg::Type& t : folded_types(own)) {
      op.types.push_back(t);
      of_blocks_.push_back(names_.fresh("of_blocks"));
      const seg::Type array = seg::array_of(t, {count_});
      seg::Stm there{{{of_blocks_.back(), array}}, {}, {}, seg::Scratch{t.elem, {count_}}, {}};
      const auto shared = std::make_shared<const seg::Stm>(std::move(there));
      add_layouts(layouts_, {shared});
      scope_.exists(shared);
      const Name element = point.let("element", t, seg::Index{of_blocks_.back(), {seg::DimFix{number}}});
      body->results.emplace_back(seg::Returns{seg::ReturnsKind::MaySimplify, {}, element});
      stm_.pat.push_back({names_.fresh("folded"), seg::array_of(t, {seg::i64(1)})});
    }
  }
  body->stms = point.take();
  op.body = std::move(body);
  stm_.exp = std::move(op);
  Proposal proposal = or_refusal([&] { return lower_reduction(stm_, "reduction", scope_, names_); });
  if (auto* plan = std::get_if<Plan>(&proposal)) {
    reduction_ = std::move(plan->launches.at(0));
  } else {
    why_not_ = std::get<Refusal>(proposal).reason;
  }
}

Expr FoldByBlocks::num_blocks(const Launch& kernel) const {
  return nest::substitute(host_values(kernel), kernel.num_blocks);
}

void FoldByBlocks::tell_number(Launch& launch, const Expr& number) const {
  for (ScalarArg& arg : launch.scalar_args) {
    if (auto* e = std::get_if<Expr>(&arg)) *e = nest::substitute({{count_, number}}, *e);
  }
}

Launch FoldByBlocks::folding(const Launch& kernel) const {
  Folds f(all(), scope_, names_);
  BodyLowerer& body = f.body();
  std::vector<ArrayValue> of_blocks;
  for (size_t k = 0; k < of_blocks_.size(); ++k)
    of_blocks.push_back(f.kernel().temporary_array(static_cast<int>(k), f.types()[k].elem, {f.width()}));
  std::vector<ArrayValue> acc;
  nest::Block before = body.block([&] {
    acc = f.variables();
    body.assign(acc, f.neutral());
  });
  std::vector<Name> elements;
  for (const PointFold& fold : folds_) elements.insert(elements.end(), fold.elements.begin(), fold.elements.end());
  Combine combine(folds_, elements, [&](size_t first, const std::vector<KernelValue>& values) {
    return body.block([&] { f.combine_some(acc, first, values); });
  });
  Loops loops;
  nest::Block all_code = loops.rebuilt(kernel.kernel.body, [&](const nest::Block& points) {
    nest::Block code = before, folded = points;
    combine.body(folded);
    code.insert(code.end(), folded.begin(), folded.end());
    nest::Block after = body.block([&] {
      const Expr thread = body.bind(loops.thread);
      const std::vector<ArrayValue> shared = f.shared({i64(kBlockSize)});
      f.levels({{}, thread, i64(kBlockSize), thread}, acc, shared, nest::Role::Unrolled);
      body.guarded(equal_to(thread, i64(0)), [&] { f.store(of_blocks, {body.bind(loops.block)}, f.current(acc)); });
    });
    code.insert(code.end(), after.begin(), after.end());
    return code;
  });
  f.kernel().add_host_scalars(all_code);
  Launch own = std::move(f.kernel()).finish(kernel.kernel.name, {}, i64(0), i64(0), std::nullopt);
  Launch result = kernel;
  result.kernel.buffers.clear();
  result.kernel.scalars.clear();
  result.buffer_args.clear();
  result.scalar_args.clear();
  result.kernel.body = std::move(all_code);
  nest::NameSet used = nest::free_names(result.kernel.body);
  for (const Expr& e : {kernel.num_blocks, kernel.block_size}) used.merge(nest::free_names(e));
  take_parameters(result, std::move(used), {&kernel, &own});
  tell_number(result, num_blocks(kernel));
  return result;
}

void FoldByBlocks::complete(Plan& plan, const seg::Stm& of, Launch kernel) const {
  const Expr number = num_blocks(kernel);
  plan.temporaries.clear();
  for (const seg::Type& t : all().types) plan.temporaries.push_back({t.elem, number});
  Launch reduction = *reduction_;
  reduction.kernel.name = kernel.kernel.name + "_blocks";
  std::vector<BufferArg> results;
  for (const PointFold& f : folds_) {
    for (size_t k = 0; k < f.elements.size(); ++k) {
      const bool is_own = f.reduction->pat[0].name == of.pat[0].name;
      results.push_back(is_own ? BufferArg(ResultArray{static_cast<int>(k)})
                               : BufferArg(HostArray{f.reduction->pat[k].name}));
    }
  }
  for (BufferArg& arg : reduction.buffer_args) {
    if (const auto* array = std::get_if<HostArray>(&arg)) {
      const auto left = std::ranges::find(of_blocks_, array->name);
      if (left != of_blocks_.end()) arg = TemporaryArray{static_cast<int>(left - of_blocks_.begin())};
    } else if (const auto* result = std::get_if<ResultArray>(&arg)) {
      arg = BufferArg(results.at(static_cast<size_t>(result->index)));
    }
  }
  // Memory of its own begins where any number of elements may be read at once.
  for (ScalarArg& arg : reduction.scalar_args) {
    if (std::holds_alternative<AddressOf>(arg)) arg = i64(0);
  }
  tell_number(reduction, number);
  plan.launches = {std::move(kernel), std::move(reduction)};
}

}  // namespace heddle::lower
