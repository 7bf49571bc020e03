#include "codegen/host/straight.h"

#include <algorithm>

namespace heddle::codegen::host {

namespace {

namespace ir = heddle::host;

// The blocks of a branching of which one is run.
std::vector<const ir::Block*> branches(const ir::If& e) {
  std::vector<const ir::Block*> all{&e.otherwise};
  for (const ir::Case& c : e.cases) all.push_back(&c.body);
  return all;
}

// Whether a kernel is launched whichever branches are taken.
bool launches(const ir::Block& block) {
  return std::ranges::any_of(block.stmts, [](const ir::Stmt& s) {
    if (const auto* branch = std::get_if<ir::If>(&s->node))
      return std::ranges::all_of(branches(*branch), [](const ir::Block* b) { return launches(*b); });
    return std::holds_alternative<ir::Launch>(s->node) || std::holds_alternative<ir::Choose>(s->node);
  });
}

}  // namespace

bool every_loop_launches(const ir::Block& block) {
  return std::ranges::all_of(block.stmts, [](const ir::Stmt& s) {
    if (const auto* loop = std::get_if<ir::Loop>(&s->node))
      return launches(loop->body) && every_loop_launches(loop->body);
    if (const auto* branch = std::get_if<ir::If>(&s->node))
      return std::ranges::all_of(branches(*branch), [](const ir::Block* b) { return every_loop_launches(*b); });
    return true;
  });
}

}  // namespace heddle::codegen::host
