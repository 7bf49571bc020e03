#include "rewrites/host/store_in_place.h"

#include <algorithm>

#include "ir/nest/threads.h"
#include "ir/nest/traverse.h"
#include "ir/nest/uses.h"

namespace heddle::host {

using nest::Expr;

namespace {

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

}  // namespace

std::optional<Places> places(const nest::Kernel& kernel, const Name& to, const Name& from) {
  std::optional<FoundStore> found = find_store(kernel.body, to);
  if (!found || nest::uses_of(to, kernel.body) != 1) return std::nullopt;
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
  if (loads == 0 || !alike || nest::uses_of(from, kernel.body) != loads) return std::nullopt;
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
  std::ranges::find(kernel.buffers, from, &nest::Buffer::name)->read_once = false;
  return kernel;
}

}  // namespace heddle::host
