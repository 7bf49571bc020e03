#include "rewrites/seg/tile_stages.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "rewrites/seg/block_code.h"
#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

namespace {

constexpr int64_t kMostThreads = 256;

// By dimension, neighbours along the last one, each with as many points as the others.
std::vector<int64_t> threads_of(const std::vector<int64_t>& tile) {
  std::vector<int64_t> threads(tile.size());
  int64_t left = kMostThreads;
  for (size_t d = tile.size(); d-- > 0; left /= threads[d]) threads[d] = std::gcd(tile[d], left);
  return threads;
}

const SegOp& operation(const TiledStage& s) { return std::get<SegOp>(s.stm->exp); }

void check(const TiledStage& s) {
  const auto* op = std::get_if<SegOp>(&s.stm->exp);
  if (!op || op->kind != SegKind::Map || op->level.kind != LevelKind::Thread)
    refuse("a stage that is no map of points");
  for (const Type& t : op->types) {
    if (!t.dims.empty()) refuse("a stage whose points are arrays");
  }
  for (const KernelResult& r : op->body->results) {
    if (!std::holds_alternative<Returns>(r)) refuse("a stage that writes where it likes");
  }
  if (free_names(*op->body).contains(op->space.flat)) refuse("a stage that uses the number of a point");
}

class Tiler {
 public:
  Tiler(const std::vector<TiledStage>& stages, const std::vector<int64_t>& tile, const Substitution& copies,
        NameSource& names)
      : stages_(stages),
        dims_(operation(stages.back()).space.dims),
        tile_(tile),
        threads_(threads_of(tile)),
        copies_(copies),
        names_(names) {}

  Stms run() {
    Builder host(names_), block(names_);
    SegOp all{SegKind::Map, {LevelKind::Block, Virt::None, {}, {}}, {names_.fresh("block"), {}}, {}, {}, {}, nullptr};
    std::vector<RegTileDim> written;
    std::optional<SubExp> blocks;
    for (size_t d = 0; d < dims_.size(); ++d) {
      SubExp tiles = host.div_up(dims_[d].size, i64(tile_[d]));
      all.space.dims.push_back({names_.fresh("tile"), tiles});
      blocks = blocks ? host.mul(*blocks, tiles) : tiles;
      written.push_back({dims_[d].size, i64(threads_[d]), i64(tile_[d] / threads_[d])});
    }
    int64_t threads = std::accumulate(threads_.begin(), threads_.end(), int64_t{1}, std::multiplies());
    all.level.grid = KernelGrid{*blocks, i64(threads)};
    for (const TiledStage& s : stages_) {
      if (&s != &stages_.back()) tile_of(s, all.space.dims, block);
    }
    KernelBody body{{}, {}};
    for (const Name& tile : registers_of(stages_.back(), all.space.dims, block))
      body.results.emplace_back(RegTileReturns{{}, written, tile});
    body.stms = block.take();
    all.types = operation(stages_.back()).types;
    all.body = std::make_shared<const KernelBody>(std::move(body));
    const Stm& last = *stages_.back().stm;
    host.add(Stm{last.pat, last.attrs, last.certs, std::move(all), last.position});
    return host.take();
  }

 private:
  struct StageTile {
    Name array;
    std::vector<SubExp> first;  // the point that its first element is
  };

  // The first point of the stage's part of a tile, which may be one before the array's first.
  std::vector<SubExp> first_of(const TiledStage& s, const std::vector<SegDim>& tile_indices, Builder& block) const {
    std::vector<SubExp> first;
    for (size_t d = 0; d < s.along.size(); ++d) {
      first.push_back(block.mul(tile_indices[s.along[d]].index, i64(tile_[s.along[d]])));
      if (s.before[d] != 0) first[d] = block.sub(first[d], i64(s.before[d]));
    }
    return first;
  }

  bool reads_any_tile(const KernelBody& body) const {
    NameSet read = free_names(body);
    return std::ranges::any_of(tiles_, [&](const auto& tile) {
      return std::ranges::any_of(read, [&](const Name& n) {
        auto copy = copies_.find(n);
        return (copy == copies_.end() ? n : copy->second.name()) == tile.first;
      });
    });
  }

  // What the stage computes at a point or, where there is no such point, at another one: the nearest, which reads no other elements
  // of tiles than that are there, or where it reads of no tile, any.
  std::vector<SubExp> point(const TiledStage& s, const std::vector<SubExp>& at, Builder& out) {
    const SegOp& op = operation(s);
    Substitution renaming = copies_;
    const bool reads_tile = reads_any_tile(*op.body);
    for (size_t d = 0; d < s.along.size(); ++d) {
      SubExp most = out.sub(op.space.dims[d].size, i64(1));
      bool may_be_negative = s.before[d] > 0;
      renaming.insert_or_assign(op.space.dims[d].index, reads_tile && may_be_negative
                                                            ? out.min(most, out.max(i64(0), at[d]))
                                                            : out.binary(prim::Family::UMin, "existing", at[d], most));
    }
    KernelBody body = rename(names_, renaming, *op.body);
    body.stms = read_tiles(body.stms);
    if (!s.may_fail) body.stms = without_checks(body.stms);
    for (const auto& [array, tile] : tiles_) {
      if (free_names(body).contains(array)) refuse("a stage that reads another one by other than an element's index");
    }
    out.add_all(body.stms);
    std::vector<SubExp> values;
    for (size_t k = 0; k < body.results.size(); ++k) {
      const auto& r = std::get<Returns>(body.results[k]);
      values.emplace_back(names_.fresh("value"));
      out.add(Stm{{{values[k].name(), op.types[k]}}, {}, r.certs, Atom{r.value}, s.stm->position});
    }
    return values;
  }

  // Of a stage that may have no points at all, which its readers fail for.
  std::vector<SubExp> point_of_some(const TiledStage& s, const std::vector<SubExp>& at, Builder& out) {
    std::optional<SubExp> has_points;
    for (const SegDim& d : operation(s).space.dims)
      has_points = both(out, has_points, holds(out, prim::Family::Slt, i64(0), d.size));
    Builder there(names_);
    Body some{{}, {}}, none{{}, {}};
    for (const SubExp& value : point(s, at, there)) some.result.push_back({{}, value});
    some.stms = there.take();
    Pat pat;
    std::vector<SubExp> values;
    for (const Type& t : operation(s).types) {
      none.result.push_back({{}, prim::zero(t.elem)});
      pat.push_back({names_.fresh("value"), t});
      values.emplace_back(pat.back().name);
    }
    Case yes{{prim::Value::of_bool(true)}, std::make_shared<const Body>(std::move(some))};
    Match match{MatchSort::Normal,
                {*has_points},
                {std::move(yes)},
                std::make_shared<const Body>(std::move(none)),
                operation(s).types};
    out.add(Stm{std::move(pat), {}, {}, std::move(match), s.stm->position});
    return values;
  }

  // The stage's points for the tile, as shared arrays.
  void tile_of(const TiledStage& s, const std::vector<SegDim>& tile_indices, Builder& block) {
    const SegOp& op = operation(s);
    SegOp part{
        SegKind::Map, {LevelKind::InBlock, Virt::Virtualise, {}, {}}, {names_.fresh("thread"), {}}, {}, {}, op.types,
        nullptr};
    Builder thread(names_);
    std::vector<SubExp> first = first_of(s, tile_indices, block), at;
    Shape extents;
    for (size_t d = 0; d < s.along.size(); ++d) {
      extents.push_back(i64(s.before[d] + tile_[s.along[d]] + s.after[d]));
      part.space.dims.push_back({names_.fresh("at"), extents[d]});
      at.push_back(thread.add64(first[d], part.space.dims[d].index));
    }
    KernelBody body{{}, {}};
    for (const SubExp& value : s.may_fail ? point_of_some(s, at, thread) : point(s, at, thread))
      body.results.emplace_back(Returns{{}, {}, value});
    body.stms = thread.take();
    part.body = std::make_shared<const KernelBody>(std::move(body));

    Pat pat;
    for (size_t k = 0; k < s.stm->pat.size(); ++k) {
      const Name& name = s.stm->pat[k].name;
      pat.push_back({names_.fresh(name.base + "_tile"), array_of(op.types[k], extents)});
      tiles_.insert_or_assign(name, StageTile{pat.back().name, first});
    }
    block.add(Stm{std::move(pat), {}, s.stm->certs, std::move(part), s.stm->position});
  }

  // The last stage's points, those of each thread in its registers.
  std::vector<Name> registers_of(const TiledStage& s, const std::vector<SegDim>& tile_indices, Builder& block) {
    const SegOp& op = operation(s);
    SegOp part{SegKind::Map, {LevelKind::InBlock, Virt::Full, {}, {}}, {names_.fresh("thread"), {}}, {}, {}, {},
               nullptr};
    Builder thread(names_);
    std::vector<SubExp> first = first_of(s, tile_indices, block);
    Shape threads, each;
    for (size_t d = 0; d < dims_.size(); ++d) {
      threads.push_back(i64(threads_[d]));
      each.push_back(i64(tile_[d] / threads_[d]));
      part.space.dims.push_back({names_.fresh("lane"), threads[d]});
      first[d] = thread.add64(first[d], thread.mul(part.space.dims[d].index, each[d]));
    }
    for (const Type& t : op.types) part.types.push_back(array_of(t, each));
    KernelBody body{{}, {}};
    for (const SubExp& r : tile_ == threads_ ? only_point(s, first, each, part.types, thread)
                                             : all_points(s, first, each, part.types, thread))
      body.results.emplace_back(Returns{ReturnsKind::Private, {}, r});
    body.stms = thread.take();
    part.body = std::make_shared<const KernelBody>(std::move(body));

    Pat pat;
    std::vector<Name> names;
    for (const Type& t : part.types) {
      names.push_back(names_.fresh("tile"));
      pat.push_back({names.back(), array_of(t, threads)});
    }
    block.add(Stm{std::move(pat), {}, s.stm->certs, std::move(part), s.stm->position});
    return names;
  }

  std::vector<SubExp> all_points(const TiledStage& s, const std::vector<SubExp>& first, const Shape& each,
                                 const std::vector<Type>& types, Builder& thread) {
    std::vector<SubExp> registers;
    for (const Type& t : types) registers.emplace_back(thread.let("registers", t, Scratch{t.elem, each}));
    return compute(s, first, {}, registers, types, thread);
  }

  // Of a thread that has one point: of an update of all that there is, the host's simplifier makes an array of the wrong
  // shape.
  std::vector<SubExp> only_point(const TiledStage& s, const std::vector<SubExp>& at, const Shape& each,
                                 const std::vector<Type>& types, Builder& thread) {
    std::vector<SubExp> registers = point(s, at, thread);
    for (size_t k = 0; k < types.size(); ++k)
      registers[k] = thread.let("registers", types[k], Replicate{each, registers[k]});
    return registers;
  }

  // The registers after the points at these indices of the outer dimensions have been computed: a loop for each
  // dimension in which a
  // thread has several points.
  std::vector<SubExp> compute(const TiledStage& s, const std::vector<SubExp>& first, std::vector<SubExp> indices,
                              const std::vector<SubExp>& registers, const std::vector<Type>& types, Builder& out) {
    size_t d = indices.size();
    if (d == dims_.size()) return store(s, first, indices, registers, types, out);
    int64_t each = tile_[d] / threads_[d];
    if (each == 1) {
      indices.push_back(i64(0));
      return compute(s, first, std::move(indices), registers, types, out);
    }
    Loop loop{{}, registers, ForLoop{names_.fresh("k"), prim::Type::I64, i64(each)}, nullptr};
    std::vector<SubExp> inside, after;
    Pat pat;
    for (const Type& t : types) {
      Type consumed = t;
      consumed.unique = true;
      loop.params.push_back({{}, names_.fresh("registers"), consumed});
      inside.emplace_back(loop.params.back().name);
      pat.push_back({names_.fresh("registers"), t});
      after.emplace_back(pat.back().name);
    }
    Builder step(names_);
    indices.emplace_back(std::get<ForLoop>(loop.form).index);
    Body body{{}, {}};
    for (const SubExp& r : compute(s, first, std::move(indices), inside, types, step)) body.result.push_back({{}, r});
    body.stms = step.take();
    loop.body = std::make_shared<const Body>(std::move(body));
    out.add(Stm{std::move(pat), {}, {}, std::move(loop), {}});
    return after;
  }

  // The registers with one point in its place.
  std::vector<SubExp> store(const TiledStage& s, const std::vector<SubExp>& first, const std::vector<SubExp>& indices,
                            const std::vector<SubExp>& registers, const std::vector<Type>& types, Builder& out) {
    std::vector<SubExp> at, after;
    Slice slice;
    for (size_t d = 0; d < dims_.size(); ++d) {
      at.push_back(out.add64(first[d], indices[d]));
      slice.emplace_back(DimFix{indices[d]});
    }
    std::vector<SubExp> values = point(s, at, out);
    for (size_t k = 0; k < values.size(); ++k)
      after.emplace_back(out.let("registers", types[k], Update{registers[k].name(), false, slice, values[k]}));
    return after;
  }

  // With certificates that always hold in the place of checks.
  static Stms without_checks(const Stms& stms) {
    auto certify = [](const Stm& s) {
      if (!std::holds_alternative<Assert>(s.exp)) return just(s);
      return just(Stm{s.pat, s.attrs, s.certs, Atom{prim::Value::unit()}, s.position});
    };
    return StmExpander<decltype(certify)>(certify, true).stms(stms);
  }

  // Elements of stages as elements of their tiles.
  Stms read_tiles(const Stms& stms) {
    auto read = [&](const Stm& s) {
      const auto* index = std::get_if<Index>(&s.exp);
      auto tile = index ? tiles_.find(index->array) : tiles_.end();
      if (tile == tiles_.end() ||
          !std::ranges::all_of(index->slice, [](const DimIndex& d) { return std::holds_alternative<DimFix>(d); }))
        return just(s);
      Builder at(names_);
      Slice slice;
      for (size_t d = 0; d < index->slice.size(); ++d)
        slice.emplace_back(DimFix{at.sub(std::get<DimFix>(index->slice[d]).index, tile->second.first[d])});
      at.add(Stm{s.pat, s.attrs, s.certs, Index{tile->second.array, std::move(slice)}, s.position});
      return at.take();
    };
    return StmExpander<decltype(read)>(read, true).stms(stms);
  }

  const std::vector<TiledStage>& stages_;
  const std::vector<SegDim>& dims_;
  const std::vector<int64_t>& tile_;
  const std::vector<int64_t> threads_;  // by dimension
  const Substitution& copies_;
  NameSource& names_;
  std::unordered_map<Name, StageTile> tiles_;  // by the stages' results
};

}  // namespace

Result<Stms> tile_stages(const std::vector<TiledStage>& stages, const std::vector<int64_t>& tile,
                         const Substitution& copies, NameSource& names) try {
  for (const TiledStage& s : stages) check(s);
  for (const TiledStage& s : stages) {
    if (operation(s).space.dims.size() != s.along.size()) refuse("stages of other dimensions than the tile");
  }
  const std::vector<size_t>& last = stages.back().along;
  for (size_t d = 0; d < last.size(); ++d) {
    if (last[d] != d) refuse("a last stage along other dimensions than the tile");
  }
  if (last.size() != tile.size()) refuse("a last stage of other dimensions than the tile");
  return Tiler(stages, tile, copies, names).run();
} catch (const Refused& r) {
  return r.error;
}

}  // namespace heddle::seg
