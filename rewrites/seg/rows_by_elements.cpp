#include "rewrites/seg/rows_by_elements.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

namespace {

// What a point of a map reads and puts together, by name; none where it does something else.
using Moves = std::unordered_map<Name, const Stm*>;

std::optional<Moves> moves_of(const SegOp& op) {
  if (op.kind != SegKind::Map || op.level.kind != LevelKind::Thread) return std::nullopt;
  Moves moves;
  for (const StmPtr& s : op.body->stms) {
    const bool is_move = std::holds_alternative<Index>(s->exp) || std::holds_alternative<ArrayLit>(s->exp);
    if (!is_move || s->pat.size() != 1 || !s->certs.empty()) return std::nullopt;
    moves.emplace(s->pat[0].name, s.get());
  }
  return moves;
}

const Stm* move_of(const SubExp& value, const Moves& moves) {
  auto it = value.is_var() ? moves.find(value.name()) : moves.end();
  return it == moves.end() ? nullptr : it->second;
}

// The rows of which a result is put together: each read in full, as they lie, at places that the point need not read before.
std::optional<std::vector<const Index*>> rows_of(const KernelResult& result, const Moves& moves) {
  constexpr size_t kMostRows = 4;
  const auto* returns = std::get_if<Returns>(&result);
  const Stm* made = returns && returns->certs.empty() ? move_of(returns->value, moves) : nullptr;
  const auto* literal = made ? std::get_if<ArrayLit>(&made->exp) : nullptr;
  if (!literal || literal->elems.empty() || literal->elems.size() > kMostRows) return std::nullopt;
  std::vector<const Index*> rows;
  for (const SubExp& e : literal->elems) {
    const Stm* read = move_of(e, moves);
    const auto* row = read ? std::get_if<Index>(&read->exp) : nullptr;
    const bool needs_others =
        !row || std::ranges::any_of(free_names(read->exp), [&](const Name& n) { return moves.contains(n); });
    if (needs_others) return std::nullopt;
    for (const DimIndex& d : row->slice) {
      const auto* part = std::get_if<DimSlice>(&d);
      if (part && (part->start != i64(0) || part->stride != i64(1))) return std::nullopt;
    }
    rows.push_back(row);
  }
  return rows;
}

// The rows' element at the indices, all but the first of which are within a row.
SubExp element(const std::vector<const Index*>& rows, size_t from, const std::vector<Name>& at, const Type& type,
               Builder& b) {
  auto of_row = [&](const Index& row, Builder& into) -> SubExp {
    Index read = row;
    size_t next = 1;
    for (DimIndex& d : read.slice) {
      if (std::holds_alternative<DimSlice>(d)) d = DimFix{at[next++]};
    }
    return into.let("element", type, std::move(read));
  };
  if (from + 1 == rows.size()) return of_row(*rows[from], b);
  const Type truth = Type::scalar(prim::Type::Bool);
  Name is_this = b.let("is_row", truth,
                       PrimOp{prim::Op(prim::Family::Eq, prim::Type::I64), {at[0], i64(static_cast<int64_t>(from))}});
  auto body = [&](const auto& value) {
    Builder within(b.names());
    SubExp result = value(within);
    return std::make_shared<const Body>(Body{within.take(), {{{}, result}}});
  };
  BodyPtr then = body([&](Builder& within) { return of_row(*rows[from], within); });
  BodyPtr other = body([&](Builder& within) { return element(rows, from + 1, at, type, within); });
  return b.let("element", type,
               Match{MatchSort::Normal, {is_this}, {{{prim::Value::of_bool(true)}, then}}, other, {type}});
}

// The map that makes the k-th result.
Stm by_elements(const Stm& s, size_t k, const std::vector<const Index*>& rows, NameSource& names) {
  SegOp op = std::get<SegOp>(s.exp);
  const Type type = Type::scalar(op.types[k].elem);
  Substitution own;
  op.space.flat = names.fresh(op.space.flat.base);
  for (SegDim& d : op.space.dims) {
    const Name index = names.fresh(d.index.base);
    own.insert_or_assign(d.index, index);
    d.index = index;
  }
  std::vector<Name> at;
  for (const Dim& d : op.types[k].dims) {
    at.push_back(names.fresh("at"));
    op.space.dims.push_back({at.back(), d.size()});
  }
  Builder b(names);
  SubExp value = element(rows, 0, at, type, b);
  op.types = {type};
  op.body = std::make_shared<const KernelBody>(
      substitute(own, KernelBody{b.take(), {Returns{ReturnsKind::MaySimplify, {}, value}}}));
  return Stm{{s.pat[k]}, s.attrs, s.certs, std::move(op), s.position};
}

Stms changed(const Stm& s, NameSource& names) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  const std::optional<Moves> moves = op ? moves_of(*op) : std::nullopt;
  if (!moves) return just(s);
  Stms out;
  for (size_t k = 0; k < op->types.size(); ++k) {
    const auto rows = rows_of(op->body->results[k], *moves);
    if (!rows || op->types[k].rank() < 2) return just(s);
    out.push_back(std::make_shared<const Stm>(by_elements(s, k, *rows, names)));
  }
  return out;
}

}  // namespace

Result<Program> rows_by_elements(const Program& program) {
  NameSource names(program.next_tag());
  return expand_host_stms(program, [&](const Stm& s) { return changed(s, names); });
}

}  // namespace heddle::seg
