#include "rewrites/seg/bins_by_elements.h"

#include <algorithm>

#include "ir/seg/has_checks.h"
#include "ir/seg/traverse.h"
#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/histogram_parts.h"
#include "rewrites/seg/needed_stms.h"
#include "rewrites/seg/row_element.h"

namespace heddle::seg {

namespace {

bool makes_arrays(const SegOp& op) {
  for (size_t k = 0; k < op.types.size(); ++k) {
    const auto* returns = std::get_if<Returns>(&op.body->results[k]);
    if (returns && !op.types[k].is_scalar() && maker_of_row(returns->value, {op.body->stms})) return true;
  }
  return false;
}

// Whether something may fail within a map or a branch, which for arrays without elements nobody would ask any more, or for a part of them.
bool fails_within(const Stms& stms) {
  return std::ranges::any_of(
      stms, [](const StmPtr& s) { return !std::holds_alternative<Assert>(s->exp) && has_checks({s}); });
}

// Of an operation whose histograms are all of arrays of one shape.
class ByElements {
 public:
  ByElements(const Stm& s, NameSource& names)
      : s_(s), op_(std::get<SegOp>(s.exp)), shape_(op_.hists[0].op_shape), made_(op_), host_(names), point_(names) {}

  std::optional<Stms> run() {
    const bool alike = std::ranges::all_of(op_.hists, [&](const HistOp& h) { return h.op_shape == shape_; });
    if (!alike || fails_within(op_.body->stms)) return std::nullopt;
    number_points();
    point_.add_all(op_.body->stms);
    made_.types.clear();
    const size_t first_value = yield_bins();
    for (size_t k = first_value; k < op_.types.size(); ++k) {
      if (!yield_element(k, k - first_value)) return std::nullopt;
    }
    NameSet needed = free_names(body_);
    body_.stms = needed_stms(point_.take(), needed);
    if (!takes_little(body_.stms) || needed.contains(op_.space.flat)) return std::nullopt;
    made_.body = std::make_shared<const KernelBody>(std::move(body_));
    Substitution fresh;
    host_.add(Stm{s_.pat, s_.attrs, s_.certs, rename(host_.names(), fresh, made_), s_.position});
    return host_.take();
  }

 private:
  void yield(const KernelResult& r, const Type& type) {
    body_.results.push_back(r);
    made_.types.push_back(type);
  }
  void yield(const SubExp& value, const Type& type) { yield(Returns{ReturnsKind::MaySimplify, {}, value}, type); }

  // Of an array without elements there is one point nevertheless where points may fail, which does without the element.
  void number_points() {
    SegDim& dim = made_.space.dims.back();
    const Name old = dim.index;
    dim.index = host_.names().fresh("element");
    SubExp rest = dim.index, all = i64(1);
    at_.resize(shape_.size());
    for (size_t d = shape_.size(); d-- > 0;) {
      const SubExp count = may_fail_ ? host_.max(i64(1), shape_[d]) : shape_[d];
      all = host_.mul(all, shape_[d]);
      dim.size = host_.mul(dim.size, count);
      at_[d] = point_.binary(prim::Family::SRemSafe, "at", rest, count);
      rest = point_.binary(prim::Family::SQuotSafe, "rest", rest, count);
    }
    point_.add(Stm{{{old, Type::scalar(prim::Type::I64)}}, {}, {}, Atom{rest}, {}});
    if (!may_fail_) return;
    exist_ = host_.let("exist", Type::scalar(prim::Type::Bool),
                       PrimOp{prim::Op(prim::Family::Slt, prim::Type::I64), {i64(0), all}});
  }

  // How many results say which bins they were.
  size_t yield_bins() {
    size_t next = 0;
    for (HistOp& h : made_.hists) {
      for (size_t d = 0; d < h.shape.size(); ++d, ++next) yield(op_.body->results[next], op_.types[next]);
      for (const SubExp& index : at_) yield(index, Type::scalar(prim::Type::I64));
      h.shape.insert(h.shape.end(), shape_.begin(), shape_.end());
      h.op_shape.clear();
      neutral_.insert(neutral_.end(), h.neutral.begin(), h.neutral.end());
    }
    return next;
  }

  bool yield_element(size_t result, size_t value) {
    const auto* returns = std::get_if<Returns>(&op_.body->results[result]);
    if (!returns || !returns->certs.empty()) return false;
    Builder b(host_.names());
    std::optional<SubExp> element = row_element(returns->value, at_, op_.types[result], {op_.body->stms}, b);
    if (!element) return false;
    const Type type = Type::scalar(op_.types[result].elem);
    if (may_fail_) {
      auto body = [](Stms stms, const SubExp& x) {
        return std::make_shared<const Body>(Body{std::move(stms), {{{}, x}}});
      };
      Match if_any{MatchSort::Normal, {exist_}, {}, body({}, neutral_[value]), {type}};
      if_any.cases.push_back({{prim::Value::of_bool(true)}, body(b.take(), *element)});
      element = point_.let("element", type, std::move(if_any));
    } else {
      point_.add_all(b.take());
    }
    yield(*element, type);
    return true;
  }

  const Stm& s_;
  const SegOp& op_;
  const Shape shape_;
  const bool may_fail_ = has_checks(op_.body->stms);
  SegOp made_;
  Builder host_, point_;
  KernelBody body_;
  std::vector<SubExp> at_, neutral_;
  SubExp exist_ = prim::Value::of_bool(true);  // whether arrays have elements
};

}  // namespace

std::optional<Stms> bins_by_elements(const Stm& s, NameSource& names) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  if (!op || op->kind != SegKind::Hist || op->level.kind != LevelKind::Thread || !has_bins_of_scalars(*op) ||
      !makes_arrays(*op))
    return std::nullopt;
  std::vector<HistogramPart> arrays, scalars;
  for (const HistogramPart& p : histogram_parts(*op)) (p.hist->op_shape.empty() ? scalars : arrays).push_back(p);
  if (scalars.empty()) return ByElements(s, names).run();
  const StmPtr of_arrays = histogram_of_parts(s, arrays, names);
  std::optional<Stms> all = ByElements(*of_arrays, names).run();
  if (all) all->push_back(histogram_of_parts(s, scalars, names));
  return all;
}

Result<Program> bins_by_elements(const Program& program) {
  NameSource names(program.next_tag());
  return expand_host_stms(program, [&](const Stm& s) { return bins_by_elements(s, names).value_or(just(s)); });
}

}  // namespace heddle::seg
