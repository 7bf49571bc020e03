#include "ir/host/eval_memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ir/host/host.h"

namespace heddle::host {

int64_t Window::size() const {
  int64_t n = 1;
  for (int64_t s : shape) n *= s;
  return n;
}

bool Window::is_dense() const {
  int64_t expected = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    if (shape[d] != 1 && strides[d] != expected) return size() == 0;
    expected *= shape[d];
  }
  return true;
}

int64_t Window::place(const std::vector<int64_t>& index) const {
  int64_t at = offset;
  for (size_t d = 0; d < index.size(); ++d) {
    if (index[d] < 0 || index[d] >= shape[d]) {
      throw Stop{seg::Outcome::Broken,
                 fmt::format("index [{}] is not within [{}]", fmt::join(index, "]["), fmt::join(shape, "][")),
                 {}};
    }
    at += index[d] * strides[d];
  }
  return at;
}

Window MemoryPool::alloc(prim::Type elem, const std::vector<int64_t>& shape, const std::vector<int>& order) {
  Window w{blocks_.size(), 0, elem, shape, std::vector<int64_t>(shape.size(), 1)};
  for (int64_t n : shape) {
    if (n < 0) {
      throw Stop{
          seg::Outcome::ProgramError, fmt::format("cannot make an array of shape [{}]", fmt::join(shape, "][")), {}};
    }
  }
  std::optional<int64_t> size = seg::element_count(shape);
  if (!size || *size > max_cells_ - cells_) throw Stop{seg::Outcome::Limit, "The program needs too much memory.", {}};
  cells_ += *size;
  int64_t stride = 1;
  for (size_t d = order.size(); d-- > 0;) {
    w.strides[static_cast<size_t>(order[d])] = stride;
    stride *= shape[static_cast<size_t>(order[d])];
  }
  blocks_.push_back({nest::unwritten_memory(elem, *size), 1});
  return w;
}

Window MemoryPool::alloc_from(const Window& from, prim::Type elem, const std::vector<int64_t>& shape,
                              const std::vector<int>& order) {
  const Block& old = blocks_.at(from.block);
  bool is_ours = old.references == 1;
  auto size = static_cast<int64_t>(old.memory.data.size());
  release(from);
  Window w = alloc(elem, shape, order);
  if (!is_ours || size != w.size() || from.elem != elem) return w;
  // What a real device does: the same memory, whose content nobody may rely on.
  size_t fresh = w.block;
  w.block = from.block;
  std::swap(blocks_[from.block], blocks_[fresh]);
  return w;
}

void MemoryPool::release(const Window& w) {
  Block& b = blocks_.at(w.block);
  if (b.references <= 0) throw Stop{seg::Outcome::Broken, "memory is given back twice", {}};
  if (--b.references > 0) return;
  cells_ -= static_cast<int64_t>(b.memory.data.size());
  b.memory = {};
}

int64_t MemoryPool::references() const {
  int64_t all = 0;
  for (const Block& b : blocks_) all += b.references;
  return all;
}

size_t MemoryPool::checked(const Window& w, int64_t place) const {
  const Block& b = blocks_.at(w.block);
  if (b.references <= 0) throw Stop{seg::Outcome::Broken, "memory is used that nobody holds", {}};
  if (place < 0 || place >= static_cast<int64_t>(b.memory.data.size()))
    throw Stop{seg::Outcome::Broken, "a window reaches beyond its memory", {}};
  return static_cast<size_t>(place);
}

void MemoryPool::set(const Window& w, const std::vector<int64_t>& index, const prim::Value& value) {
  size_t at = checked(w, w.place(index));
  memory(w).data[at] = value;
  memory(w).written[at] = true;
}

prim::Value MemoryPool::get(const Window& w, const std::vector<int64_t>& index) const {
  size_t at = checked(w, w.place(index));
  const nest::Memory& m = blocks_[w.block].memory;
  if (!m.written[at]) throw Stop{seg::Outcome::Broken, "an element is read that nothing wrote", {}};
  return m.data[at];
}

void MemoryPool::copy(const Window& to, const Window& from) {
  if (to.shape != from.shape) {
    throw Stop{seg::Outcome::Broken,
               fmt::format("[{}] is copied to [{}]", fmt::join(from.shape, "]["), fmt::join(to.shape, "][")),
               {}};
  }
  for_each_index(to.shape, [&](const std::vector<int64_t>& index) {
    size_t source = checked(from, from.place(index)), target = checked(to, to.place(index));
    memory(to).data[target] = memory(from).data[source];
    memory(to).written[target] = memory(from).written[source];
  });
}

Window MemoryPool::dense_copy(const Window& of, const std::vector<int>& order) {
  Window w = alloc(of.elem, of.shape, order);
  copy(w, of);
  return w;
}

}  // namespace heddle::host
