// What the types named at entry points consist of.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/seg/syntax.h"

namespace heddle::seg {

class OpaqueTypes {
 public:
  // Keeps a reference to the program's definitions.
  explicit OpaqueTypes(const Program& program);

  const OpaqueDef* find(const std::string& name) const;
  // The scalars and arrays that a value of this type is passed as, in order. nullopt if the type is not defined, or is
  // too large, or contains itself.
  std::optional<std::vector<ValueType>> constituents(const EntryType& type) const;

 private:
  bool append(const EntryType& type, std::vector<ValueType>& values, int depth, int& budget) const;

  std::unordered_map<std::string, const OpaqueDef*> defs_;
};

}  // namespace heddle::seg
