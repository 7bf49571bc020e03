#include "rewrites/host/take_over.h"

#include "rewrites/host/each_block.h"

namespace heddle::host {

namespace {

// Adds what is to be renamed; the statements are taken away.
void take_over(Block& b, Renaming& renaming) {
  std::vector<Stmt> kept;
  for (size_t i = 0; i < b.stmts.size(); ++i) {
    const auto* share = std::get_if<Share>(&b.stmts[i]->node);
    size_t freed = i + 1;
    while (share && freed < b.stmts.size()) {
      const auto* free = std::get_if<Free>(&b.stmts[freed]->node);
      if (!free) freed = b.stmts.size();
      if (!free || free->array == share->array) break;
      ++freed;
    }
    if (share && freed < b.stmts.size()) {
      renaming.emplace(share->name, share->array);
      b.stmts.erase(b.stmts.begin() + static_cast<std::ptrdiff_t>(freed));
    } else {
      kept.push_back(b.stmts[i]);
    }
  }
  b.stmts = std::move(kept);
}

}  // namespace

// Frees stand directly behind statements, so that of several shares of an array only the last takes it over.
Program take_over(Program program) {
  auto run = [](Block& body) {
    Renaming renaming;
    each_block(body, [&](Block& b) { take_over(b, renaming); });
    body = rename(renaming, std::move(body));
  };
  run(program.init);
  for (Function& f : program.functions) run(f.body);
  return program;
}

}  // namespace heddle::host
