#include "ir/seg/entry.h"

namespace heddle::seg {

namespace {

// Definitions in which each type is a record of two of the one before would otherwise take forever.
constexpr int kMaxConstituents = 100'000;
constexpr int kMaxDepth = 200;

}  // namespace

OpaqueTypes::OpaqueTypes(const Program& program) {
  for (const OpaqueDef& def : program.types) defs_.emplace(def.name, &def);
}

const OpaqueDef* OpaqueTypes::find(const std::string& name) const {
  auto it = defs_.find(name);
  return it == defs_.end() ? nullptr : it->second;
}

std::optional<std::vector<ValueType>> OpaqueTypes::constituents(const EntryType& type) const {
  std::vector<ValueType> values;
  int budget = kMaxConstituents;
  if (!append(type, values, 0, budget)) return std::nullopt;
  return values;
}

bool OpaqueTypes::append(const EntryType& type, std::vector<ValueType>& values, int depth, int& budget) const {
  if (--budget < 0 || depth > kMaxDepth) return false;
  if (auto* v = std::get_if<ValueType>(&type)) {
    values.push_back(*v);
    return true;
  }
  const OpaqueDef* def = find(std::get<OpaqueRef>(type).name);
  if (!def) return false;
  return std::visit(
      [&](const auto& d) {
        if constexpr (requires { d.fields; }) {
          for (const RecordField& f : d.fields) {
            if (!append(f.type, values, depth + 1, budget)) return false;
          }
        } else {
          values.insert(values.end(), d.values.begin(), d.values.end());
        }
        return true;
      },
      def->def);
}

}  // namespace heddle::seg
