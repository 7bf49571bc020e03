#include "rewrites/recipes/alternatives.h"

#include "ir/nest/index_map.h"
#include "rewrites/contraction/merge.h"
#include "rewrites/contraction/products.h"
#include "rewrites/contraction/split.h"
#include "rewrites/contraction/winograd.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/pack_operands.h"
#include "rewrites/recipes/specialize.h"

namespace heddle::lower {

namespace {

using nest::Expr;
using prim::Type;

// Which part of the least time for its multiplications a kernel loses that turns its tiles: H100, batches of 3x3 windows.
constexpr int64_t kLossByTransposing = 5;

// Those for image, filters, check and results; the host's wait for the check takes as long as one.
constexpr int64_t kLaunchesOfFewer = 5;
// A kernel's multiply-adds take 4/3 of the least time for them: H100, H200, batches of 3x3 windows.
constexpr int64_t kLeastTimes = 3, kTakenTimes = 4;

Expr bytes_of(const std::vector<Temporary>& all) {
  Expr bytes = i64(0);
  for (const Temporary& t : all) bytes = nest::add(bytes, nest::mul(t.num_elems, i64(prim::size_bytes(t.elem))));
  return bytes;
}

class Alternatives {
 public:
  Alternatives(Products products, NameSource& names) : products_(products), names_(names) {}

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
    if (products_ == Products::Fewer) {
      if (auto fewer = with_fewer_products(named(way, "winograd"))) add(*fewer);
    }
    if (auto parts = in_parts(named(way, "split"))) add(*parts);
    auto in_order = packed(way, names_);
    if (in_order) {
      Way small = named(way, "transposed");
      std::vector<recognize::Index> all = way.match.parallel;
      all.insert(all.end(), way.match.reduction.begin(), way.match.reduction.end());
      Expr steps = nest::mul(nest::substitute(host_values(way.direct), product_of_extents(all)),
                             nest::constant(contraction::most_products(way.match))),
           bytes = bytes_of(in_order->temporaries);
      small.detour = Detour{names_.fresh("packing_pays"), nest::div(steps, i64(kLossByTransposing)),
                            nest::mul(i64(2), bytes), i64(1), bytes};
      demand(small, nest::less(nest::var(small.detour->pays, Type::I64), i64(1)));
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

  std::optional<Way> with_fewer_products(Way way) {
    Result<contraction::Winograd> w = contraction::winograd(way.match, way.direct.kernel.buffers, names_);
    if (!w) return std::nullopt;
    const nest::Substitution values = host_values(way.direct);
    auto on_host = [&](const Expr& e) { return nest::substitute(values, e); };
    for (const contraction::Winograd::Scalar& s : w->scalars) {
      way.direct.kernel.scalars.push_back({s.name, Type::I64});
      way.direct.scalar_args.emplace_back(on_host(s.value));
    }
    for (const Expr& window : w->windows)
      demand(way, nest::operation(prim::Op(prim::Family::Eq, Type::I64), {on_host(window), i64(3)}));
    std::vector<recognize::Index> all = way.match.parallel;
    all.insert(all.end(), way.match.reduction.begin(), way.match.reduction.end());
    const contraction::Fraction part = contraction::saved_by(*w);
    const Expr saved = nest::div(nest::mul(on_host(product_of_extents(all)), i64(part.numerator * kTakenTimes)),
                                 i64(part.denominator * kLeastTimes));
    const contraction::Winograd::Arrays& made = w->arrays;
    for (const nest::Buffer* b : {&made.seen, &made.taps, &made.products, &made.doubt, &made.verdict})
      add_temporary(way, *b);
    const Expr bytes = bytes_of(way.temporaries);
    // Besides, all of the image, the filters and the results: a quarter as much where windows have two indices.
    const Expr moved = nest::div(nest::mul(bytes, i64(5)), i64(4));
    way.detour = Detour{names_.fresh("fewer_products_pay"), saved, moved, i64(kLaunchesOfFewer), bytes};
    demand(way, nest::less(i64(0), nest::var(way.detour->pays, Type::I64)));
    way.first.push_back(launch_per_point(way, "_image", w->image.box, std::move(w->image.point), names_));
    way.first.push_back(launch_per_point(way, "_filters", w->filters.box, std::move(w->filters.point), names_));
    way.after.push_back(launch_per_point(way, "_check", w->check.box, std::move(w->check.point), names_));
    way.doubt = static_cast<int>(way.temporaries.size()) - 1;
    way.after.push_back(launch_per_point(way, "_results", w->results.box, std::move(w->results.point), names_));
    way.match = std::move(w->first);
    return way;
  }

  Products products_;
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

nest::NameSet host_sizes(const recognize::Contraction& match, const Launch& launch) {
  std::vector<recognize::Index> all = match.parallel;
  all.insert(all.end(), match.reduction.begin(), match.reduction.end());
  return nest::free_names(nest::substitute(host_values(launch), product_of_extents(all)));
}

Result<std::vector<Specialized>> alternatives(const recognize::Contraction& match, const Launch& direct,
                                              Products products, NameSource& names) {
  try {
    return Alternatives(products, names).run({"", match, direct});
  } catch (const Refused& r) {
    return r.error;
  }
}

}  // namespace heddle::lower
