#include "rewrites/contraction/winograd.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "ir/nest/buffers.h"
#include "ir/nest/index_map.h"
#include "ir/nest/traverse.h"
#include "rewrites/contraction/direct_nest.h"
#include "rewrites/contraction/statement_writer.h"

namespace heddle::contraction {

using nest::Buffer;
using nest::Expr;
using poly::Polynomial;
using recognize::Index;
using recognize::Operand;

namespace {

constexpr int64_t kTaps = 3, kPoints = 2, kElements = kPoints + kTaps - 1;
constexpr size_t kMostWindows = 2;
// How many times the smallest tap of a filter the largest may be, in the mean over all channels by their elements' sizes.
constexpr double kMostOfSmallest = 64;

bool mentions(const Operand& o, const Name& name) {
  return std::ranges::any_of(o.index, [&](const Polynomial& p) { return p.mentions(name); });
}

// Along an index of the reduction the image is read at `point` + `step`, or at `point` - `step`, and `point` is nowhere else in it.
struct Window {
  Index point, step;
  bool backwards;
};

// `point` where it is one of its dimension's summands, and of no other dimension's.
bool slides_along(const Operand& image, size_t dim, const Name& point) {
  for (size_t d = 0; d < image.index.size(); ++d) {
    if (d != dim && image.index[d].mentions(point)) return false;
  }
  const Polynomial& at = image.index[dim];
  return at.degree_in(point) == 1 && at.coefficient(point).as_constant() == 1;
}

std::optional<Window> window_along(const recognize::Contraction& c, const Operand& image, const Operand& filter,
                                   const Index& step) {
  if (auto extent = nest::int_constant(step.extent); extent && *extent != kTaps) return std::nullopt;
  auto reads = [&](const Polynomial& p) { return p.mentions(step.name); };
  if (std::ranges::count_if(image.index, reads) != 1 || !mentions(filter, step.name)) return std::nullopt;
  const auto dim = static_cast<size_t>(std::ranges::find_if(image.index, reads) - image.index.begin());
  const Polynomial& at = image.index[dim];
  if (at.degree_in(step.name) != 1) return std::nullopt;
  const std::optional<int64_t> pace = at.coefficient(step.name).as_constant();
  if (!pace || (*pace != 1 && *pace != -1)) return std::nullopt;
  for (const Index& p : c.parallel) {
    if (slides_along(image, dim, p.name) && !mentions(filter, p.name)) return Window{p, step, pace == -1};
  }
  return std::nullopt;
}

std::vector<Window> windows_of(const recognize::Contraction& c, const Operand& image, const Operand& filter) {
  std::vector<Window> found;
  for (size_t r = c.reduction.size(); r-- > 0 && found.size() < kMostWindows;) {
    std::optional<Window> w = window_along(c, image, filter, c.reduction[r]);
    auto is_its = [&](const Window& other) { return other.point.name == w->point.name; };
    if (w && std::ranges::none_of(found, is_its)) found.insert(found.begin(), *w);
  }
  return found;
}

// Points for which no number comes out are computed again in any case.
const Expr& product_of(const recognize::Contraction& c) { return c.unguarded ? *c.unguarded : c.term; }

bool is_sum_of_products(const recognize::Contraction& c) {
  if (c.operands.size() != 2 || !prim::is_float(c.neutral.type) || c.neutral.type == prim::Type::F16) return false;
  const auto* product = std::get_if<nest::Operation>(&product_of(c)->node);
  if (!product || product->op.family != prim::Family::FMul || c.reduce.family != prim::Family::FAdd) return false;
  auto is_value = [&](const Expr& e, const Operand& o) {
    const auto* v = std::get_if<nest::Var>(&e->node);
    return v && v->name == o.value && o.elem == c.neutral.type;
  };
  const auto& [a, b] = std::tie(c.operands[0], c.operands[1]);
  return (is_value(product->args[0], a) && is_value(product->args[1], b)) ||
         (is_value(product->args[0], b) && is_value(product->args[1], a));
}

// Numbers at all combinations of steps along the windows' indices.
struct Patch {
  std::vector<int64_t> lengths;
  std::vector<Expr> values;  // row-major
};

class Transforming {
 public:
  Transforming(const recognize::Contraction& c, const std::vector<Buffer>& buffers, size_t image,
               std::vector<Window> windows, NameSource& names)
      : c_(c),
        buffers_(buffers),
        image_(c.operands[image]),
        filter_(c.operands[1 - image]),
        windows_(std::move(windows)),
        names_(names),
        w_(names) {}

  Winograd run() {
    sort_indices();
    const std::vector<Index> seen = joined({{element_}, of_both_, of_image_reduction_, {place_}}),
                             taps = joined({{element_}, of_both_, of_filter_reduction_, of_filter_}),
                             products = joined({{element_}, of_both_, of_filter_, {place_}});
    const Winograd::Arrays arrays{buffer("seen", seen), buffer("taps", taps), buffer("products", products),
                                  flag("doubt"), flag("verdict")};
    Winograd result{
        arrays,
        image(arrays, seen),
        filters(arrays, taps),
        first({operand(image_, arrays.seen, seen), operand(filter_, arrays.taps, taps)}, arrays.products, products),
        check(arrays, products),
        results(arrays, products)};
    result.scalars = halves_;
    for (const Window& w : windows_) result.windows.push_back(w.step.extent);
    return result;
  }

 private:
  // Points that are computed together have the place in common, which counts the image's own indices as well.
  void sort_indices() {
    for (size_t k = 0; k < windows_.size(); ++k) elements_ *= kElements;
    element_ = {names_.fresh("element"), nest::constant(elements_ + 1)};
    for (const Index& p : c_.parallel) {
      if (std::ranges::any_of(windows_, [&](const Window& w) { return w.point.name == p.name; })) continue;
      const bool in_image = mentions(image_, p.name);
      (in_image ? (mentions(filter_, p.name) ? of_both_ : of_image_) : of_filter_).push_back(p);
    }
    for (const Index& r : c_.reduction) {
      if (std::ranges::any_of(windows_, [&](const Window& w) { return w.step.name == r.name; })) continue;
      reduction_.push_back(r);
      if (mentions(image_, r.name)) of_image_reduction_.push_back(r);
      if (mentions(filter_, r.name)) of_filter_reduction_.push_back(r);
    }
    for (const Window& w : windows_) {
      const Name half = names_.fresh(w.point.name.base + "_half"), count = names_.fresh(w.point.name.base + "_halves");
      halves_.push_back({count, nest::ceil_div(w.point.extent, nest::constant(kPoints))});
      tiles_.push_back({half, index_of(count)});
    }
    together_ = of_image_;
    together_.insert(together_.end(), tiles_.begin(), tiles_.end());
    Expr places = one();
    for (const Index& i : together_) places = nest::mul(places, i.extent);
    place_ = {names_.fresh("place"), places};
  }
  static std::vector<Index> joined(std::initializer_list<std::vector<Index>> lists) {
    std::vector<Index> all;
    for (const std::vector<Index>& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
  }

  Buffer flag(const std::string& base) {
    return {names_.fresh(base), prim::Type::I32, nest::Space::Global, {one()}, nest::dense_strides({one()})};
  }
  Buffer buffer(const std::string& base, const std::vector<Index>& indices) {
    Buffer b{names_.fresh(base), c_.neutral.type, nest::Space::Global, {}, {}};
    for (const Index& i : indices) b.dims.push_back(i.extent);
    b.strides = nest::dense_strides(b.dims);
    return b;
  }

  // The indices of tiles' elements but for their number, with what a place is of.
  std::vector<Index> box_of(const std::vector<Index>& indices) const {
    std::vector<Index> box(indices.begin() + 1, indices.end());
    if (box.empty() || box.back().name != place_.name) return box;
    box.pop_back();
    return joined({box, together_});
  }
  static std::vector<Expr> at(const std::vector<Index>& indices, const Expr& place) {
    std::vector<Expr> all;
    for (const Index& i : indices) all.push_back(index_of(i.name));
    if (place) all.back() = place;
    return all;
  }
  Expr place() {
    Expr flat = zero();
    for (const Index& i : together_) flat = nest::add(nest::mul(flat, i.extent), index_of(i.name));
    return w_.let("place", flat);
  }

  Expr number(double value) const { return nest::constant(prim::Value::of_float(c_.neutral.type, value)); }
  Expr arithmetic(prim::Family family, const Expr& a, const Expr& b) {
    return w_.let("t", nest::operation(prim::Op(family, c_.neutral.type), {a, b}));
  }
  Expr plus(const Expr& a, const Expr& b) { return arithmetic(prim::Family::FAdd, a, b); }
  Expr minus(const Expr& a, const Expr& b) { return arithmetic(prim::Family::FSub, a, b); }
  Expr half(const Expr& a) { return arithmetic(prim::Family::FMul, a, number(0.5)); }

  using Line = std::vector<Expr>;
  Line of_image(const Line& d) { return {minus(d[0], d[2]), plus(d[1], d[2]), minus(d[2], d[1]), minus(d[1], d[3])}; }
  Line of_taps(const Line& g) {
    const Expr ends = plus(g[0], g[2]);
    return {g[0], half(plus(ends, g[1])), half(minus(ends, g[1])), g[2]};
  }
  Line of_products(const Line& p) { return {plus(plus(p[0], p[1]), p[2]), minus(minus(p[1], p[2]), p[3])}; }

  // All lines along each index, one index after the other.
  static Patch transform(Patch box, const std::function<Line(const Line&)>& f) {
    for (size_t axis = 0; axis < box.lengths.size(); ++axis) {
      int64_t inner = 1, outer = 1;
      for (size_t k = 0; k < box.lengths.size(); ++k) (k < axis ? outer : inner) *= k == axis ? 1 : box.lengths[k];
      const int64_t length = box.lengths[axis];
      std::vector<Expr> next;
      int64_t made = 0;
      for (int64_t o = 0; o < outer; ++o) {
        std::vector<Line> lines;
        for (int64_t i = 0; i < inner; ++i) {
          Line line;
          for (int64_t k = 0; k < length; ++k)
            line.push_back(box.values[static_cast<size_t>((o * length + k) * inner + i)]);
          lines.push_back(f(line));
        }
        made = static_cast<int64_t>(lines[0].size());
        for (size_t k = 0; k < lines[0].size(); ++k) {
          for (const Line& line : lines) next.push_back(line[k]);
        }
      }
      box.lengths[axis] = made;
      box.values = std::move(next);
    }
    return box;
  }

  // `value` at all combinations of so many steps along each window.
  Patch box(int64_t length, const std::function<Expr(const std::vector<int64_t>&)>& value) {
    Patch result{std::vector<int64_t>(windows_.size(), length), {}};
    std::vector<int64_t> steps(windows_.size());
    std::function<void(size_t)> next = [&](size_t k) {
      if (k == windows_.size()) return result.values.push_back(value(steps));
      for (steps[k] = 0; steps[k] < length; ++steps[k]) next(k + 1);
    };
    next(0);
    return result;
  }

  // The operand where each window's point and step have these values.
  Expr read(Operand o, const std::vector<Polynomial>& points, const std::vector<Polynomial>& steps) {
    for (size_t k = 0; k < windows_.size(); ++k) {
      for (Polynomial& p : o.index)
        p = p.substitute(windows_[k].point.name, points[k]).substitute(windows_[k].step.name, steps[k]);
    }
    return w_.let("d", element(o, nest::buffer_named(buffers_, o.buffer)));
  }
  Polynomial first_point(size_t k) const { return Polynomial(kPoints) * Polynomial::of(tiles_[k].name); }
  // In the order in which the image is run through.
  Polynomial step(size_t k, int64_t number) const { return windows_[k].backwards ? kTaps - 1 - number : number; }

  Winograd::Step image(const Winograd::Arrays& to, const std::vector<Index>& indices) {
    return {box_of(indices), w_.block([&] {
              // The last points' tiles may go on beyond the image.
              Operand image = image_;
              image.padded = true;
              const Expr where = place();
              Patch d = box(kElements, [&](const std::vector<int64_t>& number) {
                std::vector<Polynomial> points, steps;
                for (size_t k = 0; k < windows_.size(); ++k) {
                  points.push_back(first_point(k) + Polynomial(number[k]));
                  steps.push_back(step(k, 0));
                }
                return read(image, points, steps);
              });
              const Expr largest = of_all(prim::Family::FMax, d);
              d = transform(std::move(d), [&](const Line& l) { return of_image(l); });
              d.values.push_back(largest);
              store(to.seen, at(indices, where), d);
            })};
  }

  Winograd::Step filters(const Winograd::Arrays& to, const std::vector<Index>& indices) {
    const std::vector<Index> filters = box_of(indices);
    return {filters, w_.block([&] {
              Patch g = box(kTaps, [&](const std::vector<int64_t>& number) {
                std::vector<Polynomial> points(windows_.size()), steps;
                for (size_t k = 0; k < windows_.size(); ++k) steps.push_back(step(k, number[k]));
                return read(filter_, points, steps);
              });
              const Expr allowed =
                  arithmetic(prim::Family::FMul, of_all(prim::Family::FMin, g), number(kMostOfSmallest));
              const Expr excess = minus(of_all(prim::Family::FMax, g), allowed);
              g = transform(std::move(g), [&](const Line& l) { return of_taps(l); });
              g.values.push_back(excess);
              store(to.taps, at(indices, {}), g);
              store_once(filters, to.doubt, nest::constant(prim::Value::i32(0)));
            })};
  }

  void store_once(const std::vector<Index>& box, const Buffer& flag, const Expr& value) {
    Expr is_first = nest::constant(prim::Value::of_bool(true));
    for (const Index& i : box) is_first = nest::both(is_first, nest::less(index_of(i.name), one()));
    w_.when(is_first, [&] { w_.emit(nest::Store{flag.name, {zero()}, value}); });
  }

  // The largest or smallest magnitude.
  Expr of_all(prim::Family family, const Patch& values) {
    auto magnitude = [&](const Expr& e) { return nest::operation(prim::Op(prim::Family::FAbs, e->type), {e}); };
    Expr found = magnitude(values.values[0]);
    for (size_t k = 1; k < values.values.size(); ++k) found = arithmetic(family, found, magnitude(values.values[k]));
    return found;
  }

  void store(const Buffer& to, std::vector<Expr> where, const Patch& values) {
    for (size_t e = 0; e < values.values.size(); ++e) {
      where[0] = nest::constant(static_cast<int64_t>(e));
      w_.emit(nest::Store{to.name, where, values.values[e]});
    }
  }

  // The same element of the contraction's term, at these indices of a buffer.
  static Operand operand(Operand o, const Buffer& buffer, const std::vector<Index>& indices) {
    o.buffer = buffer.name;
    o.padded = false;
    o.index.clear();
    for (const Index& i : indices) o.index.push_back(Polynomial::of(i.name));
    return o;
  }

  recognize::Contraction first(std::vector<Operand> operands, const Buffer& to,
                               const std::vector<Index>& products) const {
    recognize::Contraction result = c_;
    result.term = product_of(c_);
    result.unguarded = {};
    result.parallel = products;
    result.reduction = reduction_;
    result.operands = std::move(operands);
    std::vector<Expr> where;
    for (const Index& i : products) where.push_back(index_of(i.name));
    result.result = {to.name, where, nest::var(c_.sum, c_.neutral.type)};
    return result;
  }

  Winograd::Step check(const Winograd::Arrays& of, const std::vector<Index>& indices) {
    return {box_of(indices), w_.block([&] {
              std::vector<Expr> index = at(indices, place());
              index[0] = nest::constant(elements_);
              const Expr excess = w_.let("excess", nest::load(of.products.name, of.products.elem, index));
              const Expr holds = nest::operation(prim::Op(prim::Family::FLe, of.products.elem), {excess, number(0)});
              w_.when(nest::negate(holds), [&] {
                w_.emit(nest::AtomicUpdate{
                    of.doubt.name, {zero()}, names_.fresh("old"), {}, nest::constant(prim::Value::i32(1))});
              });
            })};
  }

  Winograd::Step results(const Winograd::Arrays& of, const std::vector<Index>& indices) {
    const std::vector<Index> places = box_of(indices);
    return {places, w_.block([&] {
              const Expr doubted = w_.let("doubted", nest::load(of.doubt.name, of.doubt.elem, {zero()}));
              store_once(places, of.verdict, doubted);
              const Expr none = nest::operation(prim::Op(prim::Family::Eq, of.doubt.elem),
                                                {doubted, nest::constant(prim::Value::i32(0))});
              w_.when(none, [&] { results_at(of.products, indices); });
            })};
  }

  void results_at(const Buffer& from, const std::vector<Index>& indices) {
    const Expr where = place();
    Patch p{std::vector<int64_t>(windows_.size(), kElements), {}};
    std::vector<Expr> index = at(indices, where);
    for (int64_t e = 0; e < elements_; ++e) {
      index[0] = nest::constant(e);
      p.values.push_back(w_.let("p", nest::load(from.name, from.elem, index)));
    }
    p = transform(std::move(p), [&](const Line& l) { return of_products(l); });
    const std::vector<Expr> points(windows_.size(), nest::constant(kPoints));
    const Buffer sums = w_.alloc("sums", from.elem, nest::Space::Register, points);
    for (size_t k = 0; k < p.values.size(); ++k)
      w_.emit(nest::Store{sums.name, digits(nest::constant(static_cast<int64_t>(k)), points), p.values[k]});
    w_.loops("point", points, nest::Role::Unrolled, [&](const std::vector<Expr>& point) { finish(sums, point); });
  }

  void finish(const Buffer& sums, const std::vector<Expr>& point) {
    recognize::Contraction c = c_;
    nest::Substitution values;
    Expr inside = nest::constant(prim::Value::of_bool(true));
    for (size_t k = 0; k < windows_.size(); ++k) {
      const Name& name = windows_[k].point.name;
      const Expr here = w_.let(name.base, nest::add(nest::to_expr(first_point(k)), point[k]));
      values.emplace(name, here);
      for (Operand& o : c.operands) {
        for (Polynomial& p : o.index) p = p.substitute(name, Polynomial::of(std::get<nest::Var>(here->node).name));
      }
      inside = nest::both(inside, nest::less(here, windows_[k].point.extent));
    }
    w_.when(inside, [&] {
      const Buffer acc = w_.alloc("acc", sums.elem, nest::Space::Register, {});
      const Expr sum = nest::load(acc.name, acc.elem, {});
      w_.emit(nest::Store{acc.name, {}, nest::load(sums.name, sums.elem, point)});
      const Expr is_finite = nest::operation(prim::Op(prim::Family::FLt, sums.elem),
                                             {nest::operation(prim::Op(prim::Family::FAbs, sums.elem), {sum}),
                                              number(std::numeric_limits<double>::infinity())});
      w_.when(nest::negate(is_finite), [&] {
        w_.emit(nest::Store{acc.name, {}, nest::constant(c.neutral)});
        nest::Substitution elements = values;
        for (const Operand& o : c.operands)
          elements.emplace(o.value, element(o, nest::buffer_named(buffers_, o.buffer)));
        const Expr next = nest::operation(c.reduce, {sum, nest::substitute(elements, c.term)});
        for (const nest::Stmt& s : nested(c.reduction, {nest::stmt(nest::Store{acc.name, {}, next})}))
          w_.emit(std::get<nest::For>(s->node));
      });
      values.emplace(c.sum, w_.let("sum", sum));
      nest::Store result = c.result;
      for (Expr& e : result.index) e = nest::substitute(values, e);
      result.value = nest::substitute(values, result.value);
      w_.emit(std::move(result));
    });
  }

  const recognize::Contraction& c_;
  const std::vector<Buffer>& buffers_;
  const Operand &image_, &filter_;
  std::vector<Window> windows_;
  NameSource& names_;
  StatementWriter w_;
  int64_t elements_ = 1;  // of a tile; one more is for the check
  Index element_, place_;
  std::vector<Winograd::Scalar> halves_;
  // Parallel indices by the operands that are read along them, but for those of windows; halves of these.
  std::vector<Index> of_both_, of_image_, of_filter_, tiles_, together_;
  std::vector<Index> reduction_, of_image_reduction_, of_filter_reduction_;
};

}  // namespace

Result<Winograd> winograd(const recognize::Contraction& c, const std::vector<Buffer>& buffers, NameSource& names) {
  if (!is_sum_of_products(c)) return unsupported("it is no sum of products of two arrays of f32 or f64");
  for (size_t image : {size_t{0}, size_t{1}}) {
    const Operand &seen = c.operands[image], &taps = c.operands[1 - image];
    std::vector<Window> windows = windows_of(c, seen, taps);
    if (windows.empty() || taps.padded) continue;
    if (windows.size() == c.reduction.size()) return unsupported("nothing is summed but the windows");
    return Transforming(c, buffers, image, std::move(windows), names).run();
  }
  return unsupported("no window slides over an array step by step");
}

Fraction saved_by(const Winograd& w) {
  Fraction f{1, 1};
  int64_t left = 1;
  for (size_t k = 0; k < w.windows.size(); ++k) {
    f.denominator *= kPoints * kTaps;
    left *= kElements;
  }
  f.numerator = f.denominator - (left + 1);  // with the check's
  return f;
}

}  // namespace heddle::contraction
