#include "rewrites/recipes/group.h"

#include <algorithm>
#include <utility>

#include "ir/nest/traverse.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/nest/share_scratch.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/group_parts.h"
#include "rewrites/recipes/layers.h"
#include "rewrites/recipes/strip_code.h"
#include "rewrites/recipes/tile_places.h"
#include "rewrites/recipes/tile_turns.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

// Of a block that computes a tile together, and of a warp.
constexpr int64_t kBlockThreads = 256, kLanes = 32;
// What every device has for a block, in bytes.
constexpr int64_t kMostShared = 48 * 1024;
constexpr int64_t kMostRows = 16;
// Of a stage that is computed with its reader's layers.
constexpr int64_t kFewestRows = 2, kMostLoadsInLayers = 12;
// At borders: points of a thread at a time, and loads of all of these, beyond which they cost more registers than waiting, which tiles
// inside then have to do with, too.
constexpr int64_t kMostAtBorder = 4, kMostLoadsAtBorder = 24, kMostOfTilesAtBorder = 2;

class GroupKernel {
 public:
  // In strips of at most so many rows.
  GroupKernel(const std::vector<const StageCode*>& stages, const std::vector<bool>& is_stored,
              const stencil::FittedTile& schedule, int64_t most_rows, NameSource& names)
      : stages_(stages),
        is_stored_(is_stored),
        most_rows_(most_rows),
        names_(names),
        warps_(schedule.scope == stencil::TileScope::Warp ? std::optional(schedule.tiles_of_block) : std::nullopt),
        team_{names.fresh(warps_ ? "lane" : "thread"), warps_ ? kLanes : kBlockThreads},
        warp_(warps_ ? names.fresh("warp") : Name()),
        tile_(stages, is_stored, schedule, names) {}

  Launch run(const std::string& name) {
    place_stages();
    choose_strips();
    nest::Block body = tile_.origins();
    firsts_.resize(stages_.size());
    for (size_t s = 0; s < stages_.size(); ++s) {
      if (!is_alone_[s]) continue;
      name_first(s, body);
      if (s + 1 < stages_.size()) allocate(s, body);
    }
    // Both bind the names of the stages' nests, and no name may be bound twice.
    nest::Block inside = in_order([&](size_t s) { return inside_borders(s); });
    inside = nest::renamed(inside, nest::bound_in(inside), names_);
    go_beyond_borders();
    nest::Block at_borders = in_order([&](size_t s) { return at_border(s); });
    body.push_back(nest::stmt(nest::If{is_inside(), std::move(inside), std::move(at_borders)}));
    if (warps_) return tile_for_each_warp(name, body);
    return tile_for_each_block(name, std::move(body));
  }

 private:
  static Expr index(const Name& n) { return nest::var(n, Type::I64); }
  static void append(nest::Block& to, const nest::Block& more) { to.insert(to.end(), more.begin(), more.end()); }

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

  // Tiles beyond the last lie beyond the results' first dimension: no point of them is needed.
  Launch tile_for_each_warp(const std::string& name, const nest::Block& of_tile) {
    Name block = names_.fresh("block");
    Expr rest = nest::add(nest::mul(index(block), i64(*warps_)), index(warp_)), num_tiles = i64(1);
    nest::Block body;
    for (size_t d = tile_.dims(); d-- > 0;) {
      num_tiles = nest::mul(tile_.count(d), num_tiles);
      Name number = names_.fresh("tile");
      body.push_back(nest::stmt(nest::Let{number, rest}));
      body.push_back(
          nest::stmt(nest::Let{tile_.number(d), d == 0 ? index(number) : nest::mod(index(number), tile_.count(d))}));
      if (d > 0) rest = nest::div(index(number), tile_.count(d));
    }
    append(body, of_tile);
    Expr num_blocks = nest::ceil_div(num_tiles, i64(*warps_));
    body = {nest::stmt(nest::For{team_.thread, i64(team_.threads), nest::Role::Lane, std::move(body)})};
    body = {nest::stmt(nest::For{warp_, i64(*warps_), nest::Role::Warp, std::move(body)})};
    body = {nest::stmt(nest::For{block, num_blocks, nest::Role::Grid, std::move(body)})};
    return launch_of_group(name, std::move(body), num_blocks, *warps_ * team_.threads, stages_);
  }

  // Of shared buffers: whose part it is.
  std::vector<Expr> own_part() const { return warps_ ? std::vector<Expr>{index(warp_)} : std::vector<Expr>{}; }

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
    const std::vector<int64_t> extents = tile_.box(s);
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

  nest::Block in_order(const std::function<nest::Block(size_t)>& stage) const {
    nest::Block body;
    for (size_t s = 0; s < stages_.size(); ++s) {
      if (!is_alone_[s]) continue;
      if (!body.empty()) body.push_back(nest::stmt(nest::Barrier{warps_ ? nest::Scope::Warp : nest::Scope::Block}));
      append(body, stage(s));
    }
    return body;
  }

  void allocate(size_t s, nest::Block& body) {
    std::vector<Expr> dims;
    if (warps_) dims.push_back(i64(*warps_));
    for (int64_t e : inside_boxes_[s]) dims.push_back(i64(e));
    std::vector<std::optional<Name>>& tiles = in_shared_[s];
    tiles.resize(stages_[s]->results.size());
    for (size_t k = 0; k < stages_[s]->results.size(); ++k) {
      if (!is_read_in_group(stages_, s, k)) continue;
      Name name = names_.fresh(stages_[s]->arrays[k].base + "_tile");
      body.push_back(nest::stmt(nest::Alloc{{name, elem(s, k), nest::Space::Shared, dims, nest::dense_strides(dims)}}));
      put(s, k, {.buffer = name, .base = firsts_[s], .fixed = {}, .before = own_part()});
      tiles[k] = name;
    }
  }

  void put(size_t s, size_t k, const Place& where) {
    tiled_.insert_or_assign(stages_[s]->results[k], where);
    tiled_.insert_or_assign(stages_[s]->arrays[k], where);
  }

  Type elem(size_t s, size_t k) const { return element_type(*stages_[s], k); }

  // ---- Places. ----

  // The first point of a stage that is in the tile.
  void name_first(size_t s, nest::Block& lets) {
    for (size_t d = 0; d < stages_[s]->indices.size(); ++d) {
      Name name = names_.fresh(stages_[s]->indices[d].name.base + "_first");
      lets.push_back(nest::stmt(nest::Let{name, tile_.first_of(s, d)}));
      firsts_[s].push_back(index(name));
    }
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
    for (size_t s = 0; s < stages_.size(); ++s) inside_boxes_.push_back(tile_.box(s));
    strips_.resize(stages_.size());
    for (size_t s = stages_.size(); s-- > 0;) {
      std::vector<int64_t>& own = inside_boxes_[s];
      if (is_alone_[s]) {
        strips_[s] =
            strips_for(place_of_layers(s, own), team_.threads, most_rows_of(s, most_rows_), layers_[s].value_or(1));
        int64_t& along = own[strips_[s].along];
        along = (along + strips_[s].rows - 1) / strips_[s].rows * strips_[s].rows;
      }
      const std::vector<int64_t> needed = tile_.box(s);
      for (const recognize::WindowedRead& read : stages_[s]->reads) {
        for (size_t p = 0; p < s; ++p) {
          if (std::ranges::find(stages_[p]->arrays, read.buffer) == stages_[p]->arrays.end()) continue;
          const std::vector<int64_t> of_producer = tile_.box(p);
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

  // Whether no point of the tile is near a border, or beyond.
  Expr is_inside() const {
    Expr all = nest::constant(prim::Value::of_bool(true));
    for (size_t s = 0; s < stages_.size(); ++s) {
      std::vector<Expr> first;
      std::vector<bool> negative;
      for (size_t d = 0; d < inside_boxes_[s].size(); ++d) {
        first.push_back(tile_.first_of(s, d));
        negative.push_back(tile_.may_be_negative(s, d));
      }
      for (const Expr& e : away_from_borders(*stages_[s], first, inside_boxes_[s], negative)) all = nest::both(all, e);
    }
    return all;
  }

  // From here on tiles have points beyond the borders of tori. Where no point of a tile is near a border, none is beyond.
  void go_beyond_borders() {
    beyond_borders_ = true;
    for (const auto& [s, tiles] : in_shared_) {
      std::vector<std::optional<Torus>> tori;
      const std::vector<int64_t> extents = tile_.box(s);
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
      std::vector<Expr> in_tile = own_part();
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
    const std::vector<int64_t> extents = tile_.box(s);
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

  const std::vector<const StageCode*>& stages_;
  const std::vector<bool>& is_stored_;
  int64_t most_rows_;  // of a strip
  NameSource& names_;
  std::optional<int64_t> warps_;  // of a block, if each has a tile of its own
  TeamOfThreads team_;            // that computes a tile
  Name warp_;                     // its number in its block
  TilePlaces tile_;
  std::vector<std::vector<Expr>> firsts_;  // by stage and dimension: the first point that is in the tile
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

// Of a block, as far as it is known.
int64_t shared_bytes(const nest::Kernel& kernel) {
  int64_t bytes = 0;
  nest::for_each_stmt(kernel.body, [&](const nest::Stmt& s) {
    const auto* alloc = std::get_if<nest::Alloc>(&s->node);
    if (!alloc || alloc->buffer.space != nest::Space::Shared) return;
    int64_t of_buffer = prim::size_bytes(alloc->buffer.elem);
    for (const Expr& d : alloc->buffer.dims) of_buffer *= nest::int_constant(d).value_or(1);
    bytes += of_buffer;
  });
  return bytes;
}

}  // namespace

Launch group_kernel(const std::string& name, const std::vector<const StageCode*>& stages,
                    const std::vector<bool>& is_stored, const stencil::FittedTile& schedule, NameSource& names) {
  // Whole strips need more than the tile, which has room.
  for (int64_t most_rows = kMostRows;; most_rows /= 2) {
    Launch launch = GroupKernel(stages, is_stored, schedule, most_rows, names).run(name);
    launch.kernel = nest::share_scratch(std::move(launch.kernel));
    if (most_rows == 1 || shared_bytes(launch.kernel) <= kMostShared) return launch;
  }
}

}  // namespace heddle::lower
