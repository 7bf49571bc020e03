#include "rewrites/host/free_early.h"

#include <algorithm>

#include "rewrites/host/each_block.h"

namespace heddle::host {

namespace {

void free_early_in(Block& b) {
  // Most blocks of deep nests free nothing, and need no look at all that is nested in them.
  if (std::ranges::none_of(b.stmts, [](const Stmt& s) { return std::holds_alternative<Free>(s->node); })) return;
  std::vector<Stmt> frees, others;
  for (Stmt& s : b.stmts) (std::holds_alternative<Free>(s->node) ? frees : others).push_back(std::move(s));
  std::unordered_map<Name, size_t> last;  // one more than the number of the statement
  for (size_t i = 0; i < others.size(); ++i) {
    struct Mentions : Walker<Mentions> {
      std::unordered_map<Name, size_t>& last;
      size_t here;
      Mentions(std::unordered_map<Name, size_t>& last, size_t here) : last(last), here(here) {}
      void expr(const Expr&) {}
      void use(const Name& n) { last[n] = here; }
      void bind(const Name& n) { last[n] = here; }
    } mentions(last, i + 1);
    mentions.stmt(others[i]);
  }
  std::vector<std::vector<Stmt>> behind(others.size() + 1);
  for (Stmt& s : frees) {
    auto it = last.find(std::get<Free>(s->node).array);
    behind[it == last.end() ? 0 : it->second].push_back(std::move(s));
  }
  b.stmts = std::move(behind[0]);
  for (size_t i = 0; i < others.size(); ++i) {
    b.stmts.push_back(std::move(others[i]));
    b.stmts.insert(b.stmts.end(), behind[i + 1].begin(), behind[i + 1].end());
  }
}

}  // namespace

Program free_early(Program program) {
  each_block(program, [](Block& b) { free_early_in(b); });
  return program;
}

}  // namespace heddle::host
