#include "rewrites/host/update_in_kernel.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "ir/nest/index_map.h"
#include "rewrites/host/each_block.h"
#include "rewrites/host/same_memory.h"
#include "rewrites/host/store_in_place.h"

namespace heddle::host {

using nest::Polynomial;

namespace {

// Numbers of the host, and what they are computed from.
class Numbers {
 public:
  explicit Numbers(const Block& body) {
    for_each_stmt(body, [&](const Stmt& s) {
      if (const auto* let = std::get_if<Let>(&s->node)) definitions_.emplace(let->name, let->value);
    });
  }
  std::optional<Polynomial> operator()(const Expr& e) const {
    return nest::from_expr(e, [&](const Name& n) {
      auto it = definitions_.find(n);
      return it == definitions_.end() ? nullptr : it->second;
    });
  }
  std::optional<Polynomial> start(const Subscript& s) const {
    const auto* range = std::get_if<Range>(&s);
    if (range && nest::int_constant(range->stride) != 1) return std::nullopt;
    return (*this)(range ? range->start : std::get<Expr>(s));
  }

  // Whether one of the windows ends, along a dimension, before the other begins.
  bool are_apart(const Slice& a, const Slice& b) const {
    auto ends_before = [&](const Subscript& first, const Subscript& second) {
      const auto* range = std::get_if<Range>(&first);
      const auto begin = start(first), count = range ? (*this)(range->count) : std::optional(Polynomial(1)),
                 other = start(second);
      if (!begin || !count || !other) return false;
      const std::optional<int64_t> between = (*other - *begin - *count).as_constant();
      return between && *between >= 0;
    };
    for (size_t d = 0; d < a.subscripts.size(); ++d) {
      if (ends_before(a.subscripts[d], b.subscripts[d]) || ends_before(b.subscripts[d], a.subscripts[d])) return true;
    }
    return false;
  }

 private:
  std::unordered_map<Name, Expr> definitions_;
};

// Whether elements are in a window, as the host sees both.
class WindowOfKernel {
 public:
  WindowOfKernel(const Slice& window, const nest::Kernel& kernel, const Launch& launch, const Numbers& numbers)
      : window_(window), numbers_(numbers) {
    for (size_t i = 0; i < kernel.scalars.size(); ++i) scalars_.emplace(kernel.scalars[i].name, launch.scalars[i]);
  }

  bool is_at(const Place& place) const {
    for (size_t d = 0; d < place.dims.size(); ++d) {
      const std::optional<Polynomial> start = numbers_.start(window_.subscripts[d]);
      if (!start || of_host(place.dims[d].start) != start) return false;
    }
    return true;
  }

  // Whether an element lies before or behind it, along one dimension.
  bool is_apart(const Index& read) const {
    auto is_at_least = [](const Polynomial& p, int64_t least) {
      const std::optional<int64_t> number = p.as_constant();
      return number && *number >= least;
    };
    for (size_t d = 0; d < read.size(); ++d) {
      const auto* range = std::get_if<Range>(&window_.subscripts[d]);
      const auto start = numbers_.start(window_.subscripts[d]), at = of_host(read[d]),
                 count = range ? numbers_(range->count) : std::optional(Polynomial(1));
      if (!start || !at || !count) continue;
      if (is_at_least(*start - *at, 1) || is_at_least(*at - *start - *count, 0)) return true;
    }
    return false;
  }

 private:
  std::optional<Polynomial> of_host(const Polynomial& in_kernel) const {
    return numbers_(nest::substitute(scalars_, nest::to_expr(in_kernel)));
  }

  const Slice& window_;
  const Numbers& numbers_;
  nest::Substitution scalars_;
};

bool looks_only(const Stmt& s) {
  return std::holds_alternative<Slice>(s->node) || std::holds_alternative<Measure>(s->node) ||
         std::holds_alternative<Share>(s->node) || std::holds_alternative<Free>(s->node);
}

class UpdateInKernel {
 public:
  UpdateInKernel(std::vector<nest::Kernel>& kernels, const std::vector<int>& launches, const Block& body,
                 NameSource& names)
      : kernels_(kernels), launches_(launches), memory_(body), numbers_(body), names_(names) {}

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
    if (mentions_of(copy.to, b) != 1) return false;
    const bool is_kept = mentions_of(copy.from, b) != 2;
    auto sliced = last_before<Slice>(b, at, [&](const Slice& s) { return s.name == copy.to; });
    auto launched =
        last_before<Launch>(b, at, [&](const Launch& l) { return std::ranges::count(l.buffers, copy.from) == 1; });
    auto made = last_before<Alloc>(b, at, [&](const Alloc& a) { return a.name == copy.from && !a.from; });
    if (!sliced || !launched || !made || *made > *launched) return false;
    const Slice& window = std::get<Slice>(b.stmts[*sliced]->node);
    for (size_t i = *launched + 1; i < at; ++i) {
      if (looks_only(b.stmts[i])) continue;
      if (memory_.touches(b.stmts[i], window.array) && !is_copied_elsewhere(b, i, window)) return false;
      if (memory_.touches(b.stmts[i], copy.from)) return false;
    }
    // What others stored there before would have to be copied, too.
    for (size_t i = *made + 1; i < *launched; ++i) {
      if (!looks_only(b.stmts[i]) && memory_.touches(b.stmts[i], copy.from)) return false;
    }
    std::optional<Launch> updating = update(std::get<Launch>(b.stmts[*launched]->node), window, copy.from, is_kept);
    if (!updating) return false;
    b.stmts[*launched] = stmt(std::move(*updating));
    std::erase_if(b.stmts, [&, i = size_t{0}](const Stmt& s) mutable {
      const auto* free = std::get_if<Free>(&s->node);
      const size_t number = i++;
      if (number == at || number == *sliced || (free && free->array == copy.to)) return true;
      return !is_kept && (number == *made || (free && free->array == copy.from));
    });
    return true;
  }

  // Whether a statement copies another array to a window that has nothing in common with this one.
  bool is_copied_elsewhere(const Block& b, size_t at, const Slice& window) const {
    const auto* copy = std::get_if<Copy>(&b.stmts[at]->node);
    if (!copy || memory_.of(copy->from) == memory_.of(window.array)) return false;
    const auto sliced = last_before<Slice>(b, at, [&](const Slice& s) { return s.name == copy->to; });
    if (!sliced) return false;
    const Slice& other = std::get<Slice>(b.stmts[*sliced]->node);
    return memory_.same(other.array, window.array) && numbers_.are_apart(other, window);
  }

  // The launch of a kernel that stores into the window what it stored into `result`, and there, too, if it is kept; the kernel is changed.
  std::optional<Launch> update(Launch launch, const Slice& window, const Name& result, bool is_kept) {
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
    if (window.subscripts.size() != kernel.buffers[*from].dims.size()) return std::nullopt;
    std::vector<bool> is_one;
    for (const Subscript& s : window.subscripts) is_one.push_back(std::holds_alternative<Expr>(s));
    const WindowOfKernel seen(window, kernel, launch, numbers_);
    const std::optional<Place> place =
        place_of_stores(kernel, stored, read, is_one,
                        [&](const Index& other, const Place& at) { return seen.is_at(at) && seen.is_apart(other); });
    if (!place || !seen.is_at(*place)) return std::nullopt;
    if (is_kept) {
      kernel = storing_to_both(std::move(kernel), stored, read, *place, names_);
    } else {
      kernel = storing_there(std::move(kernel), stored, read, *place);
      launch.buffers.erase(launch.buffers.begin() + static_cast<std::ptrdiff_t>(*to));
    }
    return launch;
  }

  std::vector<nest::Kernel>& kernels_;
  const std::vector<int>& launches_;
  SameMemory memory_;
  Numbers numbers_;
  NameSource& names_;
};

}  // namespace

Program update_in_kernel(Program program) {
  const std::vector<int> launches = launches_of_kernels(program);
  NameSource names(largest_tag(program) + 1);
  each_body(program, [&](Block& body) {
    UpdateInKernel pass(program.kernels, launches, body, names);
    each_block(body, [&](Block& b) { pass.in_block(b); });
  });
  return program;
}

}  // namespace heddle::host
