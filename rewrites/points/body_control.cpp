// Lowering of branches and accumulators.
#include <algorithm>

#include "ir/seg/else_if.h"
#include "ir/seg/traverse.h"
#include "ir/support/error.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/points/body.h"
#include "rewrites/points/index_code.h"
#include "rewrites/points/where_made.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

// ---- Branches. ----

Expr BodyLowerer::match_condition(const std::vector<seg::SubExp>& subjects, const seg::Case& c) {
  Expr all = nest::constant(prim::Value::of_bool(true));
  for (size_t k = 0; k < subjects.size(); ++k) {
    if (!c.pattern[k]) continue;
    Expr subject = scalar(subjects[k]);
    bool is_true = *c.pattern[k] == prim::Value::of_bool(true);
    Expr equal =
        is_true ? subject
                : nest::operation(prim::Op(prim::Family::Eq, subject->type), {subject, nest::constant(*c.pattern[k])});
    all = nest::both(all, equal);
  }
  return all;
}

void BodyLowerer::lower_cases(const seg::Match& e, size_t next, const std::vector<ArrayValue>& results) {
  if (next == e.cases.size()) {
    // An `else if` decides the same variables, so that a chain does not hand its result on from level to level.
    bool are_scalars = std::ranges::all_of(e.ret, [](const seg::Type& t) { return t.is_scalar() && !t.is_acc(); });
    const seg::Match* inner = are_scalars ? seg::else_if(e, [](const seg::Stm&) { return true; }) : nullptr;
    if (!inner) return assign(results, body(*e.otherwise));
    const seg::Stms& all = e.otherwise->stms;
    stms({all.begin(), all.end() - 1});
    return lower_cases(*inner, 0, results);
  }
  Expr condition = match_condition(e.subjects, e.cases[next]);
  nest::Block then_body = block([&] { assign(results, body(*e.cases[next].body)); });
  nest::Block else_body = block([&] { lower_cases(e, next + 1, results); });
  emit(nest::stmt(nest::If{condition, std::move(then_body), std::move(else_body)}));
}

void BodyLowerer::lower(const seg::Stm& s, const seg::Match& e) {
  // Accumulators are updated where they are: all branches return the same one.
  std::vector<ArrayValue> results;
  for (size_t k = 0; k < e.ret.size(); ++k) {
    const seg::Type& t = e.ret[k];
    if (t.is_array() && !t.is_acc()) {
      // What all branches update in place, or leave as it is, need not move.
      const std::optional<Name> kept = kept_by_branches(e, k);
      const KernelValue before = kept ? value(*kept) : KernelValue{};
      const auto* array = std::get_if<ArrayValue>(&before);
      if (array && array->place && array->place->writable && !array->memory) {
        results.push_back(*array);
        continue;
      }
    }
    bool any_size = std::ranges::any_of(t.dims, [](const seg::Dim& d) { return d.is_ext(); });
    if (any_size) {
      results.push_back(variable_of_any_size(t.elem));
    } else {
      results.push_back(variable(t, "chosen", &s.pat[k].name));
    }
  }
  lower_cases(e, 0, results);
  define_current(results, s.pat);
  for (size_t k = 0; k < e.ret.size(); ++k) {
    if (e.ret[k].is_acc()) define(s.pat[k].name, value(e.otherwise->result[k].value));
  }
}

// ---- Accumulators. ----

void BodyLowerer::lower(const seg::Stm& s, const seg::WithAcc& e) {
  std::vector<KernelValue> args(e.inputs.size(), nest::constant(prim::Value::unit()));
  std::vector<KernelValue> results;
  for (const seg::WithAccInput& input : e.inputs) {
    AccValue acc{{}, input.shape.size(), std::nullopt, true, team_.has_value()};
    for (const Name& a : input.arrays) {
      acc.arrays.push_back(writable(array(a)));
      results.emplace_back(acc.arrays.back());
    }
    if (input.op) acc.op = input.op->op;
    args.emplace_back(std::move(acc));
  }
  std::vector<KernelValue> returned = call(e.lambda, args);
  results.insert(results.end(), returned.begin() + static_cast<long>(e.inputs.size()), returned.end());
  all(s, std::move(results));
}

void BodyLowerer::update_acc(const AccValue& acc, const Indices& index, const std::vector<KernelValue>& values) {
  if (acc.atomic && kernel_.finds_sizes()) return;
  if (team_) {
    return together({}, [&](const Indices&) { update_acc(acc, index, values); });
  }
  if (!acc.op) {
    for (size_t k = 0; k < values.size(); ++k) store_value(acc.arrays[k], index, values[k]);
    return;
  }
  std::vector<KernelValue> args;
  if (acc.op_takes_index) args.assign(index.begin(), index.end());
  bool one_word = acc.arrays.size() == 1 && std::holds_alternative<Expr>(values[0]);
  if (!acc.atomic) return replace(acc, index, std::move(args), values);
  if (!one_word) return replace_locked(acc, index, args, values);
  const ArrayValue& target = acc.arrays[0];
  if (target.elem == Type::Unit) return;
  Indices place = target.place->locate(*this, index);
  Name old = kernel_.names().fresh("old");
  Expr value;
  nest::Block compute = block([&] {
    args.emplace_back(nest::var(old, target.elem));
    args.push_back(values[0]);
    std::vector<KernelValue> results = call(*acc.op, args);
    value = std::get<Expr>(results[0]);
  });
  emit(nest::stmt(nest::AtomicUpdate{target.place->buffer, std::move(place), old, std::move(compute), value}));
}

void BodyLowerer::replace(const AccValue& acc, const Indices& index, std::vector<KernelValue> args,
                          const std::vector<KernelValue>& values) {
  std::vector<ArrayValue> targets;
  for (const ArrayValue& a : acc.arrays) {
    targets.push_back(row(a, index));
    args.push_back(current(targets.back()));
  }
  args.insert(args.end(), values.begin(), values.end());
  assign(targets, call(*acc.op, args));
}

void BodyLowerer::replace_locked(const AccValue& acc, const Indices& index, const std::vector<KernelValue>& args,
                                 const std::vector<KernelValue>& values) {
  nest::Block work = block([&] { replace(acc, index, args, values); });
  if (nest::may_fail(work)) {  // and would keep the lock
    kernel_.need_one_thread();
    return emit_for_all(std::move(work));
  }
  const ArrayValue locks = acc.locks ? *acc.locks : kernel_.locks();
  Expr element = nest::constant(int64_t{0});
  for (size_t d = 0; d < index.size(); ++d) element = nest::add(nest::mul(element, acc.arrays[0].dims[d]), index[d]);
  Indices place = locks.place->locate(*this, {nest::mod(element, locks.dims[0])});
  emit(nest::stmt(nest::Locked{locks.place->buffer, std::move(place), std::move(work)}));
}

void BodyLowerer::lower(const seg::Stm& s, const seg::UpdateAcc& e) {
  KernelValue v = value(e.acc);
  const auto& acc = std::get<AccValue>(v);
  std::vector<KernelValue> values;
  for (const seg::SubExp& x : e.values) values.push_back(value(x));
  Indices index;
  for (const seg::SubExp& i : e.index) index.push_back(scalar(i));
  if (e.safe && !acc.arrays.empty()) {
    if_inside(acc.arrays[0], index, [&] { update_acc(acc, index, values); });
  } else {
    update_acc(acc, index, values);
  }
  one(s, v);
}

// ---- Sizes of launches, in a function with parallel operations that a kernel calls, of which each thread does all. ----

void BodyLowerer::lower(const seg::Stm& s, const seg::GetSize&) { one(s, i64(1)); }
void BodyLowerer::lower(const seg::Stm& s, const seg::GetSizeMax&) { one(s, i64(1)); }
// There are enough points outside, so that what loops within them is taken.
void BodyLowerer::lower(const seg::Stm& s, const seg::CmpSize&) { one(s, nest::constant(prim::Value::of_bool(true))); }
void BodyLowerer::lower(const seg::Stm& s, const seg::CalcNumBlocks&) { one(s, i64(1)); }

// ---- What cannot stand inside a kernel. ----

void BodyLowerer::lower(const seg::Stm&, const seg::Derivative& e) {
  refuse(e.reverse ? "vjp that automatic differentiation has not expanded"
                   : "jvp that automatic differentiation has not expanded");
}
// And this Futhark never does.
void BodyLowerer::lower(const seg::Stm&, const seg::GpuBody&) {
  throw Refused{internal_error("gpu stands inside a kernel")};
}

}  // namespace heddle::lower
