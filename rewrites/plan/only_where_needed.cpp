#include "rewrites/plan/only_where_needed.h"

#include "ir/nest/traverse.h"
#include "rewrites/plan/reads_by_values.h"

namespace heddle::lower {

namespace {

struct Failing : nest::Walker<Failing> {
  bool found = false;
  void expr(const nest::Expr& e) {
    if (const auto* o = std::get_if<nest::Operation>(&e->node); o && prim::can_fail(o->op)) {
      const bool is_known = o->args.size() == 2 && std::holds_alternative<nest::Const>(o->args[1]->node) &&
                            !nest::is_constant_zero(o->args[1]);
      found |= !is_known;
    }
    Walker::expr(e);
  }
  void stmt(const nest::Stmt& s) {
    found |= std::holds_alternative<nest::Fail>(s->node) || std::holds_alternative<nest::While>(s->node);
    Walker::stmt(s);
  }
};

}  // namespace

bool only_where_needed(const StageCode& stage, const HostScope& host, NameSource names) {
  Failing failing;
  failing.body(stage.work);
  return failing.found || !stage.folds.empty() || !stage.elsewhere.empty() || reads_by_values(stage, {}, host, names);
}

}  // namespace heddle::lower
