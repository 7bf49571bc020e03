#include "rewrites/host/read_in_kernel.h"

#include <algorithm>
#include <limits>

#include "ir/host/traverse.h"
#include "ir/nest/threads.h"

namespace heddle::host {

namespace {

constexpr int kMostOperations = 8;  // of each thread, where there are many
constexpr int kOperationsOfCall = 4;
constexpr int kAny = std::numeric_limits<int>::max();

bool any_of(const nest::NameSet& names, const Scalars& known) {
  return std::ranges::any_of(names, [&](const Name& n) { return known.contains(n); });
}

// ---- What may be computed by each thread. ----

bool is_quick_division(const nest::Operation& o) {
  return prim::size_bytes(prim::arg_type(o.op)) <= 4 || std::holds_alternative<nest::Const>(o.args[1]->node);
}

// Rounded down, by what the host knows: kernels multiply then (codegen/c_expr.h).
bool is_product(const nest::Operation& o, const Scalars& known) {
  return prim::arg_type(o.op) == prim::Type::I64 && std::holds_alternative<nest::Var>(o.args[1]->node) &&
         !any_of(nest::free_names(o.args[1]), known);
}

// What differs between libraries is left to the host, and what is undefined somewhere.
bool is_exact_and_quick(const nest::Operation& o, const Scalars& known) {
  using F = prim::Family;
  if (prim::arg_type(o.op) == prim::Type::F16 || prim::result_type(o.op) == prim::Type::F16) return false;
  switch (o.op.family) {
    case F::UDiv:
    case F::UDivSafe:
    case F::UMod:
    case F::UModSafe:
    case F::SQuot:
    case F::SQuotSafe:
    case F::SRem:
    case F::SRemSafe:
      return is_quick_division(o);
    case F::SDiv:
    case F::SDivSafe:
    case F::SMod:
    case F::SModSafe:
      return is_quick_division(o) || is_product(o, known);
    case F::UDivUp:
    case F::UDivUpSafe:
    case F::SDivUp:
    case F::SDivUpSafe:
    case F::FMod:
    case F::FMin:
    case F::FMax:
    case F::FSignum:
    case F::Pow:
    case F::FPow:
    case F::FPToUI:
    case F::FPToSI:
      return false;
    default:
      return true;
  }
}

bool is_exact(const Expr& value, bool may_call, const Scalars& known, int& operations) {
  bool fine = true;
  nest::for_each_expr(value, [&](const Expr& e) {
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (o) fine = fine && is_exact_and_quick(*o, known);
    if (std::holds_alternative<nest::Call>(e->node)) {
      fine = fine && may_call;
      operations += kOperationsOfCall;
    }
    operations += o || std::holds_alternative<nest::Select>(e->node) ? 1 : 0;
  });
  return fine;
}

// ---- What must be known when a kernel is launched. ----

nest::NameSet known_at_launch(const nest::Kernel& kernel) {
  nest::NameSet names(kernel.address_scalars.begin(), kernel.address_scalars.end());
  auto buffer = [&](const nest::Buffer& b) {
    for (const Expr& e : b.dims) names.merge(nest::free_names(e));
    for (const Expr& e : b.strides) names.merge(nest::free_names(e));
  };
  std::ranges::for_each(kernel.buffers, buffer);
  nest::for_each_stmt(kernel.body, [&](const nest::Stmt& s) {
    const auto* loop = std::get_if<nest::For>(&s->node);
    if (loop && nest::parallel(loop->role)) names.merge(nest::free_names(loop->extent));
    if (const auto* alloc = std::get_if<nest::Alloc>(&s->node)) buffer(alloc->buffer);
  });
  return names;
}

bool is_of_one_thread(const nest::Kernel& kernel) {
  bool is_one = true;
  nest::for_each_stmt(kernel.body, [&](const nest::Stmt& s) {
    const auto* loop = std::get_if<nest::For>(&s->node);
    is_one = is_one && (!loop || !nest::parallel(loop->role) || nest::int_constant(loop->extent) == 1);
  });
  return is_one;
}

class Change {
 public:
  Change(const nest::Kernel& kernel, const Launch& launch, const Scalars& known, const nest::NameSet& its_own,
         NameSource& names)
      : known_(known),
        its_own_(its_own),
        names_(names),
        result_{kernel, {}, {}},
        most_operations_(is_of_one_thread(kernel) ? kAny : kMostOperations) {
    result_.kernel.scalars.clear();
    result_.buffers = launch.buffers;
  }

  std::optional<Reading> run(const nest::Kernel& kernel, const Launch& launch) {
    nest::NameSet fixed = known_at_launch(kernel);
    for (size_t i = 0; i < kernel.scalars.size(); ++i) {
      const nest::ScalarParam& param = kernel.scalars[i];
      if (!any_of(nest::free_names(launch.scalars[i]), known_)) {
        pass(param, launch.scalars[i]);
        continue;
      }
      if (fixed.contains(param.name)) return std::nullopt;
      std::optional<Expr> value = in_kernel(launch.scalars[i], false);
      if (!value) return std::nullopt;
      before_.push_back(nest::stmt(nest::Let{param.name, *value}));
    }
    nest::Block& body = result_.kernel.body;
    body.insert(body.begin(), before_.begin(), before_.end());
    return std::move(result_);
  }

 private:
  void pass(const nest::ScalarParam& param, const Expr& value) {
    result_.kernel.scalars.push_back(param);
    result_.scalars.push_back(value);
  }

  std::optional<Expr> in_kernel(const Expr& value, bool may_call) {
    if (!is_exact(value, may_call, known_, operations_) || operations_ > most_operations_) return std::nullopt;
    nest::Substitution to;
    std::unordered_map<Name, prim::Type> types;
    nest::for_each_expr(value, [&](const Expr& e) {
      if (const auto* v = std::get_if<nest::Var>(&e->node)) types.emplace(v->name, e->type);
    });
    std::vector<Name> used;
    for (const auto& [name, type] : types) used.push_back(name);
    std::ranges::sort(used);
    for (const Name& n : used) {
      std::optional<Name> here = name_in_kernel(n, types.at(n));
      if (!here) return std::nullopt;
      to.emplace(n, nest::var(*here, types.at(n)));
    }
    return with_exact_products(nest::substitute(to, value));
  }

  // An index that the host computes.
  Expr place(const Expr& index) {
    if (nest::int_constant(index)) return index;
    Name at = names_.fresh("at");
    pass({at, prim::Type::I64}, index);
    return nest::var(at, prim::Type::I64);
  }

  // Of a scalar of the host.
  std::optional<Name> name_in_kernel(const Name& n, prim::Type type) {
    if (auto it = here_.find(n); it != here_.end()) return it->second;
    Name here = names_.fresh(n);
    auto it = known_.find(n);
    if (it == known_.end()) {
      pass({here, type}, nest::var(n, type));
    } else if (const auto* read = std::get_if<ReadElement>(&it->second->node)) {
      std::vector<Expr> at, up_to_it, ones(read->index.size(), nest::constant(int64_t{1}));
      for (const Expr& i : read->index) {
        at.push_back(place(i));
        up_to_it.push_back(nest::add(at.back(), ones[0]));
      }
      Name buffer = names_.fresh(read->array);
      result_.kernel.buffers.push_back({buffer, type, nest::Space::Global, up_to_it, ones});
      result_.buffers.push_back(read->array);
      before_.push_back(nest::stmt(nest::Let{here, nest::load(buffer, type, at)}));
    } else {
      std::optional<Expr> value = in_kernel(std::get<Let>(it->second->node).value, its_own_.contains(n));
      if (!value) return std::nullopt;
      before_.push_back(nest::stmt(nest::Let{here, *value}));
    }
    here_.emplace(n, here);
    return here;
  }

  const Scalars& known_;
  const nest::NameSet& its_own_;
  NameSource& names_;
  Reading result_;
  nest::Block before_;
  std::unordered_map<Name, Name> here_;
  int operations_ = 0;
  const int most_operations_;
};

}  // namespace

// x * y - 0.0 in one is the product, rounded.
Expr with_exact_products(const Expr& value) {
  struct Exact : nest::Rebuilder<Exact> {
    void expr(Expr& e) {
      nest::Rebuilder<Exact>::expr(e);
      const auto* o = std::get_if<nest::Operation>(&e->node);
      if (!o || o->op.family != prim::Family::FMul || e->type == prim::Type::F16) return;
      const char* name = e->type == prim::Type::F32 ? "fma32" : "fma64";
      e = nest::call(prim::find_function(name),
                     {o->args[0], o->args[1], nest::constant(prim::Value::of_float(e->type, -0.0))});
    }
  } exact;
  Expr result = value;
  exact.expr(result);
  return result;
}

std::optional<Reading> read_in_kernel(const nest::Kernel& kernel, const Launch& launch, const Scalars& known,
                                      const nest::NameSet& its_own, NameSource& names) {
  return Change(kernel, launch, known, its_own, names).run(kernel, launch);
}

}  // namespace heddle::host
