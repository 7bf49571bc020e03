#include "rewrites/contraction/steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "rewrites/contraction/structure.h"
#include "rewrites/nest/distribute.h"
#include "rewrites/nest/drop_guards.h"
#include "rewrites/nest/fix.h"
#include "rewrites/nest/interchange.h"
#include "rewrites/nest/pad.h"
#include "rewrites/nest/parallelize.h"
#include "rewrites/nest/peel.h"
#include "rewrites/nest/pipeline.h"
#include "rewrites/nest/predicate.h"
#include "rewrites/nest/reorder.h"
#include "rewrites/nest/split_reduction.h"
#include "rewrites/nest/stage_to_registers.h"
#include "rewrites/nest/stage_to_shared.h"
#include "rewrites/nest/stripmine.h"
#include "rewrites/nest/unroll.h"
#include "rewrites/nest/vectorize.h"
#include "rewrites/nest/widen_copies.h"

namespace heddle::contraction {

namespace {

using nest::Expr;
using nest::For;
using nest::Name;
using nest::Role;
using prim::Type;

Expr index_of(const Name& n) { return nest::var(n, Type::I64); }

int next_tag(const recognize::Contraction& c, const nest::Kernel& kernel) {
  struct Last : nest::Walker<Last> {
    int tag = 0;
    void use(const Name& n) { tag = std::max(tag, n.tag); }
    void bind(const Name& n) { use(n); }
  } last;
  last.body(kernel.body);
  for (const nest::ScalarParam& p : kernel.scalars) last.use(p.name);
  for (const nest::Buffer& b : kernel.buffers) last.buffer(b);
  for (const recognize::Operand& o : c.operands) last.use(o.value);
  for (const auto* indices : {&c.parallel, &c.reduction}) {
    for (const recognize::Index& i : *indices) last.use(i.name);
  }
  last.use(c.sum);
  return last.tag + 1;
}

// The loops of a parallel index, and the constants that its tiles are made of.
struct ParallelLoops {
  Name block, thread;
  std::vector<Name> points;  // over a thread's points: at the beginning, in the reduction, and at the end
  Name num_threads, num_points;
  std::optional<Name> width;  // points are so many times `num_points` then, so that as many can be moved at once
  Expr tile_size;             // of points in registers
};

// A dimension of an operand along which the points of one parallel index read neighbouring elements, or neighbouring
// windows.
struct Row {
  size_t dim, parallel;
  std::optional<Name> window;  // the innermost loop of the reduction, if it moves a window along the dimension
};

// A part of an operand in shared memory.
struct Tile {
  Name name;
  std::optional<Row> row;
  bool is_reordered = false;
};

class Deriver {
 public:
  Deriver(const recognize::Contraction& c, const nest::Kernel& lowered)
      : names_(next_tag(c, lowered)),
        result_{direct_nest(c, lowered, names_), {}, {}, {}, {}},
        c_(result_.direct.contraction) {
    structure_ = structure_of(c_, lowered.buffers);
  }

  Derivation run() {
    try {
      for (const recognize::Operand& o : c_.operands) rows_.push_back(row_of(o));
      name_tiles();
      windows_inwards();
      block_tiles();
      // The last index last, since the figures have one point of it per thread.
      for (size_t p = parallel_.size() - 1; p-- > 0;) register_tile(p);
      if (parallel_.size() > 1) reached("register tiles: figures 11 and 14");
      register_tile(parallel_.size() - 1);
      reached("register tiles of all parallel indices");
      fix_constants();
      chunks();
      stage();
      registers();
      run_ahead();
      wide_stores();
      unroll();
    } catch (const Refused& refused) {
      result_.stopped = refused.error.message;
    }
    try {
      reduce_in_parts();
    } catch (const Refused& refused) {
      result_.left_out.push_back(fmt::format("a reduction in parts, because {}", refused.error.message));
    }
    return std::move(result_);
  }

 private:
  // ---- Steps. ----

  const nest::Kernel& kernel() const {
    return result_.steps.empty() ? result_.direct.kernel : result_.steps.back().kernel;
  }

  std::vector<Name> step(const std::string& name, const std::string& parameters, Result<nest::Rewritten> r) {
    if (!r) refuse(fmt::format("{} of {} is refused: {}", name, parameters, r.error().message));
    result_.steps.push_back({name, parameters, r->why_legal, r->kernel, "", r->reorders});
    return r->loops;
  }

  // A step that the nest can do without: whether it was taken.
  std::optional<std::vector<Name>> try_step(const std::string& name, const std::string& parameters,
                                            Result<nest::Rewritten> r) {
    if (r) return step(name, parameters, std::move(r));
    result_.left_out.push_back(fmt::format("{} of {}, because {}", name, parameters, r.error().message));
    return std::nullopt;
  }

  void reached(const std::string& what) {
    if (!result_.steps.empty()) result_.steps.back().reached = what;
  }

  void interchange(const Name& outer) {
    Name inner = inside(outer);
    step("interchange", fmt::format("{} with {}", outer.text(), inner.text()),
         nest::interchange(kernel(), outer, names_));
  }

  // The first loop in a loop.
  Name inside(const Name& outer) const {
    std::vector<Name> loops;
    nest::for_each_stmt(nest::find_loop(kernel(), outer).loop->body, [&](const nest::Stmt& s) {
      if (const auto* f = std::get_if<For>(&s->node)) loops.push_back(f->index);
    });
    if (loops.empty()) refuse(fmt::format("there is no loop in {}", outer.text()));
    return loops[0];
  }

  // ---- Tile sizes. ----

  // The last dimension if there is a choice.
  std::optional<Row> row_of(const recognize::Operand& o) const {
    for (size_t d = o.index.size(); d-- > 0;) {
      std::optional<Row> row;
      int num_moving = 0;
      bool are_neighbours = true;
      for (size_t p = 0; p < c_.parallel.size(); ++p) {
        poly::Polynomial step = o.index[d].coefficient(c_.parallel[p].name);
        if (step.is_zero()) continue;
        ++num_moving;
        are_neighbours = step == poly::Polynomial(1);
        row = Row{d, p, moving_window(o.index[d])};
      }
      if (num_moving == 1 && (are_neighbours || row->window)) return row;
    }
    return std::nullopt;
  }

  // The innermost loop of the reduction, if it moves a window along this dimension.
  std::optional<Name> moving_window(const poly::Polynomial& index) const {
    for (size_t r = c_.reduction.size(); r-- > 0;) {
      if (!structure_.window[r]) continue;
      return index.mentions(c_.reduction[r].name) ? std::optional(c_.reduction[r].name) : std::nullopt;
    }
    return std::nullopt;
  }

  void name_tiles() {
    nest::Kernel& k = result_.direct.kernel;
    auto constant = [&](const std::string& name) {
      k.constants.push_back(names_.fresh(name));
      return k.constants.back();
    };
    for (size_t p = 0; p < c_.parallel.size(); ++p) {
      const std::string& base = c_.parallel[p].name.base;
      ParallelLoops loops;
      loops.num_threads = constant("T_" + base);
      loops.num_points = constant("R_" + base);
      loops.tile_size = index_of(loops.num_points);
      bool is_row = p + 1 == c_.parallel.size() ||
                    std::ranges::any_of(rows_, [&](const auto& row) { return row && row->parallel == p; });
      if (is_row) {
        loops.width = constant("W_" + base);
        loops.tile_size = nest::mul(loops.tile_size, index_of(*loops.width));
      }
      parallel_.push_back(std::move(loops));
    }
    has_windows_ = std::ranges::find(structure_.window, true) != structure_.window.end();
    if (!has_windows_) chunk_ = constant("C_" + c_.reduction.back().name.base);
    ahead_ = constant("ahead");
    part_ = constant("P_" + c_.reduction.front().name.base);
  }

  // ---- From figure to figure. ----

  // The loops of the reduction that move no window outside, so that a step of them can be staged at a time.
  void windows_inwards() {
    for (size_t r = 0; r < c_.reduction.size(); ++r) reduction_.push_back(r);
    for (size_t at = 1; at < reduction_.size(); ++at) {
      for (size_t k = at; k > 0 && structure_.window[reduction_[k - 1]] && !structure_.window[reduction_[k]]; --k) {
        interchange(c_.reduction[reduction_[k - 1]].name);
        std::swap(reduction_[k - 1], reduction_[k]);
      }
    }
    num_outer_ = static_cast<size_t>(std::ranges::count(structure_.window, false));
  }

  void block_tiles() {
    for (size_t p = 0; p < parallel_.size(); ++p) {
      const Name& i = c_.parallel[p].name;
      Expr tile = nest::mul(index_of(parallel_[p].num_threads), parallel_[p].tile_size);
      std::vector<Name> made = step("stripmine", fmt::format("{} by {}", i.text(), nest::to_text(tile)),
                                    nest::stripmine(kernel(), i, tile, i.base + "_block", i.base + "_in", names_));
      parallel_[p].block = made[0];
      parallel_[p].thread = made[1];
    }
    for (size_t p = 1; p < parallel_.size(); ++p) {
      for (size_t outer = p; outer-- > 0;) interchange(parallel_[outer].thread);
    }
    reached("block tiles: figure 9");
    for (const ParallelLoops& p : parallel_) {
      step("predicate", p.thread.text(), nest::predicate(kernel(), p.thread));
    }
    reached("block tiles with tests instead of minima: figure 12");
  }

  // Cuts the loop over a block's points into threads and points of a thread, brings these inside, makes them three
  // loops (start, reduction, end), and brings the middle one into the reduction.
  void register_tile(size_t p) {
    ParallelLoops& loops = parallel_[p];
    const std::string& base = c_.parallel[p].name.base;
    std::vector<Name> made =
        step("stripmine", fmt::format("{} by {}", loops.thread.text(), nest::to_text(loops.tile_size)),
             nest::stripmine(kernel(), loops.thread, loops.tile_size, base + "_thread", base + "_point", names_));
    loops.thread = made[0];
    for (size_t inner = p + 1; inner < parallel_.size(); ++inner) interchange(made[1]);
    loops.points = step("distribute", made[1].text(), nest::distribute(kernel(), made[1], names_));
    if (loops.points.size() != 3) refuse(fmt::format("{} holds other statements than a reduction", base));
    for (size_t n = 0; n < num_outer_; ++n) interchange(loops.points[1]);
    // The points of later indices inside, as in the figures.
    for (size_t other = 0; other < tiled_.size(); ++other) {
      for (const Name& point : loops.points) interchange(point);
    }
    tiled_.push_back(p);
    if (p > 0 && p + 1 < parallel_.size()) reached(fmt::format("register tiles of {}: figures 10 and 13", base));
  }

  // The outermost of the loops over points inside the reduction.
  const Name& first_points() const { return parallel_[tiled_.front()].points[1]; }

  // What is fixed when the kernel is compiled: strides and dilations must be positive for a box to have a lowest
  // corner, and windows must have constant extents to be written out.
  void fix_constants() {
    fix_steps();
    for (size_t r : reduction_) {
      if (!structure_.window[r]) continue;
      for (const Name& n : nest::free_names(c_.reduction[r].extent)) fix(n);
    }
    for (const ParallelLoops& p : parallel_) parallelize(p.block, Role::Grid);
    for (const ParallelLoops& p : parallel_) parallelize(p.thread, Role::Block);
  }

  // Cuts a reduction without windows into chunks that are staged at once, with the last, smaller one apart.
  void chunks() {
    staged_ = first_points();
    if (num_outer_ > 0) pipelined_ = c_.reduction[reduction_[num_outer_ - 1]].name;
    if (!chunk_) return;
    const Name& k = c_.reduction[reduction_.back()].name;
    std::vector<Name> made =
        step("stripmine", fmt::format("{} by {}", k.text(), chunk_->text()),
             nest::stripmine(kernel(), k, index_of(*chunk_), k.base + "_chunk", k.base + "_in", names_));
    pipelined_ = made[0];
    staged_ = made[1];
    auto rest = try_step("peel", made[0].text(), nest::peel(kernel(), made[0], names_));
    if (rest) rest_ = rest->at(0);
  }

  void stage() {
    for (const recognize::Operand& o : c_.operands) {
      if (std::ranges::find(buffers_, o.buffer) == buffers_.end()) buffers_.push_back(o.buffer);
    }
    stage_before(staged_);
    nest::for_each_stmt(kernel().body, [&](const nest::Stmt& s) {
      const auto* alloc = std::get_if<nest::Alloc>(&s->node);
      if (alloc && alloc->buffer.space == nest::Space::Register) acc_ = alloc->buffer.name;
      if (alloc && alloc->buffer.space == nest::Space::Shared) tiles_.push_back({alloc->buffer.name, std::nullopt});
    });
    for (size_t t = 0; t < tiles_.size() && tiles_.size() == buffers_.size(); ++t) tiles_[t].row = row_of(buffers_[t]);
    if (rest_) stage_before(*rest_);
    reached("operands in shared memory: listings 3 and 4");
    step("drop_guards", acc_.text(), nest::drop_guards(kernel(), acc_, names_));
    reached("only results are tested, as section 3.6.2 has it");
    for (Tile& t : tiles_) row_inwards(t);
  }

  void stage_before(const Name& loop) {
    std::string all;
    nest::Substitution row_multiples;
    for (const Name& b : buffers_) {
      all += (all.empty() ? "" : ", ") + b.text();
      std::optional<Row> row = row_of(b);
      if (row && row->dim + 1 == rank_of(b)) row_multiples.emplace(b, index_of(*parallel_[row->parallel].width));
    }
    step("stage_to_shared", fmt::format("{} before {}", all, loop.text()),
         nest::stage_to_shared(kernel(), loop, buffers_, names_, row_multiples));
  }

  // Of an operand that is the only one in its buffer.
  std::optional<Row> row_of(const Name& buffer) const {
    std::optional<Row> row;
    for (size_t o = 0; o < c_.operands.size(); ++o) {
      if (c_.operands[o].buffer != buffer) continue;
      if (row) return std::nullopt;
      row = rows_[o];
    }
    return row;
  }

  size_t rank_of(const Name& buffer) const { return nest::buffer_named(kernel(), buffer).dims.size(); }

  // Makes a tile's row its last dimension, so that a thread's points lie side by side. The threads that fill it then
  // write to places far apart, for which it is padded.
  void row_inwards(Tile& t) {
    if (!t.row || t.row->dim + 1 == rank_of(t.name)) return;
    std::vector<size_t> order;
    for (size_t d = 0; d < rank_of(t.name); ++d) {
      if (d != t.row->dim) order.push_back(d);
    }
    order.push_back(t.row->dim);
    t.is_reordered = true;
    step("reorder", fmt::format("{} to dimensions {}", t.name.text(), fmt::join(order, ", ")),
         nest::reorder(kernel(), t.name, order));
    Expr width = index_of(*parallel_[t.row->parallel].width);
    step("pad", fmt::format("rows of {} by {}", t.name.text(), nest::to_text(width)),
         nest::pad(kernel(), t.name, width, width, names_));
  }

  // Strides and dilations must be positive for a box to have a lowest corner.
  void fix_steps() {
    auto is_size = [&](const Name& n) {
      return std::ranges::any_of(kernel().buffers, [&](const nest::Buffer& b) {
        return std::ranges::any_of(b.dims, [&](const Expr& d) { return nest::equal(d, index_of(n)); });
      });
    };
    for (const recognize::Operand& o : c_.operands) {
      for (const poly::Polynomial& p : o.index) {
        for (const auto* indices : {&c_.parallel, &c_.reduction}) {
          for (const recognize::Index& i : *indices) {
            poly::Polynomial coefficient = p.coefficient(i.name);
            for (const Name& n : coefficient.names()) {
              if (!is_size(n)) fix(n);
            }
          }
        }
      }
    }
  }

  void fix(const Name& scalar) {
    if (std::ranges::find(kernel().constants, scalar) != kernel().constants.end()) return;
    step("fix", scalar.text(), nest::fix(kernel(), scalar));
  }

  void parallelize(const Name& loop, Role role) {
    step("parallelize", fmt::format("{} as {}", loop.text(), nest::to_text(role)),
         nest::parallelize(kernel(), loop, role, names_));
  }

  // Brings the loops over points into those over windows, so that what a thread reads for all its points is read once,
  // and where neighbouring points' windows overlap, once for a whole row of the window.
  void registers() {
    size_t num_windows = reduction_.size() - num_outer_;
    for (size_t t = tiled_.size(); t-- > 0;) {
      for (size_t w = 0; w < num_windows; ++w) interchange(parallel_[tiled_[t]].points[1]);
    }
    for (const Tile& t : tiles_) {
      Expr width = t.row ? index_of(*parallel_[t.row->parallel].width) : nest::constant(int64_t{1});
      std::optional<std::vector<Name>> made;
      if (t.row && t.row->window) made = keep(t.name, *t.row->window, width);
      if (!made) made = keep(t.name, first_points(), width);
      if (!made) made = keep(t.name, first_points(), nest::constant(int64_t{1}));
      if (!made) refuse(fmt::format("{} cannot be kept in registers", t.name.text()));
      if (t.row && !made->empty()) vectorize(made->back(), *parallel_[t.row->parallel].width);
    }
    reached("each element that a thread needs is read once for all its points");
  }

  std::optional<std::vector<Name>> keep(const Name& tile, const Name& before, const Expr& row_multiple) {
    return try_step("stage_to_registers", fmt::format("{} before {}", tile.text(), before.text()),
                    nest::stage_to_registers(kernel(), before, tile, names_, row_multiple));
  }

  void vectorize(const Name& loop, const Name& width) {
    std::vector<Name> made =
        step("stripmine", fmt::format("{} by {}", loop.text(), width.text()),
             nest::stripmine(kernel(), loop, index_of(width), loop.base + "_piece", "word", names_));
    try_step("vectorize", made[1].text(), nest::vectorize(kernel(), made[1], names_));
  }

  void run_ahead() {
    if (!pipelined_) return;
    if (!try_step("pipeline", fmt::format("{} by {}", pipelined_->text(), ahead_.text()),
                  nest::pipeline(kernel(), *pipelined_, index_of(ahead_), names_)))
      return;
    for (const Tile& t : tiles_) {
      if (!t.row || t.is_reordered) continue;
      const Name& width = *parallel_[t.row->parallel].width;
      try_step("widen_copies", fmt::format("{} to {}", t.name.text(), width.text()),
               nest::widen_copies(kernel(), t.name, index_of(width), names_));
    }
    reached("copies that run ahead of the arithmetic");
  }

  void wide_stores() {
    const ParallelLoops& last = parallel_.back();
    vectorize(last.points[2], *last.width);
  }

  // Registers are registers once all their indices are constant.
  void unroll() {
    std::vector<Name> loops;
    nest::for_each_stmt(kernel().body, [&](const nest::Stmt& s) {
      const auto* f = std::get_if<For>(&s->node);
      if (f && f->role == Role::Serial && nest::is_fixed(kernel(), f->extent)) loops.push_back(f->index);
    });
    for (const Name& n : loops) step("unroll", n.text(), nest::unroll(kernel(), n));
    reached("all of constant extent unrolled");
  }

  // ---- Another way from the direct nest. ----

  void reduce_in_parts() {
    const Name& r = c_.reduction.front().name;
    auto value = [](auto result) {
      if (!result) throw Refused{result.error()};
      return std::move(*result);
    };
    nest::Rewritten parts =
        value(nest::stripmine(result_.direct.kernel, r, index_of(part_), r.base + "_part", r.base + "_in", names_));
    nest::Split split = value(nest::split_reduction(parts.kernel, parts.loops[0], names_));
    auto in_blocks = [&](nest::Kernel& k, const Name& loop) {
      k = value(nest::parallelize(k, loop, Role::Grid, names_)).kernel;
    };
    in_blocks(split.first, parts.loops[0]);
    for (const recognize::Index& p : c_.parallel) {
      in_blocks(split.first, p.name);
      in_blocks(split.second, p.name);
    }
    result_.in_parts =
        InParts{fmt::format("{} by {}", r.text(), part_.text()), split.why_legal, split.first, split.second};
  }

  seg::NameSource names_;
  Derivation result_;
  const recognize::Contraction& c_;
  Structure structure_;
  std::vector<std::optional<Row>> rows_;  // per operand
  std::vector<ParallelLoops> parallel_;
  std::vector<size_t> tiled_;      // the parallel indices with points in registers, outermost first
  std::vector<size_t> reduction_;  // the indices of the reduction as their loops stand
  size_t num_outer_ = 0;           // of them, those that move no window
  bool has_windows_ = false;
  std::optional<Name> chunk_;
  Name part_;                      // how many steps of the reduction a part has, where it is reduced in parts
  Name ahead_;                     // how many stages copies are ahead
  Name staged_;                    // the loop before which operands are staged
  std::optional<Name> rest_;       // the same in the last, smaller chunk
  std::optional<Name> pipelined_;  // the loop around what is staged
  std::vector<Name> buffers_;      // of operands
  std::vector<Tile> tiles_;
  Name acc_;
};

}  // namespace

Derivation derive(const recognize::Contraction& c, const nest::Kernel& lowered) { return Deriver(c, lowered).run(); }

}  // namespace heddle::contraction
