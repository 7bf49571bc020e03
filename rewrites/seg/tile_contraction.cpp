#include "rewrites/seg/tile_contraction.h"

#include <algorithm>
#include <functional>

#include "ir/seg/traverse.h"
#include "rewrites/seg/block_code.h"
#include "rewrites/seg/contraction_tiles.h"
#include "rewrites/seg/sliding.h"

namespace heddle::seg {

namespace {

class Tiler {
 public:
  Tiler(const TiledContraction& c, NameSource& names) : c_(c), names_(names) {
    for (const auto& p : c.parallel) {
      threads_.push_back(i64(p.threads));
      points_.push_back(i64(p.points));
      num_threads_ *= p.threads;
    }
    elem_ = c.neutral.type;
    registers_ = Type::array(elem_, {points_.begin(), points_.end()});
    sums_ = array_of(registers_, threads_);
    sliding_ = sliding(c);
  }

  ContractionCode run(const Pat& pat) {
    Builder host(names_), before(names_);
    auto [rounds, chunks, tiles, shared_bytes] = contraction_tiles(c_, host, before);
    rounds_ = std::move(rounds);
    chunks_ = std::move(chunks);
    tiles_ = std::move(tiles);
    ContractionCode code;
    code.shared_bytes = shared_bytes;
    before.add(blocks(pat, host));
    code.stms = before.take();
    code.sizes = host.take();
    return code;
  }

 private:
  // ---- What a block does. ----

  Stm blocks(const Pat& pat, Builder& host) {
    SegOp all{SegKind::Map, {LevelKind::Block, Virt::None, {}, {}}, {names_.fresh("block"), {}}, {}, {}, {}, nullptr};
    std::vector<RegTileDim> written;
    SubExp num_blocks = i64(1);
    for (const auto& p : c_.parallel) {
      SubExp tiles = host.div_up(p.extent, i64(p.threads * p.points));
      all.space.dims.push_back({names_.fresh("tile"), tiles});
      num_blocks = times(host, num_blocks, tiles);
      written.push_back({p.extent, i64(p.threads), i64(p.points)});
    }
    all.level.grid = KernelGrid{num_blocks, i64(num_threads_)};

    Builder block(names_);
    for (size_t p = 0; p < c_.parallel.size(); ++p)
      first_.push_back(block.mul(all.space.dims[p].index, i64(c_.parallel[p].threads * c_.parallel[p].points)));
    Values state{zeros(block)};
    std::vector<Type> types{sums_};
    for (const SubExp& tile : scratch_tiles(block)) state.push_back(tile);
    for (size_t k = 0; k < c_.operands.size(); ++k) types.push_back(type_of_tile(k));
    SubExp sums = rounds(block, types, state, {})[0];
    if (c_.result) sums = results(block, sums);

    KernelBody body{{}, {}};
    body.results.emplace_back(RegTileReturns{{}, written, sums.name()});
    body.stms = block.take();
    all.types = {Type::scalar(c_.result ? c_.result->ret[0].elem : elem_)};
    all.body = std::make_shared<const KernelBody>(std::move(body));
    return Stm{pat, {}, {}, std::move(all), {}};
  }

  Type type_of_tile(size_t operand) const { return Type::array(c_.operands[operand].elem, {tiles_[operand].size}); }

  // Shared memory for the operands. What is asked for first lies in front in the host's memory, so that where tiles of literal size lie
  // is literal, too: only then is it seen that several elements can be loaded at once.
  Values scratch_tiles(Builder& block) const {
    Values tiles(c_.operands.size(), SubExp(i64(0)));
    for (bool literal : {true, false}) {
      for (size_t k = 0; k < tiles.size(); ++k) {
        if (tiles_[k].size.int_constant().has_value() != literal) continue;
        tiles[k] = block.let("tile", type_of_tile(k), Scratch{c_.operands[k].elem, {tiles_[k].size}});
      }
    }
    return tiles;
  }

  // What each thread does with its registers.
  Name by_threads(Builder& block, const Type& registers,
                  const std::function<SubExp(Builder&, const std::vector<SubExp>&)>& work) {
    SegOp part{
        SegKind::Map, {LevelKind::InBlock, Virt::Full, {}, {}}, {names_.fresh("thread"), {}}, {}, {}, {registers},
        nullptr};
    std::vector<SubExp> lanes;
    for (const SubExp& t : threads_) {
      part.space.dims.push_back({names_.fresh("lane"), t});
      lanes.emplace_back(part.space.dims.back().index);
    }
    Builder thread(names_);
    KernelBody body{{}, {}};
    body.results.emplace_back(Returns{ReturnsKind::Private, {}, work(thread, lanes)});
    body.stms = thread.take();
    part.body = std::make_shared<const KernelBody>(std::move(body));
    return block.let("sums", array_of(registers, threads_), std::move(part));
  }

  // Registers after `compute` has said what is in each, given what is there.
  using Compute = std::function<SubExp(Builder&, const std::vector<SubExp>& point, const SubExp& registers)>;
  SubExp each_register(Builder& out, const Type& type, const SubExp& registers, std::vector<SubExp> point,
                       const Compute& compute) {
    size_t d = point.size();
    if (d == c_.parallel.size()) {
      SubExp value = compute(out, point, registers);
      return out.let("registers", type, Update{registers.name(), false, at(point), value});
    }
    if (c_.parallel[d].points == 1) {
      point.push_back(i64(0));
      return each_register(out, type, registers, std::move(point), compute);
    }
    return for_loop(out, {type}, {registers}, points_[d], [&](Builder& step, const SubExp& index, const Values& now) {
      std::vector<SubExp> inner = point;
      inner.push_back(index);
      return Values{each_register(step, type, now[0], std::move(inner), compute)};
    })[0];
  }

  static Slice at(const std::vector<SubExp>& indices) {
    Slice slice;
    for (const SubExp& i : indices) slice.emplace_back(DimFix{i});
    return slice;
  }

  SubExp zeros(Builder& block) {
    return by_threads(block, registers_, [&](Builder& thread, const auto&) {
      SubExp registers = thread.let("registers", registers_, Scratch{elem_, Shape(points_.begin(), points_.end())});
      return each_register(thread, registers_, registers, {},
                           [&](Builder&, const auto&, const SubExp&) { return SubExp(c_.neutral); });
    });
  }

  // A thread's registers of a block's array of them.
  SubExp registers_of(Builder& thread, const SubExp& sums, const std::vector<SubExp>& lanes) const {
    return thread.let("registers", registers_, Index{sums.name(), row_slice(lanes, registers_)});
  }

  // All rounds over chunks of the reduction's indices from those on that `from` has, where each of them begins.
  Values rounds(Builder& out, const std::vector<Type>& types, const Values& state, const std::vector<SubExp>& from) {
    size_t r = from.size();
    if (r == c_.reduction.size()) return round(out, state, from);
    return for_loop(out, types, state, rounds_[r], [&](Builder& step, const SubExp& index, const Values& now) {
      std::vector<SubExp> inner = from;
      inner.push_back(step.mul(index, chunks_[r]));
      return rounds(step, types, now, inner);
    });
  }

  Values round(Builder& out, const Values& state, const std::vector<SubExp>& from) {
    chunk_ = from;
    Values after{state[0]};
    for (size_t k = 0; k < c_.operands.size(); ++k) after.emplace_back(copy(out, k, state[k + 1], from));
    std::vector<SubExp> steps;
    for (size_t r = 0; r < from.size(); ++r)
      steps.push_back(out.min(chunks_[r], out.sub(c_.reduction[r].extent, from[r])));
    after[0] = by_threads(out, registers_, [&](Builder& thread, const std::vector<SubExp>& lanes) {
      return sum(thread, after, lanes, steps, registers_of(thread, state[0], lanes));
    });
    return after;
  }

  // Where in its tile an element lies that has these positions, by dimension. So written, the host's compiler sees that
  // it is a multiple of the innermost room, where that is literal, and loads several elements at once.
  static SubExp place_of(Builder& out, const Tile& t, const std::vector<SubExp>& positions) {
    SubExp place = i64(0);
    for (size_t d : t.order) place = plus(out, times(out, place, t.rooms[d]), positions[d]);
    return place;
  }

  // ---- Copies. ----

  // The index of the element that is at the first position of a tile's dimension.
  SubExp first_read(Builder& out, const TiledContraction::Dim& d, const std::vector<SubExp>& from) const {
    SubExp first = d.constant;
    auto go = [&](const TiledContraction::Step& s, const SubExp& index, const SubExp& extent) {
      if (!s.backwards) {
        first = plus(out, first, times(out, s.size, index));
      } else {
        first = minus(out, first, times(out, s.size, minus(out, plus(out, index, extent), i64(1))));
      }
    };
    for (size_t p = 0; p < first_.size(); ++p) {
      if (d.parallel[p]) go(*d.parallel[p], first_[p], i64(c_.parallel[p].threads * c_.parallel[p].points));
    }
    for (size_t r = 0; r < from.size(); ++r) {
      if (d.reduction[r]) go(*d.reduction[r], from[r], chunks_[r]);
    }
    return first;
  }

  static bool may_be_negative(const TiledContraction::Dim& d) {
    auto goes_back = [](const auto& s) { return s && s->backwards; };
    auto constant = d.constant.int_constant();
    return !constant || *constant < 0 || std::ranges::any_of(d.parallel, goes_back) ||
           std::ranges::any_of(d.reduction, goes_back);
  }

  // What a block copies in a chunk of a dimension: the index at its first position, and from which position to which the array
  // has elements. Positions have 32 bits, as they are few; what of the array lies beyond is cut off here.
  struct Copied {
    SubExp first, begin, end;
  };
  Copied copied(Builder& block, const TiledContraction::Operand& o, const CopiedDim& d,
                const std::vector<SubExp>& from) const {
    Copied c;
    if (d.dim) {
      c.first = first_read(block, o.dims[*d.dim], from);
    } else {
      c.first = i64(0);
      for (size_t r = 0; r < from.size(); ++r)
        c.first = plus(block, times(block, c.first, c_.reduction[r].extent), from[r]);
    }
    auto within = [&](const SubExp& p) { return narrow(block, block.max(i64(0), block.min(d.span, p))); };
    c.begin = d.dim && may_be_negative(o.dims[*d.dim]) ? within(minus(block, i64(0), c.first)) : i32(0);
    c.end = within(minus(block, d.extent, c.first));
    return c;
  }

  SubExp copy(Builder& block, size_t operand, const SubExp& tile, const std::vector<SubExp>& from) {
    const auto& o = c_.operands[operand];
    const Tile& t = tiles_[operand];
    std::vector<Copied> dims;
    std::vector<SubExp> rooms;
    for (const CopiedDim& d : t.copied) {
      dims.push_back(copied(block, o, d, from));
      rooms.push_back(d.dim ? narrow(block, t.rooms[*d.dim]) : i32(1));
    }

    Type all = type_of_tile(operand);
    SegOp part{SegKind::Map, {LevelKind::InBlock, Virt::Full, {}, {}}, {names_.fresh("thread"), {}}, {}, {}, {all},
               nullptr};
    // By dimension: the first position that this thread copies in this turn. The innermost one mostly takes a single turn, which is
    // gone through outside the others, so that the host's compiler sees these follow each other, and takes several at a time.
    std::vector<SubExp> begins(t.copied.size(), SubExp(i32(0)));
    Builder thread(names_);
    for (size_t n = 0; n < t.copied.size(); ++n) {
      size_t k = (n + t.copied.size() - 1) % t.copied.size();
      const CopiedDim& d = t.copied[k];
      part.level.seq_dims.push_back(static_cast<int>(part.space.dims.size()));
      part.space.dims.push_back({names_.fresh("turn"), d.turns});
      begins[k] = times32(thread, narrow(thread, part.space.dims.back().index), i32(d.together * d.each));
    }
    for (size_t k = 0; k < t.copied.size(); ++k) {
      if (!t.copied[k].by_lanes) continue;
      part.space.dims.push_back({names_.fresh("lane"), i64(t.copied[k].together)});
      begins[k] = plus32(thread, begins[k], narrow(thread, part.space.dims.back().index));
    }
    WriteReturns written{{}, tile.name(), {}};
    std::vector<SubExp> firsts;
    for (size_t k = 0; k < t.copied.size(); ++k)
      firsts.push_back(plus(thread, dims[k].first, widen(thread, begins[k])));
    copy_each(thread, o, t, dims, rooms, begins, firsts, {}, written);
    KernelBody body{{}, {written}};
    body.stms = thread.take();
    part.body = std::make_shared<const KernelBody>(std::move(body));
    return block.let("copied", all, std::move(part));
  }

  // All positions that a thread copies in a turn. They are read before any is written, so that the device reads them at
  // the same time.
  void copy_each(Builder& thread, const TiledContraction::Operand& o, const Tile& t, const std::vector<Copied>& dims,
                 const std::vector<SubExp>& rooms, const std::vector<SubExp>& begins, const std::vector<SubExp>& firsts,
                 std::vector<int64_t> offsets, WriteReturns& written) {
    size_t k = offsets.size();
    if (k < t.copied.size()) {
      for (int64_t n = 0; n < t.copied[k].each; ++n) {
        std::vector<int64_t> inner = offsets;
        inner.push_back(n * t.copied[k].together);
        copy_each(thread, o, t, dims, rooms, begins, firsts, std::move(inner), written);
      }
      return;
    }
    std::vector<SubExp> by_dim(o.dims.size());
    SubExp place = i32(0);
    std::vector<SubExp> index;
    for (k = 0; k < t.copied.size(); ++k) {
      const CopiedDim& d = t.copied[k];
      place = plus32(thread, times32(thread, place, rooms[k]), plus32(thread, begins[k], i32(offsets[k])));
      SubExp at = plus(thread, firsts[k], i64(offsets[k]));
      if (t.copied.size() < o.dims.size() || !d.dim) {
        index.push_back(at);
      } else {
        by_dim[*d.dim] = at;
      }
    }
    if (index.empty()) index = by_dim;
    Builder read(names_);
    Type elem = Type::scalar(o.elem);
    SubExp there = read.let("element", elem, Index{t.array, at(index)});
    SubExp value = if_else(thread, "copied", elem, is_element(thread, t, dims, begins, offsets), read.take(), there,
                           prim::zero(o.elem));
    written.writes.push_back({at({widen(thread, place)}), value});
  }

  // Whether there is an element at a position. What all other dimensions say becomes the end of that of which a thread has the most
  // positions, so that each of them is compared once.
  SubExp is_element(Builder& thread, const Tile& t, const std::vector<Copied>& dims, const std::vector<SubExp>& begins,
                    const std::vector<int64_t>& offsets) {
    auto most = static_cast<size_t>(std::ranges::max_element(t.copied, {}, [](const CopiedDim& d) { return d.each; }) -
                                    t.copied.begin());
    std::optional<SubExp> others;
    std::vector<SubExp> positions;
    for (size_t k = 0; k < offsets.size(); ++k) {
      positions.push_back(plus32(thread, begins[k], i32(offsets[k])));
      if (dims[k].begin != i32(0))
        others = both(thread, others, holds(thread, prim::Family::Sle, dims[k].begin, positions[k], prim::Type::I32));
      if (k != most)
        others = both(thread, others, holds(thread, prim::Family::Slt, positions[k], dims[k].end, prim::Type::I32));
    }
    SubExp end = dims[most].end;
    if (others) end = if_else(thread, "end", Type::scalar(prim::Type::I32), *others, {}, end, prim::Value::i32(0));
    return holds(thread, prim::Family::Slt, positions[most], end, prim::Type::I32);
  }

  // ---- Steps of the reduction. ----

  // Where in its tile an operand's element lies, for points and steps counted from the first ones.
  SubExp place(Builder& out, size_t operand, const std::vector<std::optional<SubExp>>& points,
               const std::vector<SubExp>& steps) const {
    std::vector<SubExp> positions;
    for (const TiledContraction::Dim& d : c_.operands[operand].dims) {
      SubExp position = i64(0);
      auto go = [&](const TiledContraction::Step& s, const SubExp& index, const SubExp& extent) {
        SubExp from_first = s.backwards ? minus(out, minus(out, extent, i64(1)), index) : index;
        position = plus(out, position, times(out, s.size, from_first));
      };
      for (size_t p = 0; p < points.size(); ++p) {
        if (d.parallel[p] && points[p])
          go(*d.parallel[p], *points[p], i64(c_.parallel[p].threads * c_.parallel[p].points));
      }
      for (size_t r = 0; r < steps.size(); ++r) {
        if (d.reduction[r]) go(*d.reduction[r], steps[r], chunks_[r]);
      }
      positions.push_back(position);
    }
    return place_of(out, tiles_[operand], positions);
  }

  // Steps together, at most, along an index along which windows slide: few elements are read for a step then, and registers suffice without
  // spills. Of 5, 6, 8 and 9 steps of 64 sums 6 are fastest with windows of 7 to 17, by 1 to 2 %. More sums have fewer: steps are to be
  // written out, or what is read for them lies in no registers, and of loops with 640 sums the host's compiler writes out none.
  static constexpr int64_t kSlide = 6, kSumsTogether = 448;

  // All steps of a chunk. Those along which windows slide are taken in groups, of as many as possible, and outside the other indices,
  // so that the innermost loop is a group and nothing else.
  SubExp sum(Builder& out, const Values& tiles, const std::vector<SubExp>& lanes, const std::vector<SubExp>& steps,
             SubExp registers) {
    std::vector<SubExp> step(steps.size(), SubExp(i64(0)));
    if (!sliding_) return sum_others(out, tiles, lanes, steps, 0, step, registers, 1);
    SubExp left = steps[sliding_->index], first = i64(0);
    int64_t sums = 1;
    for (const auto& p : c_.parallel) sums *= p.points;
    for (int64_t together = std::clamp<int64_t>(kSumsTogether / sums, 1, kSlide); together > 0; --together) {
      SubExp groups = together == 1 ? left : SubExp(out.binary(prim::Family::SQuot, "groups", left, i64(together)));
      registers = loop(out, groups, registers, [&](Builder& group, const SubExp& index, const SubExp& now) {
        step[sliding_->index] = plus(group, first, times(group, i64(together), index));
        return sum_others(group, tiles, lanes, steps, 0, step, now, together);
      });
      SubExp taken = times(out, groups, i64(together));
      first = plus(out, first, taken);
      left = minus(out, left, taken);
    }
    return registers;
  }

  // All steps along the indices from the `r`th on, but that along which windows slide.
  SubExp sum_others(Builder& out, const Values& tiles, const std::vector<SubExp>& lanes,
                    const std::vector<SubExp>& steps, size_t r, std::vector<SubExp>& step, const SubExp& registers,
                    int64_t together) {
    if (r == steps.size()) return add(out, tiles, lanes, step, registers, together);
    if (sliding_ && sliding_->index == r) return sum_others(out, tiles, lanes, steps, r + 1, step, registers, together);
    return loop(out, steps[r], registers, [&](Builder& inner, const SubExp& index, const SubExp& now) {
      step[r] = index;
      return sum_others(inner, tiles, lanes, steps, r + 1, step, now, together);
    });
  }

  // Indices of steps have 32 bits, as there are few: one instruction counts them.
  SubExp loop(Builder& out, const SubExp& count, const SubExp& registers,
              const std::function<SubExp(Builder&, const SubExp&, const SubExp&)>& body) {
    return for_loop(
        out, {registers_}, {registers}, narrow(out, count),
        [&](Builder& step, const SubExp& index, const Values& now) {
          return Values{body(step, widen(step, index), now[0])};
        },
        prim::Type::I32)[0];
  }

  // Of each operand, the elements that a thread's points read in a step, in registers.
  SubExp elements(Builder& out, size_t operand, const SubExp& tile, const std::vector<SubExp>& lanes,
                  const std::vector<SubExp>& step, int64_t together) {
    const Tile& t = tiles_[operand];
    Shape shape;
    for (size_t p : t.picked) shape.push_back(i64(c_.parallel[p].points + (slides(operand, p) ? together - 1 : 0)));
    Type elem = Type::scalar(c_.operands[operand].elem), type = array_of(elem, shape);
    std::vector<SubExp> chosen;
    auto first = [&](size_t p) { return c_.parallel[p].points; };
    std::function<SubExp(Builder&, const SubExp&, const std::vector<SubExp>&)> from =
        [&](Builder& o, const SubExp& registers, const std::vector<SubExp>& picked) -> SubExp {
      if (picked.size() < t.picked.size()) {
        return for_loop(o, {type}, {registers}, shape[picked.size()],
                        [&](Builder& inner, const SubExp& index, const Values& now) {
                          std::vector<SubExp> next = picked;
                          next.push_back(index);
                          return Values{from(inner, now[0], next)};
                        })[0];
      }
      std::vector<std::optional<SubExp>> points;
      for (size_t p = 0; p < lanes.size(); ++p) {
        SubExp point = times(o, lanes[p], i64(first(p)));
        auto it = std::ranges::find(t.picked, p);
        if (it != t.picked.end()) point = plus(o, point, picked[static_cast<size_t>(it - t.picked.begin())]);
        points.emplace_back(point);
      }
      SubExp value = o.let("element", elem, Index{tile.name(), at({place(o, operand, points, step)})});
      if (t.picked.empty()) return value;
      return o.let("elements", type, Update{registers.name(), false, at(picked), value});
    };
    if (t.picked.empty()) return from(out, {}, {});
    return from(out, out.let("elements", type, Scratch{elem.elem, shape}), {});
  }

  bool slides(size_t operand, size_t p) const { return sliding_ && sliding_->points[operand] == p; }

  SubExp add(Builder& out, const Values& tiles, const std::vector<SubExp>& lanes, const std::vector<SubExp>& step,
             const SubExp& registers, int64_t together) {
    Values read(c_.operands.size(), SubExp(i64(0)));
    if (together == 1) {
      for (size_t k = 0; k < read.size(); ++k) read[k] = elements(out, k, tiles[k + 1], lanes, step, 1);
      return add_step(out, read, lanes, step, registers, i64(0));
    }
    for (size_t k = 0; k < read.size(); ++k) {
      if (sliding_->points[k]) read[k] = elements(out, k, tiles[k + 1], lanes, step, together);
    }
    return for_loop(out, {registers_}, {registers}, i64(together), [&](Builder& o, const SubExp& n, const Values& now) {
      std::vector<SubExp> this_step = step;
      this_step[sliding_->index] = plus(o, step[sliding_->index], n);
      Values all = read;
      for (size_t k = 0; k < all.size(); ++k) {
        if (!sliding_->points[k]) all[k] = elements(o, k, tiles[k + 1], lanes, this_step, 1);
      }
      return Values{add_step(o, all, lanes, this_step, now[0], n)};
    })[0];
  }

  // `read`: elements of each operand; of those that slide, the ones of this step begin with number `slid`.
  SubExp add_step(Builder& out, const Values& read, const std::vector<SubExp>& lanes, const std::vector<SubExp>& step,
                  const SubExp& registers, const SubExp& slid) {
    return each_register(
        out, registers_, registers, {}, [&](Builder& o, const std::vector<SubExp>& point, const SubExp& now) {
          Values values;
          for (size_t k = 0; k < c_.operands.size(); ++k) {
            const Tile& t = tiles_[k];
            std::vector<SubExp> picked;
            for (size_t p : t.picked) picked.push_back(slides(k, p) ? plus(o, point[p], slid) : point[p]);
            values.push_back(picked.empty() ? read[k]
                                            : SubExp(o.let("element", Type::scalar(c_.operands[k].elem),
                                                           Index{read[k].name(), at(picked)})));
          }
          if (c_.term.params.size() > values.size()) append_indices(o, lanes, point, step, values);
          SubExp before = o.let("before", Type::scalar(elem_), Index{now.name(), at(point)});
          SubExp term = apply(o, c_.term, values);
          return SubExp(o.let("sum", Type::scalar(elem_), PrimOp{c_.reduce, {before, term}}));
        });
  }

  // Where a point stands, and a step.
  void append_indices(Builder& out, const std::vector<SubExp>& lanes, const std::vector<SubExp>& point,
                      const std::vector<SubExp>& step, Values& values) {
    for (size_t p = 0; p < point.size(); ++p) values.push_back(index_of(out, lanes, point, p));
    for (size_t r = 0; r < step.size(); ++r) values.push_back(plus(out, chunk_[r], step[r]));
  }

  SubExp index_of(Builder& out, const std::vector<SubExp>& lanes, const std::vector<SubExp>& point, size_t p) {
    return plus(out, first_[p], plus(out, times(out, lanes[p], points_[p]), point[p]));
  }

  SubExp apply(Builder& out, const Lambda& lambda, const Values& values) {
    Substitution renaming;
    for (size_t k = 0; k < values.size(); ++k) renaming.insert_or_assign(lambda.params[k].name, values[k]);
    Body body = rename(names_, renaming, *lambda.body);
    out.add_all(body.stms);
    return body.result[0].value;
  }

  // ---- Results. ----

  // Of points beyond the result, what the nearest would be from their sums, so that nothing is read that is not there.
  SubExp results(Builder& block, const SubExp& sums) {
    Type type = Type::array(c_.result->ret[0].elem, {points_.begin(), points_.end()});
    return by_threads(block, type, [&](Builder& thread, const std::vector<SubExp>& lanes) {
      SubExp before = registers_of(thread, sums, lanes);
      SubExp registers = thread.let("registers", type, Scratch{type.elem, Shape(points_.begin(), points_.end())});
      return each_register(
          thread, type, registers, {}, [&](Builder& o, const std::vector<SubExp>& point, const SubExp&) {
            Values values{o.let("sum", Type::scalar(elem_), Index{before.name(), at(point)})};
            for (size_t p = 0; p < point.size(); ++p) {
              values.emplace_back(o.min(index_of(o, lanes, point, p), o.sub(c_.parallel[p].extent, i64(1))));
            }
            return apply(o, *c_.result, values);
          });
    });
  }

  const TiledContraction& c_;
  NameSource& names_;
  Shape threads_, points_;
  int64_t num_threads_ = 1;
  prim::Type elem_;
  Type registers_, sums_;                // a thread's, and a block's
  std::vector<SubExp> rounds_, chunks_;  // by index of the reduction
  std::vector<Tile> tiles_;              // by operand
  std::optional<Sliding> sliding_;
  std::vector<SubExp> first_;  // the block's first point
  std::vector<SubExp> chunk_;  // the first step of the chunk
};

}  // namespace

ContractionCode tile_contraction(const TiledContraction& c, const Pat& pat, NameSource& names) {
  return Tiler(c, names).run(pat);
}

}  // namespace heddle::seg
