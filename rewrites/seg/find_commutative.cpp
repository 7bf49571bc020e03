#include "rewrites/seg/find_commutative.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/prim/algebra.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

namespace {

using prim::Family;

constexpr size_t kMostCompared = 3;

enum class Order { Less, Equal, Greater };

// What an operator yields, as texts that are equal only if their values are.
class Yields {
 public:
  // `orders`: of some components of the first operand beside those of the second.
  Yields(const Lambda& op, const std::map<size_t, Order>& orders) : op_(op), orders_(orders) {}

  // With the operands the other way round, the second component-wise before the first.
  std::optional<std::vector<std::string>> run(bool swapped) {
    const size_t n = op_.params.size() / 2;
    for (size_t k = 0; k < 2 * n; ++k) {
      const bool first = (k < n) != swapped;
      terms_.insert_or_assign(op_.params[k].name, component(k % n, first));
    }
    std::optional<std::vector<std::string>> results = body(*op_.body);
    return failed_ ? std::nullopt : results;
  }

  // Components that are compared and about whose order nothing was said.
  const std::vector<size_t>& undecided() const { return undecided_; }

 private:
  bool is_equal(size_t k) const {
    const auto order = orders_.find(k);
    return order != orders_.end() && order->second == Order::Equal;
  }

  // Whether both operands have the same of a component. Zeros of both signs are equal, but not the same: of floats this is known only beside
  // integers that are all the same, such as places of elements, since then both operands are the same element.
  bool is_same(size_t k) const {
    if (!is_equal(k)) return false;
    if (!prim::is_float(op_.ret[k].elem)) return true;
    bool any = false, all = true;
    for (const auto& [other, order] : orders_) {
      if (prim::is_float(op_.ret[other].elem)) continue;
      any = true;
      all &= order == Order::Equal;
    }
    return any && all;
  }

  std::string component(size_t k, bool first) {
    const bool same = is_same(k);
    std::string name = (first || same ? "x" : "y") + std::to_string(k);
    components_.emplace(name, std::pair(k, first || same));
    return name;
  }

  std::string term(const SubExp& e) {
    if (!e.is_var()) return prim::to_text(e.value());
    const auto found = terms_.find(e.name());
    return found == terms_.end() ? e.name().text() : found->second;
  }

  std::vector<std::string> body(const Body& b) {
    for (const StmPtr& s : b.stms) {
      if (!failed_) one(*s);
    }
    std::vector<std::string> results;
    for (const SubExpRes& r : b.result) results.push_back(term(r.value));
    return results;
  }

  void one(const Stm& s) {
    if (const auto* atom = std::get_if<Atom>(&s.exp)) {
      define(s, 0, term(atom->value));
    } else if (const auto* op = std::get_if<PrimOp>(&s.exp)) {
      define(s, 0, applied(*op));
    } else if (const auto* match = std::get_if<Match>(&s.exp); match && match->is_if()) {
      const std::string condition = term(match->subjects[0]);
      if (condition != "true" && condition != "false") return fail();  // but for what is undecided
      const std::vector<std::string> chosen = body(condition == "true" ? *match->cases[0].body : *match->otherwise);
      for (size_t k = 0; k < chosen.size() && !failed_; ++k) define(s, k, chosen[k]);
    } else {
      fail();
    }
  }

  void fail() { failed_ = true; }

  void define(const Stm& s, size_t result, std::string value) {
    terms_.insert_or_assign(s.pat[result].name, std::move(value));
  }

  std::string applied(const PrimOp& op) {
    std::vector<std::string> args;
    for (const SubExp& a : op.args) args.push_back(term(a));
    if (const std::optional<bool> known = decided(op.op.family, args)) return *known ? "true" : "false";
    if (op.op.family == Family::Eq || prim::neutral_element(op.op)) std::ranges::sort(args);
    std::string text = "(" + prim::name(op.op);
    for (const std::string& a : args) text += " " + a;
    return text + ")";
  }

  std::optional<bool> decided(Family family, const std::vector<std::string>& args) {
    auto is = [&](const char* value) { return std::ranges::find(args, value) != args.end(); };
    if (family == Family::LogAnd || family == Family::LogOr) {
      const bool absorbing = family == Family::LogOr;
      if (is(absorbing ? "true" : "false")) return absorbing;
      if (args[0] == (absorbing ? "false" : "true") && args[1] == args[0]) return !absorbing;
      return std::nullopt;
    }
    if (family == Family::Neg && (args[0] == "true" || args[0] == "false")) return args[0] == "false";
    return args.size() == 2 ? compared(family, args[0], args[1]) : std::nullopt;
  }

  std::optional<bool> compared(Family family, const std::string& a, const std::string& b) {
    const bool less = family == Family::Slt || family == Family::Ult || family == Family::FLt;
    const bool not_above = family == Family::Sle || family == Family::Ule || family == Family::FLe;
    if (!less && !not_above && family != Family::Eq) return std::nullopt;
    const auto left = components_.find(a), right = components_.find(b);
    if (left == components_.end() || right == components_.end() || left->second.first != right->second.first)
      return std::nullopt;
    const auto [component, is_first] = left->second;
    if (is_equal(component)) return !less;
    if (a == b) return prim::is_float(op_.ret[component].elem) ? std::nullopt : std::optional(!less);
    const bool is_unsigned = family == Family::Ult || family == Family::Ule;
    if (family != Family::Eq && unsigned_.try_emplace(component, is_unsigned).first->second != is_unsigned) fail();
    const auto order = orders_.find(component);
    if (order == orders_.end()) {
      undecided_.push_back(component);
      return std::nullopt;
    }
    return !(family == Family::Eq) && (order->second == Order::Less) == is_first;
  }

  const Lambda& op_;
  const std::map<size_t, Order>& orders_;
  std::unordered_map<Name, std::string> terms_;
  std::unordered_map<std::string, std::pair<size_t, bool>>
      components_;  // which they are, and whether of the first operand
  std::vector<size_t> undecided_;
  std::map<size_t, bool> unsigned_;  // whether components are compared as numbers without a sign
  bool failed_ = false;
};

bool same_both_ways(const Lambda& op, const std::map<size_t, Order>& orders) {
  Yields one_way(op, orders), other_way(op, orders);
  const auto result = one_way.run(false), swapped = other_way.run(true);
  for (const Yields* yields : {&one_way, &other_way}) {
    if (yields->undecided().empty()) continue;
    if (orders.size() == kMostCompared) return false;
    return std::ranges::all_of(std::vector{Order::Less, Order::Equal, Order::Greater}, [&](Order order) {
      std::map<size_t, Order> more = orders;
      more.emplace(yields->undecided()[0], order);
      return same_both_ways(op, more);
    });
  }
  return result && result == swapped;
}

}  // namespace

bool is_commutative(const Lambda& op) {
  const bool scalars = std::ranges::all_of(op.ret, [](const Type& t) { return t.is_scalar() && !t.is_acc(); });
  return scalars && op.params.size() == 2 * op.ret.size() && same_both_ways(op, {});
}

Result<Program> find_commutative(const Program& program) {
  auto mark = [](const Stm& s) {
    const auto* op = std::get_if<SegOp>(&s.exp);
    if (!op || op->kind != SegKind::Red) return just(s);
    SegOp changed = *op;
    for (SegBinOp& o : changed.ops) o.commutative |= is_commutative(o.lambda);
    Stm result = s;
    result.exp = std::move(changed);
    return just(std::move(result));
  };
  return expand_stms(program, mark, true);
}

}  // namespace heddle::seg
