#include "rewrites/host/keep_in_result.h"

#include <algorithm>
#include <optional>
#include <span>

#include "ir/nest/threads.h"
#include "ir/nest/uses.h"
#include "rewrites/host/each_block.h"
#include "rewrites/host/same_memory.h"

namespace heddle::host {

namespace {

// ---- The kernel. ----

// What is in the row own[...][thread] is copied to result[row...][...] by the last of these statements, as the last that is done with it.
struct Kept {
  Name own, result;
  std::vector<Expr> row;
  Expr thread;
  nest::Stmt copy;
};

bool all_equal(std::span<const Expr> a, std::span<const Expr> b) { return std::ranges::equal(a, b, nest::equal); }

const nest::Buffer* find_buffer(const nest::Kernel& kernel, const Name& name) {
  auto found = std::ranges::find(kernel.buffers, name, &nest::Buffer::name);
  return found == kernel.buffers.end() ? nullptr : &*found;
}

// Loops that do nothing else but to copy a whole row to a whole row.
std::optional<Kept> copied_row(const nest::Stmt& statement, const nest::Kernel& kernel) {
  std::vector<Expr> indices, extents;
  const nest::Stmt* at = &statement;
  while (const auto* loop = std::get_if<nest::For>(&(*at)->node)) {
    if (loop->body.size() != 1 || (loop->role != nest::Role::Serial && loop->role != nest::Role::Unrolled))
      return std::nullopt;
    indices.push_back(nest::var(loop->index, prim::Type::I64));
    extents.push_back(loop->extent);
    at = &loop->body[0];
  }
  const auto* store = std::get_if<nest::Store>(&(*at)->node);
  const auto* load = store ? std::get_if<nest::Load>(&store->value->node) : nullptr;
  const size_t rank = indices.size();
  if (!load || rank == 0 || load->index.size() != rank + 1 || store->index.size() <= rank) return std::nullopt;
  const nest::Buffer *own = find_buffer(kernel, load->buffer), *result = find_buffer(kernel, store->buffer);
  if (!own || !result || own->exchanged || result->exchanged) return std::nullopt;
  const std::span<const Expr> from(load->index), to(store->index), sizes(result->dims);
  const size_t outer = to.size() - rank;
  const bool whole = all_equal(from.first(rank), indices) && all_equal(to.last(rank), indices) &&
                     all_equal(sizes.last(rank), extents) && all_equal(std::span(own->dims).first(rank), extents);
  // Neighbours are neighbours in both.
  const bool alike =
      all_equal(own->strides, nest::dense_strides(own->dims)) && nest::int_constant(result->strides[outer - 1]) == 1;
  if (!whole || !alike) return std::nullopt;
  return Kept{load->buffer,
              store->buffer,
              {to.begin(), to.begin() + static_cast<std::ptrdiff_t>(outer)},
              from[rank],
              statement};
}

bool is_simple(const Expr& e) {
  bool loads = false;
  nest::for_each_expr(e, [&](const Expr& x) { loads |= std::holds_alternative<nest::Load>(x->node); });
  return !loads;
}

// How often the thread's own row is read or written by these statements, each element for itself.
int accesses_to_row(const Kept& k, const nest::Block& block) {
  int count = 0;
  auto is_own = [&](const Name& buffer, const std::vector<Expr>& index) {
    return buffer == k.own && nest::equal(index.back(), k.thread);
  };
  nest::for_each_expr(block, [&](const Expr& e) {
    const auto* load = std::get_if<nest::Load>(&e->node);
    count += load && is_own(load->buffer, load->index);
  });
  nest::for_each_stmt(block, [&](const nest::Stmt& s) {
    const auto* store = std::get_if<nest::Store>(&s->node);
    count += store && is_own(store->buffer, store->index);
  });
  return count;
}

// Whether all that is done with both is done by these statements, up to the copy, and where the result's row is already known.
bool is_kept_there(const Kept& k, const nest::Block& block, size_t copy, const nest::Kernel& kernel) {
  if (!std::ranges::all_of(k.row, is_simple) || !is_simple(k.thread)) return false;
  const auto end = block.begin() + static_cast<std::ptrdiff_t>(copy);
  const auto first =
      std::find_if(block.begin(), end, [&](const nest::Stmt& s) { return nest::uses_of(k.own, {s}) > 0; });
  const nest::Block uses(first, end);
  if (nest::uses_of(k.result, kernel.body) != 1 || nest::uses_of(k.own, kernel.body) != nest::uses_of(k.own, uses) + 1)
    return false;
  if (accesses_to_row(k, uses) != nest::uses_of(k.own, uses)) return false;
  const nest::NameSet bound = nest::bound_in(uses);
  bool wide = false;
  nest::for_each_stmt(uses, [&](const nest::Stmt& s) {
    const auto* loop = std::get_if<nest::For>(&s->node);
    wide |= loop && (loop->role == nest::Role::Vector || nest::parallel(loop->role));
  });
  return !wide && std::ranges::none_of(k.row, [&](const Expr& e) {
    return std::ranges::any_of(nest::free_names(e), [&](const Name& n) { return bound.contains(n); });
  });
}

std::optional<Kept> find_kept(const nest::Block& block, const nest::Kernel& kernel) {
  for (size_t i = 0; i < block.size(); ++i) {
    std::optional<Kept> found = copied_row(block[i], kernel);
    if (found && is_kept_there(*found, block, i, kernel)) return found;
    found.reset();
    if (const auto* loop = std::get_if<nest::For>(&block[i]->node)) {
      found = find_kept(loop->body, kernel);
    } else if (const auto* branch = std::get_if<nest::If>(&block[i]->node)) {
      found = find_kept(branch->then_body, kernel);
      if (!found) found = find_kept(branch->else_body, kernel);
    }
    if (found) return found;
  }
  return std::nullopt;
}

nest::Kernel keeping_there(nest::Kernel kernel, const Kept& k) {
  struct Change : nest::Rebuilder<Change> {
    const Kept& k;
    explicit Change(const Kept& k) : k(k) {}
    std::vector<Expr> place(const std::vector<Expr>& index) const {
      std::vector<Expr> there = k.row;
      there.insert(there.end(), index.begin(), index.end() - 1);
      return there;
    }
    void expr(Expr& e) {
      nest::Rebuilder<Change>::expr(e);
      const auto* load = std::get_if<nest::Load>(&e->node);
      if (load && load->buffer == k.own) e = nest::load(k.result, e->type, place(load->index));
    }
    void stmts(const nest::Stmt& s, nest::Block& out) {
      if (s == k.copy) return;
      nest::Rebuilder<Change>::stmts(s, out);
      const auto* store = std::get_if<nest::Store>(&out.back()->node);
      if (store && store->buffer == k.own)
        out.back() = nest::stmt(nest::Store{k.result, place(store->index), store->value});
    }
  } change(k);
  change.body(kernel.body);
  std::erase_if(kernel.buffers, [&](const nest::Buffer& b) { return b.name == k.own; });
  return kernel;
}

// ---- The host's statements. ----

class KeepInResult {
 public:
  KeepInResult(std::vector<nest::Kernel>& kernels, const std::vector<int>& launches, const Block& body)
      : kernels_(kernels), launches_(launches), memory_(body) {}

  void in_block(Block& b) {
    for (size_t i = 0; i < b.stmts.size(); ++i) {
      while (std::holds_alternative<Launch>(b.stmts[i]->node)) {
        const std::optional<Name> gone = at_launch(b, i);
        if (!gone) break;
        const auto before = static_cast<std::ptrdiff_t>(i);
        i -= static_cast<size_t>(std::count_if(b.stmts.begin(), b.stmts.begin() + before,
                                               [&](const Stmt& s) { return ends_or_makes(s, *gone); }));
        std::erase_if(b.stmts, [&](const Stmt& s) { return ends_or_makes(s, *gone); });
      }
    }
  }

 private:
  static bool ends_or_makes(const Stmt& s, const Name& array) {
    const auto* alloc = std::get_if<Alloc>(&s->node);
    const auto* free = std::get_if<Free>(&s->node);
    return (alloc && alloc->name == array) || (free && free->array == array);
  }

  // Changes the launch if its kernel needs an array no more. Yields that.
  std::optional<Name> at_launch(Block& b, size_t at) {
    Launch launch = std::get<Launch>(b.stmts[at]->node);
    nest::Kernel& kernel = kernels_[static_cast<size_t>(launch.kernel)];
    if (launches_[static_cast<size_t>(launch.kernel)] != 1) return std::nullopt;
    const std::optional<Kept> kept = find_kept(kernel.body, kernel);
    if (!kept) return std::nullopt;
    const auto number = [&](const Name& buffer) {
      return std::ranges::find(kernel.buffers, buffer, &nest::Buffer::name) - kernel.buffers.begin();
    };
    const auto own = number(kept->own), result = number(kept->result);
    const Name array = launch.buffers[static_cast<size_t>(own)],
               memory = memory_.of(launch.buffers[static_cast<size_t>(result)]);
    const bool is_made_here = std::ranges::any_of(b.stmts, [&](const Stmt& s) {
      const auto* alloc = std::get_if<Alloc>(&s->node);
      return alloc && alloc->name == array && !alloc->from;
    });
    const auto others = std::ranges::count_if(launch.buffers, [&](const Name& n) { return memory_.of(n) == memory; });
    if (!is_made_here || mentions_of(array, b) != 1 || others != 1) return std::nullopt;
    kernel = keeping_there(std::move(kernel), *kept);
    launch.buffers.erase(launch.buffers.begin() + own);
    b.stmts[at] = stmt(std::move(launch));
    return array;
  }

  std::vector<nest::Kernel>& kernels_;
  const std::vector<int>& launches_;
  SameMemory memory_;
};

}  // namespace

Program keep_in_result(Program program) {
  const std::vector<int> launches = launches_of_kernels(program);
  each_body(program, [&](Block& body) {
    KeepInResult pass(program.kernels, launches, body);
    each_block(body, [&](Block& b) { pass.in_block(b); });
  });
  return program;
}

}  // namespace heddle::host
