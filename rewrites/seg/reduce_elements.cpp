#include "rewrites/seg/reduce_elements.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "ir/seg/host_stms.h"
#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/needed_stms.h"
#include "rewrites/seg/row_element.h"
#include "rewrites/seg/version_by_threads.h"
#include "rewrites/seg/version_in_place.h"

namespace heddle::seg {

namespace {

bool reduces_arrays(const SegOp& op) {
  if (op.kind != SegKind::Red || op.level.kind != LevelKind::Thread || op.space.dims.size() < 2) return false;
  size_t reduced = 0;
  bool arrays = false;
  for (const SegBinOp& o : op.ops) {
    if (!std::ranges::all_of(o.lambda.ret, is_stored_scalar)) return false;
    reduced += o.neutral.size();
    arrays |= !o.shape.empty();
  }
  return arrays && reduced == op.types.size();
}

// Reads and arithmetic, of which nothing asks whether it may be done.
bool cannot_fail(const Stms& stms) {
  return std::ranges::all_of(stms, [](const StmPtr& s) {
    const auto* op = std::get_if<PrimOp>(&s->exp);
    const bool is_plain =
        op ? !prim::can_fail(op->op) : std::holds_alternative<Index>(s->exp) || std::holds_alternative<Atom>(s->exp);
    return is_plain && s->certs.empty();
  });
}

// The part of a reduction of arrays that one of its operators reduces, whose results begin at `first`, by elements.
std::optional<Stm> by_elements(const Stm& s, const SegBinOp& of, size_t first, NameSource& names) {
  const auto& op = std::get<SegOp>(s.exp);
  SegOp red = op;
  red.ops = {of};
  red.ops[0].shape.clear();
  red.types.clear();
  const SegDim step = red.space.dims.back();
  red.space.dims.pop_back();
  std::vector<SubExp> at;
  for (const SubExp& size : of.shape) {
    red.space.dims.push_back({names.fresh("at"), size});
    at.emplace_back(red.space.dims.back().index);
  }
  red.space.dims.push_back(step);
  Builder point(names);
  point.add_all(op.body->stms);
  KernelBody body;
  Pat pat;
  for (size_t k = first; k < first + of.neutral.size(); ++k) {
    const auto* returns = std::get_if<Returns>(&op.body->results[k]);
    if (!returns || !returns->certs.empty()) return std::nullopt;
    const std::optional<SubExp> element = row_element(returns->value, at, op.types[k], {op.body->stms}, point);
    if (!element) return std::nullopt;
    body.results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, *element});
    red.types.push_back(Type::scalar(op.types[k].elem));
    pat.push_back(s.pat[k]);
  }
  NameSet needed = free_names(body);
  body.stms = needed_stms(point.take(), needed);
  if (!cannot_fail(body.stms) || !takes_little(body.stms)) return std::nullopt;
  red.body = std::make_shared<const KernelBody>(std::move(body));
  if (free_names(*red.body).contains(op.space.flat)) return std::nullopt;
  return Stm{std::move(pat), s.attrs, s.certs, fresh(red, names), s.position};
}

class Reducer {
 public:
  explicit Reducer(NameSource& names) : names_(names) {}

  Stms operator()(const Stm& s) {
    if (const auto* versions = std::get_if<Match>(&s.exp)) return version(s, *versions);
    const auto* op = std::get_if<SegOp>(&s.exp);
    if (!op || !reduces_arrays(*op)) return just(s);
    std::vector<Stm> parts;
    size_t first = 0;
    bool shared = true, of_one_shape = true;
    for (const SegBinOp& o : op->ops) {
      std::optional<Stm> part = by_elements(s, o, first, names_);
      if (!part) return just(s);
      first += o.neutral.size();
      shared &= shares_reads(std::get<SegOp>(part->exp));
      of_one_shape &= o.shape == op->ops[0].shape;
      parts.push_back(std::move(*part));
    }
    if (!shared && of_one_shape) return just(s);
    Stms all;
    for (const Stm& part : parts) {
      const Stms versions = with_version_by_threads(std::make_shared<const Stm>(part), names_);
      all.insert(all.end(), versions.begin(), versions.end());
      for (const PatElem& p : part.pat) {
        if (shared) shared_.insert(p.name);
      }
    }
    return all;
  }

 private:
  // All that is done in the first version is reductions that share reads.
  bool is_of_shared(const Body& body) const {
    bool any = false;
    for (const StmPtr& s : body.stms) {
      bool on_device = false;
      Body alone{{s}, {}};
      for_each_host_stm(alone.stms,
                        [&](const StmPtr& inner) { on_device |= std::holds_alternative<SegOp>(inner->exp); });
      if (on_device && !shared_.contains(s->pat[0].name)) return false;
      any |= on_device;
    }
    return any;
  }

  Stms version(const Stm& s, const Match& versions) const {
    const bool of_host = versions.sort == MatchSort::Equiv && versions.is_if() && s.certs.empty();
    return of_host && is_of_shared(*versions.cases[0].body) ? version_in_place(s, *versions.cases[0].body) : just(s);
  }

  NameSource& names_;
  std::unordered_set<Name> shared_;  // results of reductions whose elements share what they read
};

}  // namespace

Program reduce_elements(const Program& program, NameSource& names) {
  Reducer reducer(names);
  auto reduced = expand_host_stms(program, [&](const Stm& s) { return reducer(s); });
  if (!reduced) throw Refused{reduced.error()};
  return std::move(*reduced);
}

Result<Program> reduce_elements(const Program& program) try {
  NameSource names(program.next_tag());
  return reduce_elements(program, names);
} catch (const Refused& r) {
  return r.error;
}

}  // namespace heddle::seg
