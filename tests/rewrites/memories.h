// The memory of an example's buffers and of views of them, while kernels run on it one after the other.
#pragma once

#include <map>

#include "ir/nest/eval.h"
#include "rewrites/contraction/view.h"
#include "tests/rewrites/compare_tiled.h"

namespace heddle::examples {

class Memories {
 public:
  // `sizes`: of the direct kernel's scalars. The result's memory, the last one, is unwritten.
  Memories(const Example& e, const std::vector<int64_t>& sizes, const Data& data = small_integer);
  void add(const std::vector<contraction::View>& views);
  void add_unwritten(const nest::Buffer& buffer);
  void add_filled(const nest::Buffer& buffer, const prim::Value& value);
  void set(const Name& scalar, int64_t value) { scalars_.insert_or_assign(scalar, prim::Value::i64(value)); }
  int64_t value(const nest::Expr& e) const { return nest::evaluate(e, scalars_).value().i; }

  // Runs a kernel that writes to one buffer only, for these values of its constants; those that are scalars here need
  // none. What is wrong, or nothing.
  std::string run(const nest::Kernel& kernel, const Name& result, std::unordered_map<Name, int64_t> constants = {});

  const nest::Memory& of(const Name& buffer) const { return memories_.at(root(buffer)); }

 private:
  Name root(Name buffer) const;

  std::unordered_map<Name, prim::Value> scalars_;
  std::map<Name, nest::Memory> memories_;
  std::map<Name, Name> views_;
};

// Where two memories differ, or nothing.
std::string difference(const nest::Memory& expected, const nest::Memory& got);

}  // namespace heddle::examples
