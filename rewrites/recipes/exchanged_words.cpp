#include "rewrites/recipes/exchanged_words.h"

#include "rewrites/points/index_code.h"

#include <fmt/format.h>

namespace heddle::lower {

using nest::Expr;
using prim::Family;
using prim::Op;
using prim::Type;

namespace {

constexpr int64_t kLow = 0xffffffff;
constexpr int64_t kThere = int64_t{1} << 32;

Expr binary(Family family, const Expr& a, const Expr& b) { return nest::operation(Op(family, Type::I64), {a, b}); }
Expr low_half(const Expr& e) { return binary(Family::And, e, i64(kLow)); }

Type bits_type(Type type) {
  switch (prim::size_bytes(type)) {
    case 2:
      return Type::I16;
    case 4:
      return Type::I32;
    default:
      return Type::I64;
  }
}

Expr bits_function(const char* name, Type type, const Expr& e) {
  return nest::call(prim::find_function(fmt::format("{}{}", name, 8 * prim::size_bytes(type))), {e});
}

Expr extended(const Expr& e) {
  return e->type == Type::I64 ? e : nest::operation(Op(Family::ZExt, e->type, Type::I64), {e});
}
Expr truncated(const Expr& e, Type type) {
  return type == Type::I64 ? e : nest::operation(Op(Family::ZExt, Type::I64, type), {e});
}

}  // namespace

size_t num_words(Type type) { return prim::size_bytes(type) > 4 ? 2 : 1; }

std::vector<Expr> to_words(Binder& binder, const Expr& value) {
  Type type = value->type;
  Expr bits = type == Type::Bool     ? nest::operation(Op(Family::BToI, Type::Bool, Type::I64), {value})
              : prim::is_float(type) ? extended(bits_function("to_bits", type, value))
                                     : extended(value);
  bits = binder.bind(bits);
  std::vector<Expr> halves = {bits};
  if (num_words(type) == 2) halves = {low_half(bits), binary(Family::LShr, bits, i64(32))};
  for (Expr& half : halves) half = binary(Family::Or, half, i64(kThere));
  return halves;
}

Expr from_words(Type type, const std::vector<Expr>& words) {
  Expr bits = low_half(words[0]);
  if (words.size() == 2) bits = binary(Family::Or, bits, binary(Family::Shl, words[1], i64(32)));
  if (type == Type::Bool) return nest::operation(Op(Family::IToB, Type::I64, Type::Bool), {bits});
  if (!prim::is_float(type)) return truncated(bits, type);
  return bits_function("from_bits", type, truncated(bits, bits_type(type)));
}

}  // namespace heddle::lower
