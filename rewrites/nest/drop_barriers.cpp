#include "rewrites/nest/drop_barriers.h"

#include "ir/nest/threads.h"
#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

class Drop {
 public:
  explicit Drop(const Block& block) {
    for_each_stmt(block, [&](const Stmt& s) {
      const auto* alloc = std::get_if<Alloc>(&s->node);
      if (alloc && alloc->buffer.space == Space::Register) own_.insert(alloc->buffer.name);
    });
  }

  // `clean`: nothing has been touched since a barrier; when it begins, and then when it ends.
  Block block(const Block& b, bool& clean) {
    Block out;
    for (const Stmt& s : b) {
      const auto* barrier = std::get_if<Barrier>(&s->node);
      bool is_dropped = barrier && barrier->scope == Scope::Block && clean;
      if (!is_dropped) out.push_back(stmt(s, clean));
    }
    return out;
  }

 private:
  Stmt stmt(const Stmt& s, bool& clean) {
    if (const auto* barrier = std::get_if<Barrier>(&s->node)) {
      clean = clean || barrier->scope == Scope::Block;
      return s;
    }
    if (const auto* loop = std::get_if<For>(&s->node)) {
      clean = clean && !touches(loop->extent);
      Block body = parallel(loop->role) ? block(loop->body, clean) : repeated(loop->body, clean);
      return nest::stmt(For{loop->index, loop->extent, loop->role, std::move(body)});
    }
    if (const auto* loop = std::get_if<While>(&s->node)) {
      clean = clean && !touches(loop->condition);
      return nest::stmt(While{loop->condition, repeated(loop->body, clean), loop->rest});
    }
    if (const auto* branch = std::get_if<If>(&s->node)) {
      clean = clean && !touches(branch->condition);
      bool other = clean;
      Block then_body = block(branch->then_body, clean), else_body = block(branch->else_body, other);
      clean = clean && other;
      return nest::stmt(If{branch->condition, std::move(then_body), std::move(else_body)});
    }
    clean = clean && !touches({s});
    return s;
  }

  // Any number of times, also none.
  Block repeated(const Block& body, bool& clean) {
    bool behind = clean;
    Block once = block(body, behind);
    if (clean && !behind) once = block(body, behind);
    clean = clean && behind;
    return once;
  }

  // What threads share: all but registers.
  template <class Node>
  bool touches(const Node& node) const {
    bool found = false;
    for_each_expr(node, [&](const Expr& e) {
      const auto* load = std::get_if<Load>(&e->node);
      found |= load && !own_.contains(load->buffer);
    });
    return found;
  }
  bool touches(const Block& b) const {
    bool found = touches<Block>(b);
    for_each_stmt(b, [&](const Stmt& s) {
      const auto* store = std::get_if<Store>(&s->node);
      found |= store ? !own_.contains(store->buffer)
                     : !std::holds_alternative<Let>(s->node) && !std::holds_alternative<Alloc>(s->node) &&
                           !std::holds_alternative<Fail>(s->node);
    });
    return found;
  }

  NameSet own_;
};

}  // namespace

Block drop_barriers(const Block& block) {
  bool clean = true;
  return Drop(block).block(block, clean);
}

}  // namespace heddle::nest
