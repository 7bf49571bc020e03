#include "tests/rewrites/contraction_examples.h"

#include "ir/nest/index_map.h"
#include "ir/nest/traverse.h"

namespace heddle::examples {

using nest::Buffer;
using nest::Expr;
using nest::Name;
using poly::Polynomial;
using prim::Family;
using prim::Op;
using prim::Type;
using prim::Value;

namespace {

Expr v(const Name& n) { return nest::var(n, Type::I64); }
Polynomial p(const Name& n) { return Polynomial::of(n); }

Buffer global(const std::string& base, const std::vector<Name>& dims, seg::NameSource& names) {
  std::vector<Expr> sizes;
  for (const Name& d : dims) sizes.push_back(v(d));
  return {names.fresh(base), Type::F32, nest::Space::Global, sizes, nest::dense_strides(sizes)};
}

recognize::Contraction sum_of_products(std::vector<recognize::Index> parallel, std::vector<recognize::Index> reduction,
                                       const Buffer& a, std::vector<Polynomial> at_a, const Buffer& b,
                                       std::vector<Polynomial> at_b, const Buffer& result, seg::NameSource& names) {
  Name x = names.fresh("x"), y = names.fresh("y"), sum = names.fresh("sum");
  std::vector<Expr> index;
  for (const recognize::Index& i : parallel) index.push_back(v(i.name));
  return {std::move(parallel),
          std::move(reduction),
          {{x, a.name, Type::F32, std::move(at_a)}, {y, b.name, Type::F32, std::move(at_b)}},
          nest::operation(Op(Family::FMul, Type::F32), {nest::var(x, Type::F32), nest::var(y, Type::F32)}),
          Op(Family::FAdd, Type::F32),
          Value::f32(0),
          sum,
          nest::Store{result.name, std::move(index), nest::var(sum, Type::F32)}};
}

}  // namespace

nest::Kernel direct_kernel(const recognize::Contraction& c, const std::vector<Name>& scalars,
                           const std::vector<Buffer>& buffers, seg::NameSource& names) {
  Buffer acc{names.fresh("acc"), c.neutral.type, nest::Space::Register, {}, {}};
  nest::Substitution values;
  for (const recognize::Operand& o : c.operands) {
    std::vector<Expr> index;
    for (const Polynomial& q : o.index) index.push_back(nest::to_expr(q));
    values.emplace(o.value, nest::load(o.buffer, o.elem, index));
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

Example convolution(seg::NameSource& names) {
  auto name = [&](const char* base) { return names.fresh(base); };
  Name channels = name("channels"), height = name("height"), width = name("width"), depth = name("depth"),
       window = name("window"), out_height = name("out_height"), out_width = name("out_width"), stride = name("stride");
  Name o = name("o"), y = name("y"), x = name("x"), c = name("c"), i = name("i"), j = name("j");
  Buffer image = global("image", {channels, height, width}, names);
  Buffer filters = global("filters", {channels, window, window, depth}, names);
  Buffer out = global("out", {depth, out_height, out_width}, names);
  recognize::Contraction k = sum_of_products(
      {{o, v(depth)}, {y, v(out_height)}, {x, v(out_width)}}, {{c, v(channels)}, {i, v(window)}, {j, v(window)}}, image,
      {p(c), p(y) * p(stride) + p(i), p(x) * p(stride) + p(j)}, filters, {p(c), p(i), p(j), p(o)}, out, names);
  std::vector<Name> scalars = {channels, height, width, depth, window, out_height, out_width, stride};
  return {k, direct_kernel(k, scalars, {image, filters, out}, names), {window, stride}};
}

Example backwards(seg::NameSource& names) {
  auto name = [&](const char* base) { return names.fresh(base); };
  Name length = name("length"), depth = name("depth"), window = name("window"), out_length = name("out_length"),
       stride = name("stride");
  Name o = name("o"), x = name("x"), i = name("i");
  Buffer signal = global("signal", {length}, names), filters = global("filters", {window, depth}, names);
  Buffer out = global("out", {depth, out_length}, names);
  Polynomial at = p(x) + p(stride) * (p(window) - Polynomial(1) - p(i));
  recognize::Contraction k = sum_of_products({{o, v(depth)}, {x, v(out_length)}}, {{i, v(window)}}, signal, {at},
                                             filters, {p(i), p(o)}, out, names);
  std::vector<Name> scalars = {length, depth, window, out_length, stride};
  return {k, direct_kernel(k, scalars, {signal, filters, out}, names), {window, stride}};
}

Example product(seg::NameSource& names) {
  auto name = [&](const char* base) { return names.fresh(base); };
  Name rows = name("rows"), columns = name("columns"), inner = name("inner"), i = name("i"), j = name("j"),
       k = name("k");
  Buffer a = global("a", {rows, inner}, names), b = global("b", {inner, columns}, names),
         out = global("out", {rows, columns}, names);
  recognize::Contraction c =
      sum_of_products({{i, v(rows)}, {j, v(columns)}}, {{k, v(inner)}}, a, {p(i), p(k)}, b, {p(k), p(j)}, out, names);
  return {c, direct_kernel(c, {rows, columns, inner}, {a, b, out}, names), {}};
}

}  // namespace heddle::examples
