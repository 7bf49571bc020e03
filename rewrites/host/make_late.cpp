#include "rewrites/host/make_late.h"

#include <algorithm>
#include <optional>

#include "rewrites/host/each_block.h"

namespace heddle::host {

namespace {

// The array, if the statement does nothing but make or fill it.
std::optional<Name> made_by(const Stmt& s) {
  if (const auto* fill = std::get_if<Fill>(&s->node)) return fill->array;
  const auto* alloc = std::get_if<Alloc>(&s->node);
  return alloc && !alloc->from && !alloc->for_host ? std::optional(alloc->name) : std::nullopt;
}

bool mentions(const Stmt& s, const Name& array) {
  struct Mentions : Walker<Mentions> {
    const Name& array;
    bool found = false;
    explicit Mentions(const Name& array) : array(array) {}
    void expr(const Expr&) {}
    void use(const Name& n) { found |= n == array; }
    void bind(const Name&) {}
  } walker(array);
  walker.stmt(s);
  return walker.found;
}

// Whether all names of the array are known: the block has made it, and nothing between mentions it.
bool is_own(const Block& b, size_t fill, const Name& array) {
  for (size_t i = fill; i-- > 0;) {
    const auto* alloc = std::get_if<Alloc>(&b.stmts[i]->node);
    if (alloc && alloc->name == array) return true;
    if (mentions(b.stmts[i], array)) return false;
  }
  return false;
}

void make_late_in(Block& b) {
  // From behind, so that what is filled late is made as late.
  for (size_t i = b.stmts.size(); i-- > 0;) {
    const std::optional<Name> array = made_by(b.stmts[i]);
    if (!array || (std::holds_alternative<Fill>(b.stmts[i]->node) && !is_own(b, i, *array))) continue;
    const auto here = b.stmts.begin() + static_cast<std::ptrdiff_t>(i);
    const auto first = std::find_if(here + 1, b.stmts.end(), [&](const Stmt& s) { return mentions(s, *array); });
    if (first != b.stmts.end()) std::rotate(here, here + 1, first);
  }
}

}  // namespace

Program make_late(Program program) {
  each_block(program, [](Block& b) { make_late_in(b); });
  return program;
}

}  // namespace heddle::host
