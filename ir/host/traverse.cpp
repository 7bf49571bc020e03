#include "ir/host/traverse.h"

#include <numeric>

namespace heddle::host {

int param_number(const Program& program, const std::string& name) {
  auto found = std::ranges::find(program.params, name, &TuningParam::name);
  return static_cast<int>(found - program.params.begin());
}

std::vector<int> row_major(size_t rank) {
  std::vector<int> order(rank);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

bool is_row_major(const std::vector<int>& order) { return order == row_major(order.size()); }

namespace {

struct FreeNames : Walker<FreeNames> {
  nest::NameSet used, bound;
  void use(const Name& n) { used.insert(n); }
  void bind(const Name& n) { bound.insert(n); }
  nest::NameSet take() {
    std::erase_if(used, [&](const Name& n) { return bound.contains(n); });
    return std::move(used);
  }
};

struct LargestTag : Walker<LargestTag> {
  int tag = -1;
  void use(const Name& n) { tag = std::max(tag, n.tag); }
  void bind(const Name& n) { use(n); }
};

struct Renamer : Rebuilder<Renamer> {
  const Renaming& renaming;
  explicit Renamer(const Renaming& renaming) : renaming(renaming) {}
  void use(Name& n) const {
    // What replaces a name may itself be replaced.
    for (auto it = renaming.find(n); it != renaming.end(); it = renaming.find(n)) n = it->second;
  }
};

}  // namespace

nest::NameSet free_names(const Stmt& s) {
  FreeNames v;
  v.stmt(s);
  return v.take();
}

nest::NameSet free_names(const Block& b) {
  FreeNames v;
  v.body(b);
  return v.take();
}

int next_tag(const Program& program) {
  LargestTag v;
  v.body(program.init);
  for (const Binder& c : program.constants) v.bind(c.name);
  for (const Function& f : program.functions) {
    for (const Binder& i : f.inputs) v.bind(i.name);
    v.body(f.body);
  }
  return v.tag + 1;
}

Block rename(const Renaming& renaming, Block block) {
  if (!renaming.empty()) Renamer(renaming).body(block);
  return block;
}

}  // namespace heddle::host
