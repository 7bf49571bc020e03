#include "rewrites/nest/checks_first.h"

#include <algorithm>

#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

bool is_check(const Stmt& s) {
  const auto* branch = std::get_if<If>(&s->node);
  return branch && branch->else_body.empty() && branch->then_body.size() == 1 &&
         std::holds_alternative<Fail>(branch->then_body[0]->node);
}

// Moves to `out` those of the values that a check needs, in their order. The others wait behind it.
void take_needed(Block& waiting, const Stmt& check, Block& out) {
  NameSet needed = free_names(Block{check});
  Block taken, left;
  for (size_t k = waiting.size(); k-- > 0;) {
    const auto& let = std::get<Let>(waiting[k]->node);
    if (!needed.contains(let.name)) {
      left.push_back(waiting[k]);
      continue;
    }
    taken.push_back(waiting[k]);
    for (const Name& n : free_names(let.value)) needed.insert(n);
  }
  out.insert(out.end(), taken.rbegin(), taken.rend());
  std::ranges::reverse(left);
  waiting = std::move(left);
}

struct ChecksFirst : Rebuilder<ChecksFirst> {
  void body(Block& block) {
    Rebuilder::body(block);
    Block out, waiting;
    for (const Stmt& s : block) {
      if (std::holds_alternative<Let>(s->node)) {
        waiting.push_back(s);
        continue;
      }
      if (is_check(s)) {
        take_needed(waiting, s, out);
      } else {
        out.insert(out.end(), waiting.begin(), waiting.end());
        waiting.clear();
      }
      out.push_back(s);
    }
    out.insert(out.end(), waiting.begin(), waiting.end());
    block = std::move(out);
  }
};

}  // namespace

Block checks_first(const Block& block) {
  Block result = block;
  ChecksFirst().body(result);
  return result;
}

}  // namespace heddle::nest
