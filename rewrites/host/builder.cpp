#include "rewrites/host/builder.h"

#include <fmt/format.h>

#include "runtime/device/limits.h"

namespace heddle::host {

void refuse_at(const std::string& construct, const seg::Position& position) {
  heddle::refuse(construct + (position.line > 0 ? fmt::format(" (line {} of the IR)", position.line) : ""));
}

void check_failure(const Failure& failure, const seg::Position& position) {
  size_t num_args = 0;
  for (const auto& part : failure.message) num_args += std::holds_alternative<prim::Type>(part) ? 1 : 0;
  if (num_args > HD_MAX_FAILURE_ARGS)
    refuse_at(fmt::format("error messages with more than {} values", HD_MAX_FAILURE_ARGS), position);
}

void Builder::check_type(const seg::Type& type) const {
  if (type.rank() > HD_MAX_RANK) refuse(fmt::format("arrays of more than {} dimensions", HD_MAX_RANK));
}

Builder::Kind Builder::kind_of(const seg::Type& type) {
  if (type.is_array()) return Kind::Array;
  return type.is_acc() || type.elem == prim::Type::Unit ? Kind::Nothing : Kind::Scalar;
}

Builder::Kind Builder::kind(const seg::SubExp& value) const {
  if (!value.is_var()) return value.value().type == prim::Type::Unit ? Kind::Nothing : Kind::Scalar;
  auto it = types_.find(name(value.name()));
  if (it == types_.end()) return Kind::Nothing;
  return it->second.rank > 0 ? Kind::Array : Kind::Scalar;
}

// ---- Names and values. ----

// In seg, disjoint scopes may bind the same name; here they may become one.
Name Builder::bind(const Name& name, Type type) {
  Name here = name;
  if (types_.contains(name)) {
    here = fresh(name.base, type);
    renamed_[name] = here;
    if (type.rank == 0) substitution_[name] = nest::var(here, type.elem);
  }
  types_[here] = type;
  return here;
}

Name Builder::fresh(const std::string& base, Type type) {
  Name n;
  do {
    n = names_.fresh(base);
  } while (types_.contains(n));
  types_[n] = type;
  return n;
}

Name Builder::own(const Name& array) {
  frames_.back().owned.push_back(array);
  return array;
}

Name Builder::name(const Name& n) const {
  auto it = renamed_.find(n);
  return it == renamed_.end() ? n : it->second;
}

Expr Builder::scalar(const seg::SubExp& value) const {
  if (!value.is_var()) return nest::constant(value.value());
  Name n = name(value.name());
  auto it = types_.find(n);
  return it == types_.end() ? nest::constant(prim::Value::unit()) : nest::var(n, it->second.elem);
}

std::vector<Expr> Builder::scalars(const std::vector<seg::SubExp>& values) const {
  std::vector<Expr> all;
  for (const seg::SubExp& v : values) all.push_back(scalar(v));
  return all;
}

std::vector<Expr> Builder::exprs(const std::vector<Expr>& list) const {
  std::vector<Expr> all;
  for (const Expr& e : list) all.push_back(expr(e));
  return all;
}

// ---- Statements in general. ----

void Builder::statements(const seg::Stms& stms) {
  for (const seg::StmPtr& s : stms) {
    position_ = s->position;
    for (const seg::PatElem& p : s->pat) check_type(p.type);
    std::visit([&](const auto& exp) { emit(*s, exp); }, s->exp);
  }
}

Value Builder::yield(const Name& array) {
  Name shared = fresh(array.base, type_of(array));
  add(Share{shared, array});
  return shared;
}

Block Builder::finish(std::vector<Value> yields) {
  for (const Name& array : frames_.back().owned) add(Free{array});
  Block block{std::move(frames_.back().stmts), std::move(yields)};
  frames_.pop_back();
  return block;
}

Block Builder::block(const seg::Stms& stms, const std::vector<seg::SubExpRes>& results,
                     const std::vector<seg::Type>& types, const std::vector<Name>& owned) {
  begin();
  for (const Name& n : owned) own(n);
  statements(stms);
  std::vector<Value> yields;
  for (size_t i = 0; i < types.size(); ++i) {
    Kind kind = kind_of(types[i]);
    if (kind == Kind::Scalar) yields.emplace_back(scalar(results[i].value));
    if (kind == Kind::Array) yields.push_back(yield(array(results[i].value)));
  }
  return finish(std::move(yields));
}

void Builder::define(const seg::PatElem& elem, const Expr& value) {
  if (kind_of(elem.type) == Kind::Scalar) add(Let{bind(elem), value});
}

Expr Builder::measure(Aspect aspect, const Name& array, int dim, const std::string& base) {
  Name n = fresh(base, {prim::Type::I64});
  add(Measure{n, aspect, array, dim});
  return nest::var(n, prim::Type::I64);
}

Expr Builder::stride(const Name& array, int dim) {
  for (const Frame& f : frames_) {
    if (auto it = f.strides.find({array, dim}); it != f.strides.end()) return it->second;
  }
  Expr e = measure(Aspect::Stride, array, dim, "stride");
  frames_.back().strides.emplace(std::pair(array, dim), e);
  return e;
}

Name Builder::alloc(const Name& bound, prim::Type elem, std::vector<Expr> shape, std::vector<int> order) {
  if (order.empty()) order = row_major(shape.size());
  add(Alloc{bound, elem, std::move(shape), std::move(order)});
  return bound;
}

void Builder::free_now(const Name& array) { add(Free{array}); }

void Builder::share(const seg::PatElem& dst, const Name& src) {
  Name bound = bind(dst);
  add(Share{bound, src});
  own(bound);
}

void Builder::same(const seg::PatElem& dst, const seg::SubExp& value) {
  if (kind(value) == Kind::Array) return share(dst, array(value));
  define(dst, scalar(value));
}

// ---- Functions. ----

Name Builder::borrow(const Name& name, const seg::Type& type) {
  check_type(type);
  Kind kind = kind_of(type);
  return kind == Kind::Nothing ? name : bind(name, {type.elem, type.rank()});
}

// Sizes come from the shapes of arrays or from scalars that are passed; all occurrences of one must agree.
void Builder::bind_sizes(const std::vector<seg::Param>& params, size_t num_sizes, const std::vector<Name>& inputs) {
  std::vector<std::pair<seg::SubExp, Expr>> agree;
  for (size_t i = num_sizes; i < params.size(); ++i) {
    for (int d = 0; d < params[i].type.rank(); ++d) {
      const seg::SubExp& wanted = params[i].type.dims[static_cast<size_t>(d)].size();
      const Name& input = inputs[i - num_sizes];
      if (wanted.is_var() && !types_.contains(wanted.name())) {
        add(Measure{bind(wanted.name(), {prim::Type::I64}), Aspect::Size, input, d});
      } else {
        agree.emplace_back(wanted, size(input, d));
      }
    }
  }
  for (size_t i = 0; i < num_sizes; ++i) {
    const seg::Param& p = params[i];
    // A size of no array can only matter as the size of something empty.
    if (kind_of(p.type) == Kind::Scalar && !types_.contains(p.name))
      add(Let{bind(p.name, {p.type.elem}), nest::constant(prim::zero(p.type.elem))});
  }
  Expr all;
  for (const auto& [wanted, actual] : agree) {
    Expr same = nest::operation(prim::Op(prim::Family::Eq, prim::Type::I64), {actual, scalar(wanted)});
    all = all ? nest::both(all, same) : same;
  }
  if (all) add(Check{all, "Error: entry point arguments have invalid sizes.\n"});
}

Value Builder::deliver(const seg::SubExp& value) {
  if (kind(value) != Kind::Array) return scalar(value);
  Name source = array(value), result = fresh("result", type_of(source));
  add(Deliver{result, source});
  return result;
}

}  // namespace heddle::host
