#include "rewrites/host/make_in_branch.h"

#include <optional>
#include <utility>
#include <vector>

#include "rewrites/host/each_block.h"

namespace heddle::host {

namespace {

// The array that a statement fills from scalars alone.
const Name* filled_by(const Stmt& s) {
  if (const auto* fill = std::get_if<Fill>(&s->node)) return &fill->array;
  if (const auto* iota = std::get_if<Iota>(&s->node)) return &iota->array;
  const auto* upload = std::get_if<Upload>(&s->node);
  return upload ? &upload->array : nullptr;
}

bool is_free_of(const Stmt& s, const Name& array) {
  const auto* free = std::get_if<Free>(&s->node);
  return free && free->array == array;
}

std::vector<Block*> branches_of(If& node) {
  std::vector<Block*> all;
  for (Case& c : node.cases) all.push_back(&c.body);
  all.push_back(&node.otherwise);
  return all;
}

// Where an array is mentioned in its block, other than where it is made, if all others do is to fill it and to choose between branches.
struct Uses {
  std::vector<size_t> filled;
  std::optional<size_t> used;
  std::optional<size_t> freed;
};

std::optional<Uses> uses_behind(const Name& array, const Block& b, size_t alloc) {
  Uses uses;
  for (size_t i = alloc + 1; i < b.stmts.size(); ++i) {
    if (is_free_of(b.stmts[i], array)) {
      uses.freed = i;
    } else if (const Name* filled = filled_by(b.stmts[i]); filled && *filled == array) {
      if (uses.used) return std::nullopt;
      uses.filled.push_back(i);
    } else if (mentions_of(array, Block{{b.stmts[i]}, {}}) > 0) {
      if (uses.used || !std::holds_alternative<If>(b.stmts[i]->node)) return std::nullopt;
      uses.used = i;
    }
  }
  return uses.used && uses.freed ? std::optional(uses) : std::nullopt;
}

// Moves the array that a statement makes, if it can be. Statements that are elsewhere then are left null.
void move_to_branch(Block& b, size_t at) {
  const auto* alloc = std::get_if<Alloc>(&b.stmts[at]->node);
  if (!alloc || alloc->from || alloc->for_host) return;
  const std::optional<Uses> uses = uses_behind(alloc->name, b, at);
  if (!uses) return;
  If node = std::get<If>(b.stmts[*uses->used]->node);
  Block* only = nullptr;
  for (Block* branch : branches_of(node)) {
    if (mentions_of(alloc->name, *branch) == 0) continue;
    if (only) return;
    only = branch;
  }
  if (!only) return;
  std::vector<Stmt> made{std::exchange(b.stmts[at], nullptr)};
  for (size_t i : uses->filled) made.push_back(std::exchange(b.stmts[i], nullptr));
  only->stmts.insert(only->stmts.begin(), made.begin(), made.end());
  only->stmts.push_back(std::exchange(b.stmts[*uses->freed], nullptr));
  b.stmts[*uses->used] = stmt(std::move(node));
}

// Outer blocks first, as what a branch gets may be for a branch in it.
struct MakeInBranch : Rebuilder<MakeInBranch> {
  void body(Block& b) {
    for (size_t i = b.stmts.size(); i-- > 0;) {
      move_to_branch(b, i);
      std::erase(b.stmts, nullptr);
    }
    Rebuilder<MakeInBranch>::body(b);
  }
};

}  // namespace

Program make_in_branch(Program program) {
  each_body(program, [](Block& body) { MakeInBranch().body(body); });
  return program;
}

}  // namespace heddle::host
