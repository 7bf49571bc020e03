#include "rewrites/seg/two_ways.h"

#include "ir/seg/traverse.h"

namespace heddle::seg {

namespace {

BodyPtr way(const Stms& stms, const Pat& pat, NameSource& names) {
  Body body{stms, {}};
  for (const PatElem& p : pat) body.result.push_back({{}, p.name});
  Substitution fresh;
  return std::make_shared<const Body>(rename(names, fresh, body));
}

}  // namespace

Stm two_ways(const Stm& s, const SubExp& condition, const Stms& one, const Stms& other, NameSource& names) {
  Match match{MatchSort::Equiv,
              {condition},
              {{{prim::Value::of_bool(true)}, way(one, s.pat, names)}},
              way(other, s.pat, names),
              {}};
  for (const PatElem& p : s.pat) match.ret.push_back(p.type);
  return Stm{s.pat, s.attrs, {}, std::move(match), s.position};
}

}  // namespace heddle::seg
