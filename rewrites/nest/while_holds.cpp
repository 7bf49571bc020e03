#include "rewrites/nest/while_holds.h"

#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

bool may_lower(const Stmt& s, const Name& flag) {
  bool found = false;
  for_each_stmt(Block{s}, [&](const Stmt& inner) {
    const auto* store = std::get_if<Store>(&inner->node);
    found |= store && store->buffer == flag;
  });
  return found;
}

}  // namespace

Block while_holds(const Block& block, const Name& flag) {
  Expr holds = load(flag, prim::Type::Bool, {});
  Block out;
  for (auto s = block.begin(); s != block.end(); ++s) {
    out.push_back(*s);
    if (!may_lower(*s, flag)) continue;
    if (const auto* loop = std::get_if<For>(&(*s)->node)) {
      For changed = *loop;
      changed.body = {stmt(If{holds, while_holds(loop->body, flag), {}})};
      out.back() = stmt(std::move(changed));
    } else if (const auto* repeat = std::get_if<While>(&(*s)->node)) {
      out.back() = stmt(While{both(holds, repeat->condition), while_holds(repeat->body, flag), repeat->rest});
    } else if (const auto* branch = std::get_if<If>(&(*s)->node)) {
      out.back() =
          stmt(If{branch->condition, while_holds(branch->then_body, flag), while_holds(branch->else_body, flag)});
    }
    Block rest = while_holds(Block(s + 1, block.end()), flag);
    if (!rest.empty()) out.push_back(stmt(If{holds, std::move(rest), {}}));
    break;
  }
  return out;
}

}  // namespace heddle::nest
