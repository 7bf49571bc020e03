#include "rewrites/recipes/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "ir/nest/buffers.h"
#include "ir/nest/index_map.h"
#include "ir/nest/traverse.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/on_host.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;
using stencil::RowsWalked;

namespace {

constexpr int64_t kLanes = stencil::Walk::kLanes;
// Of an access of a thread, at most.
constexpr int64_t kAccessBytes = 16;

void append(nest::Block& to, const nest::Block& more) { to.insert(to.end(), more.begin(), more.end()); }
nest::Stmt let(const Name& name, Expr value) { return nest::stmt(nest::Let{name, std::move(value)}); }
Expr truth(bool b) { return nest::constant(prim::Value::of_bool(b)); }

// Rows that a lane keeps, of an image or of a result of a stage.
struct Rows {
  Name array;   // as stages call it
  Name buffer;  // [rows][columns of a lane], the newest row last
  RowsWalked kept;
  Type elem;
};

// A lane's point, as the code of a stage has it. At borders it stands for the nearest that exists.
struct Point {
  size_t stage;
  Expr row, column;
  int64_t number;  // of its column in the lane
};

struct Failing : nest::Walker<Failing> {
  bool found = false;
  void expr(const Expr& e) {
    if (const auto* o = std::get_if<nest::Operation>(&e->node); o && prim::can_fail(o->op)) {
      const bool is_known = o->args.size() == 2 && std::holds_alternative<nest::Const>(o->args[1]->node) &&
                            !nest::is_constant_zero(o->args[1]);
      found |= !is_known;
    }
    Walker::expr(e);
  }
  void stmt(const nest::Stmt& s) {
    found |= std::holds_alternative<nest::Fail>(s->node) || std::holds_alternative<nest::While>(s->node);
    Walker::stmt(s);
  }
};

// The code of a row of points with what it reads of rows that lanes keep. `before`: what lanes hand each other for it.
class Reading {
 public:
  Reading(const Stages& stages, const std::vector<Rows>& rows, const stencil::Walk& walk, Name lane, NameSource& names)
      : stages_(stages), rows_(rows), walk_(walk), lane_(std::move(lane)), names_(names) {}

  // `values`: buffers of so many columns for the stage's results.
  nest::Block of_point(const nest::Block& work, const Point& point, const std::vector<Name>& values) {
    const StageCode& stage = *stages_[point.stage];
    nest::Block code = {let(stage.indices[0].name, point.row), let(stage.indices[1].name, point.column)};
    append(code, work);
    code = nest::renamed(code, nest::bound_in(code), names_);
    for (size_t d = 0; d < 2; ++d) own_[d] = var(std::get<nest::Let>(code[d]->node).name);
    lets_.clear();
    nest::for_each_stmt(code, [&](const nest::Stmt& s) {
      if (const auto* l = std::get_if<nest::Let>(&s->node)) lets_.insert_or_assign(l->name, l->value);
    });
    Redirect(*this, point, values).body(code);
    return code;
  }

  const nest::Block& before() const { return before_; }

 private:
  struct Redirect : nest::Rebuilder<Redirect> {
    Reading& reading;
    const Point& point;
    const std::vector<Name>& values;

    Redirect(Reading& reading, const Point& point, const std::vector<Name>& values)
        : reading(reading), point(point), values(values) {}
    void expr(Expr& e) {
      Rebuilder::expr(e);
      const auto* load = std::get_if<nest::Load>(&e->node);
      if (!load) return;
      auto rows = std::ranges::find(reading.rows_, load->buffer, &Rows::array);
      if (rows != reading.rows_.end()) e = reading.chosen(*rows, point, load->index);
    }
    void stmts(const nest::Stmt& s, nest::Block& out) {
      Rebuilder::stmts(s, out);
      const auto* store = std::get_if<nest::Store>(&out.back()->node);
      if (!store) return;
      const std::vector<Name>& results = reading.stages_[point.stage]->results;
      auto result = std::ranges::find(results, store->buffer);
      if (result == results.end()) return;
      const auto k = static_cast<size_t>(result - results.begin());
      out.back() = nest::stmt(nest::Store{values[k], {i64(point.number)}, store->value});
    }
  };

  // How far a place is from the point's, where that is known. Of points that do not exist, what they read does not matter.
  std::optional<int64_t> distance(const Expr& place, const Expr& own) const {
    const nest::Definitions definitions = [&](const Name& n) {
      auto found = lets_.find(n);
      return found == lets_.end() ? nullptr : found->second;
    };
    const auto a = nest::from_expr(place, definitions), b = nest::from_expr(own, definitions);
    if (!a || !b) return std::nullopt;
    const auto difference = (*a - *b).as_constant();
    return difference ? std::optional<int64_t>(*difference) : std::nullopt;
  }

  // The element at that place; where it is not known which one it is, one of the window's.
  Expr chosen(const Rows& rows, const Point& p, const std::vector<Expr>& place) {
    const StageCode& stage = *stages_[p.stage];
    const auto read = std::ranges::find(stage.reads, rows.array, &recognize::WindowedRead::buffer);
    auto among = [&](const Expr& at, const Expr& own, size_t d, const std::function<Expr(int64_t)>& element) {
      if (const auto known = distance(at, own)) return element(*known);
      const stencil::Window& w = read->windows[d];
      Expr value = element(w.hi);
      for (int64_t k = w.hi; k-- > w.lo;) value = nest::select(equal_to(at, nest::add(own, i64(k))), element(k), value);
      return value;
    };
    return among(place[0], own_[0], 0, [&](int64_t down) {
      return among(place[1], own_[1], 1, [&](int64_t across) { return element(rows, p, down, p.number + across); });
    });
  }

  // `column`: counted from the lane's first.
  Expr element(const Rows& rows, const Point& p, int64_t down, int64_t column) {
    const int64_t ahead = walk_.stages[p.stage].ahead + down;
    const int64_t row = rows.kept.rows - 1 - (rows.kept.ahead - ahead);
    const int64_t columns = walk_.columns_of_lane;
    const int64_t lanes = column >= 0 ? column / columns : -((columns - 1 - column) / columns);
    Expr own = nest::load(rows.buffer, rows.elem, {i64(row), i64(column - lanes * columns)});
    if (lanes == 0) return own;
    auto [it, is_new] = received_.try_emplace({rows.buffer, row, column}, Name());
    if (is_new) {
      it->second = names_.fresh("received");
      const Expr other = nest::operation(prim::Op(prim::Family::And, Type::I64),
                                         {nest::add(var(lane_), i64(kLanes + lanes)), i64(kLanes - 1)});
      before_.push_back(nest::stmt(nest::Shuffle{it->second, own, other}));
    }
    return nest::var(it->second, rows.elem);
  }

  const Stages& stages_;
  const std::vector<Rows>& rows_;
  const stencil::Walk& walk_;
  Name lane_;
  NameSource& names_;
  std::array<Expr, 2> own_;  // the point's indices in its code
  nest::Substitution lets_;
  nest::Block before_;
  std::map<std::tuple<Name, int64_t, int64_t>, Name> received_;
};

class WalkKernel {
 public:
  WalkKernel(const Stages& stages, const std::vector<bool>& is_stored, const stencil::Walk& walk, NameSource& names)
      : stages_(stages),
        is_stored_(is_stored),
        walk_(walk),
        names_(names),
        block_(names.fresh("block")),
        warp_(names.fresh("warp")),
        lane_(names.fresh("lane")),
        number_(names.fresh("number")),
        first_row_(names.fresh("first_row")),
        end_row_(names.fresh("end_row")),
        first_column_(names.fresh("first_column")),
        column_(names.fresh("column")),
        is_own_(names.fresh("is_own")),
        is_inside_(names.fresh("is_inside")),
        turn_(names.fresh("turn")),
        row_(names.fresh("row")) {}

  Launch run(const std::string& name) {
    nest::Block body = places();
    for (const stencil::ImageWalked& image : walk_.images) keep_image(image, body);
    for (size_t s = 0; s < stages_.size(); ++s) keep_results(s, body);
    const Inside inside = is_inside();
    body.push_back(let(is_inside_, inside.always));

    nest::Block of_turn = {let(
        row_, nest::add(nest::sub(var(first_row_), i64(walk_.before)), nest::mul(var(turn_), i64(walk_.written_out))))};
    nest::Block far = rows(false), at_border = rows(true);
    const Expr is_far = nest::both(nest::var(is_inside_, Type::Bool), inside.in_turn);
    of_turn.push_back(nest::stmt(nest::If{is_far, std::move(far), std::move(at_border)}));
    const Expr left = nest::sub(nest::min(var(end_row_), extent(0)), var(first_row_));
    const Expr turns = nest::ceil_div(nest::add(left, i64(walk_.before)), i64(walk_.written_out));
    const Expr warps = nest::add(warps_at_borders(), warps_between()), exists = nest::less(var(number_), warps);
    const Name end = names_.fresh("turns");
    body.push_back(let(end, nest::select(nest::both(exists, nest::less(var(first_row_), extent(0))), turns, i64(0))));
    body.push_back(loop(turn_, var(end), nest::Role::Serial, std::move(of_turn)));

    body = {loop(lane_, i64(kLanes), nest::Role::Lane, std::move(body))};
    body = {loop(warp_, i64(walk_.warps_of_block), nest::Role::Warp, std::move(body))};
    const Expr blocks = nest::ceil_div(warps, i64(walk_.warps_of_block));
    body = {loop(block_, blocks, nest::Role::Grid, std::move(body))};
    Launch launch = launch_of_group(name, std::move(body), blocks, walk_.warps_of_block * kLanes, stages_);
    launch.kernel.scalars.insert(launch.kernel.scalars.end(), addresses_.begin(), addresses_.end());
    launch.scalar_args.insert(launch.scalar_args.end(), address_args_.begin(), address_args_.end());
    launch.kernel.bounds = {i64(walk_.warps_of_block * kLanes), i64(walk_.registers)};
    return with_known_on_host(std::move(launch), names_);
  }

 private:
  const Expr& extent(size_t d) const { return stages_.back()->indices[d].extent; }
  int64_t lane_columns() const { return walk_.columns_of_lane; }

  // ---- Which warp has which part of the image. ----

  Expr strips() const { return nest::ceil_div(extent(1), i64(walk_.columns())); }
  // Walk::segment, of sizes that are known when the kernel is launched.
  Expr segment() const {
    const Expr pieces = nest::add(strips(), i64(stencil::Walk::kAtBorders * (walk_.shorter_at_borders - 1)));
    const Expr segments = nest::max(i64(1), nest::div(i64(walk_.warps), pieces));
    return whole_turns(nest::max(nest::ceil_div(extent(0), segments), i64(walk_.least_segment)));
  }
  Expr segment_at_borders() const { return whole_turns(nest::ceil_div(segment(), i64(walk_.shorter_at_borders))); }
  Expr whole_turns(const Expr& rows) const {
    const Expr all = nest::add(rows, i64(walk_.before));
    const Expr turns = nest::ceil_div(all, i64(walk_.written_out));
    return nest::sub(nest::mul(turns, i64(walk_.written_out)), i64(walk_.before));
  }

  Expr strips_at_borders() const { return nest::min(strips(), i64(stencil::Walk::kAtBorders)); }
  Expr strips_between() const { return nest::sub(strips(), strips_at_borders()); }
  Expr warps_at_borders() const {
    return nest::mul(strips_at_borders(), nest::ceil_div(extent(0), segment_at_borders()));
  }
  Expr warps_between() const { return nest::mul(strips_between(), nest::ceil_div(extent(0), segment())); }

  // Those at borders come first, since each of their rows takes longer.
  nest::Block places() {
    const Name at_borders = names_.fresh("at_borders"), strip = names_.fresh("strip");
    const Name height = names_.fresh("height"), segment = names_.fresh("segment"), among = names_.fresh("among");
    nest::Block code = {
        let(number_, nest::add(nest::mul(var(block_), i64(walk_.warps_of_block)), var(warp_))),
        let(at_borders, nest::less(var(number_), warps_at_borders())),
        let(among,
            nest::select(nest::var(at_borders, Type::Bool), strips_at_borders(), nest::max(i64(1), strips_between()))),
        let(height, nest::select(nest::var(at_borders, Type::Bool), segment_at_borders(), this->segment())),
    };
    const Expr of_part =
        nest::select(nest::var(at_borders, Type::Bool), var(number_), nest::sub(var(number_), warps_at_borders()));
    const Name rest = names_.fresh("rest"), turn = names_.fresh("turn");
    append(code, {let(rest, of_part), let(segment, nest::div(var(rest), var(among))),
                  let(turn, nest::mod(var(rest), var(among)))});
    const Expr from_behind = nest::add(nest::sub(strips(), strips_at_borders()), var(turn));
    const Expr at_border = nest::select(nest::less(var(turn), i64(1)), i64(0), from_behind);
    const int64_t first_own = walk_.left / lane_columns(), end_own = kLanes - walk_.right / lane_columns();
    const Expr lane = var(lane_);
    append(code, {let(strip, nest::select(nest::var(at_borders, Type::Bool), at_border, nest::add(var(turn), i64(1)))),
                  let(first_row_, nest::mul(var(segment), var(height))),
                  let(end_row_, nest::add(var(first_row_), var(height))),
                  let(first_column_, nest::sub(nest::mul(var(strip), i64(walk_.columns())), i64(walk_.left))),
                  let(column_, nest::add(var(first_column_), nest::mul(lane, i64(lane_columns())))),
                  let(is_own_, nest::both(nest::less(i64(first_own - 1), lane), nest::less(lane, i64(end_own))))});
    return code;
  }

  // Whether none of the points and elements that a turn is about is near a border, or beyond: what is so of all turns, and of each.
  struct Inside {
    Expr always, in_turn;
  };
  Inside is_inside() const {
    Inside inside{truth(true), truth(true)};
    std::vector<Expr> required;
    auto require = [&](const Expr& e) {
      if (std::ranges::any_of(required, [&](const Expr& other) { return nest::equal(e, other); })) return;
      required.push_back(e);
      Expr& where = nest::free_names(e).contains(row_) ? inside.in_turn : inside.always;
      where = nest::both(where, e);
    };
    const int64_t columns = kLanes * lane_columns();
    for (size_t s = 0; s < stages_.size(); ++s) {
      const std::vector<Expr> first = {row_ahead(walk_.stages[s]), var(first_column_)};
      for (const Expr& e : away_from_borders(*stages_[s], first, {walk_.written_out, columns}, {true, true}))
        require(e);
    }
    for (size_t i = 0; i < walk_.images.size(); ++i) {
      const nest::Buffer& image = this->image(i);
      const Expr row = row_ahead(rows_[i].kept);
      require(nest::less(i64(-1), row));
      require(nest::less(nest::add(row, i64(walk_.written_out - 1)), image.dims[0]));
      require(nest::less(i64(-1), var(first_column_)));
      require(nest::less(nest::add(var(first_column_), i64(columns - 1)), image.dims[1]));
    }
    return inside;
  }
  Expr row_ahead(const RowsWalked& rows) const { return nest::add(var(row_), i64(rows.ahead)); }

  // ---- Where rows are kept. ----

  const nest::Buffer& buffer(const Name& array) const {
    for (const StageCode* s : stages_) {
      auto found = std::ranges::find(s->launch.kernel.buffers, array, &nest::Buffer::name);
      if (found != s->launch.kernel.buffers.end()) return *found;
    }
    throw Refused{internal_error(fmt::format("no stage has the buffer {}", array.text()))};
  }
  const nest::Buffer& image(size_t i) const { return buffer(rows_[i].array); }

  void keep(const Name& array, const RowsWalked& kept, Type elem, nest::Block& body) {
    const Rows rows{array, names_.fresh(array.base + "_rows"), kept, elem};
    const std::vector<Expr> dims = {i64(kept.rows), i64(lane_columns())};
    body.push_back(
        nest::stmt(nest::Alloc{{rows.buffer, elem, nest::Space::Register, dims, nest::dense_strides(dims)}}));
    const Expr zero = nest::constant(prim::zero(elem));
    body.push_back(for_each(kept.rows, [&](const Expr& row) {
      return for_each(lane_columns(), [&](const Expr& column) {
        return nest::stmt(nest::Store{rows.buffer, {row, column}, zero});
      });
    }));
    rows_.push_back(rows);
  }

  // The images come first, so that they have their numbers.
  void keep_image(const stencil::ImageWalked& image, nest::Block& body) {
    for (const StageCode* s : stages_) {
      for (const recognize::WindowedRead& r : s->reads) {
        if (r.buffer.text() != image.name) continue;
        return keep(r.buffer, image.kept, nest::buffer_named(s->launch.kernel.buffers, r.buffer).elem, body);
      }
    }
    throw Refused{internal_error(fmt::format("no stage reads {}", image.name))};
  }

  void keep_results(size_t s, nest::Block& body) {
    for (size_t k = 0; k < stages_[s]->results.size(); ++k) {
      if (is_read_in_group(stages_, s, k))
        keep(stages_[s]->arrays[k], walk_.stages[s], element_type(*stages_[s], k), body);
    }
  }

  nest::Stmt for_each(int64_t count, const std::function<nest::Stmt(const Expr& i)>& of) {
    const Name i = names_.fresh("i");
    return loop(i, i64(count), nest::Role::Unrolled, {of(var(i))});
  }

  // ---- What is computed in a turn. ----

  nest::Block rows(bool at_border) {
    const Name number = names_.fresh("number");
    const Expr row = nest::add(var(row_), var(number));
    nest::Block body;
    for (size_t i = 0; i < walk_.images.size(); ++i) load(i, row, at_border, body);
    for (size_t s = 0; s < stages_.size(); ++s) compute(s, row, at_border, body);
    for (const Rows& r : rows_) {
      if (r.kept.rows < 2) continue;
      body.push_back(for_each(r.kept.rows - 1, [&](const Expr& at) {
        return for_each(lane_columns(), [&](const Expr& column) {
          const Expr next = nest::load(r.buffer, r.elem, {nest::add(at, i64(1)), column});
          return nest::stmt(nest::Store{r.buffer, {at, column}, next});
        });
      }));
    }
    return {loop(number, i64(walk_.written_out), nest::Role::Unrolled, std::move(body))};
  }

  void load(size_t i, const Expr& last_row, bool at_border, nest::Block& body) {
    const Rows& rows = rows_[i];
    const nest::Buffer image = this->image(i);
    const Expr row = nest::add(last_row, i64(rows.kept.ahead));
    auto move = [&](nest::Role role) {
      const Name e = names_.fresh("e");
      const Expr column = nest::add(var(column_), var(e));
      Expr value = nest::load(image.name, rows.elem, {row, column});
      if (at_border)
        value = nest::select(exists({row, column}, image.dims), value, nest::constant(prim::zero(rows.elem)));
      return loop(e, i64(lane_columns()), role,
                  {nest::stmt(nest::Store{rows.buffer, {i64(rows.kept.rows - 1), var(e)}, value})});
    };
    if (at_border || !may_be_wide(image)) {
      body.push_back(move(nest::Role::Unrolled));
    } else {
      body.push_back(
          nest::stmt(nest::If{rows_are_aligned(image), {move(nest::Role::Vector)}, {move(nest::Role::Unrolled)}}));
    }
  }

  static Expr exists(const std::vector<Expr>& at, const std::vector<Expr>& extents) {
    Expr all = truth(true);
    for (size_t d = 0; d < at.size(); ++d)
      all = nest::both(all, nest::both(nest::less(i64(-1), at[d]), nest::less(at[d], extents[d])));
    return all;
  }

  void compute(size_t s, const Expr& last_row, bool at_border, nest::Block& body) {
    const StageCode& stage = *stages_[s];
    const Expr row = nest::add(last_row, i64(walk_.stages[s].ahead));
    const std::vector<Expr> dims = {i64(lane_columns())};
    std::vector<Name> values;
    for (size_t k = 0; k < stage.results.size(); ++k) {
      values.push_back(names_.fresh(stage.arrays[k]));
      body.push_back(nest::stmt(
          nest::Alloc{{values[k], element_type(stage, k), nest::Space::Register, dims, nest::dense_strides(dims)}}));
    }
    Reading reading(stages_, rows_, walk_, lane_, names_);
    nest::Block points, keeps, stores;
    for (int64_t v = 0; v < lane_columns(); ++v) {
      const Expr column = nest::add(var(column_), i64(v));
      auto nearest = [&](const Expr& at, size_t d) {
        return at_border ? nest::max(i64(0), nest::min(at, nest::sub(stage.indices[d].extent, i64(1)))) : at;
      };
      const Point point{s, nearest(row, 0), nearest(column, 1), v};
      append(points, reading.of_point(at_border ? stage.work : stage.inside.work, point, values));
      nest::Block stored;
      for (size_t k = 0; k < values.size(); ++k) {
        const Expr value = nest::load(values[k], element_type(stage, k), {i64(v)});
        auto rows = std::ranges::find(rows_, stage.arrays[k], &Rows::array);
        if (rows != rows_.end())
          keeps.push_back(nest::stmt(nest::Store{rows->buffer, {i64(rows->kept.rows - 1), i64(v)}, value}));
        if (is_stored_[s]) stored.push_back(nest::stmt(nest::Store{stage.results[k], {row, column}, value}));
      }
      const Expr here = exists({row, column}, {stage.indices[0].extent, stage.indices[1].extent});
      if (at_border && !stored.empty()) stored = {nest::stmt(nest::If{here, std::move(stored), {}})};
      append(stores, stored);
    }
    append(body, reading.before());
    append(body, points);
    append(body, keeps);
    if (stores.empty()) return;
    if (!at_border) stores = wide(s, row, values, stores);
    body.push_back(nest::stmt(nest::If{is_of_segment(s, row), std::move(stores), {}}));
  }

  // Whether the row is one of the segment's, and the lane's columns are of the strip. Of the last stage no rows come behind the segment's.
  Expr is_of_segment(size_t s, const Expr& row) const {
    Expr is_row = nest::less(nest::sub(var(first_row_), i64(1)), row);
    if (walk_.stages[s].ahead > 0) is_row = nest::both(is_row, nest::less(row, var(end_row_)));
    return nest::both(nest::var(is_own_, Type::Bool), is_row);
  }

  // The columns of a result at once, where they begin at such a place.
  nest::Block wide(size_t s, const Expr& row, const std::vector<Name>& values, const nest::Block& by_columns) {
    Expr aligned = truth(true);
    nest::Block at_once;
    for (size_t k = 0; k < values.size(); ++k) {
      const nest::Buffer& result = nest::buffer_named(stages_[s]->launch.kernel.buffers, stages_[s]->results[k]);
      if (!may_be_wide(result)) return by_columns;
      aligned = nest::both(aligned, is_aligned(result.strides[0]));
      const Name e = names_.fresh("e");
      at_once.push_back(loop(
          e, i64(lane_columns()), nest::Role::Vector,
          {nest::stmt(nest::Store{
              result.name, {row, nest::add(var(column_), var(e))}, nest::load(values[k], result.elem, {var(e)})})}));
    }
    return {nest::stmt(nest::If{aligned, std::move(at_once), by_columns})};
  }

  bool may_be_wide(const nest::Buffer& b) const {
    const int64_t bytes = lane_columns() * prim::size_bytes(b.elem);
    return lane_columns() > 1 && bytes <= kAccessBytes && !b.exchanged && nest::int_constant(b.strides.back()) == 1;
  }
  Expr is_aligned(const Expr& bits) const {
    return nest::less(nest::operation(prim::Op(prim::Family::And, Type::I64), {bits, i64(lane_columns() - 1)}), i64(1));
  }
  // Results are allocated, and begin where any access may.
  Expr rows_are_aligned(const nest::Buffer& image) {
    Expr by_stride = is_aligned(image.strides[0]);
    for (const StageCode* s : stages_) {
      auto found = std::ranges::find(s->launch.kernel.buffers, image.name, &nest::Buffer::name);
      if (found == s->launch.kernel.buffers.end()) continue;
      const auto* array =
          std::get_if<HostArray>(&s->launch.buffer_args[static_cast<size_t>(found - s->launch.kernel.buffers.begin())]);
      if (!array) return by_stride;
      auto known = address_of_.find(array->name);
      if (known == address_of_.end()) {
        known = address_of_.emplace(array->name, names_.fresh("address")).first;
        addresses_.push_back({known->second, Type::I64});
        address_args_.emplace_back(AddressOf{array->name});
      }
      return nest::both(by_stride, is_aligned(var(known->second)));
    }
    return by_stride;
  }

  const Stages& stages_;
  const std::vector<bool>& is_stored_;
  const stencil::Walk& walk_;
  NameSource& names_;
  Name block_, warp_, lane_, number_;
  Name first_row_, end_row_;    // of the last stage in the segment
  Name first_column_, column_;  // of the warp, and of each lane
  Name is_own_, is_inside_;     // whether a lane's columns are of the strip; whether the warp's are away from borders
  Name turn_, row_;             // and the first row of the last stage that it is about
  std::vector<Rows> rows_;
  std::map<Name, Name> address_of_;
  std::vector<nest::ScalarParam> addresses_;
  std::vector<ScalarArg> address_args_;
};

}  // namespace

std::string why_not_walked(const Stages& stages) {
  for (const StageCode* s : stages) {
    Failing failing;
    failing.body(s->work);
    if (failing.found) return fmt::format("points of {} that nobody needs might fail", s->arrays[0].text());
  }
  return "";
}

Launch walk_kernel(const std::string& name, const Stages& stages, const std::vector<bool>& is_stored,
                   const stencil::Walk& walk, NameSource& names) {
  return WalkKernel(stages, is_stored, walk, names).run(name);
}

}  // namespace heddle::lower
