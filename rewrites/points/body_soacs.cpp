// Lowering of SOACs inside a thread: each becomes a loop.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "ir/seg/traverse.h"
#include "ir/support/error.h"
#include "rewrites/points/body.h"
#include "rewrites/points/carried.h"

namespace heddle::lower {

using nest::Expr;

std::vector<KernelValue> BodyLowerer::call(const seg::Lambda& lambda, const std::vector<KernelValue>& args) {
  for (size_t k = 0; k < lambda.params.size(); ++k) define(lambda.params[k].name, args.at(k));
  return body(*lambda.body);
}

namespace {

// A map whose elements may as well never be computed, or often: it updates nothing, cannot fail, and does little.
bool is_plain_map(const seg::Screma& e) {
  struct Find {
    bool found = false;
    void use(const Name&) {}
    void bind(const Name&) {}
    static bool is_map(const seg::Exp& e) {
      const auto* soac = std::get_if<seg::Screma>(&e);
      return soac && soac->scans.empty() && soac->reduces.empty();
    }
    bool enter(const seg::BodyPtr& body) {
      for (const seg::StmPtr& s : body->stms) {
        bool loops = std::holds_alternative<seg::Loop>(s->exp) ||
                     (std::holds_alternative<seg::Screma>(s->exp) && !is_map(s->exp));
        found |= std::holds_alternative<seg::Assert>(s->exp) || loops;
        seg::walk(*this, s->exp);
      }
      return false;
    }
  } others;
  seg::walk(others, e.map);
  bool updates = std::any_of(e.map.ret.begin(), e.map.ret.end(), [](const seg::Type& t) { return t.is_acc(); });
  return Find::is_map(e) && !updates && !others.found;
}

}  // namespace

// Binds the results of a map to something computed, if nothing that it reads can change until they are read. For arrays of a
// size that varies between threads that saves finding out how much memory they take.
bool BodyLowerer::deferred(const seg::Stm& s, const seg::Screma& e) {
  bool wanted = s.pat.size() == 1 && deferred_.contains(s.pat[0].name);
  if (!wanted && (!has_varying_size(s.pat) || !is_plain_map(e))) return false;
  std::vector<ArrayValue> inputs;
  for (const Name& n : e.arrays) {
    KernelValue v = value(n);
    const auto* a = std::get_if<ArrayValue>(&v);
    if (!a || !a->stable) return false;
    inputs.push_back(*a);
  }
  struct Free {
    const BodyLowerer& b;
    bool may_change = false;
    void use(const Name& n) {
      auto it = b.env_.find(n);
      const auto* a = it == b.env_.end() ? nullptr : std::get_if<ArrayValue>(&it->second);
      may_change |= a && !a->stable;
    }
    void bind(const Name&) {}
  } free{*this};
  seg::walk(free, e.map);
  if (free.may_change) return false;

  std::vector<KernelValue> results;
  for (size_t k = 0; k < s.pat.size(); ++k) {
    auto read = [this, &e, inputs, k](Binder&, const Indices& index) {
      std::vector<KernelValue> args;
      for (const ArrayValue& a : inputs) args.push_back(current(row(a, {index[0]})));
      KernelValue result = call(e.map, args)[k];
      if (const auto* scalar = std::get_if<Expr>(&result)) return *scalar;
      return this->read(std::get<ArrayValue>(result), Indices(index.begin() + 1, index.end()));
    };
    const seg::Type& type = s.pat[k].type;
    results.emplace_back(computed(type.elem, dims(type), read));
  }
  all(s, std::move(results));
  return true;
}

namespace {

// The element of each result that such an operator on rows makes of those that lie at the same place of its operands.
//   \ {a, b, c, d} -> { let {x} = map(w, {a, c}, f) let {y} = map(w, {b, d}, g) in {y, x} }
struct ByElements {
  std::vector<const seg::Screma*> maps;  // all of `width` elements, none of which reads what another makes
  struct Made {
    size_t map, result;
  };
  std::vector<Made> results;
};

std::optional<ByElements> by_elements(const seg::Lambda& op) {
  ByElements found;
  std::unordered_map<Name, ByElements::Made> made;
  seg::NameSet whole;
  for (const seg::StmPtr& s : op.body->stms) {
    const auto* map = std::get_if<seg::Screma>(&s->exp);
    if (map == nullptr || !map->scans.empty() || !map->reduces.empty()) return std::nullopt;
    if (!found.maps.empty() && map->width != found.maps[0]->width) return std::nullopt;
    for (const seg::Type& t : map->map.ret) {
      if (!t.is_scalar()) return std::nullopt;
    }
    for (const Name& n : map->arrays) {
      if (made.contains(n)) return std::nullopt;
    }
    whole.merge(seg::free_names(map->map));
    for (size_t k = 0; k < s->pat.size(); ++k) made.emplace(s->pat[k].name, ByElements::Made{found.maps.size(), k});
    found.maps.push_back(map);
  }
  for (const seg::SubExpRes& r : op.body->result) {
    if (!r.value.is_var() || !made.contains(r.value.name())) return std::nullopt;
    found.results.push_back(made.at(r.value.name()));
  }
  bool one_at_a_time = std::ranges::none_of(op.params, [&](const seg::Param& p) { return whole.contains(p.name); }) &&
                       std::ranges::none_of(made, [&](const auto& m) { return whole.contains(m.first); });
  return one_at_a_time && !found.maps.empty() ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace

// redomap(w, {xs}, f, {op, ne})          acc := ne; for i in w { let x = xs[i]; ...f...; acc := op(acc, f(x)) }
// Where op is map2(g), a row is updated where it is: for j in d { acc[j] := g(acc[j], f(x)[j]) }
void BodyLowerer::lower(const seg::Stm& s, const seg::Screma& e) {
  if (deferred(s, e)) return;
  Expr width = scalar(e.width);
  std::vector<KernelValue> arrays;
  for (const Name& n : e.arrays) arrays.push_back(value(n));  // accumulators may be among them

  // Running values of the scans, then of the reduces.
  std::vector<ArrayValue> running;
  std::vector<seg::Type> running_types;
  std::vector<KernelValue> neutral;
  auto start = [&](const seg::Lambda& op, const std::vector<seg::SubExp>& ne) {
    for (size_t k = 0; k < ne.size(); ++k) {
      running_types.push_back(op.ret[k]);
      running.push_back(variable(op.ret[k], "acc"));
      neutral.push_back(value(ne[k]));
    }
  };
  for (const seg::ScanOp& o : e.scans) start(o.lambda, o.neutral);
  size_t num_scanned = running.size();
  for (const seg::ReduceOp& o : e.reduces) start(o.lambda, o.neutral);
  assign(running, neutral);

  auto result_array = [&](size_t result, const seg::Type& row_type) {
    std::vector<Expr> sizes = {width};
    for (const Expr& d : dims(row_type)) sizes.push_back(d);
    return fresh_array_for(s.pat[result].name, row_type.elem, sizes);
  };
  std::vector<ArrayValue> scanned, mapped;
  for (size_t k = 0; k < num_scanned; ++k) scanned.push_back(result_array(k, running_types[k]));
  for (size_t k = running.size(); k < e.map.ret.size(); ++k) {
    mapped.push_back(e.map.ret[k].is_acc() ? ArrayValue{} : result_array(k, e.map.ret[k]));
  }

  std::vector<KernelValue> last_mapped;
  loop(width, [&](const Expr& i) {
    std::vector<KernelValue> args;
    for (const KernelValue& a : arrays) {
      const auto* arr = std::get_if<ArrayValue>(&a);
      args.push_back(arr ? current(row(*arr, {i})) : a);
    }
    std::vector<ArrayValue> rows;
    for (size_t k = 0; k < mapped.size(); ++k) {
      const seg::SubExp& result = e.map.body->result[running.size() + k].value;
      rows.push_back(mapped[k].dims.empty() ? ArrayValue{} : row(mapped[k], {i}));
      if (rows[k].rank() > 0) make_in(rows[k], e.map.body->stms, result);
    }
    std::vector<KernelValue> values = call(e.map, args);
    for (size_t k = 0; k < mapped.size(); ++k) {
      const KernelValue& value = values[running.size() + k];
      const auto* made = std::get_if<ArrayValue>(&value);
      if (mapped[k].dims.empty()) continue;  // an accumulator
      if (!made || made->place == nullptr || made->place != rows[k].place) store_value(rows[k], {}, value);
    }
    size_t at = 0;
    auto step = [&](const seg::Lambda& op) {
      size_t n = op.ret.size();
      std::vector<KernelValue> op_args;
      for (size_t k = 0; k < n; ++k) op_args.push_back(current(running[at + k]));
      for (size_t k = 0; k < n; ++k) op_args.push_back(values[at + k]);
      if (auto rows = team_ ? std::nullopt : by_elements(op)) {
        auto operand = [&](const Name& name) {
          auto p = std::ranges::find_if(op.params, [&](const seg::Param& q) { return q.name == name; });
          return p == op.params.end() ? array(name)
                                      : std::get<ArrayValue>(op_args[static_cast<size_t>(p - op.params.begin())]);
        };
        loop(scalar(rows->maps[0]->width), [&](const Expr& j) {
          std::vector<std::vector<KernelValue>> made;
          for (const seg::Screma* map : rows->maps) {
            std::vector<KernelValue> elements;
            for (const Name& a : map->arrays) elements.push_back(current(row(operand(a), {j})));
            made.push_back(call(map->map, elements));
            for (KernelValue& m : made.back()) m = bind(std::get<Expr>(m));
          }
          for (size_t k = 0; k < n; ++k) {
            store_value(running[at + k], {j}, made[rows->results[k].map][rows->results[k].result]);
          }
        });
        at += n;
        return;
      }
      std::vector<ArrayValue> targets(running.begin() + static_cast<long>(at),
                                      running.begin() + static_cast<long>(at + n));
      for (size_t k = 0; k < n; ++k) {
        const seg::SubExp& next = op.body->result[k].value;
        if (targets[k].rank() > 0 && made_over_itself(op.body, next, op.params[k].name))
          make_in(targets[k], op.body->stms, next);
      }
      assign(targets, call(op, op_args));
      at += n;
    };
    for (const seg::ScanOp& o : e.scans) step(o.lambda);
    for (const seg::ReduceOp& o : e.reduces) step(o.lambda);
    for (size_t k = 0; k < num_scanned; ++k) store_value(scanned[k], {i}, current(running[k]));
    last_mapped = std::move(values);
  });

  std::vector<KernelValue> results;
  for (const ArrayValue& a : scanned) results.emplace_back(a);
  for (size_t k = num_scanned; k < running.size(); ++k) results.push_back(current(running[k]));
  for (size_t k = 0; k < mapped.size(); ++k) {
    bool acc = e.map.ret[running.size() + k].is_acc();
    results.push_back(acc ? last_mapped[running.size() + k] : KernelValue(mapped[k]));
  }
  all(s, std::move(results));
}

void BodyLowerer::lower(const seg::Stm& s, const seg::Scatter& e) {
  std::vector<ArrayValue> arrays, dests;
  for (const Name& n : e.arrays) arrays.push_back(array(n));
  for (const seg::ScatterDest& d : e.dests) dests.push_back(writable(array(d.array)));
  size_t num_indices = 0;
  for (const seg::ScatterDest& d : e.dests) num_indices += d.shape.size() * static_cast<size_t>(d.num_writes);
  loop(scalar(e.width), [&](const Expr& i) {
    std::vector<KernelValue> args;
    for (const ArrayValue& a : arrays) args.push_back(current(row(a, {i})));
    std::vector<KernelValue> values = call(e.lambda, args);
    size_t next_index = 0, next_value = num_indices;
    for (size_t d = 0; d < dests.size(); ++d) {
      for (int w = 0; w < e.dests[d].num_writes; ++w) {
        Indices index;
        for (size_t k = 0; k < e.dests[d].shape.size(); ++k) index.push_back(std::get<Expr>(values[next_index++]));
        if_inside(dests[d], index, [&] { store_value(dests[d], index, values[next_value]); });
        ++next_value;
      }
    }
  });
  all(s, {dests.begin(), dests.end()});
}

void BodyLowerer::lower(const seg::Stm& s, const seg::Hist& e) {
  std::vector<ArrayValue> arrays;
  for (const Name& n : e.arrays) arrays.push_back(array(n));
  std::vector<AccValue> hists;
  std::vector<KernelValue> results;
  size_t num_indices = 0;
  for (const seg::HistOp& op : e.ops) {
    AccValue h{{}, op.shape.size(), op.op, false};  // sequential, and the operator takes no index
    for (const Name& d : op.dests) {
      h.arrays.push_back(writable(array(d)));
      results.emplace_back(h.arrays.back());
    }
    num_indices += op.shape.size();
    hists.push_back(std::move(h));
  }
  loop(scalar(e.width), [&](const Expr& i) {
    std::vector<KernelValue> args;
    for (const ArrayValue& a : arrays) args.push_back(current(row(a, {i})));
    std::vector<KernelValue> values = call(e.bucket, args);
    size_t next_index = 0, next_value = num_indices;
    for (const AccValue& h : hists) {
      Indices bin;
      for (size_t k = 0; k < h.index_rank; ++k) bin.push_back(std::get<Expr>(values[next_index++]));
      std::vector<KernelValue> new_values(values.begin() + static_cast<long>(next_value),
                                          values.begin() + static_cast<long>(next_value + h.arrays.size()));
      next_value += h.arrays.size();
      if_inside(h.arrays[0], bin, [&] { update_acc(h, bin, new_values); });
    }
  });
  all(s, std::move(results));
}

// Any chunking of a stream gives the same result: chunks of one element need the least memory.
void BodyLowerer::lower(const seg::Stm& s, const seg::Stream& e) {
  const std::vector<seg::Param>& params = e.lambda.params;
  size_t num_accs = e.accs.size();
  Expr width = scalar(e.width);
  Expr one_elem = nest::constant(int64_t{1});
  std::vector<ArrayValue> arrays, accs, mapped;
  std::vector<KernelValue> initial;
  for (const Name& n : e.arrays) arrays.push_back(array(n));
  for (size_t k = 0; k < num_accs; ++k) {
    accs.push_back(variable(params[1 + k].type, "acc"));
    initial.push_back(value(e.accs[k]));
  }
  assign(accs, initial);
  define(params[0].name, one_elem);
  for (size_t k = num_accs; k < e.lambda.ret.size(); ++k) {
    std::vector<Expr> sizes = dims(e.lambda.ret[k]);
    sizes[0] = width;
    mapped.push_back(fresh_array(e.lambda.ret[k].elem, sizes));
  }
  loop(width, [&](const Expr& i) {
    std::vector<KernelValue> args = {one_elem};
    for (size_t k = 0; k < num_accs; ++k) args.push_back(current(accs[k]));
    for (const ArrayValue& a : arrays) {
      std::vector<Expr> sizes = a.dims;
      sizes[0] = one_elem;
      args.emplace_back(view(a, sizes, [i](Binder&, Indices index) {
        index[0] = nest::add(i, index[0]);
        return index;
      }));
    }
    std::vector<KernelValue> values = call(e.lambda, args);
    for (size_t k = 0; k < mapped.size(); ++k) {
      copy(row(mapped[k], {i}), row(std::get<ArrayValue>(values[num_accs + k]), {nest::constant(int64_t{0})}));
    }
    assign(accs, {values.begin(), values.begin() + static_cast<long>(num_accs)});
  });
  std::vector<KernelValue> results;
  for (size_t k = 0; k < num_accs; ++k) results.push_back(current(accs[k]));
  results.insert(results.end(), mapped.begin(), mapped.end());
  all(s, std::move(results));
}

}  // namespace heddle::lower
