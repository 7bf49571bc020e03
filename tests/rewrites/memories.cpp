#include "tests/rewrites/memories.h"

#include <fmt/format.h>

#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "ir/nest/verify.h"

namespace heddle::examples {

using nest::Memory;
using prim::Value;

Memories::Memories(const Example& e, const std::vector<int64_t>& sizes, const Data& data) {
  for (size_t i = 0; i < sizes.size(); ++i) set(e.direct.scalars[i].name, sizes[i]);
  for (size_t b = 0; b < e.direct.buffers.size(); ++b) {
    const nest::Buffer& buffer = e.direct.buffers[b];
    add_unwritten(buffer);
    if (b + 1 == e.direct.buffers.size()) break;
    Memory& m = memories_.at(buffer.name);
    for (size_t i = 0; i < m.data.size(); ++i) m.data[i] = data(buffer.elem, b, static_cast<int64_t>(i));
    m = nest::memory_of(std::move(m.data));
  }
}

void Memories::add(const std::vector<contraction::View>& views) {
  for (const contraction::View& v : views) views_.emplace(v.buffer.name, v.of);
}

void Memories::add_unwritten(const nest::Buffer& buffer) {
  int64_t n = 1;
  for (const nest::Expr& d : buffer.dims) n *= value(d);
  memories_.emplace(buffer.name, nest::unwritten_memory(buffer.elem, n));
}

void Memories::add_filled(const nest::Buffer& buffer, const Value& value) {
  add_unwritten(buffer);
  Memory& m = memories_.at(buffer.name);
  m = nest::memory_of(std::vector<Value>(m.data.size(), value));
}

Name Memories::root(Name buffer) const {
  for (auto it = views_.find(buffer); it != views_.end(); it = views_.find(buffer)) buffer = it->second;
  return buffer;
}

std::string Memories::run(const nest::Kernel& kernel, const Name& result, std::unordered_map<Name, int64_t> constants) {
  for (const Name& n : kernel.constants) {
    if (scalars_.contains(n)) constants.emplace(n, scalars_.at(n).i);
  }
  nest::Kernel k = nest::instantiate(kernel, constants);
  std::vector<std::string> problems = nest::verify(k);
  if (!problems.empty()) return fmt::format("{}\n{}", fmt::join(problems, "\n"), nest::to_text(k));
  std::vector<Value> scalars;
  for (const nest::ScalarParam& p : k.scalars) scalars.push_back(scalars_.at(p.name));
  std::vector<Memory> memories;
  for (const nest::Buffer& b : k.buffers) memories.push_back(of(b.name));
  nest::Outcome outcome = nest::evaluate(k, scalars, memories);
  if (outcome.problem) return outcome.problem->text + "\n" + nest::to_text(k);
  for (size_t i = 0; i < memories.size(); ++i) {
    if (k.buffers[i].name == result) memories_.at(root(result)) = std::move(memories[i]);
  }
  return "";
}

std::string difference(const Memory& expected, const Memory& got) {
  if (expected.data.size() != got.data.size()) return "the sizes differ";
  for (size_t i = 0; i < got.data.size(); ++i) {
    if (got.written[i] != expected.written[i] || got.data[i] != expected.data[i])
      return fmt::format("element {} differs", i);
  }
  return "";
}

}  // namespace heddle::examples
