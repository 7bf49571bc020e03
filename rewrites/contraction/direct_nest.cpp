#include "rewrites/contraction/direct_nest.h"

#include <algorithm>

#include "ir/nest/buffers.h"
#include "ir/nest/index_map.h"
#include "ir/nest/traverse.h"

namespace heddle::contraction {

namespace {

using nest::Block;
using nest::Buffer;
using nest::Expr;
using nest::stmt;
using prim::Type;

// The last of some names for few indices, numbers for many.
std::vector<std::string> index_names(size_t count, const std::vector<std::string>& few, const std::string& many) {
  std::vector<std::string> result;
  for (size_t k = 0; k < count; ++k)
    result.push_back(count <= few.size() ? few[few.size() - count + k] : many + std::to_string(k));
  return result;
}

// Renames the indices of a contraction.
recognize::Contraction renamed(recognize::Contraction c, NameSource& names) {
  nest::Substitution s;
  auto rename = [&](std::vector<recognize::Index>& indices, const std::vector<std::string>& bases) {
    for (size_t k = 0; k < indices.size(); ++k) {
      Name fresh = names.fresh(bases[k]);
      s.emplace(indices[k].name, nest::var(fresh, Type::I64));
      for (recognize::Operand& o : c.operands) {
        for (poly::Polynomial& p : o.index) p = p.substitute(indices[k].name, poly::Polynomial::of(fresh));
      }
      indices[k].name = fresh;
    }
  };
  rename(c.parallel, index_names(c.parallel.size(), {"z", "y", "x"}, "p"));
  rename(c.reduction, c.reduction.size() == 1 ? std::vector<std::string>{"k"}
                                              : index_names(c.reduction.size(), {"n", "i", "j"}, "r"));
  c.term = nest::substitute(s, c.term);
  if (c.unguarded) c.unguarded = nest::substitute(s, *c.unguarded);
  for (Expr& e : c.result.index) e = nest::substitute(s, e);
  c.result.value = nest::substitute(s, c.result.value);
  return c;
}

// Also what the nest never reads since all of it would be beyond an operand's ends: tiles are filled before that is asked.
nest::NameSet operands_of(const recognize::Contraction& c) {
  nest::NameSet names;
  for (const recognize::Operand& o : c.operands) {
    names.insert(o.buffer);
    for (const poly::Polynomial& p : o.index) names.merge(nest::free_names(nest::to_expr(p)));
  }
  return names;
}

}  // namespace

Block nested(const std::vector<recognize::Index>& indices, Block body) {
  for (size_t k = indices.size(); k-- > 0;)
    body = {stmt(nest::For{indices[k].name, indices[k].extent, nest::Role::Serial, std::move(body)})};
  return body;
}

Expr element(const recognize::Operand& o, const Buffer& buffer) {
  std::vector<Expr> index;
  Expr inside = nest::constant(prim::Value::of_bool(true));
  for (size_t d = 0; d < o.index.size(); ++d) {
    index.push_back(nest::to_expr(o.index[d]));
    inside = nest::both(
        inside, nest::both(nest::less(nest::constant(int64_t{-1}), index[d]), nest::less(index[d], buffer.dims[d])));
  }
  Expr load = nest::load(o.buffer, o.elem, index);
  return o.padded ? nest::select(inside, load, nest::constant(prim::zero(o.elem))) : load;
}

Block point_of(const recognize::Contraction& c, const std::vector<Buffer>& buffers, NameSource& names) {
  nest::Substitution values;
  for (const recognize::Operand& o : c.operands)
    values.emplace(o.value, element(o, nest::buffer_named(buffers, o.buffer)));
  Buffer acc{names.fresh("acc"), c.neutral.type, nest::Space::Register, {}, {}};
  Expr old = nest::load(acc.name, acc.elem, {});
  Expr next = nest::operation(c.reduce, {old, nest::substitute(values, c.term)});
  Block point = {stmt(nest::Alloc{acc}), stmt(nest::Store{acc.name, {}, nest::constant(c.neutral)})};
  Block reduction = nested(c.reduction, {stmt(nest::Store{acc.name, {}, next})});
  point.insert(point.end(), reduction.begin(), reduction.end());
  point.push_back(stmt(nest::Let{c.sum, old}));
  point.push_back(stmt(c.result));
  return point;
}

nest::Kernel plain_nest(const recognize::Contraction& c, const nest::Kernel& lowered, NameSource& names) {
  return doing({lowered.name, lowered.scalars, lowered.buffers, {}},
               nested(c.parallel, point_of(c, lowered.buffers, names)), operands_of(c));
}

DirectNest direct_nest(const recognize::Contraction& c, const nest::Kernel& lowered, NameSource& names) {
  recognize::Contraction own = renamed(c, names);
  return {plain_nest(own, lowered, names), own};
}

nest::Kernel doing(nest::Kernel kernel, Block body, nest::NameSet besides) {
  kernel.body = std::move(body);
  nest::NameSet used = std::move(besides);
  used.merge(nest::free_names(kernel.body));
  std::erase_if(kernel.buffers, [&](const Buffer& b) { return !used.contains(b.name); });
  for (const Buffer& b : kernel.buffers) {
    for (const auto* sizes : {&b.dims, &b.strides}) {
      for (const Expr& e : *sizes) used.merge(nest::free_names(e));
    }
  }
  std::erase_if(kernel.scalars, [&](const nest::ScalarParam& p) { return !used.contains(p.name); });
  return kernel;
}

}  // namespace heddle::contraction
