#include "rewrites/plan/lie_alike.h"

#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/points/layouts.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::lower {

namespace {

using seg::StmPtr;

// Whether there are several orders for it, and its type is the same in each version.
bool may_lie_otherwise(const seg::Type& type) {
  return type.is_array() && type.dims.size() > 1 && std::ranges::none_of(type.dims, &seg::Dim::is_ext);
}

// Whether each point runs through elements that others run through, too.
bool reads_again(const seg::SegOp& op) {
  const size_t indices = op.space.dims.size() + (op.kind == seg::SegKind::Map ? 0 : 1);
  return indices > 2 || (op.space.dims.size() > 1 && std::ranges::any_of(op.body->stms, [](const StmPtr& s) {
                           return std::holds_alternative<seg::Screma>(s->exp) ||
                                  std::holds_alternative<seg::Loop>(s->exp);
                         }));
}

class LieAlike {
 public:
  LieAlike(Layouts layouts, NameSource& names) : layouts_(std::move(layouts)), names_(names) {}

  // `wanted`: of the arrays that are the body's results or those of others around it, which are to lie the same.
  seg::BodyPtr body(const seg::BodyPtr& b, seg::NameSet wanted) {
    seg::Stms backwards;
    for (auto s = b->stms.rbegin(); s != b->stms.rend(); ++s) {
      want_what_it_reads(**s, wanted);
      backwards.push_back(changed(*s, wanted));
    }
    return std::make_shared<const seg::Body>(seg::Body{{backwards.rbegin(), backwards.rend()}, b->result});
  }

 private:
  static void want_what_it_reads(const seg::Stm& s, seg::NameSet& wanted) {
    const auto* loop = std::get_if<seg::Loop>(&s.exp);
    const auto* op = std::get_if<seg::SegOp>(&s.exp);
    const bool is_view = std::holds_alternative<seg::Rearrange>(s.exp) || std::holds_alternative<seg::Reshape>(s.exp) ||
                         std::holds_alternative<seg::Index>(s.exp) || std::holds_alternative<seg::Atom>(s.exp);
    const bool of_wanted = is_view && s.pat[0].type.is_array() && wanted.contains(s.pat[0].name);
    if (loop || of_wanted || (op && reads_again(*op))) wanted.merge(seg::free_names(s));
  }

  StmPtr changed(const StmPtr& s, const seg::NameSet& wanted) {
    if (const auto* loop = std::get_if<seg::Loop>(&s->exp)) {
      seg::Loop changed = *loop;
      changed.body = body(loop->body, {});
      return with(*s, std::move(changed));
    }
    const auto* match = std::get_if<seg::Match>(&s->exp);
    if (!match) return s;
    seg::Match versions = *match;
    versions.otherwise = body(match->otherwise, of_arm(*s, *match->otherwise, wanted));
    for (seg::Case& c : versions.cases) c.body = body(c.body, of_arm(*s, *c.body, wanted));
    // What is in the arms may lie otherwise by now.
    add_layouts(layouts_, {with(*s, versions)});
    if (match->sort == seg::MatchSort::Equiv) {
      for (size_t k = 0; k < s->pat.size(); ++k) {
        if (wanted.contains(s->pat[k].name) && may_lie_otherwise(s->pat[k].type)) settle(versions, k, s->pat[k]);
      }
    }
    return with(*s, std::move(versions));
  }

  static StmPtr with(const seg::Stm& s, seg::Exp exp) {
    return std::make_shared<const seg::Stm>(seg::Stm{s.pat, s.attrs, s.certs, std::move(exp), s.position});
  }

  static seg::NameSet of_arm(const seg::Stm& s, const seg::Body& arm, const seg::NameSet& wanted) {
    seg::NameSet of;
    for (size_t k = 0; k < s.pat.size(); ++k) {
      const seg::SubExp& result = arm.result[k].value;
      if (result.is_var() && wanted.contains(s.pat[k].name)) of.insert(result.name());
    }
    return of;
  }

  std::optional<std::vector<int>> lies(const seg::Body& arm, size_t k) const {
    const seg::SubExp& result = arm.result[k].value;
    return result.is_var() ? layouts_.dense_perm(result.name()) : std::nullopt;
  }

  void settle(seg::Match& versions, size_t k, const seg::PatElem& p) {
    const auto last = lies(*versions.otherwise, k);
    if (!last) return;
    for (seg::Case& c : versions.cases) {
      const auto perm = lies(*c.body, k);
      if (!perm || *perm == *last) continue;
      seg::Body arm = *c.body;
      const Name alike = names_.fresh("lies_alike");
      arm.stms.push_back(std::make_shared<const seg::Stm>(
          seg::Stm{{{alike, p.type}}, {}, {}, seg::Manifest{*last, arm.result[k].value.name()}, {}}));
      arm.result[k].value = alike;
      c.body = std::make_shared<const seg::Body>(std::move(arm));
    }
  }

  Layouts layouts_;
  NameSource& names_;
};

}  // namespace

seg::Program lie_alike(const seg::Program& program, NameSource& names) {
  seg::Program out = program;
  for (seg::FunDef& f : out.functions)
    f.body = LieAlike(find_layouts(Device::Blocks, program.constants, &f), names).body(f.body, {});
  return out;
}

}  // namespace heddle::lower
