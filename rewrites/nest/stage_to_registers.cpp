#include "rewrites/nest/stage_to_registers.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nest/printer.h"
#include "rewrites/nest/fill.h"
#include "rewrites/nest/multiples.h"
#include "rewrites/nest/region.h"
#include "rewrites/nest/unused.h"

namespace heddle::nest {

namespace {

using prim::Type;

// Whether all elements of a buffer hold values.
bool is_whole(const Kernel& kernel, const Buffer& buffer) {
  if (buffer.space != Space::Global) return filled_buffers(kernel).contains(buffer.name);
  bool is_written = false;
  for_each_stmt(kernel.body, [&](const Stmt& s) {
    const auto* store = std::get_if<Store>(&s->node);
    const auto* update = std::get_if<AtomicUpdate>(&s->node);
    is_written |= (store && store->buffer == buffer.name) || (update && update->buffer == buffer.name);
  });
  return !is_written;
}

// Throws Refused if the block writes to the buffer, or reads it only under some condition or in a loop that may not
// run.
struct Check : Walker<Check> {
  const Name& source;
  Facts& facts;
  const Substitution lets;
  bool conditional = false;

  Check(const Name& source, Facts& facts, Substitution lets) : source(source), facts(facts), lets(std::move(lets)) {}

  void stmt(const Stmt& s) {
    bool before = conditional;
    if (const auto* f = std::get_if<For>(&s->node))
      conditional |= !facts.prove_at_most(constant(int64_t{1}), substitute(lets, f->extent));
    if (const auto* store = std::get_if<Store>(&s->node); store && store->buffer == source)
      refuse(fmt::format("{} is written there", source.text()));
    if (std::holds_alternative<AtomicUpdate>(s->node) || std::holds_alternative<Barrier>(s->node))
      refuse(fmt::format("other threads may write to {} there", source.text()));
    conditional |= std::holds_alternative<If>(s->node) || std::holds_alternative<While>(s->node);
    Walker::stmt(s);
    conditional = before;
  }
  void expr(const Expr& e) {
    bool before = conditional;
    conditional |= std::holds_alternative<Select>(e->node);
    const auto* l = std::get_if<Load>(&e->node);
    if (l && l->buffer == source && conditional)
      refuse(fmt::format("{} is read under a condition, and might not be there to be read otherwise", source.text()));
    Walker::expr(e);
    conditional = before;
  }
};

}  // namespace

Result<Rewritten> stage_to_registers(const Kernel& kernel, const Name& before, const Name& buffer, NameSource& names,
                                     const Expr& row_multiple) {
  return rewrite([&]() -> Rewritten {
    if (!is_positive(kernel, row_multiple, names))
      refuse(fmt::format("rows of a multiple of {} elements may be empty", to_text(row_multiple)));
    LoopSite place = find_loop(kernel, before);
    const Buffer& source = buffer_named(kernel, buffer);
    if (!is_whole(kernel, source)) refuse(fmt::format("some elements of {} may hold nothing", buffer.text()));
    Facts facts(names, no_definition);
    learn_site(facts, kernel, place);
    Block loop = {stmt(*place.loop)};
    Check(buffer, facts, index_lets(kernel)).body(loop);
    std::vector<Region> regions = regions_read(kernel, loop, buffer, loops_in(loop), facts);
    if (regions.size() > 1) refuse(fmt::format("{} is read in more than one region", buffer.text()));
    const Region& region = regions[0];
    Buffer copy{names.fresh(source.name.base + "_points"), source.elem, Space::Register, {}, {}};
    for (const Polynomial& p : region.extent) {
      for (const Name& n : p.names()) {
        if (std::ranges::find(kernel.constants, n) == kernel.constants.end())
          refuse(fmt::format("{} elements, which is not constant, would be kept in registers", p.to_string()));
      }
      copy.dims.push_back(to_expr(p));
    }
    if (!copy.dims.empty()) {
      Expr rounded = round_up(copy.dims.back(), row_multiple);
      bool is_inside = equal(rounded, copy.dims.back()) ||
                       facts.prove_at_most(add(to_expr(region.low.back()), rounded), source.dims.back());
      if (!is_inside)
        refuse(fmt::format("{} elements of a row, a multiple of {}, may be more than {} has", to_text(rounded),
                           to_text(row_multiple), buffer.text()));
      copy.dims.back() = rounded;
    }
    copy.strides = dense_strides(copy.dims);
    std::vector<Name> made;
    std::vector<Expr> to, from;
    for (size_t d = 0; d < copy.dims.size(); ++d) {
      bool single = int_constant(copy.dims[d]) == 1;
      if (!single) made.push_back(names.fresh("e"));
      to.push_back(single ? constant(int64_t{0}) : var(made.back(), Type::I64));
      from.push_back(add(to_expr(region.low[d]), to[d]));
    }
    Block filling = {stmt(Store{copy.name, to, load(buffer, source.elem, from)})};
    for (size_t d = copy.dims.size(), loop_at = made.size(); d-- > 0;) {
      if (int_constant(copy.dims[d]) == 1) continue;
      filling = {stmt(For{made[--loop_at], copy.dims[d], Role::Serial, filling})};
    }
    Kernel result = with_loop_replaced(kernel, before, [&](const For&) {
      Block all = {stmt(Alloc{copy})};
      all.insert(all.end(), filling.begin(), filling.end());
      Block reading = reading_copy(kernel, loop, {source, copy, region, false}, loops_in(loop), facts);
      all.insert(all.end(), reading.begin(), reading.end());
      return all;
    });
    result.body = without_unused(result.body);
    return {result,
            fmt::format("{} does not change in {}, which reads every element of the box", buffer.text(), before.text()),
            made};
  });
}

}  // namespace heddle::nest
