#include "codegen/c_expr.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/nest/infix.h"
#include "ir/nest/traverse.h"

namespace heddle::codegen {

namespace {

using nest::Expr;
using nest::Level;
using nest::Piece;
using prim::Type;

bool is_letter(char c) { return (c >= 'a' && c <= 'z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether C gives the text of an i64 expression 64 bits even if a plain `256` is one of its operands.
bool is_wide(const Expr& e) {
  if (std::holds_alternative<nest::Const>(e->node) || std::holds_alternative<nest::Select>(e->node)) return false;
  const auto* o = std::get_if<nest::Operation>(&e->node);
  if (!o || !prim::c_infix(o->op)) return true;
  for (const Expr& a : o->args) {
    if (is_wide(a)) return true;
  }
  return false;
}

// What C calls an operation on small numbers.
Piece small_operation(prim::Family family, const Piece& a, const Piece& b) {
  switch (family) {
    case prim::Family::SDiv:
    case prim::Family::SQuot:
      return nest::binary(a, "/", b);
    case prim::Family::SMod:
    case prim::Family::SRem:
      return nest::binary(a, "%", b);
    case prim::Family::SDivUp:
      return nest::binary(nest::binary(nest::binary(a, "+", b), "-", {"1"}), "/", b);
    case prim::Family::SMin:
      return nest::choice(nest::binary(a, "<", b), a, b);
    case prim::Family::SMax:
      return nest::choice(nest::binary(a, ">", b), a, b);
    case prim::Family::Sub:
    case prim::Family::SubNw:
      return nest::binary(a, "-", b);
    default:
      return nest::binary(a, family == prim::Family::Mul || family == prim::Family::MulNw ? "*" : "+", b);
  }
}

bool is_one_of(prim::Family family, std::initializer_list<prim::Family> list) {
  return std::find(list.begin(), list.end(), family) != list.end();
}

// Of two numbers of these widths.
Width width_of(prim::Family family, Width a, Width b) {
  using prim::Family;
  bool product = is_one_of(family, {Family::Mul, Family::MulNw});
  bool sum = is_one_of(family, {Family::Add, Family::AddNw, Family::Sub, Family::SubNw});
  bool least = is_one_of(family, {Family::SMin, Family::SMax});
  bool quotient = is_one_of(family, {Family::SDiv, Family::SQuot, Family::SMod, Family::SRem, Family::SDivUp});
  if (!product && !sum && !least && !quotient) return Width::Wide;
  Width wider = std::max(a, b);
  if (wider == Width::Index && product && a == b) return Width::Wide;
  return wider;
}

struct ExprText {
  const BufferTable& buffers;
  const NarrowNames& narrow;

  // What no name has narrowed stays as it is.
  Width width(const Expr& e) const { return narrow.small.empty() ? Width::Wide : width_of(e, narrow); }

  Piece piece(const Expr& e) const {
    return std::visit([&](const auto& node) { return text(node, e); }, e->node);
  }

  // `sibling` is the other operand of an infix operator.
  Piece operand(const Expr& e, const Expr& sibling) const {
    if (e->type == Type::I64 && (is_wide(sibling) || width(sibling) != Width::Wide)) {
      auto value = nest::int_constant(e);
      if (value && *value >= 0 && *value <= INT32_MAX) return {std::to_string(*value)};
    }
    return piece(e);
  }

  std::string list(const std::vector<Expr>& args) const {
    std::string result;
    for (const Expr& a : args) result += (result.empty() ? "" : ", ") + piece(a).text;
    return result;
  }

  Piece text(const nest::Const& c, const Expr&) const { return {prim::c_literal(c.value)}; }

  Piece text(const nest::Var& v, const Expr&) const { return {c_name(v.name)}; }

  // With so many bits and a sign.
  Piece cast(const char* type, const Piece& p) const {
    return {fmt::format("({}){}", type, nest::within(p, Level::Primary)), Level::Unary};
  }

  // Beside an int32_t: C would take both for unsigned if one was.
  Piece index_operand(const Expr& e, const Expr& sibling) const {
    Piece p = operand(e, sibling);
    return width(e) == Width::Small && !nest::int_constant(e) ? cast("int32_t", p) : p;
  }

  Piece text(const nest::Operation& o, const Expr& e) const {
    Width result = width(e);
    if (o.args.size() == 2 && result == Width::Small) {
      return small_operation(o.op.family, operand(o.args[0], o.args[1]), operand(o.args[1], o.args[0]));
    }
    auto op = prim::c_infix(o.op);
    if (is_held(e)) op = o.op.family == prim::Family::LogAnd ? "&" : "|";
    if (!op) {
      Piece call = {by_long_divisor(o).value_or(fmt::format("{}({})", function(o), list(o.args)))};
      return result == Width::Index ? cast("int32_t", call) : call;
    }
    if (o.args.size() == 1) return nest::unary(*op, piece(o.args[0]));
    Width a = width(o.args[0]), b = width(o.args[1]);
    if (result == Width::Index || (std::max(a, b) == Width::Index && e->type == Type::Bool)) {
      return nest::binary(index_operand(o.args[0], o.args[1]), *op, index_operand(o.args[1], o.args[0]));
    }
    Piece first = operand(o.args[0], o.args[1]);
    // What is not narrow must not be computed with 32 bits.
    if (e->type == Type::I64 && a != Width::Wide && b != Width::Wide) first = cast("int64_t", first);
    Piece p = nest::binary(first, *op, operand(o.args[1], o.args[0]));
    // C computes with at least 32 bits.
    if (e->type == Type::I8 || e->type == Type::I16)
      return {fmt::format("({})({})", prim::c_type(e->type), p.text), Level::Unary};
    return p;
  }

  // Whether truth values that a thread holds are all that an operation is of: then it is one of bits, where && would be a branch for each element
  // of a contraction. H200, or of ands, 1200x1500 of 1000: 2.8 ms with branches.
  bool is_held(const Expr& e) const {
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (!o || !is_one_of(o->op.family, {prim::Family::LogAnd, prim::Family::LogOr})) return false;
    return std::ranges::all_of(o->args, [&](const Expr& a) {
      const auto* load = std::get_if<nest::Load>(&a->node);
      return load ? !load->index.empty() && buffers.at(load->buffer).space == nest::Space::Register : is_held(a);
    });
  }

  // A shift by a literal says more to a compiler than one by any number, which is an instruction to it.
  static std::string function(const nest::Operation& o) {
    std::string name(prim::c_function(o.op));
    bool shifts = is_one_of(o.op.family, {prim::Family::Shl, prim::Family::LShr}) && prim::arg_type(o.op) == Type::I32;
    return shifts && !std::holds_alternative<nest::Const>(o.args[1]->node) ? name + "_by_any" : name;
  }

  std::optional<std::string> by_long_divisor(const nest::Operation& o) const {
    if (!is_long_division(o)) return std::nullopt;
    auto same = [&](const Expr& e) { return nest::equal(e, o.args[1]); };
    auto i = std::ranges::find_if(narrow.long_divisors, same);
    if (i == narrow.long_divisors.end()) return std::nullopt;
    std::string by = long_divisor_name(static_cast<size_t>(i - narrow.long_divisors.begin()));
    return fmt::format("{}_by({}, {})", prim::c_function(o.op), list(o.args), by);
  }

  Piece text(const nest::Call& c, const Expr&) const {
    return {fmt::format("{}({})", prim::c_function(*c.function), list(c.args))};
  }

  Piece text(const nest::Select& s, const Expr& e) const {
    return nest::choice(piece(s.condition), arm(s.if_true, width(e)), arm(s.if_false, width(e)));
  }

  Piece arm(const Expr& e, Width result) const {
    if (width(e) == result || nest::int_constant(e)) return piece(e);
    return cast(result == Width::Wide ? "int64_t" : "int32_t", piece(e));
  }

  // A small number, computed with signs: a compiler knows that such sums do not wrap around, and so may put what is
  // constant in them into the instruction that uses them as a place.
  Piece with_sign(const Expr& e, const Expr& sibling) const {
    if (nest::int_constant(e)) return operand(e, sibling);
    if (const auto* v = std::get_if<nest::Var>(&e->node); v && narrow.constants.contains(v->name)) return piece(e);
    const auto* o = std::get_if<nest::Operation>(&e->node);
    bool is_sum = o && is_one_of(o->op.family, {prim::Family::Add, prim::Family::AddNw, prim::Family::Sub,
                                                prim::Family::SubNw, prim::Family::Mul, prim::Family::MulNw});
    if (!is_sum) return cast("int32_t", piece(e));
    return small_operation(o->op.family, with_sign(o->args[0], o->args[1]), with_sign(o->args[1], o->args[0]));
  }

  Piece text(const nest::Load& l, const Expr&) const {
    std::string loaded = element(l.buffer, l.index);
    return {buffers.at(l.buffer).read_once ? fmt::format("HD_READ_ONCE({})", loaded) : loaded};
  }

  // The sum of narrow indices times narrow strides is not narrow.
  Piece wide_place(const nest::Buffer& b, const std::vector<Expr>& index) const {
    std::optional<Piece> sum;
    for (size_t i = 0; i < index.size(); ++i) {
      const Expr& stride = b.strides[i];
      Piece term = cast("int64_t", piece(index[i]));
      if (nest::int_constant(stride) != 1) {
        bool narrow_factors = width(index[i]) != Width::Wide && width(stride) != Width::Wide;
        term = narrow_factors ? Piece{fmt::format("hd_wide_product({})", list({index[i], stride}))}
                              : nest::binary(term, "*", operand(stride, index[i]));
      }
      sum = sum ? nest::binary(*sum, "+", term) : term;
    }
    return sum ? *sum : Piece{"0"};
  }

  // What written out loops make a number of, and the rest of a sum.
  struct Sum {
    Expr near = nest::constant(int64_t{0}), far = nest::constant(int64_t{0});
    bool has_loop = false;
  };
  void add_terms(const Expr& e, Sum& sum) const {
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (o && is_one_of(o->op.family, {prim::Family::Add, prim::Family::AddNw})) {
      for (const Expr& a : o->args) add_terms(a, sum);
      return;
    }
    const nest::NameSet names = nest::free_names(e);
    const bool is_near = std::ranges::all_of(names, [&](const Name& n) { return narrow.written_out.contains(n); });
    sum.has_loop |= is_near && !names.empty();
    Expr& part = is_near ? sum.near : sum.far;
    part = nest::add(part, e);
  }

  // Rows of an image that a thread goes over begin a row after each other: told so, the compiler adds the length of a row, where it else
  // multiplies each row's number by it, in 64 bits.
  std::optional<std::string> by_rows(const nest::Buffer& b, const std::vector<Expr>& index) const {
    Expr near = nest::constant(int64_t{0}), far = near;
    bool goes_over_rows = false;
    for (size_t i = 0; i < index.size(); ++i) {
      Sum sum;
      add_terms(index[i], sum);
      goes_over_rows |= sum.has_loop && !nest::int_constant(b.strides[i]);
      if (!sum.has_loop) sum = {nest::constant(int64_t{0}), index[i], false};
      near = nest::add(near, nest::mul(sum.near, b.strides[i]));
      far = nest::add(far, nest::mul(sum.far, b.strides[i]));
    }
    if (!goes_over_rows || nest::int_constant(far)) return std::nullopt;
    return fmt::format("({} + ({}))[{}]", c_name(b.name), piece(far).text, piece(near).text);
  }

  std::string element(const Name& name, const std::vector<Expr>& index) const {
    const nest::Buffer& b = buffers.at(name);
    if (b.space == nest::Space::Register && b.dims.empty()) return c_name(name);
    if (b.space == nest::Space::Global && !narrow.small.empty()) {
      return fmt::format("{}[{}]", c_name(name), wide_place(b, index).text);
    }
    if (b.space == nest::Space::Global && !narrow.written_out.empty()) {
      if (auto text = by_rows(b, index)) return *text;
    }
    Expr place = nest::constant(int64_t{0});
    for (size_t i = 0; i < index.size(); ++i) place = nest::add(place, nest::mul(index[i], b.strides[i]));
    auto fixed = nest::int_constant(place);
    if (fixed) return fmt::format("{}[{}]", c_name(name), *fixed);
    bool signs = b.space == nest::Space::Shared && width(place) == Width::Small;
    return fmt::format("{}[{}]", c_name(name), (signs ? with_sign(place, place) : piece(place)).text);
  }
};

}  // namespace

std::string c_name(const Name& name) {
  // Lower case, since headers have macros like M_PI_2; no underscore at the start, which is reserved; no hd_, which is
  // ours.
  std::string base;
  for (char c : name.base) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (!is_letter(c) && !is_digit(c)) c = '_';
    if (base.empty() && !is_letter(c)) {
      if (c == '_') continue;
      base = "n";
    }
    base += c;
  }
  constexpr size_t kLongest = 40;
  if (base.size() > kLongest) base.resize(kLongest);
  while (base.ends_with('_')) base.pop_back();
  while (base.starts_with("hd_")) base = base.substr(3);
  if (base.empty() || !is_letter(base[0])) base = "n" + base;
  return fmt::format("{}_{}", base, name.tag);
}

std::string long_divisor_name(size_t i) { return fmt::format("long_divisor_{}", i); }

bool can_fail(const nest::Operation& o) {
  return prim::can_fail(o.op) && !(o.args.size() == 2 && nest::int_constant(o.args[1]).value_or(0) > 0);
}

bool is_long_division(const nest::Operation& o) {
  return is_one_of(o.op.family, {prim::Family::SDiv, prim::Family::SMod}) && prim::arg_type(o.op) == Type::I64;
}

Width width_of(const nest::Expr& e, const NarrowNames& narrow) {
  if (e->type != Type::I64) return Width::Wide;
  if (const auto* v = std::get_if<nest::Var>(&e->node)) {
    if (narrow.small.contains(v->name)) return Width::Small;
    return narrow.indices.contains(v->name) ? Width::Index : Width::Wide;
  }
  if (const auto* l = std::get_if<nest::Load>(&e->node)) {
    return narrow.indices.contains(l->buffer) ? Width::Index : Width::Wide;
  }
  if (auto n = nest::int_constant(e)) {
    if (*n < -INT16_MAX || *n > INT16_MAX) return Width::Wide;
    return *n >= 0 ? Width::Small : Width::Index;
  }
  if (const auto* s = std::get_if<nest::Select>(&e->node)) {
    return std::max(width_of(s->if_true, narrow), width_of(s->if_false, narrow));
  }
  const auto* o = std::get_if<nest::Operation>(&e->node);
  if (!o || o->args.size() != 2) return Width::Wide;
  Width width = width_of(o->op.family, width_of(o->args[0], narrow), width_of(o->args[1], narrow));
  bool negation =
      is_one_of(o->op.family, {prim::Family::Sub, prim::Family::SubNw}) && nest::int_constant(o->args[0]) == 0;
  return negation ? std::max(width, Width::Index) : width;
}

std::string c_expr(const nest::Expr& e, const BufferTable& buffers, const NarrowNames& narrow) {
  return ExprText{buffers, narrow}.piece(e).text;
}

std::string c_element(const Name& buffer, const std::vector<nest::Expr>& index, const BufferTable& buffers,
                      const NarrowNames& narrow) {
  return ExprText{buffers, narrow}.element(buffer, index);
}

}  // namespace heddle::codegen
