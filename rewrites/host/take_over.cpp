#include "rewrites/host/take_over.h"

#include <algorithm>
#include <unordered_map>

#include "rewrites/host/each_block.h"
#include "rewrites/host/same_memory.h"

namespace heddle::host {

namespace {

using Orders = std::unordered_map<Name, std::vector<int>>;

// How arrays for kernels were made to lie in memory.
Orders orders_of(const Block& body) {
  Orders orders;
  for_each_stmt(body, [&](const Stmt& s) {
    const auto* alloc = std::get_if<Alloc>(&s->node);
    if (alloc && !alloc->for_host) orders.emplace(alloc->name, alloc->order);
  });
  return orders;
}

// Whether windows onto an array are looked at behind a statement.
bool is_touched_behind(const Block& b, size_t from, const Name& array, const SameMemory& memory) {
  for (size_t i = from + 1; i < b.stmts.size(); ++i) {
    if (!std::holds_alternative<Free>(b.stmts[i]->node) && memory.touches(b.stmts[i], array)) return true;
  }
  return std::ranges::any_of(b.yields, [&](const Value& v) {
    const auto* name = std::get_if<Name>(&v);
    return name && memory.of(*name) == memory.of(array);
  });
}

// What a statement makes of an array that ends there, if it is it itself.
std::optional<Share> sharing(const Block& b, size_t i, const Orders& orders, const SameMemory& memory) {
  const Stmt& s = b.stmts[i];
  if (const auto* share = std::get_if<Share>(&s->node)) return *share;
  if (const auto* deliver = std::get_if<Deliver>(&s->node)) {
    const auto made = orders.find(deliver->array);
    if (made != orders.end() && is_row_major(made->second)) return Share{deliver->name, deliver->array};
  } else if (const auto* manifest = std::get_if<Manifest>(&s->node)) {
    const auto made = orders.find(manifest->array);
    if (made != orders.end() && made->second == manifest->order && !is_touched_behind(b, i, manifest->array, memory))
      return Share{manifest->name, manifest->array};
  }
  return std::nullopt;
}

// Adds what is to be renamed; the statements are taken away.
void take_over_in(Block& b, const Orders& orders, const SameMemory& memory, Renaming& renaming) {
  std::vector<Stmt> kept;
  for (size_t i = 0; i < b.stmts.size(); ++i) {
    const std::optional<Share> share = sharing(b, i, orders, memory);
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

// Branches all of which share, for a result, an array that ends behind them.
class Branches {
 public:
  Branches(Block& b, Renaming& renaming) : block_(b), renaming_(renaming) {}

  void run() {
    for (size_t i = 0; i < block_.stmts.size(); ++i) {
      const auto* found = std::get_if<If>(&block_.stmts[i]->node);
      if (!found) continue;
      If branches = *found;
      for (size_t result = branches.results.size(); result-- > 0;) {
        const std::optional<Name> array = shared_by_all(branches, result);
        if (array && take_free_behind(i, *array)) use_array(branches, result, *array);
      }
      block_.stmts[i] = stmt(std::move(branches));
    }
  }

 private:
  // What a name is to become.
  Name renamed(Name n) const {
    for (auto it = renaming_.find(n); it != renaming_.end(); it = renaming_.find(n)) n = it->second;
    return n;
  }

  const Share* share_of(const Stmt& s, const Name& yielded) const {
    const auto* share = std::get_if<Share>(&s->node);
    return share && renamed(share->name) == yielded ? share : nullptr;
  }

  std::optional<Name> shared(const Block& b, size_t result) const {
    const Name yielded = renamed(std::get<Name>(b.yields[result]));
    for (const Stmt& s : b.stmts) {
      if (const Share* share = share_of(s, yielded)) return renamed(share->array);
    }
    return std::nullopt;
  }

  std::optional<Name> shared_by_all(const If& branches, size_t result) const {
    if (branches.results[result].type.rank == 0) return std::nullopt;
    const std::optional<Name> array = shared(branches.otherwise, result);
    const bool all =
        std::ranges::all_of(branches.cases, [&](const Case& c) { return shared(c.body, result) == array; });
    return all ? array : std::nullopt;
  }

  // Whether the array ends directly behind a statement; if so, it does no longer.
  bool take_free_behind(size_t stm, const Name& array) {
    for (size_t i = stm + 1; i < block_.stmts.size(); ++i) {
      const auto* free = std::get_if<Free>(&block_.stmts[i]->node);
      if (!free) return false;
      if (renamed(free->array) != array) continue;
      block_.stmts.erase(block_.stmts.begin() + static_cast<std::ptrdiff_t>(i));
      return true;
    }
    return false;
  }

  void use_array(If& branches, size_t result, const Name& array) {
    for (Case& c : branches.cases) use_array(c.body, result, array);
    use_array(branches.otherwise, result, array);
    renaming_.emplace(branches.results[result].name, array);
    branches.results.erase(branches.results.begin() + static_cast<std::ptrdiff_t>(result));
  }
  void use_array(Block& b, size_t result, const Name& array) {
    const Name yielded = renamed(std::get<Name>(b.yields[result]));
    std::erase_if(b.stmts, [&](const Stmt& s) { return share_of(s, yielded) != nullptr; });
    b.yields.erase(b.yields.begin() + static_cast<std::ptrdiff_t>(result));
    renaming_.emplace(yielded, array);
  }

  Block& block_;
  Renaming& renaming_;
};

}  // namespace

// Frees stand directly behind statements, so that of several shares of an array only the last takes it over.
Program take_over(Program program) {
  auto run = [](Block& body) {
    Renaming renaming;
    const Orders orders = orders_of(body);
    const SameMemory memory(body);
    each_block(body, [&](Block& b) {
      take_over_in(b, orders, memory, renaming);
      Branches(b, renaming).run();
    });
    body = rename(renaming, std::move(body));
  };
  run(program.init);
  for (Function& f : program.functions) run(f.body);
  return program;
}

}  // namespace heddle::host
