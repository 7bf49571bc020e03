#include "rewrites/recipes/point_threads.h"

#include <algorithm>
#include <array>

#include "ir/nest/traverse.h"
#include "rewrites/nest/while_holds.h"
#include "rewrites/points/block_shape.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/find_contraction.h"
#include "rewrites/recipes/reads_across.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

// Threads of a kernel whose threads have scratch memory: enough to fill the largest devices of today.
constexpr int64_t kMaxScratchThreads = 132 * 2048;
// On a processor: runs of points that its cores share well, and points of one that is long enough to forget what it costs.
constexpr int64_t kRunsOfLaunch = 256;
constexpr int64_t kPointsOfRun = 1024;
// Fewer points without loops are done before a run of them is begun.
constexpr int64_t kShortPointsOfRun = 64;
// What arrays of threads may take in all where only the threads know their sizes.
constexpr int64_t kMaxRoomBytes = int64_t{256} << 20;
// A block's threads share a tile of at most so many dimensions, the last ones; what its extents are called, and how many there are along each.
constexpr size_t kTiledDims = 3;
constexpr std::array kTileExtents = {"tile_x", "tile_y", "tile_z"};
constexpr std::array kTileCounts = {"tiles_x", "tiles_y", "tiles_z"};
// Of a tile whose neighbours along the last dimension find their elements far apart (reads_across.h): threads along the one before.
constexpr int64_t kThreadsAcross = 32;

// Whether a point may take any time.
bool repeats(const nest::Block& work) {
  bool found = has_loop(work);
  nest::for_each_stmt(work, [&](const nest::Stmt& s) { found |= std::holds_alternative<nest::While>(s->node); });
  return found;
}

class PointThreads {
 public:
  PointThreads(KernelBuilder&& kernel, PointsOfKernel points, NameSource& names)
      : kernel_(kernel), p_(std::move(points)), names_(names) {}

  Launch tiled() {
    if (std::ranges::all_of(p_.sizes, [](const Expr& e) { return nest::int_constant(e) == 1; })) return serial();
    size_t rank = p_.indices.size();
    const Expr one = i64(1), block = i64(kBlockSize);
    // Of the last dimensions, which share the block's threads.
    const size_t tiled = std::min(rank, kTiledDims), first_tiled = rank - tiled;
    std::vector<Expr> tiles(rank, one);
    if (rank == 1) {
      tiles[0] = block;
    } else {
      const bool tall = reads_across(p_.work, kernel_.buffers(), p_.indices[rank - 1], p_.indices[rank - 2]);
      std::vector<size_t> order;
      for (size_t k = rank; k-- > first_tiled;) order.push_back(k);
      if (tall) std::swap(order[0], order[1]);
      Expr left = block;
      for (const size_t k : order) {
        const Expr size = kernel_.host_value(p_.sizes[k]);
        const Expr along = tall && k == order[0]       ? nest::max(i64(1), nest::min(size, i64(kThreadsAcross)))
                           : !tall && k == order[0]    ? threads_of_row(size, block)
                           : tall || k != order.back() ? threads_along(size, left)
                                                       : left;
        tiles[k] = kernel_.launch_scalar(kTileExtents[rank - 1 - k], along);
        left = nest::div(left, kernel_.host_value(tiles[k]));
      }
    }

    nest::Block body;
    Expr inside = nest::constant(prim::Value::of_bool(true));
    std::vector<Name> blocks = p_.indices, threads(rank);
    std::vector<Expr> extents = p_.sizes;
    for (size_t k = first_tiled; k < rank; ++k) {
      // The host computes how many tiles there are, so that no thread has to divide.
      extents[k] = kernel_.launch_scalar(kTileCounts[rank - 1 - k],
                                         nest::ceil_div(kernel_.host_value(p_.sizes[k]), kernel_.host_value(tiles[k])));
      blocks[k] = names_.fresh(p_.indices[k].base + "_block");
      threads[k] = names_.fresh(p_.indices[k].base + "_thread");
      Expr index = nest::add(nest::mul(nest::var(blocks[k], Type::I64), tiles[k]), nest::var(threads[k], Type::I64));
      body.push_back(nest::stmt(nest::Let{p_.indices[k], index}));
      inside = nest::both(inside, nest::less(nest::var(p_.indices[k], Type::I64), p_.sizes[k]));
    }
    body.push_back(nest::stmt(nest::If{inside, std::move(p_.work), {}}));
    Expr num_threads = one, num_blocks = one;
    for (size_t k = rank; k-- > first_tiled;) {
      body = {loop(threads[k], tiles[k], nest::Role::Block, std::move(body))};
      num_threads = nest::mul(tiles[k], num_threads);
    }
    for (size_t k = rank; k-- > 0;) {
      body = {loop(blocks[k], extents[k], nest::Role::Grid, std::move(body))};
      num_blocks = nest::mul(extents[k], num_blocks);
    }
    return std::move(kernel_).finish(p_.kernel, std::move(body), num_blocks, num_threads, std::nullopt);
  }

  Launch by_runs() {
    const size_t rank = p_.indices.size();
    Expr total = i64(1);
    for (const Expr& s : p_.sizes) total = nest::mul(total, kernel_.host_value(s));
    const int64_t least = repeats(p_.work) ? 1 : kShortPointsOfRun;
    Expr points = nest::max(i64(least), nest::min(nest::ceil_div(total, i64(kRunsOfLaunch)), i64(kPointsOfRun)));
    // Extents of a run along the last dimension and, where rows are shorter than that, the one before.
    std::vector<Expr> extents = {kernel_.launch_scalar("columns", points)};
    if (rank > 1) {
      Expr of_rows = nest::div(points, nest::max(i64(1), kernel_.host_value(p_.sizes[rank - 1])));
      extents.push_back(kernel_.launch_scalar("rows", nest::max(i64(1), of_rows)));
    }

    nest::Block body = std::move(p_.work), firsts;
    std::vector<Name> grid = p_.indices;
    std::vector<Expr> blocks = p_.sizes;
    for (size_t back = 0; back < extents.size(); ++back) {
      const size_t k = rank - 1 - back;
      const Name& index = p_.indices[k];
      Name point = names_.fresh(index.base + "_point"), first = names_.fresh(index.base + "_first");
      Expr begin = nest::var(first, Type::I64);
      grid[k] = names_.fresh(index.base + "_run");
      blocks[k] = kernel_.launch_scalar(
          "runs", nest::ceil_div(kernel_.host_value(p_.sizes[k]), kernel_.host_value(extents[back])));
      firsts.push_back(nest::stmt(nest::Let{first, nest::mul(nest::var(grid[k], Type::I64), extents[back])}));
      body.insert(body.begin(), nest::stmt(nest::Let{index, nest::add(begin, nest::var(point, Type::I64))}));
      body = {
          loop(point, nest::min(extents[back], nest::sub(p_.sizes[k], begin)), nest::Role::Serial, std::move(body))};
    }
    firsts.insert(firsts.end(), body.begin(), body.end());
    body = {loop(names_.fresh("lane"), i64(1), nest::Role::Block, std::move(firsts))};
    Expr num_blocks = i64(1);
    for (size_t k = rank; k-- > 0;) {
      body = {loop(grid[k], blocks[k], nest::Role::Grid, std::move(body))};
      num_blocks = nest::mul(blocks[k], num_blocks);
    }
    return std::move(kernel_).finish(p_.kernel, std::move(body), num_blocks, i64(1), std::nullopt);
  }

  Launch bounded() {
    Expr total = nest::constant(int64_t{1});
    for (const Expr& s : p_.sizes) total = nest::mul(total, s);
    if (kernel_.has_rooms()) return roomy(total);
    Expr block = i64(threads_of_block());
    Expr host_total = kernel_.host_value(total);
    Expr host_blocks = nest::min(nest::ceil_div(host_total, block), i64(most_threads() / threads_of_block()));
    Expr num_blocks = kernel_.launch_scalar("num_blocks", host_blocks);
    Name b = names_.fresh("block"), t = names_.fresh("lane");
    nest::Block body = of_grid(rounds(total), b, t, num_blocks);
    return std::move(kernel_).finish(p_.kernel, std::move(body), num_blocks, block, nest::mul(host_blocks, block));
  }

  Launch serial() {
    Expr one = nest::constant(int64_t{1});
    nest::Block body = std::move(p_.work);
    for (size_t k = p_.indices.size(); k-- > 0;) {
      if (nest::int_constant(p_.sizes[k]) == 1) {
        body = nest::substitute({{p_.indices[k], i64(0)}}, body);
      } else {
        body = {loop(p_.indices[k], p_.sizes[k], nest::Role::Serial, std::move(body))};
      }
    }
    if (kernel_.has_scratch()) {
      body.insert(body.begin(), nest::stmt(nest::Let{kernel_.thread(), nest::constant(int64_t{0})}));
    }
    body = {loop(names_.fresh("lane"), one, nest::Role::Block, std::move(body))};
    body = {loop(names_.fresh("block"), one, nest::Role::Grid, std::move(body))};
    return std::move(kernel_).finish(p_.kernel, std::move(body), one, one, one);
  }

 private:
  // As bounded, with as many threads as have room for their arrays.
  Launch roomy(const Expr& total) {
    Expr at_once = nest::div(nest::constant(kMaxRoomBytes), nest::max(i64(1), kernel_.scratch_bytes()));
    Expr most = nest::min(i64(most_threads()), kernel_.host_value(total));
    Expr threads = nest::max(i64(1), nest::min(at_once, most));
    Expr num_blocks = kernel_.launch_scalar("num_blocks", nest::ceil_div(threads, i64(threads_of_block())));
    Name b = names_.fresh("block"), t = names_.fresh("lane");
    nest::Block body = rounds(total);
    if (kernel_.finds_sizes()) {
      body = nest::while_holds(body, kernel_.fits().name);
      nest::Block begin = {
          nest::stmt(nest::Alloc{kernel_.fits()}),
          nest::stmt(nest::Store{kernel_.fits().name, {}, nest::constant(prim::Value::of_bool(true))})};
      body.insert(body.begin(), begin.begin(), begin.end());
    }
    Expr has_memory = nest::less(nest::var(kernel_.thread(), Type::I64), nest::var(kernel_.num_threads(), Type::I64));
    body = {nest::stmt(nest::If{has_memory, std::move(body), {}})};
    body = of_grid(std::move(body), b, t, num_blocks);
    return std::move(kernel_).finish(p_.kernel, std::move(body), num_blocks, i64(threads_of_block()), threads);
  }

  // What a thread does that has the points thread, thread + num_threads, ...
  nest::Block rounds(const Expr& total) {
    Expr num_threads = nest::var(kernel_.num_threads(), Type::I64);
    Expr thread = nest::var(kernel_.thread(), Type::I64);
    Name round = names_.fresh("round"), flat = names_.fresh("point");
    nest::Block point = {
        nest::stmt(nest::Let{flat, nest::add(nest::mul(nest::var(round, Type::I64), num_threads), thread)})};
    nest::Block decode = decoded(nest::var(flat, Type::I64), p_.indices, p_.sizes, names_);
    decode.insert(decode.end(), p_.work.begin(), p_.work.end());
    point.push_back(nest::stmt(nest::If{nest::less(nest::var(flat, Type::I64), total), std::move(decode), {}}));
    return {loop(round, nest::ceil_div(total, num_threads), nest::Role::Serial, std::move(point))};
  }

  // Of kernels whose threads have memory of their own.
  int64_t threads_of_block() const { return kernel_.host().layouts.device() == Device::Blocks ? kBlockSize : 1; }
  int64_t most_threads() const {
    return kernel_.host().layouts.device() == Device::Blocks ? kMaxScratchThreads : kRunsOfLaunch;
  }

  // `body` for each thread of blocks of the usual size.
  nest::Block of_grid(nest::Block body, const Name& b, const Name& t, const Expr& num_blocks) {
    Expr block = i64(threads_of_block());
    Expr thread = nest::add(nest::mul(nest::var(b, Type::I64), block), nest::var(t, Type::I64));
    body.insert(body.begin(), nest::stmt(nest::Let{kernel_.thread(), thread}));
    body = {loop(t, block, nest::Role::Block, std::move(body))};
    return {loop(b, num_blocks, nest::Role::Grid, std::move(body))};
  }

  KernelBuilder& kernel_;
  PointsOfKernel p_;
  NameSource& names_;
};

}  // namespace

Launch in_tiles(KernelBuilder&& kernel, PointsOfKernel points, NameSource& names) {
  return PointThreads(std::move(kernel), std::move(points), names).tiled();
}

Launch in_runs(KernelBuilder&& kernel, PointsOfKernel points, NameSource& names) {
  return PointThreads(std::move(kernel), std::move(points), names).by_runs();
}

Launch in_rounds(KernelBuilder&& kernel, PointsOfKernel points, NameSource& names) {
  return PointThreads(std::move(kernel), std::move(points), names).bounded();
}

Launch one_by_one(KernelBuilder&& kernel, PointsOfKernel points, NameSource& names) {
  return PointThreads(std::move(kernel), std::move(points), names).serial();
}

nest::Block decoded(Expr rest, const std::vector<Name>& indices, const std::vector<Expr>& sizes, NameSource& names) {
  nest::Block lets;
  for (size_t k = indices.size(); k-- > 1;) {
    lets.push_back(nest::stmt(nest::Let{indices[k], nest::mod(rest, sizes[k])}));
    Name next = names.fresh("rest");
    lets.push_back(nest::stmt(nest::Let{next, nest::div(rest, sizes[k])}));
    rest = nest::var(next, Type::I64);
  }
  lets.push_back(nest::stmt(nest::Let{indices[0], rest}));
  return lets;
}

}  // namespace heddle::lower
