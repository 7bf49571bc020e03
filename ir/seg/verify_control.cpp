// Calls, branches, loops and accumulation.
#include <algorithm>

#include "ir/seg/verify_checker.h"

namespace heddle::seg {

Outs Checker::rule(const Apply& e) {
  if (auto f = functions_.find(e.function); f != functions_.end()) return call(e, *f->second);
  if (const prim::Function* f = prim::find_function(e.function)) return call(e, *f);
  for (const Arg& a : e.args) use(a.value);
  problem("There is no function {}.", e.function);
  return std::nullopt;
}

Outs Checker::call(const Apply& e, const prim::Function& f) {
  auto types = f.arg_types();
  if (types.size() != e.args.size()) {
    problem("{} takes {} arguments, but is given {}.", e.function, types.size(), e.args.size());
    return std::nullopt;
  }
  for (size_t i = 0; i < types.size(); i++) require(e.args[i].value, types[i], "An argument of " + e.function);
  if (e.ret.size() != 1 || !same(e.ret[0].type, scalar_type(f.result))) {
    problem("{} returns {{{}}}.", e.function, prim::name(f.result));
  }
  return fresh({scalar_type(f.result)});
}

Outs Checker::call(const Apply& e, const FunDef& f) {
  if (f.params.size() != e.args.size()) {
    problem("{} takes {} arguments, but is given {}.", e.function, f.params.size(), e.args.size());
    return std::nullopt;
  }
  Substitution actual;
  for (size_t i = 0; i < e.args.size(); i++) actual.insert_or_assign(f.params[i].name, e.args[i].value);
  for (size_t i = 0; i < e.args.size(); i++) {
    const Type* type = use(e.args[i].value);
    if (!type) continue;
    Type wanted = type->is_acc() ? f.params[i].type : substitute(actual, f.params[i].type);
    if (!same(*type, wanted)) {
      problem("Parameter {} of {} is of type {}, but {} is of type {}.", f.params[i].name.text(), e.function,
              print(wanted), print(e.args[i].value), print(*type));
    }
    if (f.params[i].type.unique != e.args[i].consumed && !type->is_scalar()) {
      problem("{} {} its parameter {}, but the call says otherwise.", e.function,
              f.params[i].type.unique ? "consumes" : "does not consume", f.params[i].name.text());
    }
  }
  if (e.ret.size() != f.ret.size()) {
    problem("{} returns {} values, not {}.", e.function, f.ret.size(), e.ret.size());
    return std::nullopt;
  }
  std::vector<Out> outs;
  for (size_t i = 0; i < f.ret.size(); i++) {
    Type type = f.ret[i].type.is_acc() ? f.ret[i].type : substitute(actual, f.ret[i].type);
    if (!same(type, e.ret[i].type) || type.unique != e.ret[i].type.unique) {
      problem("Result {} of {} is of type {}{}, but the call says {}{}.", i, e.function, type.unique ? "*" : "",
              print(type), e.ret[i].type.unique ? "*" : "", print(e.ret[i].type));
    }
    if (f.ret[i].alias_params != e.ret[i].alias_params || f.ret[i].alias_results != e.ret[i].alias_results) {
      problem("The call of {} disagrees with its definition on what result {} may alias.", e.function, i);
    }
    Roots roots = fresh_root(type);
    outs.push_back(Out{std::move(type), std::move(roots)});
  }
  for (size_t i = 0; i < e.args.size(); i++) {
    if (f.params[i].type.unique && e.args[i].value.is_var()) consume(e.args[i].value.name());
  }
  std::vector<Roots> own;
  for (const Out& o : outs) own.push_back(o.roots);
  for (size_t i = 0; i < outs.size(); i++) {
    if (outs[i].type.is_scalar()) continue;
    for (int p : f.ret[i].alias_params) {
      if (p < 0 || static_cast<size_t>(p) >= e.args.size() || f.params[p].type.unique) continue;
      outs[i].roots = unite(outs[i].roots, roots_of(e.args[p].value));
    }
    for (int r : f.ret[i].alias_results) {
      if (r >= 0 && static_cast<size_t>(r) < own.size()) outs[i].roots = unite(outs[i].roots, own[r]);
    }
  }
  return outs;
}

Outs Checker::rule(const Match& e) {
  std::vector<const Type*> types;
  for (const SubExp& s : e.subjects) {
    const Type* type = use(s);
    if (type && !type->is_scalar()) problem("match takes scalars, but {} is of type {}.", print(s), print(*type));
    types.push_back(type);
  }
  for (const Case& c : e.cases) {
    if (c.pattern.size() != types.size()) {
      problem("match is of {} values, but a case has a pattern of {}.", types.size(), c.pattern.size());
      continue;
    }
    for (size_t i = 0; i < types.size(); i++) {
      if (types[i] && c.pattern[i] && c.pattern[i]->type != types[i]->elem) {
        problem("{} of type {} can't match {}.", print(e.subjects[i]), print(*types[i]), prim::to_text(*c.pattern[i]));
      }
    }
  }
  for (const Type& t : e.ret) check_type(t);
  std::vector<Out> outs;
  for (const Type& t : e.ret) outs.push_back(Out{t, {}});
  alternatives(e.cases.size() + 1, [&](size_t i) {
    const BodyPtr& body = i < e.cases.size() ? e.cases[i].body : e.otherwise;
    if (!body) return;
    check_body(*body, [&](const std::vector<BodyValue>& values) {
      match_types(values, e.ret, i < e.cases.size() ? fmt::format("case {} of match", i) : "the default of match");
      for (size_t k = 0; k < outs.size() && k < values.size(); k++)
        outs[k].roots = unite(outs[k].roots, values[k].roots);
    });
  });
  for (Out& o : outs) drop_consumed(o.roots);
  return outs;
}

Outs Checker::rule(const Loop& e) {
  if (e.params.size() != e.inits.size()) {
    problem("The loop has {} parameters, but {} initial values.", e.params.size(), e.inits.size());
    return std::nullopt;
  }
  if (auto* form = std::get_if<ForLoop>(&e.form)) {
    if (!prim::is_int(form->index_type))
      problem("A loop counts with an integer, not {}.", prim::name(form->index_type));
    require(form->bound, form->index_type, "The bound of a loop");
  }
  Substitution initial;
  for (size_t i = 0; i < e.params.size(); i++) initial.insert_or_assign(e.params[i].name, e.inits[i]);
  std::vector<Out> outs;
  std::unordered_map<Name, int> position;
  for (size_t i = 0; i < e.params.size(); i++) position.try_emplace(e.params[i].name, static_cast<int>(i));
  for (size_t i = 0; i < e.params.size(); i++) {
    const Param& p = e.params[i];
    const Type* type = use(e.inits[i]);
    if (type) {
      Type wanted = p.type.is_acc() ? p.type : substitute(initial, p.type);
      if (!same(*type, wanted)) {
        problem("Loop parameter {} starts as {}, which is of type {}, but must be of type {}.", p.name.text(),
                print(e.inits[i]), print(*type), print(wanted));
      }
    }
    Out out{p.type, {}};
    for (Dim& d : out.type.dims) {
      if (d.is_ext() || !d.size().is_var()) continue;
      auto it = position.find(d.size().name());
      if (it != position.end()) d = Ext{it->second};
    }
    if (p.type.is_array()) out.roots = p.type.unique ? fresh_root() : roots_of(e.inits[i]);
    outs.push_back(std::move(out));
  }
  for (size_t i = 0; i < e.params.size(); i++) {
    if (e.params[i].type.unique && e.inits[i].is_var()) consume(e.inits[i].name());
  }

  size_t mark = scope_mark();
  int outer_floor = floor_;
  floor_ = static_cast<int>(roots_.size());
  for (const Param& p : e.params) {
    Roots roots = fresh_root(p.type, p.name.text(), !p.type.unique && !p.type.is_acc());
    bind(p.name, p.type, std::move(roots));
  }
  for (const Param& p : e.params) check_type(p.type);
  if (auto* form = std::get_if<ForLoop>(&e.form)) {
    bind(form->index, scalar_type(form->index_type), {});
  } else {
    const Name& c = std::get<WhileLoop>(e.form).condition;
    require(c, prim::Type::Bool, "The condition of a while loop");
  }
  if (e.body) {
    check_body(*e.body, [&](const std::vector<BodyValue>& values) {
      std::vector<Type> types;
      for (const Out& o : outs) types.push_back(o.type);
      match_types(values, types, "a loop");
    });
  }
  leave_scope(mark);
  floor_ = outer_floor;
  return outs;
}

Outs Checker::rule(const WithAcc& e) {
  size_t count = e.inputs.size();
  if (e.lambda.params.size() != 2 * count) {
    problem("with_acc of {} accumulators needs a lambda of {} parameters, not {}.", count, 2 * count,
            e.lambda.params.size());
    return std::nullopt;
  }
  bool known = true;
  std::vector<LambdaArg> args(count, LambdaArg{scalar_type(prim::Type::Unit), {}});
  std::vector<Out> outs;
  for (size_t i = 0; i < count; i++) {
    const WithAccInput& in = e.inputs[i];
    require_sizes(in.shape, "A size of with_acc");
    int rank = static_cast<int>(in.shape.size());
    std::vector<Type> elems;
    for (const Name& a : in.arrays) {
      const Type* type = use_array(a, "What with_acc updates");
      if (!type) {
        known = false;
        continue;
      }
      if (type->rank() < rank || !std::equal(in.shape.begin(), in.shape.end(), type->dims.begin(),
                                             [](const SubExp& s, const Dim& d) { return d == Dim(s); })) {
        problem("{} is {}, but with_acc needs an array of outer shape {}.", a.text(), print(*type), print(in.shape));
        known = false;
        continue;
      }
      elems.push_back(strip(*type, rank));
      outs.push_back(Out{with_shape(*type, {}), fresh_root()});
      outs.back().type = *type;
      consume(a);
    }
    if (!known) continue;
    if (in.op) {
      std::vector<LambdaArg> op_args(rank, LambdaArg{i64_type(), {}});
      for (int twice = 0; twice < 2; twice++) {
        for (const Type& t : elems) op_args.push_back(LambdaArg{t, {}});
      }
      auto neutral = use_all(in.op->neutral);
      if (neutral && !same(*neutral, in.op->op.ret)) {
        problem("The operator of with_acc returns {}, but its neutral element is of type {}.", print(in.op->op.ret),
                print(*neutral));
      }
      if (!same(in.op->op.ret, elems)) {
        problem("The operator of with_acc returns {}, but the arrays' elements are {}.", print(in.op->op.ret),
                print(elems));
      }
      check_lambda(in.op->op, op_args, "with_acc's operator");
    }
    args.push_back(LambdaArg{Type::accumulator(AccType{e.lambda.params[i].name, in.shape, std::move(elems)}), {}});
  }
  if (!known) return std::nullopt;
  if (e.lambda.ret.size() < count) {
    problem("The lambda of with_acc must return its {} accumulators first.", count);
    return std::nullopt;
  }
  for (size_t i = 0; i < count; i++) {
    if (!same(e.lambda.ret[i], args[count + i].type)) {
      problem("Result {} of the lambda of with_acc must be the accumulator {}, but is of type {}.", i,
              print(args[count + i].type), print(e.lambda.ret[i]));
    }
  }
  check_lambda(e.lambda, args, "with_acc", false);
  for (size_t i = count; i < e.lambda.ret.size(); i++) {
    Roots roots = fresh_root(e.lambda.ret[i]);
    outs.push_back(Out{e.lambda.ret[i], std::move(roots)});
  }
  return outs;
}

}  // namespace heddle::seg
