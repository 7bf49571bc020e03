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

// Fixes constants, and lets the elements of all buffers lie one after the other: strides matter to no result.
Kernel ready(const Kernel& kernel, const std::unordered_map<Name, Value>& values) {
  std::unordered_map<Name, int64_t> constants;
  for (const Name& c : kernel.constants) constants.emplace(c, values.at(c).i);
  Kernel k = instantiate(kernel, constants);
  for (Buffer& b : k.buffers) b.strides = dense_strides(b.dims);
  return k;
}

std::optional<int64_t> num_elements(const Buffer& b, const std::unordered_map<Name, Value>& values) {
  int64_t n = 1;
  for (const Expr& d : b.dims) {
    auto extent = evaluate(d, values);
    if (!extent || extent->i < 0) return std::nullopt;
    n *= extent->i;
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

Expected::Expected(const Kernel& original, std::unordered_map<Name, Value> values) : values_(std::move(values)) {
  Kernel kernel = ready(original, values_);
  buffers_ = kernel.buffers;
  for (const Buffer& b : buffers_) {
    auto n = num_elements(b, values_);
    if (!n) {
      problem_ = fmt::format("{} has no size", b.name.text());
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
    Kernel kernel = ready(other, values_);
    std::vector<Memory> memory;
    for (const Buffer& b : kernel.buffers) {
      auto n = num_elements(b, values_);
      if (!n) return fmt::format("{} has no size", b.name.text());
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
