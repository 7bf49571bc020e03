#include "rewrites/contraction/schedule_steps.h"

#include <fmt/format.h>

#include "ir/nest/traverse.h"
#include "rewrites/contraction/statement_writer.h"

namespace heddle::contraction {

namespace {

using nest::Expr;
using recognize::Contraction;

// Throws Refused if the term cannot be computed where an operand's element does not exist.
void check_defined_for_zeros(const Contraction& c) {
  nest::for_each_expr(c.term, [](const Expr& e) {
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (!o || !prim::can_fail(o->op)) return;
    const auto* divisor = o->args.size() == 2 ? std::get_if<nest::Const>(&o->args[1]->node) : nullptr;
    if (!divisor || divisor->value == prim::zero(divisor->value.type))
      refuse(fmt::format("{} is not defined for all operands", prim::name(o->op)));
  });
}

std::string of_associative_operator(const Contraction& c, const Structure&) {
  return fmt::format("{} is associative and commutative", prim::name(c.reduce));
}

std::string of_branchless(const Contraction& c, const Structure& s) {
  check_defined_for_zeros(c);
  bool overruns = std::ranges::find(s.may_overrun, true) != s.may_overrun.end();
  return std::string(
             "the term is defined for all operands, and what is computed for points beyond the result is not stored") +
         (overruns ? "; zeros beyond the ends of the reduction add nothing" : "");
}

std::string of_staging(const Contraction& c, const Structure&) {
  return fmt::format(
      "nothing is written to {}, whose boxes of elements follow from affine indices, and barriers stand between "
      "writing "
      "and reading",
      c.operands.size() == 1 ? "the operand" : "the operands");
}

std::string of_unguarded(const Contraction&, const Structure&) {
  return "zeros stand where guards do not hold, and add nothing where they are multiplied with numbers; else the sum "
         "is no number, and is computed "
         "again from the guarded term";
}

std::string of_registers(const Contraction&, const Structure&) {
  return "a thread's points read a box of the tile, which nobody writes before the next barrier";
}

std::string of_serpentine(const Contraction&, const Structure&) { return "points do not depend on each other"; }

std::string of_result_tile(const Contraction&, const Structure&) {
  return "each result is stored by one thread, after a barrier";
}

std::string of_pipeline(const Contraction&, const Structure&) {
  return "a chunk is copied into tiles of its own, whose last readers have passed a barrier, and waited for before it "
         "is "
         "read";
}

std::string of_prefetch(const Contraction&, const Structure&) {
  return "of two sets of registers one is written while the other is read, and tiles do not change within a chunk";
}

std::string of_vectors(const Contraction&, const Structure&) {
  return "widths divide what they are multiples of: the schedule's numbers are chosen so (hd_tiling_widths)";
}

}  // namespace

Schedule first_schedule(Schedule s) {
  s.by_chunks = s.unguarded = s.serpentine = s.asynchronous = false;
  s.reads = Reads::Guarded;
  s.slices = s.store_width = s.stages = one();
  s.result_shared = s.ahead = zero();
  for (Schedule::Operand& o : s.operands) {
    o.copy_width = o.load_width = one();
    o.padding = zero();
  }
  return s;
}

const std::vector<ScheduleRewrite>& schedule_rewrites() {
  static const std::vector<ScheduleRewrite> all = {
      {"map_threads", "numbers the threads of a block by warps and lanes along all indices, and deals points to them",
       [](const Contraction&, const Structure&) -> std::string {
         return "threads and points of them stand for all places in the block's tile, each for its own";
       },
       [](Schedule&, const Schedule&) {}},
      {"block_reduction", "takes the reduction in chunks, these in groups, and these member by member, written out",
       of_associative_operator, [](Schedule& s, const Schedule&) { s.by_chunks = true; }, true},
      {"predicate_loads", "reads zeros where there is no element instead of asking about each point", of_branchless,
       [](Schedule& s, const Schedule&) { s.reads = Reads::Branchless; }, false, "branchless arithmetic"},
      {"stage_to_shared", "copies what a block reads in a chunk to shared memory, zeros where there is no element",
       of_staging, [](Schedule& s, const Schedule&) { s.reads = Reads::Shared; }, false, "operands in shared memory"},
      {"drop_guards",
       "multiplies zeros from outside of arrays in place of asking guards",
       of_unguarded,
       [](Schedule& s, const Schedule&) { s.unguarded = true; },
       false,
       {},
       [](const Contraction& c) { return c.unguarded.has_value(); }},
      {"stage_to_registers", "reads what all points of a thread need for a group once, into registers", of_registers,
       [](Schedule& s, const Schedule&) { s.reads = Reads::Registers; }, false,
       "each element that a thread needs is read once for all its points"},
      {"serpentine", "takes points in the order in which one index changes at a time, by one", of_serpentine,
       [](Schedule& s, const Schedule&) { s.serpentine = true; }},
      {"store_through_shared", "lets results go through shared memory, where neighbours are not stored together else",
       of_result_tile, [](Schedule& s, const Schedule& full) { s.result_shared = full.result_shared; }},
      {"slice_reduction", "shares the groups among slices of threads, whose sums are added up in shared memory",
       of_associative_operator, [](Schedule& s, const Schedule& full) { s.slices = full.slices; }, true,
       "what block-level code can say"},
      {"pipeline", "copies chunks asynchronously while others are computed with", of_pipeline,
       [](Schedule& s, const Schedule& full) {
         s.asynchronous = true;
         s.stages = full.stages;
       },
       false, "copies that run ahead of the arithmetic"},
      {"prefetch", "loads registers a group or a member ahead of the arithmetic", of_prefetch,
       [](Schedule& s, const Schedule& full) { s.ahead = full.ahead; }},
      {"vectorize", "copies, loads and stores several elements at once, and pads rows against bank conflicts",
       of_vectors,
       [](Schedule& s, const Schedule& full) {
         s.store_width = full.store_width;
         s.operands = full.operands;
       },
       false, "the kernel that runs"},
  };
  return all;
}

std::optional<Schedule> schedule_until(std::string_view name, const Schedule& full) {
  Schedule s = first_schedule(full);
  for (const ScheduleRewrite& rewrite : schedule_rewrites()) {
    rewrite.apply(s, full);
    if (rewrite.name == name) return s;
  }
  return std::nullopt;
}

}  // namespace heddle::contraction
