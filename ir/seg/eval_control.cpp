// Calls, branches, loops and accumulation.
#include <algorithm>
#include <utility>

#include "ir/seg/eval_machine.h"

namespace heddle::seg {

Cells Machine::eval(const Apply& e) {
  if (const FunDef* f = program_.find_function(e.function)) {
    Cells args;
    for (const Arg& a : e.args) args.push_back(a.consumed ? take(a.value) : get(a.value));
    return call(*f, std::move(args));
  }
  const prim::Function* f = prim::find_function(e.function);
  if (!f) broken("There is no function {}.", e.function);
  std::vector<prim::Value> args;
  for (const Arg& a : e.args) args.push_back(scalar(a.value));
  auto result = prim::eval_function(*f, args);
  if (!result) broken("{} is applied to arguments of the wrong types.", e.function);
  return {*result};
}

Cells Machine::eval(const Match& e) {
  if (e.sort == MatchSort::Equiv && options_.versions == Versions::Default) return eval_body(*e.otherwise);
  for (const Case& c : e.cases) {
    if (c.pattern.size() != e.subjects.size())
      broken("A case has a pattern of {} values for {}.", c.pattern.size(), e.subjects.size());
    bool matches = true;
    for (size_t i = 0; i < c.pattern.size() && matches; i++)
      matches = !c.pattern[i] || *c.pattern[i] == scalar(e.subjects[i]);
    if (matches) return eval_body(*c.body);
  }
  return eval_body(*e.otherwise);
}

Cells Machine::eval(const Loop& e) {
  if (e.params.size() != e.inits.size())
    broken("A loop has {} parameters, but {} initial values.", e.params.size(), e.inits.size());
  Cells values;
  for (size_t i = 0; i < e.inits.size(); i++)
    values.push_back(e.params[i].type.unique ? take(e.inits[i]) : get(e.inits[i]));
  auto body = [&] {
    tick();
    values.clear();
    values = eval_body(*e.body);
    if (values.size() != e.params.size())
      broken("A loop's body yields {} values for {} parameters.", values.size(), e.params.size());
  };
  if (auto* form = std::get_if<ForLoop>(&e.form)) {
    int64_t bound = integer(form->bound);
    for (int64_t i = 0; i < bound; i++) {
      bind_all(e.params, std::exchange(values, {}));
      env_->insert_or_assign(form->index, prim::Value::of_int(form->index_type, i));
      body();
    }
  } else {
    const Name& condition = std::get<WhileLoop>(e.form).condition;
    for (;;) {
      bind_all(e.params, values);
      if (!scalar(condition).as_bool()) break;
      body();
    }
  }
  drop_arrays(e.params);
  return values;
}

Cells Machine::eval(const WithAcc& e) {
  Cells args(e.inputs.size(), prim::Value::unit());
  std::vector<std::shared_ptr<Accumulator>> accs;
  if (e.lambda.params.size() != 2 * e.inputs.size()) broken("with_acc's lambda takes the wrong number of parameters.");
  for (size_t i = 0; i < e.inputs.size(); i++) {
    const WithAccInput& in = e.inputs[i];
    auto acc = std::make_shared<Accumulator>(Accumulator{e.lambda.params[i].name, &in, sizes(in.shape), {}});
    for (const Name& a : in.arrays) {
      acc->arrays.push_back(take(a));
      const std::vector<int64_t>& shape = acc->arrays.back().shape;
      if (shape.size() < acc->space.size() || !std::equal(acc->space.begin(), acc->space.end(), shape.begin())) {
        broken("with_acc is given {}, which is of another shape.", a.text());
      }
    }
    accs.push_back(acc);
    args.emplace_back(acc);
  }
  Cells results = call(e.lambda, std::move(args));
  if (results.size() < accs.size()) broken("with_acc yields too few values.");
  Cells outs;
  for (auto& acc : accs) {
    for (Array& a : acc->arrays) outs.emplace_back(std::move(a));
  }
  outs.insert(outs.end(), std::make_move_iterator(results.begin() + static_cast<std::ptrdiff_t>(accs.size())),
              std::make_move_iterator(results.end()));
  return outs;
}

Cells Machine::eval(const GpuBody& e) {
  Cells results = eval_body(*e.body);
  if (results.size() != e.types.size()) broken("gpu yields {} values for {} types.", results.size(), e.types.size());
  Cells outs;
  for (size_t i = 0; i < results.size(); i++) {
    Collector c(*this, {1}, e.types[i]);
    c.put(0, std::move(results[i]));
    outs.push_back(c.finish());
  }
  return outs;
}

}  // namespace heddle::seg
