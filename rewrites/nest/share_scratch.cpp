#include "rewrites/nest/share_scratch.h"

#include <algorithm>

#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

// Between the barriers of the threads' body that all of them reach, counted from its beginning.
struct Life {
  Buffer buffer;
  size_t first, last;
};

bool is_shared(const Stmt& s) {
  const auto* alloc = std::get_if<Alloc>(&s->node);
  return alloc && alloc->buffer.space == Space::Shared;
}

bool has_room_for(const Buffer& a, const Buffer& b) {
  if (a.elem != b.elem || a.dims.size() != b.dims.size()) return false;
  for (size_t d = 0; d < a.dims.size(); ++d) {
    auto of_a = int_constant(a.dims[d]), of_b = int_constant(b.dims[d]);
    if (!of_a || !of_b || *of_a < *of_b) return false;
  }
  return true;
}

std::vector<Life> lives_in(const Block& body) {
  std::vector<Life> lives;
  for (const Stmt& s : body) {
    if (!is_shared(s)) continue;
    const Buffer& buffer = std::get<Alloc>(s->node).buffer;
    std::optional<Life> life;
    size_t part = 0;
    for (const Stmt& t : body) {
      const auto* barrier = std::get_if<Barrier>(&t->node);
      if (barrier && barrier->scope == Scope::Block) ++part;
      if (is_shared(t) || !free_names(Block{t}).contains(buffer.name)) continue;
      if (!life) life = Life{buffer, part, part};
      life->last = part;
    }
    if (life) lives.push_back(*life);
  }
  std::stable_sort(lives.begin(), lives.end(), [](const Life& a, const Life& b) { return a.first < b.first; });
  return lives;
}

void share(Block& body) {
  std::vector<Life> kept;
  Substitution renaming;
  for (const Life& life : lives_in(body)) {
    auto free = std::ranges::find_if(
        kept, [&](const Life& k) { return k.last < life.first && has_room_for(k.buffer, life.buffer); });
    if (free == kept.end()) {
      kept.push_back(life);
    } else {
      free->last = life.last;
      renaming.insert_or_assign(life.buffer.name, var(free->buffer.name, life.buffer.elem));
    }
  }
  std::erase_if(body,
                [&](const Stmt& s) { return is_shared(s) && renaming.contains(std::get<Alloc>(s->node).buffer.name); });
  body = substitute(renaming, body);
}

// The body of the loop over the block's threads.
void share_among_threads(Block& body) {
  for (Stmt& s : body) {
    const auto* loop = std::get_if<For>(&s->node);
    if (!loop || (loop->role != Role::Grid && loop->role != Role::Block)) continue;
    For copy = *loop;
    if (copy.role == Role::Block) share(copy.body);
    share_among_threads(copy.body);
    s = stmt(std::move(copy));
  }
}

}  // namespace

Kernel share_scratch(Kernel kernel) {
  share_among_threads(kernel.body);
  return kernel;
}

}  // namespace heddle::nest
