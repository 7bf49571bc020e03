#include "rewrites/host/reuse_memory.h"

#include <algorithm>

#include "rewrites/host/each_block.h"

namespace heddle::host {

namespace {

bool same_memory(const Alloc& a, const Alloc& b) {
  return !a.for_host && !b.for_host && a.elem == b.elem && a.order == b.order &&
         std::ranges::equal(a.shape, b.shape, nest::equal);
}

// Frees wait at most for one array each. `made` are the program's arrays.
void reuse(Block& b, const std::unordered_map<Name, Stmt>& made) {
  std::vector<Stmt> kept;
  for (Stmt& s : b.stmts) {
    const auto* alloc = std::get_if<Alloc>(&s->node);
    auto free = !alloc || alloc->from ? kept.end() : std::ranges::find_if(kept, [&](const Stmt& before) {
      const auto* f = std::get_if<Free>(&before->node);
      auto it = f ? made.find(f->array) : made.end();
      return it != made.end() && same_memory(std::get<Alloc>(it->second->node), *alloc);
    });
    if (free == kept.end()) {
      kept.push_back(s);
      continue;
    }
    Alloc from = *alloc;
    from.from = std::get<Free>((*free)->node).array;
    kept.erase(free);
    kept.push_back(stmt(std::move(from)));
  }
  b.stmts = std::move(kept);
}

}  // namespace

Program reuse_memory(Program program) {
  std::unordered_map<Name, Stmt> made;
  auto collect = [&](const Block& b) {
    made.clear();
    for_each_stmt(b, [&](const Stmt& s) {
      if (const auto* alloc = std::get_if<Alloc>(&s->node)) made.emplace(alloc->name, s);
    });
  };
  auto run = [&](Block& body) {
    collect(body);
    each_block(body, [&](Block& b) { reuse(b, made); });
  };
  run(program.init);
  for (Function& f : program.functions) run(f.body);
  return program;
}

}  // namespace heddle::host
