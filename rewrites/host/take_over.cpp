#include "rewrites/host/take_over.h"

#include "rewrites/host/each_block.h"

namespace heddle::host {

namespace {

// What is delivered of these is they themselves.
nest::NameSet made_row_major(const Block& body) {
  nest::NameSet names;
  for_each_stmt(body, [&](const Stmt& s) {
    const auto* alloc = std::get_if<Alloc>(&s->node);
    if (alloc && is_row_major(alloc->order)) names.insert(alloc->name);
  });
  return names;
}

std::optional<Share> sharing(const Stmt& s, const nest::NameSet& row_major) {
  if (const auto* share = std::get_if<Share>(&s->node)) return *share;
  const auto* deliver = std::get_if<Deliver>(&s->node);
  if (deliver && row_major.contains(deliver->array)) return Share{deliver->name, deliver->array};
  return std::nullopt;
}

// Adds what is to be renamed; the statements are taken away.
void take_over(Block& b, const nest::NameSet& row_major, Renaming& renaming) {
  std::vector<Stmt> kept;
  for (size_t i = 0; i < b.stmts.size(); ++i) {
    const std::optional<Share> share = sharing(b.stmts[i], row_major);
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
    const nest::NameSet row_major = made_row_major(body);
    each_block(body, [&](Block& b) { take_over(b, row_major, renaming); });
    body = rename(renaming, std::move(body));
  };
  run(program.init);
  for (Function& f : program.functions) run(f.body);
  return program;
}

}  // namespace heddle::host
