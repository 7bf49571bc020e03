// Memory and windows onto it, as the evaluator of host programs has them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/nest/eval.h"
#include "ir/seg/eval.h"

namespace heddle::host {

// Leaves the evaluator, which turns it into a result.
struct Stop {
  seg::Outcome outcome;
  std::string message;
  std::string location;
};

struct Window {
  size_t block = 0;
  int64_t offset = 0;
  prim::Type elem = prim::Type::Unit;
  std::vector<int64_t> shape, strides;

  int64_t size() const;
  bool is_dense() const;
  int64_t place(const std::vector<int64_t>& index) const;
};

// Calls f(index) for all indices of a shape, in row-major order.
template <class F>
void for_each_index(const std::vector<int64_t>& shape, F f) {
  for (int64_t n : shape) {
    if (n <= 0) return;
  }
  std::vector<int64_t> index(shape.size(), 0);
  while (true) {
    f(index);
    size_t d = shape.size();
    while (d > 0 && ++index[d - 1] == shape[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

class MemoryPool {
 public:
  explicit MemoryPool(int64_t max_cells) : max_cells_(max_cells) {}

  // With one reference, and undefined content.
  Window alloc(prim::Type elem, const std::vector<int64_t>& shape, const std::vector<int>& order);
  // The memory of `from`, which loses its reference, where that is possible.
  Window alloc_from(const Window& from, prim::Type elem, const std::vector<int64_t>& shape,
                    const std::vector<int>& order);
  void share(const Window& w) { ++blocks_.at(w.block).references; }
  void release(const Window& w);
  int64_t references() const;  // of all blocks

  nest::Memory& memory(const Window& w) { return blocks_.at(w.block).memory; }
  // Whether anybody has written it comes along.
  void copy(const Window& to, const Window& from);
  Window dense_copy(const Window& of, const std::vector<int>& order);
  void set(const Window& w, const std::vector<int64_t>& index, const prim::Value& value);
  prim::Value get(const Window& w, const std::vector<int64_t>& index) const;

 private:
  struct Block {
    nest::Memory memory;
    int64_t references = 0;
  };
  size_t checked(const Window& w, int64_t place) const;

  std::vector<Block> blocks_;
  int64_t max_cells_, cells_ = 0;
};

}  // namespace heddle::host
