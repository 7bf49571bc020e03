#include "ir/nest/operator_text.h"

#include <algorithm>
#include <array>

namespace heddle::nest {

namespace {

using prim::Family;

// No two lines with the same text have an operand type in common; but for Neg, families are written alike for all.
constexpr std::array kTexts = {
    OperatorText{Family::AddNw, Fix::Infix, "+"},
    OperatorText{Family::FAdd, Fix::Infix, "+"},
    OperatorText{Family::Add, Fix::Infix, "+%"},
    OperatorText{Family::SubNw, Fix::Infix, "-"},
    OperatorText{Family::FSub, Fix::Infix, "-"},
    OperatorText{Family::Sub, Fix::Infix, "-%"},
    OperatorText{Family::MulNw, Fix::Infix, "*"},
    OperatorText{Family::FMul, Fix::Infix, "*"},
    OperatorText{Family::Mul, Fix::Infix, "*%"},
    OperatorText{Family::SDiv, Fix::Infix, "/"},
    OperatorText{Family::FDiv, Fix::Infix, "/"},
    OperatorText{Family::SMod, Fix::Infix, "%"},
    OperatorText{Family::Slt, Fix::Infix, "<"},
    OperatorText{Family::FLt, Fix::Infix, "<"},
    OperatorText{Family::Sle, Fix::Infix, "<="},
    OperatorText{Family::FLe, Fix::Infix, "<="},
    OperatorText{Family::Eq, Fix::Infix, "=="},
    OperatorText{Family::And, Fix::Infix, "&"},
    OperatorText{Family::Or, Fix::Infix, "|"},
    OperatorText{Family::Xor, Fix::Infix, "^"},
    OperatorText{Family::Shl, Fix::Infix, "<<"},
    OperatorText{Family::AShr, Fix::Infix, ">>"},
    OperatorText{Family::LogAnd, Fix::Infix, "&&"},
    OperatorText{Family::LogOr, Fix::Infix, "||"},
    OperatorText{Family::Neg, Fix::Prefix, "-"},
    OperatorText{Family::Neg, Fix::Prefix, "!"},  // of booleans, for which the one above is not used
    OperatorText{Family::SMin, Fix::Function, "min"},
    OperatorText{Family::FMin, Fix::Function, "min"},
    OperatorText{Family::SMax, Fix::Function, "max"},
    OperatorText{Family::FMax, Fix::Function, "max"},
};

bool is_so_written(const OperatorText& text, const prim::Op& op) {
  if (text.family != op.family || !prim::is_valid(op)) return false;
  return op.family != Family::Neg || (text.text == "!") == (op.type == prim::Type::Bool);
}

}  // namespace

std::optional<OperatorText> operator_text(const prim::Op& op) {
  for (const OperatorText& t : kTexts) {
    if (is_so_written(t, op)) return t;
  }
  return std::nullopt;
}

std::optional<prim::Op> operator_of(Fix fix, std::string_view text, prim::Type operand) {
  for (const OperatorText& t : kTexts) {
    prim::Op op(t.family, operand);
    if (t.fix == fix && t.text == text && is_so_written(t, op)) return op;
  }
  return std::nullopt;
}

bool is_operator(Fix fix, std::string_view text) {
  return std::any_of(kTexts.begin(), kTexts.end(),
                     [&](const OperatorText& t) { return t.fix == fix && t.text == text; });
}

}  // namespace heddle::nest
