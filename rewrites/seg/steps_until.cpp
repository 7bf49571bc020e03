#include "rewrites/seg/steps_until.h"

#include <algorithm>

#include "ir/seg/host_stms.h"
#include "ir/seg/traverse.h"
#include "rewrites/graph/graph.h"
#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

using prim::Family;

namespace {

bool is_reduction(const Stm& s) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  return op && op->kind == SegKind::Red;
}

// What follows from reductions behind all the rest, each in its order.
Stms with_reductions_last(const Stms& stms) {
  Stms first, last;
  NameSet follow;
  for (const StmPtr& s : stms) {
    const bool follows = std::ranges::any_of(free_names(*s), [&](const Name& n) { return follow.contains(n); });
    (follows ? last : first).push_back(s);
    if (!follows && !is_reduction(*s)) continue;
    for (const PatElem& p : s->pat) follow.insert(p.name);
  }
  first.insert(first.end(), last.begin(), last.end());
  return first;
}

class Several {
 public:
  Several(const Stm& stm, int64_t steps, NameSource& names)
      : stm_(stm), loop_(std::get<Loop>(stm.exp)), steps_(steps), names_(names) {
    const Name& condition = std::get<WhileLoop>(loop_.form).condition;
    condition_ = static_cast<size_t>(std::ranges::find(loop_.params, condition, &Param::name) - loop_.params.begin());
  }

  StripMined run(const std::optional<SubExp>& only_if) {
    StripMined result;
    SubExp begins = loop_.inits[condition_];
    if (only_if) {
      Builder host(names_);
      begins = both(host, begins, *only_if);
      result.counts = host.take();
    }
    Pat pat = {{names_.fresh("on"), kTruth}};
    for (const PatElem& p : stm_.pat) pat.push_back({names_.fresh(p.name), p.type});
    result.rounds = rounds(pat, begins);
    Loop rest = loop_;
    for (size_t p = 0; p < rest.inits.size(); ++p) rest.inits[p] = pat[p + 1].name;
    result.rest = Stm{stm_.pat, stm_.attrs, stm_.certs, std::move(rest), stm_.position};
    return result;
  }

 private:
  static inline const Type kTruth = Type::scalar(prim::Type::Bool);

  static SubExp both(Builder& host, const SubExp& a, const SubExp& b) {
    return host.let("both", kTruth, PrimOp{prim::Op(Family::LogAnd, prim::Type::Bool), {a, b}});
  }

  Stm rounds(const Pat& pat, const SubExp& begins) {
    const Name on = names_.fresh("on");
    Loop loop{{{{}, on, kTruth}}, {begins}, WhileLoop{on}, nullptr};
    loop.inits.insert(loop.inits.end(), loop_.inits.begin(), loop_.inits.end());
    std::vector<SubExp> before;
    for (const Param& p : loop_.params) {
      loop.params.push_back({p.attrs, names_.fresh(p.name), p.type});
      before.emplace_back(loop.params.back().name);
    }
    std::vector<SubExp> values = before, decisions;
    Stms stms;
    for (int64_t k = 0; k < steps_; ++k) {
      Substitution renaming;
      for (size_t p = 0; p < values.size(); ++p) renaming.insert_or_assign(loop_.params[p].name, values[p]);
      Body step = rename(names_, renaming, *loop_.body);
      stms.insert(stms.end(), step.stms.begin(), step.stms.end());
      for (size_t p = 0; p < values.size(); ++p) values[p] = step.result[p].value;
      decisions.push_back(values[condition_]);
    }
    Builder host(names_);
    SubExp all = decisions[0];
    for (size_t k = 1; k + 1 < decisions.size(); ++k) all = both(host, all, decisions[k]);
    const std::vector<SubExp> after = chosen(host, all, values, before);
    Body body{with_reductions_last(stms), {{{}, both(host, all, decisions.back())}}};
    const Stms decided = host.take();
    body.stms.insert(body.stms.end(), decided.begin(), decided.end());
    for (const SubExp& v : after) body.result.push_back({{}, v});
    loop.body = std::make_shared<const Body>(std::move(body));
    return {pat, stm_.attrs, stm_.certs, std::move(loop), stm_.position};
  }

  // if all then values else before
  std::vector<SubExp> chosen(Builder& host, const SubExp& all, const std::vector<SubExp>& values,
                             const std::vector<SubExp>& before) {
    auto yields = [](const std::vector<SubExp>& results) {
      Body body;
      for (const SubExp& r : results) body.result.push_back({{}, r});
      return std::make_shared<const Body>(std::move(body));
    };
    Match match{MatchSort::Normal, {all}, {{{prim::Value::of_bool(true)}, yields(values)}}, yields(before), {}};
    Pat pat;
    std::vector<SubExp> names;
    for (const Param& p : loop_.params) {
      Type type = p.type;
      type.unique = false;
      match.ret.push_back(type);
      pat.push_back({names_.fresh(p.name), type});
      names.emplace_back(pat.back().name);
    }
    host.add({pat, {}, {}, std::move(match), stm_.position});
    return names;
  }

  const Stm& stm_;
  const Loop& loop_;
  int64_t steps_;
  NameSource& names_;
  size_t condition_;  // number of the parameter
};

}  // namespace

std::optional<std::string> why_not_several_until(const Loop& loop) {
  const auto* form = std::get_if<WhileLoop>(&loop.form);
  if (!form) return "its steps are counted";
  if (std::ranges::find(loop.params, form->condition, &Param::name) == loop.params.end())
    return "its steps do not decide whether there is another";
  if (std::ranges::any_of(loop.params, [](const Param& p) { return p.type.unique; }))
    return "its steps overwrite what they are given";
  // What follows from reductions comes behind the rest, and would find arrays overwritten that it reads.
  bool overwrites = false;
  for_each_host_stm(loop.body->stms, [&](const StmPtr& s) { overwrites |= !graph::overwritten_by(s->exp).empty(); });
  if (overwrites) return "its steps overwrite arrays";
  return why_not_several_at_a_time(loop);
}

StripMined several_until(const Stm& stm, int64_t steps, NameSource& names, const std::optional<SubExp>& only_if) {
  return Several(stm, steps, names).run(only_if);
}

namespace {

// Whether anything that the body does might fail, or never end.
struct MayFail {
  bool found = false;
  void use(const Name&) {}
  void bind(const Name&) {}
  bool enter(const BodyPtr& b) { return look(b->stms); }
  bool enter(const KernelBodyPtr& b) { return look(b->stms); }
  bool look(const Stms& stms) {
    for (const StmPtr& s : stms) {
      const auto* op = std::get_if<PrimOp>(&s->exp);
      const auto* loop = std::get_if<Loop>(&s->exp);
      found |= std::holds_alternative<Assert>(s->exp) || std::holds_alternative<Apply>(s->exp) ||
               (op && prim::can_fail(op->op)) || (loop && std::holds_alternative<WhileLoop>(loop->form));
    }
    return true;
  }
};

bool may_fail(const Loop& loop) {
  MayFail look;
  look.look(loop.body->stms);
  for (const StmPtr& s : loop.body->stms) walk(look, s->exp);
  return look.found;
}

}  // namespace

Result<Program> several_until(const Program& program) {
  NameSource names(program.next_tag());
  return expand_host_stms(program, [&](const Stm& s) {
    const auto* loop = std::get_if<Loop>(&s.exp);
    if (!loop || why_not_several_until(*loop) || may_fail(*loop)) return just(s);
    StripMined several = several_until(s, 3, names);
    Stms all = std::move(several.counts);
    all.push_back(std::make_shared<const Stm>(std::move(several.rounds)));
    all.push_back(std::make_shared<const Stm>(std::move(*several.rest)));
    return all;
  });
}

}  // namespace heddle::seg
