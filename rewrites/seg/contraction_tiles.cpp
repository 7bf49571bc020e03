#include "rewrites/seg/contraction_tiles.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "rewrites/seg/block_code.h"

namespace heddle::seg {

namespace {

constexpr int64_t kAtATime = 4;       // elements that a thread copies where the innermost dimension has literal size
constexpr int64_t kMostAtATime = 20;  // where it has not
constexpr int64_t kUsualHalo = 16;    // rows and columns that windows mostly have beyond a block's points, at most
constexpr int64_t kMoreThanAnyChunk = 1 << 20;  // steps
// Of an operand's tile without windows, which grows with each step of a chunk by all that a block reads in it. So much is left to each of
// two blocks by all devices that have as many registers, and the host takes what is tiled only where all versions of it fit.
constexpr int64_t kMostBytes = 64 * 1024;
constexpr int64_t kLanes = 32;  // threads along a dimension that is not of literal size

class Planner {
 public:
  explicit Planner(const TiledContraction& c) : c_(c) {
    for (const auto& p : c.parallel) num_threads_ *= p.threads;
    for (size_t r = 0; r < c.reduction.size(); ++r) together_.push_back(steps_together(r));
  }

  ContractionTiles run(Builder& host, Builder& before) {
    chunks(host);
    ContractionTiles all{rounds_, chunks_, {}, i64(0)};
    for (const auto& o : c_.operands) {
      all.tiles.push_back(tile_of(o, host));
      divide_copies(o, all.tiles.back(), host);
      make_room(o, all.tiles.back(), host);
      lay_out(o, all.tiles.back(), before);
      SubExp bytes = times(host, all.tiles.back().size, i64(prim::size_bytes(o.elem)));
      all.shared_bytes = plus(host, all.shared_bytes, bytes);
    }
    return all;
  }

 private:
  // How many steps of a chunk along an index and those within it fit into the operands' tiles, as far as nothing of those is a window.
  int64_t steps_together(size_t r) const {
    int64_t together = c_.reduction[r].together;
    for (const auto& o : c_.operands) {
      if (!has_no_windows(o, r)) continue;
      std::vector<int64_t> chunk(c_.reduction.size(), 1);
      auto is_too_large = [&] {
        chunk[r] = together;
        int64_t bytes = prim::size_bytes(o.elem);
        for (const auto& d : o.dims) {
          auto span = literal_span(d, chunk);
          if (!span) return false;
          bytes *= *span;
        }
        return bytes > kMostBytes;
      };
      while (together > 1 && is_too_large()) --together;
    }
    return together;
  }

  // Whether an operand goes along an index of the reduction, and along that and those within it in dimensions of their own.
  bool has_no_windows(const TiledContraction::Operand& o, size_t r) const {
    bool goes_along = false;
    for (const auto& d : o.dims) {
      bool here = std::any_of(d.reduction.begin() + static_cast<ptrdiff_t>(r), d.reduction.end(),
                              [](const auto& s) { return s.has_value(); });
      if (here && (last_parallel(d) >= 0 ||
                   std::ranges::count_if(d.reduction, [](const auto& s) { return s.has_value(); }) > 1))
        return false;
      goes_along = goes_along || d.reduction[r].has_value();
    }
    return goes_along;
  }

  int64_t most_steps(size_t r) const { return std::min(c_.reduction[r].most, together_[r]); }

  // Chunks of the reduction, as even as possible. They have one step of all indices outside one that is cut.
  void chunks(Builder& host) {
    SubExp steps = i64(1);  // along the inner indices; more than any chunk has where one of these is cut
    for (size_t r = c_.reduction.size(); r-- > 0;) {
      const auto& index = c_.reduction[r];
      SubExp most = i64(most_steps(r));
      if (!steps.int_constant())
        most = host.min(most, host.max(i64(1), host.binary(prim::Family::SQuot, "left", i64(together_[r]), steps)));
      if (r == 0 && c_.reduction.size() > 1) most = with_room(most, host);
      SubExp rounds = host.div_up(index.extent, most);
      SubExp chunk = host.max(i64(1), host.div_up(index.extent, host.max(i64(1), rounds)));
      SubExp is_cut = host.sub(host.min(i64(2), rounds), i64(1));
      steps = times(host, times(host, steps, chunk), plus(host, i64(1), times(host, is_cut, i64(kMoreThanAnyChunk))));
      rounds_.insert(rounds_.begin(), rounds);
      chunks_.insert(chunks_.begin(), chunk);
    }
  }

  // As many steps along the outermost index as there is room for what windows read in them.
  SubExp with_room(SubExp most, Builder& host) const {
    std::vector<SubExp> one{i64(1)};
    one.insert(one.end(), chunks_.begin(), chunks_.end());
    for (const auto& o : c_.operands) {
      auto goes_along = [](const auto& d) { return d.reduction[0].has_value(); };
      if (has_no_windows(o, 0) || std::ranges::none_of(o.dims, goes_along)) continue;
      SubExp bytes = i64(prim::size_bytes(o.elem));
      for (const auto& d : o.dims) bytes = times(host, bytes, span(d, one, host));
      most = host.min(most, host.max(i64(1), host.binary(prim::Family::SQuot, "room", i64(kMostBytes), bytes)));
    }
    return most;
  }

  static bool follows_reduction(const TiledContraction::Dim& d) {
    return std::ranges::any_of(d.reduction, [](const auto& s) { return s.has_value(); });
  }

  // The parallel index along which an operand's dimension goes that is the last to go with any; none: no dimension does.
  static int last_parallel(const TiledContraction::Dim& d) {
    for (size_t p = d.parallel.size(); p-- > 0;) {
      if (d.parallel[p]) return static_cast<int>(p);
    }
    return -1;
  }

  // The same of the reduction, for what goes with no parallel index.
  static int last_reduction(const TiledContraction::Dim& d) {
    if (last_parallel(d) >= 0) return 0;
    for (size_t r = d.reduction.size(); r-- > 0;) {
      if (d.reduction[r]) return static_cast<int>(r);
    }
    return -1;
  }

  // From the first position read to the last, where chunks have these sizes.
  SubExp span(const TiledContraction::Dim& d, const std::vector<SubExp>& chunks, Builder& host) const {
    SubExp span = i64(1);
    for (size_t p = 0; p < d.parallel.size(); ++p) {
      int64_t others = c_.parallel[p].threads * c_.parallel[p].points - 1;
      if (d.parallel[p]) span = plus(host, span, times(host, d.parallel[p]->size, i64(others)));
    }
    for (size_t r = 0; r < d.reduction.size(); ++r) {
      if (!d.reduction[r]) continue;
      span = plus(host, span, times(host, d.reduction[r]->size, minus(host, chunks[r], i64(1))));
    }
    return span;
  }

  // The longest one, where that is literal.
  std::optional<int64_t> longest_span(const TiledContraction::Dim& d, Builder& host) const {
    std::vector<SubExp> most;
    for (size_t r = 0; r < c_.reduction.size(); ++r) most.push_back(i64(most_steps(r)));
    return span(d, most, host).int_constant();
  }

  static int64_t round_up(int64_t n, int64_t whole) { return (n + whole - 1) / whole * whole; }

  // The same where all is literal.
  std::optional<int64_t> literal_span(const TiledContraction::Dim& d, const std::vector<int64_t>& chunk) const {
    int64_t span = 1;
    auto go = [&](const std::optional<TiledContraction::Step>& s, int64_t others) {
      if (s && !s->size.int_constant()) return false;
      if (s) span += *s->size.int_constant() * others;
      return true;
    };
    for (size_t p = 0; p < d.parallel.size(); ++p) {
      if (!go(d.parallel[p], c_.parallel[p].threads * c_.parallel[p].points - 1)) return std::nullopt;
    }
    for (size_t r = 0; r < chunk.size(); ++r) {
      if (!go(d.reduction[r], chunk[r] - 1)) return std::nullopt;
    }
    return span;
  }

  // How many elements the tile of an operand may have, whatever the sizes, rounded so that the next tile begins where the
  // widest access may. Where tiles lie is literal then, and whether a place is in one is a comparison of 32 bits. So much, that two
  // blocks of a large device have room for it.
  std::optional<int64_t> most_elements(const TiledContraction::Operand& o, const Tile& t) const {
    constexpr int64_t kWhole = 64, kMost = 80 * 1024;
    int64_t most = 0;
    std::vector<int64_t> chunk(c_.reduction.size(), 1);
    std::function<bool(size_t, int64_t)> try_all = [&](size_t inner, int64_t steps) {
      if (inner < chunk.size()) {
        size_t r = chunk.size() - 1 - inner;
        const auto& index = c_.reduction[r];
        int64_t longest = std::min(index.most, std::max<int64_t>(1, together_[r] / steps));
        for (chunk[r] = 1; chunk[r] <= longest; ++chunk[r]) {
          if (!try_all(inner + 1, steps * chunk[r])) return false;
        }
        return true;
      }
      int64_t size = 1;
      for (const CopiedDim& d : t.copied) {
        int64_t span = 1;
        if (!d.dim) {
          for (int64_t steps : chunk) span *= steps;
        } else {
          auto literal = literal_span(o.dims[*d.dim], chunk);
          if (!literal) return false;
          span = *literal;
        }
        auto room = d.dim ? t.rooms[*d.dim].int_constant() : std::nullopt;
        size *= room ? *room : round_up(span, d.at_once());
      }
      most = std::max(most, size);
      return size * prim::size_bytes(o.elem) <= kMost;
    };
    if (!try_all(0, 1)) return std::nullopt;
    return (most + kWhole - 1) / kWhole * kWhole;
  }

  Tile tile_of(const TiledContraction::Operand& o, Builder& host) const {
    Tile t;
    t.order.resize(o.dims.size());
    std::iota(t.order.begin(), t.order.end(), size_t{0});
    auto key = [&](size_t d) { return std::pair(last_parallel(o.dims[d]), last_reduction(o.dims[d])); };
    std::ranges::stable_sort(t.order, {}, key);
    for (const auto& d : o.dims) t.spans.push_back(span(d, chunks_, host));
    for (size_t p = 0; p < c_.parallel.size(); ++p) {
      auto goes_along = [&](const TiledContraction::Dim& d) { return d.parallel[p].has_value(); };
      if (c_.parallel[p].points > 1 && std::ranges::any_of(o.dims, goes_along)) t.picked.push_back(p);
    }
    return t;
  }

  // As much as copies write of each dimension, so that they need not ask whether a position is in the tile.
  void make_room(const TiledContraction::Operand& o, Tile& t, Builder& host) const {
    t.rooms = t.spans;
    t.size = i64(1);
    for (size_t k = t.copied.size(); k-- > 0;) {
      const CopiedDim& d = t.copied[k];
      SubExp room = d.at_once() == 1 ? d.span : times(host, d.turns, i64(d.at_once()));
      if (auto span = d.span.int_constant()) room = i64(round_up(*span, d.at_once()));
      // Where rows lie is literal, so that it goes into instructions.
      if (k + 1 == t.copied.size() && d.dim) {
        if (auto longest = longest_span(o.dims[*d.dim], host)) room = i64(round_up(*longest, d.at_once()));
      }
      if (d.dim) t.rooms[*d.dim] = room;
      t.size = times(host, t.size, room);
    }
    if (auto most = most_elements(o, t)) t.size = i64(*most);
  }

  // Whether an operand's first dimensions, in the order of its tile, go along the reduction's indices, one along each, and
  // nothing else does. What a chunk has of them is one piece of an array that lies so: outside an index that is cut, chunks
  // have one step.
  bool goes_along_steps(const TiledContraction::Operand& o, const Tile& t) const {
    size_t n = c_.reduction.size();
    if (n < 2 || t.order.size() < n) return false;
    for (size_t k = 0; k < t.order.size(); ++k) {
      const auto& d = o.dims[t.order[k]];
      for (size_t r = 0; r < n; ++r) {
        if (d.reduction[r].has_value() != (r == k)) return false;
      }
      if (k >= n) continue;
      if (d.reduction[k]->size.int_constant() != 1 || d.reduction[k]->backwards || d.constant.int_constant() != 0 ||
          d.extent != c_.reduction[k].extent || last_parallel(d) >= 0)
        return false;
    }
    return true;
  }

  static int64_t needed(int64_t positions, const CopiedDim& d) {
    return std::max<int64_t>(1, (positions + d.together - 1) / d.together);
  }

  // How many positions each thread has of what windows usually read, where that is literal.
  std::optional<int64_t> usual(const TiledContraction::Operand& o, const CopiedDim& d) const {
    if (!d.dim) return std::nullopt;
    auto own = literal_span(o.dims[*d.dim], std::vector<int64_t>(c_.reduction.size(), 1));
    if (!own) return std::nullopt;
    return needed(*own + kUsualHalo, d);
  }

  // How many threads copy along a dimension that is not of literal size. Half of a warp where that copies less for nothing of what
  // windows usually read, and needs no more room.
  int64_t lanes_along(const TiledContraction::Operand& o, const CopiedDim& d, Builder& host) const {
    auto longest = d.dim ? longest_span(o.dims[*d.dim], host) : std::nullopt;
    auto copied = [&](int64_t lanes) -> std::optional<int64_t> {
      CopiedDim by_these = d;
      by_these.together = lanes;
      auto each = usual(o, by_these);
      if (!each || *each > kAtATime) return std::nullopt;
      return *each * lanes;
    };
    auto half = copied(kLanes / 2), whole = copied(kLanes);
    if (!longest || !half || !whole) return kLanes;
    return *half < *whole && round_up(*longest, *half) <= round_up(*longest, *whole) ? kLanes / 2 : kLanes;
  }

  // Says who copies what. Of what windows read all columns and rows that there usually are are copied in one turn.
  void divide_copies(const TiledContraction::Operand& o, Tile& t, Builder& host) const {
    size_t first = 0;
    if (goes_along_steps(o, t)) {
      first = c_.reduction.size();
      CopiedDim steps{{}, i64(1), i64(1), 1, 1, {}};
      for (size_t r = 0; r < first; ++r) {
        steps.extent = times(host, steps.extent, c_.reduction[r].extent);
        steps.span = times(host, steps.span, chunks_[r]);
      }
      t.copied.push_back(steps);
    }
    for (size_t k = first; k < t.order.size(); ++k)
      t.copied.push_back({t.order[k], o.dims[t.order[k]].extent, t.spans[t.order[k]], 1, 1, {}});

    // Threads lie along the two innermost dimensions that have more than one position.
    std::vector<CopiedDim*> by_lanes;
    for (size_t k = t.copied.size(); k-- > 0 && by_lanes.size() < 2;) {
      if (t.copied[k].span.int_constant() != 1) by_lanes.push_back(&t.copied[k]);
    }
    if (by_lanes.empty()) by_lanes.push_back(&t.copied.back());
    for (CopiedDim* d : by_lanes) d->by_lanes = true;
    CopiedDim& last = *by_lanes[0];
    const bool is_literal = last.span.int_constant().has_value();
    int64_t most = is_literal ? *last.span.int_constant() : lanes_along(o, last, host);
    auto lanes = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(std::min(most, num_threads_))));
    last.together = std::gcd(lanes, num_threads_);
    last.each = is_literal ? std::min(kAtATime, needed(most, last)) : std::min(kAtATime, usual(o, last).value_or(2));
    if (by_lanes.size() > 1) {
      CopiedDim& rows = *by_lanes[1];
      rows.together = num_threads_ / last.together;
      rows.each = (is_literal ? kAtATime : kMostAtATime) / last.each;
      if (!rows.dim) {
        rows.each = std::min(rows.each, needed(together_[0], rows));
      } else if (auto all = usual(o, rows); all && !is_literal) {
        rows.each = std::min(rows.each, *all);
      } else if (auto longest = longest_span(o.dims[*rows.dim], host)) {
        rows.each = std::min(rows.each, needed(*longest, rows));
      }
    }
    for (CopiedDim& d : t.copied) d.turns = d.at_once() == 1 ? d.span : host.div_up(d.span, i64(d.at_once()));
  }

  // Lays arrays out so that neighbouring threads read neighbours.
  void lay_out(const TiledContraction::Operand& o, Tile& t, Builder& before) const {
    t.array = o.array;
    std::vector<int> perm(t.order.begin(), t.order.end());
    Type type = Type::array(o.elem, {});
    if (t.copied[0].dim) {
      for (const auto& d : o.dims) type.dims.emplace_back(d.extent);
      if (t.order != o.order) t.array = before.let("in_order", type, Manifest{perm, t.array});
      return;
    }
    // In memory of its own as it is seen then: else the host divides to find each element in what this is another view of.
    for (size_t d : t.order) type.dims.emplace_back(o.dims[d].extent);
    if (!std::ranges::is_sorted(perm)) t.array = before.let("seen", type, Rearrange{perm, t.array});
    std::vector<int> as_seen(perm.size());
    std::iota(as_seen.begin(), as_seen.end(), 0);
    t.array = before.let("in_order", type, Manifest{as_seen, t.array});
    Shape shape{t.copied[0].extent};
    for (size_t k = c_.reduction.size(); k < t.order.size(); ++k) shape.push_back(o.dims[t.order[k]].extent);
    t.array = before.let("flat", Type::array(o.elem, {shape.begin(), shape.end()}), Reshape{false, shape, t.array});
  }

  const TiledContraction& c_;
  int64_t num_threads_ = 1;
  std::vector<int64_t> together_;  // by index of the reduction: of a chunk, steps along it and those within it
  std::vector<SubExp> rounds_, chunks_;
};

}  // namespace

ContractionTiles contraction_tiles(const TiledContraction& c, Builder& host, Builder& before) {
  return Planner(c).run(host, before);
}

}  // namespace heddle::seg
