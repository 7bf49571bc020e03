#include "rewrites/seg/reduce_or_fail.h"

#include <algorithm>

#include "ir/seg/has_checks.h"
#include "ir/seg/traverse.h"
#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

namespace {

const Type kBool = Type::scalar(prim::Type::Bool);

SubExp truth(bool b) { return prim::Value::of_bool(b); }

// Makes of a body one that says at its end whether it would have failed, and then yields zeros.
class Saying {
 public:
  explicit Saying(NameSource& names) : names_(names) {}

  BodyPtr body(const Body& b, const std::vector<Type>& types) { return rest(b, 0, types); }

  // Whether there was a statement that cannot be left out behind an assert.
  bool refused() const { return refused_; }

 private:
  BodyPtr rest(const Body& b, size_t from, const std::vector<Type>& types) {
    auto out = std::make_shared<Body>();
    for (size_t k = from; k < b.stms.size(); ++k) {
      const Stm& s = *b.stms[k];
      if (const auto* check = std::get_if<Assert>(&s.exp)) {
        auto holds = std::const_pointer_cast<Body>(rest(b, k + 1, types));
        for (const PatElem& p : s.pat)
          holds->stms.insert(holds->stms.begin(), just(Stm{{p}, {}, {}, Atom{prim::Value::unit()}, s.position})[0]);
        return ending(std::move(out), check->condition, std::move(holds), failed(types), types);
      }
      if (!has_checks({b.stms[k]})) {
        out->stms.push_back(b.stms[k]);
        continue;
      }
      const auto* match = std::get_if<Match>(&s.exp);
      if (!match || !std::ranges::all_of(match->ret, is_stored_scalar)) {
        refused_ = true;
        return out;
      }
      const Name fails = names_.fresh("fails");
      Match says = *match;
      says.otherwise = body(*match->otherwise, match->ret);
      for (Case& c : says.cases) c.body = body(*c.body, match->ret);
      says.ret.push_back(kBool);
      Stm changed{s.pat, s.attrs, s.certs, std::move(says), s.position};
      changed.pat.push_back({fails, kBool});
      out->stms.push_back(std::make_shared<const Stm>(std::move(changed)));
      return ending(std::move(out), fails, failed(types), rest(b, k + 1, types), types);
    }
    out->result = b.result;
    out->result.push_back({{}, truth(false)});
    return out;
  }

  BodyPtr ending(std::shared_ptr<Body> out, const SubExp& condition, BodyPtr then, BodyPtr otherwise,
                 const std::vector<Type>& types) {
    Match match{
        MatchSort::Normal, {condition}, {{{prim::Value::of_bool(true)}, std::move(then)}}, std::move(otherwise), types};
    match.ret.push_back(kBool);
    Stm s{{}, {}, {}, std::move(match), {}};
    for (const Type& t : std::get<Match>(s.exp).ret) {
      s.pat.push_back({names_.fresh("or_zero"), t});
      out->result.push_back({{}, s.pat.back().name});
    }
    out->stms.push_back(std::make_shared<const Stm>(std::move(s)));
    return out;
  }

  static BodyPtr failed(const std::vector<Type>& types) {
    auto zeros = std::make_shared<Body>();
    for (const Type& t : types) zeros->result.push_back({{}, prim::zero(t.elem)});
    zeros->result.push_back({{}, truth(true)});
    return zeros;
  }

  NameSource& names_;
  bool refused_ = false;
};

std::optional<Lambda> saying(const Lambda& op, NameSource& names) {
  Substitution fresh;
  const Lambda own = rename(names, fresh, op);
  Saying says(names);
  BodyPtr made = says.body(*own.body, own.ret);
  if (says.refused()) return std::nullopt;
  const size_t n = own.ret.size();
  const Param first{{}, names.fresh("fails"), kBool}, second{{}, names.fresh("fails"), kBool};
  Lambda l{own.params, own.ret, nullptr};
  l.params.insert(l.params.begin() + static_cast<std::ptrdiff_t>(n), first);
  l.params.push_back(second);
  l.ret.push_back(kBool);
  Builder b(names);
  const SubExp either =
      b.let("either", kBool, PrimOp{prim::Op(prim::Family::LogOr, prim::Type::Bool), {first.name, second.name}});
  auto as_first = std::make_shared<Body>();
  for (size_t k = 0; k < n; ++k) as_first->result.push_back({{}, own.params[k].name});
  as_first->result.push_back({{}, truth(true)});
  Stm choice{
      {}, {}, {}, Match{MatchSort::Normal, {either}, {{{prim::Value::of_bool(true)}, as_first}}, made, l.ret}, {}};
  auto body = std::make_shared<Body>();
  for (const Type& t : l.ret) {
    choice.pat.push_back({names.fresh("chosen"), t});
    body->result.push_back({{}, choice.pat.back().name});
  }
  b.add(std::move(choice));
  body->stms = b.take();
  l.body = std::move(body);
  return l;
}

// There is one segment.
bool is_of_whole_arrays(const SegOp& op) {
  return std::all_of(op.space.dims.begin(), op.space.dims.end() - 1,
                     [](const SegDim& d) { return d.size.int_constant() == 1; });
}

}  // namespace

std::optional<Stms> reduce_or_fail(const Stm& s, NameSource& names) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  if (!op || op->kind != SegKind::Red || op->level.kind != LevelKind::Thread || !is_of_whole_arrays(*op) ||
      op->ops.size() != 1 || !of_scalars(*op) || op->types.size() != op->ops[0].neutral.size() ||
      !has_checks(op->ops[0].lambda.body->stms))
    return std::nullopt;
  std::optional<Lambda> lambda = saying(op->ops[0].lambda, names);
  if (!lambda) return std::nullopt;
  Substitution fresh;
  SegOp reduction = rename(names, fresh, *op);
  reduction.ops[0].lambda = std::move(*lambda);
  reduction.ops[0].neutral.push_back(truth(false));
  reduction.types.push_back(kBool);
  auto points = std::make_shared<KernelBody>(*reduction.body);
  points->results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, truth(false)});
  reduction.body = std::move(points);
  Stm made{{}, s.attrs, s.certs, std::move(reduction), s.position}, again = s;
  auto found = std::make_shared<Body>(), repeated = std::make_shared<Body>();
  Match match{MatchSort::Normal, {}, {}, nullptr, {}};
  for (PatElem& p : again.pat) {
    match.ret.push_back(p.type);
    made.pat.push_back({names.fresh(p.name), p.type});
    found->result.push_back({{}, made.pat.back().name});
    p.name = names.fresh(p.name);
    repeated->result.push_back({{}, p.name});
  }
  const Shape ones(op->space.dims.size() - 1, i64(1));
  const Name fails = names.fresh("fails");
  made.pat.push_back({fails, array_of(kBool, ones)});
  Stms all = just(std::move(made));
  match.subjects = {fails};
  if (!ones.empty()) {
    Builder b(names);
    match.subjects = {b.let("fails", kBool, Index{fails, Slice(ones.size(), DimFix{i64(0)})})};
    const Stms read = b.take();
    all.insert(all.end(), read.begin(), read.end());
  }
  repeated->stms = just(std::move(again));
  match.cases = {{{prim::Value::of_bool(true)}, std::move(repeated)}};
  match.otherwise = std::move(found);
  all.push_back(std::make_shared<const Stm>(Stm{s.pat, {}, {}, std::move(match), s.position}));
  return all;
}

Result<Program> reduce_or_fail(const Program& program) {
  NameSource names(program.next_tag());
  return expand_host_stms(program, [&](const Stm& s) { return reduce_or_fail(s, names).value_or(just(s)); });
}

}  // namespace heddle::seg
