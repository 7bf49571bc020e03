#include "rewrites/plan/reads_by_values.h"

#include <algorithm>
#include <utility>

#include "ir/nest/buffers.h"
#include "ir/nest/traverse.h"
#include "rewrites/recipes/find_contraction.h"

namespace heddle::lower {

using nest::Expr;

namespace {

struct ReadsByValues : nest::Walker<ReadsByValues> {
  const std::vector<nest::Buffer>& buffers;
  nest::NameSet values;  // names and buffers of what depends on them
  nest::Facts& facts;
  nest::NameSet registers = {};
  bool guarded = false;  // by what depends on values
  bool found = false;

  ReadsByValues(const std::vector<nest::Buffer>& buffers, nest::NameSet scalars, nest::Facts& facts)
      : buffers(buffers), values(std::move(scalars)), facts(facts) {}

  bool depends(const Expr& e) const {
    bool any = false;
    nest::for_each_expr(e, [&](const Expr& part) {
      const auto* load = std::get_if<nest::Load>(&part->node);
      const auto* name = std::get_if<nest::Var>(&part->node);
      any |= (load && (!registers.contains(load->buffer) || values.contains(load->buffer))) ||
             (name && values.contains(name->name));
    });
    return any;
  }

  bool exists(const nest::Load& load) {
    const std::vector<Expr>& dims = nest::buffer_named(buffers, load.buffer).dims;
    for (size_t d = 0; d < dims.size(); ++d) {
      const Expr& i = load.index[d];
      if (!facts.prove(nest::less(i, nest::constant(0)), false) || !facts.prove(nest::less(i, dims[d]))) return false;
    }
    return true;
  }

  template <class F>
  void under(const Expr& condition, bool holds, F f) {
    const bool before = std::exchange(guarded, guarded || depends(condition));
    facts.scope([&] {
      facts.assume(condition, holds);
      f();
    });
    guarded = before;
  }

  void expr(const Expr& e) {
    if (const auto* choice = std::get_if<nest::Select>(&e->node)) {
      expr(choice->condition);
      under(choice->condition, true, [&] { expr(choice->if_true); });
      return under(choice->condition, false, [&] { expr(choice->if_false); });
    }
    if (const auto* load = std::get_if<nest::Load>(&e->node); load && !registers.contains(load->buffer)) {
      const bool by_values = guarded || std::ranges::any_of(load->index, [&](const Expr& i) { return depends(i); });
      found |= by_values && !exists(*load);
    }
    Walker::expr(e);
  }

  void stmt(const nest::Stmt& s) {
    if (const auto* branch = std::get_if<nest::If>(&s->node)) {
      expr(branch->condition);
      under(branch->condition, true, [&] { body(branch->then_body); });
      return under(branch->condition, false, [&] { body(branch->else_body); });
    }
    if (const auto* loop = std::get_if<nest::For>(&s->node)) {
      expr(loop->extent);
      if (guarded || depends(loop->extent)) values.insert(loop->index);
      return facts.scope([&] {
        facts.index(loop->index, loop->extent);
        body(loop->body);
      });
    }
    Walker::stmt(s);
    if (const auto* alloc = std::get_if<nest::Alloc>(&s->node)) registers.insert(alloc->buffer.name);
    if (const auto* let = std::get_if<nest::Let>(&s->node)) {
      facts.define(let->name, let->value);
      if (depends(let->value)) values.insert(let->name);
    }
    // What branches leave in a register depends on what chose among them.
    if (const auto* store = std::get_if<nest::Store>(&s->node); store && (guarded || depends(store->value)))
      values.insert(store->buffer);
  }
};

}  // namespace

bool reads_by_values(const StageCode& stage, nest::NameSet scalars, const HostScope& host, NameSource& names) {
  nest::Facts facts(names, [&host](const Name& n) { return host.facts.definition(n); });
  host.facts.tell(facts);
  tell_indices(facts, stage.indices);
  ReadsByValues reads(stage.launch.kernel.buffers, std::move(scalars), facts);
  // What a round of a loop leaves in a register the next one finds there.
  for (size_t known = 0; !reads.found;) {
    facts.scope([&] { reads.body(stage.work); });
    if (std::exchange(known, reads.values.size()) == reads.values.size()) break;
  }
  return reads.found;
}

}  // namespace heddle::lower
