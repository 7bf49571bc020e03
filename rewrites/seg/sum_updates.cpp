#include "rewrites/seg/sum_updates.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/seg/host_stms.h"
#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/needed_stms.h"
#include "rewrites/seg/point_update.h"
#include "rewrites/seg/version_by_threads.h"
#include "rewrites/seg/version_in_place.h"

namespace heddle::seg {

namespace {

// What the host has.
struct Host {
  std::unordered_map<Name, WithAccOp> acc_ops;  // by certificates
  std::unordered_set<Name> iotas;               // from 0 by 1
};

Host host_of(const Program& program) {
  Host host;
  for_each_host_stm(program, [&](const StmPtr& s) {
    const auto* with = std::get_if<WithAcc>(&s->exp);
    for (size_t k = 0; with && k < with->inputs.size(); ++k) {
      if (with->inputs[k].op) host.acc_ops.emplace(with->lambda.params[k].name, *with->inputs[k].op);
    }
    const auto* iota = std::get_if<Iota>(&s->exp);
    if (iota && iota->elem == prim::Type::I64 && iota->start == i64(0) && iota->stride == i64(1))
      host.iotas.insert(s->pat[0].name);
  });
  return host;
}

// Whether to do it again is cheaper than to store what it makes: reads, and arithmetic on indices.
bool is_light(const Stm& s) {
  if (std::holds_alternative<Index>(s.exp) || std::holds_alternative<Atom>(s.exp)) return true;
  return std::holds_alternative<PrimOp>(s.exp) && !prim::is_float(s.pat[0].type.elem);
}

bool is_compound(const Stm& s);

// Whether a branch only computes: what may fail a reduction would have stored before.
bool only_computes(const Body& side) {
  return std::ranges::none_of(
      side.stms, [](const StmPtr& s) { return std::holds_alternative<Assert>(s->exp) || is_compound(*s); });
}

bool is_compound(const Stm& s) {
  if (const auto* match = std::get_if<Match>(&s.exp))
    return !only_computes(*match->otherwise) ||
           std::ranges::any_of(match->cases, [](const Case& c) { return !only_computes(*c.body); });
  return !std::holds_alternative<PrimOp>(s.exp) && !std::holds_alternative<Assert>(s.exp) && !is_light(s);
}

class Sum {
 public:
  Sum(const Stm& s, const Host& host, NameSource& names)
      : s_(s), op_(std::get<SegOp>(s.exp)), known_(host), names_(names), host_(names) {}

  // Nothing unless some update is a sum, and each of them is or has a place of its own.
  std::optional<Stms> run() {
    bool any = false;
    if (free_names(*op_.body).contains(op_.space.flat)) return std::nullopt;
    for (size_t k = 0; k < op_.types.size(); ++k) {
      if (!op_.types[k].is_acc()) continue;
      std::optional<PointUpdate> update = point_update(op_, k, known_.iotas);
      if (!update || !operator_of(k, *update) || repeats_steps(*update)) return std::nullopt;
      any |= !has_own_places(*update);
      updates_.emplace(k, std::move(*update));
    }
    if (!any || !choose_stored()) return std::nullopt;
    store();
    for (const auto& [result, update] : updates_) {
      Operator op{*operator_of(result, update), known_.acc_ops.at(op_.types[result].acc->cert).neutral};
      add_update(result, update, sums_of(update, op));
    }
    if (loses_asserts()) return std::nullopt;
    return host_.take();
  }

 private:
  size_t num_maps(const PointUpdate& u) const { return u.dims.size() - op_.space.dims.size(); }

  // Whether more than a little that a map does once for all steps of another one within would be done in each of these.
  bool repeats_steps(const PointUpdate& u) const {
    return num_maps(u) > 1 && std::ranges::any_of(u.steps, [](const StmPtr& s) { return is_compound(*s); });
  }

  // What an update does to values, if that is the same for all places.
  std::optional<Lambda> operator_of(size_t result, const PointUpdate& u) const {
    const auto with = known_.acc_ops.find(op_.types[result].acc->cert);
    if (with == known_.acc_ops.end()) return std::nullopt;
    Lambda op = with->second.op;
    const size_t rank = u.update.index.size();
    if (op.params.size() != rank + 2 * op.ret.size()) return std::nullopt;
    if (!std::ranges::all_of(op.ret, [](const Type& t) { return t.is_scalar(); })) return std::nullopt;
    const NameSet used = free_names(*op.body);
    for (size_t k = 0; k < rank; ++k) {
      if (used.contains(op.params[k].name)) return std::nullopt;
    }
    op.params.erase(op.params.begin(), op.params.begin() + static_cast<long>(rank));
    return op;
  }

  // ---- What points compute for their updates, and others read. ----

  // What an update needs of the names that its steps and the point bind.
  static NameSet needed_by(const PointUpdate& u) {
    NameSet needed;
    for (const SubExp& v : u.update.values) needed.merge(free_names(v));
    return needed;
  }

  // False where that would be arrays.
  bool choose_stored() {
    for (const auto& [result, u] : updates_) {
      NameSet needed = needed_by(u);
      needed_stms(u.steps, needed);
      NameSet behind = needed;
      const Stms made = needed_stms(op_.body->stms, behind);
      if (num_maps(u) == 0 && std::ranges::none_of(made, [](const StmPtr& s) { return is_compound(*s); })) continue;
      if (!store_needed(made, std::move(needed))) return false;
    }
    return true;
  }

  // Of the statements that make `needed` those that are not light are done once, and what they make is stored.
  bool store_needed(const Stms& made, NameSet needed) {
    for (auto s = made.rbegin(); s != made.rend(); ++s) {
      if (!binds_any(**s, needed)) continue;
      if (is_light(**s)) {
        needed.merge(free_names(**s));
        continue;
      }
      if (std::holds_alternative<Assert>((*s)->exp)) continue;
      for (const PatElem& p : (*s)->pat) {
        if (!needed.contains(p.name)) continue;
        if (!p.type.is_scalar() || p.type.elem == prim::Type::Unit) return false;
        stored_.emplace(p.name, names_.fresh(p.name));
      }
    }
    return true;
  }

  // The points, without their updates; nothing if nothing of them is left.
  void store() {
    SegOp op{SegKind::Map, op_.level, op_.space, {}, {}, {}, nullptr};
    KernelBody body;
    Pat pat;
    NameSet needed;
    Shape shape;
    for (const SegDim& d : op_.space.dims) shape.push_back(d.size);
    auto add = [&](const PatElem& p, const Type& type, const KernelResult& r) {
      pat.push_back(p);
      op.types.push_back(type);
      body.results.push_back(r);
      needed.merge(free_names(r));
    };
    for (const StmPtr& s : op_.body->stms) {
      for (const PatElem& p : s->pat) {
        if (!stored_.contains(p.name)) continue;
        add({stored_.at(p.name), array_of(p.type, shape)}, p.type, Returns{ReturnsKind::MaySimplify, {}, p.name});
      }
    }
    for (size_t k = 0; k < op_.types.size(); ++k) {
      if (!op_.types[k].is_acc()) add(s_.pat[k], op_.types[k], op_.body->results[k]);
    }
    if (pat.empty()) return;
    body.stms = kept(needed_stms(op_.body->stms, needed));
    op.body = std::make_shared<const KernelBody>(std::move(body));
    host_.add(Stm{std::move(pat), s_.attrs, s_.certs, fresh(op, names_), s_.position});
  }

  Stms kept(Stms stms) {
    for (const StmPtr& s : stms) kept_.insert(s.get());
    return stms;
  }

  // Statements for what an update needs, where all its dimensions' indices are known.
  Stms values_of(const PointUpdate& u) {
    NameSet needed = needed_by(u);
    for (const Name& c : u.certs) needed.insert(c);
    const Stms steps = kept(needed_stms(u.steps, needed));
    Stms out;
    std::vector<SubExp> at;
    for (const SegDim& d : op_.space.dims) at.emplace_back(d.index);
    for (auto s = op_.body->stms.rbegin(); s != op_.body->stms.rend(); ++s) {
      if (!binds_any(**s, needed)) continue;
      if (std::ranges::any_of((*s)->pat, [&](const PatElem& p) { return stored_.contains(p.name); })) {
        for (const PatElem& p : (*s)->pat) {
          if (!needed.contains(p.name)) continue;
          Index element{stored_.at(p.name), row_slice(at, p.type)};
          out.push_back(std::make_shared<const Stm>(Stm{{p}, {}, {}, std::move(element), (*s)->position}));
        }
      } else {
        needed.merge(free_names(**s));
        out.push_back(*s);
        // In the steps of maps it is done for each of these, which may be none.
        if (num_maps(u) == 0) kept_.insert(s->get());
      }
    }
    std::ranges::reverse(out);
    out.insert(out.end(), steps.begin(), steps.end());
    return out;
  }

  bool loses_asserts() const {
    auto loses = [&](const StmPtr& s) { return std::holds_alternative<Assert>(s->exp) && !kept_.contains(s.get()); };
    return std::ranges::any_of(op_.body->stms, loses) ||
           std::ranges::any_of(updates_, [&](const auto& u) { return std::ranges::any_of(u.second.steps, loses); });
  }

  // ---- Sums. ----

  // The dimension that blocks of threads share: the last one whose size is not known to be small.
  static size_t shared_dim(const PointUpdate& u, const std::vector<size_t>& summed) {
    for (size_t k = summed.size(); k-- > 0;) {
      if (!u.dims[summed[k]].size.int_constant()) return summed[k];
    }
    return summed.back();
  }

  // The sums of all values of each place, as arrays: by a thread for each place where there are many, else by blocks of threads. That the
  // former may be a contraction is for the planner to see.
  std::vector<Name> sums_of(const PointUpdate& u, const Operator& with) {
    std::vector<size_t> summed;
    for (size_t d = 0; d < u.dims.size(); ++d) {
      if (std::ranges::find(u.place, d) == u.place.end()) summed.push_back(d);
    }
    Shape shape;
    for (size_t d : u.place) shape.push_back(u.dims[d].size);
    if (u.place.empty()) shape.push_back(i64(1));
    std::vector<Type> types;
    Pat pat;
    std::vector<Name> result;
    for (const Type& t : with.lambda.ret) {
      types.push_back(array_of(t, shape));
      result.push_back(names_.fresh("sums"));
      pat.push_back({result.back(), types.back()});
    }
    const SegOp by_places = of_places(u, with, summed);
    if (summed.empty()) {
      host_.add(Stm{pat, s_.attrs, s_.certs, fresh(by_places, names_), s_.position});
      return result;
    }
    std::vector<size_t> others = summed;
    const size_t shared = shared_dim(u, summed);
    std::erase(others, shared);
    SegOp by_blocks = of_places(u, with, others);
    by_blocks.kind = SegKind::Red;
    by_blocks.space.dims.push_back(u.dims[shared]);
    by_blocks.ops = {SegBinOp{true, with.lambda, with.neutral, {}}};
    if (u.place.empty()) {
      host_.add(Stm{pat, s_.attrs, s_.certs, fresh(by_blocks, names_), s_.position});
      return result;
    }
    host_.add_all(by_many_places({pat, s_.attrs, s_.certs, by_blocks, s_.position}, by_places, shape, names_));
    return result;
  }

  // A map of all places, each of which folds its values along dimensions.
  SegOp of_places(const PointUpdate& u, const Operator& with, const std::vector<size_t>& folded) {
    Stms stms = values_of(u);
    std::vector<SubExp> values = u.update.values;
    for (size_t k = folded.size(); k-- > 0;) values = fold(u.dims[folded[k]], with, stms, values);

    SegOp op{SegKind::Map, op_.level, {names_.fresh("flat"), {}}, {}, {}, with.lambda.ret, nullptr};
    for (size_t d : u.place) op.space.dims.push_back(u.dims[d]);
    if (u.place.empty()) op.space.dims.push_back({names_.fresh("dummy"), i64(1)});
    auto body = std::make_shared<KernelBody>();
    body->stms = std::move(stms);
    for (const SubExp& v : values) body->results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, v});
    op.body = std::move(body);
    return op;
  }

  // values = redomap(dim, iota(dim), \i -> { stms in values }, op); what was in `stms` is then in its body.
  std::vector<SubExp> fold(const SegDim& dim, const Operator& with, Stms& stms, const std::vector<SubExp>& values) {
    Builder point(names_);
    auto body = std::make_shared<Body>();
    body->stms = std::move(stms);
    for (const SubExp& v : values) body->result.push_back({{}, v});
    Pat pat;
    std::vector<SubExp> result;
    for (const Type& t : with.lambda.ret) {
      pat.push_back({names_.fresh("folded"), t});
      result.emplace_back(pat.back().name);
    }
    point.add(Stm{pat, {}, {}, redomap(dim, {with.lambda, with.neutral}, std::move(body), point), s_.position});
    stms = point.take();
    return result;
  }

  void add_update(size_t result, const PointUpdate& u, const std::vector<Name>& sums) {
    UpdateAcc update = u.update;
    SegOp op{SegKind::Map, op_.level, {names_.fresh("flat"), {}}, {}, {}, {op_.types[result]}, nullptr};
    Slice at;
    for (size_t d : u.place) {
      op.space.dims.push_back(u.dims[d]);
      at.emplace_back(DimFix{u.dims[d].index});
    }
    if (u.place.empty()) {
      op.space.dims.push_back({names_.fresh("dummy"), i64(1)});
      at.emplace_back(DimFix{i64(0)});
    }
    Builder point(names_);
    for (size_t k = 0; k < sums.size(); ++k)
      update.values[k] = point.let("sum", known_.acc_ops.at(op_.types[result].acc->cert).op.ret[k], Index{sums[k], at});
    const Name updated = names_.fresh("updated");
    point.add(Stm{{{updated, op_.types[result]}}, {}, u.certs, std::move(update), s_.position});
    op.body =
        std::make_shared<const KernelBody>(KernelBody{point.take(), {Returns{ReturnsKind::MaySimplify, {}, updated}}});
    host_.add(Stm{{s_.pat[result]}, s_.attrs, s_.certs, fresh(op, names_), s_.position});
  }

  const Stm& s_;
  const SegOp& op_;
  const Host& known_;
  NameSource& names_;
  Builder host_;
  std::map<size_t, PointUpdate> updates_;  // by results
  std::unordered_map<Name, Name> stored_;  // arrays of what points have by these names
  std::unordered_set<const Stm*> kept_;    // statements that are done somewhere
};

// ---- Versions. ----

struct Updates {
  size_t all = 0, own_place = 0;
};

Updates updates_in(const Body& body, const Host& known) {
  struct Count {
    size_t updates = 0;
    void use(const Name&) {}
    void bind(const Name&) {}
    bool enter(const BodyPtr& b) { return of(b->stms); }
    bool enter(const KernelBodyPtr& b) { return of(b->stms); }
    bool of(const Stms& stms) {
      for (const StmPtr& s : stms) updates += std::holds_alternative<UpdateAcc>(s->exp);
      return true;
    }
  };
  Updates found;
  for_each_host_stm(body.stms, [&](const StmPtr& s) {
    const auto* op = std::get_if<SegOp>(&s->exp);
    if (!op) return;
    Count count;
    walk(count, s->exp);
    found.all += count.updates;
    for (size_t k = 0; k < op->types.size(); ++k) {
      const std::optional<PointUpdate> update = point_update(*op, k, known.iotas);
      found.own_place += update && has_own_places(*update);
    }
  });
  return found;
}

bool all_have_own_places(const Updates& u) { return u.all > 0 && u.own_place == u.all; }

bool has_blocks(const Body& body) {
  bool any = false;
  for_each_host_stm(body.stms, [&](const StmPtr& s) {
    const auto* op = std::get_if<SegOp>(&s->exp);
    any |= op && op->level.kind == LevelKind::Block;
  });
  return any;
}

Stms one_version(const Stm& s, const Host& known, NameSource& names) {
  const auto* versions = std::get_if<Match>(&s.exp);
  if (!versions || versions->sort != MatchSort::Equiv || !versions->is_if() || !s.certs.empty()) return just(s);
  const Body &first = *versions->cases[0].body, &other = *versions->otherwise;
  const bool first_has = all_have_own_places(updates_in(first, known));
  if (first_has == all_have_own_places(updates_in(other, known))) return just(s);
  // That blocks are not too large only the choice sees to.
  if (first_has && has_blocks(first)) return just(s);
  Body only = first_has ? first : other;
  Stms stms;
  for (const StmPtr& inner : only.stms) {
    const Stms parts = with_version_by_threads(inner, names);
    stms.insert(stms.end(), parts.begin(), parts.end());
  }
  only.stms = std::move(stms);
  return version_in_place(s, only);
}

}  // namespace

Program sum_updates(const Program& program, NameSource& names) {
  const Host known = host_of(program);
  if (known.acc_ops.empty()) return program;
  auto summed = expand_host_stms(program, [&](const Stm& s) {
    if (!std::holds_alternative<SegOp>(s.exp)) return one_version(s, known, names);
    std::optional<Stms> parts = Sum(s, known, names).run();
    return parts ? *parts : just(s);
  });
  if (!summed) throw Refused{summed.error()};
  return std::move(*summed);
}

Result<Program> sum_updates(const Program& program) try {
  NameSource names(program.next_tag());
  return sum_updates(program, names);
} catch (const Refused& r) {
  return r.error;
}

}  // namespace heddle::seg
