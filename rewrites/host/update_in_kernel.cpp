#include "rewrites/host/update_in_kernel.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "ir/nest/index_map.h"
#include "ir/nest/threads.h"
#include "rewrites/host/each_block.h"

namespace heddle::host {

namespace {

// ---- Which names may be windows onto the same memory. ----

class Memory {
 public:
  explicit Memory(const Block& body) {
    for_each_stmt(body, [&](const Stmt& s) { std::visit([&](const auto& n) { add(n); }, s->node); });
  }

  Name of(const Name& n) const { return end_of(n, same_as_); }
  // Whether they are the same window onto it.
  bool same(const Name& a, const Name& b) const { return end_of(a, shares_) == end_of(b, shares_); }

 private:
  using Links = std::unordered_map<Name, Name>;
  static Name end_of(const Name& n, const Links& links) {
    Name at = n;
    for (auto it = links.find(at); it != links.end(); it = links.find(at)) at = it->second;
    return at;
  }

  void unite(const Name& a, const Name& b) {
    Name x = of(a), y = of(b);
    if (x != y) same_as_.emplace(x, y);
  }
  void unite(const Name& a, const Value& b) {
    if (const auto* name = std::get_if<Name>(&b)) unite(a, *name);
  }

  template <class N>
  void add(const N& n) {
    if constexpr (std::is_same_v<N, Share> || std::is_same_v<N, Slice> || std::is_same_v<N, FlatSlice> ||
                  std::is_same_v<N, Rearrange> || std::is_same_v<N, Broadcast> || std::is_same_v<N, Reshape> ||
                  std::is_same_v<N, Deliver>) {
      unite(n.name, n.array);
      if constexpr (std::is_same_v<N, Share>) shares_.emplace(n.name, n.array);
    } else if constexpr (std::is_same_v<N, Alloc>) {
      if (n.from) unite(n.name, *n.from);
    } else if constexpr (std::is_same_v<N, If>) {
      for (size_t i = 0; i < n.results.size(); ++i) {
        for (const Case& c : n.cases) unite(n.results[i].name, c.body.yields[i]);
        unite(n.results[i].name, n.otherwise.yields[i]);
      }
    } else if constexpr (std::is_same_v<N, Loop>) {
      for (size_t i = 0; i < n.params.size(); ++i) {
        unite(n.results[i], n.params[i].binder.name);
        unite(n.params[i].binder.name, n.params[i].init);
        unite(n.params[i].binder.name, n.body.yields[i]);
      }
    }
  }

  Links same_as_, shares_;
};

// ---- The kernel. ----

int uses_of(const Name& name, const nest::Block& block) {
  struct Uses : nest::Walker<Uses> {
    const Name& name;
    int count = 0;
    explicit Uses(const Name& name) : name(name) {}
    void use(const Name& n) { count += n == name; }
  } uses(name);
  uses.body(block);
  return uses.count;
}

// A store that each of the threads does that come to its block of statements, once.
struct FoundStore {
  const nest::Block* block;
  size_t statement;
  const nest::Store* store;
};
std::optional<FoundStore> find_store(const nest::Block& block, const Name& buffer) {
  for (size_t i = 0; i < block.size(); ++i) {
    std::optional<FoundStore> found;
    if (const auto* store = std::get_if<nest::Store>(&block[i]->node)) {
      if (store->buffer == buffer) return FoundStore{&block, i, store};
    } else if (const auto* loop = std::get_if<nest::For>(&block[i]->node)) {
      if (nest::parallel(loop->role)) found = find_store(loop->body, buffer);
    } else if (const auto* branch = std::get_if<nest::If>(&block[i]->node)) {
      found = find_store(branch->then_body, buffer);
      if (!found) found = find_store(branch->else_body, buffer);
    }
    if (found) return found;
  }
  return std::nullopt;
}

// Where a thread reads `from` before it stores an element of `to`, if nothing else is done with either. Threads that stored the same
// element twice would race, so no other reads there.
struct Places {
  std::vector<Expr> stored, read;
};
std::optional<Places> places(const nest::Kernel& kernel, const Name& to, const Name& from) {
  std::optional<FoundStore> found = find_store(kernel.body, to);
  if (!found || uses_of(to, kernel.body) != 1) return std::nullopt;
  const auto end = found->block->begin() + static_cast<std::ptrdiff_t>(found->statement) + 1;
  const nest::Block up_to_it(found->block->begin(), end);
  Places result{found->store->index, {}};
  int loads = 0;
  bool alike = true;
  nest::for_each_expr(up_to_it, [&](const Expr& e) {
    const auto* load = std::get_if<nest::Load>(&e->node);
    if (!load || load->buffer != from) return;
    if (loads++ == 0) result.read = load->index;
    alike = alike && std::ranges::equal(load->index, result.read, nest::equal);
  });
  if (loads == 0 || !alike || uses_of(from, kernel.body) != loads) return std::nullopt;
  return result;
}

nest::Kernel storing_there(nest::Kernel kernel, const Name& to, const Name& from, const std::vector<Expr>& at) {
  struct Change : nest::Rebuilder<Change> {
    const Name &to, &from;
    const std::vector<Expr>& at;
    Change(const Name& to, const Name& from, const std::vector<Expr>& at) : to(to), from(from), at(at) {}
    void stmts(const nest::Stmt& s, nest::Block& out) {
      const auto* store = std::get_if<nest::Store>(&s->node);
      if (store && store->buffer == to) return out.push_back(nest::stmt(nest::Store{from, at, store->value}));
      nest::Rebuilder<Change>::stmts(s, out);
    }
  } change(to, from, at);
  change.body(kernel.body);
  std::erase_if(kernel.buffers, [&](const nest::Buffer& b) { return b.name == to; });
  return kernel;
}

// ---- The host's statements. ----

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

class Pass {
 public:
  Pass(std::vector<nest::Kernel>& kernels, const std::vector<int>& launches, const Block& body)
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
      if (!looks_only(b.stmts[i]) && touches(b.stmts[i], window.array)) return false;
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

  bool touches(const Stmt& s, const Name& array) const {
    const Name memory = memory_.of(array);
    return std::ranges::any_of(free_names(s), [&](const Name& n) { return memory_.of(n) == memory; });
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
  Memory memory_;
};

}  // namespace

Program update_in_kernel(Program program) {
  std::vector<int> launches(program.kernels.size(), 0);
  for_each_stmt(program, [&](const Stmt& s) {
    if (const auto* l = std::get_if<Launch>(&s->node)) ++launches[static_cast<size_t>(l->kernel)];
  });
  auto run = [&](Block& body) {
    Pass pass(program.kernels, launches, body);
    each_block(body, [&](Block& b) { pass.in_block(b); });
  };
  run(program.init);
  for (Function& f : program.functions) run(f.body);
  return program;
}

}  // namespace heddle::host
