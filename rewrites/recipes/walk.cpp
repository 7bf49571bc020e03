#include "rewrites/recipes/walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nest/buffers.h"
#include "ir/nest/traverse.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/on_host.h"
#include "rewrites/recipes/walk_reading.h"

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
        layer_(names.fresh("layer")),
        number_(names.fresh("number")),
        first_row_(names.fresh("first_row")),
        end_row_(names.fresh("end_row")),
        first_column_(names.fresh("first_column")),
        column_(names.fresh("column")),
        is_own_(names.fresh("is_own")),
        is_inside_(names.fresh("is_inside")),
        turn_(names.fresh("turn")),
        row_(names.fresh("row")) {}

  Launch run(const std::string& name, const Expr& holds) {
    nest::Block body = places();
    nest::Block slots;
    for (const stencil::ImageWalked& image : walk_.images) keep_image(image, body, slots);
    for (size_t s = 0; s < stages_.size(); ++s) keep_results(s, body);
    const bool has_borders = reads_at_borders();
    if (has_borders) body.push_back(let(is_inside_, is_inside().always));

    const Expr left = nest::sub(nest::min(var(end_row_), num_rows()), var(first_row_));
    const Expr turns = nest::ceil_div(nest::add(left, i64(walk_.before)), i64(walk_.written_out));
    const Expr exists = nest::less(var(number_), warps());
    const Name end = names_.fresh("turns");
    body.push_back(let(end, nest::select(nest::both(exists, nest::less(var(first_row_), num_rows())), turns, i64(0))));
    nest::Block walked = all_turns(var(end), has_borders);
    // Where rows are to be mixed nothing may branch among them, so that what is often so is decided before.
    const bool is_mixed = walk_.mixed && !has_borders && lane_columns() > 1;
    for (int64_t width = std::max<int64_t>(2, lane_columns() / 2); is_mixed && width <= lane_columns(); width *= 2) {
      const Widths widths{lane_columns(), width};
      const Expr aligned = are_aligned(widths);
      widths_ = widths;
      nest::Block wide = all_turns(var(end), has_borders);
      widths_.reset();
      walked = {nest::stmt(nest::If{aligned, nest::renamed(wide, nest::bound_in(wide), names_), std::move(walked)})};
    }
    append(body, walked);

    body = {loop(lane_, i64(kLanes), nest::Role::Lane, std::move(body))};
    body = {loop(warp_, i64(walk_.warps_of_block), nest::Role::Warp, std::move(body))};
    const Expr blocks = nest::select(holds, nest::mul(num_layers(), blocks_of_layer()), i64(0));
    slots.push_back(std::move(body[0]));
    body = {loop(block_, blocks, nest::Role::Grid, std::move(slots))};
    Launch launch = launch_of_group(name, std::move(body), blocks, walk_.warps_of_block * kLanes, stages_);
    launch.kernel.scalars.insert(launch.kernel.scalars.end(), addresses_.begin(), addresses_.end());
    launch.scalar_args.insert(launch.scalar_args.end(), address_args_.begin(), address_args_.end());
    launch.kernel.bounds = {i64(walk_.warps_of_block * kLanes), i64(walk_.registers)};
    return with_known_on_host(std::move(launch), names_);
  }

 private:
  nest::Block all_turns(const Expr& turns, bool has_borders) {
    nest::Block of_turn = {let(
        row_, nest::add(nest::sub(var(first_row_), i64(walk_.before)), nest::mul(var(turn_), i64(walk_.written_out))))};
    if (has_borders) {
      nest::Block far = rows(Where::Inside), at_border = rows(Where::AtBorders);
      const Expr is_far = nest::both(nest::var(is_inside_, Type::Bool), is_inside().in_turn);
      of_turn.push_back(nest::stmt(nest::If{is_far, std::move(far), std::move(at_border)}));
    } else {
      append(of_turn, rows(Where::Anywhere));
    }
    nest::Block early;
    for (int64_t row = 0; row + 1 < walk_.slots; ++row) append(early, copies(i64(row)));
    return {nest::stmt(nest::If{nest::less(i64(0), turns), std::move(early), {}}),
            loop(turn_, turns, nest::Role::Serial, std::move(of_turn))};
  }

  size_t dims() const { return stages_.back()->indices.size(); }
  const Expr& extent(size_t d) const { return stages_.back()->indices[d].extent; }
  const Expr& num_rows() const { return extent(dims() - 2); }
  const Expr& num_columns() const { return extent(dims() - 1); }
  Expr num_layers() const {
    Expr all = i64(1);
    for (size_t d = 0; d + 2 < dims(); ++d) all = nest::mul(all, extent(d));
    return all;
  }
  int64_t lane_columns() const { return walk_.columns_of_lane; }

  // ---- Which warp has which part of the image. ----

  Expr strips() const { return nest::ceil_div(num_columns(), i64(walk_.columns())); }
  // Walk::segment, of sizes that are known when the kernel is launched.
  Expr segment() const {
    const Expr of_layer = nest::add(strips(), i64(stencil::Walk::kAtBorders * (walk_.shorter_at_borders - 1)));
    const Expr pieces = nest::max(i64(1), nest::mul(of_layer, num_layers()));
    const Expr segments = nest::max(i64(1), nest::div(i64(walk_.warps), pieces));
    const Expr most = nest::ceil_div(num_rows(), segments),
               least = nest::ceil_div(num_rows(), nest::mul(segments, i64(2)));
    const Expr is_short = nest::less(least, i64(walk_.least_of_before * walk_.before));
    return whole_turns(nest::max(nest::select(is_short, most, least), i64(walk_.least_segment)));
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
    return nest::mul(strips_at_borders(), nest::ceil_div(num_rows(), segment_at_borders()));
  }
  Expr warps_between() const { return nest::mul(strips_between(), nest::ceil_div(num_rows(), segment())); }
  Expr warps() const { return nest::add(warps_at_borders(), warps_between()); }  // of a layer
  Expr blocks_of_layer() const { return nest::ceil_div(warps(), i64(walk_.warps_of_block)); }

  // Blocks of a layer are behind each other.
  nest::Block places_of_layer() {
    const Name of_layer = names_.fresh("block");
    if (dims() == 2) {
      return {let(number_, nest::add(nest::mul(var(block_), i64(walk_.warps_of_block)), var(warp_)))};
    }
    nest::Block code = {let(layer_, nest::div(var(block_), blocks_of_layer())),
                        let(of_layer, nest::mod(var(block_), blocks_of_layer())),
                        let(number_, nest::add(nest::mul(var(of_layer), i64(walk_.warps_of_block)), var(warp_)))};
    Expr rest = var(layer_);
    for (size_t d = dims() - 2; d-- > 0;) {
      const Name place = names_.fresh("layer");
      code.push_back(let(place, d == 0 ? rest : nest::mod(rest, extent(d))));
      if (d > 0) rest = nest::div(rest, extent(d));
      layers_.insert(layers_.begin(), var(place));
    }
    return code;
  }

  // Those at borders come first, since each of their rows takes longer.
  nest::Block places() {
    const Name at_borders = names_.fresh("at_borders"), strip = names_.fresh("strip");
    const Name height = names_.fresh("height"), segment = names_.fresh("segment"), among = names_.fresh("among");
    nest::Block code = places_of_layer();
    append(code,
           {
               let(at_borders, nest::less(var(number_), warps_at_borders())),
               let(among, nest::select(nest::var(at_borders, Type::Bool), strips_at_borders(),
                                       nest::max(i64(1), strips_between()))),
               let(height, nest::select(nest::var(at_borders, Type::Bool), segment_at_borders(), this->segment())),
           });
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
  struct FarFromBorders {
    Expr always, in_turn;
  };
  FarFromBorders is_inside() const {
    FarFromBorders inside{truth(true), truth(true)};
    std::vector<Expr> required;
    auto require = [&](const Expr& e) {
      if (std::ranges::any_of(required, [&](const Expr& other) { return nest::equal(e, other); })) return;
      required.push_back(e);
      Expr& where = nest::free_names(e).contains(row_) ? inside.in_turn : inside.always;
      where = nest::both(where, e);
    };
    const int64_t columns = kLanes * lane_columns();
    for (size_t s = 0; s < stages_.size(); ++s) {
      std::vector<int64_t> extents(dims(), 1);
      std::vector<bool> may_be_negative(dims(), false);
      extents[dims() - 2] = walk_.written_out, extents[dims() - 1] = columns;
      may_be_negative[dims() - 2] = may_be_negative[dims() - 1] = true;
      const std::vector<Expr> first = in_layer(row_ahead(walk_.stages[s]), var(first_column_));
      for (const Expr& e : away_from_borders(*stages_[s], first, extents, may_be_negative)) require(e);
    }
    return inside;
  }
  // Whether points look where borders are, or read what lanes do not have, so that there is code for points near borders.
  bool reads_at_borders() const {
    return std::ranges::any_of(stages_, [&](const StageCode* s) {
      bool reads = !s->inside.limits.empty() || std::ranges::any_of(s->inside.margin, [](int64_t m) { return m > 0; });
      nest::for_each_expr(s->work, [&](const Expr& e) {
        const auto* load = std::get_if<nest::Load>(&e->node);
        const std::vector<nest::Buffer>& all = s->launch.kernel.buffers;
        reads |= load && std::ranges::find(all, load->buffer, &nest::Buffer::name) != all.end() &&
                 std::ranges::find(rows_, load->buffer, &WalkedRows::array) == rows_.end();
      });
      return reads;
    });
  }
  // The last stage's indices there.
  std::vector<Expr> in_layer(Expr row, Expr column) const {
    std::vector<Expr> at = layers_;
    at.insert(at.end(), {std::move(row), std::move(column)});
    return at;
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

  void keep(const Name& array, const std::vector<stencil::LayerPlace>& layer, const RowsWalked& kept, Type elem,
            nest::Block& body) {
    const WalkedRows rows{array, layer, names_.fresh(array.base + "_rows"), kept, elem};
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
  void keep_image(const stencil::ImageWalked& image, nest::Block& body, nest::Block& slots) {
    for (const StageCode* s : stages_) {
      for (const recognize::WindowedRead& r : s->reads) {
        if (r.buffer.text() != image.name) continue;
        const Type elem = nest::buffer_named(s->launch.kernel.buffers, r.buffer).elem;
        const std::vector<Expr> dims = {i64(walk_.warps_of_block), i64(walk_.slots), i64(kLanes * lane_columns())};
        slots_.push_back(names_.fresh(r.buffer.base + "_slots"));
        slots.push_back(
            nest::stmt(nest::Alloc{{slots_.back(), elem, nest::Space::Shared, dims, nest::dense_strides(dims)}}));
        return keep(r.buffer, image.layer, image.kept, elem, body);
      }
    }
    throw Refused{internal_error(fmt::format("no stage reads {}", image.name))};
  }

  void keep_results(size_t s, nest::Block& body) {
    for (size_t k = 0; k < stages_[s]->results.size(); ++k) {
      if (is_read_in_group(stages_, s, k))
        keep(stages_[s]->arrays[k], {}, walk_.stages[s], element_type(*stages_[s], k), body);
    }
  }

  nest::Stmt for_each(int64_t count, const std::function<nest::Stmt(const Expr& i)>& of) {
    const Name i = names_.fresh("i");
    return loop(i, i64(count), nest::Role::Unrolled, {of(var(i))});
  }

  // ---- What is computed in a turn. ----

  // What is known of a turn's points: that borders are far from them; that they may exist or not; or that it does not matter to what they compute.
  enum class Where { Inside, AtBorders, Anywhere };

  nest::Block rows(Where where) {
    const Name number = names_.fresh("number");
    const Expr row = nest::add(var(row_), var(number));
    nest::Block body;
    const Expr of_segment = nest::add(nest::mul(var(turn_), i64(walk_.written_out)), var(number));
    append(body, copies(nest::add(of_segment, i64(walk_.slots - 1))));
    body.push_back(nest::stmt(nest::AsyncWait{i64(walk_.slots - 1)}));
    append(body, loads(of_segment));
    for (size_t s = 0; s < stages_.size(); ++s) compute(s, row, where, body);
    for (const WalkedRows& r : rows_) {
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

  // ---- Rows of images: copied to shared memory early, and loaded from there by the same lanes. ----

  // Where a lane's columns of a row are, which is counted from the first that is walked.
  std::vector<Expr> slot(const Expr& row, const Expr& column) const {
    const Expr number = nest::operation(prim::Op(prim::Family::And, Type::I64), {row, i64(walk_.slots - 1)});
    return {var(warp_), number, nest::add(nest::mul(var(lane_), i64(lane_columns())), column)};
  }

  // Columns of an access at most; of columns at once all exist, or none.
  struct Widths {
    int64_t images, results;
  };

  // Whether all accesses may be as wide as that, or as is possible.
  Expr are_aligned(const Widths& widths) {
    Expr all = images_are_aligned(widths.images);
    for (size_t s = 0; s < stages_.size(); ++s) {
      if (!is_stored_[s]) continue;
      for (const Name& r : stages_[s]->results) {
        const nest::Buffer& result = nest::buffer_named(stages_[s]->launch.kernel.buffers, r);
        all = nest::both(all, are_aligned(result, widest(result, widths.results)));
      }
    }
    return all;
  }
  Expr images_are_aligned(int64_t width) {
    Expr all = truth(true);
    std::vector<Name> seen;
    for (size_t i = 0; i < walk_.images.size(); ++i) {
      const nest::Buffer& image = this->image(i);
      if (std::ranges::find(seen, image.name) != seen.end()) continue;
      seen.push_back(image.name);
      all = nest::both(all, rows_are_aligned(image, widest(image, width)));
    }
    return all;
  }

  // As wide as was decided before, or else as rows are aligned.
  nest::Block copies(const Expr& row) {
    nest::Block code = copies(row, widths_ ? widths_->images : 1);
    for (int64_t width = 2; !widths_ && width <= lane_columns(); width *= 2) {
      bool is_wider = false;
      for (size_t i = 0; i < walk_.images.size(); ++i) is_wider = is_wider || may_be_wide(image(i), width);
      if (is_wider) code = {nest::stmt(nest::If{images_are_aligned(width), copies(row, width), std::move(code)})};
    }
    code.push_back(nest::stmt(nest::AsyncCommit{}));
    return code;
  }

  nest::Block copies(const Expr& row, int64_t most) {
    nest::Block all;
    for (size_t i = 0; i < walk_.images.size(); ++i) {
      const nest::Buffer& image = this->image(i);
      const Expr there = nest::add(nest::sub(var(first_row_), i64(walk_.before - rows_[i].kept.ahead)), row);
      const int64_t width = widest(image, most);
      const Name part = names_.fresh("part");
      const Expr column = nest::mul(var(part), i64(width));
      std::vector<Expr> from;
      for (const stencil::LayerPlace& l : rows_[i].layer) from.push_back(l.follows ? layers_[*l.follows] : i64(l.at));
      from.insert(from.end(), {there, nest::add(var(column_), column)});
      Expr exists =
          truth(true);  // of a layer, too: another stage may have more of them, or guard one that is not there
      for (size_t d = 0; d < from.size(); ++d) exists = nest::both(exists, is_place(from[d], image.dims[d]));
      all.push_back(loop(
          part, i64(lane_columns() / width), nest::Role::Unrolled,
          {nest::stmt(nest::AsyncCopy{slots_[i], slot(row, column), image.name, from, i64(width), exists, true})}));
    }
    return all;
  }

  nest::Block loads(const Expr& row) {
    nest::Block all;
    for (size_t i = 0; i < walk_.images.size(); ++i) {
      append(all, columns_at_once(widest(image(i), lane_columns()), [&](const Expr& e) {
               const Expr value = nest::load(slots_[i], rows_[i].elem, slot(row, e));
               return nest::stmt(nest::Store{rows_[i].buffer, {i64(rows_[i].kept.rows - 1), e}, value});
             }));
    }
    return all;
  }

  static int64_t widest(const nest::Buffer& b, int64_t most) {
    while (most > 1 && !may_be_wide(b, most)) most /= 2;
    return most;
  }

  // All of a lane's columns, so many by an access.
  nest::Block columns_at_once(int64_t width, const std::function<nest::Stmt(const Expr& column)>& access) {
    const Name e = names_.fresh("e"), part = names_.fresh("part");
    if (width == 1) return {loop(e, i64(lane_columns()), nest::Role::Unrolled, {access(var(e))})};
    if (width == lane_columns()) return {loop(e, i64(width), nest::Role::Vector, {access(var(e))})};
    const Expr column = nest::add(nest::mul(var(part), i64(width)), var(e));
    return {loop(part, i64(lane_columns() / width), nest::Role::Unrolled,
                 {loop(e, i64(width), nest::Role::Vector, {access(column)})})};
  }

  static Expr is_place(const Expr& at, const Expr& extent) {
    return nest::both(nest::less(i64(-1), at), nest::less(at, extent));
  }

  void compute(size_t s, const Expr& last_row, Where where, nest::Block& body) {
    const StageCode& stage = *stages_[s];
    const Expr row = nest::add(last_row, i64(walk_.stages[s].ahead));
    const std::vector<Expr> of_lane = {i64(lane_columns())};
    const Expr& rows = stage.indices[dims() - 2].extent;
    const Expr& columns = stage.indices[dims() - 1].extent;
    std::vector<Name> values;
    for (size_t k = 0; k < stage.results.size(); ++k) {
      values.push_back(names_.fresh(stage.arrays[k]));
      body.push_back(nest::stmt(nest::Alloc{
          {values[k], element_type(stage, k), nest::Space::Register, of_lane, nest::dense_strides(of_lane)}}));
    }
    WalkReading reading(stages_, rows_, walk_, lane_, names_);
    nest::Block points, keeps, stores;
    for (int64_t v = 0; v < lane_columns(); ++v) {
      const Expr column = nest::add(var(column_), i64(v));
      auto nearest = [&](const Expr& at, const Expr& extent) {
        return where == Where::AtBorders ? nest::max(i64(0), nest::min(at, nest::sub(extent, i64(1)))) : at;
      };
      const WalkedPoint point{s, in_layer(nearest(row, rows), nearest(column, columns)), v};
      append(points, reading.of_point(where == Where::AtBorders ? stage.work : stage.inside.work, point, values));
      nest::Block stored;
      for (size_t k = 0; k < values.size(); ++k) {
        const Expr value = nest::load(values[k], element_type(stage, k), {i64(v)});
        auto kept = std::ranges::find(rows_, stage.arrays[k], &WalkedRows::array);
        if (kept != rows_.end())
          keeps.push_back(nest::stmt(nest::Store{kept->buffer, {i64(kept->kept.rows - 1), i64(v)}, value}));
        if (is_stored_[s]) stored.push_back(nest::stmt(nest::Store{stage.results[k], in_layer(row, column), value}));
      }
      if (stored.empty()) continue;
      if (where == Where::AtBorders) stored = {nest::stmt(nest::If{is_place(column, columns), std::move(stored), {}})};
      if (where == Where::Anywhere) stored = {nest::stmt(nest::If{nest::less(column, columns), std::move(stored), {}})};
      append(stores, stored);
    }
    append(body, reading.before());
    append(body, points);
    append(body, keeps);
    if (stores.empty()) return;
    Expr is_stored = is_of_segment(s, row), may_be_wide = truth(true);
    if (where != Where::Inside) is_stored = nest::both(is_stored, nest::less(row, rows));
    if (widths_) return append(body, at_once(s, row, values, widths_->results, is_stored));
    if (where == Where::Anywhere) may_be_wide = nest::less(nest::add(var(column_), i64(lane_columns() - 1)), columns);
    if (where != Where::AtBorders) stores = wide(s, row, values, may_be_wide, std::move(stores));
    body.push_back(nest::stmt(nest::If{is_stored, std::move(stores), {}}));
  }

  // Whether the row is one of the segment's, and the lane's columns are of the strip. Of the last stage no rows come behind the segment's.
  Expr is_of_segment(size_t s, const Expr& row) const {
    Expr is_row = nest::less(nest::sub(var(first_row_), i64(1)), row);
    if (walk_.stages[s].ahead > 0) is_row = nest::both(is_row, nest::less(row, var(end_row_)));
    return nest::both(nest::var(is_own_, Type::Bool), is_row);
  }

  // The columns of results at once, as wide as rows are aligned.
  nest::Block wide(size_t s, const Expr& row, const std::vector<Name>& values, const Expr& may_be, nest::Block code) {
    for (int64_t width = 2; width <= lane_columns(); width *= 2) {
      Expr aligned = may_be;
      for (const Name& r : stages_[s]->results) {
        const nest::Buffer& result = nest::buffer_named(stages_[s]->launch.kernel.buffers, r);
        if (!may_be_wide(result, width)) return code;
        aligned = nest::both(aligned, are_aligned(result, width));
      }
      code = {nest::stmt(nest::If{aligned, at_once(s, row, values, width, truth(true)), std::move(code)})};
    }
    return code;
  }

  // With a condition for each access, without which the device's compiler would branch.
  nest::Block at_once(size_t s, const Expr& row, const std::vector<Name>& values, int64_t most, const Expr& is_stored) {
    nest::Block all;
    for (size_t k = 0; k < values.size(); ++k) {
      const nest::Buffer& result = nest::buffer_named(stages_[s]->launch.kernel.buffers, stages_[s]->results[k]);
      const int64_t width = widest(result, most);
      for (int64_t first = 0; first < lane_columns(); first += width) {
        const Name e = names_.fresh("e");
        const Expr number = nest::add(i64(first), var(e)), column = nest::add(var(column_), i64(first));
        const nest::Stmt store = nest::stmt(nest::Store{result.name, in_layer(row, nest::add(var(column_), number)),
                                                        nest::load(values[k], result.elem, {number})});
        const nest::Stmt access = loop(e, i64(width), width > 1 ? nest::Role::Vector : nest::Role::Unrolled, {store});
        const Expr& columns = stages_[s]->indices[dims() - 1].extent;
        all.push_back(widths_ ? nest::stmt(nest::If{nest::both(is_stored, nest::less(column, columns)), {access}, {}})
                              : access);
      }
    }
    return all;
  }

  static bool may_be_wide(const nest::Buffer& b, int64_t width) {
    const int64_t bytes = width * prim::size_bytes(b.elem);
    return width > 1 && bytes <= kAccessBytes && !b.exchanged && nest::int_constant(b.strides.back()) == 1;
  }
  static Expr is_aligned(const Expr& bits, int64_t width) {
    if (width == 1) return truth(true);
    return nest::less(nest::operation(prim::Op(prim::Family::And, Type::I64), {bits, i64(width - 1)}), i64(1));
  }
  static Expr are_aligned(const nest::Buffer& b, int64_t width) {
    Expr all = is_aligned(b.dims.back(), width);
    for (size_t d = 0; d + 1 < b.strides.size(); ++d) all = nest::both(all, is_aligned(b.strides[d], width));
    return all;
  }
  // Results are allocated, and begin where any access may.
  Expr rows_are_aligned(const nest::Buffer& image, int64_t width) {
    Expr by_strides = are_aligned(image, width);
    for (const StageCode* s : stages_) {
      auto found = std::ranges::find(s->launch.kernel.buffers, image.name, &nest::Buffer::name);
      if (found == s->launch.kernel.buffers.end()) continue;
      const auto* array =
          std::get_if<HostArray>(&s->launch.buffer_args[static_cast<size_t>(found - s->launch.kernel.buffers.begin())]);
      if (!array) return by_strides;
      auto known = address_of_.find(array->name);
      if (known == address_of_.end()) {
        known = address_of_.emplace(array->name, names_.fresh("address")).first;
        addresses_.push_back({known->second, Type::I64});
        address_args_.emplace_back(AddressOf{array->name});
      }
      return nest::both(by_strides, is_aligned(var(known->second), width));
    }
    return by_strides;
  }

  const Stages& stages_;
  const std::vector<bool>& is_stored_;
  const stencil::Walk& walk_;
  NameSource& names_;
  Name block_, warp_, lane_;
  Name layer_;                  // number of the place in all dimensions but rows and columns
  std::vector<Expr> layers_;    // by dimension
  Name number_;                 // of the warp among those of a layer
  Name first_row_, end_row_;    // of the last stage in the segment
  Name first_column_, column_;  // of the warp, and of each lane
  Name is_own_, is_inside_;     // whether a lane's columns are of the strip; whether the warp's are away from borders
  Name turn_, row_;             // and the first row of the last stage that it is about
  std::vector<WalkedRows> rows_;
  std::vector<Name> slots_;  // of each image's plane, in shared memory: [warps][slots][columns]
  std::optional<Widths> widths_;
  std::map<Name, Name> address_of_;
  std::vector<nest::ScalarParam> addresses_;
  std::vector<ScalarArg> address_args_;
};

}  // namespace

Launch walk_kernel(const std::string& name, const Stages& stages, const std::vector<bool>& is_stored,
                   const stencil::Walk& walk, NameSource& names, const Expr& holds) {
  return WalkKernel(stages, is_stored, walk, names).run(name, holds);
}

}  // namespace heddle::lower
