#include "ir/seg/verify.h"

#include <algorithm>

#include "ir/seg/verify_checker.h"

namespace heddle::seg {

std::vector<Problem> verify(const Program& program) { return Checker(program).run(); }

std::vector<Problem> Checker::run() {
  check_opaque_types();
  for (const FunDef& f : program_.functions) {
    line_ = f.position.line;
    if (!functions_.emplace(f.name, &f).second) problem("There are several functions named {}.", f.name);
  }
  check_stms(program_.constants);
  for (const FunDef& f : program_.functions) check_function(f);
  return std::move(problems_);
}

void Checker::add_problem(std::string message) {
  if (problems_.size() < kMaxProblems) problems_.push_back(Problem{line_, std::move(message)});
}

void Checker::check_function(const FunDef& f) {
  line_ = f.position.line;
  size_t before = problems_.size();
  size_t mark = scope_mark();
  floor_ = static_cast<int>(roots_.size());
  for (const Param& p : f.params) {
    Roots roots = fresh_root(p.type, p.name.text(), !p.type.unique);
    bind(p.name, p.type, std::move(roots));
  }
  for (const Param& p : f.params) check_type(p.type);
  std::vector<Type> types;
  for (const RetType& r : f.ret) {
    check_type(r.type);
    types.push_back(r.type);
  }
  if (f.entry) check_entry(f, *f.entry);
  if (f.body) {
    check_body(*f.body, [&](const std::vector<BodyValue>& values) {
      match_types(values, types, "function " + f.name);
      check_return_aliases(f, values);
    });
  }
  leave_scope(mark);
  for (size_t i = before; i < problems_.size(); i++) {
    if (problems_[i].line == 0) problems_[i].message = "In function " + f.name + ": " + problems_[i].message;
  }
}

void Checker::check_return_aliases(const FunDef& f, const std::vector<BodyValue>& values) {
  if (values.size() != f.ret.size()) return;
  auto contains = [](const std::vector<int>& all, size_t i) {
    return std::find(all.begin(), all.end(), static_cast<int>(i)) != all.end();
  };
  auto in_range = [&](const std::vector<int>& all, size_t count) {
    return std::all_of(all.begin(), all.end(), [&](int i) { return i >= 0 && static_cast<size_t>(i) < count; });
  };
  std::unordered_map<int, size_t> param_of;  // by root; only for parameters that are not unique
  Roots unique;
  for (size_t p = 0; p < f.params.size(); p++) {
    auto it = vars_.find(f.params[p].name);
    if (it == vars_.end()) continue;
    for (int r : it->second.roots) {
      if (!f.params[p].type.unique) param_of[r] = p;
      if (f.params[p].type.unique) unique.push_back(r);
    }
  }
  std::unordered_map<int, size_t> result_of;
  for (size_t i = 0; i < values.size(); i++) {
    const RetType& ret = f.ret[i];
    if (!in_range(ret.alias_params, f.params.size()) || !in_range(ret.alias_results, f.ret.size())) {
      problem("Result {} is said to alias a parameter or result that does not exist.", i);
      continue;
    }
    if (!ret.type.is_array()) continue;
    for (int r : values[i].roots) {
      auto p = param_of.find(r);
      if (p != param_of.end() && !contains(ret.alias_params, p->second)) {
        problem("Result {} may alias parameter {}, but its type does not say so.", i, f.params[p->second].name.text());
      }
      if (p != param_of.end() || std::find(unique.begin(), unique.end(), r) != unique.end()) continue;
      auto [other, first] = result_of.try_emplace(r, i);
      size_t j = other->second;
      if (!first && j != i && !contains(ret.alias_results, j) && !contains(f.ret[j].alias_results, i)) {
        problem("Results {} and {} may alias each other, but their types do not say so.", j, i);
      }
    }
  }
}

void Checker::check_stms(const Stms& stms) {
  for (const StmPtr& stm : stms) check_stm(*stm);
}

void Checker::check_stm(const Stm& stm) {
  if (stm.position.line) line_ = stm.position.line;
  check_certs(stm.certs);
  Outs outs = std::visit([&](const auto& e) { return rule(e); }, stm.exp);
  if (stm.position.line) line_ = stm.position.line;
  check_pattern(stm, outs);
}

void Checker::check_pattern(const Stm& stm, const Outs& outs) {
  const Pat& pat = stm.pat;
  std::unordered_map<Name, int> position;
  for (size_t i = 0; i < pat.size(); i++) position.try_emplace(pat[i].name, static_cast<int>(i));
  bool count_ok = outs && outs->size() == pat.size();
  if (outs && !count_ok) {
    problem("The statement binds {} name{}, but its expression yields {} value{}.", pat.size(),
            pat.size() == 1 ? "" : "s", outs->size(), outs->size() == 1 ? "" : "s");
  }
  for (size_t i = 0; i < pat.size(); i++) {
    Roots roots;
    if (count_ok) {
      const Out& out = (*outs)[i];
      Type declared = pat[i].type;
      for (Dim& d : declared.dims) {
        if (d.is_ext() || !d.size().is_var()) continue;
        auto it = position.find(d.size().name());
        if (it != position.end()) d = Ext{it->second};
      }
      if (!same(declared, out.type)) {
        problem("{} is declared to be of type {}, but its expression yields {}.", pat[i].name.text(),
                print(pat[i].type), print(out.type));
      }
      if (pat[i].type.is_array()) roots = out.roots;
      for (int r : roots) {
        if (roots_[r].name.empty()) roots_[r].name = pat[i].name.text();
      }
    }
    // An accumulator's name is the only one for its value.
    if (pat[i].type.is_acc()) roots = fresh_root(pat[i].name.text());
    bind(pat[i].name, pat[i].type, std::move(roots));
  }
  for (const PatElem& p : pat) check_type(p.type);
}

std::vector<BodyValue> Checker::check_results(const std::vector<SubExpRes>& results) {
  std::vector<BodyValue> values;
  for (const SubExpRes& r : results) {
    check_certs(r.certs);
    const Type* type = use(r.value);
    values.push_back(BodyValue{r.value, type, roots_of(r.value)});
  }
  return values;
}

void Checker::match_types(const std::vector<BodyValue>& values, const std::vector<Type>& types, std::string_view what) {
  if (values.size() != types.size()) {
    problem("The body of {} yields {} values, but {} are declared: {}.", what, values.size(), types.size(),
            print(types));
    return;
  }
  for (size_t i = 0; i < values.size(); i++) {
    if (!values[i].type) continue;
    Type wanted = types[i];
    bool ok = true;
    for (Dim& d : wanted.dims) {
      if (!d.is_ext()) continue;
      int k = d.ext().index;
      if (k < 0 || static_cast<size_t>(k) >= values.size()) {
        problem("The result types of {} mention the size ?{}, but there are only {} results.", what, k, values.size());
        ok = false;
        continue;
      }
      const Type* size_type = values[k].type;
      if (size_type && !same(*size_type, i64_type())) {
        problem("The result types of {} use result {} as a size, but it is of type {}.", what, k, print(*size_type));
        ok = false;
      }
      d = Dim(values[k].value);
    }
    if (ok && !same(wanted, *values[i].type)) {
      problem("Result {} of the body of {} must be of type {}, but {} is of type {}.", i, what, print(wanted),
              print(values[i].value), print(*values[i].type));
    }
  }
}

void Checker::check_lambda(const Lambda& lambda, const std::vector<LambdaArg>& args, std::string_view what,
                           bool contained) {
  if (!lambda.body) return;
  size_t mark = scope_mark();
  int outer_floor = floor_;
  int first_root = static_cast<int>(roots_.size());
  if (contained) floor_ = first_root;
  bool count_ok = lambda.params.size() == args.size();
  if (!count_ok) {
    problem("The lambda of {} takes {} parameters, but must take {}.", what, lambda.params.size(), args.size());
  }
  std::vector<int> param_roots;
  for (size_t i = 0; i < lambda.params.size(); i++) {
    const Param& p = lambda.params[i];
    if (count_ok && !same(p.type, args[i].type)) {
      problem("Parameter {} of the lambda of {} is of type {}, but must be of type {}.", p.name.text(), what,
              print(p.type), print(args[i].type));
    }
    Roots roots = fresh_root(p.type, p.name.text());
    param_roots.push_back(roots.empty() ? -1 : roots[0]);
    bind(p.name, p.type, std::move(roots));
  }
  for (const Param& p : lambda.params) check_type(p.type);
  for (const Type& t : lambda.ret) check_type(t);
  check_body(*lambda.body, [&](const std::vector<BodyValue>& values) {
    match_types(values, lambda.ret, fmt::format("a lambda of {}", what));
  });
  leave_scope(mark);
  floor_ = outer_floor;
  if (!count_ok) return;
  for (size_t i = 0; i < args.size(); i++) {
    if (param_roots[i] >= 0 && roots_[param_roots[i]].consumed) consume_roots(args[i].roots, lambda.params[i].name);
  }
}

void Checker::check_operator(const Lambda& lambda, const std::vector<Type>& types, std::string_view what) {
  std::vector<LambdaArg> args;
  for (int twice = 0; twice < 2; twice++) {
    for (const Type& t : types) args.push_back(LambdaArg{t, {}});
  }
  if (!same(lambda.ret, types)) {
    problem("The operator of {} returns {}, but its neutral element is of type {}.", what, print(lambda.ret),
            print(types));
  }
  check_lambda(lambda, args, what);
}

}  // namespace heddle::seg
