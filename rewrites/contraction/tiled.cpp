#include "rewrites/contraction/tiled.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "ir/nest/traverse.h"
#include "rewrites/contraction/result_writer.h"
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

class Recipe : ResultWriter {
 public:
  Recipe(const recognize::Contraction& c, const Tiling& t, const std::vector<Buffer>& buffers, seg::NameSource& names)
      : ResultWriter(c, t, buffers, names),
        maps_(structure_.maps),
        num_reduction_(c.reduction.size()),
        in_term_(nest::free_names(c.term)),
        chunk_(geometry_.chunk),
        unroll_(geometry_.unroll),
        num_chunks_(geometry_.num_chunks) {
    for (const Buffer& b : buffers) buffers_.emplace(b.name, b);
  }

  Block run() { return grid(); }

  const Expr& num_threads() const { return geometry_.threads; }
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
    for (size_t p : order) extents.push_back(geometry_.blocks_along[p]);
    return block([&] {
      loops("block", extents, Role::Grid, [&](const std::vector<Expr>& b) {
        for (size_t k = 0; k < order.size(); ++k) at[order[k]] = b[k];
        for (size_t p = 0; p < num_parallel_; ++p)
          origin_.push_back(let("origin", mul(at[p], geometry_.block_tile[p])));
        std::vector<Expr> warps, lanes;
        for (const ParallelTile& p : t_.parallel) {
          warps.push_back(index_of(p.warps));
          lanes.push_back(index_of(p.lanes));
        }
        shared_buffers();
        loop("thread", geometry_.threads, Role::Block, [&](const Expr& t) { thread(t, warps, lanes); });
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
    for (size_t o = 0; o < c_.operands.size(); ++o) {
      shared_.push_back(alloc("tile", c_.operands[o].elem, nest::Space::Shared, geometry_.operands[o].tile));
    }
  }

  Box tile_box(const std::vector<Expr>& first_of_chunk) const {
    Box box;
    for (size_t p = 0; p < num_parallel_; ++p) box.push_back({origin_[p], geometry_.block_tile[p]});
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
    const OperandGeometry& g = geometry_.operands[o];
    std::vector<Expr> low, extents = g.copied;
    for (const DimMap& m : maps_[o]) low.push_back(let("low", footprint(m, tile).low));
    if (!extents.empty()) extents.pop_back();
    // Threads stand side by side along a row, and what threads that leaves take the next rows: so only the number of a
    // row has to be taken apart, and what depends on the column is the same in all rounds and chunks.
    Expr first_row = let("row", nest::div(thread_, g.abreast)),
         first_column = let("column", nest::mod(thread_, g.abreast));
    loop("round", g.rounds_right, Role::Unrolled, [&](const Expr& right) {
      Expr column = let("column", add(mul(right, g.abreast), first_column));
      loop("round", g.rounds_down, Role::Unrolled, [&](const Expr& down) {
        Expr row = let("row", add(mul(down, g.at_once), first_row));
        // Threads that are left over would copy what others copy.
        Expr needed = nest::both(nest::less(first_row, g.at_once),
                                 nest::both(nest::less(column, g.columns), nest::less(row, g.rows)));
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

  // What they hold of an operand, `extents` reduction indices at a time.
  struct OperandRegisters {
    Buffer buffer;  // the first dimension counts the sets
    std::vector<Expr> extents;
  };
  // Loaded `ahead` groups or members before they are used, and so in that many sets and one.
  struct Registers {
    int64_t ahead;
    std::vector<OperandRegisters> operands;
  };

  // A thread's groups of reduction indices follow each other like the numbers of an odometer, which at the end begins
  // anew.
  struct Odometer {
    std::vector<Name> at;  // where in the chunk the group begins: a register per reduction index
    std::vector<Expr> first, step, limit;
  };

  void compute_chunk(const Buffer& acc, const Expr& stage, const std::vector<Expr>& first) {
    std::vector<Expr> rest;
    for (size_t r = 0; r < num_reduction_; ++r) {
      rest.push_back(nest::min(chunk_[r], sub(c_.reduction[r].extent, first[r])));
    }
    Block ahead = block([&] { compute_ahead(acc, stage, first, rest); });
    Block in_turn = block([&] { compute_in_turn(acc, stage, first, rest); });
    emit(nest::If{nest::less(zero(), index_of(t_.ahead)), std::move(ahead), std::move(in_turn)});
  }

  // Every slice of threads takes one of so many groups, along one index of the reduction.
  void compute_in_turn(const Buffer& acc, const Expr& stage, const std::vector<Expr>& first,
                       const std::vector<Expr>& rest) {
    std::vector<Expr> groups;
    for (size_t r = 0; r < num_reduction_; ++r) groups.push_back(let("groups", geometry_.groups(r, rest[r])));
    size_t shared = geometry_.sliced;
    Expr all = std::exchange(groups[shared], one()), slices = index_of(t_.slices);
    Registers regs = registers(0);
    loop("group", geometry_.rounds(all), Role::Serial, [&](const Expr& round) {
      Expr sliced = let("group", add(mul(round, slices), slice_));
      when(nest::less(sliced, all), [&] {
        loops("group", groups, Role::Serial, [&](std::vector<Expr> start) {
          start[shared] = sliced;
          for (size_t r = 0; r < num_reduction_; ++r) start[r] = mul(start[r], unroll_[r]);
          compute_group(acc, regs, stage, first, zero(), start, start);
        });
      });
    });
  }

  Odometer odometer(const std::vector<Expr>& num_groups) {
    Odometer o;
    for (size_t r = 0; r < num_reduction_; ++r) {
      bool sliced = r == geometry_.sliced;
      o.at.push_back(alloc("at", Type::I64, nest::Space::Register, {}).name);
      o.first.push_back(sliced ? mul(slice_, unroll_[r]) : zero());
      o.step.push_back(sliced ? mul(index_of(t_.slices), unroll_[r]) : unroll_[r]);
      o.limit.push_back(let("limit", mul(num_groups[r], unroll_[r])));
      emit(nest::Store{o.at[r], {}, o.first[r]});
    }
    places_.insert(places_.end(), o.at.begin(), o.at.end());
    return o;
  }

  // Registers are loaded ahead of the arithmetic: those of a group's box a group, those of a member a member. Of two
  // groups one reads the first set of registers, the other the second.
  void compute_ahead(const Buffer& acc, const Expr& stage, const std::vector<Expr>& first,
                     const std::vector<Expr>& rest) {
    std::vector<Expr> num_groups;
    for (size_t r = 0; r < num_reduction_; ++r) {
      // At least one: said so that it is known to be small.
      Expr at_least_one = let("rest", nest::max(rest[r], one()));
      num_groups.push_back(let("groups", geometry_.groups(r, at_least_one)));
    }
    when(nest::less(slice_, num_groups[geometry_.sliced]), [&] { compute_slice_ahead(acc, stage, first, num_groups); });
  }

  void compute_slice_ahead(const Buffer& acc, const Expr& stage, const std::vector<Expr>& first,
                           std::vector<Expr> num_groups) {
    Odometer groups = odometer(num_groups);
    Expr& sliced = num_groups[geometry_.sliced];
    sliced = geometry_.rounds(sub(sliced, slice_));
    Expr two = constant(int64_t{2}), num_pairs = let("pairs", nest::div(product(num_groups), two));
    Registers regs = registers(1);
    for (bool by_group : {false, true}) load_points(by_group, regs, zero(), stage, first, values_of(groups));
    loop("pair", num_pairs, Role::Serial, [&](const Expr&) {
      loop("set", two, Role::Unrolled, [&](const Expr& set) {
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

  // `next` is where the group begins that follows the one that begins at `start`, or `start` if none is loaded ahead.
  void compute_group(const Buffer& acc, const Registers& regs, const Expr& stage, const std::vector<Expr>& first,
                     const Expr& set, const std::vector<Expr>& start, const std::vector<Expr>& next) {
    std::vector<Expr> first_member(num_reduction_);  // values of indices that are in the term
    for (size_t r = 0; r < num_reduction_; ++r) {
      if (in_term(c_.reduction[r])) first_member[r] = as_value(add(first[r], start[r]));
    }
    Expr ahead = constant(regs.ahead), sets = constant(regs.ahead + 1), num_members = product(unroll_);
    auto load = [&](bool by_group, const Expr& step, const std::vector<Expr>& from) {
      load_points(by_group, regs, nest::mod(add(step, ahead), sets), stage, first, from);
    };
    load(true, set, next);
    for_members(regs.ahead, [&](const std::vector<Expr>& member, const Expr& number) {
      Expr step = add(mul(set, num_members), number), loaded = add(number, ahead);
      std::vector<Expr> from = regs.ahead > 0 ? digits(loaded, unroll_) : member;
      for (size_t r = 0; r < num_reduction_; ++r) {
        from[r] = add(start[r], from[r]);
        if (regs.ahead > 0) from[r] = nest::select(nest::less(loaded, num_members), from[r], next[r]);
      }
      load(false, step, from);
      std::vector<Expr> set_of;
      for (bool by_group : structure_.by_group) set_of.push_back(by_group ? set : nest::mod(step, sets));
      loops("point", points_, Role::Unrolled, [&](const std::vector<Expr>& point) {
        multiply_add(acc, regs, set_of, back_and_forth(point), member, first_member);
      });
    });
  }

  // The members of a group, and their numbers if they are loaded ahead. Otherwise one loop per index: the compiler then
  // puts what is constant in places into the instructions.
  void for_members(int64_t ahead, const std::function<void(const std::vector<Expr>&, const Expr&)>& body) {
    if (ahead == 0) {
      loops("member", unroll_, Role::Unrolled, [&](const std::vector<Expr>& member) { body(member, zero()); });
    } else {
      loop("member", product(unroll_), Role::Unrolled, [&](const Expr& n) { body(digits(n, unroll_), n); });
    }
  }

  // They hold the footprint of the thread's points and of the group or of one of its members, each row rounded up to
  // whole loads.
  OperandRegisters registers_of(size_t o, int64_t sets) {
    OperandRegisters regs;
    regs.extents = geometry_.operands[o].members;
    std::vector<Expr> dims = geometry_.operands[o].registers;
    dims.insert(dims.begin(), constant(sets));
    regs.buffer = alloc("points", c_.operands[o].elem, nest::Space::Register, dims);
    return regs;
  }

  Registers registers(int64_t ahead) {
    Registers regs{ahead, {}};
    for (size_t o = 0; o < c_.operands.size(); ++o) regs.operands.push_back(registers_of(o, ahead + 1));
    return regs;
  }

  Box points_box(const OperandRegisters& regs) const {
    Box points;
    for (size_t p = 0; p < num_parallel_; ++p) points.push_back({zero(), points_[p]});
    for (size_t r = 0; r < num_reduction_; ++r) points.push_back({zero(), regs.extents[r]});
    return points;
  }

  // Fills a set of those operands that are loaded by the group, or by the member, with the elements for reduction
  // indices from `start` of the chunk on.
  void load_points(bool by_group, const Registers& regs, const Expr& set, const Expr& stage,
                   const std::vector<Expr>& first, const std::vector<Expr>& start) {
    for (size_t o = 0; o < c_.operands.size(); ++o) {
      if (structure_.by_group[o] == by_group) load_operand(o, regs.operands[o], set, stage, first, start);
    }
  }

  void load_operand(size_t o, const OperandRegisters& regs, const Expr& set, const Expr& stage,
                    const std::vector<Expr>& first, const std::vector<Expr>& start) {
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

  void multiply_add(const Buffer& acc, const Registers& regs, const std::vector<Expr>& set_of,
                    const std::vector<Expr>& point, const std::vector<Expr>& member,
                    const std::vector<Expr>& first_member) {
    nest::Substitution values;
    for (const auto& [p, first] : first_value_) {
      values.emplace(c_.parallel[p].name, add(first, from_first_point(p, point[p])));
    }
    for (size_t r = 0; r < num_reduction_; ++r) {
      if (first_member[r]) values.emplace(c_.reduction[r].name, add(first_member[r], member[r]));
    }
    for (size_t o = 0; o < c_.operands.size(); ++o) {
      const OperandRegisters& of_operand = regs.operands[o];
      Box points = points_box(of_operand);
      std::vector<Expr> offsets = point, at = {set_of[o]};
      for (size_t r = 0; r < num_reduction_; ++r) offsets.push_back(structure_.by_group[o] ? member[r] : zero());
      for (size_t d : structure_.staged[o]) at.push_back(position(maps_[o][d], points, offsets));
      values.emplace(c_.operands[o].value, nest::load(of_operand.buffer.name, c_.operands[o].elem, at));
    }
    Expr term = nest::substitute(values, c_.term);
    Expr old = nest::load(acc.name, acc.elem, point);
    emit(nest::Store{acc.name, point, nest::operation(c_.reduce, {old, term})});
  }

  const std::vector<std::vector<DimMap>>& maps_;
  size_t num_reduction_;
  nest::NameSet in_term_;
  std::unordered_map<Name, Buffer> buffers_;

  const std::vector<Expr>&chunk_, &unroll_, &num_chunks_;  // per reduction index
  std::map<size_t, Expr> first_value_;  // of parallel indices that are in the term, at the thread's first point
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
