#include "rewrites/nest/share_scratch.h"

#include <algorithm>

#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

bool is_shared(const Stmt& s) {
  const auto* alloc = std::get_if<Alloc>(&s->node);
  return alloc && alloc->buffer.space == Space::Shared;
}

// The threads that share the buffers: those of a block, or of a warp, which are these iterations.
struct SharingTeam {
  Scope scope = Scope::Block;
  std::optional<Name> warp = {};

  bool is_barrier(const Stmt& s) const {
    const auto* barrier = std::get_if<Barrier>(&s->node);
    return barrier && (barrier->scope == Scope::Block || barrier->scope == scope);
  }

  bool has_barrier(const Block& body) const {
    bool found = false;
    for_each_stmt(body, [&](const Stmt& s) { found |= is_barrier(s); });
    return found;
  }

  // Whether no other team uses what this one uses of the buffer.
  bool has_its_own(const Block& body, const Name& buffer) const {
    if (scope == Scope::Block) return true;
    bool own = true;
    auto use = [&](const Name& used, const std::vector<Expr>& index) {
      if (used != buffer) return;
      const auto* first = index.empty() ? nullptr : std::get_if<Var>(&index[0]->node);
      own &= warp && first && first->name == *warp;
    };
    for_each_expr(body, [&](const Expr& e) {
      if (const auto* load = std::get_if<Load>(&e->node)) use(load->buffer, load->index);
    });
    for_each_stmt(body, [&](const Stmt& s) {
      if (const auto* store = std::get_if<Store>(&s->node)) use(store->buffer, store->index);
      if (const auto* update = std::get_if<AtomicUpdate>(&s->node)) use(update->buffer, update->index);
      if (const auto* copy = std::get_if<AsyncCopy>(&s->node)) use(copy->to, copy->to_index);
    });
    return own;
  }
};

bool has_room_for(const Buffer& a, const Buffer& b) {
  if (a.elem != b.elem || a.dims.size() != b.dims.size()) return false;
  for (size_t d = 0; d < a.dims.size(); ++d) {
    if (equal(a.dims[d], b.dims[d])) continue;
    auto of_a = int_constant(a.dims[d]), of_b = int_constant(b.dims[d]);
    if (!of_a || !of_b || *of_a < *of_b) return false;
  }
  return true;
}

// From the first to the last use in a list of statements, counted in barriers from its beginning.
struct Life {
  size_t first, last;
};

std::optional<Life> life_in(const Block& body, const Name& buffer, const SharingTeam& team) {
  std::optional<Life> life;
  size_t part = 0;
  for (const Stmt& s : body) {
    part += team.is_barrier(s) ? 1 : 0;
    if (is_shared(s) || !free_names(Block{s}).contains(buffer)) continue;
    if (!life) life = Life{part, part};
    life->last = part;
  }
  return life;
}

// The lists of statements in which barriers separate parts, of which a block of threads runs one: the threads' body, or both sides of
// its only statement that has barriers within. Barriers that are further within separate nothing, since not all may come to them.
std::vector<const Block*> ways_through(const Block& body, const SharingTeam& team) {
  const If* branch = nullptr;
  size_t barriers = 0, others = 0;
  for (const Stmt& s : body) {
    barriers += team.is_barrier(s) ? 1 : 0;
    if (team.is_barrier(s) || !team.has_barrier({s})) continue;
    branch = std::get_if<If>(&s->node);
    ++others;
  }
  std::vector<const Block*> ways;
  const bool goes_either_way = others == 1 && barriers == 0 && branch;
  ways.push_back(goes_either_way ? &branch->then_body : &body);
  if (goes_either_way) ways.push_back(&branch->else_body);
  return ways;
}

// A buffer and its lives on each way.
struct Lives {
  Buffer buffer;
  std::vector<std::optional<Life>> on;
};

bool ends_before(const Lives& a, const Lives& b) {
  for (size_t w = 0; w < a.on.size(); ++w) {
    if (a.on[w] && b.on[w] && a.on[w]->last >= b.on[w]->first) return false;
  }
  return true;
}

std::vector<Lives> lives_in(const Block& body, const std::vector<const Block*>& ways, const SharingTeam& team) {
  // What is used beside the branch, too, is left alone.
  auto only_on_ways = [&](const Name& buffer) {
    return ways[0] == &body || std::ranges::all_of(body, [&](const Stmt& s) {
             return is_shared(s) || team.has_barrier({s}) || !free_names(Block{s}).contains(buffer);
           });
  };
  std::vector<Lives> all;
  for (const Stmt& s : body) {
    if (!is_shared(s)) continue;
    const Buffer& buffer = std::get<Alloc>(s->node).buffer;
    if (!only_on_ways(buffer.name) || !team.has_its_own(body, buffer.name)) continue;
    Lives lives{buffer, {}};
    for (const Block* way : ways) lives.on.push_back(life_in(*way, buffer.name, team));
    all.push_back(std::move(lives));
  }
  return all;
}

void share(Block& body, const SharingTeam& team) {
  const std::vector<const Block*> ways = ways_through(body, team);
  std::vector<Lives> kept;
  Substitution renaming;
  for (const Lives& later : lives_in(body, ways, team)) {
    auto free = std::ranges::find_if(
        kept, [&](const Lives& k) { return ends_before(k, later) && has_room_for(k.buffer, later.buffer); });
    if (free == kept.end()) {
      kept.push_back(later);
      continue;
    }
    for (size_t w = 0; w < ways.size(); ++w) {
      if (later.on[w]) free->on[w] = Life{free->on[w] ? free->on[w]->first : later.on[w]->first, later.on[w]->last};
    }
    renaming.insert_or_assign(later.buffer.name, var(free->buffer.name, later.buffer.elem));
  }
  std::erase_if(body,
                [&](const Stmt& s) { return is_shared(s) && renaming.contains(std::get<Alloc>(s->node).buffer.name); });
  body = substitute(renaming, body);
}

// The body of the loop over the block's threads, or of the one over a warp's.
void share_among_threads(Block& body, const std::optional<Name>& warp = {}) {
  for (Stmt& s : body) {
    const auto* loop = std::get_if<For>(&s->node);
    if (!loop || loop->role > Role::Lane) continue;
    For copy = *loop;
    if (copy.role == Role::Block) share(copy.body, {});
    if (copy.role == Role::Lane) share(copy.body, {Scope::Warp, warp});
    share_among_threads(copy.body, copy.role == Role::Warp ? copy.index : warp);
    s = stmt(std::move(copy));
  }
}

// Of a list of statements, and of those within it.
struct ShareEverywhere : Rebuilder<ShareEverywhere> {
  void expr(Expr&) {}
  void body(Block& b) {
    share(b, {});
    Rebuilder::body(b);
  }
};

}  // namespace

Block share_arrays(Block work) {
  ShareEverywhere().body(work);
  return work;
}

Kernel share_scratch(Kernel kernel) {
  share_among_threads(kernel.body);
  return kernel;
}

}  // namespace heddle::nest
