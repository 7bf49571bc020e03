// Lowering of loops: what they carry are variables; arrays, as far as that is right, without being moved from one to another.
#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/points/body.h"
#include "rewrites/points/carried.h"
#include "rewrites/points/index_code.h"
#include "rewrites/points/where_made.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

ArrayValue BodyLowerer::pieces(const seg::Type& type, int64_t count) {
  std::vector<Expr> sizes = dims(type);
  sizes.insert(sizes.begin(), i64(count));
  return fresh_array(type.elem, sizes);
}

// Whether the array lies in memory, and its sizes are those before the loop.
bool BodyLowerer::fixed_in_memory(const seg::Loop& e, size_t param, const std::vector<bool>& constant) {
  const seg::Type& type = e.params[param].type;
  if (!type.is_array() || type.is_acc() || type.elem == Type::Unit) return false;
  for (const seg::Dim& d : type.dims) {
    for (size_t k = 0; k < e.params.size(); ++k) {
      if (!constant[k] && d.size() == seg::SubExp(e.params[k].name)) return false;
    }
  }
  const std::vector<Expr> sizes = dims(type);
  return !fits_registers(type.elem, sizes) &&
         std::ranges::all_of(sizes, [&](const Expr& d) { return over_parameters(d).has_value(); });
}

void BodyLowerer::lower(const seg::Stm& s, const seg::Loop& e) {
  std::vector<KernelValue> inits;
  for (const seg::SubExp& init : e.inits) inits.push_back(value(init));
  const std::vector<bool> constant = unchanged(e);
  seg::NameSet varying;
  for (size_t k = 0; k < e.params.size(); ++k) {
    if (constant[k]) {
      define(e.params[k].name, inits[k]);
    } else {
      varying.insert(e.params[k].name);
    }
  }
  std::vector<ArrayValue> variables(e.params.size()), to_set;
  std::vector<KernelValue> initial;
  std::vector<std::optional<Pieces>> moving(e.params.size());
  auto begin_in = [&](size_t k, const ArrayValue& all, int64_t piece) {
    moving[k] = Pieces{all, variable(seg::Type::scalar(Type::I64), "piece")};
    to_set.insert(to_set.end(), {row(all, {i64(piece)}), moving[k]->which});
    initial.insert(initial.end(), {inits[k], i64(piece)});
  };
  std::vector<bool> over_itself(e.params.size());
  std::vector<std::vector<Name>> handed(e.params.size());
  std::vector<ChangingPlaces> groups;
  for (const ChangingPlaces& g : changing_places(e)) {
    const size_t first = g.params[0];
    if (!fixed_in_memory(e, first, constant)) continue;
    const bool is_taken = g.params.size() == 1 && is_handed(e.inits[first]);
    if (g.params.size() == 1) {
      over_itself[first] = !is_taken && made_over_itself(e.body, e.body->result[first].value, e.params[first].name);
      if (over_itself[first]) continue;
      handed[first] = handed_to_loops(e, first);
    }
    groups.push_back(g);
    if (is_taken) {
      moving[first] = handed_.at(e.inits[first].name());  // a loop around this one has pieces for it
      continue;
    }
    const auto count = static_cast<int64_t>(g.params.size());
    const ArrayValue all = pieces(e.params[first].type, g.is_new ? count + 1 : count);
    for (int64_t at = 0; at < count; ++at) begin_in(g.params[static_cast<size_t>(at)], all, at);
  }
  for (size_t k = 0; k < e.params.size(); ++k) {
    if (constant[k] || moving[k]) continue;
    const seg::Type& type = e.params[k].type;
    bool any_size = std::ranges::any_of(
        type.dims, [&](const seg::Dim& d) { return d.size().is_var() && varying.contains(d.size().name()); });
    const auto* init = std::get_if<ArrayValue>(&inits[k]);
    if (init && type.unique && init->place && init->place->writable && !any_size) {
      variables[k] = *init;  // consumed by the loop: its memory becomes the variable's
      variables[k].memory = nullptr;
      continue;
    }
    variables[k] =
        any_size ? variable_of_any_size(type.elem) : variable(type, e.params[k].name.base, &e.params[k].name);
    to_set.push_back(variables[k]);
    initial.push_back(inits[k]);
  }
  assign(to_set, std::move(initial));

  auto iteration = [&] {
    std::vector<ArrayValue> now = define_current(variables, e.params);
    std::vector<Expr> piece(e.params.size());
    for (size_t k = 0; k < e.params.size(); ++k) {
      if (over_itself[k]) make_in(now[k], e.body->stms, e.body->result[k].value);
      if (!moving[k]) continue;
      piece[k] = bind(read(moving[k]->which, {}));
      now[k] = row(moving[k]->all, {piece[k]});
      define(e.params[k].name, now[k]);
      for (size_t i = 0; i + 1 < handed[k].size(); ++i) handed_.insert_or_assign(handed[k][i], *moving[k]);
    }
    std::vector<ArrayValue> targets;
    std::vector<KernelValue> values;
    std::vector<ArrayValue> next = now;
    auto moves_to = [&](size_t k, const ArrayValue& place, const Expr& at) {
      next[k] = place;
      targets.push_back(moving[k]->which);
      values.emplace_back(at);
    };
    for (const ChangingPlaces& g : groups) {
      const size_t first = g.params.front(), last = g.params.back();
      if (!handed[first].empty()) continue;
      for (size_t at = 0; at + 1 < g.params.size(); ++at)
        moves_to(g.params[at], now[g.params[at + 1]], piece[g.params[at + 1]]);
      if (!g.is_new) {
        moves_to(last, now[first], piece[first]);
        continue;
      }
      // The piece that none of them has.
      const auto count = static_cast<int64_t>(g.params.size());
      Expr spare = i64(count * (count + 1) / 2);
      for (size_t k : g.params) spare = nest::sub(spare, piece[k]);
      spare = bind(spare);
      moves_to(last, row(moving[last]->all, {spare}), spare);
      make_in(next[last], e.body->stms, e.body->result[last].value);
    }
    std::vector<KernelValue> results = body(*e.body);
    for (size_t k = 0; k < e.params.size(); ++k) {
      if (constant[k] || !handed[k].empty()) continue;  // the loops that it is handed to have put it where `which` says
      targets.push_back(next[k]);
      values.push_back(std::move(results[k]));
    }
    assign(targets, std::move(values));
  };

  if (const auto* f = std::get_if<seg::ForLoop>(&e.form)) {
    auto convert = [](const Expr& x, Type to) {
      return x->type == to ? x : nest::operation(prim::Op(prim::Family::SExt, x->type, to), {x});
    };
    loop(convert(scalar(f->bound), Type::I64), [&](const Expr& i) {
      Expr index = convert(i, f->index_type);
      define(f->index, f->index_type == Type::I64 ? index : let(f->index, index));
      iteration();
    });
  } else {
    const Name& condition = std::get<seg::WhileLoop>(e.form).condition;
    size_t which = 0;
    while (which < e.params.size() && e.params[which].name != condition) ++which;
    Expr go_on = constant[which] ? std::get<Expr>(inits[which]) : read(variables.at(which), {});
    nest::Block loop_body = block(iteration);
    emit(nest::stmt(nest::While{go_on, std::move(loop_body)}));
  }
  for (size_t k = 0; k < e.params.size(); ++k) {
    if (constant[k]) define(s.pat[k].name, inits[k]);
    if (moving[k]) define(s.pat[k].name, row(moving[k]->all, {bind(read(moving[k]->which, {}))}));
  }
  define_current(variables, s.pat);
}

}  // namespace heddle::lower
