#include "tests/rewrites/contraction_examples.h"

#include <algorithm>

#include "ir/nest/index_map.h"
#include "ir/nest/traverse.h"
#include "ir/prim/algebra.h"

namespace heddle::examples {

using nest::Buffer;
using nest::Expr;
using poly::Polynomial;
using prim::Family;
using prim::Op;
using prim::Type;
using prim::Value;

namespace {

Expr v(const Name& n) { return nest::var(n, Type::I64); }
Polynomial p(const Name& n) { return Polynomial::of(n); }

Buffer global(const std::string& base, const std::vector<Name>& dims, NameSource& names, Type elem = Type::F32) {
  std::vector<Expr> sizes;
  for (const Name& d : dims) sizes.push_back(v(d));
  return {names.fresh(base), elem, nest::Space::Global, sizes, nest::dense_strides(sizes)};
}

struct Operators {
  Op reduce, term;
};

Operators operators(const Kind& kind) {
  bool is_float = prim::is_float(kind.elem);
  auto op = [&](Family of_floats, Family of_integers) { return Op(is_float ? of_floats : of_integers, kind.elem); };
  Op add = op(Family::FAdd, Family::Add);
  if (kind.semiring == Semiring::SumProduct) return {add, op(Family::FMul, Family::Mul)};
  return {kind.semiring == Semiring::MaxPlus ? op(Family::FMax, Family::SMax) : op(Family::FMin, Family::SMin), add};
}

recognize::Contraction sum_of_products(const Kind& kind, std::vector<recognize::Index> parallel,
                                       std::vector<recognize::Index> reduction, const Buffer& a,
                                       std::vector<Polynomial> at_a, const Buffer& b, std::vector<Polynomial> at_b,
                                       const Buffer& result, NameSource& names) {
  Name x = names.fresh("x"), y = names.fresh("y"), sum = names.fresh("sum");
  std::vector<Expr> index;
  for (const recognize::Index& i : parallel) index.push_back(v(i.name));
  auto [reduce, term] = operators(kind);
  return {std::move(parallel),
          std::move(reduction),
          {{x, a.name, kind.elem, std::move(at_a)}, {y, b.name, kind.elem, std::move(at_b)}},
          nest::operation(term, {nest::var(x, kind.elem), nest::var(y, kind.elem)}),
          reduce,
          *prim::neutral_element(reduce),
          sum,
          nest::Store{result.name, std::move(index), nest::var(sum, kind.elem)}};
}

// Where the condition does not hold, nothing is added.
void guard_term(recognize::Contraction& c, const Expr& condition) {
  c.term = nest::select(condition, c.term, nest::constant(c.neutral));
}

}  // namespace

nest::Kernel direct_kernel(const recognize::Contraction& c, const std::vector<Name>& scalars,
                           const std::vector<Buffer>& buffers, NameSource& names) {
  Buffer acc{names.fresh("acc"), c.neutral.type, nest::Space::Register, {}, {}};
  nest::Substitution values;
  for (const recognize::Operand& o : c.operands) {
    const Buffer& buffer = *std::ranges::find(buffers, o.buffer, &Buffer::name);
    std::vector<Expr> index;
    Expr inside = nest::constant(Value::of_bool(true));
    for (size_t d = 0; d < o.index.size(); ++d) {
      index.push_back(nest::to_expr(o.index[d]));
      inside = nest::both(inside, nest::less(nest::constant(int64_t{-1}), index[d]));
      inside = nest::both(inside, nest::less(index[d], buffer.dims[d]));
    }
    Expr element = nest::load(o.buffer, o.elem, index);
    values.emplace(o.value, o.padded ? nest::select(inside, element, nest::constant(prim::zero(o.elem))) : element);
  }
  Expr next = nest::operation(c.reduce, {nest::load(acc.name, acc.elem, {}), nest::substitute(values, c.term)});
  nest::Block body = {nest::stmt(nest::Store{acc.name, {}, next})};
  for (size_t r = c.reduction.size(); r-- > 0;) {
    body = {nest::stmt(nest::For{c.reduction[r].name, c.reduction[r].extent, nest::Role::Serial, body})};
  }
  body.insert(body.begin(),
              {nest::stmt(nest::Alloc{acc}), nest::stmt(nest::Store{acc.name, {}, nest::constant(c.neutral)})});
  body.push_back(nest::stmt(nest::Let{c.sum, nest::load(acc.name, acc.elem, {})}));
  body.push_back(nest::stmt(c.result));
  for (size_t i = c.parallel.size(); i-- > 0;) {
    body = {nest::stmt(nest::For{c.parallel[i].name, c.parallel[i].extent, nest::Role::Grid, body})};
  }
  nest::Kernel k;
  k.name = "direct";
  for (const Name& s : scalars) k.scalars.push_back({s, Type::I64});
  k.buffers = buffers;
  k.body = body;
  return k;
}

Example convolution(NameSource& names, const Kind& kind) {
  auto name = [&](const char* base) { return names.fresh(base); };
  Name channels = name("channels"), height = name("height"), width = name("width"), depth = name("depth"),
       window = name("window"), out_height = name("out_height"), out_width = name("out_width"), stride = name("stride");
  Name o = name("o"), y = name("y"), x = name("x"), c = name("c"), i = name("i"), j = name("j");
  Buffer image = global("image", {channels, height, width}, names, kind.elem);
  Buffer filters = global("filters", {channels, window, window, depth}, names, kind.elem);
  Buffer out = global("out", {depth, out_height, out_width}, names, kind.elem);
  recognize::Contraction k = sum_of_products(
      kind, {{o, v(depth)}, {y, v(out_height)}, {x, v(out_width)}}, {{c, v(channels)}, {i, v(window)}, {j, v(window)}},
      image, {p(c), p(y) * p(stride) + p(i), p(x) * p(stride) + p(j)}, filters, {p(c), p(i), p(j), p(o)}, out, names);
  std::vector<Name> scalars = {channels, height, width, depth, window, out_height, out_width, stride};
  return {k, direct_kernel(k, scalars, {image, filters, out}, names), {window, stride}};
}

Example padded_convolution(NameSource& names, const Kind& kind, Guard guard) {
  auto name = [&](const char* base) { return names.fresh(base); };
  Name channels = name("channels"), height = name("height"), width = name("width"), depth = name("depth"),
       window = name("window");
  Name o = name("o"), y = name("y"), x = name("x"), c = name("c"), i = name("i"), j = name("j");
  Buffer image = global("image", {channels, height, width}, names, kind.elem);
  Buffer filters = global("filters", {channels, window, window, depth}, names, kind.elem);
  Buffer out = global("out", {depth, height, width}, names, kind.elem);
  recognize::Contraction k = sum_of_products(
      kind, {{o, v(depth)}, {y, v(height)}, {x, v(width)}}, {{c, v(channels)}, {i, v(window)}, {j, v(window)}}, image,
      {p(c), p(y) + p(i) - Polynomial(1), p(x) + p(j) - Polynomial(1)}, filters, {p(c), p(i), p(j), p(o)}, out, names);
  k.operands[0].padded = true;
  if (guard != Guard::None) {
    Expr inside = nest::constant(Value::of_bool(true));
    for (const auto& [at, size] : {std::pair(nest::add(v(y), v(i)), height), {nest::add(v(x), v(j)), width}}) {
      inside = nest::both(inside, nest::less(nest::constant(int64_t{0}), at));
      inside = nest::both(inside, nest::less(at, nest::add(v(size), nest::constant(int64_t{1}))));
    }
    const bool of_floats = prim::is_float(kind.elem) && kind.semiring == Semiring::SumProduct;
    if (guard == Guard::OrZeros && of_floats) k.unguarded = k.term;
    guard_term(k, inside);
  }
  return {k, direct_kernel(k, {channels, height, width, depth, window}, {image, filters, out}, names), {window}};
}

Example backwards(NameSource& names) {
  auto name = [&](const char* base) { return names.fresh(base); };
  Name length = name("length"), depth = name("depth"), window = name("window"), out_length = name("out_length"),
       stride = name("stride");
  Name o = name("o"), x = name("x"), i = name("i");
  Buffer signal = global("signal", {length}, names), filters = global("filters", {window, depth}, names);
  Buffer out = global("out", {depth, out_length}, names);
  Polynomial at = p(x) + p(stride) * (p(window) - Polynomial(1) - p(i));
  recognize::Contraction k = sum_of_products({}, {{o, v(depth)}, {x, v(out_length)}}, {{i, v(window)}}, signal, {at},
                                             filters, {p(i), p(o)}, out, names);
  std::vector<Name> scalars = {length, depth, window, out_length, stride};
  return {k, direct_kernel(k, scalars, {signal, filters, out}, names), {window, stride}};
}

Example product(NameSource& names, const Kind& kind, Guard guard) {
  auto name = [&](const char* base) { return names.fresh(base); };
  Name rows = name("rows"), columns = name("columns"), inner = name("inner"), i = name("i"), j = name("j"),
       k = name("k");
  Buffer a = global("a", {rows, inner}, names, kind.elem), b = global("b", {inner, columns}, names, kind.elem),
         out = global("out", {rows, columns}, names, kind.elem);
  recognize::Contraction c = sum_of_products(kind, {{i, v(rows)}, {j, v(columns)}}, {{k, v(inner)}}, a, {p(i), p(k)}, b,
                                             {p(k), p(j)}, out, names);
  if (guard == Guard::InTerm) guard_term(c, nest::less(v(k), nest::add(v(i), nest::constant(int64_t{1}))));
  return {c, direct_kernel(c, {rows, columns, inner}, {a, b, out}, names), {}};
}

}  // namespace heddle::examples
