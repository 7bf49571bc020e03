#include "rewrites/recipes/delinearize_operands.h"

#include <algorithm>

#include "ir/nest/traverse.h"

namespace heddle::lower {

namespace {

using nest::Expr;
using poly::Polynomial;

class Unflatten {
 public:
  Unflatten(const recognize::Contraction& c, nest::Facts& facts, const std::function<bool(const Name&)>& on_host)
      : facts_(facts), on_host_(on_host) {
    for (const auto* list : {&c.parallel, &c.reduction}) {
      for (const recognize::Index& i : *list) indices_.push_back(i.name);
    }
  }

  // Whether the operand has got other dimensions, and its buffer with it.
  bool run(recognize::Operand& o, nest::Buffer& buffer) {
    bool changed = false;
    // From the inside out: what is left of a dimension may be flattened, too.
    for (size_t d = 0; d < o.index.size();) {
      cancel(o.index[d]);
      if (split(o, buffer, d)) {
        changed = true;
      } else {
        ++d;
      }
    }
    return changed;
  }

  // What has to hold for that; null: nothing.
  const Expr& condition() const { return condition_; }

 private:
  // Sizes that are products of others may cancel out.
  void cancel(Polynomial& index) {
    std::optional<Polynomial> p = facts_.polynomial(nest::to_expr(index));
    if (p && p->terms().size() < index.terms().size()) index = std::move(*p);
  }

  // The shortest distance, of those that sizes decide, between elements that an index steps through.
  std::optional<Polynomial> row_length(const Polynomial& index) const {
    std::optional<Polynomial> shortest;
    auto degree = [](const Polynomial& p) {
      size_t most = 0;
      for (const poly::Term& t : p.terms()) most = std::max(most, t.monomial.size());
      return most;
    };
    for (const Name& n : indices_) {
      Polynomial step = index.coefficient(n);
      if (step.is_zero() || step.as_constant()) continue;
      if (!shortest || degree(step) < degree(*shortest)) shortest = step;
    }
    return shortest;
  }

  bool split(recognize::Operand& o, nest::Buffer& buffer, size_t d) {
    std::optional<Polynomial> at = facts_.polynomial(nest::to_expr(o.index[d]));
    std::optional<Polynomial> by = at ? row_length(*at) : std::nullopt;
    if (!by) return false;
    if (!is_positive(*by)) by = -*by;  // where it is run through backwards
    if (!is_positive(*by)) return false;
    Polynomial::Division division = at->divided_with_rest(*by);
    std::optional<int64_t> shift = facts_.shift_into(division.rest, *by, *by);
    std::optional<Expr> rows = shift ? whole_rows(buffer.dims[d], *by) : std::nullopt;
    if (!rows) return false;
    auto put_two = [d](auto& list, auto first, auto second) {
      list[d] = std::move(first);
      list.insert(list.begin() + static_cast<long>(d) + 1, std::move(second));
    };
    Expr width = nest::to_expr(*by), stride = buffer.strides[d];
    put_two(o.index, division.quotient - *shift, division.rest + *shift * *by);
    put_two(buffer.dims, *rows, width);
    put_two(buffer.strides, nest::mul(width, stride), stride);
    return true;
  }

  std::optional<Expr> whole_rows(const Expr& size, const Polynomial& by) {
    if (auto exact = facts_.exact_quotient(size, by)) return exact;
    Expr width = nest::to_expr(by);
    for (const Expr& e : {size, width}) {
      for (const Name& n : nest::free_names(e)) {
        if (!on_host_(n)) return std::nullopt;
      }
    }
    // Where there are indices, rows have elements; the host asks before it is known that there are any.
    Expr whole = nest::both(nest::less(nest::constant(int64_t{0}), width),
                            nest::less(nest::mod(size, width), nest::constant(int64_t{1})));
    condition_ = condition_ ? nest::both(condition_, whole) : whole;
    return nest::div(size, width);
  }

  bool is_positive(const Polynomial& p) { return facts_.prove_at_most(nest::constant(int64_t{1}), nest::to_expr(p)); }

  nest::Facts& facts_;
  const std::function<bool(const Name&)>& on_host_;
  std::vector<Name> indices_;
  Expr condition_;
};

}  // namespace

Expr delinearize_operands(recognize::Contraction& c, Launch& launch, nest::Facts& facts,
                          const std::function<bool(const Name&)>& on_host, NameSource& names) {
  Unflatten unflatten(c, facts, on_host);
  for (recognize::Operand& o : c.operands) {
    auto same = [&](const nest::Buffer& b) { return b.name == o.buffer; };
    auto it = std::find_if(launch.kernel.buffers.begin(), launch.kernel.buffers.end(), same);
    nest::Buffer seen = *it;
    BufferArg arg = launch.buffer_args[static_cast<size_t>(it - launch.kernel.buffers.begin())];
    if (!unflatten.run(o, seen)) continue;
    seen.name = names.fresh(seen.name);
    o.buffer = seen.name;
    launch.kernel.buffers.push_back(std::move(seen));
    launch.buffer_args.push_back(std::move(arg));
  }
  return unflatten.condition();
}

}  // namespace heddle::lower
