#include "rewrites/seg/equal_components.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/needed_stms.h"
#include "rewrites/seg/only_read.h"

namespace heddle::seg {

namespace {

// For each component the number of the first that is the same.
using Classes = std::vector<size_t>;

// What an operator yields as numbers that are the same only if the values are.
class Yields {
 public:
  Yields(const Lambda& op, const Classes& classes) {
    const size_t n = classes.size();
    for (size_t k = 0; k < 2 * n; ++k) {
      const std::string side = k < n ? "x" : "y";
      numbers_.emplace(op.params[k].name, number(side + std::to_string(classes[k % n])));
    }
  }

  // Nothing where the body does more than compute scalars.
  std::optional<std::vector<size_t>> of(const Body& b) {
    for (const StmPtr& s : b.stms) {
      if (!compute(*s)) return std::nullopt;
    }
    std::vector<size_t> results;
    for (const SubExpRes& r : b.result) results.push_back(number(r.value));
    return results;
  }

 private:
  size_t number(const std::string& text) { return texts_.try_emplace(text, texts_.size()).first->second; }
  size_t number(const SubExp& e) {
    if (!e.is_var()) return number(prim::to_text(e.value()));
    const auto found = numbers_.find(e.name());
    return found == numbers_.end() ? number("free " + e.name().text()) : found->second;
  }

  bool compute(const Stm& s) {
    if (const auto* atom = std::get_if<Atom>(&s.exp)) {
      numbers_.insert_or_assign(s.pat[0].name, number(atom->value));
      return true;
    }
    if (const auto* op = std::get_if<PrimOp>(&s.exp)) {
      std::string text = prim::name(op->op);
      for (const SubExp& a : op->args) text += " " + std::to_string(number(a));
      numbers_.insert_or_assign(s.pat[0].name, number(text));
      return true;
    }
    const auto* match = std::get_if<Match>(&s.exp);
    if (!match || !match->is_if()) return false;
    const auto yes = of(*match->cases[0].body), no = of(*match->otherwise);
    if (!yes || !no) return false;
    const size_t condition = number(match->subjects[0]);
    for (size_t k = 0; k < s.pat.size(); ++k) {
      const std::string text = "if " + std::to_string(condition) + " " + std::to_string((*yes)[k]);
      numbers_.insert_or_assign(s.pat[k].name, number(text + " " + std::to_string((*no)[k])));
    }
    return true;
  }

  std::unordered_map<std::string, size_t> texts_;
  std::unordered_map<Name, size_t> numbers_;
};

// Components go to the first that is the same.
template <class Same>
Classes classes_of(size_t n, Same same) {
  Classes classes(n);
  for (size_t k = 0; k < n; ++k) {
    classes[k] = k;
    for (size_t j = 0; j < k; ++j) {
      if (classes[j] == j && same(j, k)) {
        classes[k] = j;
        break;
      }
    }
  }
  return classes;
}

// Whether points yield the same for both.
bool same_result(const SegOp& op, size_t j, size_t k) {
  const KernelResult& one = op.body->results[j];
  return std::holds_alternative<Returns>(one) && one == op.body->results[k] && op.types[j] == op.types[k];
}

// Of what is yielded from `first` on, and not folded.
Classes equal_results(const SegOp& op, size_t first) {
  return classes_of(op.types.size() - first, [&](size_t j, size_t k) { return same_result(op, first + j, first + k); });
}

// Of the operator whose components the points yield from `first` on.
Classes equal_ones(const SegOp& op, const SegBinOp& o, size_t first) {
  const size_t n = o.neutral.size();
  Classes classes = classes_of(
      n, [&](size_t j, size_t k) { return same_result(op, first + j, first + k) && o.neutral[j] == o.neutral[k]; });
  while (true) {
    const auto yields = Yields(o.lambda, classes).of(*o.lambda.body);
    if (!yields) return classes_of(n, [](size_t, size_t) { return false; });
    Classes finer =
        classes_of(n, [&](size_t j, size_t k) { return classes[j] == classes[k] && (*yields)[j] == (*yields)[k]; });
    if (finer == classes) return classes;
    classes = std::move(finer);
  }
}

// The operator without the components for which `instead` has another.
SegBinOp without(const SegBinOp& o, const Classes& instead) {
  const size_t n = instead.size();
  SegBinOp out = o;
  out.lambda.params.clear();
  out.lambda.ret.clear();
  out.neutral.clear();
  Substitution others;
  Body body;
  for (size_t k = 0; k < 2 * n; ++k) {
    const size_t other = instead[k % n];
    if (other == k % n) {
      out.lambda.params.push_back(o.lambda.params[k]);
    } else {
      others.insert_or_assign(o.lambda.params[k].name, SubExp(o.lambda.params[k - k % n + other].name));
    }
  }
  for (size_t k = 0; k < n; ++k) {
    if (instead[k] != k) continue;
    out.lambda.ret.push_back(o.lambda.ret[k]);
    out.neutral.push_back(o.neutral[k]);
    body.result.push_back(o.lambda.body->result[k]);
  }
  NameSet needed;
  for (const SubExpRes& r : body.result) needed.merge(free_names(r));
  body.stms = needed_stms(o.lambda.body->stms, needed);
  out.lambda.body = std::make_shared<const Body>(substitute(others, body));
  return out;
}

class EqualComponents {
 public:
  explicit EqualComponents(const Program& program) : kept_apart_(changed_or_handed_on(program)) {}

  Stm stm(const Stm& s) {
    const auto* op = std::get_if<SegOp>(&s.exp);
    if (!op || op->kind == SegKind::Hist) return s;
    SegOp out = *op;
    out.ops.clear();
    out.types.clear();
    auto body = std::make_shared<KernelBody>(*op->body);
    body->results.clear();
    Stm result = s;
    result.pat.clear();
    auto take = [&](size_t first, const Classes& instead) {
      for (size_t k = first; k < first + instead.size(); ++k) {
        const size_t other = first + instead[k - first];
        if (other != k) {
          others_.insert_or_assign(s.pat[k].name, SubExp(s.pat[other].name));
          continue;
        }
        out.types.push_back(op->types[k]);
        body->results.push_back(op->body->results[k]);
        result.pat.push_back(s.pat[k]);
      }
    };
    size_t first = 0;
    for (const SegBinOp& o : op->ops) {
      const Classes instead = those_that_go(s, equal_ones(*op, o, first), first);
      take(first, instead);
      out.ops.push_back(without(o, instead));
      first += instead.size();
    }
    take(first, those_that_go(s, equal_results(*op, first), first));
    if (result.pat.size() == s.pat.size()) return s;
    out.body = std::move(body);
    result.exp = std::move(out);
    return result;
  }

  // By what name each result that is gone goes on.
  const Substitution& others() const { return others_; }

 private:
  // The same for those whose results may be one.
  Classes those_that_go(const Stm& s, const Classes& equal, size_t first) const {
    auto may_be_one = [&](size_t k) {
      const PatElem& p = s.pat[first + k];
      return !p.type.is_array() || !kept_apart_.contains(p.name);
    };
    return classes_of(equal.size(),
                      [&](size_t j, size_t k) { return equal[j] == equal[k] && may_be_one(j) && may_be_one(k); });
  }

  NameSet kept_apart_;
  Substitution others_;
};

}  // namespace

Result<Program> equal_components(const Program& program) {
  EqualComponents equal(program);
  Result<Program> out = expand_host_stms(program, [&](const Stm& s) { return just(equal.stm(s)); });
  if (!out || equal.others().empty()) return out;
  for (StmPtr& s : out->constants) s = std::make_shared<const Stm>(substitute(equal.others(), *s));
  for (FunDef& f : out->functions) f.body = std::make_shared<const Body>(substitute(equal.others(), *f.body));
  return out;
}

}  // namespace heddle::seg
