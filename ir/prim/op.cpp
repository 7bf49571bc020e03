#include <map>
#include <vector>

#include "ir/prim/prim.h"

namespace heddle::prim {

namespace {

enum class Domain : uint8_t {
  Int,
  Float,
  Prim,
  Bool,
  IntInt,
  FloatFloat,
  FloatInt,
  IntFloat,
  IntBool,
  BoolInt,
  FloatBool,
  BoolFloat
};

struct FamilyInfo {
  std::string_view text;
  Kind kind;
  Domain domain;
};

constexpr FamilyInfo kFamilies[] = {
#define HEDDLE_OP(family, text, kind, domain) {text, Kind::kind, Domain::domain},
#include "ir/prim/ops.def"
#undef HEDDLE_OP
};
constexpr size_t kNumFamilies = std::size(kFamilies);

const FamilyInfo& info(Family family) { return kFamilies[static_cast<size_t>(family)]; }

bool in_domain(Domain domain, Type from, Type to) {
  bool same = from == to;
  switch (domain) {
    case Domain::Int:
      return same && is_int(from);
    case Domain::Float:
      return same && is_float(from);
    case Domain::Prim:
      return same && from != Type::Unit;
    case Domain::Bool:
      return same && from == Type::Bool;
    case Domain::IntInt:
      return is_int(from) && is_int(to);
    case Domain::FloatFloat:
      return is_float(from) && is_float(to);
    case Domain::FloatInt:
      return is_float(from) && is_int(to);
    case Domain::IntFloat:
      return is_int(from) && is_float(to);
    case Domain::IntBool:
      return is_int(from) && to == Type::Bool;
    case Domain::BoolInt:
      return from == Type::Bool && is_int(to);
    case Domain::FloatBool:
      return is_float(from) && to == Type::Bool;
    case Domain::BoolFloat:
      return from == Type::Bool && is_float(to);
  }
  return false;
}

std::vector<Op> make_all_ops() {
  constexpr int kNumTypes = static_cast<int>(Type::Unit) + 1;
  std::vector<Op> ops;
  for (size_t family = 0; family < kNumFamilies; ++family) {
    for (int from = 0; from < kNumTypes; ++from) {
      for (int to = 0; to < kNumTypes; ++to) {
        Op op(static_cast<Family>(family), static_cast<Type>(from), static_cast<Type>(to));
        if (is_valid(op)) ops.push_back(op);
      }
    }
  }
  return ops;
}

std::map<std::string, Op, std::less<>> make_ops_by_name() {
  std::map<std::string, Op, std::less<>> ops;
  for (const Op& op : all_ops()) ops.emplace(name(op), op);
  return ops;
}

}  // namespace

Kind kind(Family family) { return info(family).kind; }

bool is_valid(const Op& op) { return in_domain(info(op.family).domain, op.type, op.to); }

std::span<const Op> all_ops() {
  static const std::vector<Op> ops = make_all_ops();
  return ops;
}

std::string name(const Op& op) {
  std::string text(info(op.family).text);
  switch (info(op.family).domain) {
    case Domain::Int:
    case Domain::Float:
      return text + std::to_string(8 * size_bytes(op.type));
    case Domain::Prim:
      return text + "_" + std::string(name(op.type));
    case Domain::Bool:
      return text;
    default:
      return text + "_" + std::string(name(op.type)) + "_" + std::string(name(op.to));
  }
}

std::optional<Op> parse_op(std::string_view text) {
  static const std::map<std::string, Op, std::less<>> ops = make_ops_by_name();
  auto found = ops.find(text);
  if (found == ops.end()) return std::nullopt;
  return found->second;
}

std::string_view conv_keyword(const Op& op) { return info(op.family).text; }

std::optional<Op> parse_conv(std::string_view keyword, std::string_view from, std::string_view to) {
  std::optional<Type> from_type = parse_type(from);
  std::optional<Type> to_type = parse_type(to);
  if (!from_type || !to_type) return std::nullopt;
  for (size_t i = 0; i < kNumFamilies; ++i) {
    Op op(static_cast<Family>(i), *from_type, *to_type);
    if (kFamilies[i].kind == Kind::Conv && kFamilies[i].text == keyword && is_valid(op)) return op;
  }
  return std::nullopt;
}

int arity(const Op& op) { return kind(op) == Kind::Bin || kind(op) == Kind::Cmp ? 2 : 1; }

Type arg_type(const Op& op) { return op.type; }

Type result_type(const Op& op) { return kind(op) == Kind::Cmp ? Type::Bool : op.to; }

bool can_fail(const Op& op) {
  switch (op.family) {
    case Family::UDiv:
    case Family::UDivUp:
    case Family::SDiv:
    case Family::SDivUp:
    case Family::UMod:
    case Family::SMod:
    case Family::SQuot:
    case Family::SRem:
    case Family::Pow:
      return true;
    default:
      return false;
  }
}

}  // namespace heddle::prim
