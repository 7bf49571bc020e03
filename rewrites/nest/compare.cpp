#include "rewrites/nest/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "ir/nest/verify.h"

namespace heddle::nest {

namespace {

using prim::Type;
using prim::Value;

Value small_integer(Type type, int64_t number) {
  int64_t n = (number * 7 + number / 11) % 11 - 5;
  if (type == Type::Bool) return Value::of_bool(n > 0);
  return prim::is_int(type) ? Value::of_int(type, n) : Value::of_float(type, static_cast<double>(n));
}

bool reads(const Kernel& kernel, const Name& buffer) {
  bool found = false;
  for_each_expr(kernel.body, [&](const Expr& e) {
    const auto* l = std::get_if<Load>(&e->node);
    found |= l && l->buffer == buffer;
  });
  for_each_stmt(kernel.body, [&](const Stmt& s) {
    const auto* copy = std::get_if<AsyncCopy>(&s->node);
    found |= copy && copy->from == buffer;
  });
  return found;
}

// ---- Sums that are exact in any order. ----

// A float's bits, mixed, as a number below 2^`num_bits`.
Expr digest(const Expr& value, int num_bits) {
  static const std::unordered_map<Type, const prim::Function*> to_bits = {
      {Type::F16, prim::find_function("to_bits16")},
      {Type::F32, prim::find_function("to_bits32")},
      {Type::F64, prim::find_function("to_bits64")}};
  Expr bits = call(to_bits.at(value->type), {value});
  auto number = [&](int64_t n) { return constant(Value::of_int(bits->type, n)); };
  // The golden ratio's binary digits: neighbouring numbers get digests far apart.
  Expr mixed = operation({prim::Family::Mul, bits->type}, {bits, number(static_cast<int64_t>(0x9E3779B97F4A7C15U))});
  return operation({prim::Family::LShr, bits->type}, {mixed, number(8 * prim::size_bytes(bits->type) - num_bits)});
}

// From -2^(num_bits - 1) to 2^(num_bits - 1), but not 0, except for what is 0.
Expr small_term(const Expr& term, int num_bits) {
  Type type = term->type;
  Expr number = digest(term, num_bits);
  auto integer = [&](int64_t n) { return constant(Value::of_int(number->type, n)); };
  Expr centred = operation({prim::Family::Sub, number->type}, {number, integer(int64_t{1} << (num_bits - 1))});
  Expr is_negative = operation({prim::Family::Slt, number->type}, {centred, integer(0)});
  Expr chosen = select(is_negative, centred, operation({prim::Family::Add, number->type}, {centred, integer(1)}));
  Expr zero = constant(prim::zero(type));
  return select(operation({prim::Family::Eq, type}, {term, zero}), zero,
                operation({prim::Family::SIToFP, number->type, type}, {chosen}));
}

// Half precision has integers up to 2^11: of these terms, 2^10 make no more.
int bits_of_terms(Type type) { return type == Type::F16 ? 2 : 5; }

// What a reduction takes instead of a term, by its operator; null if its order cannot be seen anyway.
Expr exact_term(const prim::Op& reduce, const Expr& term) {
  Type type = term->type;
  Expr zero = constant(prim::zero(type)), one = constant(prim::one(type));
  switch (reduce.family) {
    case prim::Family::FAdd:
      return small_term(term, bits_of_terms(type));
    case prim::Family::FMul: {
      Expr bit = digest(term, 1);
      Expr is_zero = operation({prim::Family::Eq, bit->type}, {bit, constant(prim::zero(bit->type))});
      return select(is_zero, one, operation({prim::Family::Neg, type}, {one}));
    }
    case prim::Family::FMin:
    case prim::Family::FMax:
      return select(operation({prim::Family::Eq, type}, {term, zero}), zero, term);
    default:
      return nullptr;
  }
}

// Whether an expression reads this buffer.
bool mentions(const Expr& e, const Name& buffer) {
  const auto* l = std::get_if<Load>(&e->node);
  return l && l->buffer == buffer;
}

// The buffers that hold what has been reduced: those with elements that become an operation's result on themselves, those
// of other kernels, which are not among `own`, and those that such elements are moved to.
NameSet buffers_of_sums(const Kernel& kernel, const NameSet& own) {
  NameSet sums;
  for (const Buffer& b : kernel.buffers) {
    if (!own.contains(b.name)) sums.insert(b.name);
  }
  for (size_t before = kernel.buffers.size() + 1; before != sums.size();) {
    before = sums.size();
    for_each_stmt(kernel.body, [&](const Stmt& s) {
      const auto* store = std::get_if<Store>(&s->node);
      if (!store) return;
      const auto* o = std::get_if<Operation>(&store->value->node);
      const auto* l = std::get_if<Load>(&store->value->node);
      bool reduces = o && std::ranges::any_of(o->args, [&](const Expr& e) { return mentions(e, store->buffer); });
      if (reduces || (l && sums.contains(l->buffer))) sums.insert(store->buffer);
    });
  }
  return sums;
}

// Wherever a buffer's element becomes the reduction of itself and a term, the term is exchanged; but what was reduced
// before stays.
struct ExactTerms : Rebuilder<ExactTerms> {
  NameSet sums;

  ExactTerms(const Kernel& kernel, const NameSet& own) : sums(buffers_of_sums(kernel, own)) {}

  bool is_part(const Expr& e) const {
    const auto* l = std::get_if<Load>(&e->node);
    return l && sums.contains(l->buffer);
  }

  void stmts(const Stmt& s, Block& out) {
    const auto* store = std::get_if<Store>(&s->node);
    const auto* o = store ? std::get_if<Operation>(&store->value->node) : nullptr;
    if (!o || o->args.size() != 2) return Rebuilder::stmts(s, out);
    bool is_first = mentions(o->args[0], store->buffer), is_second = mentions(o->args[1], store->buffer);
    const Expr& term = o->args[is_first ? 1 : 0];
    Expr exact = is_first != is_second && !is_part(term) ? exact_term(o->op, term) : nullptr;
    if (!exact) return Rebuilder::stmts(s, out);
    std::vector<Expr> args = o->args;
    args[is_first ? 1 : 0] = exact;
    out.push_back(stmt(Store{store->buffer, store->index, operation(o->op, std::move(args))}));
  }
};

// More are no small data.
constexpr int64_t kMostElements = 1'000'000;

std::optional<int64_t> num_elements(const Buffer& b, const std::unordered_map<Name, Value>& values) {
  int64_t n = 1;
  for (const Expr& d : b.dims) {
    auto extent = evaluate(d, values);
    if (!extent || extent->i < 0 || __builtin_mul_overflow(n, extent->i, &n) || n > kMostElements) return std::nullopt;
  }
  return n;
}

std::optional<std::string> run(const Kernel& kernel, const std::unordered_map<Name, Value>& values,
                               std::vector<Memory>& memory) {
  std::vector<std::string> problems = verify(kernel);
  if (!problems.empty()) return fmt::format("{}", fmt::join(problems, "; "));
  std::vector<Value> scalars;
  for (const ScalarParam& p : kernel.scalars) scalars.push_back(values.at(p.name));
  Outcome outcome = evaluate(kernel, scalars, memory);
  if (outcome.problem) return outcome.problem->text;
  if (outcome.failed) return fmt::format("failure {} is reported", outcome.failed->id);
  return std::nullopt;
}

}  // namespace

// Fixes constants, and lets the elements of all buffers lie one after the other: strides matter to no result.
Kernel Expected::ready(const Kernel& kernel) const {
  std::unordered_map<Name, int64_t> constants;
  for (const Name& c : kernel.constants) constants.emplace(c, values_.at(c).i);
  Kernel k = instantiate(kernel, constants);
  for (Buffer& b : k.buffers) b.strides = dense_strides(b.dims);
  if (rounding_ == Rounding::InAnyOrder) ExactTerms(k, own_).body(k.body);
  return k;
}

Expected::Expected(const Kernel& original, std::unordered_map<Name, Value> values, Rounding rounding)
    : values_(std::move(values)), rounding_(rounding) {
  for (const Buffer& b : original.buffers) own_.insert(b.name);
  Kernel kernel = ready(original);
  buffers_ = kernel.buffers;
  for (const Buffer& b : buffers_) {
    auto n = num_elements(b, values_);
    if (!n) {
      problem_ = fmt::format("{} has no size, or too large a one", b.name.text());
      return;
    }
    if (!reads(kernel, b.name)) {
      before_.push_back(unwritten_memory(b.elem, *n));
      continue;
    }
    std::vector<Value> data;
    auto seed = static_cast<int64_t>(before_.size());
    for (int64_t i = 0; i < *n; ++i) data.push_back(small_integer(b.elem, i + seed));
    before_.push_back(memory_of(std::move(data)));
  }
  after_ = before_;
  problem_ = run(kernel, values_, after_);
}

std::string Expected::difference(const Kernel& other) const { return difference(std::vector<Kernel>{other}); }

std::string Expected::difference(const std::vector<Kernel>& others) const {
  std::unordered_map<Name, Memory> all;
  for (size_t b = 0; b < buffers_.size(); ++b) all.emplace(buffers_[b].name, before_[b]);
  for (const Kernel& other : others) {
    Kernel kernel = ready(other);
    std::vector<Memory> memory;
    for (const Buffer& b : kernel.buffers) {
      auto n = num_elements(b, values_);
      if (!n) return fmt::format("{} has no size, or too large a one", b.name.text());
      memory.push_back(all.try_emplace(b.name, unwritten_memory(b.elem, *n)).first->second);
    }
    if (auto problem = run(kernel, values_, memory)) return *problem;
    for (size_t b = 0; b < memory.size(); ++b) all.at(kernel.buffers[b].name) = std::move(memory[b]);
  }
  std::vector<Memory> got;
  for (const Buffer& b : buffers_) got.push_back(std::move(all.at(b.name)));
  for (size_t b = 0; b < got.size(); ++b) {
    for (size_t i = 0; i < got[b].data.size(); ++i) {
      bool written = after_[b].written[i];
      if (written == got[b].written[i] && (!written || got[b].data[i] == after_[b].data[i])) continue;
      auto shown = [&](const Memory& m) { return m.written[i] ? prim::to_text(m.data[i]) : "nothing"; };
      return fmt::format("element {} of {} is {} instead of {}", i, buffers_[b].name.text(), shown(got[b]),
                         shown(after_[b]));
    }
  }
  return "";
}

}  // namespace heddle::nest
