#include "rewrites/recipes/hybrid.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "ir/nest/index_map.h"
#include "ir/nest/traverse.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/group_parts.h"
#include "rewrites/recipes/tile_stages.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

constexpr int64_t kLanes = stencil::kLanesOfWarp;

Expr index(const Name& n) { return nest::var(n, Type::I64); }
void append(nest::Block& to, const nest::Block& more) { to.insert(to.end(), more.begin(), more.end()); }
nest::Stmt let(const Name& name, Expr value) { return nest::stmt(nest::Let{name, std::move(value)}); }

// As many columns as a part of a tile has.
stencil::Tile with_columns(stencil::Tile tile, int64_t columns) {
  tile.back() = columns;
  return tile;
}

class HybridKernel {
 public:
  // In strips of at most so many rows, left of the turns.
  HybridKernel(const Stages& stages, const std::vector<bool>& is_stored, const stencil::FittedTile& schedule,
               int64_t most_rows, NameSource& names)
      : stages_(stages),
        is_stored_(is_stored),
        halos_(schedule.halos),
        tile_(schedule.tile),
        hybrid_(*schedule.hybrid),
        names_(names),
        block_{names.fresh("warp"), schedule.tiles_of_block, names.fresh("lane")},
        places_(stages, is_stored, schedule, names),
        places_of_piece_(stages, is_stored, schedule, names, true),
        left_(stages, is_stored, places_, schedule, with_columns(tile_, hybrid_.shared_columns), lanes(),
              {index(block_.warp)}, most_rows, names),
        piece_(stages, is_stored, places_of_piece_, schedule, with_columns(tile_, hybrid_.border_columns), lanes(),
               {index(block_.warp)}, most_rows, names) {}

  Launch run(const std::string& name) {
    nest::Block body = places_.origins();
    buffers_.resize(stages_.size());
    kept_.resize(stages_.size());
    for (size_t s = 0; s < stages_.size(); ++s) {
      if (!left_.is_alone(s)) continue;
      append(body, left_.name_first(s));
      if (s + 1 == stages_.size()) continue;
      allocate(s, body);
      left_.keep_in_shared(s, buffers_[s]);
    }
    define(body, of_tile_);
    nest::Block inside = in_order([&](size_t s) { return far_from_borders(s); });
    body.push_back(nest::stmt(nest::If{is_inside(), std::move(inside), {by_pieces()}}));
    return tile_for_each_warp(name, body, places_, block_, stages_, names_);
  }

 private:
  TeamOfThreads lanes() const { return {block_.lane, kLanes, nest::Scope::Warp}; }
  size_t dims(size_t s) const { return stages_[s]->indices.size(); }
  const stencil::Halo& rows(size_t s) const { return halos_.stages[s][dims(s) - 2]; }
  const stencil::Halo& columns(size_t s) const { return halos_.stages[s][dims(s) - 1]; }
  int64_t rows_in_tile(size_t s) const { return stencil::extent(rows(s), tile_[tile_.size() - 2]); }
  // Points at a place of rows and columns.
  int64_t layers(size_t s) const { return dims(s) > 2 ? whole_box(s)[0] : 1; }
  std::vector<int64_t> whole_box(size_t s) const { return stencil::extents(halos_, halos_.group.stages[s], tile_); }
  // Of what each lane keeps of a stage, by turn, layer and row.
  std::vector<Expr> sizes_in_lanes(size_t s) const {
    return {i64(hybrid_.turns), i64(layers(s)), i64(rows_in_tile(s))};
  }
  // The column of a stage that is the first lane's in the first turn, counted from the first in the tile.
  int64_t first_in_turns(size_t s) const { return columns(s).left + columns(s).right + hybrid_.shared_columns; }

  // ---- Memory. ----

  // A buffer that nobody reads any more when this stage is computed, else one of its own. Between two stages there is a barrier.
  void allocate(size_t s, nest::Block& body) {
    std::vector<Expr> in_shared = {i64(block_.warps)};
    const std::vector<int64_t>&left = left_.inside_box(s), &piece = piece_.inside_box(s);
    for (size_t d = 0; d < left.size(); ++d) in_shared.push_back(i64(std::max(left[d], piece[d])));
    buffers_[s].resize(stages_[s]->results.size());
    kept_[s].resize(stages_[s]->results.size());
    for (size_t k = 0; k < stages_[s]->results.size(); ++k) {
      if (!is_read_in_group(stages_, s, k)) continue;
      const Name& array = stages_[s]->arrays[k];
      const Type elem = element_type(*stages_[s], k);
      nest::Buffer b{names_.fresh(array.base + "_tile"), elem, nest::Space::Shared, in_shared,
                     nest::dense_strides(in_shared)};
      auto free = std::ranges::find_if(
          shared_, [&](const Shared& other) { return other.last_reader < s && has_room_for(other.buffer, b); });
      if (free == shared_.end()) {
        body.push_back(nest::stmt(nest::Alloc{b}));
        free = shared_.insert(shared_.end(), {b, 0});
      }
      free->last_reader = last_reader(s, k);
      buffers_[s][k] = free->buffer.name;
      if (hybrid_.turns == 0) continue;
      kept_[s][k] = names_.fresh(array.base + "_lanes");
    }
  }

  static bool has_room_for(const nest::Buffer& a, const nest::Buffer& b) {
    if (a.elem != b.elem || a.dims.size() != b.dims.size()) return false;
    for (size_t d = 0; d < a.dims.size(); ++d) {
      if (*nest::int_constant(a.dims[d]) < *nest::int_constant(b.dims[d])) return false;
    }
    return true;
  }

  // The last stage in whose turn the result is read, by itself or by what is computed with it.
  size_t last_reader(size_t s, size_t k) const {
    size_t last = s;
    for (size_t r = s + 1; r < stages_.size(); ++r) {
      if (!left_.is_alone(r)) continue;
      const std::vector<recognize::WindowedRead> reads = left_.reads(r);
      if (std::ranges::find(reads, stages_[s]->arrays[k], &recognize::WindowedRead::buffer) != reads.end()) last = r;
    }
    return last;
  }

  // ---- All of a tile. ----

  nest::Block in_order(const std::function<nest::Block(size_t)>& stage) const {
    nest::Block body;
    for (size_t s = 0; s < stages_.size(); ++s) {
      if (!left_.is_alone(s)) continue;
      if (!body.empty()) body.push_back(nest::stmt(nest::Barrier{nest::Scope::Warp}));
      append(body, stage(s));
    }
    return body;
  }

  Expr is_inside() const {
    std::vector<std::vector<int64_t>> boxes;
    for (size_t s = 0; s < stages_.size(); ++s) {
      std::vector<int64_t> box = whole_box(s);
      for (size_t d = 0; d < box.size(); ++d) box[d] = std::max(box[d], left_.inside_box(s)[d]);
      boxes.push_back(std::move(box));
    }
    return are_away_from_borders(stages_, places_, boxes);
  }

  // At borders, in shared memory alone. What the one before has there, others may still read when the next begins.
  nest::Stmt by_pieces() {
    const Name number = names_.fresh("piece");
    std::vector<Expr> origin;
    for (size_t d = 0; d < tile_.size(); ++d) origin.push_back(places_.origin(d));
    origin.back() = nest::add(origin.back(), nest::mul(index(number), i64(hybrid_.border_columns)));
    nest::Block body = places_of_piece_.origins_at(origin);
    for (size_t s = 0; s < stages_.size(); ++s) {
      if (!piece_.is_alone(s)) continue;
      append(body, piece_.name_first(s));
      if (s + 1 < stages_.size()) piece_.keep_in_shared(s, buffers_[s]);
    }
    piece_.go_beyond_borders();
    append(body, in_order([&](size_t s) { return piece_.at_border(s); }));
    body.push_back(nest::stmt(nest::Barrier{nest::Scope::Warp}));
    body = nest::renamed(body, nest::bound_in(body), names_);
    return nest::stmt(
        nest::For{number, i64(tile_.back() / hybrid_.border_columns), nest::Role::Serial, std::move(body)});
  }

  nest::Block far_from_borders(size_t s) {
    nest::Block code;
    if (std::ranges::all_of(left_.inside_box(s), [](int64_t n) { return n > 0; })) {
      nest::Block left = left_.inside_borders(s);
      append(code, nest::renamed(left, nest::bound_in(left), names_));
    }
    const std::vector<Expr> in_lanes = sizes_in_lanes(s);
    for (size_t k = 0; k < kept_[s].size(); ++k) {
      if (!kept_[s][k]) continue;
      code.push_back(nest::stmt(nest::Alloc{{*kept_[s][k], element_type(*stages_[s], k), nest::Space::Register,
                                             in_lanes, nest::dense_strides(in_lanes)}}));
    }
    for (int64_t t = 0; t < hybrid_.turns; ++t) append(code, turn(s, t));
    return code;
  }

  // ---- What a lane computes in a turn. ----

  // By layer, row and column.
  using Place3 = std::array<int64_t, 3>;

  // What it reads of a result of the group in a turn, each element once.
  struct Window {
    size_t producer, result;
    int64_t first_row, last_row;        // from the reader's row on
    int64_t first_column, last_column;  // as in the images
    Name buffer = {};
    std::set<Place3> loaded = {};
  };

  std::vector<Window> windows(size_t s) const {
    std::vector<Window> all;
    for (const recognize::WindowedRead& r : left_.reads(s)) {
      for (size_t p = 0; p < s; ++p) {
        const auto at = std::ranges::find(stages_[p]->arrays, r.buffer);
        if (at == stages_[p]->arrays.end() || !left_.is_alone(p)) continue;
        const auto k = static_cast<size_t>(at - stages_[p]->arrays.begin());
        const stencil::Window &rows = r.windows[r.windows.size() - 2], &columns = r.windows.back();
        auto same = [&](const Window& w) { return w.producer == p && w.result == k; };
        auto found = std::ranges::find_if(all, same);
        if (found == all.end()) {
          all.push_back({p, k, rows.lo, rows.hi, columns.lo, columns.hi});
          continue;
        }
        found->first_row = std::min(found->first_row, rows.lo), found->last_row = std::max(found->last_row, rows.hi);
        found->first_column = std::min(found->first_column, columns.lo);
        found->last_column = std::max(found->last_column, columns.hi);
      }
    }
    return all;
  }

  nest::Block turn(size_t s, int64_t t) {
    const Name column = names_.fresh("column");
    nest::Block code = {let(
        column, nest::add(left_.first(s).back(), nest::add(index(block_.lane), i64(first_in_turns(s) + kLanes * t))))};
    std::vector<Window> read = windows(s);
    Places places;
    for (Window& w : read)
      places.insert_or_assign(stages_[w.producer]->arrays[w.result], window_of(s, index(column), w, code));
    std::vector<Expr> at = left_.first(s);
    Expr& row_index = at[at.size() - 2];
    const Expr first_row = row_index;
    at.back() = index(column);
    nest::Block stores;
    for (int64_t row = 0; row < rows_in_tile(s); ++row) {
      row_index = nest::add(first_row, i64(row));
      const nest::Block of_row = points(s, t, row, at, places, stores);
      for (Window& w : read) load_elements(s, t, w, elements_read(of_row, row, w), code);
      append(code, of_row);
    }
    append(code, stores);
    return code;
  }

  // The buffer for a window of all rows that the turn reads.
  Place window_of(size_t s, const Expr& column, Window& w, nest::Block& code) {
    const size_t producer = w.producer;
    w.buffer = names_.fresh(stages_[producer]->arrays[w.result].base + "_window");
    std::vector<Expr> sides(dims(producer), i64(layers(producer)));
    sides[sides.size() - 2] = i64(rows_in_tile(s) + w.last_row - w.first_row);
    sides.back() = i64(w.last_column - w.first_column + 1);
    code.push_back(nest::stmt(nest::Alloc{{w.buffer, element_type(*stages_[producer], w.result), nest::Space::Register,
                                           sides, nest::dense_strides(sides)}}));
    std::vector<Expr> first = left_.first(producer);
    first[first.size() - 2] = nest::add(left_.first(s)[dims(s) - 2], i64(w.first_row));
    first.back() = nest::add(column, i64(w.first_column));
    return {.buffer = w.buffer, .base = first};
  }

  static void define(const nest::Block& code, nest::Substitution& lets) {
    nest::for_each_stmt(code, [&](const nest::Stmt& s) {
      if (const auto* l = std::get_if<nest::Let>(&s->node)) lets.insert_or_assign(l->name, l->value);
    });
  }

  // Of a window what the points of a row read: where the code does not tell, all that they may.
  std::set<Place3> elements_read(const nest::Block& of_row, int64_t row, const Window& w) const {
    nest::Substitution lets = of_tile_;
    define(of_row, lets);
    const nest::Definitions definitions = [&](const Name& n) {
      auto found = lets.find(n);
      return found == lets.end() ? nullptr : found->second;
    };
    std::set<Place3> elements;
    bool are_known = true;
    nest::for_each_expr(of_row, [&](const Expr& e) {
      const auto* load = std::get_if<nest::Load>(&e->node);
      if (!load || load->buffer != w.buffer) return;
      Place3 element = {0, 0, 0};
      for (size_t d = 0; d < load->index.size(); ++d) {
        const std::optional<nest::Polynomial> at = nest::from_expr(load->index[d], definitions);
        are_known &= at && at->as_constant();
        if (are_known) element[element.size() - load->index.size() + d] = *at->as_constant();
      }
      elements.insert(element);
    });
    if (are_known) return elements;
    for (int64_t layer = 0; layer < layers(w.producer); ++layer) {
      for (int64_t r = row; r <= row + w.last_row - w.first_row; ++r) {
        for (int64_t c = 0; c <= w.last_column - w.first_column; ++c) elements.insert({layer, r, c});
      }
    }
    return elements;
  }

  void load_elements(size_t s, int64_t t, Window& w, const std::set<Place3>& elements, nest::Block& code) {
    const int64_t shift = columns(w.producer).right - columns(s).right;
    for (const Place3& e : elements) {
      if (!w.loaded.insert(e).second) continue;
      const auto& [layer, row, column] = e;
      std::vector<Expr> to(dims(w.producer), i64(layer));
      to[to.size() - 2] = i64(row);
      to.back() = i64(column);
      const int64_t in_tile = row + w.first_row + rows(w.producer).left - rows(s).left;
      Expr value = element(w, t, {layer, in_tile}, column + w.first_column - shift, code);
      code.push_back(nest::stmt(nest::Store{w.buffer, std::move(to), std::move(value)}));
    }
  }

  struct Row {
    int64_t layer, row;  // in the tile
  };

  // Of a row the element in a lane's column of the turn, or so many columns (at < 0) beside it.
  Expr element(const Window& w, int64_t t, const Row& row, int64_t at, nest::Block& code) {
    const Type elem = element_type(*stages_[w.producer], w.result);
    auto kept = [&](int64_t turn) {
      return nest::load(*kept_[w.producer][w.result], elem, {i64(turn), i64(row.layer), i64(row.row)});
    };
    if (at == 0) return kept(t);
    const Expr lane = index(block_.lane);
    auto lanes_from = [&](int64_t first) { return nest::less(i64(first - 1), lane); };
    const Expr offered = t == 0 ? kept(0) : nest::select(lanes_from(kLanes + at), kept(t - 1), kept(t));
    const Expr source =
        nest::operation(prim::Op(prim::Family::And, Type::I64), {nest::add(lane, i64(kLanes + at)), i64(kLanes - 1)});
    const Name received = names_.fresh("received");
    code.push_back(nest::stmt(nest::Shuffle{received, offered, source}));
    if (t > 0) return nest::var(received, elem);
    std::vector<Expr> in_shared(dims(w.producer) + 1, i64(row.layer));
    in_shared[0] = index(block_.warp);
    in_shared[in_shared.size() - 2] = i64(row.row);
    in_shared.back() = nest::add(lane, i64(first_in_turns(w.producer) + at));
    const Name value = names_.fresh("value");
    code.push_back(let(value, nest::select(lanes_from(-at), nest::var(received, elem),
                                           nest::load(*buffers_[w.producer][w.result], elem, std::move(in_shared)))));
    return nest::var(value, elem);
  }

  // Computes the points at a place, and keeps their results for others and for `stores`.
  nest::Block points(size_t s, int64_t t, int64_t row, std::vector<Expr> at, const Places& read, nest::Block& stores) {
    nest::Block code;
    const StageCode& stage = *stages_[s];
    const size_t own = at.size() - 2;  // indices of a layer
    nest::Block of_place;
    for (size_t d = own; d < at.size(); ++d) of_place.push_back(let(stage.indices[d].name, at[d]));
    std::vector<TileStages::Layer> all;
    for (int64_t layer = 0; layer < layers(s); ++layer) {
      if (own > 0) at[0] = nest::add(left_.first(s)[0], i64(layer));
      TileStages::Layer& l = all.emplace_back();
      if (own > 0) l.names = {let(stage.indices[0].name, at[0])};
      for (size_t k = 0; k < stage.results.size(); ++k) {
        const Type elem = element_type(stage, k);
        const Name value = names_.fresh(stage.arrays[k]);
        code.push_back(nest::stmt(nest::Alloc{{value, elem, nest::Space::Register, {}, {}}}));
        l.results.insert_or_assign(stage.results[k], Place{value, {}, std::vector<Expr>{}});
        const Expr result = nest::load(value, elem, {});
        if (k < kept_[s].size() && kept_[s][k])
          stores.push_back(nest::stmt(nest::Store{*kept_[s][k], {i64(t), i64(layer), i64(row)}, result}));
        if (is_stored_[s]) stores.push_back(nest::stmt(nest::Store{stage.results[k], at, result}));
      }
    }
    append(of_place, left_.points_inside(s, read, all));
    append(code, nest::renamed(of_place, nest::bound_in(of_place), names_));
    return code;
  }

  const Stages& stages_;
  const std::vector<bool>& is_stored_;
  const stencil::Halos& halos_;
  const stencil::Tile& tile_;
  const stencil::Hybrid& hybrid_;
  NameSource& names_;
  WarpsOfBlock block_;
  TilePlaces places_, places_of_piece_;
  TileStages left_, piece_;
  struct Shared {
    nest::Buffer buffer;
    size_t last_reader;
  };
  std::vector<Shared> shared_;
  nest::Substitution of_tile_;  // values of names: where the tile and the stages' parts begin
  // By stage and result, of those that others read: where the left part is, and the lanes' part.
  std::vector<std::vector<std::optional<Name>>> buffers_, kept_;
};

}  // namespace

Launch hybrid_kernel(const std::string& name, const std::vector<const StageCode*>& stages,
                     const std::vector<bool>& is_stored, const stencil::FittedTile& schedule, NameSource& names) {
  return with_room(
      [&](int64_t most_rows) { return HybridKernel(stages, is_stored, schedule, most_rows, names).run(name); });
}

}  // namespace heddle::lower
