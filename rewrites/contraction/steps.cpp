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
#include "rewrites/nest/parallelize.h"
#include "rewrites/nest/predicate.h"
#include "rewrites/nest/stage_to_registers.h"
#include "rewrites/nest/stage_to_shared.h"
#include "rewrites/nest/stripmine.h"
#include "rewrites/nest/unroll.h"

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

// The loops of a parallel index.
struct ParallelLoops {
  Name block, thread;
  std::optional<Name> tile_size;  // of points in registers
  std::vector<Name> points;       // over those: at the beginning, in the reduction, and at the end
};

class Deriver {
 public:
  Deriver(const recognize::Contraction& c, const nest::Kernel& lowered)
      : names_(next_tag(c, lowered)), result_{direct_nest(c, lowered, names_), {}, {}}, c_(result_.direct.contraction) {
    structure_ = structure_of(c_, lowered.buffers);
    name_tiles();
  }

  Derivation run() {
    try {
      windows_inwards();
      block_tiles();
      for (size_t p = parallel_.size(); p-- > 0;) {
        if (parallel_[p].tile_size) register_tile(p);
      }
      reached("register tiles: figures 11 and 14");
      stage();
      registers();
      unroll();
    } catch (const Refused& refused) {
      result_.stopped = refused.error.message;
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
    result_.steps.push_back({name, parameters, r->why_legal, r->kernel, ""});
    return r->loops;
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

  void name_tiles() {
    nest::Kernel& k = result_.direct.kernel;
    auto constant = [&](const std::string& name) {
      k.constants.push_back(names_.fresh(name));
      return k.constants.back();
    };
    for (size_t p = 0; p < c_.parallel.size(); ++p) {
      const std::string& base = c_.parallel[p].name.base;
      ParallelLoops loops;
      threads_.push_back(constant("T_" + base));
      if (p + 1 < c_.parallel.size() || p == 0) loops.tile_size = constant("R_" + base);
      parallel_.push_back(std::move(loops));
    }
    has_windows_ = std::ranges::find(structure_.window, true) != structure_.window.end();
    if (!has_windows_) chunk_ = constant("C_" + c_.reduction.back().name.base);
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
      Expr tile = index_of(threads_[p]);
      if (parallel_[p].tile_size) tile = nest::mul(tile, index_of(*parallel_[p].tile_size));
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
    Expr tile = index_of(*loops.tile_size);
    std::vector<Name> made =
        step("stripmine", fmt::format("{} by {}", loops.thread.text(), nest::to_text(tile)),
             nest::stripmine(kernel(), loops.thread, tile, base + "_thread", base + "_point", names_));
    loops.thread = made[0];
    for (size_t inner = p + 1; inner < parallel_.size(); ++inner) interchange(made[1]);
    loops.points = step("distribute", made[1].text(), nest::distribute(kernel(), made[1], names_));
    if (loops.points.size() != 3) refuse(fmt::format("{} holds other statements than a reduction", base));
    for (size_t n = 0; n < num_outer_; ++n) interchange(loops.points[1]);
    // The points of the last index outside, as in the figures.
    for (size_t other = p + 1; other < parallel_.size(); ++other) {
      if (!parallel_[other].tile_size) continue;
      for (const Name& point : loops.points) interchange(point);
    }
    if (p > 0) reached(fmt::format("register tiles of {}: figures 10 and 13", base));
  }

  // The outermost of the loops over points inside the reduction.
  const Name& first_points() const {
    auto last = std::ranges::find_if(parallel_.rbegin(), parallel_.rend(),
                                     [](const auto& p) { return p.tile_size.has_value(); });
    return last->points[1];
  }

  void stage() {
    Name before = first_points();
    if (chunk_) {
      const Name& k = c_.reduction[reduction_.back()].name;
      std::vector<Name> made =
          step("stripmine", fmt::format("{} by {}", k.text(), chunk_->text()),
               nest::stripmine(kernel(), k, index_of(*chunk_), k.base + "_chunk", k.base + "_in", names_));
      before = made[1];
    }
    fix_steps();
    for (const ParallelLoops& p : parallel_) parallelize(p.block, Role::Grid);
    for (const ParallelLoops& p : parallel_) parallelize(p.thread, Role::Block);
    std::vector<Name> buffers;
    for (const recognize::Operand& o : c_.operands) {
      if (std::ranges::find(buffers, o.buffer) == buffers.end()) buffers.push_back(o.buffer);
    }
    std::string all;
    for (const Name& b : buffers) all += (all.empty() ? "" : ", ") + b.text();
    step("stage_to_shared", fmt::format("{} before {}", all, before.text()),
         nest::stage_to_shared(kernel(), before, buffers, names_));
    reached("operands in shared memory: listings 3 and 4");
    Name acc;
    nest::for_each_stmt(kernel().body, [&](const nest::Stmt& s) {
      const auto* alloc = std::get_if<nest::Alloc>(&s->node);
      if (alloc && alloc->buffer.space == nest::Space::Register) acc = alloc->buffer.name;
      if (alloc && alloc->buffer.space == nest::Space::Shared) tiles_.push_back(alloc->buffer.name);
    });
    step("drop_guards", acc.text(), nest::drop_guards(kernel(), acc, names_));
    reached("only results are tested, as section 3.6.2 has it");
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

  // Brings the loops over points into those over windows, so that what a thread reads for all its points is read once.
  void registers() {
    size_t num_windows = reduction_.size() - num_outer_;
    // From the innermost loop over points to the outermost.
    for (const ParallelLoops& loops : parallel_) {
      if (!loops.tile_size) continue;
      for (size_t w = 0; w < num_windows; ++w) interchange(loops.points[1]);
    }
    for (const Name& tile : tiles_) {
      std::vector<Name> made =
          step("stage_to_registers", fmt::format("{} before {}", tile.text(), first_points().text()),
               nest::stage_to_registers(kernel(), first_points(), tile, names_));
      unrolled_.insert(unrolled_.end(), made.begin(), made.end());
    }
    reached("each element that a thread needs is read once for all its points");
  }

  void unroll() {
    for (const ParallelLoops& p : parallel_) unrolled_.insert(unrolled_.end(), p.points.begin(), p.points.end());
    for (size_t r : reduction_) {
      if (!structure_.window[r]) continue;
      for (const Name& n : nest::free_names(c_.reduction[r].extent)) fix(n);
      unrolled_.push_back(c_.reduction[r].name);
    }
    for (const Name& n : unrolled_) step("unroll", n.text(), nest::unroll(kernel(), n));
    reached("all of constant extent unrolled");
  }

  seg::NameSource names_;
  Derivation result_;
  const recognize::Contraction& c_;
  Structure structure_;
  std::vector<Name> threads_;  // sizes, per parallel index
  std::vector<ParallelLoops> parallel_;
  std::vector<size_t> reduction_;  // the indices of the reduction as their loops stand
  size_t num_outer_ = 0;           // of them, those that move no window
  bool has_windows_ = false;
  std::optional<Name> chunk_;
  std::vector<Name> tiles_;     // in shared memory
  std::vector<Name> unrolled_;  // loops
};

}  // namespace

Derivation derive(const recognize::Contraction& c, const nest::Kernel& lowered) { return Deriver(c, lowered).run(); }

}  // namespace heddle::contraction
