#include "codegen/cuda/kernel_traits.h"

#include "codegen/cuda/shared_layout.h"
#include "codegen/cuda/turns.h"
#include "ir/nest/traverse.h"

namespace heddle::codegen {

using nest::Block;
using nest::Buffer;
using nest::Expr;
using nest::Kernel;
using nest::Stmt;

bool listens(const nest::While& loop, const BufferTable& buffers) {
  bool found = false;
  nest::for_each_expr(loop.body, [&](const Expr& e) {
    const auto* load = std::get_if<nest::Load>(&e->node);
    found |= load && buffers.contains(load->buffer) && buffers.at(load->buffer).exchanged;
  });
  return found;
}

Expr shared_bytes(const Kernel& kernel) { return shared_layout(kernel).total; }

bool has_barriers(const Kernel& kernel) { return has_barriers(kernel.body); }

namespace {

bool updates(const Block& block) {
  bool found = false;
  nest::for_each_stmt(block, [&](const Stmt& s) {
    found |= std::holds_alternative<nest::AtomicUpdate>(s->node) || std::holds_alternative<nest::Locked>(s->node);
  });
  return found;
}

}  // namespace

bool updates_some(const Kernel& kernel) { return updates(kernel.body); }

bool mostly_updates(const Kernel& kernel) {
  constexpr int kMostOperations = 48;
  bool others = !updates(kernel.body);
  nest::for_each_stmt(kernel.body, [&](const Stmt& s) {
    const auto* loop = std::get_if<nest::For>(&s->node);
    others |= std::holds_alternative<nest::While>(s->node) || (loop && !updates(loop->body));
  });
  int operations = 0;
  nest::for_each_expr(kernel.body, [&](const Expr& e) {
    operations += std::holds_alternative<nest::Operation>(e->node) ? 1 : 0;
    others |= std::holds_alternative<nest::Call>(e->node);
  });
  return !others && operations <= kMostOperations;
}

bool waits_for_blocks(const Kernel& kernel) {
  BufferTable buffers;
  for (const Buffer& b : kernel.buffers) buffers.emplace(b.name, b);
  bool found = false;
  nest::for_each_stmt(kernel.body, [&](const Stmt& s) {
    const auto* loop = std::get_if<nest::While>(&s->node);
    found |= loop && listens(*loop, buffers);
  });
  return found;
}

}  // namespace heddle::codegen
