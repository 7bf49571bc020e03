#include "codegen/host/sound_types.h"

#include <fmt/format.h>

namespace heddle::codegen::host {

namespace {

using Values = std::vector<seg::ValueType>;

bool same_shape(const seg::ValueType& a, const seg::ValueType& b) { return a.elem == b.elem && a.rank == b.rank; }

bool is_array_of(const Values& array, int rank, const Values& elem) {
  if (rank < 1 || array.empty() || array.size() != elem.size()) return false;
  for (size_t i = 0; i < array.size(); ++i) {
    if (array[i].elem != elem[i].elem || array[i].rank != elem[i].rank + rank) return false;
  }
  return true;
}

bool holds(const seg::OpaqueSum& sum, const TypeTable& types) {
  if (sum.values.empty() || !same_shape(sum.values[0], {prim::Type::I8, false, 0})) return false;
  for (const seg::SumVariant& variant : sum.variants) {
    for (const seg::SumPayload& payload : variant.payloads) {
      Values parts = types.constituents(payload.type);
      if (parts.size() != payload.slots.size()) return false;
      for (size_t i = 0; i < parts.size(); ++i) {
        if (!same_shape(parts[i], sum.values.at(static_cast<size_t>(payload.slots[i])))) return false;
      }
    }
  }
  return true;
}

}  // namespace

std::optional<std::string> unsound_type(const TypeTable& types) {
  for (const TypeTable::Entry& type : types.entries()) {
    if (!type.def) continue;
    auto array_problem = [&](int rank, const std::string& elem_name) -> std::optional<std::string> {
      std::string elem = types.element(elem_name);
      if (is_array_of(types.constituents(type.type), rank, types.constituents(seg::OpaqueRef{elem})))
        return std::nullopt;
      return fmt::format("the type \"{}\" is not an array of \"{}\"", type.name, elem);
    };
    std::optional<std::string> problem;
    if (const auto* array = std::get_if<seg::OpaqueArray>(&type.def->def)) {
      problem = array_problem(array->rank, array->elem);
    } else if (const auto* records = std::get_if<seg::OpaqueRecordArray>(&type.def->def)) {
      problem = array_problem(records->rank, records->elem);
    } else if (const auto* sum = std::get_if<seg::OpaqueSum>(&type.def->def); sum && !holds(*sum, types)) {
      problem = fmt::format("the values of the sum type \"{}\" do not hold all of its variants", type.name);
    }
    if (problem) return problem;
  }
  return std::nullopt;
}

}  // namespace heddle::codegen::host
