#include "rewrites/nest/rewrites.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ir/nest/facts.h"
#include "rewrites/nest/delinearize_loops.h"
#include "rewrites/nest/discharge.h"
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
#include "rewrites/nest/stage_to_registers.h"
#include "rewrites/nest/stage_to_shared.h"
#include "rewrites/nest/stripmine.h"
#include "rewrites/nest/unroll.h"
#include "rewrites/nest/unused.h"
#include "rewrites/nest/vectorize.h"
#include "rewrites/nest/widen_copies.h"

namespace heddle::nest {

namespace {

using Names = NameSource;
using Outcome = Result<Rewritten>;

// The kernel with another body.
Outcome with_body(const Kernel& kernel, Block body, std::string why_legal) {
  Kernel result = kernel;
  result.body = std::move(body);
  return Rewritten{std::move(result), std::move(why_legal)};
}

// ---- Of whole kernels. ----

Outcome run_delinearize_loops(const Kernel& k, const Arguments&, Names& names) {
  Facts facts(names, no_definition);
  learn_sizes(facts, k);
  auto not_negative = [&](const Expr& e) { return facts.prove_at_most(constant(int64_t{0}), e); };
  return with_body(k, delinearize_loops(k.body, names, no_definition, not_negative),
                   "iterations keep their order, and no size that is divided by is negative");
}

Outcome run_discharge(const Kernel& k, const Arguments&, Names& names) {
  Facts facts(names, no_definition);
  learn_sizes(facts, k);
  return with_body(k, discharge(k.body, facts),
                   "what is gone follows from the ranges of loops, positive constants and sizes that are not negative");
}

Outcome run_without_unused(const Kernel& k, const Arguments&, Names&) {
  return with_body(k, without_unused(k.body), "nothing reads what is gone");
}

// ---- Of named loops and buffers. ----

Outcome run_stripmine(const Kernel& k, const Arguments& a, Names& names) {
  Name loop = a.loop("loop");
  std::string outer = a.has("outer") ? a.word("outer") : loop.base + "_tile";
  std::string inner = a.has("inner") ? a.word("inner") : loop.base + "_in";
  return stripmine(k, loop, a.size("by"), outer, inner, names);
}

Outcome run_stage_to_shared(const Kernel& k, const Arguments& a, Names& names) {
  Substitution rows = a.has("rows") ? a.row_sizes("rows") : Substitution{};
  return stage_to_shared(k, a.loop("before"), a.buffers("buffers"), names, rows);
}

Outcome run_stage_to_registers(const Kernel& k, const Arguments& a, Names& names) {
  Expr rows = a.has("rows") ? a.size("rows") : constant(int64_t{1});
  return stage_to_registers(k, a.loop("before"), a.buffer("buffer"), names, rows);
}

constexpr bool kMayBeLeftOut = true;

std::vector<NestRewrite> make_list() {
  using K = ArgumentKind;
  const Parameter loop{"loop", K::Loop, "the loop's index"};
  return {
      {"delinearize_loops",
       "take loops over flattened indices apart",
       "first, when a seg op has been lowered: then arrays that were reshaped are read without divisions",
       {},
       run_delinearize_loops},
      {"discharge",
       "remove checks, branches and clamps that facts decide",
       "after delinearize_loops, without whose divisions more is decided, and before contractions are looked for",
       {},
       run_discharge},
      {"without_unused",
       "remove what has no use",
       "after discharge and after staging, which leave behind what nothing reads any more",
       {},
       run_without_unused},
      {"interchange",
       "exchange two nested loops",
       "first of a derivation, to bring windows inside, and between its steps, to bring points of a thread inside",
       {{"loop", K::Loop, "the outer of the two"}},
       [](const Kernel& k, const Arguments& a, Names& names) { return interchange(k, a.loop("loop"), names); }},
      {"stripmine",
       "cut a loop into tiles",
       "where loops over blocks, threads, a thread's points or chunks of a reduction are made",
       {loop,
        {"by", K::Size, "the size of a tile"},
        {"outer", K::Word, "the name of the loop over tiles", kMayBeLeftOut},
        {"inner", K::Word, "the name of the loop within one", kMayBeLeftOut}},
       run_stripmine},
      {"predicate",
       "turn the end of a last tile into a test",
       "after stripmine, since loops over threads and registers need the same extent in all tiles",
       {loop},
       [](const Kernel& k, const Arguments& a, Names&) { return predicate(k, a.loop("loop")); }},
      {"distribute",
       "make one loop over several statements into several",
       "when a thread's points are a loop, so that the reduction between their start and end can go around it",
       {loop},
       [](const Kernel& k, const Arguments& a, Names& names) { return distribute(k, a.loop("loop"), names); }},
      {"fix",
       "make a scalar a constant of the kernel",
       "before staging, since boxes of elements need steps that are positive and windows that are constant",
       {{"scalar", K::Scalar, "the scalar"}},
       [](const Kernel& k, const Arguments& a, Names&) { return fix(k, a.scalar("scalar")); }},
      {"parallelize",
       "run the iterations of a loop at once",
       "when tiles are made, and before staging, which is done by the threads of a block",
       {loop, {"as", K::Role, "grid, block, warp or lane"}},
       [](const Kernel& k, const Arguments& a, Names& names) {
         return parallelize(k, a.loop("loop"), a.role("as"), names);
       }},
      {"peel",
       "separate full tiles from the rest",
       "before staging, so that full chunks of a reduction are staged without tests of their ends",
       {loop},
       [](const Kernel& k, const Arguments& a, Names& names) { return peel(k, a.loop("loop"), names); }},
      {"stage_to_shared",
       "let the threads of a block copy what they are going to read into shared memory",
       "when threads are numbered, since these share the copying",
       {{"before", K::Loop, "the loop that reads the copies"},
        {"buffers", K::Buffers, "what is copied, as a_5,b_6"},
        {"rows", K::RowSizes, "multiples that rows are rounded up to, as a_5:4,b_6:W_2", kMayBeLeftOut}},
       run_stage_to_shared},
      {"drop_guards",
       "leave out tests that decide only about registers that nobody reads",
       "after staging, whose zeros beyond the ends of arrays make it legal",
       {{"buffer", K::Buffer, "the buffer in registers"}},
       [](const Kernel& k, const Arguments& a, Names& names) { return drop_guards(k, a.buffer("buffer"), names); }},
      {"reorder",
       "let the elements of a buffer lie in another order",
       "after staging, so that a thread's neighbouring points lie side by side",
       {{"buffer", K::Buffer, "one that the kernel makes"},
        {"order", K::Dimensions, "the old dimension for each new one, as 1,0"}},
       [](const Kernel& k, const Arguments& a, Names&) {
         return reorder(k, a.buffer("buffer"), a.dimensions("order"));
       }},
      {"pad",
       "let the rows of a buffer begin farther apart",
       "after reorder, whose tiles are filled along columns, which would otherwise meet in one bank",
       {{"buffer", K::Buffer, "one that the kernel makes"},
        {"quantum", K::Size, "what rows are rounded up to a multiple of"},
        {"by", K::Size, "elements added to each row after that"}},
       [](const Kernel& k, const Arguments& a, Names& names) {
         return pad(k, a.buffer("buffer"), a.size("quantum"), a.size("by"), names);
       }},
      {"stage_to_registers",
       "let a thread keep what it is going to read more than once",
       "when the loops over points are inside those over windows, so that it is kept for all points",
       {{"before", K::Loop, "the loop that reads the copy"},
        {"buffer", K::Buffer, "what is copied"},
        {"rows", K::Size, "a multiple that rows are rounded up to (default: 1)", kMayBeLeftOut}},
       run_stage_to_registers},
      {"vectorize",
       "move neighbouring elements at once",
       "when copies to registers and stores of results are loops of their own, cut by stripmine",
       {loop},
       [](const Kernel& k, const Arguments& a, Names& names) { return vectorize(k, a.loop("loop"), names); }},
      {"pipeline",
       "let copies into shared memory run ahead of what is computed from them",
       "when what an iteration does between its barriers is complete, since none of it may follow later",
       {loop, {"ahead", K::Size, "so many iterations"}},
       [](const Kernel& k, const Arguments& a, Names& names) {
         return pipeline(k, a.loop("loop"), a.size("ahead"), names);
       }},
      {"widen_copies",
       "copy neighbouring elements to shared memory at once",
       "after pipeline, which makes the copies asynchronous ones of single elements",
       {{"tile", K::Buffer, "what is copied to"}, {"width", K::Size, "so many elements"}},
       [](const Kernel& k, const Arguments& a, Names& names) {
         return widen_copies(k, a.buffer("tile"), a.size("width"), names);
       }},
      {"unroll",
       "have a loop written out",
       "last of a derivation, since rewrites find loops by their indices",
       {loop},
       [](const Kernel& k, const Arguments& a, Names&) { return unroll(k, a.loop("loop")); }},
  };
}

// The parameter that was given and the rewrite does not have, or the other way round.
void check_parameters(const NestRewrite& rewrite, const std::map<std::string, std::string, std::less<>>& given) {
  for (const auto& [name, text] : given) {
    if (std::ranges::find(rewrite.parameters, name, &Parameter::name) == rewrite.parameters.end()) {
      throw Refused{input_error(fmt::format("{} has no parameter {}", rewrite.name, name))};
    }
  }
  for (const Parameter& p : rewrite.parameters) {
    if (!p.may_be_left_out && !given.contains(p.name)) {
      throw Refused{input_error(fmt::format("{} needs {}=...: {}", rewrite.name, p.name, p.description))};
    }
  }
}

int next_tag(const Kernel& kernel) {
  struct Last : Walker<Last> {
    int tag = -1;
    void use(const Name& n) { tag = std::max(tag, n.tag); }
    void bind(const Name& n) { use(n); }
  } last;
  last.body(kernel.body);
  for (const Name& c : kernel.constants) last.use(c);
  for (const ScalarParam& p : kernel.scalars) last.use(p.name);
  for (const Buffer& b : kernel.buffers) last.buffer(b);
  return last.tag + 1;
}

}  // namespace

std::span<const NestRewrite> nest_rewrites() {
  static const std::vector<NestRewrite> list = make_list();
  return list;
}

Result<Rewritten> run_nest_rewrite(const NestRewrite& rewrite, const Kernel& kernel,
                                   std::map<std::string, std::string, std::less<>> given) try {
  check_parameters(rewrite, given);
  Names names(next_tag(kernel));
  Outcome result = rewrite.run(kernel, Arguments(kernel, std::move(given)), names);
  if (result || result.error().kind != ErrorKind::Unsupported) return result;
  return input_error(fmt::format("{} is refused: {}", rewrite.name, result.error().message));
} catch (const Refused& refused) {
  return refused.error;
}

}  // namespace heddle::nest
