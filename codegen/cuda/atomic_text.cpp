#include "codegen/cuda/atomic_text.h"

#include <fmt/core.h>

#include "ir/nest/traverse.h"

namespace heddle::codegen {

namespace {

using nest::AtomicUpdate;
using nest::Expr;
using prim::Family;
using prim::Type;

bool is_var(const Expr& e, const Name& name) {
  const auto* v = std::get_if<nest::Var>(&e->node);
  return v && v->name == name;
}

// The new value, if computing it takes no statements but its own definition.
std::optional<Expr> new_value(const AtomicUpdate& update) {
  if (update.compute.empty()) return update.value;
  const auto* let = std::get_if<nest::Let>(&update.compute[0]->node);
  if (update.compute.size() == 1 && let && is_var(update.value, let->name)) return let->value;
  return std::nullopt;
}

// What a device's memory does of the words that all see. Of bins that a block shares fewer change, and threads wait less to look first.
std::optional<std::string> extremum(const prim::Op& op) {
  if (op.type != Type::I32 && op.type != Type::I64) return std::nullopt;
  switch (op.family) {
    case Family::SMin:
      return "smin";
    case Family::SMax:
      return "smax";
    case Family::UMin:
      return "umin";
    case Family::UMax:
      return "umax";
    default:
      return std::nullopt;
  }
}

// What memory itself does, as it is called in runtime/device/prelude.h.
std::optional<std::string> done_by_memory(const prim::Op& op) {
  const bool words = op.type == Type::I32 || op.type == Type::I64;
  switch (op.family) {
    case Family::Add:
    case Family::AddNw:
      return words ? std::optional("add") : std::nullopt;
    case Family::FAdd:
      return op.type == Type::F32 || op.type == Type::F64 ? std::optional("add") : std::nullopt;
    case Family::And:
      return words ? std::optional("and") : std::nullopt;
    case Family::Or:
      return words ? std::optional("or") : std::nullopt;
    case Family::Xor:
      return words ? std::optional("xor") : std::nullopt;
    case Family::LogOr:
      return "or";
    case Family::LogAnd:
      return "and";
    default:
      return std::nullopt;
  }
}

// Which of the two operators makes the same of it, where that is one truth value whatever was there before.
std::optional<std::string> makes_truth(const AtomicUpdate& update) {
  const auto* c = std::get_if<nest::Const>(&update.value->node);
  if (!c || update.value->type != Type::Bool) return std::nullopt;
  for (const nest::Stmt& s : update.compute) {
    if (!std::holds_alternative<nest::Let>(s->node)) return std::nullopt;
  }
  return c->value.as_bool() ? "or" : "and";
}

// How a value is turned into the integer that is exchanged, and back.
struct Bits {
  int width;
  std::string to, from;
};

Bits bits_of(Type type) {
  switch (type) {
    case Type::F32:
      return {32, "hd_to_bits32", "hd_from_bits32"};
    case Type::F64:
      return {64, "hd_to_bits64", "hd_from_bits64"};
    case Type::F16:
      return {16, "hd_to_bits16", "hd_from_bits16"};
    case Type::Bool:
      return {8, "(int8_t)", "(bool)"};
    default:
      return {8 * prim::size_bytes(type), "", ""};
  }
}

// FUNCTION(text), or the text itself if there is nothing to apply.
std::string applied(const std::string& function, const std::string& text) {
  return function.empty() ? text : fmt::format("{}({})", function, text);
}

}  // namespace

std::optional<std::string> direct_atomic(const AtomicUpdate& update, const BufferTable& buffers, bool on_processor) {
  std::optional<Expr> value = new_value(update);
  auto call = [&](const std::string& does, Type type, const Expr& operand) {
    const std::string_view name = prim::name(type);
    const std::string function =
        on_processor ? fmt::format("hd_{}_unless_alone_{}", does, name) : fmt::format("hd_atomic_{}_{}", does, name);
    return fmt::format("{}({}&{}, {});", function, on_processor ? "hd_self.alone, " : "",
                       c_element(update.buffer, update.index, buffers), c_expr(operand, buffers));
  };
  if (auto truth = makes_truth(update)) return call(*truth, Type::Bool, update.value);
  const auto* o = value ? std::get_if<nest::Operation>(&(*value)->node) : nullptr;
  std::optional<std::string> done = o ? done_by_memory(o->op) : std::nullopt;
  const bool seen_by_all = !on_processor && buffers.at(update.buffer).space == nest::Space::Global;
  if (o && !done && seen_by_all) done = extremum(o->op);
  if (!done) return std::nullopt;
  for (int i : {0, 1}) {
    const Expr &old = o->args[static_cast<size_t>(i)], &added = o->args[static_cast<size_t>(1 - i)];
    if (!is_var(old, update.old) || nest::free_names(added).contains(update.old)) continue;
    return call(*done, o->op.type, added);
  }
  return std::nullopt;
}

ExchangeLoop exchange_loop(const AtomicUpdate& update, const BufferTable& buffers, bool on_processor) {
  Type elem = buffers.at(update.buffer).elem;
  Bits bits = bits_of(elem);
  std::string type = fmt::format("int{}_t", bits.width), old = c_name(update.old);
  return {
      {
          fmt::format("{} *const {}_at = ({} *)&{};", type, old, type, c_element(update.buffer, update.index, buffers)),
          fmt::format("{} {}_seen = *(volatile {} *){}_at, {}_bits;", type, old, type, old, old),
          "do {",
          fmt::format("  {}_bits = {}_seen;", old, old),
          fmt::format("  const {} {} = {};", prim::c_type(elem), old, applied(bits.from, old + "_bits")),
      },
      {
          fmt::format("  const {} {}_next = {};", type, old, applied(bits.to, c_expr(update.value, buffers))),
          // Threads that change nothing need not wait for each other.
          fmt::format("  if ({}_next == {}_bits) break;", old, old),
          fmt::format("  {}_seen = {}_{}({}{}_at, {}_bits, {}_next);", old,
                      on_processor ? "hd_cas_unless_alone" : "hd_atomic_cas", bits.width,
                      on_processor ? "hd_self.alone, " : "", old, old, old),
          fmt::format("}} while ({}_seen != {}_bits);", old, old),
      },
  };
}

}  // namespace heddle::codegen
