// Lowering of loops: what they carry are variables; arrays, as far as that is right, without being moved from one to another.
#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/points/body.h"
#include "rewrites/points/carried.h"
#include "rewrites/points/where_made.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

Expr i64(int64_t value) { return nest::constant(value); }

}  // namespace

std::optional<ArrayValue> BodyLowerer::pieces(const seg::Loop& e, size_t param, const std::vector<bool>& constant,
                                              int64_t count) {
  if (!fixed_in_memory(e, param, constant)) return std::nullopt;
  std::vector<Expr> sizes = dims(e.params[param].type);
  sizes.insert(sizes.begin(), i64(count));
  return fresh_array(e.params[param].type.elem, sizes);
}

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
  std::vector<std::optional<size_t>> changes_places = changes_places_with(e);
  for (size_t k = 0; k < e.params.size(); ++k) {
    if (!changes_places[k] || moving[k]) continue;
    std::vector<size_t> ring = {k};
    while (*changes_places[ring.back()] != k) ring.push_back(*changes_places[ring.back()]);
    const auto all = pieces(e, k, constant, static_cast<int64_t>(ring.size()));
    for (size_t at = 0; at < ring.size(); ++at) {
      if (all)
        begin_in(ring[at], *all, static_cast<int64_t>(at));
      else
        changes_places[ring[at]] = std::nullopt;
    }
  }
  std::vector<std::vector<Name>> handed(e.params.size());
  std::vector<bool> over_itself(e.params.size());
  for (size_t k = 0; k < e.params.size(); ++k) {
    if (constant[k] || moving[k]) continue;
    const seg::Type& type = e.params[k].type;
    const auto taken = e.inits[k].is_var() ? handed_.find(e.inits[k].name()) : handed_.end();
    if (taken != handed_.end()) {  // it makes it anew in pieces that another loop around it has
      moving[k] = taken->second;
      handed[k] = handed_to_loops(e, k);
      continue;
    }
    over_itself[k] =
        fixed_in_memory(e, k, constant) && made_over_itself(e.body, e.body->result[k].value, e.params[k].name);
    if (!over_itself[k] && made_anew(e, k)) {
      if (const auto all = pieces(e, k, constant, 2)) {
        begin_in(k, *all, 0);
        handed[k] = handed_to_loops(e, k);
        continue;
      }
    }
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
      for (const Name& n : handed[k]) handed_.insert_or_assign(n, *moving[k]);
    }
    std::vector<ArrayValue> targets;
    std::vector<KernelValue> values;
    std::vector<ArrayValue> next = now;
    for (size_t k = 0; k < e.params.size(); ++k) {
      if (!moving[k] || !handed[k].empty()) continue;
      Expr other = changes_places[k] ? piece[*changes_places[k]] : bind(nest::sub(i64(1), piece[k]));
      next[k] = changes_places[k] ? now[*changes_places[k]] : row(moving[k]->all, {other});
      if (!changes_places[k]) make_in(next[k], e.body->stms, e.body->result[k].value);
      targets.push_back(moving[k]->which);
      values.emplace_back(std::move(other));
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
