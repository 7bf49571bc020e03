#include "rewrites/recipes/strips.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/points/block_shape.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/strip_code.h"
#include "rewrites/recipes/way.h"
#include "rewrites/recipes/wide_columns.h"
#include "rewrites/stencil/tiles.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

constexpr int64_t kRows = 4;
// Of points that read windows of at least so many rows: a strip of four would read each row twice and more. stencil_chain's kernels with windows of
// five rows take 6 % less time so, with eight rows a strip no less than with six. Elsewhere several columns a thread are not known to gain.
constexpr int64_t kTall = 5, kRowsOfTallWindows = 6;
// Strips of a block below each other, where there are as many: they share rows with each other.
constexpr int64_t kStripsBelow = 4;

bool is_narrow(const recognize::Index& i) {
  auto extent = nest::int_constant(i.extent);
  return extent && *extent <= stencil::kNarrow;
}

// The last dimension that is not narrow; none if there is none.
std::optional<size_t> last_wide(const std::vector<recognize::Index>& indices) {
  for (size_t d = indices.size(); d-- > 0;) {
    if (!is_narrow(indices[d])) return d;
  }
  return std::nullopt;
}

bool has_tall_windows(const StageCode& stage, size_t y) {
  return std::ranges::any_of(stage.reads, [&](const recognize::WindowedRead& read) {
    return std::ranges::any_of(read.windows, [&](const stencil::Window& w) {
      return w.follows == y && w.num == 1 && w.den == 1 && w.hi - w.lo + 1 >= kTall;
    });
  });
}

// On an H200 a two-stage blur of two bytes takes 9 % less time with 16 rows than with 8.
int64_t rows_that_share(const StageCode& stage, size_t y) {
  constexpr int64_t more = 2 * kFewestRowsThatShare;
  const bool have_room = most_rows(stage, more) == more && columns_of(stage, {y, y + 1, more}) > 1;
  return have_room ? more : kFewestRowsThatShare;
}

// No more than there are in all.
int64_t rows_of(const StageCode& stage, size_t y) {
  const int64_t rows = stage.shares_rows            ? rows_that_share(stage, y)
                       : has_tall_windows(stage, y) ? kRowsOfTallWindows
                                                    : kRows;
  auto extent = nest::int_constant(stage.indices[y].extent);
  return most_rows(stage, std::min(rows, std::max<int64_t>(1, extent.value_or(rows))));
}

}  // namespace

int64_t rows_of_strips(const StageCode& stage) {
  const std::optional<size_t> x = last_wide(stage.indices);
  return x && *x > 0 ? rows_of(stage, *x - 1) : 1;
}

namespace {

class StripsKernel {
 public:
  StripsKernel(const StageCode& stage, NameSource& names)
      : stage_(stage),
        x_(*last_wide(stage.indices)),
        y_(x_ - 1),
        rows_(rows_of(stage, y_)),
        columns_(columns_of_strips(stage)),
        names_(names),
        host_(host_values(stage.launch)) {}

  Launch run() {
    launch_ = stage_.launch;
    Expr across = nest::ceil_div(host(points_across()), i64(columns_));
    Expr strips = nest::ceil_div(host(stage_.indices[y_].extent), i64(rows_));
    Expr below = nest::min(power_of_two(log2_up(nest::max(strips, i64(1)))), i64(kStripsBelow));
    Expr width = nest::min(across, nest::div(i64(kBlockSize), below));
    // All threads of a block fold together, as many as there always are.
    Expr tile_x =
        scalar("tile_x", folds() ? nest::select(nest::less(i64(1), width), power_of_two(log2_up(width)), i64(1))
                                 : threads_along(width, i64(kBlockSize)));
    const Expr beside = nest::div(i64(kBlockSize), host(tile_x));
    Expr tile_y = scalar("tile_y", has_layers() ? threads_along(strips, beside) : beside);
    Expr tiles_x = scalar("tiles_x", nest::ceil_div(across, host(tile_x)));
    Expr strips_y = scalar("strips_y", nest::ceil_div(strips, host(tile_y)));

    Name yb = fresh_like(y_, "_block"), ty = fresh_like(y_, "_thread"), xb = fresh_like(x_, "_block"),
         tx = fresh_like(x_, "_thread");
    first_row_ = fresh_like(y_, "_first");
    Expr strip = nest::add(nest::mul(var(yb), tile_y), var(ty));
    nest::Block body = {nest::stmt(nest::Let{first_row_, nest::mul(strip, i64(rows_))})};
    const Expr number = nest::add(nest::mul(var(xb), tile_x), var(tx));
    nest::Block of_strip = columns_ > 1 ? columns(number) : column(number);
    body.insert(body.end(), of_strip.begin(), of_strip.end());
    Layers layers;
    if (has_layers()) body = of_layer(std::move(body), nest::div(beside, host(tile_y)), layers);

    Expr num_blocks = i64(1);
    auto loop = [&](const Name& i, const Expr& extent, nest::Role role) {
      if (role == nest::Role::Grid) num_blocks = nest::mul(extent, num_blocks);
      body = {nest::stmt(nest::For{i, extent, role, std::move(body)})};
    };
    loop(tx, tile_x, nest::Role::Block);
    loop(ty, tile_y, nest::Role::Block);
    if (has_layers()) loop(layers.thread, layers.tile, nest::Role::Block);
    loop(xb, tiles_x, nest::Role::Grid);
    loop(yb, strips_y, nest::Role::Grid);
    if (has_layers()) loop(layers.block, layers.tiles, nest::Role::Grid);
    for (size_t d = has_layers() ? y_ - 1 : y_; d-- > 0;) loop(index(d), stage_.indices[d].extent, nest::Role::Grid);
    launch_.kernel.body = std::move(body);
    launch_.num_blocks = num_blocks;
    launch_.block_size = nest::mul(tile_y, tile_x);
    if (has_layers()) launch_.block_size = nest::mul(layers.tile, launch_.block_size);
    keep_used(launch_);
    launch_.checks = stage_.checks;
    return std::move(launch_);
  }

 private:
  bool folds() const { return !stage_.folds.empty(); }
  bool has_layers() const { return y_ > 0 && !folds(); }

  const Name& index(size_t d) const { return stage_.indices[d].name; }
  Name fresh_like(size_t d, const std::string& suffix) { return names_.fresh(index(d).base + suffix); }

  // ---- Scalars that the host computes. ----

  Expr host(const Expr& over_parameters) const { return nest::substitute(host_, over_parameters); }

  Expr scalar(const std::string& base, const Expr& host_value) {
    if (nest::int_constant(host_value)) return host_value;
    Name name = names_.fresh(base);
    launch_.kernel.scalars.push_back({name, Type::I64});
    launch_.scalar_args.emplace_back(host_value);
    host_.insert_or_assign(name, host_value);
    return var(name);
  }

  // Of a loop that is not to be written out, with registers for all of its rounds: the device's compiler does not know.
  Expr how_often(int64_t times) {
    Name name = names_.fresh("times");
    launch_.kernel.scalars.push_back({name, Type::I64});
    launch_.scalar_args.emplace_back(i64(times));
    return var(name);
  }

  // ---- Layers: of the dimension before y, of which a block has several where they are small. ----

  struct Layers {
    Name block, thread;
    Expr tile, tiles;
  };

  nest::Block of_layer(nest::Block code, const Expr& most, Layers& layers) {
    const size_t z = y_ - 1;
    const Expr& extent = stage_.indices[z].extent;
    const Expr tile = threads_along(host(extent), most);
    layers = {fresh_like(z, "_block"), fresh_like(z, "_thread"), scalar("tile_z", tile),
              scalar("tiles_z", nest::ceil_div(host(extent), tile))};
    const Expr layer = nest::add(nest::mul(var(layers.block), layers.tile), var(layers.thread));
    return {nest::stmt(nest::Let{index(z), layer}),
            nest::stmt(nest::If{nest::less(var(index(z)), extent), std::move(code), {}})};
  }

  // ---- Points. ----

  // Of a row, those of narrow dimensions counted each.
  Expr points_across() const {
    Expr points = stage_.indices[x_].extent;
    for (size_t d = x_ + 1; d < stage_.indices.size(); ++d) points = nest::mul(points, stage_.indices[d].extent);
    return points;
  }

  void place_across(Expr rest, nest::Block& lets) {
    for (size_t d = stage_.indices.size(); d-- > x_ + 1;) {
      Name number = fresh_like(d, "_number");
      lets.push_back(nest::stmt(nest::Let{number, rest}));
      lets.push_back(nest::stmt(nest::Let{index(d), nest::mod(var(number), stage_.indices[d].extent)}));
      rest = nest::div(var(number), stage_.indices[d].extent);
    }
    lets.push_back(nest::stmt(nest::Let{index(x_), rest}));
  }

  Expr row_index(const Expr& row) const { return nest::add(var(first_row_), row); }

  // Of the column with this number, which goes on over narrow dimensions.
  nest::Block column(const Expr& number) {
    nest::Block code;
    place_across(number, code);
    nest::Block inside = renamed(far_from_borders());
    code.push_back(nest::stmt(nest::If{is_inside(var(index(x_)), 1), std::move(inside), {anywhere()}}));
    return code;
  }

  // Of several columns at once (wide_columns.h), or else one after the other.
  nest::Block columns(const Expr& number) {
    const Name first = fresh_like(x_, "_first");
    const StripShape strip{y_, x_, rows_};
    std::vector<Expr> first_point;
    for (size_t d = 0; d < stage_.indices.size(); ++d)
      first_point.push_back(d == y_ ? var(first_row_) : d == x_ ? var(first) : var(index(d)));
    WideReads reads = wide_reads(stage_, strip, columns_, first_point, names_);
    auto compute = [&](const Expr& row, const EachLayer& each_column) {
      return nest::Block{nest::stmt(nest::Let{index(y_), row_index(row)}),
                         each_column([&](const Expr& column, Places places) {
                           places.insert(reads.places.begin(), reads.places.end());
                           nest::Block code = {nest::stmt(nest::Let{index(x_), nest::add(var(first), column)})};
                           nest::Block work = redirected(stage_.inside.work, places);
                           code.insert(code.end(), work.begin(), work.end());
                           return code;
                         })};
    };
    auto where = [&](size_t k, const Expr& row, const Expr& column) {
      std::vector<Expr> at;
      for (const Expr& e : stage_.places[k]) {
        at.push_back(nest::substitute({{index(y_), row_index(row)}, {index(x_), nest::add(var(first), column)}}, e));
      }
      return Element{stage_.results[k], at};
    };
    nest::Block wide = reads.loads;
    nest::Block work = computed_and_stored_at_once(stage_, rows_, columns_, compute, where, names_);
    wide.insert(wide.end(), work.begin(), work.end());
    const Expr aligned = rows_are_aligned(stage_, strip, columns_, launch_, names_);
    const Expr are_inside = is_inside(var(first), columns_);
    const Name each = names_.fresh("column");
    nest::Block one = {nest::stmt(nest::Let{index(x_), nest::add(var(first), var(each))})};
    nest::Block work_of_one = far_from_borders();
    one.insert(one.end(), work_of_one.begin(), work_of_one.end());
    nest::Stmt each_apart = nest::stmt(nest::For{each, how_often(columns_), nest::Role::Serial, renamed(one)});
    nest::Stmt apart = nest::stmt(nest::If{are_inside, {std::move(each_apart)}, {anywhere(first)}});
    return {nest::stmt(nest::Let{first, nest::mul(number, i64(columns_))}),
            nest::stmt(nest::If{
                nest::both(aligned, nest::both(are_inside, reads.are_inside)), renamed(wide), {std::move(apart)}})};
  }

  // Several pieces of code bind the names of the stage's nest, and no name may be bound twice.
  nest::Block renamed(const nest::Block& code) { return nest::renamed(code, nest::bound_in(code), names_); }

  // Whether no point of the strip, so many columns of it from `x` on, is near a border, or beyond.
  Expr is_inside(const Expr& x, int64_t columns) const {
    std::vector<Expr> first;
    for (size_t d = 0; d < stage_.indices.size(); ++d)
      first.push_back(d == y_ ? var(first_row_) : d == x_ ? x : var(index(d)));
    auto last = [&](size_t d, int64_t behind) {
      return nest::add(first[d], i64((d == y_ ? rows_ - 1 : d == x_ ? columns - 1 : 0) + behind));
    };
    Expr all = nest::constant(prim::Value::of_bool(true));
    std::vector<Expr> lasts;
    for (size_t d = 0; d < stage_.indices.size(); ++d) {
      lasts.push_back(last(d, 0));
      const int64_t margin = stage_.inside.margin[d];
      if (margin == 0 && d != x_ && d != y_) continue;  // the launch sees to it
      if (margin > 0) all = nest::both(all, nest::less(i64(margin - 1), first[d]));
      all = nest::both(all, nest::less(last(d, margin), stage_.indices[d].extent));
    }
    return nest::both(all, within_limits(stage_.inside, stage_.indices, first, lasts));
  }

  nest::Block far_from_borders() {
    auto compute = [&](const Expr& row, const Places& values) {
      nest::Block code = {nest::stmt(nest::Let{index(y_), row_index(row)})};
      nest::Block work = redirected(stage_.inside.work, values);
      code.insert(code.end(), work.begin(), work.end());
      return code;
    };
    auto where = [&](size_t k, const Expr& row) {
      std::vector<Expr> at;
      for (const Expr& e : stage_.places[k]) at.push_back(nest::substitute({{index(y_), row_index(row)}}, e));
      return std::vector<Element>{{stage_.results[k], at}};
    };
    return computed_and_stored(stage_, rows_, compute, where, names_);
  }

  nest::Stmt anywhere() {
    Name row = names_.fresh("row");
    return nest::stmt(nest::For{row, i64(rows_), nest::Role::Serial, point(var(row))});
  }
  // Of several columns.
  nest::Stmt anywhere(const Name& first_column) {
    Name number = names_.fresh("point");
    nest::Block body = {
        nest::stmt(nest::Let{index(x_), nest::add(var(first_column), nest::mod(var(number), i64(columns_)))})};
    nest::Block of_row = point(nest::div(var(number), i64(columns_)));
    body.insert(body.end(), of_row.begin(), of_row.end());
    return nest::stmt(nest::For{number, how_often(rows_ * columns_), nest::Role::Serial, std::move(body)});
  }
  nest::Block point(const Expr& row) const {
    Expr exists = nest::both(nest::less(var(index(y_)), stage_.indices[y_].extent),
                             nest::less(var(index(x_)), stage_.indices[x_].extent));
    return {nest::stmt(nest::Let{index(y_), row_index(row)}), nest::stmt(nest::If{exists, stage_.work, {}})};
  }

  const StageCode& stage_;
  const size_t x_, y_;
  const int64_t rows_, columns_;
  NameSource& names_;
  nest::Substitution host_;  // values of parameters
  Launch launch_;
  Name first_row_;
};

bool lies_row_by_row(const Plan& plan) {
  return std::ranges::all_of(plan.results, [](const ResultPlace& r) {
    const auto* fresh = std::get_if<FreshResult>(&r);
    return !fresh || std::ranges::is_sorted(fresh->perm);
  });
}

bool sizes_are_known(const StageCode& stage) {
  const nest::Substitution host = host_values(stage.launch);
  return std::ranges::all_of(stage.indices, [&](const recognize::Index& i) {
    return std::ranges::all_of(nest::free_names(i.extent), [&](const Name& n) { return host.contains(n); });
  });
}

}  // namespace

bool may_have_strips(const StageCode& stage, const Plan& direct) {
  const std::optional<size_t> x = last_wide(stage.indices);
  return x && *x > 0 && lies_row_by_row(direct) && sizes_are_known(stage);
}

bool may_have_columns(const StageCode& stage) {
  const std::optional<size_t> x = last_wide(stage.indices);
  return x && *x > 0 && stage.folds.empty() && may_have_columns(stage, {*x - 1, *x, 1});
}

int64_t columns_of_strips(const StageCode& stage) {
  const size_t x = *last_wide(stage.indices), y = x - 1;
  if (!stage.folds.empty()) return 1;
  return stage.shares_rows || has_tall_windows(stage, y) ? columns_of(stage, {y, x, rows_of(stage, y)}) : 1;
}

std::optional<Launch> strips_kernel(const StageCode& stage, const Plan& direct, NameSource& names) {
  if (!may_have_strips(stage, direct)) return std::nullopt;
  const bool has_borders =
      !stage.inside.limits.empty() || std::ranges::any_of(stage.inside.margin, [](int64_t m) { return m > 0; });
  const bool has_rows = rows_of(stage, *last_wide(stage.indices) - 1) > 1;
  if (!has_rows && !has_borders && !stage.computes_others) return std::nullopt;
  return StripsKernel(stage, names).run();
}

}  // namespace heddle::lower
