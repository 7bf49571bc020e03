#include "ir/nest/nest.h"

namespace heddle::nest {

namespace {

bool all_equal(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!equal(a[i], b[i])) return false;
  }
  return true;
}

// ---- Expressions. ----

bool same(const Const& a, const Const& b) { return a.value == b.value; }
bool same(const Var& a, const Var& b) { return a.name == b.name; }
bool same(const Operation& a, const Operation& b) { return a.op == b.op && all_equal(a.args, b.args); }
bool same(const Call& a, const Call& b) { return a.function == b.function && all_equal(a.args, b.args); }
bool same(const Select& a, const Select& b) {
  return equal(a.condition, b.condition) && equal(a.if_true, b.if_true) && equal(a.if_false, b.if_false);
}
bool same(const Load& a, const Load& b) { return a.buffer == b.buffer && all_equal(a.index, b.index); }

// ---- Statements. ----

bool same(const Block& a, const Block& b);

bool same(const Buffer& a, const Buffer& b) {
  return a.name == b.name && a.elem == b.elem && a.space == b.space && all_equal(a.dims, b.dims) &&
         all_equal(a.strides, b.strides) && a.exchanged == b.exchanged && a.read_once == b.read_once;
}

bool same(const Let& a, const Let& b) { return a.name == b.name && equal(a.value, b.value); }
bool same(const Alloc& a, const Alloc& b) { return same(a.buffer, b.buffer); }
bool same(const Store& a, const Store& b) {
  return a.buffer == b.buffer && all_equal(a.index, b.index) && equal(a.value, b.value);
}
bool same(const For& a, const For& b) {
  return a.index == b.index && equal(a.extent, b.extent) && a.role == b.role && same(a.body, b.body);
}
bool same(const While& a, const While& b) {
  return equal(a.condition, b.condition) && same(a.body, b.body) && a.rest == b.rest;
}
bool same(const If& a, const If& b) {
  return equal(a.condition, b.condition) && same(a.then_body, b.then_body) && same(a.else_body, b.else_body);
}
bool same(const AtomicUpdate& a, const AtomicUpdate& b) {
  return a.buffer == b.buffer && all_equal(a.index, b.index) && a.old == b.old && same(a.compute, b.compute) &&
         equal(a.value, b.value);
}
bool same(const Locked& a, const Locked& b) {
  return a.lock == b.lock && all_equal(a.index, b.index) && same(a.body, b.body);
}
bool same(const AsyncCopy& a, const AsyncCopy& b) {
  return a.to == b.to && all_equal(a.to_index, b.to_index) && a.from == b.from &&
         all_equal(a.from_index, b.from_index) && equal(a.elems, b.elems) && equal(a.valid, b.valid) &&
         a.is_kept == b.is_kept;
}
bool same(const AsyncCommit&, const AsyncCommit&) { return true; }
bool same(const AsyncWait& a, const AsyncWait& b) { return equal(a.pending, b.pending); }
bool same(const Shuffle& a, const Shuffle& b) {
  return a.name == b.name && equal(a.value, b.value) && equal(a.lane, b.lane);
}
bool same(const Barrier& a, const Barrier& b) { return a.scope == b.scope; }
bool same(const Fail& a, const Fail& b) { return a.id == b.id && all_equal(a.args, b.args); }

// Of two nodes of any kind.
template <class Node>
bool same_node(const Node& a, const Node& b) {
  if (a.index() != b.index()) return false;
  return std::visit([&](const auto& x) { return same(x, std::get<std::decay_t<decltype(x)>>(b)); }, a);
}

bool same(const Block& a, const Block& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Stmt& x, const Stmt& y) { return x == y || same_node(x->node, y->node); });
}

// ---- Kernels. ----

bool same(const ScalarParam& a, const ScalarParam& b) { return a.name == b.name && a.type == b.type; }

bool same(const std::optional<LaunchBounds>& a, const std::optional<LaunchBounds>& b) {
  if (!a || !b) return !a && !b;
  return equal(a->threads, b->threads) && equal(a->registers, b->registers);
}

template <class T>
bool all_same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return same(x, y); });
}

}  // namespace

bool equal(const Expr& a, const Expr& b) {
  if (a == b) return true;
  return a->type == b->type && same_node(a->node, b->node);
}

bool equal_kernels(const Kernel& a, const Kernel& b) {
  return a.name == b.name && all_same(a.scalars, b.scalars) && all_same(a.buffers, b.buffers) &&
         a.constants == b.constants && a.address_scalars == b.address_scalars && same(a.bounds, b.bounds) &&
         a.keeps_loops == b.keeps_loops && same(a.body, b.body);
}

}  // namespace heddle::nest
