#include "rewrites/plan/computed_arrays.h"

#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/graph/computed_where_read.h"
#include "rewrites/recipes/map_of_scan.h"
#include "rewrites/seg/mapped_again.h"

namespace heddle::lower {

namespace {

// The arrays that a map reads, and those from which such of them are computed as are computed themselves.
std::vector<Name> read_for(const seg::SegOp& map, const ComputedArrays& computed) {
  std::vector<Name> read;
  for (const Name& n : graph::arrays_read(map)) {
    read.push_back(n);
    if (auto it = computed.find(n); it != computed.end())
      read.insert(read.end(), it->second.read.begin(), it->second.read.end());
  }
  return read;
}

}  // namespace

void forget_overwritten(ComputedArrays& computed, const seg::Exp& by, const graph::Graph& graph) {
  for (const Name& changed : graph::overwritten_by(by)) {
    const Name memory = graph.memory(changed);
    std::erase_if(computed, [&](const auto& array) {
      return std::ranges::any_of(array.second.read, [&](const Name& n) { return graph.memory(n) == memory; });
    });
  }
}

ComputedArrays computed_by(const seg::Stm& operation, const ComputedArrays& computed) {
  ComputedArrays own;
  std::vector<Name> read;
  for (const Name& n : seg::free_names(operation)) read.push_back(n);
  while (!read.empty()) {
    auto array = computed.find(read.back());
    read.pop_back();
    if (array == computed.end() || !own.insert(*array).second) continue;
    read.insert(read.end(), array->second.read.begin(), array->second.read.end());
  }
  return own;
}

std::vector<Name> remember_map(const seg::StmPtr& map, ComputedArrays& computed) {
  const auto* op = std::get_if<seg::SegOp>(&map->exp);
  const graph::ComputedBy who = op ? graph::computed_by(*op) : graph::ComputedBy::Itself;
  if (who == graph::ComputedBy::Itself) return {};
  const std::vector<Name> read = read_for(*op, computed);
  std::vector<Name> by_all;
  for (size_t k = 0; k < map->pat.size(); ++k) {
    ComputedArray array{map, k, who == graph::ComputedBy::Readers, read};
    if (array.by_all) by_all.push_back(map->pat[k].name);
    computed.insert_or_assign(map->pat[k].name, std::move(array));
  }
  return by_all;
}

void remember_mapped(const seg::Stm& scan, ComputedArrays& computed) {
  const auto* op = std::get_if<seg::SegOp>(&scan.exp);
  if (!op || op->kind != seg::SegKind::Scan) return;
  for (size_t k = num_scanned(*op); k < scan.pat.size(); ++k) {
    std::optional<seg::SegOp> map = seg::mapped_again(*op, k);
    if (!map) continue;
    std::vector<Name> read = read_for(*map, computed);
    auto stm = std::make_shared<const seg::Stm>(seg::Stm{{scan.pat[k]}, {}, {}, *std::move(map), scan.position});
    computed.insert_or_assign(scan.pat[k].name, ComputedArray{std::move(stm), 0, true, std::move(read)});
  }
}

}  // namespace heddle::lower
