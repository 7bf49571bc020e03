// C text that calls every primitive operator and function by its number in all_callables(), writes those with a C
// operator with it, and knows every sample value as a literal.
#pragma once

#include <fmt/core.h>

#include "tests/ir/prim_samples.h"

namespace heddle::prim::samples {

inline std::string operand(const Callable& callable, size_t i) {
  return fmt::format("a[{}].v_{}", i, name(callable.args[i]));
}

inline std::string call(const Callable& callable) {
  std::string text = callable.c_name + "(";
  for (size_t i = 0; i < callable.args.size(); ++i) text += (i == 0 ? "" : ", ") + operand(callable, i);
  return text + ")";
}

inline std::string assignment(size_t number, Type result, const std::string& expression) {
  return fmt::format("    case {}: r->v_{} = {}; break;\n", number, name(result), expression);
}

inline std::string switch_function(const std::string& name, const std::string& cases) {
  return fmt::format(
      "HD_DEVICE bool {}(int number, const union prim_slot *a, union prim_slot *r) {{\n"
      "  (void)a;\n  switch (number) {{\n{}    default: return false;\n  }}\n  return true;\n}}\n",
      name, cases);
}

inline std::string table_text() {
  std::string members, calls, infixes, literals;
  size_t num_literals = 0;
  for (int t = 0; t < static_cast<int>(Type::Unit); ++t) {
    auto type = static_cast<Type>(t);
    members += fmt::format("  {} v_{};\n", c_type(type), name(type));
    for (const Value& value : samples(type, kLiteralSamples)) {
      literals += assignment(num_literals++, type, c_literal(value));
    }
  }
  std::vector<Callable> callables = all_callables();
  for (size_t i = 0; i < callables.size(); ++i) {
    const Callable& callable = callables[i];
    calls += assignment(i, callable.result, call(callable));
    if (!callable.op) continue;
    if (auto infix = c_infix(*callable.op)) {
      infixes +=
          assignment(i, callable.result, fmt::format("{} {} {}", operand(callable, 0), *infix, operand(callable, 1)));
    }
  }
  return "union prim_slot {\n" + members + "  uint64_t bits;\n};\n" + switch_function("prim_call", calls) +
         switch_function("prim_infix", infixes) + switch_function("prim_literal", literals);
}

}  // namespace heddle::prim::samples
