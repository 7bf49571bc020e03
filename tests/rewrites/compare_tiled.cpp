#include "tests/rewrites/compare_tiled.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nest/eval.h"
#include "ir/nest/printer.h"
#include "ir/nest/reader.h"
#include "ir/nest/traverse.h"
#include "ir/nest/verify.h"

namespace heddle::examples {

using nest::Kernel;
using nest::Memory;
using prim::Value;

namespace {

std::vector<Memory> memories(const Kernel& k, const std::vector<Value>& scalars, const Data& data) {
  std::unordered_map<Name, Value> known;
  for (size_t i = 0; i < scalars.size(); ++i) known.emplace(k.scalars[i].name, scalars[i]);
  std::vector<Memory> result;
  for (size_t b = 0; b < k.buffers.size(); ++b) {
    int64_t n = 1;
    for (const nest::Expr& d : k.buffers[b].dims) n *= nest::evaluate(d, known).value().i;
    prim::Type elem = k.buffers[b].elem;
    bool is_result = b + 1 == k.buffers.size();
    std::vector<Value> values;
    for (int64_t i = 0; i < n && !is_result; ++i) values.push_back(data(elem, b, i));
    result.push_back(is_result ? nest::unwritten_memory(elem, n) : nest::memory_of(std::move(values)));
  }
  return result;
}

}  // namespace

Value small_integer(prim::Type type, size_t buffer, int64_t element) {
  int64_t n = (element * 7 + element / 11 + static_cast<int64_t>(buffer)) % 11 - 5;
  return prim::is_int(type) ? Value::of_int(type, n) : Value::of_float(type, static_cast<double>(n));
}

std::string difference(const Example& e, const Kernel& tiled, const std::vector<Name>& constants,
                       const std::vector<int64_t>& tiles, const std::vector<int64_t>& sizes, const Data& data) {
  if (constants.size() != tiles.size())
    return fmt::format("{} values for {} constants", tiles.size(), constants.size());
  Result<Kernel> read_back = nest::read_kernel(nest::to_text(tiled));
  if (!read_back) return read_back.error().message;
  if (!nest::equal_kernels(tiled, *read_back)) return "another kernel is read from\n" + nest::to_text(tiled);
  std::unordered_map<Name, int64_t> values;
  for (size_t i = 0; i < constants.size(); ++i) values.emplace(constants[i], tiles[i]);
  std::vector<Value> all, rest;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const Name& name = e.direct.scalars[i].name;
    all.push_back(Value::i64(sizes[i]));
    bool fixed = std::find(e.constants.begin(), e.constants.end(), name) != e.constants.end();
    if (fixed) values.emplace(name, sizes[i]);
    if (!fixed) rest.push_back(Value::i64(sizes[i]));
  }
  Kernel k = nest::instantiate(tiled, values);
  std::vector<std::string> problems = nest::verify(k);
  if (!problems.empty()) return fmt::format("{}\n{}", fmt::join(problems, "\n"), nest::to_text(k));
  std::vector<Memory> expected = memories(e.direct, all, data), got = expected;
  nest::Outcome direct = nest::evaluate(e.direct, all, expected), outcome = nest::evaluate(k, rest, got);
  if (direct.problem) return "direct: " + direct.problem->text;
  if (outcome.problem) return outcome.problem->text + "\n" + nest::to_text(k);
  for (size_t i = 0; i < got.back().data.size(); ++i) {
    if (got.back().written[i] != expected.back().written[i] || got.back().data[i] != expected.back().data[i])
      return "element " + std::to_string(i) + " differs";
  }
  return "";
}

}  // namespace heddle::examples
