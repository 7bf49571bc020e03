#include "rewrites/seg/branches_by_elements.h"

#include <algorithm>

#include "ir/seg/has_checks.h"
#include "ir/seg/traverse.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/needed_stms.h"
#include "rewrites/seg/row_element.h"

namespace heddle::seg {

namespace {

bool makes_rows_in_branches(const SegOp& op) {
  if (op.kind != SegKind::Map || op.level.kind == LevelKind::Block || op.types.empty()) return false;
  bool in_branch = false;
  for (size_t k = 0; k < op.types.size(); ++k) {
    const auto* returns = std::get_if<Returns>(&op.body->results[k]);
    if (!returns || !returns->certs.empty() || op.types[k].is_scalar() || op.types[k].dims != op.types[0].dims)
      return false;
    const Stm* made = maker_of_row(returns->value, {op.body->stms});
    in_branch |= made && std::holds_alternative<Match>(made->exp);
  }
  return in_branch;
}

// The statement itself for as many rows as there are of no elements, which nobody else would check.
Stm of_empty_rows(const Stm& s, Builder& host) {
  SegOp op = std::get<SegOp>(s.exp);
  SubExp elements = i64(1);
  for (const Dim& d : op.types[0].dims) elements = host.min(i64(1), host.mul(elements, d.size()));
  SegDim& dim = op.space.dims.back();
  dim.size = host.mul(dim.size, host.sub(i64(1), elements));
  Shape rows;
  for (const SegDim& d : op.space.dims) rows.push_back(d.size);
  Substitution fresh;
  Stm checked{{}, s.attrs, s.certs, rename(host.names(), fresh, op), s.position};
  for (const Type& t : op.types) checked.pat.push_back({host.names().fresh("empty"), array_of(t, rows)});
  return checked;
}

Stms changed(const Stm& s, NameSource& names) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  if (!op || !makes_rows_in_branches(*op)) return just(s);
  const bool may_fail = has_checks(op->body->stms);
  if (may_fail && op->level.kind != LevelKind::Thread) return just(s);
  NameSet bound;
  for (const StmPtr& inner : op->body->stms) {
    for (const PatElem& p : inner->pat) bound.insert(p.name);
  }
  SegOp made = *op;
  std::vector<SubExp> at;
  for (const Dim& d : op->types[0].dims) {
    if (d.size().is_var() && bound.contains(d.size().name())) return just(s);
    made.space.dims.push_back({names.fresh("at"), d.size()});
    at.emplace_back(made.space.dims.back().index);
  }
  Builder point(names), host(names);
  point.add_all(op->body->stms);
  KernelBody body;
  for (size_t k = 0; k < op->types.size(); ++k) {
    const SubExp& row = std::get<Returns>(op->body->results[k]).value;
    const std::optional<SubExp> element = row_element(row, at, op->types[k], {op->body->stms}, point);
    if (!element) return just(s);
    made.types[k] = Type::scalar(op->types[k].elem);
    body.results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, *element});
  }
  NameSet needed = free_names(body);
  body.stms = needed_stms(point.take(), needed);
  if (!takes_little(body.stms) || needed.contains(op->space.flat)) return just(s);
  made.body = std::make_shared<const KernelBody>(std::move(body));
  Substitution fresh;
  if (may_fail) host.add(of_empty_rows(s, host));
  host.add(Stm{s.pat, s.attrs, s.certs, rename(names, fresh, made), s.position});
  return host.take();
}

}  // namespace

Program branches_by_elements(const Program& program, NameSource& names) {
  Result<Program> made = expand_stms(
      program, [&](const Stm& s) { return changed(s, names); }, true);
  if (!made) throw Refused{made.error()};
  return std::move(*made);
}

Result<Program> branches_by_elements(const Program& program) try {
  NameSource names(program.next_tag());
  return branches_by_elements(program, names);
} catch (const Refused& r) {
  return r.error;
}

}  // namespace heddle::seg
