#include "rewrites/recipes/strips.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/points/block_shape.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/strip_code.h"
#include "rewrites/recipes/way.h"
#include "rewrites/stencil/tiles.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

constexpr int64_t kRows = 4;
// Of points that read windows of at least so many rows: a strip of four would read each row twice and more. stencil_chain's kernels with windows of
// five rows take 6 % less time so, with eight rows a strip no less than with six.
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

// No more than there are in all.
int64_t rows_of(const StageCode& stage, size_t y) {
  const int64_t rows = has_tall_windows(stage, y) ? kRowsOfTallWindows : kRows;
  auto extent = nest::int_constant(stage.indices[y].extent);
  return most_rows(stage, std::min(rows, std::max<int64_t>(1, extent.value_or(rows))));
}

class StripsKernel {
 public:
  StripsKernel(const StageCode& stage, NameSource& names)
      : stage_(stage),
        x_(*last_wide(stage.indices)),
        y_(x_ - 1),
        rows_(rows_of(stage, y_)),
        names_(names),
        host_(host_values(stage.launch)) {}

  Launch run() {
    launch_ = stage_.launch;
    Expr across = host(points_across());
    Expr strips = nest::ceil_div(host(stage_.indices[y_].extent), i64(rows_));
    Expr below = nest::min(power_of_two(log2_up(nest::max(strips, i64(1)))), i64(kStripsBelow));
    Expr width = nest::min(across, nest::div(i64(kBlockSize), below));
    Expr tile_x = scalar("tile_x", nest::select(nest::less(i64(1), width), power_of_two(log2_up(width)), i64(1)));
    Expr tile_y = scalar("tile_y", nest::div(i64(kBlockSize), host(tile_x)));
    Expr tiles_x = scalar("tiles_x", nest::ceil_div(across, host(tile_x)));
    Expr strips_y = scalar("strips_y", nest::ceil_div(strips, host(tile_y)));

    Name yb = fresh_like(y_, "_block"), ty = fresh_like(y_, "_thread"), xb = fresh_like(x_, "_block"),
         tx = fresh_like(x_, "_thread");
    first_row_ = fresh_like(y_, "_first");
    Expr strip = nest::add(nest::mul(var(yb), tile_y), var(ty));
    nest::Block body = {nest::stmt(nest::Let{first_row_, nest::mul(strip, i64(rows_))})};
    place_across(nest::add(nest::mul(var(xb), tile_x), var(tx)), body);
    nest::Block inside = far_from_borders();
    // Both bind the names of the stage's nest, and no name may be bound twice.
    inside = nest::renamed(inside, nest::bound_in(inside), names_);
    body.push_back(nest::stmt(nest::If{is_inside(), std::move(inside), {anywhere()}}));

    Expr num_blocks = i64(1);
    auto loop = [&](const Name& i, const Expr& extent, nest::Role role) {
      if (role == nest::Role::Grid) num_blocks = nest::mul(extent, num_blocks);
      body = {nest::stmt(nest::For{i, extent, role, std::move(body)})};
    };
    loop(tx, tile_x, nest::Role::Block);
    loop(ty, tile_y, nest::Role::Block);
    loop(xb, tiles_x, nest::Role::Grid);
    loop(yb, strips_y, nest::Role::Grid);
    for (size_t d = y_; d-- > 0;) loop(index(d), stage_.indices[d].extent, nest::Role::Grid);
    launch_.kernel.body = std::move(body);
    launch_.num_blocks = num_blocks;
    launch_.block_size = nest::mul(tile_y, tile_x);
    keep_used(launch_);
    launch_.checks = stage_.checks;
    return std::move(launch_);
  }

 private:
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

  // Whether no point of the strip is near a border, or beyond.
  Expr is_inside() const {
    Expr all = nest::constant(prim::Value::of_bool(true));
    for (size_t d = 0; d < stage_.indices.size(); ++d) {
      const int64_t margin = stage_.inside.margin[d];
      if (margin == 0 && d != x_ && d != y_) continue;  // the launch sees to it
      Expr first = d == y_ ? var(first_row_) : var(index(d));
      if (margin > 0) all = nest::both(all, nest::less(i64(margin - 1), first));
      Expr last = d == y_ ? row_index(i64(rows_ - 1 + margin)) : nest::add(first, i64(margin));
      all = nest::both(all, nest::less(last, stage_.indices[d].extent));
    }
    std::vector<Expr> first, last;
    for (size_t d = 0; d < stage_.indices.size(); ++d) {
      first.push_back(d == y_ ? var(first_row_) : var(index(d)));
      last.push_back(d == y_ ? row_index(i64(rows_ - 1)) : first[d]);
    }
    return nest::both(all, within_limits(stage_.inside, stage_.indices, first, last));
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
    Expr exists = nest::both(nest::less(var(index(y_)), stage_.indices[y_].extent),
                             nest::less(var(index(x_)), stage_.indices[x_].extent));
    nest::Block body = {nest::stmt(nest::Let{index(y_), row_index(var(row))}),
                        nest::stmt(nest::If{exists, stage_.work, {}})};
    return nest::stmt(nest::For{row, i64(rows_), nest::Role::Serial, std::move(body)});
  }

  const StageCode& stage_;
  const size_t x_, y_;
  const int64_t rows_;
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

std::optional<Launch> strips_kernel(const StageCode& stage, const Plan& direct, NameSource& names) {
  if (!may_have_strips(stage, direct)) return std::nullopt;
  const bool has_borders =
      !stage.inside.limits.empty() || std::ranges::any_of(stage.inside.margin, [](int64_t m) { return m > 0; });
  const bool has_rows = rows_of(stage, *last_wide(stage.indices) - 1) > 1;
  if (!has_rows && !has_borders && !stage.computes_others) return std::nullopt;
  return StripsKernel(stage, names).run();
}

}  // namespace heddle::lower
