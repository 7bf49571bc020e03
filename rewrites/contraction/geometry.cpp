#include "rewrites/contraction/geometry.h"

#include "rewrites/contraction/statement_writer.h"

namespace heddle::contraction {

using nest::add;
using nest::ceil_div;
using nest::constant;
using nest::Expr;
using nest::mul;
using nest::sub;

namespace {

// Shared memory of a buffer begins at a multiple of it.
constexpr int64_t kSharedAlignment = 16;

class Geometer {
 public:
  Geometer(const recognize::Contraction& c, const Structure& structure, const Schedule& schedule)
      : c_(c), structure_(structure), schedule_(schedule) {}

  Geometry run() {
    threads();
    reduction();
    for (size_t o = 0; o < c_.operands.size(); ++o) g_.operands.push_back(operand(o));
    result();
    shared_bytes();
    return std::move(g_);
  }

 private:
  void threads() {
    g_.threads = g_.slices = schedule_.slices;
    for (size_t p = 0; p < schedule_.parallel.size(); ++p) {
      const Schedule::Parallel& tile = schedule_.parallel[p];
      g_.points.push_back(tile.points);
      g_.threads_along.push_back(mul(tile.warps, tile.lanes));
      g_.threads = mul(g_.threads, g_.threads_along[p]);
      g_.block_tile.push_back(mul(g_.threads_along[p], g_.points[p]));
      g_.blocks_along.push_back(ceil_div(c_.parallel[p].extent, g_.block_tile[p]));
    }
    g_.num_blocks = product(g_.blocks_along);
  }

  void reduction() {
    size_t num_reduction = c_.reduction.size();
    g_.sliced = schedule_.sliced;
    g_.groups_of_slice = one();
    Expr none_is_paired = constant(prim::Value::of_bool(true));
    for (size_t r = 0; r < num_reduction; ++r) {
      const Expr& extent = c_.reduction[r].extent;
      g_.chunk.push_back(schedule_.reduction[r].chunk);
      g_.unroll.push_back(schedule_.reduction[r].unroll);
      g_.num_chunks.push_back(ceil_div(extent, g_.chunk[r]));
      Expr groups = g_.groups(r, nest::min(extent, g_.chunk[r]));
      g_.groups_of_slice = mul(g_.groups_of_slice, r == g_.sliced ? g_.rounds(groups) : groups);
      // One even number of groups suffices: those of a whole chunk, if there is one, and those of the last.
      Expr pairs = r == g_.sliced ? mul(constant(int64_t{2}), g_.slices) : constant(int64_t{2});
      auto odd = [&](const Expr& n) { return nest::less(zero(), nest::mod(g_.groups(r, n), pairs)); };
      Expr odd_whole = nest::both(odd(g_.chunk[r]), nest::negate(nest::less(extent, g_.chunk[r])));
      Expr paired = nest::both(nest::negate(odd_whole), nest::negate(odd(nest::mod(extent, g_.chunk[r]))));
      none_is_paired = nest::both(none_is_paired, nest::negate(paired));
    }
    g_.groups_are_paired = nest::negate(none_is_paired);
  }

  // Of a block in its first chunk.
  Box tile_box() const {
    Box box;
    for (const Expr& e : g_.block_tile) box.push_back({zero(), e});
    for (const Expr& e : g_.chunk) box.push_back({zero(), e});
    return box;
  }

  const std::vector<size_t>& order(size_t operand) const { return schedule_.operands[operand].order; }

  OperandGeometry operand(size_t o) const {
    const std::vector<DimMap>& maps = structure_.maps[o];
    prim::Type elem = c_.operands[o].elem;
    const Schedule::Operand& how = schedule_.operands[o];
    OperandGeometry g;
    Box block = tile_box(), points;
    for (const DimMap& m : maps) g.footprint.push_back(footprint(m, block).extent);
    g.members = how.by_group ? g_.unroll : std::vector<Expr>(g_.unroll.size(), one());
    for (const Expr& e : g_.points) points.push_back({zero(), e});
    for (const Expr& e : g.members) points.push_back({zero(), e});

    g.tile.push_back(schedule_.stages);
    for (size_t d : order(o)) {
      g.tile.push_back(g.footprint[d]);
      g.registers.push_back(footprint(maps[d], points).extent);
    }
    g.copied = g.footprint;
    g.part = g.row = g.columns = g.reach = one();
    g.first = zero();
    if (!maps.empty()) {
      size_t last = order(o).back();
      g.first = footprint(maps[last], block).low;
      g.part = g.tile.back();
      // Rows begin where a wide access may begin.
      g.row = round_up(g.part, quantum(elem));
      g.tile.back() = add(g.row, how.padding);
      g.reach = g.registers.back();
      g.registers.back() = round_up(g.reach, how.load_width);
      // Wide loads read whole multiples of their width, though what they read beyond the footprint is not used.
      g.copied[last] = round_up(g.copied[last], how.load_width);
      g.columns = ceil_div(g.copied.back(), how.copy_width);
      apart(g, o);
    }
    g.rows = product({g.copied.begin(), g.copied.end() - (g.copied.empty() ? 0 : 1)});
    g.abreast = nest::min(g.columns, g_.threads);
    g.at_once = nest::div(g_.threads, g.abreast);
    g.rounds_right = ceil_div(g.columns, g.abreast);
    g.rounds_down = ceil_div(g.rows, g.at_once);
    return g;
  }

  void apart(OperandGeometry& g, size_t o) const {
    for (size_t p = 0; p < c_.parallel.size(); ++p) {
      Box neighbours(c_.parallel.size() + c_.reduction.size(), {zero(), one()});
      neighbours[p].extent = constant(int64_t{2});
      auto along = [&](size_t d) { return sub(footprint(structure_.maps[o][d], neighbours).extent, one()); };
      Expr rows = zero(), stride = one();
      for (size_t k = order(o).size() - 1; k-- > 0;) {
        size_t d = order(o)[k];
        rows = add(rows, mul(along(d), stride));
        stride = mul(stride, g.footprint[d]);
      }
      g.rows_apart.push_back(rows);
      g.columns_apart.push_back(along(order(o).back()));
    }
  }

  void result() {
    prim::Type elem = c_.neutral.type;
    for (size_t p = 0; p < g_.points.size(); ++p) {
      g_.result_box.push_back(p < first_together(g_.points.size()) ? g_.threads_along[p] : g_.block_tile[p]);
    }
    g_.result_tile = g_.result_box;
    g_.result_tile.insert(g_.result_tile.begin(), g_.slices);
    Expr& row = g_.result_tile.back();
    row = add(in_result_row(schedule_.parallel.back().run, elem, row), quantum(elem));
    row = mul(schedule_.result_shared, row);
  }

  void shared_bytes() {
    g_.shared_bytes = zero();
    auto count = [&](const std::vector<Expr>& dims, prim::Type elem) {
      Expr bytes = mul(product(dims), constant(int64_t{prim::size_bytes(elem)}));
      g_.shared_bytes = add(g_.shared_bytes, round_up(bytes, constant(kSharedAlignment)));
    };
    for (size_t o = 0; o < g_.operands.size(); ++o) count(g_.operands[o].tile, c_.operands[o].elem);
    count(g_.result_tile, c_.neutral.type);
  }

  const recognize::Contraction& c_;
  const Structure& structure_;
  const Schedule& schedule_;
  Geometry g_;
};

}  // namespace

Expr Geometry::groups(size_t reduction_index, const Expr& indices) const {
  return ceil_div(indices, unroll[reduction_index]);
}

Geometry geometry_of(const recognize::Contraction& c, const Structure& structure, const Schedule& schedule) {
  return Geometer(c, structure, schedule).run();
}

Expr runs_are_wide(const Expr& run, prim::Type elem) { return nest::less(nest::mod(run, quantum(elem)), one()); }

Expr in_result_row(const Expr& run, prim::Type elem, const Expr& x) {
  Expr wide = quantum(elem);
  Expr is_long = nest::both(nest::less(wide, run), runs_are_wide(run, elem));
  return add(x, mul(nest::div(x, run), nest::select(is_long, wide, zero())));
}

}  // namespace heddle::contraction
