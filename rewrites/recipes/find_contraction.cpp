#include "rewrites/recipes/find_contraction.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "rewrites/contraction/reuse.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/recipes/alternatives.h"
#include "rewrites/recipes/delinearize.h"
#include "rewrites/recipes/delinearize_operands.h"
#include "rewrites/recipes/hoist_checks.h"
#include "rewrites/recipes/size_assumptions.h"
#include "rewrites/recognize/recognize.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

// Indices that are taken apart: more than any array has dimensions.
constexpr int kMaxSplits = 16;

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
    Expr holds;
    for (const Expr& more : {rows_are_whole, checked_, usual_}) {
      if (more) holds = holds ? nest::both(more, holds) : more;
    }
    for (Specialized& way : *ways) {
      if (holds) way.guard = way.guard ? nest::both(holds, way.guard) : holds;
    }
    std::optional<SumsInParts> parts;
    if (sizes_change(match)) parts = sums_in_parts(match, seen_.launch, holds, names_);
    return {std::move(match), std::move(*ways), "", std::move(parts)};
  }

  bool sizes_change(const recognize::Contraction& match) const {
    return std::ranges::any_of(host_sizes(match, seen_.launch),
                               [&](const Name& n) { return host_.changing.contains(n); });
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
