#include "rewrites/seg/unread_results.h"

#include "ir/seg/host_stms.h"

namespace heddle::seg {

namespace {

// Names that are used anywhere; each is bound once.
class UsedNames final : public Visitor {
 public:
  explicit UsedNames(const Program& program) {
    for (const StmPtr& s : program.constants) walk_node(*this, *s);
    for (const FunDef& f : program.functions) walk_node(*this, *f.body);
  }
  void use(const Name& n) override { names.insert(n); }
  void bind(const Name& n) override { (void)n; }

  NameSet names;
};

}  // namespace

NameSet unread_results(const Program& program) {
  const UsedNames used(program);
  NameSet unread;
  for_each_host_stm(program, [&](const StmPtr& s) {
    if (!std::holds_alternative<SegOp>(s->exp)) return;
    for (const PatElem& p : s->pat) {
      if (!used.names.contains(p.name)) unread.insert(p.name);
    }
  });
  return unread;
}

}  // namespace heddle::seg
