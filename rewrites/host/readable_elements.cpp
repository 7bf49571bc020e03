#include "rewrites/host/readable_elements.h"

#include <algorithm>
#include <utility>

#include "ir/host/traverse.h"

namespace heddle::host {

namespace {

struct FindElements : Walker<FindElements> {
  Elements elements;
  Elements windows;        // other arrays in their memory
  Elements first;          // of what loops hand on: whose memory it has at first
  nest::NameSet windowed;  // those that have such
  nest::NameSet ended;     // those whose memory others may have, under names that are not known here
  nest::NameSet made;      // in the loop or the branches around

  void expr(const Expr&) {}
  void end(const Name& n) {
    if (const Name* array = array_of(n)) ended.insert(*array);
  }
  const Name* array_of(const Name& n) const {
    for (const Elements* some : {&elements, &windows}) {
      if (auto it = some->find(n); it != some->end()) return &it->second;
    }
    return nullptr;
  }

  void visit(const Alloc& n) {
    auto is_one = [](const Expr& e) { return nest::int_constant(e) == 1; };
    if (!n.from && (n.shape.size() == 1 || std::ranges::all_of(n.shape, is_one))) elements.emplace(n.name, n.name);
    made.insert(n.name);
  }
  void visit(const Share& n) {
    for (Elements* some : {&elements, &windows}) {
      if (auto it = some->find(n.array); it != some->end()) some->emplace(n.name, it->second);
    }
  }
  template <class T>
  void visit(const T& n) {
    if constexpr (std::is_same_v<T, Slice> || std::is_same_v<T, FlatSlice> || std::is_same_v<T, Rearrange> ||
                  std::is_same_v<T, Broadcast> || std::is_same_v<T, Reshape> || std::is_same_v<T, Deliver>) {
      const Name* array = array_of(n.array);
      if (!array) return;
      windowed.insert(*array);
      windows.emplace(n.name, *array);
    }
  }

  // Goes over a block; returns in whose memory lies what it yields.
  std::vector<const Name*> arrays_yielded(const Block& b) {
    for (const Stmt& s : b.stmts) stmt(s);
    std::vector<const Name*> arrays;
    for (const Value& v : b.yields) {
      const auto* yielded = std::get_if<Name>(&v);
      arrays.push_back(yielded ? array_of(*yielded) : nullptr);
    }
    return arrays;
  }

  // What each branch makes, and yields as nothing else, lies in memory that nobody else has.
  void branches(const If& n) {
    const nest::NameSet around = std::exchange(made, {});
    std::vector<const Block*> blocks;
    for (const Case& c : n.cases) blocks.push_back(&c.body);
    blocks.push_back(&n.otherwise);
    std::vector<std::vector<const Name*>> arrays;
    for (const Block* b : blocks) arrays.push_back(arrays_yielded(*b));
    for (size_t k = 0; k < n.results.size(); ++k) {
      bool alone = true;
      for (size_t i = 0; i < blocks.size(); ++i) alone = alone && is_alone(*blocks[i], k, arrays[i], nullptr);
      if (alone) {
        elements.emplace(n.results[k].name, n.results[k].name);
        made.insert(n.results[k].name);
      } else {
        for (const auto& of : arrays) end_of(of[k]);
      }
    }
    made.insert(around.begin(), around.end());
  }
  void end_of(const Name* array) {
    if (array) ended.insert(*array);
  }

  // What a loop hands on lies as what it is given, which nobody has by another name then. Behind it only what it was given first may have
  // its memory, or another of its results.
  void loop(const Loop& n) {
    for (const LoopParam& p : n.params) {
      const auto* given = std::get_if<Name>(&p.init);
      if (!given || !elements.contains(*given)) continue;
      elements.emplace(p.binder.name, p.binder.name);
      first.emplace(p.binder.name, elements.at(*given));
    }
    const nest::NameSet around = std::exchange(made, {});
    const std::vector<const Name*> arrays = arrays_yielded(n.body);
    for (size_t k = 0; k < n.params.size(); ++k) handed_on(n, k, arrays);
    made.insert(around.begin(), around.end());
  }
  void handed_on(const Loop& n, size_t k, const std::vector<const Name*>& arrays) {
    const auto* given = std::get_if<Name>(&n.params[k].init);
    if (!given) return;
    const Name& param = n.params[k].binder.name;
    const bool is_element = elements.contains(param);
    if (is_element && is_alone(n.body, k, arrays, &param)) {
      elements.emplace(n.results[k], Name(elements.at(*given)));
      return;
    }
    ended.insert(param);
    end(*given);
    end_of(arrays[k]);
  }
  // Whether a block yields an array that it is given or makes, and as nothing else.
  bool is_alone(const Block& b, size_t k, const std::vector<const Name*>& arrays, const Name* given) const {
    const auto* yielded = std::get_if<Name>(&b.yields[k]);
    if (!yielded || !elements.contains(*yielded)) return false;
    const Name& array = *arrays[k];
    auto is_it = [&](const Name* other) { return other && (*other == array || (given && *other == *given)); };
    const bool is_its_own = (given && array == *given) || made.contains(array);
    return is_its_own && std::ranges::count_if(arrays, is_it) == 1 && !ended.contains(array) &&
           !(given && ended.contains(*given));
  }

  void stmt(const Stmt& s) {
    if (const auto* n = std::get_if<Loop>(&s->node)) return loop(*n);
    if (const auto* n = std::get_if<If>(&s->node)) return branches(*n);
    std::visit([&](const auto& n) { visit(n); }, s->node);
    if (!std::holds_alternative<Free>(s->node)) Walker<FindElements>::stmt(s);
  }
};

}  // namespace

Readable readable_elements(const Block& body, const std::vector<Name>& rows) {
  FindElements found;
  for (const Name& n : rows) found.elements.emplace(n, n);
  found.body(body);
  std::erase_if(found.elements,
                [&](const auto& e) { return found.windowed.contains(e.second) || found.ended.contains(e.second); });
  return {std::move(found.elements), std::move(found.first)};
}

nest::NameSet with_one_name(const Elements& elements) {
  std::unordered_map<Name, int> names;
  for (const auto& [name, memory] : elements) ++names[memory];
  nest::NameSet alone;
  for (const auto& [name, memory] : elements) {
    if (names.at(memory) == 1) alone.insert(name);
  }
  return alone;
}

}  // namespace heddle::host
