#include "rewrites/recipes/alternatives.h"

#include "ir/nest/index_map.h"
#include "rewrites/contraction/merge.h"
#include "rewrites/contraction/products.h"
#include "rewrites/contraction/split.h"
#include "rewrites/recipes/pack_operands.h"
#include "rewrites/recipes/specialize.h"

namespace heddle::lower {

namespace {

using nest::Expr;
using prim::Type;

class Alternatives {
 public:
  explicit Alternatives(NameSource& names) : names_(names) {}

  std::vector<Specialized> run(Way way) {
    put_contiguous_last(way);
    if (auto merged = contraction::merge_all(way.match, way.direct.kernel.buffers, false, names_))
      see(way, std::move(merged->viewed));
    if (auto merged = contraction::merge_all(way.match, way.direct.kernel.buffers, true, names_)) {
      Way guarded = named(way, "merged");
      if (demand_equations(guarded, merged->equations)) {
        see(guarded, std::move(merged->viewed));
        variants(guarded);
      }
    }
    variants(way);
    if (found_.empty()) throw Refused{*why_};
    return std::move(found_);
  }

 private:
  static Way named(Way way, const std::string& name) {
    way.name += (way.name.empty() ? "" : "_") + name;
    return way;
  }

  void variants(const Way& way) {
    if (auto parts = in_parts(named(way, "split"))) add(*parts);
    auto in_order = packed(way, names_);
    if (in_order) {
      Way small = named(way, "transposed");
      std::vector<recognize::Index> all = way.match.parallel;
      all.insert(all.end(), way.match.reduction.begin(), way.match.reduction.end());
      Expr steps = nest::mul(nest::substitute(host_values(way.direct), product_of_extents(all)),
                             nest::constant(contraction::most_products(way.match))),
           bytes = nest::constant(int64_t{0});
      for (const Temporary& t : in_order->temporaries)
        bytes = nest::add(bytes, nest::mul(t.num_elems, nest::constant(int64_t{prim::size_bytes(t.elem)})));
      small.packing = Packing{names_.fresh("packing_pays"), steps, bytes};
      demand(small, nest::less(nest::var(small.packing->pays, Type::I64), nest::constant(int64_t{1})));
      add(small);
    }
    add(in_order ? *in_order : way);
  }

  void add(const Way& way) {
    try {
      found_.push_back(specialize(way, names_));
    } catch (const Refused& r) {
      why_ = r.error;
    }
  }

  // False if the host does not know all that they are about.
  static bool demand_equations(Way& way, const std::vector<contraction::Equation>& equations) {
    nest::Substitution values = host_values(way.direct);
    for (const contraction::Equation& e : equations) {
      for (const Expr& side : {e.left, e.right}) {
        for (const Name& n : nest::free_names(side)) {
          if (!values.contains(n)) return false;
        }
      }
      demand(way, nest::operation(prim::Op(prim::Family::Eq, Type::I64),
                                  {nest::substitute(values, e.left), nest::substitute(values, e.right)}));
    }
    return true;
  }

  std::optional<Way> in_parts(Way way) {
    const std::vector<nest::Buffer>& buffers = way.direct.kernel.buffers;
    Result<size_t> index = contraction::index_to_split(way.match, buffers);
    if (!index) return std::nullopt;
    Name parts = names_.fresh("parts"), each = names_.fresh("each");
    contraction::Split split = contraction::split(way.match, buffers, *index, parts, each, names_);

    nest::Substitution values = host_values(way.direct);
    std::vector<recognize::Index> others = way.match.reduction;
    others.erase(others.begin() + static_cast<long>(*index));
    auto on_host = [&](const Expr& e) { return nest::substitute(values, e); };
    Expr extent = on_host(way.match.reduction[*index].extent), number = nest::var(parts, Type::I64);
    way.parts =
        Parts{parts, on_host(product_of_extents(way.match.parallel)), extent, on_host(product_of_extents(others))};
    demand(way, nest::less(nest::constant(int64_t{1}), number));
    way.direct.kernel.scalars.push_back({parts, Type::I64});
    way.direct.scalar_args.emplace_back(number);
    way.direct.kernel.scalars.push_back({each, Type::I64});
    way.direct.scalar_args.emplace_back(nest::div(extent, number));

    add_temporary(way, split.partial);
    way.after.push_back(launch_per_point(way, "_sum", way.match.parallel, std::move(split.second), names_));
    see(way, std::move(split.seen));
    return way;
  }

  NameSource& names_;
  std::vector<Specialized> found_;
  std::optional<Error> why_;
};

}  // namespace

Expr product_of_extents(const std::vector<recognize::Index>& indices) {
  Expr product = nest::constant(int64_t{1});
  for (const recognize::Index& i : indices) product = nest::mul(product, i.extent);
  return product;
}

Result<std::vector<Specialized>> alternatives(const recognize::Contraction& match, const Launch& direct,
                                              NameSource& names) {
  try {
    return Alternatives(names).run({"", match, direct});
  } catch (const Refused& r) {
    return r.error;
  }
}

}  // namespace heddle::lower
