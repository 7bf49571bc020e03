#include "rewrites/seg/choose_elements.h"

#include <algorithm>
#include <unordered_map>

#include "ir/seg/traverse.h"
#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/fold_parts.h"
#include "rewrites/seg/needed_stms.h"
#include "rewrites/seg/soon_computed.h"

namespace heddle::seg {

namespace {

// Which of two tuples an operator returns.
struct Choice;
using ChoicePtr = std::shared_ptr<const Choice>;
struct Choice {
  enum Kind { First, Second, Either } kind = First;
  SubExp condition;  // Either: of the first branch
  ChoicePtr then, otherwise;
};

bool same(const ChoicePtr& a, const ChoicePtr& b) {
  if (!a || !b || a->kind != b->kind) return false;
  return a->kind != Choice::Either ||
         (a->condition == b->condition && same(a->then, b->then) && same(a->otherwise, b->otherwise));
}

const Stm* binding(const Body& body, const Name& name) {
  for (const StmPtr& s : body.stms) {
    if (binds_any(*s, {name})) return s.get();
  }
  return nullptr;
}

size_t position(const Stm& s, const Name& name) {
  auto bound = std::ranges::find_if(s.pat, [&](const PatElem& p) { return p.name == name; });
  return static_cast<size_t>(bound - s.pat.begin());
}

const Match* as_if(const Stm& s) {
  const auto* m = std::get_if<Match>(&s.exp);
  return m && m->sort == MatchSort::Normal && m->is_if() && s.certs.empty() ? m : nullptr;
}

// Of value `k`; null if it is computed.
ChoicePtr choice_of(const Lambda& op, size_t k, const Body& body, const SubExp& value) {
  if (!value.is_var()) return nullptr;
  if (value.name() == op.params[k].name) return std::make_shared<const Choice>(Choice{Choice::First, {}, {}, {}});
  if (value.name() == op.params[op.ret.size() + k].name)
    return std::make_shared<const Choice>(Choice{Choice::Second, {}, {}, {}});
  const Stm* s = binding(body, value.name());
  const Match* m = s ? as_if(*s) : nullptr;
  if (!m) return nullptr;
  const size_t at = position(*s, value.name());
  Choice c{Choice::Either, m->subjects[0], nullptr, nullptr};
  c.then = choice_of(op, k, *m->cases[0].body, m->cases[0].body->result[at].value);
  c.otherwise = choice_of(op, k, *m->otherwise, m->otherwise->result[at].value);
  return c.then && c.otherwise ? std::make_shared<const Choice>(std::move(c)) : nullptr;
}

Type number() { return Type::scalar(prim::Type::I64); }

BodyPtr finished(Builder b, Operands results) { return make_lambda({}, {}, std::move(b), std::move(results)).body; }

Operands either(Builder& b, const SubExp& condition, BodyPtr then, BodyPtr otherwise, const std::vector<Type>& types) {
  Match m;
  m.subjects = {condition};
  m.cases = {{{prim::Value::of_bool(true)}, std::move(then)}};
  m.otherwise = std::move(otherwise);
  m.ret = types;
  Stm s{{}, {}, {}, std::move(m), {}};
  Operands results;
  for (const Type& t : types) {
    s.pat.push_back({b.names().fresh("chosen"), t});
    results.emplace_back(s.pat.back().name);
  }
  b.add(std::move(s));
  return results;
}

SubExp is_nobody(Builder& b, const SubExp& i) {
  return b.let("is_nobody", Type::scalar(prim::Type::Bool),
               PrimOp{prim::Op(prim::Family::Slt, prim::Type::I64), {i, i64(0)}});
}

// The number that stands for what the operator chooses, beside what its body needs to find that out.
SubExp chosen_number(Builder& b, const Lambda& op, const Body& body, const SubExp& value, const SubExp& first,
                     const SubExp& second) {
  if (value.name() == op.params[0].name) return first;
  if (value.name() == op.params[op.ret.size()].name) return second;
  const Stm& s = *binding(body, value.name());
  const Match& m = *as_if(s);
  const size_t at = position(s, value.name());
  auto branch = [&](const Body& of) {
    Builder inner(b.names());
    SubExp result = chosen_number(inner, op, of, of.result[at].value, first, second);
    return finished(std::move(inner), {result});
  };
  BodyPtr then = branch(*m.cases[0].body), otherwise = branch(*m.otherwise);
  NameSet needed = free_names(*then);
  needed.merge(free_names(*otherwise));
  needed.merge(free_names(m.subjects[0]));
  b.add_all(needed_stms(body.stms, needed));
  return either(b, m.subjects[0], then, otherwise, {number()})[0];
}

class Choosing {
 public:
  Choosing(const Stm& s, const SegOp& op, NameSource& names)
      : s_(s), op_(op), h_(op.hists[0]), parts_(names), host_(names) {}

  Stms run() {
    store();
    const Name nobody = host_.let("nobody", array_of(number(), h_.shape), Replicate{h_.shape, i64(-1)});
    SegOp hist = op_;
    hist.hists = {{h_.shape, h_.race_factor, {nobody}, {i64(-1)}, {}, of_numbers()}};
    hist.types.assign(h_.shape.size(), number());
    hist.types.push_back(number());
    hist.space = {parts_.names().fresh("flat"), {{parts_.names().fresh("j"), op_.space.dims[0].size}}};
    const Name& j = hist.space.dims[0].index;
    Builder point(parts_.names());
    auto body = std::make_shared<KernelBody>();
    for (size_t d = 0; d < h_.shape.size(); ++d)
      body->results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, element(point, d, j)});
    body->results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, j});
    body->stms = point.take();
    hist.body = std::move(body);
    const Name chosen = parts_.names().fresh("chosen");
    host_.add(Stm{{{chosen, array_of(number(), h_.shape)}}, {}, {}, std::move(hist), s_.position});
    look_up(chosen);
    return host_.take();
  }

 private:
  // What the points return, but for what is soon computed again.
  void store() {
    SegOp map = op_;
    map.kind = SegKind::Map;
    map.hists.clear();
    map.types.clear();
    auto body = std::make_shared<KernelBody>(*op_.body);
    body->results.clear();
    Pat pat;
    for (size_t k = 0; k < op_.types.size(); ++k) {
      if (auto again = computed_again(k)) {
        elements_.emplace_back(std::move(*again));
        continue;
      }
      const Name stored = parts_.names().fresh("element");
      elements_.emplace_back(stored);
      map.types.push_back(op_.types[k]);
      body->results.push_back(op_.body->results[k]);
      pat.push_back({stored, array_of(op_.types[k], {op_.space.dims[0].size})});
    }
    map.body = std::move(body);
    if (!pat.empty()) host_.add(Stm{std::move(pat), s_.attrs, s_.certs, std::move(map), s_.position});
  }

  // The statements that compute a result; none where it is to be stored. Bins are computed once, values for each comparison.
  std::optional<Stms> computed_again(size_t k) const {
    constexpr size_t kMostStatements = 24, kMostOfValue = 8;
    constexpr int64_t kMostReads = 8, kMostReadsOfValue = 1;
    if (std::ranges::any_of(op_.body->stms, [](const StmPtr& s) { return std::holds_alternative<Assert>(s->exp); }))
      return std::nullopt;
    NameSet needed = free_names(op_.body->results[k]);
    Stms stms = needed_stms(op_.body->stms, needed);
    const bool is_bin = k < h_.shape.size();
    const bool soon =
        is_soon_computed(stms, is_bin ? kMostStatements : kMostOfValue, is_bin ? kMostReads : kMostReadsOfValue);
    const auto* result = std::get_if<Returns>(&op_.body->results[k]);
    if (!soon || !result || !result->certs.empty() || !s_.certs.empty() || needed.contains(op_.space.flat))
      return std::nullopt;
    return stms;
  }

  SubExp element(Builder& b, size_t k, const SubExp& j) {
    if (const auto* stored = std::get_if<Name>(&elements_[k]))
      return b.let("element", op_.types[k], Index{*stored, row_slice({j}, op_.types[k])});
    Substitution of_point{{op_.space.dims[0].index, j}};
    for (const StmPtr& s : std::get<Stms>(elements_[k])) b.add(rename(parts_.names(), of_point, *s));
    const SubExp& result = std::get<Returns>(op_.body->results[k]).value;
    return result.is_var() && of_point.contains(result.name()) ? of_point.at(result.name()) : result;
  }
  Operands elements(Builder& b, const SubExp& j) {
    Operands values;
    for (size_t k = h_.shape.size(); k < op_.types.size(); ++k) values.push_back(element(b, k, j));
    return values;
  }

  Lambda of_numbers() {
    NameSource& names = parts_.names();
    Param first{{}, names.fresh("i"), number()}, second{{}, names.fresh("j"), number()};
    Builder both(names);
    Operands x = elements(both, first.name), y = elements(both, second.name);
    Substitution fresh;
    Lambda op = rename(names, fresh, h_.op);
    for (size_t k = 0; k < op.ret.size(); ++k) {
      both.add(Stm{{{op.params[k].name, op.ret[k]}}, {}, {}, Atom{x[k]}, {}});
      both.add(Stm{{{op.params[op.ret.size() + k].name, op.ret[k]}}, {}, {}, Atom{y[k]}, {}});
    }
    SubExp better = chosen_number(both, op, *op.body, op.body->result[0].value, first.name, second.name);
    Builder known(names);
    SubExp no_second = is_nobody(known, second.name);
    SubExp second_or = either(known, no_second, finished(Builder(names), {first.name}),
                              finished(std::move(both), {better}), {number()})[0];
    Builder code(names);
    SubExp no_first = is_nobody(code, first.name);
    SubExp result = either(code, no_first, finished(Builder(names), {second.name}),
                           finished(std::move(known), {second_or}), {number()})[0];
    return make_lambda({first, second}, {number()}, std::move(code), {result});
  }

  // What the histogram was given stays where no element is better.
  void look_up(const Name& chosen) {
    std::vector<Name> arrays = parts_.segmap(
        host_, h_.shape, std::nullopt, h_.op.ret, "best", [&](Builder& b, const Operands& bin, const SubExp&) {
          SubExp j = b.let("j", number(), Index{chosen, row_slice(bin, number())});
          Operands given;
          for (size_t k = 0; k < h_.dests.size(); ++k)
            given.emplace_back(b.let("given", h_.op.ret[k], Index{h_.dests[k], row_slice(bin, h_.op.ret[k])}));
          Builder better(b.names());
          Operands best = elements(better, j);
          Ops ops;
          ops.ops.push_back({true, h_.op, h_.neutral});
          best = parts_.apply(better, ops, given, best);
          return either(b, is_nobody(b, j), finished(Builder(b.names()), given), finished(std::move(better), best),
                        h_.op.ret);
        });
    for (size_t k = 0; k < arrays.size(); ++k) host_.add(Stm{{s_.pat[k]}, {}, {}, Atom{arrays[k]}, s_.position});
  }

  const Stm& s_;
  const SegOp& op_;
  const HistOp& h_;
  FoldParts parts_;
  Builder host_;
  std::vector<std::variant<Name, Stms>>
      elements_;  // of the points' results: where they are stored, or how they are computed
};

}  // namespace

bool chooses(const Lambda& op) {
  ChoicePtr all = choice_of(op, 0, *op.body, op.body->result[0].value);
  for (size_t k = 1; all && k < op.ret.size(); ++k) {
    if (!same(all, choice_of(op, k, *op.body, op.body->result[k].value))) return false;
  }
  return all != nullptr;
}

std::optional<Stms> choose_elements(const Stm& s, NameSource& names) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  if (!op || op->kind != SegKind::Hist || op->level.kind != LevelKind::Thread || op->space.dims.size() != 1 ||
      op->hists.size() != 1)
    return std::nullopt;
  const HistOp& h = op->hists[0];
  bool scalars = h.op_shape.empty() && std::ranges::all_of(h.op.ret, is_stored_scalar);
  if (h.dests.size() < 2 || !scalars || !chooses(h.op)) return std::nullopt;
  return Choosing(s, *op, names).run();
}

Result<Program> choose_elements(const Program& program) {
  NameSource names(program.next_tag());
  return expand_host_stms(program, [&](const Stm& s) {
    std::optional<Stms> chosen = choose_elements(s, names);
    return chosen ? *chosen : just(s);
  });
}

}  // namespace heddle::seg
