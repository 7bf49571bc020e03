#include "rewrites/host/same_memory.h"

#include <algorithm>

namespace heddle::host {

Name SameMemory::end_of(const Name& n, const Links& links) {
  Name at = n;
  for (auto it = links.find(at); it != links.end(); it = links.find(at)) at = it->second;
  return at;
}

void SameMemory::unite(const Name& a, const Name& b) {
  Name x = of(a), y = of(b);
  if (x != y) same_as_.emplace(x, y);
}

bool SameMemory::touches(const Stmt& s, const Name& array) const {
  const Name memory = of(array);
  return std::ranges::any_of(free_names(s), [&](const Name& n) { return of(n) == memory; });
}

template <class N>
void SameMemory::add(const N& n) {
  if constexpr (std::is_same_v<N, Share> || std::is_same_v<N, Slice> || std::is_same_v<N, FlatSlice> ||
                std::is_same_v<N, Rearrange> || std::is_same_v<N, Broadcast> || std::is_same_v<N, Reshape> ||
                std::is_same_v<N, Deliver>) {
    unite(n.name, n.array);
    if constexpr (std::is_same_v<N, Share>) shares_.emplace(n.name, n.array);
  } else if constexpr (std::is_same_v<N, Alloc>) {
    if (n.from) unite(n.name, *n.from);
  } else if constexpr (std::is_same_v<N, If>) {
    for (size_t i = 0; i < n.results.size(); ++i) {
      for (const Case& c : n.cases) unite(n.results[i].name, c.body.yields[i]);
      unite(n.results[i].name, n.otherwise.yields[i]);
    }
  } else if constexpr (std::is_same_v<N, Loop>) {
    for (size_t i = 0; i < n.params.size(); ++i) {
      unite(n.results[i], n.params[i].binder.name);
      unite(n.params[i].binder.name, n.params[i].init);
      unite(n.params[i].binder.name, n.body.yields[i]);
    }
  }
}

SameMemory::SameMemory(const Block& body) {
  for_each_stmt(body, [&](const Stmt& s) { std::visit([&](const auto& n) { add(n); }, s->node); });
}

}  // namespace heddle::host
