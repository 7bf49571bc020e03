#include "rewrites/recipes/group_parts.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/nest/split_quotients.h"
#include "rewrites/points/index_code.h"
#include "rewrites/points/parameters.h"

namespace heddle::lower {

using nest::Expr;

namespace {

// What every device has for a block, in bytes.
constexpr int64_t kMostShared = 48 * 1024;
constexpr int64_t kMostRows = 16;

}  // namespace

int64_t shared_bytes(const nest::Kernel& kernel) {
  int64_t bytes = 0;
  nest::for_each_stmt(kernel.body, [&](const nest::Stmt& s) {
    const auto* alloc = std::get_if<nest::Alloc>(&s->node);
    if (!alloc || alloc->buffer.space != nest::Space::Shared) return;
    int64_t of_buffer = prim::size_bytes(alloc->buffer.elem);
    for (const Expr& d : alloc->buffer.dims) of_buffer *= nest::int_constant(d).value_or(1);
    bytes += of_buffer;
  });
  return bytes;
}

Launch with_room(const std::function<Launch(int64_t most_rows)>& kernel) {
  for (int64_t most_rows = kMostRows;; most_rows /= 2) {
    Launch launch = kernel(most_rows);
    if (most_rows == 1 || shared_bytes(launch.kernel) <= kMostShared) return launch;
  }
}

bool is_read_in_group(const Stages& stages, size_t s, size_t k) {
  return std::ranges::any_of(stages, [&](const StageCode* r) {
    return std::ranges::find(r->reads, stages[s]->arrays[k], &recognize::WindowedRead::buffer) != r->reads.end();
  });
}

nest::Block work_of_point(const nest::Block& work, const Places& places, NameSource& names) {
  return redirected(nest::renamed(work, nest::bound_in(work), names), places);
}

std::vector<Expr> away_from_borders(const StageCode& stage, const std::vector<Expr>& first,
                                    const std::vector<int64_t>& extents, const std::vector<bool>& may_be_negative) {
  std::vector<Expr> all, last;
  for (size_t d = 0; d < extents.size(); ++d) {
    const int64_t margin = stage.inside.margin[d];
    if (may_be_negative[d] || margin > 0) all.push_back(nest::less(i64(margin - 1), first[d]));
    Expr beyond = nest::add(first[d], i64(extents[d] + margin - 1));
    all.push_back(nest::less(beyond, stage.indices[d].extent));
    last.push_back(nest::add(first[d], i64(extents[d] - 1)));
  }
  all.push_back(within_limits(stage.inside, stage.indices, first, last));
  return all;
}

// One test by dimension of the tile says of all stages whether they end before their images do.
Expr are_away_from_borders(const Stages& stages, const TilePlaces& tile,
                           const std::vector<std::vector<int64_t>>& boxes) {
  Expr all = nest::constant(prim::Value::of_bool(true));
  std::vector<std::vector<Expr>> ends(tile.dims());
  for (size_t s = 0; s < stages.size(); ++s) {
    const Inside& inside = stages[s]->inside;
    std::vector<Expr> first, last;
    for (size_t d = 0; d < boxes[s].size(); ++d) {
      first.push_back(tile.first_of(s, d));
      last.push_back(nest::add(first[d], i64(boxes[s][d] - 1)));
      const int64_t margin = inside.margin[d];
      if (tile.may_be_negative(s, d) || margin > 0) all = nest::both(all, nest::less(i64(margin - 1), first[d]));
      const Expr end = nest::sub(stages[s]->indices[d].extent, i64(boxes[s][d] - 1 + margin));
      if (auto begin = tile.begins_before(s, d, end)) {
        std::vector<Expr>& others = ends[begin->tile_dim];
        auto same = [&](const Expr& e) { return nest::equal(e, begin->before); };
        if (std::ranges::none_of(others, same)) others.push_back(begin->before);
      } else {
        all = nest::both(all, nest::less(first[d], end));
      }
    }
    all = nest::both(all, within_limits(inside, stages[s]->indices, first, last));
  }
  for (size_t d = 0; d < ends.size(); ++d) {
    if (ends[d].empty()) continue;
    Expr least = ends[d].front();
    for (size_t k = 1; k < ends[d].size(); ++k) least = nest::min(least, ends[d][k]);
    all = nest::both(all, nest::less(tile.origin(d), least));
  }
  return all;
}

// Tiles beyond the last lie beyond the results' first dimension: no point of them is needed.
Launch tile_for_each_warp(const std::string& name, const nest::Block& of_tile, const TilePlaces& tile,
                          const WarpsOfBlock& block, const Stages& stages, NameSource& names) {
  auto index = [](const Name& n) { return nest::var(n, prim::Type::I64); };
  Name number_of_block = names.fresh("block");
  Expr rest = nest::add(nest::mul(index(number_of_block), i64(block.warps)), index(block.warp)), num_tiles = i64(1);
  nest::Block body;
  for (size_t d = tile.dims(); d-- > 0;) {
    num_tiles = nest::mul(tile.count(d), num_tiles);
    Name number = names.fresh("tile");
    body.push_back(nest::stmt(nest::Let{number, rest}));
    body.push_back(
        nest::stmt(nest::Let{tile.number(d), d == 0 ? index(number) : nest::mod(index(number), tile.count(d))}));
    if (d > 0) rest = nest::div(index(number), tile.count(d));
  }
  body.insert(body.end(), of_tile.begin(), of_tile.end());
  Expr num_blocks = nest::ceil_div(num_tiles, i64(block.warps));
  body = {nest::stmt(nest::For{block.lane, i64(stencil::kLanesOfWarp), nest::Role::Lane, std::move(body)})};
  body = {nest::stmt(nest::For{block.warp, i64(block.warps), nest::Role::Warp, std::move(body)})};
  body = {nest::stmt(nest::For{number_of_block, num_blocks, nest::Role::Grid, std::move(body)})};
  return launch_of_group(name, std::move(body), num_blocks, block.warps * stencil::kLanesOfWarp, stages);
}

Launch launch_of_group(const std::string& name, nest::Block body, const Expr& num_blocks, int64_t threads,
                       const Stages& stages) {
  Launch result;
  std::vector<const Launch*> launches;
  for (const StageCode* s : stages) launches.push_back(&s->launch);
  take_parameters(result, nest::free_names(body), launches);
  result.kernel.name = name;
  result.kernel.body = nest::split_quotients(std::move(body));
  result.num_blocks = num_blocks;
  result.block_size = i64(threads);
  return result;
}

}  // namespace heddle::lower
