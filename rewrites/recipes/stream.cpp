#include "rewrites/recipes/stream.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/points/index_code.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;
using stencil::Kept;

namespace {

// At borders: points of a thread at a time, and loads of all of these.
constexpr int64_t kMostAtBorder = 4, kMostLoadsAtBorder = 24;

Expr index(const Name& n) { return nest::var(n, Type::I64); }
void append(nest::Block& to, const nest::Block& more) { to.insert(to.end(), more.begin(), more.end()); }

int64_t largest_divisor(int64_t of, int64_t most) {
  int64_t divisor = std::clamp<int64_t>(most, 1, of);
  while (of % divisor != 0) --divisor;
  return divisor;
}

// Rows of a stage that are computed one after the other.
struct Rows {
  Expr first;
  int64_t count;
};

class StreamKernel {
 public:
  StreamKernel(const Stages& stages, const std::vector<bool>& is_stored, const stencil::Halos& halos,
               const stencil::Stream& stream, NameSource& names)
      : stages_(stages),
        is_stored_(is_stored),
        halos_(halos),
        stream_(stream),
        names_(names),
        segment_(names.fresh("segment")),
        strip_(names.fresh("strip")),
        thread_(names.fresh("thread")),
        first_row_(names.fresh("first_row")),
        first_column_(names.fresh("first_column")),
        column_(names.fresh("column")),
        is_inside_(names.fresh("is_inside")),
        step_(names.fresh("step")),
        row_(names.fresh("row")) {
    for (size_t d = 0; d + 2 < halos.tile_dims; ++d) others_.push_back(names.fresh(last().indices[d].name.base));
  }

  Launch run(const std::string& name) {
    nest::Block body;
    auto let = [](nest::Block& to, const Name& n, const Expr& value) { to.push_back(nest::stmt(nest::Let{n, value})); };
    let(body, first_row_, nest::mul(index(segment_), rows_of_segment()));
    let(body, first_column_, nest::sub(nest::mul(index(strip_), i64(stream_.columns())), i64(stream_.left)));
    let(body, column_, nest::add(index(first_column_), index(thread_)));
    for (size_t s = 0; s < stages_.size(); ++s) allocate(s, body);

    const Inside is_inside = this->is_inside();
    let(body, is_inside_, is_inside.always);
    const Expr step_is_inside = nest::both(nest::var(is_inside_, Type::Bool), is_inside.in_step);
    auto first_row_of = [&](const Expr& step) {
      return nest::add(index(first_row_), nest::mul(nest::sub(step, i64(stream_.most_ahead())), i64(stream_.step)));
    };
    append(body, before_steps(first_row_of(i64(0)), step_is_inside));

    nest::Block of_step;
    let(of_step, row_, first_row_of(index(step_)));
    append(of_step, far_or_at_border(step_is_inside, Part::Step));
    for (size_t s = 0; s < stages_.size(); ++s) hand_on_rows(s, of_step);
    if (std::ranges::any_of(stream_.stages, [](const stencil::StreamedStage& s) { return s.kept == Kept::Shared; }))
      of_step.push_back(nest::stmt(nest::Barrier{nest::Scope::Block}));
    body.push_back(nest::stmt(
        nest::For{step_, nest::add(steps(), i64(stream_.most_ahead())), nest::Role::Serial, std::move(of_step)}));
    return for_all_strips(name, std::move(body));
  }

 private:
  const StageCode& last() const { return *stages_.back(); }
  size_t dims(size_t s) const { return stages_[s]->indices.size(); }
  const stencil::Halo& rows_halo(size_t s) const { return halos_.stages[s][dims(s) - 2]; }
  const stencil::Halo& columns_halo(size_t s) const { return halos_.stages[s][dims(s) - 1]; }
  int64_t ahead(size_t s) const { return stream_.stages[s].ahead; }
  Kept kept(size_t s) const { return stream_.stages[s].kept; }

  // ---- Which block has which part of the image. ----

  Expr extent(size_t tile_dim) const { return last().indices[tile_dim].extent; }
  Expr rows() const { return extent(halos_.tile_dims - 2); }
  Expr strips() const { return nest::ceil_div(extent(halos_.tile_dims - 1), i64(stream_.columns())); }

  // Stream::segment, of sizes that are known when the kernel is launched.
  Expr rows_of_segment() const {
    Expr columns = strips();
    for (size_t d = 0; d < others_.size(); ++d) columns = nest::mul(columns, nest::max(extent(d), i64(1)));
    const Expr share = nest::ceil_div(nest::mul(rows(), columns), i64(stream_.blocks));
    return nest::mul(nest::ceil_div(nest::max(share, i64(stream_.least_segment)), i64(stream_.step)),
                     i64(stream_.step));
  }

  Expr steps() const {
    return nest::ceil_div(nest::min(rows_of_segment(), nest::sub(rows(), index(first_row_))), i64(stream_.step));
  }

  Launch for_all_strips(const std::string& name, nest::Block body) const {
    const Expr segments = nest::ceil_div(rows(), rows_of_segment());
    body = {nest::stmt(nest::For{thread_, i64(stream_.threads), nest::Role::Block, std::move(body)})};
    body = {nest::stmt(nest::For{strip_, strips(), nest::Role::Grid, std::move(body)})};
    body = {nest::stmt(nest::For{segment_, segments, nest::Role::Grid, std::move(body)})};
    Expr num_blocks = nest::mul(segments, strips());
    for (size_t d = others_.size(); d-- > 0;) {
      num_blocks = nest::mul(extent(d), num_blocks);
      body = {nest::stmt(nest::For{others_[d], extent(d), nest::Role::Grid, std::move(body)})};
    }
    Launch launch = launch_of_group(name, std::move(body), num_blocks, stream_.threads, stages_);
    launch.kernel.bounds = {i64(stream_.threads), i64(stream_.registers)};
    return launch;
  }

  // ---- Which rows of a stage a step is about. ----

  // The first that a stage's readers need for its step.
  Expr top(size_t s) const { return nest::add(index(row_), i64(stream_.step * ahead(s) - rows_halo(s).left)); }
  int64_t rows_before(size_t s) const { return rows_halo(s).left + rows_halo(s).right; }

  Rows new_rows(size_t s) const {
    return {nest::add(index(row_), i64(stream_.step * ahead(s) + rows_halo(s).right)), stream_.step};
  }
  // ... that a segment's first step needs besides.
  Rows first_rows(size_t s) const { return {top(s), rows_before(s)}; }

  // Stages that are less far ahead begin later, and the others end before.
  nest::Block while_it_has_rows(size_t s, nest::Block code) const {
    const int64_t later = stream_.most_ahead() - ahead(s);
    Expr has_rows = nest::constant(prim::Value::of_bool(true));
    if (later > 0) has_rows = nest::less(i64(later - 1), index(step_));
    if (ahead(s) > 0) has_rows = nest::both(has_rows, nest::less(index(step_), nest::add(steps(), i64(later))));
    if (std::holds_alternative<nest::Const>(has_rows->node)) return code;
    return {nest::stmt(nest::If{has_rows, std::move(code), {}})};
  }

  using Version = nest::Block (StreamKernel::*)(size_t s, const Rows& rows);

  // What stages that begin with the first step compute before it, and what is done in each step.
  enum class Part { Before, Step };

  bool begins_at_once(size_t s) const { return ahead(s) == stream_.most_ahead(); }

  nest::Block in_order(Part part, Version version) {
    nest::Block body;
    for (size_t s = 0; s < stages_.size(); ++s) {
      nest::Block code;
      if (rows_before(s) > 0 && begins_at_once(s) == (part == Part::Before)) {
        nest::Block first = (this->*version)(s, first_rows(s));
        first = nest::renamed(first, nest::bound_in(first), names_);
        if (part == Part::Before) {
          code = std::move(first);
        } else {
          const Expr is_first = equal_to(index(step_), i64(stream_.most_ahead() - ahead(s)));
          code.push_back(nest::stmt(nest::If{is_first, std::move(first), {}}));
        }
      }
      if (part == Part::Step) {
        append(code, (this->*version)(s, new_rows(s)));
        code = while_it_has_rows(s, std::move(code));
      }
      append(body, code);
    }
    return body;
  }

  // Both sides bind the names of the stages' nests, and no name may be bound twice.
  nest::Block far_or_at_border(const Expr& is_inside, Part part) {
    nest::Block inside = in_order(part, &StreamKernel::far_from_borders), at_borders = with_arrays(part);
    inside = nest::renamed(inside, nest::bound_in(inside), names_);
    return {nest::stmt(nest::If{is_inside, std::move(inside), std::move(at_borders)})};
  }

  // The first step's conditions and rows are those of any, but for where its rows begin.
  nest::Block before_steps(const Expr& first_row, const Expr& is_inside) {
    bool some = false;
    for (size_t s = 0; s < stages_.size(); ++s) some |= rows_before(s) > 0 && begins_at_once(s);
    if (!some) return {};
    nest::Block code = {nest::stmt(nest::Let{row_, first_row})};
    append(code, far_or_at_border(is_inside, Part::Before));
    return nest::renamed(code, nest::bound_in(code), names_);
  }

  // Whether none of the points that a step is about is near a border, or beyond: what is so of all steps, and of each.
  struct Inside {
    Expr always, in_step;
  };
  Inside is_inside() const {
    const Expr yes = nest::constant(prim::Value::of_bool(true));
    Inside inside{yes, yes};
    for (size_t s = 0; s < stages_.size(); ++s) {
      std::vector<Expr> first;
      std::vector<int64_t> extents(dims(s), 1);
      std::vector<bool> negative(dims(s), false);
      for (size_t d = 0; d + 2 < dims(s); ++d) {
        first.push_back(other(s, d));
        negative[d] = !halos_.stages[s][d].aligned && halos_.stages[s][d].fixed.first < 0;
      }
      first.push_back(top(s));
      first.push_back(nest::add(index(first_column_), i64(first_thread(s))));
      extents[dims(s) - 2] = rows_before(s) + stream_.step;
      extents[dims(s) - 1] = end_of_threads(s) - first_thread(s);
      negative[dims(s) - 2] = rows_halo(s).left > 0;
      negative[dims(s) - 1] = columns_halo(s).left > 0;
      for (const Expr& e : away_from_borders(*stages_[s], first, extents, negative)) {
        Expr& where = nest::free_names(e).contains(row_) ? inside.in_step : inside.always;
        where = nest::both(where, e);
      }
    }
    return inside;
  }

  // ---- Where rows are kept. ----

  void put(size_t s, size_t k, const Name& buffer) {
    Place place{.buffer = buffer};
    if (kept(s) == Kept::Registers) {
      place.kept = {top(s), nullptr, stream_.stages[s].rows};
    } else {
      const Expr first = nest::sub(index(first_row_), i64(rows_halo(s).left));
      place.kept = {first, index(first_column_), stream_.stages[s].rows};
    }
    places_.insert_or_assign(stages_[s]->results[k], place);
    places_.insert_or_assign(stages_[s]->arrays[k], place);
  }

  nest::Stmt alloc(size_t s, size_t k, const Name& name) const {
    std::vector<Expr> size = {i64(stream_.stages[s].rows)};
    if (kept(s) == Kept::Shared) size.push_back(i64(stream_.threads));
    const nest::Space space = kept(s) == Kept::Shared ? nest::Space::Shared : nest::Space::Register;
    return nest::stmt(nest::Alloc{{name, element_type(*stages_[s], k), space, size, nest::dense_strides(size)}});
  }

  nest::Stmt for_each_row(int64_t count, const std::function<nest::Stmt(const Expr& row)>& of_row) {
    Name row = names_.fresh("row");
    return nest::stmt(nest::For{row, i64(count), nest::Role::Unrolled, {of_row(index(row))}});
  }

  nest::Stmt copy(size_t s, size_t k, const Name& from, const Name& to, int64_t count, int64_t down) {
    return for_each_row(count, [&](const Expr& row) {
      return nest::stmt(
          nest::Store{to, {row}, nest::load(from, element_type(*stages_[s], k), {nest::add(row, i64(down))})});
    });
  }

  void allocate(size_t s, nest::Block& body) {
    if (kept(s) == Kept::Nowhere) return;
    for (size_t k = 0; k < stages_[s]->results.size(); ++k) {
      if (!is_read_in_group(stages_, s, k)) continue;
      Name name = names_.fresh(stages_[s]->arrays[k].base + "_rows");
      body.push_back(alloc(s, k, name));
      put(s, k, name);
      if (kept(s) != Kept::Registers) continue;
      // Rows and columns that do not exist leave theirs as they are, and hand them on.
      const Expr zero = nest::constant(prim::zero(element_type(*stages_[s], k)));
      body.push_back(for_each_row(stream_.stages[s].rows, [&](const Expr& row) {
        return nest::stmt(nest::Store{name, {row}, zero});
      }));
      in_registers_.push_back({s, k, name});
    }
  }

  // What is kept in registers is found by numbers that are known. Near borders it is in arrays meanwhile.
  nest::Block with_arrays(Part part) {
    nest::Block before, after;
    for (const InRegisters& r : in_registers_) {
      Name array = names_.fresh(stages_[r.stage]->arrays[r.result].base + "_array");
      before.push_back(alloc(r.stage, r.result, array));
      before.push_back(copy(r.stage, r.result, r.name, array, stream_.stages[r.stage].rows, 0));
      after.push_back(copy(r.stage, r.result, array, r.name, stream_.stages[r.stage].rows, 0));
      put(r.stage, r.result, array);
    }
    append(before, in_order(part, &StreamKernel::at_border));
    append(before, after);
    for (const InRegisters& r : in_registers_) put(r.stage, r.result, r.name);
    return before;
  }

  // Whether the stage writes or reads rows that are in registers.
  bool uses_registers(size_t s) const {
    return std::ranges::any_of(in_registers_, [&](const InRegisters& r) {
      const Name& array = stages_[r.stage]->arrays[r.result];
      return r.stage == s ||
             std::ranges::find(stages_[s]->reads, array, &recognize::WindowedRead::buffer) != stages_[s]->reads.end();
    });
  }

  // To the next step.
  void hand_on_rows(size_t s, nest::Block& body) {
    for (const InRegisters& r : in_registers_) {
      if (r.stage == s && rows_before(s) > 0)
        body.push_back(copy(s, r.result, r.name, r.name, rows_before(s), stream_.step));
    }
  }

  // ---- What is computed. ----

  // The threads that have columns of a stage.
  int64_t first_thread(size_t s) const { return stream_.left - columns_halo(s).left; }
  int64_t end_of_threads(size_t s) const { return stream_.threads - stream_.right + columns_halo(s).right; }

  // Where a block's points are in a dimension that is neither rows nor columns.
  Expr other(size_t s, size_t d) const {
    const stencil::Halo& h = halos_.stages[s][d];
    return h.aligned ? index(others_[h.aligned->tile_dim]) : i64(h.fixed.first);
  }

  std::vector<Expr> point(size_t s, const Expr& row, const Expr& column) const {
    std::vector<Expr> at;
    for (size_t d = 0; d + 2 < dims(s); ++d) at.push_back(other(s, d));
    at.push_back(row);
    at.push_back(column);
    return at;
  }

  // `at`: the point that is computed for this row. `is_stored`: whether it is; all are without it.
  nest::Block computed(size_t s, const nest::Block& work, const Rows& rows, nest::Role role, int64_t at_a_time,
                       const std::function<std::vector<Expr>(const Expr& row)>& at,
                       const std::function<Expr(const Expr& row)>& is_stored) {
    Name piece = names_.fresh("piece");
    const Expr first = nest::add(rows.first, nest::mul(index(piece), i64(at_a_time)));
    auto compute = [&](const Expr& row, const Places& values) {
      nest::Block code;
      const std::vector<Expr> indices = at(nest::add(first, row));
      for (size_t d = 0; d < indices.size(); ++d)
        code.push_back(nest::stmt(nest::Let{stages_[s]->indices[d].name, indices[d]}));
      Places places = places_;
      for (const auto& [result, value] : values) places.insert_or_assign(result, value);
      append(code, work_of_point(work, places, names_));
      return code;
    };
    auto where = [&](size_t k, const Expr& row) {
      std::vector<Element> elements;
      const Expr here = nest::add(first, row);
      auto place = places_.find(stages_[s]->results[k]);
      if (place != places_.end())
        elements.push_back({place->second.buffer, index_in(*place->second.kept, here, index(column_))});
      if (is_stored_[s]) elements.push_back({stages_[s]->results[k], point(s, here, index(column_))});
      return elements;
    };
    auto stored = [&](const Expr& row) { return is_stored(nest::add(first, row)); };
    nest::Block code = computed_and_stored(*stages_[s], at_a_time, compute, where, names_,
                                           is_stored ? stored : std::function<Expr(const Expr&)>());
    return {nest::stmt(nest::For{piece, i64(rows.count / at_a_time), role, std::move(code)})};
  }

  nest::Block far_from_borders(size_t s, const Rows& rows) {
    auto at = [&](const Expr& row) { return point(s, row, index(column_)); };
    const int64_t at_a_time = largest_divisor(rows.count, most_rows(*stages_[s], stream_.step));
    const nest::Role role = uses_registers(s) ? nest::Role::Unrolled : nest::Role::Serial;
    nest::Block code = computed(s, stages_[s]->inside.work, rows, role, at_a_time, at, nullptr);
    Expr has_column = nest::constant(prim::Value::of_bool(true));
    if (first_thread(s) > 0) has_column = nest::less(i64(first_thread(s) - 1), index(thread_));
    if (end_of_threads(s) < stream_.threads)
      has_column = nest::both(has_column, nest::less(index(thread_), i64(end_of_threads(s))));
    if (std::holds_alternative<nest::Const>(has_column->node)) return code;
    return {nest::stmt(nest::If{has_column, std::move(code), {}})};
  }

  // In the place of points that do not exist the nearest that does is computed, and not stored: without branches a thread's loads do not
  // wait for each other.
  nest::Block at_border(size_t s, const Rows& rows) {
    nest::Block code;
    Expr some_exist = nest::constant(prim::Value::of_bool(true));
    struct Ends {
      Expr first, end;
    };
    auto ends = [&](size_t d, const Expr& first, int64_t count) {
      Name begins = names_.fresh("begin"), ends = names_.fresh("end");
      code.push_back(nest::stmt(nest::Let{begins, nest::max(first, i64(0))}));
      code.push_back(
          nest::stmt(nest::Let{ends, nest::min(nest::add(first, i64(count)), stages_[s]->indices[d].extent)}));
      some_exist = nest::both(some_exist, nest::less(index(begins), index(ends)));
      return Ends{index(begins), index(ends)};
    };
    for (size_t d = 0; d + 2 < dims(s); ++d) ends(d, other(s, d), 1);
    const Ends down = ends(dims(s) - 2, rows.first, rows.count);
    const Ends across =
        ends(dims(s) - 1, nest::add(index(first_column_), i64(first_thread(s))), end_of_threads(s) - first_thread(s));
    auto nearest = [](const Expr& i, const Ends& e) {
      return nest::max(e.first, nest::min(i, nest::sub(e.end, i64(1))));
    };
    auto is_within = [](const Expr& i, const Ends& e) {
      return nest::both(nest::less(nest::sub(e.first, i64(1)), i), nest::less(i, e.end));
    };
    auto at = [&](const Expr& row) { return point(s, nearest(row, down), nearest(index(column_), across)); };
    auto exists = [&](const Expr& row) { return nest::both(is_within(row, down), is_within(index(column_), across)); };
    const int64_t loads = std::max<int64_t>(1, stages_[s]->loads);
    const int64_t most = std::clamp<int64_t>(kMostLoadsAtBorder / loads, 1, most_rows(*stages_[s], kMostAtBorder));
    nest::Block points =
        computed(s, stages_[s]->work, rows, nest::Role::Serial, largest_divisor(rows.count, most), at, exists);
    code.push_back(nest::stmt(nest::If{some_exist, std::move(points), {}}));
    return code;
  }

  struct InRegisters {
    size_t stage, result;
    Name name;
  };

  const Stages& stages_;
  const std::vector<bool>& is_stored_;
  const stencil::Halos& halos_;
  const stencil::Stream& stream_;
  NameSource& names_;
  Name segment_, strip_, thread_;
  std::vector<Name> others_;    // a block's point in the dimensions before rows
  Name first_row_;              // of the last stage in the segment
  Name first_column_, column_;  // of the first thread, and of each
  Name is_inside_;              // whether its columns are
  Name step_, row_;             // and the first row of the last stage that it is about
  Places places_;
  std::vector<InRegisters> in_registers_;
};

}  // namespace

Launch stream_kernel(const std::string& name, const Stages& stages, const std::vector<bool>& is_stored,
                     const stencil::Halos& halos, const stencil::Stream& stream, NameSource& names) {
  return StreamKernel(stages, is_stored, halos, stream, names).run(name);
}

}  // namespace heddle::lower
