#include "rewrites/seg/scalar_operators.h"

#include <algorithm>
#include <unordered_map>

#include "ir/seg/host_stms.h"
#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

namespace {

// The elements that rows made by `replicate` in the host's code have.
using Elements = std::unordered_map<Name, SubExp>;

struct ScalarOperator {
  Lambda lambda;
  std::vector<SubExp> neutral;
  Shape shape;
};

bool is_row(const Type& t, const SubExp& size) {
  return t.rank() == 1 && !t.is_acc() && t.elem != prim::Type::Unit && !t.dims[0].is_ext() && t.dims[0].size() == size;
}

bool is_at(const Slice& slice, const Name& index) {
  const auto* at = slice.size() == 1 ? std::get_if<DimFix>(&slice[0]) : nullptr;
  return at && at->index == SubExp(index);
}

// What an operator's body does with an element of each row.
class OfElement {
 public:
  explicit OfElement(const Lambda& op) : op_(op) {
    for (const Param& p : op.params) {
      rows_.emplace(p.name, p.name);
      not_scalar_.insert(p.name);
    }
  }

  // None if the body does anything else.
  std::optional<Lambda> lambda() {
    for (const StmPtr& s : op_.body->stms) {
      const auto* loop = std::get_if<Loop>(&s->exp);
      if (loop ? done_ || !goes_through(*loop, s->pat) : done_ || !comes_before(*s)) return std::nullopt;
      done_ = loop != nullptr;
    }
    if (!done_ || results_.size() != op_.body->result.size()) return std::nullopt;
    Lambda of_element;
    for (const Param& p : op_.params) of_element.params.push_back({p.attrs, p.name, Type::scalar(p.type.elem)});
    for (const Type& t : op_.ret) of_element.ret.push_back(Type::scalar(t.elem));
    Body body{std::move(stms_), {}};
    for (const SubExpRes& r : op_.body->result) {
      auto result = r.value.is_var() ? results_.find(r.value.name()) : results_.end();
      if (result == results_.end()) return std::nullopt;
      body.result.push_back(r);
      body.result.back().value = result->second;
    }
    of_element.body = std::make_shared<const Body>(std::move(body));
    return substitute(elements_, of_element);
  }

 private:
  bool uses_none(const Stm& s) const {
    return std::ranges::none_of(free_names(s), [&](const Name& n) { return not_scalar_.contains(n); });
  }

  // Rows that the loop begins with, of which no element is left, or a row of the operator's; else what is the same for all elements.
  bool comes_before(const Stm& s) {
    const auto* copy = std::get_if<Replicate>(&s.exp);
    if (copy && copy->shape.empty() && copy->value.is_var() && rows_.contains(copy->value.name()))
      rows_.emplace(s.pat[0].name, rows_.at(copy->value.name()));
    else if (!uses_none(s))
      return false;
    else if (!copy && !std::holds_alternative<Scratch>(s.exp)) {
      stms_.push_back(std::make_shared<const Stm>(s));
      return true;
    }
    not_scalar_.insert(s.pat[0].name);
    return true;
  }

  bool goes_through(const Loop& loop, const Pat& pat) {
    const auto* form = std::get_if<ForLoop>(&loop.form);
    if (!form || pat.size() != loop.params.size()) return false;
    if (!std::ranges::all_of(op_.params, [&](const Param& p) { return is_row(p.type, form->bound); })) return false;
    std::unordered_map<Name, size_t> number;
    for (size_t k = 0; k < loop.params.size(); ++k) {
      const Param& p = loop.params[k];
      if (!is_row(p.type, form->bound)) return false;
      number.emplace(p.name, k);
      not_scalar_.insert(p.name);
      const SubExp& init = loop.inits[k];
      if (init.is_var() && rows_.contains(init.name())) rows_.emplace(p.name, rows_.at(init.name()));
    }
    not_scalar_.insert(form->index);
    std::unordered_map<Name, SubExp> stored;  // by what the row is called then
    std::unordered_map<Name, size_t> row_of;
    for (const StmPtr& s : loop.body->stms) {
      const auto* read = std::get_if<Index>(&s->exp);
      const auto* write = std::get_if<Update>(&s->exp);
      if (read && is_at(read->slice, form->index) && rows_.contains(read->array)) {
        elements_.insert_or_assign(s->pat[0].name, SubExp(rows_.at(read->array)));
      } else if (write && is_at(write->slice, form->index) && number.contains(write->array)) {
        if (write->value.is_var() && not_scalar_.contains(write->value.name())) return false;
        stored.emplace(s->pat[0].name, write->value);
        row_of.emplace(s->pat[0].name, number.at(write->array));
        not_scalar_.insert(s->pat[0].name);
      } else if (uses_none(*s)) {
        stms_.push_back(s);
      } else {
        return false;
      }
    }
    for (size_t k = 0; k < loop.params.size(); ++k) {
      const SubExp& next = loop.body->result[k].value;
      if (!next.is_var() || !row_of.contains(next.name()) || row_of.at(next.name()) != k) return false;
      results_.emplace(pat[k].name, stored.at(next.name()));
    }
    return true;
  }

  const Lambda& op_;
  std::unordered_map<Name, Name> rows_;  // those that are a row of the operator's before anything is stored
  NameSet not_scalar_;
  Substitution elements_;
  Stms stms_;
  bool done_ = false;
  std::unordered_map<Name, SubExp> results_;
};

std::optional<ScalarOperator> of_elements(const Lambda& lambda, const std::vector<SubExp>& neutral,
                                          const Elements& known) {
  if (lambda.params.empty() || lambda.params[0].type.rank() != 1 || lambda.params[0].type.dims[0].is_ext())
    return std::nullopt;
  ScalarOperator result;
  result.shape = {lambda.params[0].type.dims[0].size()};
  for (const SubExp& ne : neutral) {
    auto element = ne.is_var() ? known.find(ne.name()) : known.end();
    if (element == known.end()) return std::nullopt;
    result.neutral.push_back(element->second);
  }
  std::optional<Lambda> of_element = OfElement(lambda).lambda();
  if (!of_element) return std::nullopt;
  result.lambda = std::move(*of_element);
  return result;
}

}  // namespace

Result<Program> scalar_operators(const Program& program) {
  Elements known;
  for_each_host_stm(program, [&](const StmPtr& s) {
    const auto* filled = std::get_if<Replicate>(&s->exp);
    if (filled && filled->shape.size() == 1 && s->pat[0].type.rank() == 1) known.emplace(s->pat[0].name, filled->value);
  });
  return expand_host_stms(program, [&](const Stm& s) {
    Stm changed = s;
    auto* op = std::get_if<SegOp>(&changed.exp);
    if (!op) return just(s);
    for (SegBinOp& o : op->ops) {
      if (auto scalar = o.shape.empty() ? of_elements(o.lambda, o.neutral, known) : std::nullopt) {
        o.lambda = std::move(scalar->lambda);
        o.neutral = std::move(scalar->neutral);
        o.shape = std::move(scalar->shape);
      }
    }
    for (HistOp& h : op->hists) {
      if (auto scalar = h.op_shape.empty() ? of_elements(h.op, h.neutral, known) : std::nullopt) {
        h.op = std::move(scalar->lambda);
        h.neutral = std::move(scalar->neutral);
        h.op_shape = std::move(scalar->shape);
      }
    }
    return just(std::move(changed));
  });
}

}  // namespace heddle::seg
