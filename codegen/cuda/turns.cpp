#include "codegen/cuda/turns.h"

#include <algorithm>

namespace heddle::codegen {

using nest::Expr;
using prim::Family;

namespace {

// Reads and writes in a round; more of them keep memory busy as they are.
constexpr size_t kMaxMoves = 4;
constexpr size_t kShort = 64;
constexpr size_t kMostOfStep = 8;

const nest::Operation* operation(const Expr& e, Family family) {
  const auto* o = std::get_if<nest::Operation>(&e->node);
  return o && o->op.family == family ? o : nullptr;
}

const Name* variable(const Expr& e) {
  const auto* v = std::get_if<nest::Var>(&e->node);
  return v ? &v->name : nullptr;
}

// Divisions take long, but by a constant.
bool takes_long(const nest::Operation& o) { return can_fail(o); }

bool reads_memory(const Expr& e) {
  bool found = false;
  nest::for_each_expr(e, [&](const Expr& x) { found |= std::holds_alternative<nest::Load>(x->node); });
  return found;
}

}  // namespace

bool is_not_negative(const Expr& e, const nest::NameSet& not_negative) {
  if (auto c = nest::int_constant(e)) return *c >= 0;
  if (const Name* name = variable(e)) return not_negative.contains(*name);
  const auto* o = std::get_if<nest::Operation>(&e->node);
  if (!o) return false;
  auto certain = [&](const Expr& x) { return is_not_negative(x, not_negative); };
  if (o->op.family == Family::And) return std::any_of(o->args.begin(), o->args.end(), certain);
  return (o->op.family == Family::AddNw || o->op.family == Family::MulNw) &&
         std::all_of(o->args.begin(), o->args.end(), certain);
}

std::optional<Turns> turns(const nest::For& loop, const nest::NameSet& not_negative) {
  if (loop.role != nest::Role::Serial || loop.body.size() != 2 || nest::int_constant(loop.extent)) return std::nullopt;
  const auto* let = std::get_if<nest::Let>(&loop.body[0]->node);
  const auto* guard = std::get_if<nest::If>(&loop.body[1]->node);
  if (!let || !guard || !guard->else_body.empty()) return std::nullopt;

  const nest::Operation* sum = operation(let->value, Family::AddNw);
  const nest::Operation* before = sum ? operation(sum->args[0], Family::MulNw) : nullptr;
  const Name* round = before ? variable(before->args[0]) : nullptr;
  if (!round || *round != loop.index) return std::nullopt;
  const Expr &member = sum->args[1], &members = before->args[1];

  const nest::Operation* inside = operation(guard->condition, Family::Slt);
  const Name* point = inside ? variable(inside->args[0]) : nullptr;
  if (!point || *point != let->name) return std::nullopt;
  const Expr& total = inside->args[1];
  if (!is_not_negative(member, not_negative) || reads_memory(members) || reads_memory(total)) return std::nullopt;
  if (!nest::equal(loop.extent, nest::ceil_div(total, members))) return std::nullopt;
  if (nest::free_names(guard->then_body).contains(loop.index)) return std::nullopt;
  return Turns{*point, member, total, members, &guard->then_body};
}

bool gains_by_unrolling(const nest::Block& work, const BufferTable& buffers) {
  if (work.size() > kMaxMoves) return false;
  bool reads_global = false;
  auto is_move = [&](const Expr& e) {
    bool cheap = true;
    nest::for_each_expr(e, [&](const Expr& x) {
      if (std::holds_alternative<nest::Call>(x->node)) cheap = false;
      if (const auto* o = std::get_if<nest::Operation>(&x->node)) cheap &= !takes_long(*o);
      if (const auto* load = std::get_if<nest::Load>(&x->node))
        reads_global |= buffers.at(load->buffer).space == nest::Space::Global;
    });
    return cheap;
  };
  bool only_moves = std::all_of(work.begin(), work.end(), [&](const nest::Stmt& s) {
    if (const auto* let = std::get_if<nest::Let>(&s->node)) return is_move(let->value);
    const auto* store = std::get_if<nest::Store>(&s->node);
    return store && is_move(store->value) && std::all_of(store->index.begin(), store->index.end(), is_move);
  });
  return only_moves && reads_global;
}

bool folds(const nest::Block& step, const BufferTable& buffers) {
  if (step.size() > kMostOfStep) return false;
  bool adds = false, simple = true;
  auto look = [&](const Expr& e) {
    nest::for_each_expr(e, [&](const Expr& x) {
      const auto* o = std::get_if<nest::Operation>(&x->node);
      simple &= !std::holds_alternative<nest::Call>(x->node) && !(o && takes_long(*o));
    });
  };
  for (const nest::Stmt& s : step) {
    if (const auto* let = std::get_if<nest::Let>(&s->node)) {
      look(let->value);
    } else if (const auto* store = std::get_if<nest::Store>(&s->node)) {
      adds |= buffers.at(store->buffer).space == nest::Space::Register && store->index.empty();
      look(store->value);
    } else {
      return false;
    }
  }
  return adds && simple;
}

bool has_barriers(const nest::Block& block) {
  bool found = false;
  nest::for_each_stmt(block, [&](const nest::Stmt& s) {
    found |= std::holds_alternative<nest::Barrier>(s->node) || std::holds_alternative<nest::Shuffle>(s->node);
  });
  return found;
}

bool is_short(const nest::Block& work) {
  size_t statements = 0;
  nest::for_each_stmt(work, [&](const nest::Stmt&) { ++statements; });
  return statements <= kShort;
}

}  // namespace heddle::codegen
