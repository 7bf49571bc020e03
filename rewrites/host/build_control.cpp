// Scalar statements, branches and loops.
#include <fmt/format.h>

#include <algorithm>

#include "rewrites/host/builder.h"

namespace heddle::host {

using prim::Family;
using prim::Op;

namespace {

constexpr int kMostOfBranches = 8;

// Whether branches do nothing but compute scalars, cannot fail, and have no more statements and cases than are left.
bool only_compute(const seg::Match& match, int& left) {
  auto is_scalar = [](const seg::Type& t) { return t.is_scalar() && t.elem != prim::Type::Unit; };
  if (match.sort != seg::MatchSort::Normal || !std::ranges::all_of(match.ret, is_scalar)) return false;
  auto computes = [&left](const seg::BodyPtr& body) {
    return --left >= 0 && std::ranges::all_of(body->stms, [&left](const seg::StmPtr& s) {
      if (const auto* inner = std::get_if<seg::Match>(&s->exp)) return only_compute(*inner, left);
      const auto* op = std::get_if<seg::PrimOp>(&s->exp);
      return --left >= 0 && ((op && !prim::can_fail(op->op)) || std::holds_alternative<seg::Atom>(s->exp));
    });
  };
  return computes(match.otherwise) &&
         std::ranges::all_of(match.cases, [&](const seg::Case& c) { return computes(c.body); });
}

}  // namespace

void Builder::emit(const seg::Stm& stm, const seg::Atom& e) { same(stm.pat[0], e.value); }

void Builder::emit(const seg::Stm& stm, const seg::Opaque& e) {
  if (e.trace && kind_of(stm.pat[0].type) != Kind::Nothing) {
    add(Trace{*e.trace, kind(e.value) == Kind::Array ? Value(array(e.value)) : Value(scalar(e.value))});
  }
  same(stm.pat[0], e.value);
}

void Builder::emit(const seg::Stm& stm, const seg::PrimOp& e) {
  if (kind_of(stm.pat[0].type) == Kind::Scalar) define(stm.pat[0], nest::operation(e.op, scalars(e.args)));
}

void Builder::emit(const seg::Stm& stm, const seg::Apply& e) {
  const prim::Function* function = prim::find_function(e.function);
  if (!function) refuse(fmt::format("calls of the function {}", e.function));
  std::vector<Expr> args;
  for (const seg::Arg& a : e.args) args.push_back(scalar(a.value));
  if (!stm.pat.empty()) define(stm.pat[0], nest::call(function, std::move(args)));
}

void Builder::emit(const seg::Stm&, const seg::Assert& e) {
  Failure failure{{}, e.location};
  std::vector<Expr> args;
  for (const seg::ErrorPart& part : e.message) {
    if (const auto* text = std::get_if<std::string>(&part)) {
      failure.message.emplace_back(*text);
    } else {
      const auto& value = std::get<seg::ErrorVal>(part);
      failure.message.emplace_back(value.type);
      args.push_back(value.type == prim::Type::Unit ? nest::constant(prim::Value::unit()) : scalar(value.value));
    }
  }
  check_failure(failure, position_);
  std::vector<Failure>& all = tables_.program.failures;
  add(Assert{scalar(e.condition), static_cast<int>(all.size()), std::move(args)});
  all.push_back(std::move(failure));
}

// ---- Tuning parameters. ----

void Builder::emit(const seg::Stm& stm, const seg::GetSize& e) {
  tables_.add_param(e.key, e.size_class);
  add(GetParam{bind(stm.pat[0]), e.key});
}

void Builder::emit(const seg::Stm& stm, const seg::GetSizeMax& e) { add(GetMax{bind(stm.pat[0]), e.size_class.kind}); }

void Builder::emit(const seg::Stm& stm, const seg::CmpSize& e) {
  tables_.add_param(e.key, e.size_class);
  add(Compare{bind(stm.pat[0]), e.key, scalar(e.value)});
}

// As many blocks as there is work for, at least one, at most what the parameter says.
void Builder::emit(const seg::Stm& stm, const seg::CalcNumBlocks& e) {
  tables_.add_param(e.max_blocks_key, seg::SizeClass{seg::SizeClassKind::Grid, {}, {}, {}});
  Name limit = fresh("most_blocks", {prim::Type::I64});
  add(GetParam{limit, e.max_blocks_key});
  Expr wanted = nest::operation(Op(Family::SDivUp, prim::Type::I64), {scalar(e.width), scalar(e.block_size)});
  define(stm.pat[0], nest::max(nest::constant(int64_t{1}), nest::min(wanted, nest::var(limit, prim::Type::I64))));
}

// ---- Branches. ----

Expr Builder::condition(const seg::Match& match, const seg::Case& branch) const {
  if (match.is_if()) return scalar(match.subjects[0]);
  Expr all = nest::constant(prim::Value::of_bool(true));
  bool first = true;
  for (size_t i = 0; i < branch.pattern.size(); ++i) {
    const auto& wanted = branch.pattern[i];
    if (!wanted || wanted->type == prim::Type::Unit) continue;
    Expr same = nest::operation(Op(Family::Eq, wanted->type), {scalar(match.subjects[i]), nest::constant(*wanted)});
    all = first ? same : nest::both(all, same);
    first = false;
  }
  return all;
}

// All branches are computed, so that who reads elements for that may do so later (read_late.h).
void Builder::choose_scalars(const seg::Stm& stm, const seg::Match& e) {
  statements(e.otherwise->stms);
  for (const seg::Case& c : e.cases) statements(c.body->stms);
  for (size_t k = 0; k < stm.pat.size(); ++k) {
    Expr value = scalar(e.otherwise->result[k].value);
    for (auto c = e.cases.rbegin(); c != e.cases.rend(); ++c)
      value = nest::select(condition(e, *c), scalar(c->body->result[k].value), value);
    define(stm.pat[k], value);
  }
}

void Builder::emit(const seg::Stm& stm, const seg::Match& e) {
  int left = kMostOfBranches;
  if (only_compute(e, left)) return choose_scalars(stm, e);
  std::vector<seg::Type> types;
  for (const seg::PatElem& p : stm.pat) types.push_back(p.type);
  If node;
  for (const seg::Case& c : e.cases)
    node.cases.push_back({condition(e, c), block(c.body->stms, c.body->result, types)});
  node.otherwise = block(e.otherwise->stms, e.otherwise->result, types);
  for (const seg::PatElem& p : stm.pat) {
    Kind kind = kind_of(p.type);
    if (kind == Kind::Nothing) continue;
    Name n = bind(p);
    node.results.push_back({n, type_of(n)});
    if (kind == Kind::Array) own(n);
  }
  add(std::move(node));
}

// ---- Loops. ----

void Builder::emit(const seg::Stm& stm, const seg::Loop& e) {
  Loop node;
  std::vector<seg::Type> types;
  std::vector<Name> owned;
  std::vector<Value> inits;
  for (size_t i = 0; i < e.params.size(); ++i) {
    const seg::Param& p = e.params[i];
    check_type(p.type);
    types.push_back(p.type);
    Kind kind = kind_of(p.type);
    if (kind == Kind::Scalar) inits.emplace_back(scalar(e.inits[i]));
    if (kind == Kind::Array) inits.push_back(yield(array(e.inits[i])));
  }
  // Initial values are all outside of the parameters' scope.
  for (const seg::Param& p : e.params) {
    if (kind_of(p.type) == Kind::Nothing) continue;
    Name n = bind(p.name, {p.type.elem, p.type.rank()});
    if (p.type.is_array()) owned.push_back(n);
    node.params.push_back({{n, type_of(n)}, std::move(inits[node.params.size()])});
  }
  if (const auto* w = std::get_if<seg::WhileLoop>(&e.form)) {
    node.form = WhileTrue{name(w->condition)};
  } else {
    const auto& f = std::get<seg::ForLoop>(e.form);
    Expr bound = scalar(f.bound);
    node.form = ForEach{bind(f.index, {f.index_type}), bound};
  }
  node.body = block(e.body->stms, e.body->result, types, owned);
  for (const seg::PatElem& p : stm.pat) {
    Kind kind = kind_of(p.type);
    if (kind == Kind::Nothing) continue;
    node.results.push_back(bind(p));
    if (kind == Kind::Array) own(node.results.back());
  }
  add(std::move(node));
}

// ---- Accumulators. ----

// The kernels within update the destinations in place, under their own names.
void Builder::emit(const seg::Stm& stm, const seg::WithAcc& e) {
  statements(e.lambda.body->stms);
  const std::vector<seg::SubExpRes>& results = e.lambda.body->result;
  size_t num_arrays = 0;
  for (const seg::WithAccInput& input : e.inputs) {
    for (const Name& array : input.arrays) share(stm.pat[num_arrays++], name(array));
  }
  for (size_t i = num_arrays; i < stm.pat.size(); ++i) {
    same(stm.pat[i], results[e.inputs.size() + i - num_arrays].value);
  }
}

}  // namespace heddle::host
