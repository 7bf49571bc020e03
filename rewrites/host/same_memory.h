// Which names may be windows onto the same memory.
#pragma once

#include <unordered_map>

#include "ir/host/traverse.h"

namespace heddle::host {

class SameMemory {
 public:
  explicit SameMemory(const Block& body);

  // Equal for those that may be.
  Name of(const Name& n) const { return end_of(n, same_as_); }
  // Whether they are the same window onto it.
  bool same(const Name& a, const Name& b) const { return end_of(a, shares_) == end_of(b, shares_); }
  // Whether a statement mentions a window onto the array's memory.
  bool touches(const Stmt& s, const Name& array) const;

 private:
  using Links = std::unordered_map<Name, Name>;
  static Name end_of(const Name& n, const Links& links);
  void unite(const Name& a, const Name& b);
  void unite(const Name& a, const Value& b) {
    if (const auto* name = std::get_if<Name>(&b)) unite(a, *name);
  }
  template <class N>
  void add(const N& n);

  Links same_as_, shares_;
};

}  // namespace heddle::host
