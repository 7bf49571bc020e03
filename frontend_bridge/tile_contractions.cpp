#include "frontend_bridge/tile_contractions.h"

#include <algorithm>

#include "frontend_bridge/tile_functions.h"
#include "frontend_bridge/tile_groups.h"
#include "ir/seg/host_stms.h"
#include "rewrites/plan/tiled_contraction.h"
#include "rewrites/points/layouts.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/flat_versions.h"

namespace heddle {

namespace {

lower::TypesOfNames types_of_names(const seg::Program& program) {
  lower::TypesOfNames types;
  for (const seg::FunDef& f : program.functions) {
    for (const seg::Param& p : f.params) types.insert_or_assign(p.name, p.type);
  }
  seg::for_each_host_stm(program, [&](const seg::StmPtr& s) {
    for (const seg::PatElem& p : s->pat) types.insert_or_assign(p.name, p.type);
    if (const auto* loop = std::get_if<seg::Loop>(&s->exp)) {
      for (const seg::Param& p : loop->params) types.insert_or_assign(p.name, p.type);
    }
  });
  return types;
}

// By the names of what they compute, the statements that stand in their places.
using Tiled = std::unordered_map<Name, seg::Stms>;

bool is_harmless(const seg::Stm& s) {
  if (!s.certs.empty()) return false;
  if (const auto* op = std::get_if<seg::PrimOp>(&s.exp)) return !prim::can_fail(op->op);
  return std::holds_alternative<seg::Atom>(s.exp) || std::holds_alternative<seg::GetSize>(s.exp) ||
         std::holds_alternative<seg::GetSizeMax>(s.exp) || std::holds_alternative<seg::CmpSize>(s.exp);
}

// The host's incremental flattening has other versions beside the one that is tiled, under thresholds that know nothing
// of it:
//   let {c} = if <equiv> few_points then {...} else { let {n} = ... let {c'} = if <equiv> can_be_tiled then {...} else {...} }
// becomes
//   let {n'} = ... let {c} = if <equiv> can_be_tiled' then {...} else { let {c'} = if <equiv> few_points then {...} ... }
class Versions {
 public:
  Versions(const Tiled& tiled, NameSource& names) : tiled_(tiled), names_(names) {}

  // What becomes of a program's statements, and which tiled ones that is in the place of.
  Tiled run(const seg::Program& program) {
    Tiled all = tiled_;
    seg::for_each_host_stm(program, [&](const seg::StmPtr& s) {
      std::vector<seg::StmPtr> before;
      std::optional<Name> target = target_of(*s, before);
      if (!target || *target == s->pat[0].name || !all.contains(*target)) return;
      if (auto stms = hoisted(*s, before, tiled_.at(*target))) {
        all.erase(*target);
        all.insert_or_assign(s->pat[0].name, std::move(*stms));
      }
    });
    return all;
  }

 private:
  // The tiled statement that computes, in one of a statement's versions, all that it does; and what is computed before it.
  std::optional<Name> target_of(const seg::Stm& s, std::vector<seg::StmPtr>& before) const {
    if (s.pat.size() != 1) return std::nullopt;
    if (tiled_.contains(s.pat[0].name)) return s.pat[0].name;
    const auto* match = std::get_if<seg::Match>(&s.exp);
    if (!match || match->sort != seg::MatchSort::Equiv) return std::nullopt;
    std::vector<seg::BodyPtr> bodies{match->otherwise};
    for (const seg::Case& c : match->cases) bodies.push_back(c.body);
    for (const seg::BodyPtr& body : bodies) {
      if (body->result.size() != 1 || !body->result[0].value.is_var()) continue;
      std::vector<seg::StmPtr> here = before;
      for (const seg::StmPtr& inner : body->stms) {
        if (inner->pat.size() == 1 && inner->pat[0].name == body->result[0].value.name()) {
          if (auto found = target_of(*inner, here)) {
            before = here;
            return found;
          }
        }
        here.push_back(inner);
      }
    }
    return std::nullopt;
  }

  std::optional<seg::Stms> hoisted(const seg::Stm& versions, const std::vector<seg::StmPtr>& before,
                                   const seg::Stms& tiled) {
    seg::Body body{tiled, {}};
    auto& last = std::get<seg::Match>(body.stms.back()->exp);
    seg::Match without = last;
    without.otherwise = std::make_shared<const seg::Body>();
    seg::Stm choice = *body.stms.back();
    choice.exp = without;
    body.stms.back() = std::make_shared<const seg::Stm>(choice);
    for (size_t k = before.size(); k-- > 0;) {
      seg::NameSet used = seg::free_names(body);
      bool needed = std::ranges::any_of(before[k]->pat, [&](const seg::PatElem& p) { return used.contains(p.name); });
      if (!needed) continue;
      if (!is_harmless(*before[k])) return std::nullopt;
      body.stms.insert(body.stms.begin(), before[k]);
    }
    seg::Substitution renaming;
    body = seg::rename(names_, renaming, body);
    seg::Stm now = *body.stms.back(), others = versions;
    others.pat[0].name = names_.fresh(others.pat[0].name);
    seg::SubExp value = others.pat[0].name;
    auto& match = std::get<seg::Match>(now.exp);
    match.otherwise = std::make_shared<const seg::Body>(seg::Body{seg::just(others), {{{}, value}}});
    match.ret = {versions.pat[0].type};
    now.pat = versions.pat;
    body.stms.back() = std::make_shared<const seg::Stm>(std::move(now));
    return std::move(body.stms);
  }

  const Tiled& tiled_;
  NameSource& names_;
};

// Which lie row by row.
bool is_result(const seg::FunDef& f, const Name& name) {
  return f.entry && std::ranges::any_of(f.body->result, [&](const auto& r) { return r.value == seg::SubExp(name); });
}

Tiled tiled(const lower::PlannedProgram& planned, const seg::Program& program, NameSource& names) {
  std::unordered_map<Name, const lower::Plan*> plans;
  for (const auto& [stm, plan] : planned.plans) {
    if (plan.match && !plan.specialized.empty() && stm->pat.size() == 1)
      plans.insert_or_assign(stm->pat[0].name, &plan);
  }
  const lower::TypesOfNames types = types_of_names(program);
  const lower::Layouts layouts =
      lower::find_layouts(lower::Device::Blocks, planned.program.constants, &planned.program.functions.at(0));
  Tiled all;
  seg::for_each_host_stm(program.functions.at(0).body->stms, [&](const seg::StmPtr& s) {
    const auto* op = std::get_if<seg::SegOp>(&s->exp);
    if (!op || op->kind != seg::SegKind::Map || op->level.kind != seg::LevelKind::Thread || s->pat.size() != 1) return;
    auto plan = plans.find(s->pat[0].name);
    if (plan == plans.end()) return;
    if (Result<seg::Stms> stms = lower::tiled_contraction(*s, *plan->second, types, layouts, names))
      all.insert_or_assign(s->pat[0].name, std::move(*stms));
  });
  all = Versions(all, names).run(program);
  for (auto& [name, stms] : all)
    stms = seg::with_flat_versions(std::move(stms), is_result(program.functions.at(0), name), names);
  return all;
}

}  // namespace

Result<seg::Program> tile_contractions(const seg::Program& program) {
  return tile_functions(program,
                        [](const lower::PlannedProgram& planned, const seg::Program& alone, NameSource& names) {
                          const Tiled tiles = tiled(planned, alone, names);
                          if (tiles.empty()) return seg::BodyPtr{};
                          auto put = [&](const seg::Stm& s) {
                            auto it = s.pat.empty() ? tiles.end() : tiles.find(s.pat[0].name);
                            return it == tiles.end() ? seg::just(s) : it->second;
                          };
                          return seg::StmExpander(put, false).body(alone.functions.at(0).body);
                        });
}

Result<seg::Program> tile_all(const seg::Program& program) {
  Result<seg::Program> contractions = tile_contractions(program);
  return contractions ? tile_groups(*contractions) : contractions;
}

}  // namespace heddle
