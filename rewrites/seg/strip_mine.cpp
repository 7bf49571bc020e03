#include "rewrites/seg/strip_mine.h"

#include <algorithm>

#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

using prim::Family;

namespace {

class Miner {
 public:
  Miner(const Stm& stm, int64_t steps, NameSource& names, const std::optional<SubExp>& only_if)
      : stm_(stm),
        loop_(std::get<Loop>(stm.exp)),
        form_(std::get<ForLoop>(loop_.form)),
        steps_(steps),
        names_(names),
        only_if_(only_if) {
    uses_index_ = free_names(*loop_.body).contains(form_.index);
  }

  StripMined run() {
    StripMined result;
    // Towards zero, so that a negative number of steps leaves none.
    SubExp rounds = let(result.counts, "rounds", Family::SQuot, form_.bound, number(steps_));
    if (only_if_) {
      Name worth = names_.fresh("worth");
      PrimOp number_of{prim::Op(Family::BToI, prim::Type::Bool, form_.index_type), {*only_if_}};
      Stm s{{{worth, Type::scalar(form_.index_type)}}, {}, {}, std::move(number_of), stm_.position};
      result.counts.push_back(std::make_shared<const Stm>(std::move(s)));
      rounds = let(result.counts, "rounds", Family::MulNw, rounds, worth);
    }
    auto bound = form_.bound.int_constant();
    bool whole = !only_if_ && bound && *bound % steps_ == 0;
    Pat pat = stm_.pat;
    for (PatElem& p : pat) p.name = whole ? p.name : names_.fresh(p.name);
    result.rounds = all_rounds(pat, rounds);
    if (whole) return result;
    SubExp done = let(result.counts, "done", Family::MulNw, rounds, number(steps_));
    SubExp rest = let(result.counts, "rest", Family::SubNw, form_.bound, done);
    result.rest = rest_of(pat, done, rest);
    return result;
  }

 private:
  SubExp number(int64_t n) const { return prim::Value::of_int(form_.index_type, n); }

  SubExp let(Stms& out, const std::string& base, Family family, const SubExp& a, const SubExp& b) {
    return let(out, names_.fresh(base), family, a, b);
  }
  SubExp let(Stms& out, const Name& name, Family family, const SubExp& a, const SubExp& b) const {
    Type type = Type::scalar(form_.index_type);
    Stm s{{{name, type}}, {}, {}, PrimOp{prim::Op(family, form_.index_type), {a, b}}, stm_.position};
    out.push_back(std::make_shared<const Stm>(std::move(s)));
    return name;
  }

  Stm all_rounds(const Pat& pat, const SubExp& rounds) {
    Loop loop{{}, loop_.inits, ForLoop{names_.fresh("round"), form_.index_type, rounds}, nullptr};
    std::vector<SubExp> values;
    for (const Param& p : loop_.params) {
      loop.params.push_back({p.attrs, names_.fresh(p.name), p.type});
      values.emplace_back(loop.params.back().name);
    }
    Stms stms;
    SubExp first;
    if (uses_index_) first = let(stms, "first", Family::MulNw, std::get<ForLoop>(loop.form).index, number(steps_));
    for (int64_t k = 0; k < steps_; ++k) {
      Substitution renaming;
      for (size_t p = 0; p < values.size(); ++p) renaming.insert_or_assign(loop_.params[p].name, values[p]);
      if (uses_index_)
        renaming.insert_or_assign(form_.index, let(stms, form_.index.base, Family::AddNw, first, number(k)));
      Body step = rename(names_, renaming, *loop_.body);
      stms.insert(stms.end(), step.stms.begin(), step.stms.end());
      for (size_t p = 0; p < values.size(); ++p) values[p] = step.result[p].value;
    }
    Body body{std::move(stms), {}};
    for (SubExp& v : values) body.result.push_back({{}, std::move(v)});
    loop.body = std::make_shared<const Body>(std::move(body));
    return {pat, stm_.attrs, stm_.certs, std::move(loop), stm_.position};
  }

  Stm rest_of(const Pat& after_rounds, const SubExp& done, const SubExp& rest) {
    Loop loop = loop_;
    for (size_t p = 0; p < loop.inits.size(); ++p) loop.inits[p] = after_rounds[p].name;
    Name index = uses_index_ ? names_.fresh("step") : form_.index;
    loop.form = ForLoop{index, form_.index_type, rest};
    if (uses_index_) {
      Body body{{}, loop_.body->result};
      let(body.stms, form_.index, Family::AddNw, done, index);
      body.stms.insert(body.stms.end(), loop_.body->stms.begin(), loop_.body->stms.end());
      loop.body = std::make_shared<const Body>(std::move(body));
    }
    return {stm_.pat, stm_.attrs, stm_.certs, std::move(loop), stm_.position};
  }

  const Stm& stm_;
  const Loop& loop_;
  const ForLoop& form_;
  int64_t steps_;
  NameSource& names_;
  const std::optional<SubExp>& only_if_;
  bool uses_index_;
};

}  // namespace

std::optional<std::string> why_not_strip_mined(const Loop& loop) {
  if (!std::holds_alternative<ForLoop>(loop.form)) return "each step decides whether there is another";
  return why_not_several_at_a_time(loop);
}

std::optional<std::string> why_not_several_at_a_time(const Loop& loop) {
  for (const Param& p : loop.params) {
    NameSet sizes = free_names(p.type);
    if (std::ranges::any_of(loop.params, [&](const Param& q) { return sizes.contains(q.name); }))
      return "arrays change their sizes from step to step";
    if (p.type.is_acc()) return "its steps update an accumulator";
  }
  if (std::ranges::any_of(loop.body->result, [](const SubExpRes& r) { return !r.certs.empty(); }))
    return "its results hold under asserts";
  return std::nullopt;
}

StripMined strip_mine(const Stm& stm, int64_t steps, NameSource& names, const std::optional<SubExp>& only_if) {
  return Miner(stm, steps, names, only_if).run();
}

Result<Program> strip_mine(const Program& program) {
  NameSource names(program.next_tag());
  return expand_host_stms(program, [&](const Stm& s) {
    const auto* loop = std::get_if<Loop>(&s.exp);
    if (!loop || why_not_strip_mined(*loop)) return just(s);
    StripMined mined = strip_mine(s, 2, names);
    Stms all = std::move(mined.counts);
    all.push_back(std::make_shared<const Stm>(std::move(mined.rounds)));
    if (mined.rest) all.push_back(std::make_shared<const Stm>(std::move(*mined.rest)));
    return all;
  });
}

}  // namespace heddle::seg
