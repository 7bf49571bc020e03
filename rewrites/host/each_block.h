// What passes on host programs share.
#pragma once

#include <optional>

#include "ir/host/traverse.h"

namespace heddle::host {

// Calls f(block) for a block and all within it, inner ones first. It changes them.
template <class F>
void each_block(Block& body, F f) {
  struct Blocks : Rebuilder<Blocks> {
    F& f;
    explicit Blocks(F& f) : f(f) {}
    void body(Block& b) {
      Rebuilder<Blocks>::body(b);
      f(b);
    }
  } blocks(f);
  blocks.body(body);
}

// Calls f(body) for what is done at the start and for each function, whose names mean the same everywhere within it. It changes them.
template <class F>
void each_body(Program& program, F f) {
  f(program.init);
  for (Function& function : program.functions) f(function.body);
}

// Of a program: names are bound once in each of its functions.
template <class F>
void each_block(Program& program, F f) {
  each_body(program, [&](Block& body) { each_block(body, f); });
}

// The largest tag among the names of functions, constants and kernels.
int largest_tag(const Program& program);

// How often each of the kernels is launched, as far as it is no family's.
std::vector<int> launches_of_kernels(const Program& program);

// How often an array is mentioned, other than where it ends.
int mentions_of(const Name& array, const Block& b);

// The statement of the block that makes this array so: an Alloc, a Slice or the like.
template <class Node>
std::optional<size_t> made_by(const Block& b, const Name& array) {
  for (size_t i = 0; i < b.stmts.size(); ++i) {
    const auto* node = std::get_if<Node>(&b.stmts[i]->node);
    if (node && node->name == array) return i;
  }
  return std::nullopt;
}
// The name under which the block made it, of which others are shares.
Name first_name(const Block& b, Name array);
// Whether it is new memory, in row-major order.
bool is_plain(const Alloc& a);

}  // namespace heddle::host
