#include "rewrites/plan/number_failures.h"

#include "ir/nest/traverse.h"
#include "ir/seg/host_stms.h"

namespace heddle::lower {

namespace {

void add_to_numbers(nest::Block& block, int first) {
  struct Add : nest::Rebuilder<Add> {
    int first;
    explicit Add(int first) : first(first) {}
    void expr(nest::Expr&) {}
    void stmts(const nest::Stmt& s, nest::Block& out) {
      const auto* fail = std::get_if<nest::Fail>(&s->node);
      if (!fail) return nest::Rebuilder<Add>::stmts(s, out);
      out.push_back(nest::stmt(nest::Fail{fail->id + first, fail->args}));
    }
  } add(first);
  add.body(block);
}

}  // namespace

void number_failures(PlannedProgram& planned) {
  seg::for_each_host_stm(planned.program, [&](const seg::StmPtr& s) {
    auto it = planned.plans.find(s.get());
    if (it == planned.plans.end()) return;
    auto number = [&](Launch& l) {
      int first = static_cast<int>(planned.failures.size());
      planned.failures.insert(planned.failures.end(), l.failures.begin(), l.failures.end());
      for (HostCheck& c : l.checks) c.failure += first;
      if (first > 0 && !l.failures.empty()) add_to_numbers(l.kernel.body, first);
    };
    if (it->second.rooms) number(it->second.rooms->sizes);
    for (Launch& l : it->second.launches) number(l);
  });
}

}  // namespace heddle::lower
