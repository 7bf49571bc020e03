#include "rewrites/contraction/tiled.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "ir/nest/traverse.h"
#include "rewrites/contraction/statement_writer.h"
#include "rewrites/contraction/structure.h"

namespace heddle::contraction {

namespace {

using nest::add;
using nest::Block;
using nest::Buffer;
using nest::ceil_div;
using nest::constant;
using nest::Expr;
using nest::mul;
using nest::Name;
using nest::Role;
using nest::sub;
using prim::Type;

class Recipe : StatementWriter {
 public:
  Recipe(const recognize::Contraction& c, const Tiling& t, const std::vector<Buffer>& buffers, seg::NameSource& names)
      : StatementWriter(names),
        c_(c),
        t_(t),
        structure_(structure_of(c, buffers)),
        maps_(structure_.maps),
        num_parallel_(c.parallel.size()),
        num_reduction_(c.reduction.size()),
        in_term_(nest::free_names(c.term)) {
    for (const Buffer& b : buffers) buffers_.emplace(b.name, b);
  }

  Block run() {
    num_threads_ = index_of(t_.slices);
    for (const ParallelTile& p : t_.parallel) {
      points_.push_back(index_of(p.points));
      run_.push_back(index_of(p.run));
      threads_.push_back(mul(index_of(p.warps), index_of(p.lanes)));
      num_threads_ = mul(num_threads_, threads_.back());
      block_tile_.push_back(mul(threads_.back(), points_.back()));
    }
    for (size_t r = 0; r < num_reduction_; ++r) {
      chunk_.push_back(index_of(t_.reduction[r].chunk));
      unroll_.push_back(index_of(t_.reduction[r].unroll));
      num_chunks_.push_back(ceil_div(c_.reduction[r].extent, chunk_.back()));
    }
    return grid();
  }

  const Expr& num_threads() const { return num_threads_; }
  // Registers that hold places.
  const std::vector<Name>& places() const { return places_; }

 private:
  // ---- Blocks and threads. ----

  // Blocks that read the same part of the first operand follow each other, so that it is found in the cache: the
  // parallel indices that it does not depend on count fastest.
  std::vector<size_t> grid_order() const {
    std::vector<size_t> order;
    for (bool invariant : {false, true}) {
      for (size_t p = 0; p < num_parallel_; ++p) {
        bool used = false;
        for (const DimMap& m : maps_[0]) used |= depends(m, p);
        if (used != invariant) order.push_back(p);
      }
    }
    return order;
  }

  Block grid() {
    std::vector<size_t> order = grid_order();
    std::vector<Expr> extents, at(num_parallel_);
    for (size_t p : order) extents.push_back(ceil_div(c_.parallel[p].extent, block_tile_[p]));
    return block([&] {
      loops("block", extents, Role::Grid, [&](const std::vector<Expr>& b) {
        for (size_t k = 0; k < order.size(); ++k) at[order[k]] = b[k];
        for (size_t p = 0; p < num_parallel_; ++p) origin_.push_back(let("origin", mul(at[p], block_tile_[p])));
        std::vector<Expr> warps, lanes;
        for (const ParallelTile& p : t_.parallel) {
          warps.push_back(index_of(p.warps));
          lanes.push_back(index_of(p.lanes));
        }
        shared_buffers();
        loop("thread", num_threads_, Role::Block, [&](const Expr& t) { thread(t, warps, lanes); });
      });
    });
  }

  void thread(const Expr& number, const std::vector<Expr>& warps, const std::vector<Expr>& lanes) {
    thread_ = number;
    std::vector<Expr> places = {index_of(t_.slices)};
    places.insert(places.end(), warps.begin(), warps.end());
    places.insert(places.end(), lanes.begin(), lanes.end());
    std::vector<Expr> at = digits(number, places);
    slice_ = let("slice", at[0]);
    for (size_t p = 0; p < num_parallel_; ++p) {
      at_thread_.push_back(let("at", add(mul(at[1 + p], lanes[p]), at[1 + num_parallel_ + p])));
    }

    Buffer acc = alloc("acc", c_.neutral.type, nest::Space::Register, points_);
    loops("point", points_, Role::Unrolled, [&](const std::vector<Expr>& i) {
      emit(nest::Store{acc.name, i, constant(c_.neutral)});
    });
    for (size_t p = 0; p < num_parallel_; ++p) {
      if (in_term(c_.parallel[p])) first_value_.emplace(p, as_value(add(origin_[p], of_thread(p, zero()))));
    }
    pipeline(acc);
    write_result(acc);
  }

  bool in_term(const recognize::Index& i) const { return in_term_.contains(i.name); }

  // ---- The pipeline through shared memory. ----

  void shared_buffers() {
    Box tile = tile_box(std::vector<Expr>(num_reduction_, zero()));
    for (size_t o = 0; o < c_.operands.size(); ++o) {
      std::vector<Expr> dims = {index_of(t_.stages)};
      for (size_t d : structure_.staged[o]) dims.push_back(footprint(maps_[o][d], tile).extent);
      if (dims.size() > 1) {
        // Rows begin where a wide access may begin.
        Expr quantum = constant(kQuantumBytes / prim::size_bytes(c_.operands[o].elem));
        dims.back() = add(round_up(dims.back(), quantum), index_of(t_.operands[o].padding));
      }
      shared_.push_back(alloc("tile", c_.operands[o].elem, nest::Space::Shared, dims));
    }
  }

  Box tile_box(const std::vector<Expr>& first_of_chunk) const {
    Box box;
    for (size_t p = 0; p < num_parallel_; ++p) box.push_back({origin_[p], block_tile_[p]});
    for (size_t r = 0; r < num_reduction_; ++r) box.push_back({first_of_chunk[r], chunk_[r]});
    return box;
  }

  std::vector<Expr> first_of_chunk(const Expr& chunk) {
    std::vector<Expr> first = digits(chunk, num_chunks_);
    for (size_t r = 0; r < num_reduction_; ++r) {
      first[r] = nest::int_constant(num_chunks_[r]) == 1 ? zero() : let("first", mul(first[r], chunk_[r]));
    }
    return first;
  }

  void copy_chunk(const Expr& chunk) {
    Expr stage = let("stage", nest::mod(chunk, index_of(t_.stages)));
    Box tile = tile_box(first_of_chunk(chunk));
    for (size_t o = 0; o < c_.operands.size(); ++o) copy_operand(o, stage, tile);
  }

  void copy_operand(size_t o, const Expr& stage, const Box& tile) {
    const recognize::Operand& operand = c_.operands[o];
    const Buffer& source = buffers_.at(operand.buffer);
    Expr width = index_of(t_.operands[o].copy_width);
    std::vector<Expr> low, extents;
    for (const DimMap& m : maps_[o]) {
      Extent e = footprint(m, tile);
      low.push_back(let("low", e.low));
      extents.push_back(e.extent);
    }
    Expr columns = one();
    if (!extents.empty()) {
      // Wide loads read whole multiples of their width, though what they read beyond the footprint is not used.
      Expr& row = extents[structure_.staged[o].back()];
      row = round_up(row, index_of(t_.operands[o].load_width));
      columns = ceil_div(extents.back(), width);
      extents.pop_back();
    }
    // Threads stand side by side along a row, and what threads that leaves take the next rows: so only the number of a
    // row has to be taken apart, and what depends on the column is the same in all rounds and chunks.
    Expr rows = product(extents), abreast = nest::min(columns, num_threads_),
         at_once = nest::div(num_threads_, abreast);
    Expr first_row = let("row", nest::div(thread_, abreast)), first_column = let("column", nest::mod(thread_, abreast));
    loop("round", ceil_div(columns, abreast), Role::Unrolled, [&](const Expr& right) {
      Expr column = let("column", add(mul(right, abreast), first_column));
      loop("round", ceil_div(rows, at_once), Role::Unrolled, [&](const Expr& down) {
        Expr row = let("row", add(mul(down, at_once), first_row));
        // Threads that are left over would copy what others copy.
        Expr needed =
            nest::both(nest::less(first_row, at_once), nest::both(nest::less(column, columns), nest::less(row, rows)));
        when(needed, [&] {
          std::vector<Expr> in_tile = digits(row, extents);
          if (!low.empty()) in_tile.push_back(mul(column, width));
          std::vector<Expr> from, at_dim;
          Expr valid = constant(prim::Value::of_bool(true));
          for (size_t d = 0; d < low.size(); ++d) {
            Expr at = let("at", in_tile[d]);
            at_dim.push_back(at);
            from.push_back(let("from", add(low[d], at)));
            if (operand.padded) valid = nest::both(valid, nest::less(constant(int64_t{-1}), from[d]));
            valid = nest::both(valid, nest::less(from[d], source.dims[d]));
          }
          std::vector<Expr> to = {stage};
          for (size_t d : structure_.staged[o]) to.push_back(at_dim[d]);
          emit(nest::AsyncCopy{shared_[o].name, to, operand.buffer, from, width, valid});
        });
      });
    });
  }

  void pipeline(const Buffer& acc) {
    Expr chunks = let("chunks", product(num_chunks_)), stages = index_of(t_.stages);
    Expr ahead = sub(stages, one());
    loop("ahead", ahead, Role::Unrolled, [&](const Expr& chunk) {
      when(nest::less(chunk, chunks), [&] { copy_chunk(chunk); });
      emit(nest::AsyncCommit{});
    });
    loop("chunk", chunks, Role::Serial, [&](const Expr& chunk) {
      emit(nest::AsyncWait{sub(ahead, one())});
      emit(nest::Barrier{nest::Scope::Block});
      Expr next = let("next", add(chunk, ahead));
      when(nest::less(next, chunks), [&] { copy_chunk(next); });
      emit(nest::AsyncCommit{});
      compute_chunk(acc, let("stage", nest::mod(chunk, stages)), first_of_chunk(chunk));
    });
  }

  // ---- The arithmetic. ----

  // Registers of an operand: as many sets as are in use at a time, each for `extents` indices of the reduction.
  struct Registers {
    Buffer buffer;
    std::vector<Expr> extents;
  };

  // A thread's groups of reduction indices follow each other like the numbers of an odometer, which at the end begins
  // anew.
  struct Odometer {
    std::vector<Name> at;  // where in the chunk the group begins: a register per reduction index
    std::vector<Expr> first, step, limit;
  };

  // Registers are loaded `ahead` of the arithmetic: those of a group's box a group, those of a member a member.
  void compute_chunk(const Buffer& acc, const Expr& stage, const std::vector<Expr>& first) {
    std::vector<Expr> num_groups;
    for (size_t r = 0; r < num_reduction_; ++r) {
      // At least one: said so that it is known to be small.
      Expr rest = let("rest", nest::max(nest::min(chunk_[r], sub(c_.reduction[r].extent, first[r])), one()));
      num_groups.push_back(let("groups", ceil_div(rest, unroll_[r])));
    }
    // Every slice of threads takes one of so many groups.
    when(nest::less(slice_, num_groups[sliced_index()]), [&] { compute_slice(acc, stage, first, num_groups); });
  }

  Odometer odometer(const std::vector<Expr>& num_groups) {
    Odometer o;
    for (size_t r = 0; r < num_reduction_; ++r) {
      bool sliced = r == sliced_index();
      o.at.push_back(alloc("at", Type::I64, nest::Space::Register, {}).name);
      o.first.push_back(sliced ? mul(slice_, unroll_[r]) : zero());
      o.step.push_back(sliced ? mul(index_of(t_.slices), unroll_[r]) : unroll_[r]);
      o.limit.push_back(let("limit", mul(num_groups[r], unroll_[r])));
      emit(nest::Store{o.at[r], {}, o.first[r]});
    }
    places_.insert(places_.end(), o.at.begin(), o.at.end());
    return o;
  }

  void compute_slice(const Buffer& acc, const Expr& stage, const std::vector<Expr>& first,
                     std::vector<Expr> num_groups) {
    Odometer groups = odometer(num_groups);
    Expr& sliced = num_groups[sliced_index()];
    sliced = ceil_div(sub(sliced, slice_), index_of(t_.slices));
    Expr all_groups = let("groups", product(num_groups));
    std::vector<Registers> regs;
    for (size_t o = 0; o < c_.operands.size(); ++o) regs.push_back(registers_of(o));
    Expr ahead = index_of(t_.ahead), sets = add(ahead, one());
    loop("set", ahead, Role::Unrolled, [&](const Expr& set) {
      for (size_t o = 0; o < regs.size(); ++o) load_points(o, regs[o], set, stage, first, values_of(groups));
    });
    loop("round", nest::div(all_groups, sets), Role::Serial, [&](const Expr&) {
      loop("set", sets, Role::Unrolled, [&](const Expr& set) {
        std::vector<Expr> start;
        for (const Expr& at : values_of(groups)) start.push_back(let("start", at));
        advance(groups);
        compute_group(acc, regs, stage, first, set, start, values_of(groups));
      });
    });
  }

  static Expr truth() { return constant(prim::Value::of_bool(true)); }

  static std::vector<Expr> values_of(const Odometer& o) {
    std::vector<Expr> values;
    for (const Name& at : o.at) values.push_back(nest::load(at, Type::I64, {}));
    return values;
  }

  void advance(const Odometer& o) {
    Expr carry = truth();
    for (size_t r = num_reduction_; r-- > 0;) {
      Expr at = nest::load(o.at[r], Type::I64, {});
      Expr next = let("next", add(at, nest::select(carry, o.step[r], zero())));
      carry = let("carry", nest::negate(nest::less(next, o.limit[r])));
      emit(nest::Store{o.at[r], {}, nest::select(carry, o.first[r], next)});
    }
  }

  // `next` is where the group begins that follows the one that begins at `start`.
  void compute_group(const Buffer& acc, const std::vector<Registers>& regs, const Expr& stage,
                     const std::vector<Expr>& first, const Expr& set, const std::vector<Expr>& start,
                     const std::vector<Expr>& next) {
    std::vector<Expr> first_member(num_reduction_);  // values of indices that are in the term
    for (size_t r = 0; r < num_reduction_; ++r) {
      if (in_term(c_.reduction[r])) first_member[r] = as_value(add(first[r], start[r]));
    }
    Expr ahead = index_of(t_.ahead), sets = add(ahead, one()), num_members = product(unroll_);
    std::vector<Expr> to_load;
    for (size_t r = 0; r < num_reduction_; ++r) {
      to_load.push_back(nest::select(nest::less(zero(), ahead), next[r], start[r]));
    }
    for (size_t o = 0; o < regs.size(); ++o) {
      if (structure_.by_group[o]) load_points(o, regs[o], nest::mod(add(set, ahead), sets), stage, first, to_load);
    }
    loop("member", num_members, Role::Unrolled, [&](const Expr& number) {
      Expr step = add(mul(set, num_members), number), loaded = add(number, ahead);
      std::vector<Expr> member = digits(number, unroll_), at = digits(loaded, unroll_);
      Expr in_group = nest::less(loaded, num_members);
      for (size_t r = 0; r < num_reduction_; ++r) at[r] = nest::select(in_group, add(start[r], at[r]), next[r]);
      std::vector<Expr> set_of;
      for (size_t o = 0; o < regs.size(); ++o) {
        set_of.push_back(structure_.by_group[o] ? set : nest::mod(step, sets));
        if (!structure_.by_group[o]) load_points(o, regs[o], nest::mod(add(step, ahead), sets), stage, first, at);
      }
      loops("point", points_, Role::Unrolled, [&](const std::vector<Expr>& point) {
        multiply_add(acc, regs, set_of, back_and_forth(point), member, first_member);
      });
    });
  }

  // The index of the reduction whose groups the slices share.
  size_t sliced_index() const {
    for (size_t r = 0; r < num_reduction_; ++r) {
      if (!structure_.window[r]) return r;
    }
    return 0;
  }

  // They hold the footprint of the thread's points and of the group or of one of its members, each row rounded up to
  // whole loads.
  Registers registers_of(size_t o) {
    Registers regs;
    regs.extents = structure_.by_group[o] ? unroll_ : std::vector<Expr>(num_reduction_, one());
    Box points = points_box(regs);
    std::vector<Expr> dims = {add(index_of(t_.ahead), one())};
    for (size_t d : structure_.staged[o]) dims.push_back(footprint(maps_[o][d], points).extent);
    if (dims.size() > 1) dims.back() = round_up(dims.back(), index_of(t_.operands[o].load_width));
    regs.buffer = alloc("points", c_.operands[o].elem, nest::Space::Register, dims);
    return regs;
  }

  Box points_box(const Registers& regs) const {
    Box points;
    for (size_t p = 0; p < num_parallel_; ++p) points.push_back({zero(), points_[p]});
    for (size_t r = 0; r < num_reduction_; ++r) points.push_back({zero(), regs.extents[r]});
    return points;
  }

  // Fills a set with the elements for reduction indices from `start` of the chunk on.
  void load_points(size_t o, const Registers& regs, const Expr& set, const Expr& stage, const std::vector<Expr>& first,
                   const std::vector<Expr>& start) {
    Box tile = tile_box(first), points = points_box(regs);
    std::vector<Expr> offsets, at;
    for (size_t p = 0; p < num_parallel_; ++p) offsets.push_back(of_thread(p, zero()));
    offsets.insert(offsets.end(), start.begin(), start.end());
    for (size_t d : structure_.staged[o]) at.push_back(let("at", lowest(maps_[o][d], tile, points, offsets)));
    Expr width = index_of(t_.operands[o].load_width);
    std::vector<Expr> pieces(regs.buffer.dims.begin() + 1, regs.buffer.dims.end());
    bool scalar = pieces.empty();
    if (!scalar) pieces.back() = ceil_div(pieces.back(), width);
    loops("piece", pieces, Role::Unrolled, [&](std::vector<Expr> to) {
      if (!scalar) to.back() = mul(to.back(), width);
      std::vector<Expr> from = {stage};
      for (size_t d = 0; d < to.size(); ++d) {
        from.push_back(let("from", add(at[d], distance(maps_[o][structure_.staged[o][d]], to[d]))));
      }
      to.insert(to.begin(), set);
      loop("word", scalar ? one() : width, Role::Vector, [&](const Expr& word) {
        std::vector<Expr> to_word = to, from_word = from;
        if (!scalar) {
          to_word.back() = add(to.back(), word);
          from_word.back() = add(from.back(), word);
        }
        emit(nest::Store{regs.buffer.name, to_word, nest::load(shared_[o].name, c_.operands[o].elem, from_word)});
      });
    });
  }

  // Where in the block's tile a thread's point lies.
  Expr of_thread(size_t p, const Expr& point) const { return place(p, at_thread_[p], point); }

  Expr place(size_t p, const Expr& thread, const Expr& point) const {
    return add(mul(thread, run_[p]), from_first_point(p, point));
  }

  Expr from_first_point(size_t p, const Expr& point) const {
    if (!structure_.separable[p]) return point;
    return add(mul(nest::div(point, run_[p]), mul(threads_[p], run_[p])), nest::mod(point, run_[p]));
  }

  // How far from the first element of a thread's points along a dimension element number `i` of them is.
  Expr distance(const DimMap& m, const Expr& i) const {
    for (size_t p = 0; p < num_parallel_; ++p) {
      if (structure_.separable[p] && depends(m, p)) return from_first_point(p, i);
    }
    return i;
  }

  // Where in the tile the box of points that begins at `offsets` has its first element.
  static Expr lowest(const DimMap& m, const Box& tile, const Box& points, std::vector<Expr> offsets) {
    for (size_t i = 0; i < offsets.size(); ++i) {
      if (sign(m.coefficients[i]) == -1) offsets[i] = add(offsets[i], sub(points[i].extent, one()));
    }
    return position(m, tile, offsets);
  }

  // The order in which only one index changes at a time, by one: then two of the three values that are multiplied and
  // added are those of the step before, and registers need not be read again.
  std::vector<Expr> back_and_forth(const std::vector<Expr>& step) const {
    std::vector<Expr> point;
    Expr before = zero();
    for (size_t p = 0; p < step.size(); ++p) {
      Expr back = nest::less(zero(), nest::mod(before, constant(int64_t{2})));
      point.push_back(nest::int_constant(before) == 0
                          ? step[p]
                          : nest::select(back, sub(sub(points_[p], one()), step[p]), step[p]));
      before = add(mul(before, points_[p]), step[p]);
    }
    return point;
  }

  void multiply_add(const Buffer& acc, const std::vector<Registers>& regs, const std::vector<Expr>& set_of,
                    const std::vector<Expr>& point, const std::vector<Expr>& member,
                    const std::vector<Expr>& first_member) {
    nest::Substitution values;
    for (const auto& [p, first] : first_value_) {
      values.emplace(c_.parallel[p].name, add(first, from_first_point(p, point[p])));
    }
    for (size_t r = 0; r < num_reduction_; ++r) {
      if (first_member[r]) values.emplace(c_.reduction[r].name, add(first_member[r], member[r]));
    }
    for (size_t o = 0; o < regs.size(); ++o) {
      Box points = points_box(regs[o]);
      std::vector<Expr> offsets = point, at = {set_of[o]};
      for (size_t r = 0; r < num_reduction_; ++r) offsets.push_back(structure_.by_group[o] ? member[r] : zero());
      for (size_t d : structure_.staged[o]) at.push_back(position(maps_[o][d], points, offsets));
      values.emplace(c_.operands[o].value, nest::load(regs[o].buffer.name, c_.operands[o].elem, at));
    }
    Expr term = nest::substitute(values, c_.term);
    Expr old = nest::load(acc.name, acc.elem, point);
    emit(nest::Store{acc.name, point, nest::operation(c_.reduce, {old, term})});
  }

  // ---- The result. ----

  void write_result(const Buffer& acc) {
    Buffer tile = result_tile(acc);
    Block through_shared = block([&] { write_through(tile, acc); });
    Block directly = block([&] { write_directly(acc); });
    emit(nest::If{nest::less(zero(), index_of(t_.result_shared)), std::move(through_shared), std::move(directly)});
  }

  // The first of the parallel indices along which all points go through shared memory together.
  size_t first_together() const { return num_parallel_ < 2 ? 0 : num_parallel_ - 2; }

  std::vector<Expr> result_box() const {
    std::vector<Expr> dims;
    for (size_t p = 0; p < num_parallel_; ++p) dims.push_back(p < first_together() ? threads_[p] : block_tile_[p]);
    return dims;
  }

  static Expr quantum(Type elem) { return constant(kQuantumBytes / prim::size_bytes(elem)); }

  // Whether a thread's neighbouring results may be moved by wide accesses.
  Expr runs_are_wide(Type elem) const { return nest::less(nest::mod(run_.back(), quantum(elem)), one()); }

  // Where element `x` of a row of results lies: long runs lie a wide access apart, lest threads that store them meet in
  // a bank.
  Expr in_result_row(Type elem, const Expr& x) const {
    const Expr &run = run_.back(), wide = quantum(elem);
    Expr is_long = nest::both(nest::less(wide, run), runs_are_wide(elem));
    return add(x, mul(nest::div(x, run), nest::select(is_long, wide, zero())));
  }

  Buffer result_tile(const Buffer& acc) {
    std::vector<Expr> dims = result_box();
    dims.insert(dims.begin(), index_of(t_.slices));
    dims.back() = mul(index_of(t_.result_shared), add(in_result_row(acc.elem, dims.back()), quantum(acc.elem)));
    return alloc("result_tile", acc.elem, nest::Space::Shared, dims);
  }

  // The threads' points along the last two parallel indices go through shared memory together, one box of them for each
  // point along the others.
  void write_through(const Buffer& tile, const Buffer& acc) {
    auto together = static_cast<long>(first_together());
    std::vector<Expr> phases(points_.begin(), points_.begin() + together);
    std::vector<Expr> in_tile(points_.begin() + together, points_.end());
    Expr abreast = nest::select(runs_are_wide(acc.elem), quantum(acc.elem), one());
    in_tile.back() = ceil_div(in_tile.back(), abreast);
    loops("phase", phases, Role::Unrolled, [&](const std::vector<Expr>& phase) {
      emit(nest::Barrier{nest::Scope::Block});
      loops("point", in_tile, Role::Unrolled, [&](const std::vector<Expr>& point) {
        std::vector<Expr> from = phase, to = {slice_};
        from.insert(from.end(), point.begin(), point.end());
        from.back() = let("from", mul(from.back(), abreast));
        for (size_t p = 0; p < num_parallel_; ++p) {
          to.push_back(p < phase.size() ? at_thread_[p] : of_thread(p, from[p]));
        }
        to.back() = let("to", in_result_row(acc.elem, to.back()));
        loop("word", abreast, Role::Vector, [&](const Expr& word) {
          std::vector<Expr> from_word = from, to_word = to;
          from_word.back() = add(from.back(), word);
          to_word.back() = add(to.back(), word);
          emit(nest::Store{tile.name, to_word, nest::load(acc.name, acc.elem, from_word)});
        });
      });
      emit(nest::Barrier{nest::Scope::Block});
      Expr width = index_of(t_.store_width);
      std::vector<Expr> pieces = result_box();
      pieces.back() = ceil_div(pieces.back(), width);
      Expr total = product(pieces);
      loop("piece", ceil_div(total, num_threads_), Role::Unrolled, [&](const Expr& round) {
        Expr piece = let("piece", add(mul(round, num_threads_), thread_));
        when(nest::less(piece, total), [&] {
          std::vector<Expr> at = digits(piece, pieces), in_block;
          at.back() = mul(at.back(), width);
          for (size_t p = 0; p < num_parallel_; ++p) {
            at[p] = let("at", at[p]);
            in_block.push_back(p < phase.size() ? place(p, at[p], phase[p]) : at[p]);
          }
          Buffer sums = load_sums(tile, zero(), at, width);
          loop("other", sub(index_of(t_.slices), one()), Role::Unrolled, [&](const Expr& other) {
            Buffer more = load_sums(tile, add(other, one()), at, width);
            loop("word", width, Role::Unrolled, [&](const Expr& word) {
              Expr sum = nest::load(sums.name, sums.elem, {word}), part = nest::load(more.name, more.elem, {word});
              emit(nest::Store{sums.name, {word}, nest::operation(c_.reduce, {sum, part})});
            });
          });
          write_elements(in_block, width, [&](const Expr& word) { return nest::load(sums.name, sums.elem, {word}); });
        });
      });
    });
  }

  Buffer load_sums(const Buffer& tile, const Expr& slice, const std::vector<Expr>& at, const Expr& width) {
    Buffer sums = alloc("sums", tile.elem, nest::Space::Register, {width});
    Expr first = let("first", in_result_row(tile.elem, at.back()));
    loop("word", width, Role::Vector, [&](const Expr& word) {
      std::vector<Expr> from = at;
      from.insert(from.begin(), slice);
      from.back() = add(first, word);
      emit(nest::Store{sums.name, {word}, nest::load(tile.name, tile.elem, from)});
    });
    return sums;
  }

  void write_directly(const Buffer& acc) {
    Expr width = index_of(t_.store_width);
    std::vector<Expr> pieces = points_;
    pieces.back() = ceil_div(pieces.back(), width);
    loops("piece", pieces, Role::Unrolled, [&](std::vector<Expr> point) {
      point.back() = mul(point.back(), width);
      std::vector<Expr> in_block;
      for (size_t p = 0; p < num_parallel_; ++p) in_block.push_back(of_thread(p, point[p]));
      write_elements(in_block, width, [&](const Expr& word) {
        std::vector<Expr> from = point;
        from.back() = add(from.back(), word);
        return nest::load(acc.name, acc.elem, from);
      });
    });
  }

  // `width` neighbouring results, the first of them at `in_block` of the block's tile; `sum_of` gives the sum for each.
  void write_elements(const std::vector<Expr>& in_block, const Expr& width,
                      const std::function<Expr(const Expr&)>& sum_of) {
    nest::Substitution names;
    Expr inside = constant(prim::Value::of_bool(true));
    for (size_t p = 0; p < num_parallel_; ++p) {
      Expr index = let("index", add(origin_[p], in_block[p]));
      inside = nest::both(inside, nest::less(index, c_.parallel[p].extent));
      names.emplace(c_.parallel[p].name, index);
    }
    when(inside, [&] {
      const Name& last = c_.parallel.back().name;
      Expr first = names.at(last);
      Buffer values = alloc("values", c_.result.value->type, nest::Space::Register, {width});
      loop("word", width, Role::Unrolled, [&](const Expr& word) {
        nest::Substitution of_word = names;
        of_word.insert_or_assign(last, add(first, word));
        for (auto& [name, index] : of_word) {
          if (nest::free_names(c_.result.value).contains(name)) index = as_value(index);
        }
        of_word.emplace(c_.sum, let("sum", sum_of(word)));
        emit(nest::Store{values.name, {word}, nest::substitute(of_word, c_.result.value)});
      });
      loop("word", width, Role::Vector, [&](const Expr& word) {
        names.insert_or_assign(last, add(first, word));
        std::vector<Expr> to;
        for (const Expr& e : c_.result.index) to.push_back(nest::substitute(names, e));
        emit(nest::Store{c_.result.buffer, to, nest::load(values.name, values.elem, {word})});
      });
    });
  }

  // For arithmetic of the program on the index, which may leave the range of places.
  Expr as_value(const Expr& index) {
    Buffer value = alloc("value", Type::I64, nest::Space::Register, {});
    emit(nest::Store{value.name, {}, index});
    return nest::load(value.name, Type::I64, {});
  }

  // A wide access and the alignment it needs.
  static constexpr int64_t kQuantumBytes = 16;

  const recognize::Contraction& c_;
  const Tiling& t_;
  Structure structure_;
  const std::vector<std::vector<DimMap>>& maps_;
  size_t num_parallel_, num_reduction_;
  nest::NameSet in_term_;
  std::unordered_map<Name, Buffer> buffers_;

  std::vector<Expr> points_, run_, threads_, block_tile_;  // per parallel index
  Expr num_threads_ = one();
  std::vector<Expr> chunk_, unroll_, num_chunks_;  // per reduction index
  std::vector<Expr> origin_, at_thread_;           // per parallel index, of the block and of the thread in it
  std::map<size_t, Expr> first_value_;  // of parallel indices that are in the term, at the thread's first point
  Expr thread_, slice_;                 // the number of the thread in the block, and of its slice
  std::vector<Buffer> shared_;          // per operand
  std::vector<Name> places_;
};

// The scalars that no value is computed from.
std::vector<Name> places(const recognize::Contraction& c, const std::vector<nest::ScalarParam>& scalars) {
  nest::NameSet in_values = nest::free_names(c.term);
  in_values.merge(nest::free_names(c.result.value));
  std::vector<Name> result;
  for (const nest::ScalarParam& p : scalars) {
    if (p.type == Type::I64 && !in_values.contains(p.name)) result.push_back(p.name);
  }
  return result;
}

}  // namespace

nest::Kernel tiled(const recognize::Contraction& c, const Tiling& tiling, const std::vector<Name>& constants,
                   const nest::Kernel& direct, seg::NameSource& names) {
  nest::Kernel kernel = direct;
  kernel.name += "_tiled";
  kernel.constants = constants_of(tiling);
  kernel.constants.insert(kernel.constants.end(), constants.begin(), constants.end());
  std::erase_if(kernel.scalars, [&](const nest::ScalarParam& p) {
    return std::find(constants.begin(), constants.end(), p.name) != constants.end();
  });
  kernel.places = places(c, kernel.scalars);
  Recipe recipe(c, tiling, direct.buffers, names);
  kernel.body = recipe.run();
  kernel.places.insert(kernel.places.end(), recipe.places().begin(), recipe.places().end());
  kernel.bounds = nest::LaunchBounds{recipe.num_threads(), index_of(tiling.registers)};
  return kernel;
}

}  // namespace heddle::contraction
