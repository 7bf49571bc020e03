#include "rewrites/host/update_in_kernel.h"

#include <algorithm>
#include <optional>

#include "ir/nest/index_map.h"
#include "rewrites/host/each_block.h"
#include "rewrites/host/same_memory.h"
#include "rewrites/host/store_in_place.h"

namespace heddle::host {

namespace {

bool same_number(const Expr& a, const Expr& b) {
  auto x = nest::from_expr(a, nest::no_definition);
  return x && x == nest::from_expr(b, nest::no_definition);
}

// Whether the window's elements are those that the kernel reads where it stores those of the copy.
bool is_window(const Slice& window, const Places& p, const nest::Kernel& kernel, const Launch& launch) {
  nest::Substitution values;
  for (size_t i = 0; i < kernel.scalars.size(); ++i) values.emplace(kernel.scalars[i].name, launch.scalars[i]);
  auto known = [&](const Name& n) { return values.contains(n); };
  if (p.read.size() != window.subscripts.size()) return false;
  size_t dim = 0;
  for (size_t d = 0; d < p.read.size(); ++d) {
    if (const auto* range = std::get_if<Range>(&window.subscripts[d])) {
      bool whole = nest::int_constant(range->start) == 0 && nest::int_constant(range->stride) == 1;
      if (!whole || dim == p.stored.size() || !nest::equal(p.read[d], p.stored[dim++])) return false;
    } else if (!std::ranges::all_of(nest::free_names(p.read[d]), known) ||
               !same_number(nest::substitute(values, p.read[d]), std::get<Expr>(window.subscripts[d]))) {
      return false;
    }
  }
  return dim == p.stored.size();
}

bool looks_only(const Stmt& s) {
  return std::holds_alternative<Slice>(s->node) || std::holds_alternative<Measure>(s->node) ||
         std::holds_alternative<Share>(s->node) || std::holds_alternative<Free>(s->node);
}

class UpdateInKernel {
 public:
  UpdateInKernel(std::vector<nest::Kernel>& kernels, const std::vector<int>& launches, const Block& body)
      : kernels_(kernels), launches_(launches), memory_(body) {}

  void in_block(Block& b) {
    for (size_t i = 0; i < b.stmts.size(); ++i) {
      if (std::holds_alternative<Copy>(b.stmts[i]->node) && at_copy(b, i)) i = 0;
    }
  }

 private:
  template <class Node, class F>
  static std::optional<size_t> last_before(const Block& b, size_t end, F wanted) {
    for (size_t i = end; i-- > 0;) {
      const auto* node = std::get_if<Node>(&b.stmts[i]->node);
      if (node && wanted(*node)) return i;
    }
    return std::nullopt;
  }

  // Changes the block if the copy can be left out.
  bool at_copy(Block& b, size_t at) {
    const Copy copy = std::get<Copy>(b.stmts[at]->node);
    if (mentions_of(copy.from, b) != 2 || mentions_of(copy.to, b) != 1) return false;
    auto sliced = last_before<Slice>(b, at, [&](const Slice& s) { return s.name == copy.to; });
    auto launched =
        last_before<Launch>(b, at, [&](const Launch& l) { return std::ranges::count(l.buffers, copy.from) == 1; });
    auto made = last_before<Alloc>(b, at, [&](const Alloc& a) { return a.name == copy.from && !a.from; });
    if (!sliced || !launched || !made || *made > *launched) return false;
    const Slice& window = std::get<Slice>(b.stmts[*sliced]->node);
    for (size_t i = *launched + 1; i < at; ++i) {
      if (!looks_only(b.stmts[i]) && memory_.touches(b.stmts[i], window.array)) return false;
    }
    std::optional<Launch> updating = update(std::get<Launch>(b.stmts[*launched]->node), window, copy.from);
    if (!updating) return false;
    b.stmts[*launched] = stmt(std::move(*updating));
    std::erase_if(b.stmts, [&, i = size_t{0}](const Stmt& s) mutable {
      const auto* free = std::get_if<Free>(&s->node);
      const size_t number = i++;
      return number == at || number == *sliced || number == *made ||
             (free && (free->array == copy.from || free->array == copy.to));
    });
    return true;
  }

  // The launch of a kernel that stores into the window what it stored into `result`; the kernel is changed.
  std::optional<Launch> update(Launch launch, const Slice& window, const Name& result) {
    const auto number = static_cast<size_t>(launch.kernel);
    nest::Kernel& kernel = kernels_[number];
    if (launches_[number] != 1) return std::nullopt;
    const Name memory = memory_.of(window.array);
    std::optional<size_t> from, to;
    for (size_t i = 0; i < launch.buffers.size(); ++i) {
      if (launch.buffers[i] == result) {
        to = i;
      } else if (memory_.of(launch.buffers[i]) == memory) {
        if (from || !memory_.same(launch.buffers[i], window.array)) return std::nullopt;
        from = i;
      }
    }
    if (!from || !to || kernel.buffers[*from].exchanged || kernel.buffers[*to].exchanged) return std::nullopt;
    const Name read = kernel.buffers[*from].name, stored = kernel.buffers[*to].name;
    std::optional<Places> p = places(kernel, stored, read);
    if (!p || !is_window(window, *p, kernel, launch)) return std::nullopt;
    kernel = storing_there(std::move(kernel), stored, read, p->read);
    launch.buffers.erase(launch.buffers.begin() + static_cast<std::ptrdiff_t>(*to));
    return launch;
  }

  std::vector<nest::Kernel>& kernels_;
  const std::vector<int>& launches_;
  SameMemory memory_;
};

}  // namespace

Program update_in_kernel(Program program) {
  const std::vector<int> launches = launches_of_kernels(program);
  each_body(program, [&](Block& body) {
    UpdateInKernel pass(program.kernels, launches, body);
    each_block(body, [&](Block& b) { pass.in_block(b); });
  });
  return program;
}

}  // namespace heddle::host
