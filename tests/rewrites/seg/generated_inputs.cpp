#include "tests/rewrites/seg/generated_inputs.h"

#include <fmt/format.h>

#include <unordered_map>

#include "ir/seg/entry.h"

namespace heddle::seg {

namespace {

prim::Value small(prim::Type type, int64_t n) {
  if (type == prim::Type::Bool) return prim::Value::of_bool(n % 2 != 0);
  return prim::is_float(type) ? prim::Value::of_float(type, static_cast<double>(n)) : prim::Value::of_int(type, n);
}

}  // namespace

std::vector<TypedValue> generated_inputs(const Program& program, const FunDef& entry,
                                         const std::vector<int64_t>& sizes) {
  OpaqueTypes opaque(program);
  std::vector<ValueType> constituents;
  for (const EntryParam& p : entry.entry->params) {
    auto more = opaque.constituents(p.type);
    if (more) constituents.insert(constituents.end(), more->begin(), more->end());
  }
  size_t next = 0;
  auto next_size = [&] { return sizes[next++ % sizes.size()]; };
  std::unordered_map<Name, int64_t> size_of;
  std::vector<TypedValue> values;
  size_t first = entry.params.size() - constituents.size();
  for (size_t k = 0; k < constituents.size(); ++k) {
    const Param& p = entry.params[first + k];
    bool is_unsigned = constituents[k].is_unsigned;
    if (p.type.dims.empty()) {
      prim::Value v = p.type.elem == prim::Type::I64 ? prim::Value::i64(next_size()) : small(p.type.elem, 2);
      if (v.type == prim::Type::I64) size_of.emplace(p.name, v.i);
      values.push_back({v, is_unsigned});
      continue;
    }
    std::vector<int64_t> shape;
    for (const Dim& d : p.type.dims) {
      const SubExp& size = d.size();
      if (!size.is_var()) {
        shape.push_back(size.value().i);
      } else {
        auto found = size_of.find(size.name());
        shape.push_back(found != size_of.end() ? found->second : size_of[size.name()] = next_size());
      }
    }
    auto count = static_cast<size_t>(*element_count(shape));
    Array a{p.type.elem, shape, std::make_shared<std::vector<int64_t>>(count)};
    auto salt = static_cast<int64_t>(k);
    for (int64_t i = 0; i < a.size(); ++i) a.set(i, small(a.elem, (i * 7 + 3 + salt) % 11 - 3));
    values.push_back({a, is_unsigned});
  }
  return values;
}

std::string to_text(const std::vector<TypedValue>& values) {
  std::string text;
  for (const TypedValue& v : values) text += (text.empty() ? "" : " ") + to_text(v.value, v.is_unsigned);
  return text;
}

Comparison compare(const Program& before, const Program& after, const std::string& entry,
                   const std::vector<TypedValue>& inputs) {
  EvalOptions options;
  options.max_steps = 5'000'000;
  EvalResult expected = evaluate(before, entry, inputs, options);
  if (expected.outcome != Outcome::Ok && expected.outcome != Outcome::ProgramError) return {};
  EvalResult got = evaluate(after, entry, inputs, options);
  bool same =
      got.outcome == expected.outcome && got.message == expected.message && got.values.size() == expected.values.size();
  for (size_t k = 0; same && k < got.values.size(); ++k) same = equal(got.values[k].value, expected.values[k].value);
  if (same) return {true, ""};
  auto describe = [](const EvalResult& r) { return r.outcome == Outcome::Ok ? to_text(r.values) : r.message; };
  return {true,
          fmt::format("{} of {}: before {}; after {}", entry, to_text(inputs), describe(expected), describe(got))};
}

}  // namespace heddle::seg
