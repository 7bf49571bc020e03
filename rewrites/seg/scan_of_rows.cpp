#include "rewrites/seg/scan_of_rows.h"

#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/builder.h"
#include "rewrites/seg/scan_columns.h"
#include "rewrites/seg/store_elements.h"

namespace heddle::seg {

namespace {

bool scans_rows(const SegOp& op) {
  auto fits = [&](const SegBinOp& o) {
    return o.shape.size() == 1 && o.shape == op.ops[0].shape && std::ranges::all_of(o.lambda.ret, is_stored_scalar);
  };
  size_t scanned = 0;
  for (const SegBinOp& o : op.ops) scanned += o.lambda.ret.size();
  return op.kind == SegKind::Scan && op.level.kind == LevelKind::Thread && !op.ops.empty() &&
         std::ranges::all_of(op.ops, fits) && scanned == op.types.size();
}

bool in_memory(const SegOp& op) {
  for (size_t k = 0; k < op.types.size(); ++k) {
    if (!array_of_rows(op, k)) return false;
  }
  return true;
}

}  // namespace

std::optional<Stms> scan_of_rows(const Stm& s, NameSource& names, const ThreadLevels& levels, const NameSet* unread) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  if (!op || !scans_rows(*op)) return std::nullopt;
  auto arm = [&](const std::function<Stms(const Stm&)>& way) {
    Stm fresh = s;
    Substitution to;
    fresh.exp = rename(names, to, *op);
    auto body = std::make_shared<Body>();
    for (PatElem& p : fresh.pat) {
      p.name = names.fresh(p.name);
      body->result.push_back({{}, p.name});
    }
    body->stms = way(fresh);
    return body;
  };
  auto of_rows = [&](const Stm& fresh) {
    if (in_memory(std::get<SegOp>(fresh.exp))) return Stms{std::make_shared<const Stm>(fresh)};
    return store_elements(fresh, names);
  };
  auto of_short_rows = [&](const Stm& fresh) { return by_threads(fresh, names, levels, unread); };
  Builder host(names);
  const Name is_long =
      host.let("is_long", Type::scalar(prim::Type::Bool),
               PrimOp{prim::Op(prim::Family::Sle, prim::Type::I64), {i64(kLongRow), op->ops[0].shape[0]}});
  Match match{MatchSort::Normal, {is_long}, {{{prim::Value::of_bool(true)}, arm(of_rows)}}, arm(of_short_rows), {}};
  for (const PatElem& p : s.pat) match.ret.push_back(p.type);
  host.add(Stm{s.pat, s.attrs, s.certs, std::move(match), s.position});
  return host.take();
}

std::optional<SegOp> elements_of_rows(const SegOp& op, NameSource& names) {
  if (!scans_rows(op) || !in_memory(op)) return std::nullopt;
  SegOp elements = op;
  const Name column = names.fresh("column");
  elements.space.dims.push_back({column, op.ops[0].shape[0]});
  for (SegBinOp& o : elements.ops) o.shape.clear();
  std::vector<SubExp> at;
  for (const SegDim& d : elements.space.dims) at.emplace_back(d.index);
  Builder point(names);
  auto body = std::make_shared<KernelBody>();
  for (size_t k = 0; k < op.types.size(); ++k) {
    const Type elem = Type::scalar(op.types[k].elem);
    elements.types[k] = elem;
    body->results.emplace_back(Returns{
        ReturnsKind::MaySimplify, {}, point.let("element", elem, Index{*array_of_rows(op, k), row_slice(at, elem)})});
  }
  body->stms = point.take();
  elements.body = std::move(body);
  return elements;
}

}  // namespace heddle::seg
