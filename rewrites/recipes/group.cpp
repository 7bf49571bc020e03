#include "rewrites/recipes/group.h"

#include <algorithm>
#include <utility>

#include "ir/nest/traverse.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/nest/share_scratch.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/group_parts.h"
#include "rewrites/recipes/on_host.h"
#include "rewrites/recipes/tile_stages.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

// Of a block that computes a tile together, and of a warp.
constexpr int64_t kBlockThreads = 256, kLanes = stencil::kLanesOfWarp;

class GroupKernel {
 public:
  // In strips of at most so many rows. `waits_always`: between stages that need nothing of each other, too, so that their tiles may have the same
  // memory.
  GroupKernel(const std::vector<const StageCode*>& stages, const std::vector<bool>& is_stored,
              const stencil::FittedTile& schedule, int64_t most_rows, bool waits_always, NameSource& names)
      : stages_(stages),
        names_(names),
        waits_always_(waits_always),
        tiles_(stages.size()),
        warps_(schedule.scope == stencil::TileScope::Warp ? std::optional(schedule.tiles_of_block) : std::nullopt),
        team_{names.fresh(warps_ ? "lane" : "thread"), warps_ ? kLanes : kBlockThreads,
              warps_ ? nest::Scope::Warp : nest::Scope::Block},
        warp_(warps_ ? names.fresh("warp") : Name()),
        tile_(stages, is_stored, schedule, names),
        computed_(stages, is_stored, tile_, schedule, schedule.tile, team_, own_part(), most_rows, names) {}

  Launch run(const std::string& name) {
    nest::Block body = tile_.origins();
    for (size_t s = 0; s < stages_.size(); ++s) {
      if (!computed_.is_alone(s)) continue;
      append(body, computed_.name_first(s));
      if (s + 1 < stages_.size()) allocate(s, body);
    }
    // Both bind the names of the stages' nests, and no name may be bound twice.
    nest::Block inside = in_order([&](size_t s) { return computed_.inside_borders(s); });
    inside = nest::renamed(inside, nest::bound_in(inside), names_);
    computed_.go_beyond_borders();
    nest::Block at_borders = in_order([&](size_t s) { return computed_.at_border(s); });
    const Name nothing = names_.fresh("nothing");
    at_borders = with_own_thread(at_borders, nothing);
    body.push_back(nest::stmt(nest::If{is_inside(), std::move(inside), std::move(at_borders)}));
    Launch launch = warps_ ? tile_for_each_warp(name, body, tile_, {warp_, *warps_, team_.thread}, stages_, names_)
                           : tile_for_each_block(name, std::move(body));
    launch.kernel.scalars.push_back({nothing, Type::I64});
    launch.scalar_args.emplace_back(i64(0));
    return launch;
  }

  bool omits_barriers() const { return omits_barriers_; }

 private:
  static Expr index(const Name& n) { return nest::var(n, Type::I64); }
  static void append(nest::Block& to, const nest::Block& more) { to.insert(to.end(), more.begin(), more.end()); }

  // At borders much is computed as inside of them. The device's compiler would do that before it asks where the tile is, and keep all of it in
  // registers; so a thread's number there is another for all that it knows, by adding a zero that it does not know.
  nest::Block with_own_thread(const nest::Block& at_borders, const Name& nothing) {
    const Name thread = names_.fresh(team_.thread.base);
    nest::Block code = {nest::stmt(nest::Let{thread, nest::add(index(team_.thread), index(nothing))})};
    append(code, nest::substitute({{team_.thread, index(thread)}}, at_borders));
    return code;
  }

  // ---- Who computes which tile. ----

  Launch tile_for_each_block(const std::string& name, nest::Block body) {
    body = {nest::stmt(nest::For{team_.thread, i64(team_.threads), nest::Role::Block, std::move(body)})};
    Expr num_blocks = i64(1);
    for (size_t d = tile_.dims(); d-- > 0;) {
      num_blocks = nest::mul(tile_.count(d), num_blocks);
      body = {nest::stmt(nest::For{tile_.number(d), tile_.count(d), nest::Role::Grid, std::move(body)})};
    }
    return launch_of_group(name, std::move(body), num_blocks, team_.threads, stages_);
  }

  // Of shared buffers: whose part it is.
  std::vector<Expr> own_part() const { return warps_ ? std::vector<Expr>{index(warp_)} : std::vector<Expr>{}; }

  // ---- What is computed in a tile. ----

  nest::Block in_order(const std::function<nest::Block(size_t)>& stage) {
    nest::Block body;
    nest::NameSet written;  // since the last barrier
    for (size_t s = 0; s < stages_.size(); ++s) {
      if (!computed_.is_alone(s)) continue;
      nest::Block code = stage(s);
      const nest::NameSet used = nest::free_names(code);
      const bool waits = std::ranges::any_of(written, [&](const Name& tile) { return used.contains(tile); });
      if (waits || (waits_always_ && !body.empty())) {
        body.push_back(nest::stmt(nest::Barrier{team_.scope}));
        written.clear();
      } else {
        omits_barriers_ |= !body.empty();
      }
      append(body, code);
      written.insert(tiles_[s].begin(), tiles_[s].end());
    }
    return body;
  }

  void allocate(size_t s, nest::Block& body) {
    std::vector<Expr> dims;
    if (warps_) dims.push_back(i64(*warps_));
    for (int64_t e : computed_.inside_box(s)) dims.push_back(i64(e));
    std::vector<std::optional<Name>> buffers(stages_[s]->results.size());
    for (size_t k = 0; k < buffers.size(); ++k) {
      if (!is_read_in_group(stages_, s, k)) continue;
      buffers[k] = names_.fresh(stages_[s]->arrays[k].base + "_tile");
      tiles_[s].push_back(*buffers[k]);
      const Type elem = element_type(*stages_[s], k);
      body.push_back(
          nest::stmt(nest::Alloc{{*buffers[k], elem, nest::Space::Shared, dims, nest::dense_strides(dims)}}));
    }
    computed_.keep_in_shared(s, buffers);
  }

  // Whether no point of the tile is near a border, or beyond.
  Expr is_inside() const {
    std::vector<std::vector<int64_t>> boxes;
    for (size_t s = 0; s < stages_.size(); ++s) boxes.push_back(computed_.inside_box(s));
    return are_away_from_borders(stages_, tile_, boxes);
  }

  const std::vector<const StageCode*>& stages_;
  NameSource& names_;
  bool waits_always_, omits_barriers_ = false;
  std::vector<std::vector<Name>> tiles_;  // by stage: buffers of those results that others read
  std::optional<int64_t> warps_;          // of a block, if each has a tile of its own
  TeamOfThreads team_;                    // that computes a tile
  Name warp_;                             // its number in its block
  TilePlaces tile_;
  TileStages computed_;
};

// With tiles in the same shared memory that are not used at the same time.
Launch sharing_memory(Launch launch) {
  launch.kernel = nest::share_scratch(std::move(launch.kernel));
  return launch;
}

}  // namespace

Launch group_kernel(const std::string& name, const std::vector<const StageCode*>& stages,
                    const std::vector<bool>& is_stored, const stencil::FittedTile& schedule, NameSource& names,
                    const std::function<Launch(Launch)>& finish) {
  auto finished = [&](GroupKernel& group) {
    Launch launch = group.run(name);
    return sharing_memory(finish ? finish(std::move(launch)) : std::move(launch));
  };
  Launch result = with_room([&](int64_t most_rows) {
    GroupKernel group(stages, is_stored, schedule, most_rows, false, names);
    Launch launch = finished(group);
    if (!group.omits_barriers()) return launch;
    GroupKernel all_waits(stages, is_stored, schedule, most_rows, true, names);
    Launch waiting = finished(all_waits);
    return shared_bytes(waiting.kernel) < shared_bytes(launch.kernel) ? waiting : launch;
  });
  return with_known_on_host(std::move(result), names);
}

}  // namespace heddle::lower
