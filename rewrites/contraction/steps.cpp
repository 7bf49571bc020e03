#include "rewrites/contraction/steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "rewrites/contraction/schedule_steps.h"
#include "rewrites/contraction/split.h"
#include "rewrites/contraction/statement_writer.h"
#include "rewrites/contraction/tiled.h"
#include "rewrites/nest/distribute.h"
#include "rewrites/nest/fix.h"
#include "rewrites/nest/interchange.h"
#include "rewrites/nest/parallelize.h"
#include "rewrites/nest/predicate.h"
#include "rewrites/nest/stripmine.h"

namespace heddle::contraction {

namespace {

using nest::Expr;
using nest::For;
using nest::Role;

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
};

class Deriver {
 public:
  Deriver(const recognize::Contraction& c, const nest::Kernel& lowered)
      : names_(next_tag(c, lowered)),
        result_{direct_nest(c, lowered, names_), {}, {}, {}, {}, {}},
        c_(result_.direct.contraction),
        structure_(structure_of(c_, lowered.buffers)) {}

  Derivation run() {
    try {
      name_constants();
      windows_inwards();
      block_tiles();
      // The last index last, since the figures have one point of it per thread.
      for (size_t p = parallel_.size() - 1; p-- > 0;) register_tile(p);
      if (parallel_.size() > 1) reached("register tiles: figures 11 and 14");
      register_tile(parallel_.size() - 1);
      reached("register tiles of all parallel indices");
      fix_constants();
      carry_out_schedule();
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

  void name_constants() {
    nest::Kernel& k = result_.direct.kernel;
    auto constant = [&](const std::string& name) {
      k.constants.push_back(names_.fresh(name));
      return k.constants.back();
    };
    for (const recognize::Index& p : c_.parallel) {
      ParallelLoops loops;
      loops.num_threads = constant("T_" + p.name.base);
      loops.num_points = constant("R_" + p.name.base);
      parallel_.push_back(std::move(loops));
    }
    result_.tiling = name_tiling(c_, names_);
    for (const Name& n : constants_of(result_.tiling)) k.constants.push_back(n);
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
      Expr tile = nest::mul(index_of(parallel_[p].num_threads), index_of(parallel_[p].num_points));
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
    std::vector<Name> made = step(
        "stripmine", fmt::format("{} by {}", loops.thread.text(), loops.num_points.text()),
        nest::stripmine(kernel(), loops.thread, index_of(loops.num_points), base + "_thread", base + "_point", names_));
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
    fixed_.push_back(scalar);
  }

  void parallelize(const Name& loop, Role role) {
    step("parallelize", fmt::format("{} as {}", loop.text(), nest::to_text(role)),
         nest::parallelize(kernel(), loop, role, names_));
  }

  // ---- From the last figure to the kernel that runs. ----

  void carry_out_schedule() {
    Schedule full = full_schedule(c_, structure_, result_.tiling), now = first_schedule(full);
    std::vector<Name> constants = constants_of(result_.tiling);
    constants.insert(constants.end(), fixed_.begin(), fixed_.end());
    for (const ScheduleRewrite& rewrite : schedule_rewrites()) {
      if (rewrite.concerns && !rewrite.concerns(c_)) continue;
      std::string why_legal = rewrite.why_legal(c_, structure_);
      rewrite.apply(now, full);
      nest::Kernel kernel = tiled(c_, now, constants, result_.direct.kernel, names_);
      result_.steps.push_back(
          {std::string(rewrite.name), std::string(rewrite.description), why_legal, kernel, "", rewrite.reorders});
      reached(std::string(rewrite.reached));
    }
  }

  // ---- Another way from the direct nest. ----

  void reduce_in_parts() {
    nest::Kernel whole = result_.direct.kernel;
    Result<size_t> index = index_to_split(c_, whole.buffers);
    if (!index) throw Refused{index.error()};
    const recognize::Index& r = c_.reduction[*index];
    Name parts = names_.fresh("parts"), each = names_.fresh("each");
    Split s = split(c_, whole.buffers, *index, parts, each, names_);
    whole.constants.clear();
    whole.buffers.push_back(s.partial);
    whole.scalars.push_back({parts, prim::Type::I64});
    whole.scalars.push_back({each, prim::Type::I64});
    nest::Kernel first = plain_nest(s.first, whole, names_);
    nest::Kernel second = doing(whole, nested(c_.parallel, s.second));
    auto in_blocks = [&](nest::Kernel& k, const std::vector<recognize::Index>& box, const std::string& suffix) {
      k.name += suffix;
      for (const recognize::Index& p : box) {
        Result<nest::Rewritten> in_grid = nest::parallelize(k, p.name, Role::Grid, names_);
        if (!in_grid) throw Refused{in_grid.error()};
        k = in_grid->kernel;
      }
    };
    in_blocks(first, s.first.parallel, "_parts");
    in_blocks(second, c_.parallel, "_sum");
    result_.in_parts =
        InParts{fmt::format("{} into {} of {}", r.name.text(), parts.text(), each.text()),
                fmt::format("{} is alone in the dimensions that it runs through, and {} is associative and commutative",
                            r.name.text(), prim::name(c_.reduce)),
                first,
                second,
                parts,
                each,
                r.extent};
  }

  NameSource names_;
  Derivation result_;
  const recognize::Contraction& c_;
  Structure structure_;
  std::vector<ParallelLoops> parallel_;
  std::vector<size_t> tiled_;      // the parallel indices with points in registers, outermost first
  std::vector<size_t> reduction_;  // the indices of the reduction as their loops stand
  size_t num_outer_ = 0;           // of them, those that move no window
  std::vector<Name> fixed_;        // scalars that have become constants
};

}  // namespace

Derivation derive(const recognize::Contraction& c, const nest::Kernel& lowered) { return Deriver(c, lowered).run(); }

}  // namespace heddle::contraction
