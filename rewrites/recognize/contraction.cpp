#include "rewrites/recognize/contraction.h"

#include <fmt/format.h>

#include "ir/nest/printer.h"

namespace heddle::recognize {

namespace {

std::string list(const std::vector<Index>& indices) {
  std::string text;
  for (const Index& i : indices) {
    text += fmt::format("{}{} < {}", text.empty() ? "" : ", ", i.name.text(), nest::to_text(i.extent));
  }
  return text;
}

}  // namespace

std::string to_text(const Contraction& c) {
  std::string text = fmt::format("for {}: {} over {} of {}", list(c.parallel), prim::name(c.reduce), list(c.reduction),
                                 nest::to_text(c.term));
  for (const Operand& o : c.operands) {
    text += fmt::format("; {} = {}", o.value.text(), o.buffer.text());
    for (const poly::Polynomial& p : o.index) text += fmt::format("[{}]", p.to_string());
    if (o.padded) text += " or 0 outside";
  }
  return text;
}

}  // namespace heddle::recognize
