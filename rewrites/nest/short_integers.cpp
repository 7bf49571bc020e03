#include "rewrites/nest/short_integers.h"

#include <bit>
#include <optional>

#include "ir/nest/traverse.h"
#include "rewrites/nest/integer_range.h"
#include "rewrites/nest/unused.h"

namespace heddle::nest {

namespace {

using prim::Family;
using prim::Op;
using prim::Type;
using prim::Value;

// Expressions that are written again where a name of them is used are no larger.
constexpr int kMostNodes = 12;

bool is_conversion(const Operation& o) { return o.op.family == Family::ZExt || o.op.family == Family::SExt; }
bool is_sum(Family f) {
  return f == Family::Add || f == Family::AddNw || f == Family::Sub || f == Family::SubNw || f == Family::Mul ||
         f == Family::MulNw;
}
bool widens(const Op& op) { return prim::size_bytes(op.to) > prim::size_bytes(op.type); }

Expr number(Type type, int64_t value) { return constant(Value::of_int(type, value)); }

// The same number in another type that has it, or the low bits of it.
Expr converted(Family family, const Expr& e, Type to) {
  if (e->type == to) return e;
  if (const auto* c = std::get_if<Const>(&e->node)) return constant(*prim::eval(Op(family, e->type, to), {{c->value}}));
  return operation(Op(family, e->type, to), {e});
}

// k of 2^k.
std::optional<int> exponent(const Expr& e) {
  const auto* c = std::get_if<Const>(&e->node);
  if (!c || c->value.i <= 0 || !std::has_single_bit(static_cast<uint64_t>(c->value.i))) return std::nullopt;
  return std::countr_zero(static_cast<uint64_t>(c->value.i));
}

// Whether it is the same wherever its names are in scope, and does no harm.
bool is_same_anywhere(const Expr& e) {
  int nodes = 0;
  bool fine = true;
  for_each_expr(e, [&](const Expr& x) {
    ++nodes;
    const auto* o = std::get_if<Operation>(&x->node);
    fine = fine && (std::holds_alternative<Const>(x->node) || std::holds_alternative<Var>(x->node) ||
                    std::holds_alternative<Select>(x->node) || (o && !prim::can_fail(o->op)));
  });
  return fine && nodes <= kMostNodes;
}

// How often each buffer is written.
std::unordered_map<Name, int> count_stores(const Block& block) {
  std::unordered_map<Name, int> stores;
  for_each_stmt(block, [&](const Stmt& s) {
    if (const auto* store = std::get_if<Store>(&s->node)) ++stores[store->buffer];
    if (const auto* update = std::get_if<AtomicUpdate>(&s->node)) stores[update->buffer] += 2;
  });
  return stores;
}

struct ShortIntegers : Rebuilder<ShortIntegers> {
  std::unordered_map<Name, int> stores;
  std::unordered_map<Name, Expr> definitions;  // of what may be written again
  std::unordered_map<Name, Expr> kept;         // what scalars in registers are from their only store on
  IntegerRanges ranges;

  IntegerRange range(const Expr& e) const {
    return range_of(e, [&](const Expr& x) { return range_of_name(x, ranges); });
  }

  // What a name stands for, as far as that is known.
  const Expr& definition(const Expr& e) const {
    const Expr* found = &e;
    while (const auto* v = std::get_if<Var>(&(*found)->node)) {
      auto it = definitions.find(v->name);
      if (it == definitions.end()) break;
      found = &it->second;
    }
    return *found;
  }
  const Operation* operation_of(const Expr& e) const { return std::get_if<Operation>(&definition(e)->node); }
  const Operation* conversion_of(const Expr& e) const {
    const Operation* o = operation_of(e);
    return o && is_conversion(*o) ? o : nullptr;
  }

  // ---- A conversion of a conversion. ----
  std::optional<Expr> of_conversion(const Operation& outer) const {
    const Operation* inner = conversion_of(outer.args[0]);
    if (!inner) return std::nullopt;
    const Expr& x = inner->args[0];
    const Type between = outer.op.type, to = outer.op.to;
    if (widens(inner->op)) {
      if (!widens(outer.op)) return converted(inner->op.family, x, to);
      if (inner->op.family == outer.op.family || inner->op.family == Family::ZExt)
        return converted(inner->op.family, x, to);
      return std::nullopt;
    }
    if (!widens(outer.op)) return converted(Family::ZExt, x, to);
    const bool with_sign = outer.op.family == Family::SExt;
    if (!is_within(range(x), with_sign ? all_of(between) : all_unsigned(between))) return std::nullopt;
    return converted(outer.op.family, x, to);
  }

  // ---- The least and the greatest of what has 32 bits and less. ----
  static std::optional<Expr> number_of_32_bits(const Expr& e) {
    const auto n = int_constant(e);
    if (!n || !is_within({*n, *n}, all_of(Type::I32))) return std::nullopt;
    return number(Type::I32, *n);
  }
  std::optional<Expr> with_32_bits(const Expr& e) const {
    if (int_constant(e)) return number_of_32_bits(e);
    const Operation* o = conversion_of(e);
    if (!o || !widens(o->op)) return std::nullopt;
    if (o->op.type == Type::I32 && o->op.family == Family::ZExt && range(o->args[0]).low < 0) return std::nullopt;
    return converted(o->op.family, o->args[0], Type::I32);
  }
  // Of a float that is then clamped to what 32 bits have: conversions cut off what is beyond their ends.
  std::optional<Expr> clamped_float(const Operation& o) const {
    const bool least = o.op.family == Family::SMin;
    for (size_t i = 0; i < 2; ++i) {
      const Operation* inner = operation_of(o.args[1 - i]);
      if (!inner || inner->op != Op(least ? Family::SMax : Family::SMin, Type::I64)) continue;
      for (size_t k = 0; k < 2; ++k) {
        const Operation* conversion = operation_of(inner->args[1 - k]);
        if (!conversion || conversion->op.family != Family::FPToSI) continue;
        const auto outer_end = number_of_32_bits(o.args[i]), inner_end = number_of_32_bits(inner->args[k]);
        if (!outer_end || !inner_end) continue;
        const Expr x = operation(Op(Family::FPToSI, conversion->op.type, Type::I32), {conversion->args[0]});
        const Expr e = operation(Op(o.op.family, Type::I32),
                                 {*outer_end, operation(Op(inner->op.family, Type::I32), {*inner_end, x})});
        return converted(range(e).low >= 0 ? Family::ZExt : Family::SExt, e, Type::I64);
      }
    }
    return std::nullopt;
  }
  std::optional<Expr> of_extremum(const Operation& o) const {
    if (auto e = clamped_float(o)) return e;
    auto a = with_32_bits(o.args[0]), b = with_32_bits(o.args[1]);
    if (!a || !b) return std::nullopt;
    const Expr least = operation(Op(o.op.family, Type::I32), {*a, *b});
    return converted(range(least).low >= 0 ? Family::ZExt : Family::SExt, least, Type::I64);
  }

  // ---- Sums and products with what was clamped. ----
  // Whether it was clamped before it got 64 bits; `sums`: and is a sum or product since.
  bool is_clamped(const Expr& e, bool sums) const {
    const Operation* o = conversion_of(e);
    if (!o || !widens(o->op) || e->type != Type::I64) return false;
    const auto* root = std::get_if<Operation>(&definition(o->args[0])->node);
    if (sums && (!root || !is_sum(root->op.family))) return false;
    bool found = false;
    for_each_expr(o->args[0], [&](const Expr& x) {
      const auto* inner = std::get_if<Operation>(&x->node);
      found |= inner && (inner->op.family == Family::SMin || inner->op.family == Family::SMax);
    });
    return found;
  }
  Expr low_32_bits(const Expr& e) const {
    const Operation* o = conversion_of(e);
    if (o && widens(o->op)) return converted(o->op.family, o->args[0], Type::I32);
    return converted(Family::ZExt, e, Type::I32);
  }
  std::optional<Expr> of_sum(const Operation& o, const Expr& e) const {
    // The place after a clamped one is left to the compiler, which finds it with what it has of the first.
    const bool by_number = int_constant(o.args[0]) || int_constant(o.args[1]);
    if (!is_clamped(o.args[0], by_number) && !is_clamped(o.args[1], by_number)) return std::nullopt;
    const IntegerRange r = range(e);
    if (!is_within(r, all_of(Type::I32))) return std::nullopt;
    const Family family = o.op.family == Family::AddNw   ? Family::Add
                          : o.op.family == Family::SubNw ? Family::Sub
                          : o.op.family == Family::MulNw ? Family::Mul
                                                         : o.op.family;
    const Expr low = operation(Op(family, Type::I32), {low_32_bits(o.args[0]), low_32_bits(o.args[1])});
    return converted(r.low >= 0 ? Family::ZExt : Family::SExt, low, Type::I64);
  }

  // ---- Quotients by constants. ----
  // (x * c) / d, of which d divides c.
  std::optional<Expr> of_multiple(const Operation& o) const {
    const auto* d = std::get_if<Const>(&o.args[1]->node);
    const Operation* product = operation_of(o.args[0]);
    if (!d || d->value.i <= 0 || !product) return std::nullopt;
    if (product->op.family != Family::Mul && product->op.family != Family::MulNw) return std::nullopt;
    const Type type = o.op.type;
    for (size_t i = 0; i < 2; ++i) {
      const auto* c = std::get_if<Const>(&product->args[i]->node);
      const Expr& x = product->args[1 - i];
      if (!c || c->value.i % d->value.i != 0) continue;
      const IntegerRange r = range(x), whole = all_of(Type::I32);
      if (!is_within(r, whole) || !is_within({c->value.i, c->value.i}, whole)) return std::nullopt;
      const auto ends = std::minmax({r.low * c->value.i, r.high * c->value.i});
      if (!is_within({ends.first, ends.second}, all_of(type))) return std::nullopt;
      return operation(Op(Family::Mul, type), {x, number(type, c->value.i / d->value.i)});
    }
    return std::nullopt;
  }
  std::optional<Expr> of_quotient(const Operation& o) const {
    if (o.op.family != Family::SMod && o.op.family != Family::SRem && o.op.family != Family::SDivUp) {
      if (auto e = of_multiple(o)) return e;
    }
    const auto k = exponent(o.args[1]);
    if (!k) return std::nullopt;
    const Type type = o.op.type;
    const bool rounds_down =
        o.op.family == Family::SDiv || o.op.family == Family::SMod || o.op.family == Family::SDivUp;
    if (!rounds_down && range(o.args[0]).low < 0) return std::nullopt;
    if (o.op.family == Family::SMod || o.op.family == Family::SRem)
      return operation(Op(Family::And, type), {o.args[0], number(type, (int64_t{1} << *k) - 1)});
    Expr x = o.args[0];
    if (o.op.family == Family::SDivUp) x = operation(Op(Family::Add, type), {x, number(type, (int64_t{1} << *k) - 1)});
    if (*k == 0) return x;
    return operation(Op(Family::AShr, type), {x, number(type, *k)});
  }

  // ---- How far two numbers are apart. ----
  bool is_difference(const Expr& e, const Expr& a, const Expr& b) const {
    const Operation* o = operation_of(e);
    return o && (o->op.family == Family::Sub || o->op.family == Family::SubNw) && equal(o->args[0], a) &&
           equal(o->args[1], b);
  }
  std::optional<Expr> of_choice(const Select& s, Type type) const {
    const Operation* less = operation_of(s.condition);
    if (!less || (type != Type::I8 && type != Type::I16) || prim::arg_type(less->op) != type) return std::nullopt;
    const bool with_sign = less->op.family == Family::Slt || less->op.family == Family::Sle;
    if (!with_sign && less->op.family != Family::Ult && less->op.family != Family::Ule) return std::nullopt;
    const Expr &a = less->args[0], &b = less->args[1];
    if (!is_difference(s.if_true, b, a) || !is_difference(s.if_false, a, b)) return std::nullopt;
    const Family widened = with_sign ? Family::SExt : Family::ZExt;
    const Expr difference =
        operation(Op(Family::Sub, Type::I32), {converted(widened, a, Type::I32), converted(widened, b, Type::I32)});
    return converted(Family::ZExt, operation(Op(Family::Abs, Type::I32), {difference}), type);
  }

  // ---- Comparisons of what was cut off without loss. ----
  std::optional<Expr> of_comparison(const Operation& o) const {
    const bool with_sign = o.op.family == Family::Slt || o.op.family == Family::Sle;
    const Type type = prim::arg_type(o.op);
    if (type != Type::I8 && type != Type::I16) return std::nullopt;
    std::vector<Expr> args;
    for (const Expr& a : o.args) {
      const Operation* c = conversion_of(a);
      if (!c || widens(c->op) || c->op.type != Type::I32) return std::nullopt;
      if (!is_within(range(c->args[0]), with_sign ? all_of(type) : all_unsigned(type))) return std::nullopt;
      args.push_back(c->args[0]);
    }
    return operation(Op(o.op.family, Type::I32), std::move(args));
  }

  std::optional<Expr> of_operation(const Operation& o, const Expr& e) const {
    const Type type = e->type;
    switch (o.op.family) {
      case Family::Add:
      case Family::AddNw:
      case Family::Sub:
      case Family::SubNw:
      case Family::Mul:
      case Family::MulNw:
        return type == Type::I64 ? of_sum(o, e) : std::nullopt;
      case Family::ZExt:
      case Family::SExt:
        return of_conversion(o);
      case Family::SMin:
      case Family::SMax:
        return type == Type::I64 ? of_extremum(o) : std::nullopt;
      case Family::SDiv:
      case Family::SMod:
      case Family::SDivUp:
      case Family::SQuot:
      case Family::SRem:
        return of_quotient(o);
      case Family::Ult:
      case Family::Ule:
      case Family::Slt:
      case Family::Sle:
        return of_comparison(o);
      default:
        return std::nullopt;
    }
  }

  void expr(Expr& e) {
    Rebuilder::expr(e);
    std::optional<Expr> better;
    if (const auto* l = std::get_if<Load>(&e->node)) {
      if (auto it = kept.find(l->buffer); it != kept.end()) better = it->second;
    }
    if (const auto* o = std::get_if<Operation>(&e->node)) better = of_operation(*o, e);
    if (const auto* s = std::get_if<Select>(&e->node)) better = of_choice(*s, e->type);
    if (better) e = *better;
  }

  // Where a scalar is made in the same block of statements as it is stored, what is stored is in scope wherever the scalar is.
  void body(Block& b) {
    NameSet made;
    Block out;
    for (const Stmt& s : b) {
      stmts(s, out);
      const auto* alloc = std::get_if<Alloc>(&s->node);
      if (alloc && alloc->buffer.space == Space::Register && alloc->buffer.dims.empty())
        made.insert(alloc->buffer.name);
      const auto* store = std::get_if<Store>(&out.back()->node);
      if (!store || !made.contains(store->buffer) || stores[store->buffer] != 1) continue;
      if (std::holds_alternative<Var>(store->value->node) || std::holds_alternative<Const>(store->value->node))
        kept.emplace(store->buffer, store->value);
    }
    b = std::move(out);
  }

  void stmts(const Stmt& s, Block& out) {
    if (const auto* loop = std::get_if<For>(&s->node)) {
      // How often it runs is computed once, and stays as it is told.
      const auto extent = int_constant(loop->extent);
      ranges.insert_or_assign(loop->index, IntegerRange{0, extent && *extent > 0 ? *extent - 1 : INT64_MAX});
      For copy = *loop;
      body(copy.body);
      out.push_back(stmt(std::move(copy)));
      return;
    }
    Rebuilder::stmts(s, out);
    const auto* let = std::get_if<Let>(&out.back()->node);
    if (!let) return;
    if (is_same_anywhere(let->value)) definitions.insert_or_assign(let->name, let->value);
    if (prim::is_int(let->value->type)) ranges.insert_or_assign(let->name, range(let->value));
  }
};

}  // namespace

Block short_integers(const Block& block) {
  Block result = block;
  ShortIntegers rewriter;
  rewriter.stores = count_stores(block);
  rewriter.body(result);
  // Scalars whose values their readers have now are stored for nobody.
  return rewriter.kept.empty() ? result : without_unused(result);
}

}  // namespace heddle::nest
