// Arrays inside a kernel while it is being lowered: not memory, but a way to compute an element from its indices.
//
// Slicing, transposing, reshaping compose index functions; iota and replicate compute their elements and never exist in
// memory. Only what is updated in place, carried by a loop or returned is given a buffer.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ir/nest/nest.h"

namespace heddle::lower {

using Indices = std::vector<nest::Expr>;

// Gives an expression a name in the code being emitted, so that index arithmetic used several times is written once.
class Binder {
 public:
  virtual ~Binder() = default;
  virtual nest::Expr bind(nest::Expr e) = 0;
};

using IndexMap = std::function<Indices(Binder&, const Indices&)>;
using Reader = std::function<nest::Expr(Binder&, const Indices&)>;

// A window onto a buffer. `locate` maps the window's indices to the buffer's. Two windows with the same identity
// (pointer) are the same elements in the same order.
struct MemoryView {
  Name buffer;
  IndexMap locate;
  bool writable = false;   // made by the code at hand, so that it may be updated in place
  bool of_thread = false;  // in registers
};
using MemoryViewPtr = std::shared_ptr<const MemoryView>;

struct ArrayValue {
  prim::Type elem;
  std::vector<nest::Expr> dims;
  Reader read;
  MemoryViewPtr place;                         // null: computed, never in memory
  bool stable = false;                         // reads nothing that this kernel may overwrite
  std::shared_ptr<const ArrayValue> memory{};  // of a variable that takes arrays of any size: all of it, of rank 1

  int rank() const { return static_cast<int>(dims.size()); }
};

ArrayValue in_memory(prim::Type elem, std::vector<nest::Expr> dims, MemoryViewPtr place);
// A whole buffer.
ArrayValue whole_buffer(const nest::Buffer& buffer, bool writable, const Indices& trailing = {});

// The same elements seen through other indices: `to_source` maps indices of the result to indices of `source`.
ArrayValue view(const ArrayValue& source, std::vector<nest::Expr> dims, const IndexMap& to_source);

ArrayValue rearrange(const ArrayValue& source, const std::vector<int>& perm);
ArrayValue reshape(const ArrayValue& source, std::vector<nest::Expr> dims);
// The row at leading indices `prefix`.
ArrayValue row(const ArrayValue& source, const Indices& prefix);

// start, start + stride, ...
ArrayValue iota(prim::Type elem, nest::Expr count, const nest::Expr& start, const nest::Expr& stride);

ArrayValue computed(prim::Type elem, std::vector<nest::Expr> dims, Reader read);

}  // namespace heddle::lower
