// How often a program names each name, beside where it binds it: for traverse.h.
#pragma once

#include <unordered_map>

#include "ir/seg/traverse.h"

namespace heddle::seg {

struct CountUses {
  std::unordered_map<Name, size_t> uses;
  void use(const Name& n) { ++uses[n]; }
  void bind(const Name&) {}
};

}  // namespace heddle::seg
