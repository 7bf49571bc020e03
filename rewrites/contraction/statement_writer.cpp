#include "rewrites/contraction/statement_writer.h"

namespace heddle::contraction {

using nest::Block;
using nest::Buffer;
using nest::Expr;
using prim::Type;

Expr product(const std::vector<Expr>& factors) {
  Expr p = one();
  for (const Expr& f : factors) p = nest::mul(p, f);
  return p;
}

Expr round_up(const Expr& n, const Expr& quantum) { return nest::mul(nest::ceil_div(n, quantum), quantum); }

std::vector<Expr> digits(Expr flat, const std::vector<Expr>& extents) {
  std::vector<Expr> result(extents.size());
  for (size_t d = extents.size(); d-- > 1;) {
    result[d] = nest::mod(flat, extents[d]);
    flat = nest::div(flat, extents[d]);
  }
  if (!extents.empty()) result[0] = flat;
  return result;
}

Expr StatementWriter::let(const std::string& base, Expr value) {
  if (nest::int_constant(value) || std::holds_alternative<nest::Var>(value->node)) return value;
  Name n = names_.fresh(base);
  Type type = value->type;
  emit(nest::Let{n, std::move(value)});
  return nest::var(n, type);
}

Buffer StatementWriter::alloc(const std::string& base, Type elem, nest::Space space, std::vector<Expr> dims) {
  std::vector<Expr> strides = nest::dense_strides(dims);
  Buffer b{names_.fresh(base), elem, space, std::move(dims), std::move(strides)};
  emit(nest::Alloc{b});
  return b;
}

Block StatementWriter::block(const std::function<void()>& write) {
  Block b;
  Block* outer = std::exchange(out_, &b);
  write();
  out_ = outer;
  return b;
}

void StatementWriter::loop(const std::string& base, Expr extent, nest::Role role,
                           const std::function<void(Expr)>& body) {
  if (nest::int_constant(extent) == 0) return;
  if (nest::int_constant(extent) == 1) return body(zero());
  Name i = names_.fresh(base);
  Block b = block([&] { body(index_of(i)); });
  emit(nest::For{i, std::move(extent), role, std::move(b)});
}

void StatementWriter::loops(const std::string& base, const std::vector<Expr>& extents, nest::Role role,
                            const std::function<void(const std::vector<Expr>&)>& body) {
  std::vector<Expr> at;
  std::function<void(size_t)> next = [&](size_t k) {
    if (k == extents.size()) return body(at);
    loop(base, extents[k], role, [&](Expr i) {
      at.push_back(std::move(i));
      next(k + 1);
      at.pop_back();
    });
  };
  next(0);
}

void StatementWriter::when(Expr condition, const std::function<void()>& body) {
  if (auto known = std::get_if<nest::Const>(&condition->node); known && known->value.i != 0) return body();
  Block b = block(body);
  emit(nest::If{std::move(condition), std::move(b), {}});
}

void StatementWriter::choose(const Expr& condition, const std::function<void()>& if_true,
                             const std::function<void()>& if_false) {
  if (auto known = std::get_if<nest::Const>(&condition->node)) return known->value.as_bool() ? if_true() : if_false();
  Block yes = block(if_true);
  Block no = block(if_false);
  emit(nest::If{condition, std::move(yes), std::move(no)});
}

Expr StatementWriter::as_value(const Expr& index) {
  Buffer value = alloc("value", Type::I64, nest::Space::Register, {});
  emit(nest::Store{value.name, {}, index});
  return nest::load(value.name, Type::I64, {});
}

}  // namespace heddle::contraction
