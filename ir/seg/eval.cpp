#include "ir/seg/eval.h"

#include <algorithm>
#include <new>
#include <utility>

#include "ir/seg/entry.h"
#include "ir/seg/eval_machine.h"

namespace heddle::seg {

EvalResult evaluate(const Program& program, std::string_view entry, const std::vector<TypedValue>& inputs,
                    const EvalOptions& options) {
  Machine machine(program, options);
  EvalResult result;
  try {
    result.values = machine.run(entry, inputs);
  } catch (const Stop& stop) {
    result.outcome = stop.outcome;
    result.message = stop.message;
    result.location = stop.location;
  } catch (const std::bad_alloc&) {
    result.outcome = Outcome::Limit;
    result.message = "The program needs too much memory.";
  }
  result.line = machine.line();
  result.trace = machine.take_trace();
  return result;
}

// ---- Names. ----

const Cell& Machine::lookup(const Name& name) const {
  Frame::const_iterator it = env_->find(name);
  if (it == env_->end()) {
    it = constants_.find(name);
    if (it == constants_.end()) broken("{} is used, but not bound.", name.text());
  }
  if (std::holds_alternative<std::monostate>(it->second)) broken("{} is used after it has been consumed.", name.text());
  return it->second;
}

Cell Machine::get(const SubExp& e) const {
  if (e.is_var()) return lookup(e.name());
  return e.value();
}

const prim::Value& Machine::scalar(const SubExp& e) const {
  if (!e.is_var()) return e.value();
  auto* v = std::get_if<prim::Value>(&lookup(e.name()));
  if (!v) broken("{} must be a scalar.", e.name().text());
  return *v;
}

const Array& Machine::array(const Name& name) const {
  const Cell& cell = lookup(name);
  if (auto* m = std::get_if<Misfit>(&cell)) broken("{}", *m->reason);
  auto* a = std::get_if<Array>(&cell);
  if (!a) broken("{} must be an array.", name.text());
  return *a;
}

Array Machine::take(const Name& name) {
  Array a = array(name);
  auto it = env_->find(name);
  if (it != env_->end()) it->second = std::monostate{};
  return a;
}

Cell Machine::take(const SubExp& e) {
  if (!e.is_var() || !std::holds_alternative<Array>(lookup(e.name()))) return get(e);
  return take(e.name());
}

Cell Machine::accumulator(const Type& type) const {
  for (const auto& [name, cell] : *env_) {
    auto* acc = std::get_if<std::shared_ptr<Accumulator>>(&cell);
    if (acc && (*acc)->cert == type.acc->cert) return cell;
  }
  broken("There is no accumulator for {}.", type.acc->cert.text());
}

std::vector<int64_t> Machine::sizes(const Shape& shape) const {
  std::vector<int64_t> result;
  for (const SubExp& e : shape) result.push_back(integer(e));
  return result;
}

std::vector<int64_t> Machine::sizes(const Type& type) const {
  std::vector<int64_t> result;
  for (const Dim& d : type.dims) {
    if (d.is_ext()) broken("A type says ?{} where its sizes must be known.", d.ext().index);
    result.push_back(integer(d.size()));
  }
  return result;
}

void Machine::check(const Name& name, const Type& type, const Cell& value) const {
  if (type.is_acc()) {
    if (!std::holds_alternative<std::shared_ptr<Accumulator>>(value)) broken("{} must be an accumulator.", name.text());
  } else if (type.is_array()) {
    if (std::holds_alternative<Misfit>(value)) return;
    auto* a = std::get_if<Array>(&value);
    if (!a || a->elem != type.elem || a->shape.size() != type.dims.size()) {
      broken("{} is bound to a value that is not of its type.", name.text());
    }
    for (size_t i = 0; i < type.dims.size(); i++) {
      if (type.dims[i].is_ext() || integer(type.dims[i].size()) == a->shape[i]) continue;
      broken("{} is bound to an array of shape [{}], but its type says that dimension {} has size {}.", name.text(),
             fmt::join(a->shape, "]["), i, integer(type.dims[i].size()));
    }
  } else {
    auto* v = std::get_if<prim::Value>(&value);
    if (!v || v->type != type.elem) broken("{} is bound to a value that is not of its type.", name.text());
  }
}

void Machine::bind(const Name& name, const Type& type, Cell value) {
  check(name, type, value);
  env_->insert_or_assign(name, std::move(value));
}

void Machine::bind_all(const std::vector<Param>& params, Cells values) {
  if (params.size() != values.size()) broken("{} parameters are given {} values.", params.size(), values.size());
  // All before any check, because types mention other parameters.
  for (size_t i = 0; i < params.size(); i++) env_->insert_or_assign(params[i].name, std::move(values[i]));
  for (const Param& p : params) check(p.name, p.type, env_->at(p.name));
}

void Machine::drop_arrays(const Stms& stms) {
  for (const StmPtr& stm : stms) drop_arrays(stm->pat);
}

// ---- Bodies. ----

Cells Machine::eval_body(const Body& body) {
  Nesting nesting(*this);
  eval_stms(body.stms);
  Cells results;
  results.reserve(body.result.size());
  for (const SubExpRes& r : body.result) results.push_back(get(r.value));
  drop_arrays(body.stms);
  return results;
}

void Machine::eval_stms(const Stms& stms) {
  for (const StmPtr& stm : stms) eval_stm(*stm);
}

void Machine::eval_stm(const Stm& stm) {
  tick();
  if (stm.position.line) line_ = stm.position.line;
  for (const Name& c : stm.certs) lookup(c);
  std::visit(
      [&](const auto& e) {
        if constexpr (std::is_same_v<decltype(eval(e)), Cell>) {
          Cell result = eval(e);
          if (stm.pat.size() != 1) broken("A statement binds {} names to one value.", stm.pat.size());
          bind(stm.pat[0].name, stm.pat[0].type, std::move(result));
        } else {
          Cells results = eval(e);
          if (stm.pat.size() != results.size()) {
            broken("A statement binds {} names to {} values.", stm.pat.size(), results.size());
          }
          for (size_t i = 0; i < results.size(); i++) env_->insert_or_assign(stm.pat[i].name, std::move(results[i]));
          for (const PatElem& p : stm.pat) check(p.name, p.type, env_->at(p.name));
        }
      },
      stm.exp);
}

Cells Machine::call(const Lambda& lambda, Cells args) {
  tick();
  bind_all(lambda.params, std::move(args));
  Cells results = eval_body(*lambda.body);
  drop_arrays(lambda.params);
  return results;
}

Cells Machine::call(const FunDef& f, Cells args) {
  Frame frame;
  Frame* caller = std::exchange(env_, &frame);
  struct Restore {
    Frame*& env;
    Frame* caller;
    ~Restore() { env = caller; }
  } restore{env_, caller};
  bind_all(f.params, std::move(args));
  return eval_body(*f.body);
}

Cells Machine::combine(const Lambda& lambda, const std::vector<int64_t>& shape, const Cells& a, const Cells& b) {
  Cells args = a;
  args.insert(args.end(), b.begin(), b.end());
  if (shape.empty()) return call(lambda, std::move(args));
  std::vector<Collector> collectors;
  for (const Type& t : lambda.ret) collectors.emplace_back(*this, shape, t);
  int64_t count = *element_count(shape);
  for (int64_t i = 0; i < count; i++) {
    Cells row;
    for (const Cell& c : args) {
      auto* whole = std::get_if<Array>(&c);
      if (!whole || whole->shape.size() < shape.size())
        broken("An operator over a shape is applied to too small arrays.");
      std::vector<int64_t> inner(whole->shape.begin() + static_cast<std::ptrdiff_t>(shape.size()), whole->shape.end());
      int64_t size = *element_count(inner);
      row.push_back(part(*whole, i * size, std::move(inner)));
    }
    Cells results = call(lambda, std::move(row));
    for (size_t k = 0; k < collectors.size(); k++) collectors[k].put(i, std::move(results.at(k)));
  }
  Cells results;
  for (Collector& c : collectors) results.push_back(c.finish());
  return results;
}

Cells Machine::neutral(const Lambda& lambda, const std::vector<int64_t>& shape, const std::vector<SubExp>& values) {
  if (values.size() != lambda.ret.size())
    broken("An operator has {} results, but {} neutral elements.", lambda.ret.size(), values.size());
  Cells cells;
  for (size_t k = 0; k < values.size(); k++) {
    Collector c(*this, shape, lambda.ret[k]);
    int64_t count = shape.empty() ? 1 : element_count(shape).value_or(0);
    for (int64_t i = 0; i < count; i++) c.put(i, get(values[k]));
    cells.push_back(c.finish());
  }
  return cells;
}

// ---- Entry points. ----

std::vector<TypedValue> Machine::run(std::string_view entry, const std::vector<TypedValue>& inputs) {
  auto input_error = [](std::string message) { throw Stop{Outcome::Input, std::move(message), {}}; };
  const FunDef* f = nullptr;
  for (const FunDef& candidate : program_.functions) {
    if (candidate.entry && candidate.entry->name == entry) f = &candidate;
  }
  if (!f) input_error(fmt::format("There is no entry point \"{}\".", entry));
  if (inputs.size() > f->params.size()) input_error(fmt::format("Too many arguments for entry point \"{}\".", entry));

  eval_stms(program_.constants);

  // Sizes come first, and are found in the shapes of the others.
  size_t num_sizes = f->params.size() - inputs.size();
  Cells args(f->params.size());
  std::unordered_map<Name, int64_t> size_of;
  for (size_t i = 0; i < inputs.size(); i++) {
    const Param& p = f->params[num_sizes + i];
    auto* a = std::get_if<Array>(&inputs[i].value);
    auto* v = std::get_if<prim::Value>(&inputs[i].value);
    if (p.type.is_acc() || p.type.elem != (a ? a->elem : v->type) ||
        p.type.dims.size() != (a ? a->shape.size() : size_t{0})) {
      input_error(
          fmt::format("Argument {} of entry point \"{}\" is of the wrong type, or there are too few.", i, entry));
    }
    if (a) {
      args[num_sizes + i] = *a;
    } else {
      args[num_sizes + i] = *v;
      if (v->type == prim::Type::I64) size_of.emplace(p.name, v->i);
    }
  }
  for (size_t i = 0; i < inputs.size(); i++) {
    auto* a = std::get_if<Array>(&inputs[i].value);
    const Type& type = f->params[num_sizes + i].type;
    for (size_t d = 0; a && d < type.dims.size(); d++) {
      if (type.dims[d].is_ext()) broken("A parameter's type says ?{}.", type.dims[d].ext().index);
      const SubExp& size = type.dims[d].size();
      bool known = !size.is_var() || constants_.contains(size.name());
      int64_t expected = known ? integer(size) : size_of.emplace(size.name(), a->shape[d]).first->second;
      if (expected != a->shape[d]) input_error("Entry point arguments have invalid sizes.");
    }
  }
  for (size_t i = 0; i < num_sizes; i++) {
    auto it = size_of.find(f->params[i].name);
    if (it == size_of.end()) input_error(fmt::format("Too few arguments for entry point \"{}\".", entry));
    args[i] = prim::Value::i64(it->second);
  }

  Cells results = call(*f, std::move(args));
  std::vector<ValueType> types;
  OpaqueTypes opaque(program_);
  for (const EntryResult& r : f->entry->results) {
    auto more = opaque.constituents(r.type);
    if (!more) broken("A result type of entry point \"{}\" is not defined.", entry);
    types.insert(types.end(), more->begin(), more->end());
  }
  if (types.size() > results.size()) broken("Entry point \"{}\" yields too few values.", entry);
  std::vector<TypedValue> values;
  for (size_t i = 0; i < types.size(); i++) {
    Cell& c = results[results.size() - types.size() + i];
    if (auto* a = std::get_if<Array>(&c)) {
      values.push_back({std::move(*a), types[i].is_unsigned});
    } else if (auto* v = std::get_if<prim::Value>(&c)) {
      values.push_back({*v, types[i].is_unsigned});
    } else if (auto* m = std::get_if<Misfit>(&c)) {
      broken("{}", *m->reason);
    } else {
      broken("Entry point \"{}\" yields an accumulator.", entry);
    }
  }
  return values;
}

}  // namespace heddle::seg
