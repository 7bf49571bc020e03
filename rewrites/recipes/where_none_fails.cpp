#include "rewrites/recipes/where_none_fails.h"

#include "ir/seg/traverse.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/recipes/hoist_checks.h"
#include "rewrites/recipes/seg_of_expr.h"
#include "rewrites/recipes/size_assumptions.h"
#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/store_elements.h"

namespace heddle::lower {

namespace {

// Null where nothing is to be demanded, or what there is does not suffice.
nest::Expr condition_of(Points& points, const HostScope& host) {
  if (!points.seen) return nullptr;
  const Seen& seen = *points.seen;
  nest::Facts& facts = points.facts;
  nest::Expr usual, checked;
  auto supposing = [&](auto f) {
    return facts.scope([&] {
      if (usual) {
        facts.assume(usual);
        facts.reconsider();
      }
      if (checked) facts.assume(checked);
      tell_indices(facts, seen.indices);
      return f();
    });
  };
  usual = supposing([&] { return size_assumptions(host, seen.launch.kernel, seen.work, facts); });
  nest::Block work = supposing([&] { return nest::discharge(seen.work, facts); });
  if (nest::may_fail(work)) {
    auto on_host = [&](const Name& n, prim::Type type) {
      auto it = host.types.find(n);
      return it != host.types.end() && it->second.is_scalar() && it->second.elem == type;
    };
    checked = supposing([&] { return hoisted_checks(work, seen.indices, facts, on_host); });
    if (!checked) return nullptr;
    facts.look_again();
    if (nest::may_fail(supposing([&] { return nest::discharge(work, facts); }))) return nullptr;
  }
  const nest::Expr all = checked ? nest::both(usual, checked) : usual;
  return std::holds_alternative<nest::Const>(all->node) ? nullptr : all;
}

bool stores_results(const seg::SegOp& op) {
  size_t folded = 0;
  for (const seg::SegBinOp& o : op.ops) folded += o.neutral.size();
  return op.types.size() > folded;
}

seg::Stm without_checks(const seg::Stm& folded) {
  auto certify = [](const seg::Stm& s) {
    if (!std::holds_alternative<seg::Assert>(s.exp)) return seg::just(s);
    return seg::just(seg::Stm{s.pat, s.attrs, s.certs, seg::Atom{prim::Value::unit()}, s.position});
  };
  seg::StmExpander<decltype(certify)> expander(certify, true);
  seg::Stm changed = folded;
  auto& op = std::get<seg::SegOp>(changed.exp);
  op.body = expander.body(op.body);
  return changed;
}

}  // namespace

std::optional<seg::Stms> where_none_fails(const seg::Stm& folded, Points& points, const HostScope& host,
                                          NameSource& names) {
  const nest::Expr condition = condition_of(points, host);
  if (!condition) return std::nullopt;
  if (stores_results(std::get<seg::SegOp>(folded.exp)) && host.follows_from_elements(condition)) return std::nullopt;
  auto arm = [&](auto way) {
    seg::Stm fresh = folded;
    seg::Substitution to;
    fresh.exp = seg::rename(names, to, std::get<seg::SegOp>(folded.exp));
    auto body = std::make_shared<seg::Body>();
    for (seg::PatElem& p : fresh.pat) {
      p.name = names.fresh(p.name);
      body->result.push_back({{}, p.name});
    }
    body->stms = way(fresh);
    return body;
  };
  seg::Builder out(names);
  const seg::SubExp none_fails = seg_of(condition, {}, out);
  seg::Match match{
      seg::MatchSort::Normal,
      {none_fails},
      {{{prim::Value::of_bool(true)}, arm([](const seg::Stm& s) { return seg::just(without_checks(s)); })}},
      arm([&](const seg::Stm& s) { return seg::store_elements(s, names); }),
      {}};
  for (const seg::PatElem& p : folded.pat) match.ret.push_back(p.type);
  out.add(seg::Stm{folded.pat, folded.attrs, folded.certs, std::move(match), folded.position});
  return out.take();
}

}  // namespace heddle::lower
