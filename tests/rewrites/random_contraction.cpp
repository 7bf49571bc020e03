#include "tests/rewrites/random_contraction.h"

#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "ir/nest/index_map.h"
#include "ir/prim/algebra.h"

namespace heddle::examples {

namespace {

using nest::Expr;
using poly::Polynomial;
using prim::Family;
using prim::Op;
using prim::Type;

// As likely one as the other, from the first test on.
int pick(int low, int high) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1)); }
bool chance(int percent) { return pick(0, 99) < percent; }
template <class T>
const T& one_of(const std::vector<T>& list) {
  return list[static_cast<size_t>(pick(0, static_cast<int>(list.size()) - 1))];
}

class Generator {
 public:
  explicit Generator(NameSource& names) : names_(names) {}

  RandomContraction make() {
    std::vector<recognize::Index> parallel = indices(1, 4, "p", 30), reduction = indices(1, 3, "r", 9);
    Type type = one_of<Type>({Type::I8, Type::I32, Type::I64, Type::F16, Type::F32, Type::F64});
    Op reduce(prim::is_float(type) ? one_of<Family>({Family::FAdd, Family::FMax})
                                   : one_of<Family>({Family::Add, Family::SMax}),
              type);
    match_ = {std::move(parallel),
              std::move(reduction),
              {},
              {},
              reduce,
              *prim::neutral_element(reduce),
              names_.fresh("sum"),
              {}};
    side_by_side_ = match_.parallel.size() == 2 && chance(50);
    int num_operands = chance(10) ? pick(5, 8) : pick(1, 3);
    for (int o = 0; o < num_operands; ++o) add_operand(type);
    result(type);
    launch_.kernel.name = "random";
    return {std::move(match_), std::move(launch_), std::move(scalars_)};
  }

 private:
  Expr scalar(const std::string& base, int low, int high) {
    Name n = names_.fresh(base);
    launch_.kernel.scalars.push_back({n, Type::I64});
    launch_.scalar_args.emplace_back(nest::var(n, Type::I64));
    scalars_.emplace(n, pick(low, high));
    return nest::var(n, Type::I64);
  }

  std::vector<recognize::Index> indices(int fewest, int most, const std::string& base, int longest) {
    std::vector<recognize::Index> list;
    for (int i = pick(fewest, most); i > 0; --i) {
      Expr extent = chance(80) ? scalar("n", 1, longest) : nest::constant(int64_t{pick(1, 7)});
      if (chance(15)) extent = nest::add(extent, scalar("more", 1, 3));
      list.push_back({names_.fresh(base), extent});
    }
    return list;
  }

  static Polynomial polynomial(const Expr& e) { return *nest::from_expr(e, nest::no_definition); }

  // 1, a small number or a scalar.
  Polynomial step() {
    if (chance(60)) return Polynomial(1);
    return chance(50) ? Polynomial(pick(2, 3)) : polynomial(scalar("stride", 1, 3));
  }

  // How one dimension is indexed, and how long it is.
  struct Dim {
    Polynomial index;
    Expr size;
  };

  std::vector<Dim> dims() {
    std::vector<Dim> result;
    bool is_pair_there = false;
    for (int n = pick(chance(10) ? 0 : 1, 4); n > 0; --n) {
      Dim d = dim();
      const Name &slow = match_.parallel.front().name, &fast = match_.parallel.back().name;
      if (!side_by_side_ || (!d.index.mentions(slow) && !d.index.mentions(fast))) {
        result.push_back(std::move(d));
      } else if (!std::exchange(is_pair_there, true)) {
        add_pair(result);
      }
    }
    return result;
  }

  // Of indices that might be taken as one, maybe where windows are single elements.
  void add_pair(std::vector<Dim>& dims) {
    const recognize::Index &slow = match_.parallel.front(), &fast = match_.parallel.back();
    Dim outer{Polynomial::of(slow.name), slow.extent}, inner{Polynomial::of(fast.name), fast.extent};
    if (match_.reduction.size() > 1 && chance(50)) {
      outer = {outer.index + Polynomial::of(match_.reduction.front().name), scalar("size", 1, 40)};
      inner = {inner.index + Polynomial::of(match_.reduction.back().name), scalar("size", 1, 40)};
    }
    dims.push_back(std::move(outer));
    dims.push_back(std::move(inner));
  }

  Dim dim() {
    const recognize::Index &p = one_of(match_.parallel), &q = one_of(match_.parallel), &r = one_of(match_.reduction);
    auto of = [](const recognize::Index& i) { return Polynomial::of(i.name); };
    auto backwards = [&](const recognize::Index& i) { return polynomial(i.extent) - Polynomial(1) - of(i); };
    Polynomial offset(chance(20) ? pick(-2, 2) : 0);
    switch (pick(0, 9)) {
      case 0:
      case 1:
      case 2:
        return {of(p), p.extent};
      case 3:
      case 4:
      case 5:
        return {of(r), r.extent};
      case 6:
        return {step() * of(p) + step() * of(r) + offset, scalar("size", 1, 40)};
      case 7:
        return {step() * of(p) + step() * backwards(r) + offset, scalar("size", 1, 40)};
      case 8:
        return {chance(50) ? of(p) + of(q) : backwards(p) + offset, scalar("size", 1, 40)};
      default:
        return {chance(50) ? step() * of(p) + offset : polynomial(scalar("at", 1, 5)), scalar("size", 1, 40)};
    }
  }

  void add_operand(Type type) {
    recognize::Operand o{names_.fresh("x"), {}, type, {}, chance(20)};
    if (!match_.operands.empty() && chance(20)) {
      // Another element of the same array.
      const recognize::Operand& other = one_of(match_.operands);
      o.buffer = other.buffer;
      o.elem = other.elem;
      o.index = other.index;
      if (!o.index.empty()) o.index.back() = o.index.back() + Polynomial(1);
    } else {
      if (chance(30)) o.elem = one_of<Type>({Type::I8, Type::F16, Type::F32, Type::F64});
      std::vector<Expr> sizes;
      for (Dim& d : dims()) {
        o.index.push_back(std::move(d.index));
        sizes.push_back(std::move(d.size));
      }
      o.buffer = add_buffer("array", o.elem, std::move(sizes), lower::HostArray{names_.fresh("host")});
    }
    Expr value = converted(nest::var(o.value, o.elem), type);
    match_.term =
        match_.term ? nest::operation(Op(prim::is_float(type) ? Family::FMul : Family::Mul, type), {match_.term, value})
                    : value;
    match_.operands.push_back(std::move(o));
  }

  static Expr converted(const Expr& e, Type to) {
    if (e->type == to) return e;
    Family family = prim::is_float(e->type) ? (prim::is_float(to) ? Family::FPConv : Family::FPToSI)
                                            : (prim::is_float(to) ? Family::SIToFP : Family::SExt);
    return nest::operation(Op(family, e->type, to), {e});
  }

  // Its dimensions follow each other in memory in any order.
  Name add_buffer(const std::string& base, Type elem, std::vector<Expr> sizes, lower::BufferArg arg) {
    std::vector<size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), 0);
    for (size_t k = 1; k < order.size(); ++k) {
      if (!side_by_side_ && chance(20)) std::swap(order[k], order[k - 1]);
    }
    std::vector<Expr> in_order, strides(sizes.size());
    for (size_t d : order) in_order.push_back(sizes[d]);
    std::vector<Expr> dense = nest::dense_strides(in_order);
    for (size_t k = 0; k < order.size(); ++k) strides[order[k]] = dense[k];
    Name name = names_.fresh(base);
    launch_.kernel.buffers.push_back({name, elem, nest::Space::Global, std::move(sizes), std::move(strides)});
    launch_.buffer_args.push_back(std::move(arg));
    return name;
  }

  void result(Type type) {
    std::vector<recognize::Index> order = match_.parallel;
    if (!side_by_side_ && chance(30)) std::reverse(order.begin(), order.end());
    std::vector<Expr> sizes, index;
    for (const recognize::Index& i : order) {
      sizes.push_back(i.extent);
      index.push_back(nest::var(i.name, Type::I64));
    }
    Expr value = nest::var(match_.sum, type);
    if (chance(20)) value = converted(value, one_of<Type>({Type::I8, Type::F16, Type::F64}));
    Name buffer = add_buffer("out", value->type, std::move(sizes), lower::ResultArray{0});
    match_.result = {buffer, std::move(index), value};
  }

  NameSource& names_;
  recognize::Contraction match_{{}, {}, {}, {}, Op(Family::Add, Type::I64), {}, {}, {}};
  lower::Launch launch_;
  std::unordered_map<Name, int64_t> scalars_;
  bool side_by_side_ = false;  // the two parallel indices have neighbouring dimensions
};

}  // namespace

RandomContraction random_contraction(NameSource& names) { return Generator(names).make(); }

}  // namespace heddle::examples
