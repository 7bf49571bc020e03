#include "rewrites/recipes/find_contraction.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "rewrites/contraction/reuse.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/recipes/alternatives.h"
#include "rewrites/recipes/delinearize.h"
#include "rewrites/recipes/delinearize_operands.h"
#include "rewrites/recipes/hoist_checks.h"
#include "rewrites/recognize/recognize.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

// Indices that are taken apart: more than any array has dimensions.
constexpr int kMaxSplits = 16;

// A condition on host scalars that nearly every launch satisfies, though nothing enforces it: that the kernel's
// parameters and what they are computed from are not negative, nor 0 if they divide, and far from where 64 bits end.
// What `facts` say already is left out; the rest is added to them.
Expr size_assumptions(const HostScope& host, const nest::Kernel& kernel, const nest::Block& body, nest::Facts& facts) {
  std::vector<Name> names;  // host scalars of type i64
  nest::NameSet seen, divisors;
  auto add = [&](const Name& n) {
    auto it = host.types.find(n);
    bool is_integer = it != host.types.end() && it->second.is_scalar() && it->second.elem == Type::I64;
    if (is_integer && seen.insert(n).second) names.push_back(n);
  };
  auto look_for_divisors = [&](const Expr& e) {
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (!o || !nest::is_division(o->op)) return;
    for (const Name& n : nest::free_names(o->args[1])) divisors.insert(n);
  };
  for (const nest::ScalarParam& p : kernel.scalars) add(p.name);
  // Who writes max(1, s) allows for an s that is not meant.
  std::vector<Expr> meant;
  auto look_for_clamps = [&](const Expr& e) {
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (!o || o->op.family != prim::Family::SMax || o->op.type != Type::I64) return;
    for (size_t k = 0; k < 2; ++k) {
      const auto* v = std::get_if<nest::Var>(&o->args[k]->node);
      if (v && nest::int_constant(o->args[1 - k]))
        meant.push_back(nest::less(nest::sub(o->args[1 - k], nest::constant(int64_t{1})), o->args[k]));
    }
  };
  nest::for_each_expr(body, look_for_divisors);
  // And what these are computed from.
  size_t next = 0;
  while (next < names.size()) {
    Expr definition = host.facts.definition(names[next++]);
    if (!definition) continue;
    nest::for_each_expr(definition, look_for_divisors);
    nest::for_each_expr(definition, look_for_clamps);
    for (const Name& n : nest::free_names(definition)) add(n);
  }
  std::sort(names.begin(), names.end());
  Expr all = nest::constant(prim::Value::of_bool(true));
  auto demand = [&](const std::vector<Expr>& conditions) {
    Expr together = nest::constant(prim::Value::of_bool(true));
    for (const Expr& c : conditions) together = nest::both(together, c);
    all = nest::both(all, together);
    facts.assume(together);
  };
  // What is known of sizes says nothing about where 32 bits end. Of what is computed from other scalars it may follow,
  // when they are known not to be negative, that it is not, either.
  std::vector<Expr> low_given, high_given, low_computed, high_computed;
  for (const Name& n : names) {
    Expr x = nest::var(n, Type::I64);
    Expr low = nest::less(nest::constant(int64_t{divisors.contains(n) ? 0 : -1}), x);
    Expr high = nest::less(x, nest::constant(int64_t{1} << 31));
    bool computed = host.facts.definition(n) != nullptr;
    (computed ? low_computed : low_given).push_back(low);
    (computed ? high_computed : high_given).push_back(high);
  }
  auto is_known = [&](const Expr& c) { return facts.prove(c); };
  // What is known of another may have been concluded from what is computed from it, and that from this.
  nest::NameSet sizes;
  for (const auto& [name, type] : host.types) {
    for (const seg::Dim& d : type.dims) {
      if (!d.is_ext() && d.size().is_var()) sizes.insert(d.size().name());
    }
  }
  std::erase_if(low_given, [&](const Expr& c) {
    nest::NameSet about = nest::free_names(c);
    return std::all_of(about.begin(), about.end(), [&](const Name& n) { return sizes.contains(n); }) && is_known(c);
  });
  demand(low_given);
  std::erase_if(meant, is_known);
  demand(meant);
  demand(high_given);
  std::erase_if(low_computed, is_known);
  demand(low_computed);
  demand(high_computed);
  return all;
}

class Look {
 public:
  Look(Seen seen, const HostScope& host, nest::Facts& facts, Products products, NameSource& names)
      : seen_(std::move(seen)), host_(host), facts_(facts), products_(products), names_(names) {}

  FoundContraction run() {
    if (nest::may_fail(seen_.work) && has_loop(seen_.work)) drop_checks();
    auto found = recognized();
    const auto* why = std::get_if<recognize::WhyNot>(&found);
    if (why && why->only_an_index && nest::divides(seen_.work)) {
      suppose_usual();
      take_indices_apart();
      found = recognized();
    }
    return ways(found);
  }

 private:
  bool is_host_scalar(const Name& n, Type type) const {
    auto it = host_.types.find(n);
    return it != host_.types.end() && it->second.is_scalar() && it->second.elem == type;
  }

  // At the beginning of the work, where the guard holds. What indices say may depend on it.
  template <class F>
  auto supposing(F f) {
    return facts_.scope([&] {
      // What is demanded of sizes beyond their being usual is said of what they mean then.
      if (usual_) {
        facts_.assume(usual_);
        facts_.reconsider();
      }
      if (checked_) facts_.assume(checked_);
      tell_indices(facts_, seen_.indices);
      return f();
    });
  }

  void suppose_usual() {
    if (!usual_) usual_ = supposing([&] { return size_assumptions(host_, seen_.launch.kernel, seen_.work, facts_); });
  }

  void simplify() {
    seen_.work = supposing([&] { return nest::discharge(seen_.work, facts_); });
  }

  void drop_checks() {
    suppose_usual();
    simplify();
    if (nest::may_fail(seen_.work) && nest::divides(seen_.work)) take_indices_apart();
    if (!nest::may_fail(seen_.work)) return;
    auto on_host = [&](const Name& n, Type type) { return is_host_scalar(n, type); };
    checked_ = supposing([&] { return hoisted_checks(seen_.work, seen_.indices, facts_, on_host); });
    if (checked_) simplify();
  }

  void take_indices_apart() {
    for (int rounds = 0; rounds < kMaxSplits; ++rounds) {
      nest::Substitution extents;
      for (const recognize::Index& i : seen_.indices) extents.emplace(i.name, i.extent);
      auto next = supposing([&] { return nest::discharge(seen_.work, facts_, extents); });
      seen_.work = std::move(next.block);
      PointWork point{seen_.indices, seen_.work, seen_.launch.kernel.buffers};
      if (!next.digits || !delinearize(*next.digits, point, names_)) break;
    }
    add_host_scalars({});
  }

  // Makes the host scalars that are used parameters of the kernel.
  void add_host_scalars(const std::vector<recognize::Operand>& operands) {
    nest::Kernel& kernel = seen_.launch.kernel;
    nest::NameSet used = nest::free_names(seen_.work);
    for (const recognize::Operand& o : operands) {
      for (const poly::Polynomial& p : o.index) {
        for (const Name& n : p.names()) used.insert(n);
      }
    }
    for (const recognize::Index& i : seen_.indices) used.merge(nest::free_names(i.extent));
    for (const nest::Buffer& b : kernel.buffers) {
      for (const Expr& d : b.dims) used.merge(nest::free_names(d));
      for (const Expr& s : b.strides) used.merge(nest::free_names(s));
    }
    for (const nest::ScalarParam& p : kernel.scalars) used.erase(p.name);
    std::vector<Name> names(used.begin(), used.end());
    std::sort(names.begin(), names.end());
    for (const Name& n : names) {
      auto it = host_.types.find(n);
      if (it == host_.types.end() || !it->second.is_scalar()) continue;
      kernel.scalars.push_back({n, it->second.elem});
      seen_.launch.scalar_args.emplace_back(nest::var(n, it->second.elem));
    }
  }

  std::variant<recognize::Contraction, recognize::WhyNot> recognized() {
    auto implies = [&](const recognize::Premises& given, const Expr& conclusion) {
      return supposing([&] {
        for (const recognize::Index& i : given.indices) facts_.index(i.name, i.extent);
        for (const Expr& e : given.conditions) facts_.assume(e);
        return facts_.prove(conclusion);
      });
    };
    return recognize::recognize({seen_.indices, seen_.work, seen_.launch.kernel.buffers, implies}, names_);
  }

  FoundContraction ways(std::variant<recognize::Contraction, recognize::WhyNot>& found) {
    if (const auto* why = std::get_if<recognize::WhyNot>(&found)) return {{}, {}, why->reason};
    auto match = std::get<recognize::Contraction>(std::move(found));
    if (contraction::is_stencil(match))
      return {std::move(match), {}, "it is a stencil, each element is used in a small window only"};
    if (contraction::is_uniform(match)) return {std::move(match), {}, "all points read the same elements"};
    auto on_host = [&](const Name& n) { return is_host_scalar(n, Type::I64); };
    Expr rows_are_whole = supposing([&] {
      for (const recognize::Index& i : match.reduction) facts_.index(i.name, i.extent);
      return delinearize_operands(match, seen_.launch, facts_, on_host, names_);
    });
    add_host_scalars(match.operands);
    Result<std::vector<Specialized>> ways = alternatives(match, seen_.launch, products_, names_);
    if (!ways) return {std::move(match), {}, ways.error().message};
    for (Specialized& way : *ways) {
      for (const Expr& more : {rows_are_whole, checked_, usual_}) {
        if (more) way.guard = way.guard ? nest::both(more, way.guard) : more;
      }
    }
    return {std::move(match), std::move(*ways), ""};
  }

  Seen seen_;
  const HostScope& host_;
  nest::Facts& facts_;
  Products products_;
  NameSource& names_;
  Expr usual_, checked_;  // null: nothing of the kind is supposed
};

}  // namespace

bool has_loop(const nest::Block& b) {
  bool found = false;
  nest::for_each_stmt(b, [&](const nest::Stmt& s) { found |= std::holds_alternative<nest::For>(s->node); });
  return found;
}

void tell_indices(nest::Facts& facts, const std::vector<recognize::Index>& indices) {
  for (const recognize::Index& i : indices) {
    if (const auto* size = std::get_if<nest::Var>(&i.extent->node)) facts.size(size->name);
    facts.index(i.name, i.extent);
  }
}

FoundContraction find_contraction(Seen seen, const HostScope& host, nest::Facts& facts, Products products,
                                  NameSource& names) {
  return Look(std::move(seen), host, facts, products, names).run();
}

}  // namespace heddle::lower
