#include "rewrites/contraction/geometry_members.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nest/traverse.h"
#include "rewrites/contraction/statement_writer.h"

namespace heddle::contraction {

using nest::Expr;

std::vector<Member> tiling_members(const Tiling& t, hd_tiling& at) {
  std::vector<Member> all;
  auto add = [&](std::string text, int64_t& place, const Name& name) {
    all.push_back({std::move(text), &place, index_of(name)});
  };
#define HD_ADD_MEMBER(name, settled) add(prefix + #name, to.name, tile.name);
  for (size_t p = 0; p < t.parallel.size(); ++p) {
    std::string prefix = fmt::format("parallel[{}].", p);
    auto& to = at.parallel[p];
    const ParallelTile& tile = t.parallel[p];
    HD_PARALLEL_VALUES(HD_ADD_MEMBER)
  }
  for (size_t r = 0; r < t.reduction.size(); ++r) {
    std::string prefix = fmt::format("reduction[{}].", r);
    auto& to = at.reduction[r];
    const ReductionTile& tile = t.reduction[r];
    HD_REDUCTION_VALUES(HD_ADD_MEMBER)
  }
  for (size_t o = 0; o < t.operands.size(); ++o) {
    std::string prefix = fmt::format("operands[{}].", o);
    auto& to = at.operands[o];
    const OperandTile& tile = t.operands[o];
    HD_OPERAND_VALUES(HD_ADD_MEMBER)
  }
  std::string prefix;
  hd_tiling& to = at;
  const Tiling& tile = t;
  HD_KERNEL_VALUES(HD_ADD_MEMBER)
#undef HD_ADD_MEMBER
  return all;
}

std::vector<Member> tile_members(const Geometry& g, hd_tile_geometry& at) {
  std::vector<Member> all;
  auto add = [&](std::string text, int64_t& place, const Expr& value) {
    all.push_back({std::move(text), &place, value});
  };
  size_t num_parallel = g.block_tile.size();
  for (size_t i = 0; i < num_parallel + g.chunk.size(); ++i) {
    add(fmt::format("block[{}]", i), at.block[i], i < num_parallel ? g.block_tile[i] : g.chunk[i - num_parallel]);
  }
  add("groups_are_paired", at.groups_are_paired, nest::select(g.groups_are_paired, one(), zero()));
  for (size_t o = 0; o < g.operands.size(); ++o) {
    const OperandGeometry& of = g.operands[o];
    auto& to = at.operands[o];
    if (of.footprint.empty()) continue;
    add(fmt::format("operands[{}].first", o), to.first, of.first);
    add(fmt::format("operands[{}].reach", o), to.reach, of.reach);
    add(fmt::format("operands[{}].row", o), to.row, of.row);
    for (size_t p = 0; p < num_parallel; ++p) {
      add(fmt::format("operands[{}].rows_apart[{}]", o, p), to.rows_apart[p], of.rows_apart[p]);
      add(fmt::format("operands[{}].columns_apart[{}]", o, p), to.columns_apart[p], of.columns_apart[p]);
    }
  }
  return all;
}

std::vector<Member> kernel_members(const Geometry& g, hd_kernel_geometry& at) {
  std::vector<Member> all;
  auto add = [&](std::string text, int64_t& place, const Expr& value) {
    all.push_back({std::move(text), &place, value});
  };
  add("threads", at.threads, g.threads);
  add("num_blocks", at.num_blocks, g.num_blocks);
  add("shared_bytes", at.shared_bytes, g.shared_bytes);
  add("points", at.points, product(g.points));
  add("chunks", at.chunks, product(g.num_chunks));
  add("groups", at.groups, g.groups_of_slice);
  add("members", at.members, product(g.unroll));
  for (size_t o = 0; o < g.operands.size(); ++o) {
    const OperandGeometry& of = g.operands[o];
    auto& to = at.operands[o];
    add(fmt::format("operands[{}].tile", o), to.tile, product(of.footprint));
    add(fmt::format("operands[{}].part", o), to.part, of.part);
    add(fmt::format("operands[{}].copies", o), to.copies, nest::mul(of.rounds_right, of.rounds_down));
    add(fmt::format("operands[{}].registers", o), to.registers, product(of.registers));
  }
  return all;
}

std::vector<Name> sizes_of(const Geometry& geometry, const Tiling& tiling) {
  hd_tile_geometry tiles;
  hd_kernel_geometry kernel;
  nest::NameSet names;
  for (const Member& m : tile_members(geometry, tiles)) names.merge(nest::free_names(m.value));
  for (const Member& m : kernel_members(geometry, kernel)) names.merge(nest::free_names(m.value));
  for (const Name& n : constants_of(tiling)) names.erase(n);
  std::vector<Name> sizes(names.begin(), names.end());
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

}  // namespace heddle::contraction
