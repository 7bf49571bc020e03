#include "rewrites/plan/arrays_used.h"

#include "ir/seg/host_stms.h"

namespace heddle::lower {

void add_arguments(const Plan& plan, seg::NameSet& arrays) {
  for_each_arguments(plan, [&](const auto& buffers, const auto& scalars) {
    for (const BufferArg& a : buffers) {
      if (const auto* host = std::get_if<HostArray>(&a)) arrays.insert(host->name);
    }
    for (const ScalarArg& a : scalars) {
      if (const Name* array = measured_array(a)) arrays.insert(*array);
    }
  });
}

namespace {

struct Collect {
  const PlannedProgram& planned;
  seg::NameSet used{};

  void use(const Name& n) { used.insert(n); }
  void bind(const Name&) {}
  bool enter(const seg::BodyPtr& b) {
    for (const seg::StmPtr& s : b->stms) statement(*s);
    for (const seg::SubExpRes& r : b->result) seg::walk(*this, r.value);
    return false;
  }
  bool enter(const seg::KernelBodyPtr&) { return false; }

  void statement(const seg::Stm& s) {
    auto plan = planned.plans.find(&s);
    if (plan == planned.plans.end()) return seg::walk(*this, s.exp);
    add_arguments(plan->second, used);
    for (const ResultPlace& p : plan->second.results) {
      if (const auto* updated = std::get_if<UpdatedResult>(&p)) use(updated->array);
    }
  }
};

}  // namespace

seg::NameSet arrays_used(const seg::Stms& stms, const PlannedProgram& planned,
                         const std::function<bool(const seg::Stm&)>& is_left_out) {
  Collect collect{planned};
  for (const seg::StmPtr& s : stms) {
    if (!is_left_out(*s)) collect.statement(*s);
  }
  return std::move(collect.used);
}

seg::NameSet arrays_used(const seg::Body& body, const PlannedProgram& planned,
                         const std::function<bool(const seg::Stm&)>& is_left_out) {
  seg::NameSet used = arrays_used(body.stms, planned, is_left_out);
  Collect results{planned};
  for (const seg::SubExpRes& r : body.result) seg::walk(results, r.value);
  used.merge(results.used);
  return used;
}

bool overwrite_any(const seg::Stms& stms, const seg::NameSet& arrays, const graph::Graph& graph) {
  seg::NameSet memory;
  for (const Name& n : arrays) memory.insert(graph.memory(n));
  bool any = false;
  seg::for_each_host_stm(stms, [&](const seg::StmPtr& s) {
    for (const Name& n : graph::overwritten_by(s->exp)) any |= memory.contains(graph.memory(n));
  });
  return any;
}

}  // namespace heddle::lower
