#include "rewrites/recipes/tile_stages.h"

#include <algorithm>
#include <utility>

#include "ir/nest/traverse.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/layers.h"
#include "rewrites/recipes/strip_code.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

// Of a strip.
constexpr int64_t kMostRows = 16;
// Of a stage that is computed with its reader's layers.
constexpr int64_t kFewestRows = 2, kMostLoadsInLayers = 12;
// At borders: points of a thread at a time, and loads of all of these, beyond which they cost more registers than waiting, which tiles
// inside then have to do with, too.
constexpr int64_t kMostAtBorder = 4, kMostLoadsAtBorder = 24, kMostOfTilesAtBorder = 2;

Expr index(const Name& n) { return nest::var(n, Type::I64); }
void append(nest::Block& to, const nest::Block& more) { to.insert(to.end(), more.begin(), more.end()); }

}  // namespace

class TileStages::Impl {
 public:
  Impl(const Stages& stages, const std::vector<bool>& is_stored, const TilePlaces& places,
       const stencil::FittedTile& schedule, const stencil::Tile& tile, const TeamOfThreads& team,
       std::vector<Expr> own_part, int64_t most_rows, NameSource& names)
      : stages_(stages),
        is_stored_(is_stored),
        most_rows_(most_rows),
        names_(names),
        team_(team),
        own_part_(std::move(own_part)),
        tile_(places),
        firsts_(stages.size()) {
    for (size_t s : schedule.halos.group.stages) boxes_.push_back(stencil::extents(schedule.halos, s, tile));
    place_stages();
    choose_strips();
  }

  const std::vector<int64_t>& box(size_t s) const { return boxes_[s]; }
  bool is_alone(size_t s) const { return is_alone_[s]; }
  const std::vector<int64_t>& inside_box(size_t s) const { return inside_boxes_[s]; }
  const std::vector<Expr>& first(size_t s) const { return firsts_[s]; }

  void keep_in_shared(size_t s, const std::vector<std::optional<Name>>& buffers) {
    in_shared_[s] = buffers;
    for (size_t k = 0; k < buffers.size(); ++k) {
      if (buffers[k]) put(s, k, {.buffer = *buffers[k], .base = firsts_[s], .fixed = {}, .before = own_part_});
    }
  }

  nest::Block points_inside(size_t s, const Places& read, const std::vector<Layer>& layers) {
    const Places outside = tiled_;
    for (const auto& [name, place] : read) tiled_.insert_or_assign(name, place);
    nest::Block code = before_each_layer(s, far_from_borders);
    for (const Layer& layer : layers) {
      for (const auto& [name, place] : layer.results) tiled_.insert_or_assign(name, place);
      nest::Block of_layer = layer.names;
      append(of_layer, point(s, far_from_borders));
      append(code, nest::renamed(of_layer, nest::bound_in(of_layer), names_));
    }
    tiled_ = outside;
    return code;
  }

  std::vector<recognize::WindowedRead> reads(size_t s) const {
    std::vector<recognize::WindowedRead> all = stages_[s]->reads;
    for (const auto* others : {&with_, &before_}) {
      auto of_stage = others->find(s);
      if (of_stage == others->end()) continue;
      for (size_t other : of_stage->second) {
        const std::vector<recognize::WindowedRead> more = reads(other);
        all.insert(all.end(), more.begin(), more.end());
      }
    }
    return all;
  }

  // ---- Which stages are computed by themselves, and where their results are. ----

  void place_stages() {
    layers_.resize(stages_.size());
    is_alone_.assign(stages_.size(), true);
    for (size_t s = stages_.size(); s-- > 0;) {
      const std::optional<size_t> reader = is_stored_[s] ? std::nullopt : only_reader(s);
      if (!reader) continue;
      std::unordered_map<size_t, std::vector<size_t>>* others = nullptr;
      if (is_read_at_point(*stages_[s], *stages_[*reader])) {
        others = &with_;
      } else if (is_alone_[*reader] && in_layers_of(*reader, s)) {
        others = &before_;
        layers_[*reader] = layers_of_thread(*reader);
      }
      if (!others) continue;
      is_alone_[s] = false;
      std::vector<size_t>& of_reader = (*others)[*reader];
      of_reader.insert(of_reader.begin(), s);
    }
    for (size_t s = 0; s < stages_.size(); ++s) {
      if (is_alone_[s] && !layers_[s] && has_memory_in_common(s)) layers_[s] = layers_of_thread(s);
    }
  }

  // Whether the layers of a point have elements in common that lie in no tile.
  bool has_memory_in_common(size_t s) const {
    return std::ranges::any_of(stages_[s]->reads, [&](const recognize::WindowedRead& r) {
      const bool is_made_here = std::ranges::any_of(stages_, [&](const StageCode* other) {
        return std::ranges::find(other->arrays, r.buffer) != other->arrays.end();
      });
      return !is_made_here && is_common(r);
    });
  }

  // Whether whoever computes all layers of the reader's point computes this stage, too. What is so dear that a thread has one such point at
  // a time, or waits for much, had better have threads of its own.
  bool in_layers_of(size_t reader, size_t s) const {
    const std::optional<int64_t> layers = layers_of_thread(reader);
    return layers && stages_[s]->loads <= kMostLoadsInLayers && is_read_in_layers(*stages_[s], *stages_[reader]) &&
           rows_of(reader, *layers, kMostRows) >= kFewestRows &&
           rows_of(s, layers_before(s, reader).value_or(1), kMostRows) >= kFewestRows;
  }

  // Of a stage all of whose layers are in the tile, and of which a thread may compute all, so that there is enough for all threads.
  std::optional<int64_t> layers_of_thread(size_t s) const {
    const std::optional<int64_t> layers = common_layers(*stages_[s]);
    const std::vector<int64_t> extents = box(s);
    if (!layers || extents[0] != *layers || !nest::equal(tile_.first_of(s, 0), i64(0))) return std::nullopt;
    int64_t points = 1;
    for (size_t d = 1; d < extents.size(); ++d) points *= extents[d];
    return points >= team_.threads ? layers : std::nullopt;
  }

  // The only stage that reads this one.
  std::optional<size_t> only_reader(size_t s) const {
    std::optional<size_t> reader;
    for (size_t r = s + 1; r < stages_.size(); ++r) {
      for (const recognize::WindowedRead& read : stages_[r]->reads) {
        if (std::ranges::find(stages_[s]->arrays, read.buffer) == stages_[s]->arrays.end()) continue;
        if (reader && *reader != r) return std::nullopt;
        reader = r;
      }
    }
    return reader;
  }

  void put(size_t s, size_t k, const Place& where) {
    tiled_.insert_or_assign(stages_[s]->results[k], where);
    tiled_.insert_or_assign(stages_[s]->arrays[k], where);
  }

  Type elem(size_t s, size_t k) const { return element_type(*stages_[s], k); }

  // ---- Places. ----

  // The first point of a stage that is in the tile.
  nest::Block name_first(size_t s) {
    nest::Block lets;
    for (size_t d = 0; d < stages_[s]->indices.size(); ++d) {
      Name name = names_.fresh(stages_[s]->indices[d].name.base + "_first");
      lets.push_back(nest::stmt(nest::Let{name, tile_.first_of(s, d)}));
      firsts_[s].push_back(index(name));
    }
    return lets;
  }

  // What of a box threads share: where each computes all layers, the first.
  std::vector<int64_t> place_of_layers(size_t s, std::vector<int64_t> box) const {
    if (layers_[s]) box[0] = 1;
    return box;
  }

  // Of a strip, in which all layers of a row and what is computed before them count. Where the latter has layers, too, one row has enough
  // points that wait beside each other: with two, interpolate's last kernel takes more registers and 5 us more.
  int64_t most_rows_of(size_t s, int64_t most) const {
    int64_t result = rows_of(s, layers_[s].value_or(1), most);
    if (auto before = before_.find(s); before != before_.end()) {
      for (size_t other : before->second)
        result = std::min(result, layers_before(other, s) ? 1 : rows_of(other, 1, most));
    }
    return result;
  }

  int64_t rows_of(size_t s, int64_t layers, int64_t most) const {
    return std::max<int64_t>(1, most_rows(*stages_[s], most * layers) / layers);
  }

  // Of a stage that is computed before the layers of its reader.
  std::optional<int64_t> layers_before(size_t s, size_t reader) const {
    if (stages_[s]->indices.size() < stages_[reader]->indices.size()) return std::nullopt;
    return nest::int_constant(stages_[s]->indices[0].extent);
  }

  // Inside, a stage's box ends with whole strips, and what is computed too much of it reads other stages, too.
  void choose_strips() {
    for (size_t s = 0; s < stages_.size(); ++s) inside_boxes_.push_back(box(s));
    strips_.resize(stages_.size());
    for (size_t s = stages_.size(); s-- > 0;) {
      std::vector<int64_t>& own = inside_boxes_[s];
      if (is_alone_[s]) {
        strips_[s] =
            strips_for(place_of_layers(s, own), team_.threads, most_rows_of(s, most_rows_), layers_[s].value_or(1));
        int64_t& along = own[strips_[s].along];
        along = (along + strips_[s].rows - 1) / strips_[s].rows * strips_[s].rows;
      }
      const std::vector<int64_t> needed = box(s);
      for (const recognize::WindowedRead& read : stages_[s]->reads) {
        for (size_t p = 0; p < s; ++p) {
          if (std::ranges::find(stages_[p]->arrays, read.buffer) == stages_[p]->arrays.end()) continue;
          const std::vector<int64_t> of_producer = box(p);
          for (size_t d = 0; d < read.windows.size(); ++d) {
            const stencil::Window& w = read.windows[d];
            if (!w.follows) continue;
            int64_t more = (own[*w.follows] - needed[*w.follows]) * w.num;
            int64_t& extent = inside_boxes_[p][d];
            extent = std::max(extent, of_producer[d] + (more + w.den - 1) / w.den);
          }
        }
      }
    }
  }

  // From here on tiles have points beyond the borders of tori. Where no point of a tile is near a border, none is beyond.
  void go_beyond_borders() {
    beyond_borders_ = true;
    for (const auto& [s, tiles] : in_shared_) {
      std::vector<std::optional<Torus>> tori;
      const std::vector<int64_t> extents = box(s);
      for (size_t d = 0; d < extents.size(); ++d)
        tori.push_back(tile_.wraps(s, d) ? std::optional(Torus{stages_[s]->indices[d].extent, extents[d]})
                                         : std::nullopt);
      for (size_t k = 0; k < tiles.size(); ++k) {
        if (!tiles[k]) continue;
        Place where = tiled_.at(stages_[s]->arrays[k]);
        where.tori = tori;
        put(s, k, where);
      }
    }
  }

  // ---- What is computed. ----

  // A point of a stage's box in the stage's image.
  std::vector<Expr> places(size_t s, const Digits& digits) const {
    std::vector<Expr> result;
    for (size_t d = 0; d < digits.size(); ++d) result.push_back(nest::add(firsts_[s][d], digits[d]));
    return result;
  }

  // The names of a stage's indices there.
  nest::Block at_point(size_t s, const Digits& digits) const {
    nest::Block lets;
    std::vector<Expr> at = places(s, digits);
    for (size_t d = 0; d < at.size(); ++d) lets.push_back(nest::stmt(nest::Let{stages_[s]->indices[d].name, at[d]}));
    return lets;
  }

  // What a stage computes at its point, after what others compute for it there.
  using Version = const nest::Block& (*)(const StageCode&);
  static const nest::Block& anywhere(const StageCode& s) { return s.work; }
  static const nest::Block& far_from_borders(const StageCode& s) { return s.inside.work; }

  nest::Block point(size_t s, Version version) {
    nest::Block code;
    for (size_t other : with_[s]) {
      for (size_t d = 0; d < stages_[other]->indices.size(); ++d)
        code.push_back(nest::stmt(nest::Let{stages_[other]->indices[d].name, index(stages_[s]->indices[d].name)}));
      for (size_t k = 0; k < stages_[other]->results.size(); ++k) {
        Name name = names_.fresh(stages_[other]->arrays[k]);
        code.push_back(nest::stmt(nest::Alloc{{name, elem(other, k), nest::Space::Register, {}, {}}}));
        put(other, k, {name, {}, std::vector<Expr>{}});
      }
      append(code, point(other, version));
    }
    append(code, work_of_point(version(*stages_[s]), tiled_, names_));
    return code;
  }

  // Where the results of a stage's point belong.
  std::vector<Element> elements(size_t s, size_t k, const Digits& digits) const {
    std::vector<Element> elements;
    auto tiles = in_shared_.find(s);
    if (tiles != in_shared_.end() && tiles->second[k]) {
      std::vector<Expr> in_tile = own_part_;
      in_tile.insert(in_tile.end(), digits.begin(), digits.end());
      elements.push_back({*tiles->second[k], std::move(in_tile)});
    }
    if (is_stored_[s]) elements.push_back({stages_[s]->results[k], places(s, digits), is_in_image(s, digits)});
    return elements;
  }

  // Asked of stages alone that go on beyond the border.
  std::optional<Expr> is_in_image(size_t s, const Digits& digits) const {
    std::optional<Expr> all;
    const std::vector<Expr> at = places(s, digits);
    for (size_t d = 0; beyond_borders_ && d < at.size(); ++d) {
      if (!tile_.wraps(s, d)) continue;
      Expr in = nest::both(nest::less(i64(-1), at[d]), nest::less(at[d], stages_[s]->indices[d].extent));
      all = all ? nest::both(*all, in) : in;
    }
    return all;
  }

  // What others compute at the place of a stage's point, for all of its layers.
  nest::Block before_each_layer(size_t s, Version version) {
    nest::Block code;
    for (size_t other : before_[s]) {
      const StageCode& o = *stages_[other];
      const std::optional<int64_t> layers = layers_before(other, s);
      const size_t own = layers ? 1 : 0;
      for (size_t d = own; d < o.indices.size(); ++d)
        code.push_back(nest::stmt(nest::Let{o.indices[d].name, index(stages_[s]->indices[d + 1 - own].name)}));
      std::vector<Expr> dims;
      if (layers) dims.push_back(i64(*layers));
      for (size_t k = 0; k < o.results.size(); ++k) {
        Name name = names_.fresh(o.arrays[k]);
        code.push_back(
            nest::stmt(nest::Alloc{{name, elem(other, k), nest::Space::Register, dims, nest::dense_strides(dims)}}));
        put(other, k,
            layers ? Place{.buffer = name, .is_of_layers = true} : Place{.buffer = name, .fixed = std::vector<Expr>{}});
      }
      nest::Block work = point(other, version);
      if (layers) {
        work = {nest::stmt(nest::For{o.indices[0].name, i64(*layers), nest::Role::Unrolled, std::move(work)})};
      }
      append(code, work);
    }
    return code;
  }

  // What a stage computes at some points, to which `lets` give the names of its indices; where it computes all layers, those of the
  // first one.
  nest::Block computed(size_t s, int64_t rows, Version version, const StripDigits& digits,
                       const std::function<nest::Block(const Expr& row)>& lets,
                       const std::function<Expr(const Expr& row)>& is_stored) {
    auto at_point = [&](const Places& values) {
      Places before = tiled_;
      for (const auto& [result, value] : values) tiled_.insert_or_assign(result, value);
      nest::Block code = point(s, version);
      tiled_ = std::move(before);
      return code;
    };
    if (!layers_[s]) {
      auto compute = [&](const Expr& row, const Places& values) {
        nest::Block code = lets(row);
        append(code, at_point(values));
        return code;
      };
      auto where = [&](size_t k, const Expr& row) { return elements(s, k, digits(row)); };
      return computed_and_stored(*stages_[s], rows, compute, where, names_, is_stored);
    }
    auto compute = [&](const Expr& row, const EachLayer& each_layer) {
      nest::Block code = lets(row);
      std::erase_if(
          code, [&](const nest::Stmt& l) { return std::get<nest::Let>(l->node).name == stages_[s]->indices[0].name; });
      append(code, before_each_layer(s, version));
      code.push_back(each_layer([&](const Expr& layer, const Places& values) {
        nest::Block of_layer = {nest::stmt(nest::Let{stages_[s]->indices[0].name, layer})};
        append(of_layer, at_point(values));
        return of_layer;
      }));
      return code;
    };
    auto where = [&](size_t k, const Expr& row, const Expr& layer) {
      Digits at = digits(row);
      at[0] = layer;
      return elements(s, k, at);
    };
    return computed_and_stored(*stages_[s], rows, *layers_[s], compute, where, names_, is_stored);
  }

  // Whether a point reads what is not in tiles, by itself or by what is computed with it.
  bool reads_memory(size_t s) const {
    auto is_of_group = [&](const Name& n) {
      return std::ranges::any_of(stages_, [&](const StageCode* other) {
        return std::ranges::find(other->arrays, n) != other->arrays.end() ||
               std::ranges::find(other->results, n) != other->results.end();
      });
    };
    auto any_of = [&](const std::unordered_map<size_t, std::vector<size_t>>& others) {
      auto of_stage = others.find(s);
      return of_stage != others.end() &&
             std::ranges::any_of(of_stage->second, [&](size_t other) { return reads_memory(other); });
    };
    return !std::ranges::all_of(stages_[s]->launch.kernel.buffers, is_of_group, &nest::Buffer::name) || any_of(with_) ||
           any_of(before_);
  }

  // The points of a stage that are in the tile and that exist. In the place of those that do not, the nearest that does is computed, and
  // not stored: without branches a thread's loads do not wait for each other. Of tori all exist that a tile has room for.
  nest::Block at_border(size_t s) {
    const std::vector<int64_t> extents = box(s);
    const std::vector<recognize::Index>& indices = stages_[s]->indices;
    nest::Block code;
    std::vector<Expr> ends;
    Expr some_exist = nest::constant(prim::Value::of_bool(true));
    for (size_t d = 0; d < extents.size(); ++d) {
      if (tile_.wraps(s, d)) {
        ends.push_back(nest::add(firsts_[s][d], i64(extents[d])));
        some_exist = nest::both(some_exist, tile_.exists(s, d, firsts_[s][d]));
        continue;
      }
      Name end = names_.fresh(indices[d].name.base + "_end");
      code.push_back(
          nest::stmt(nest::Let{end, nest::min(indices[d].extent, nest::add(firsts_[s][d], i64(extents[d])))}));
      ends.push_back(index(end));
      if (tile_.may_be_negative(s, d)) some_exist = nest::both(some_exist, nest::less(i64(0), ends[d]));
      some_exist = nest::both(some_exist, nest::less(firsts_[s][d], ends[d]));
    }
    auto batch = [&](int64_t at_a_time, const StripDigits& digits) {
      auto lets = [&](const Expr& row) {
        nest::Block lets;
        const std::vector<Expr> at = places(s, digits(row));
        for (size_t d = 0; d < at.size(); ++d) {
          Expr nearest = nest::min(at[d], nest::sub(ends[d], i64(1)));
          if (tile_.wraps(s, d)) {
            append(lets, tile_.at_other_end(s, d, nearest));
            continue;
          }
          if (tile_.may_be_negative(s, d)) nearest = nest::max(nearest, i64(0));
          lets.push_back(nest::stmt(nest::Let{indices[d].name, nearest}));
        }
        return lets;
      };
      auto exists = [&](const Expr& row) {
        Expr exists = nest::constant(prim::Value::of_bool(true));
        const std::vector<Expr> at = places(s, digits(row));
        for (size_t d = 0; d < at.size(); ++d) {
          if (tile_.may_be_negative(s, d) && !tile_.wraps(s, d))
            exists = nest::both(exists, nest::less(i64(-1), at[d]));
          exists = nest::both(exists, nest::less(at[d], ends[d]));
        }
        return exists;
      };
      return computed(s, at_a_time, anywhere, digits, lets, exists);
    };
    const int64_t loads = std::max<int64_t>(1, stages_[s]->loads) * layers_[s].value_or(1);
    // Who reads tiles alone, and has nothing dear to do with that, waits little.
    const bool waits = reads_memory(s) || stages_[s]->dear_operations > 0;
    const int64_t most = std::clamp<int64_t>(kMostLoadsAtBorder / loads, 1,
                                             waits ? most_rows_of(s, kMostAtBorder) : kMostOfTilesAtBorder);
    nest::Stmt points = by_batches(place_of_layers(s, extents), most, team_, batch, names_);
    code.push_back(nest::stmt(nest::If{some_exist, {std::move(points)}, {}}));
    return code;
  }

  // All points of a stage that are in the tile. A strip's are computed before any of them is stored: between stores and loads, nothing
  // that was read could be kept.
  nest::Block inside_borders(size_t s) {
    auto strip = [&](const StripDigits& digits) {
      auto lets = [&](const Expr& row) { return at_point(s, digits(row)); };
      return computed(s, strips_[s].rows, far_from_borders, digits, lets, nullptr);
    };
    return {by_strips(place_of_layers(s, inside_boxes_[s]), strips_[s], team_, strip, names_)};
  }

  const Stages& stages_;
  const std::vector<bool>& is_stored_;
  int64_t most_rows_;  // of a strip
  NameSource& names_;
  TeamOfThreads team_;          // that computes a tile
  std::vector<Expr> own_part_;  // of shared buffers: whose part it is
  const TilePlaces& tile_;
  std::vector<std::vector<int64_t>> boxes_;  // by stage
  std::vector<std::vector<Expr>> firsts_;    // by stage and dimension: the first point that is in the tile
  Places tiled_;
  bool beyond_borders_ = false;  // whether tiles may have points there
  std::unordered_map<size_t, std::vector<std::optional<Name>>>
      in_shared_;  // by stage: buffers of those results that others read
  std::vector<bool> is_alone_;
  std::vector<std::optional<int64_t>> layers_;              // by stage: all are computed by one thread
  std::vector<Strips> strips_;                              // by stage
  std::vector<std::vector<int64_t>> inside_boxes_;          // by stage
  std::unordered_map<size_t, std::vector<size_t>> with_;    // stages that are computed with another's points
  std::unordered_map<size_t, std::vector<size_t>> before_;  // ... before another's layers
};

TileStages::TileStages(const Stages& stages, const std::vector<bool>& is_stored, const TilePlaces& places,
                       const stencil::FittedTile& schedule, const stencil::Tile& tile, const TeamOfThreads& team,
                       std::vector<Expr> own_part, int64_t most_rows, NameSource& names)
    : impl_(std::make_unique<Impl>(stages, is_stored, places, schedule, tile, team, std::move(own_part), most_rows,
                                   names)) {}
TileStages::~TileStages() = default;

bool TileStages::is_alone(size_t s) const { return impl_->is_alone(s); }
const std::vector<int64_t>& TileStages::inside_box(size_t s) const { return impl_->inside_box(s); }
std::vector<int64_t> TileStages::box(size_t s) const { return impl_->box(s); }
nest::Block TileStages::name_first(size_t s) { return impl_->name_first(s); }
const std::vector<Expr>& TileStages::first(size_t s) const { return impl_->first(s); }
void TileStages::keep_in_shared(size_t s, const std::vector<std::optional<Name>>& buffers) {
  impl_->keep_in_shared(s, buffers);
}
nest::Block TileStages::inside_borders(size_t s) { return impl_->inside_borders(s); }
void TileStages::go_beyond_borders() { impl_->go_beyond_borders(); }
nest::Block TileStages::at_border(size_t s) { return impl_->at_border(s); }
nest::Block TileStages::points_inside(size_t s, const Places& read, const std::vector<Layer>& layers) {
  return impl_->points_inside(s, read, layers);
}
std::vector<recognize::WindowedRead> TileStages::reads(size_t s) const { return impl_->reads(s); }

}  // namespace heddle::lower
