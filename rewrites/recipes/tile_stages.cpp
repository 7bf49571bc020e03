#include "rewrites/recipes/tile_stages.h"

#include <algorithm>
#include <utility>

#include "ir/nest/traverse.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/nest/unused.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/beyond_image.h"
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
// Of a strip at borders whose points branch: written out beside each other they take more registers than strips inside, which then have to do with
// them, too.
constexpr int64_t kMostThatBranch = 4;

Expr index(const Name& n) { return nest::var(n, Type::I64); }
void append(nest::Block& to, const nest::Block& more) { to.insert(to.end(), more.begin(), more.end()); }
Expr either(const Expr& a, const Expr& b) { return nest::select(a, nest::constant(prim::Value::of_bool(true)), b); }

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
    place_stages(schedule.points_in_registers);
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
    nest::Block code = before_each_layer(s, Version::Inside);
    for (const Layer& layer : layers) {
      for (const auto& [name, place] : layer.results) tiled_.insert_or_assign(name, place);
      nest::Block of_layer = layer.names;
      append(of_layer, point(s, Version::Inside));
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

  void place_stages(bool points_in_registers) {
    layers_.resize(stages_.size());
    is_alone_.assign(stages_.size(), true);
    for (size_t s = stages_.size(); s-- > 0;) {
      const std::optional<size_t> reader = is_stored_[s] || !points_in_registers ? std::nullopt : only_reader(s);
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

  // From here on tiles have points beyond borders. Where no point of a tile is near a border, none is beyond.
  void go_beyond_borders() {
    beyond_.emplace(stages_, tile_);
    nest::NameSet places;
    for (const StageCode* s : stages_) places.insert(s->beyond.places.begin(), s->beyond.places.end());
    for (const auto& [s, tiles] : in_shared_) {
      std::vector<std::optional<Torus>> tori;
      const std::vector<int64_t>& extents = inside_boxes_[s];
      for (size_t d = 0; d < extents.size(); ++d)
        tori.push_back(tile_.wraps(s, d) ? std::optional(Torus{stages_[s]->indices[d].extent, extents[d], places})
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

  enum class Version { Inside, Beyond };
  const nest::Block& work(size_t s, Version version) const {
    return version == Version::Inside ? stages_[s]->inside.work : beyond_->work(s);
  }

  // The names of another stage's point: where it is, and which place in the tiles that is.
  void bind(size_t s, size_t d, Version version, const Expr& point, const Expr& place, nest::Block& lets) const {
    lets.push_back(nest::stmt(nest::Let{stages_[s]->indices[d].name, point}));
    if (version == Version::Beyond) lets.push_back(nest::stmt(nest::Let{stages_[s]->beyond.places[d], place}));
  }
  void bind_like(size_t other, size_t d, size_t s, size_t d_of_s, Version version, nest::Block& lets) const {
    bind(other, d, version, index(stages_[s]->indices[d_of_s].name), index(stages_[s]->beyond.places[d_of_s]), lets);
  }

  // What a stage computes at its point, after what others compute for it there.
  nest::Block point(size_t s, Version version) {
    nest::Block code;
    for (size_t other : with_[s]) {
      for (size_t d = 0; d < stages_[other]->indices.size(); ++d) bind_like(other, d, s, d, version, code);
      for (size_t k = 0; k < stages_[other]->results.size(); ++k) {
        Name name = names_.fresh(stages_[other]->arrays[k]);
        code.push_back(nest::stmt(nest::Alloc{{name, elem(other, k), nest::Space::Register, {}, {}}}));
        put(other, k, {name, {}, std::vector<Expr>{}});
      }
      append(code, point(other, version));
    }
    append(code, work_of_point(work(s, version), tiled_, names_));
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
    if (!is_stored_[s]) return elements;
    std::optional<Expr> only_if = is_in_image(s, digits);
    const std::optional<Expr> own = is_folded(s, k) ? is_of_this_tile(s, digits) : std::nullopt;
    if (own) only_if = only_if ? nest::both(*only_if, *own) : *own;
    elements.push_back({stages_[s]->results[k], places(s, digits), only_if});
    return elements;
  }

  bool is_folded(size_t s, size_t k) const {
    return std::ranges::any_of(stages_[s]->folds,
                               [&](const StageFold& f) { return k >= f.first && k < f.first + f.count; });
  }

  // Of a stage that is as large as the results: asked of points that several tiles may have, of which one is to count them.
  std::optional<Expr> is_of_this_tile(size_t s, const Digits& digits) const {
    std::optional<Expr> all;
    auto demand = [&](Expr e) { all = all ? nest::both(*all, std::move(e)) : std::move(e); };
    for (size_t d = 0; d < digits.size(); ++d) {
      const stencil::Interval own = tile_.own_points(s, d);
      if (own.first > 0) demand(nest::less(i64(own.first - 1), digits[d]));
      if (inside_box(s)[d] > own.last + 1) demand(nest::less(digits[d], i64(own.last + 1)));
    }
    return all;
  }

  // Asked of tiles alone that go on beyond borders.
  std::optional<Expr> is_in_image(size_t s, const Digits& digits) const {
    if (!beyond_) return std::nullopt;
    Expr all = nest::constant(prim::Value::of_bool(true));
    const std::vector<Expr> at = places(s, digits);
    for (size_t d = 0; d < at.size(); ++d) {
      if (may_be_before(s, d)) all = nest::both(all, nest::less(i64(-1), at[d]));
      if (may_be_behind(s, d)) all = nest::both(all, nest::less(at[d], stages_[s]->indices[d].extent));
    }
    return all;
  }
  bool may_be_before(size_t s, size_t d) const { return tile_.may_be_negative(s, d) || tile_.wraps(s, d); }
  bool may_be_behind(size_t s, size_t d) const {
    return !nest::equal(tile_.first_of(s, d), i64(0)) ||
           !nest::equal(stages_[s]->indices[d].extent, i64(inside_boxes_[s][d]));
  }

  // What others compute at the place of a stage's point, for all of its layers.
  nest::Block before_each_layer(size_t s, Version version) {
    nest::Block code;
    for (size_t other : before_[s]) {
      const StageCode& o = *stages_[other];
      const std::optional<int64_t> layers = layers_before(other, s);
      const size_t own = layers ? 1 : 0;
      for (size_t d = own; d < o.indices.size(); ++d) bind_like(other, d, s, d + 1 - own, version, code);
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
        const Name layer = names_.fresh("layer");
        nest::Block of_layer;
        bind(other, 0, version, index(layer), index(layer), of_layer);
        append(of_layer, work);
        work = {nest::stmt(nest::For{layer, i64(*layers), nest::Role::Unrolled, std::move(of_layer)})};
      }
      append(code, work);
    }
    return code;
  }

  // What a stage computes at some points, to which `lets` give the names of its indices; where it computes all layers, those of the
  // first one.
  nest::Block computed(size_t s, int64_t rows, Version version, const StripDigits& digits,
                       const std::function<nest::Block(const Expr& row)>& lets) {
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
      return computed_and_stored(*stages_[s], rows, compute, where, names_);
    }
    auto compute = [&](const Expr& row, const EachLayer& each_layer) {
      nest::Block code = lets(row);
      std::erase_if(code, [&](const nest::Stmt& l) {
        const Name& name = std::get<nest::Let>(l->node).name;
        return name == stages_[s]->indices[0].name || name == stages_[s]->beyond.places[0];
      });
      append(code, before_each_layer(s, version));
      code.push_back(each_layer([&](const Expr& layer, const Places& values) {
        nest::Block of_layer;
        bind(s, 0, version, layer, layer, of_layer);
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
    return computed_and_stored(*stages_[s], rows, *layers_[s], compute, where, names_);
  }

  // The points of a stage that are in the tile, at the places of those that are beyond the border, too, for which others stand. Along a strip the
  // stage is first computed as if the image went on, so that rows have in common what they have inside; what stands there is copied then.
  nest::Block at_border(size_t s) {
    nest::Block code;
    const BeyondImage::Part part = beyond_->part(s, firsts_[s], inside_boxes_[s], names_, code);
    const Strips strips{strips_[s].along, rows_at_border(s)};
    const size_t along = strips.along;
    auto strip = [&](const StripDigits& digits) {
      auto lets = [&](const Expr& row) {
        nest::Block lets;
        const std::vector<Expr> at = places(s, digits(row));
        for (size_t d = 0; d < at.size(); ++d) {
          append(lets, beyond_->point_at(s, d, at[d], part));
          const bool is_point = d != along && !tile_.wraps(s, d);
          lets.push_back(nest::stmt(
              nest::Let{stages_[s]->beyond.places[d], is_point ? index(stages_[s]->indices[d].name) : at[d]}));
        }
        return lets;
      };
      return nest::without_unused(computed(s, strips.rows, Version::Beyond, digits, lets));
    };
    nest::Block points = {by_strips(place_of_layers(s, inside_boxes_[s]), strips, team_, strip, names_)};
    if (beyond_->is_read(s, along) && goes_on_along(s, along)) points.push_back(filled(s, along, part));
    code.push_back(nest::stmt(nest::If{part.some_exist, std::move(points), {}}));
    return code;
  }

  static bool any_of(const std::unordered_map<size_t, std::vector<size_t>>& others, size_t s,
                     const std::function<bool(size_t)>& holds) {
    auto of_stage = others.find(s);
    return of_stage != others.end() && std::ranges::any_of(of_stage->second, holds);
  }

  // Whether places make what is computed there, and not the points that they stand for alone.
  bool goes_on_along(size_t s, size_t d) const {
    return nest::free_names(beyond_->work(s)).contains(stages_[s]->beyond.places[d]) ||
           any_of(with_, s, [&](size_t other) { return goes_on_along(other, d); }) ||
           any_of(before_, s, [&](size_t other) {
             const size_t own = layers_before(other, s) ? 1 : 0;
             return d + own >= 1 && goes_on_along(other, d + own - 1);
           });
  }

  bool branches(size_t s) const {
    bool found = false;
    nest::for_each_stmt(beyond_->work(s),
                        [&](const nest::Stmt& st) { found |= std::holds_alternative<nest::If>(st->node); });
    auto branches_too = [&](size_t other) { return branches(other); };
    return found || any_of(with_, s, branches_too) || any_of(before_, s, branches_too);
  }

  // A divisor of a strip's rows inside, whose boxes tiles have room for.
  int64_t rows_at_border(size_t s) const {
    int64_t rows = strips_[s].rows;
    if (!branches(s)) return rows;
    while (rows > kMostThatBranch || strips_[s].rows % rows != 0) --rows;
    return rows;
  }

  // Has the elements that stand at places beyond the border of one dimension copied there.
  nest::Stmt filled(size_t s, size_t along, const BeyondImage::Part& part) {
    const Expr& first = firsts_[s][along];
    const Name& own = stages_[s]->indices[along].name;
    auto copies = [&](const Digits& digits) {
      const Expr place = nest::add(first, digits[along]);
      nest::Block code = beyond_->point_at(s, along, place, part), stores;
      Digits from = digits;
      from[along] = nest::sub(index(own), first);
      auto in_tile = [&](const Digits& at) {
        std::vector<Expr> element = own_part_;
        element.insert(element.end(), at.begin(), at.end());
        return element;
      };
      for (size_t k = 0; k < stages_[s]->results.size(); ++k) {
        const std::optional<Name>& tile = in_shared_.at(s)[k];
        if (tile)
          stores.push_back(
              nest::stmt(nest::Store{*tile, in_tile(digits), nest::load(*tile, elem(s, k), in_tile(from))}));
      }
      const Expr is_beyond = either(nest::less(index(own), place), nest::less(place, index(own)));
      code.push_back(nest::stmt(nest::If{is_beyond, std::move(stores), {}}));
      return code;
    };
    nest::Block code = {nest::stmt(nest::Barrier{team_.scope}), by_points(inside_boxes_[s], team_, copies, names_)};
    code = nest::renamed(code, nest::bound_in(code), names_);
    Expr some_are = nest::less(stages_[s]->indices[along].extent, nest::add(first, i64(inside_boxes_[s][along])));
    if (tile_.may_be_negative(s, along)) some_are = either(nest::less(first, i64(0)), some_are);
    return nest::stmt(nest::If{some_are, std::move(code), {}});
  }

  // All points of a stage that are in the tile. A strip's are computed before any of them is stored: between stores and loads, nothing
  // that was read could be kept.
  nest::Block inside_borders(size_t s) {
    auto strip = [&](const StripDigits& digits) {
      auto lets = [&](const Expr& row) { return at_point(s, digits(row)); };
      return computed(s, strips_[s].rows, Version::Inside, digits, lets);
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
  std::optional<BeyondImage> beyond_;  // where tiles may have points beyond borders
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
