#include "codegen/host/launching.h"

#include "ir/host/traverse.h"

namespace heddle::codegen::host {

namespace {

namespace ir = heddle::host;

struct Launching : ir::Walker<Launching> {
  std::unordered_set<const ir::StmtNode*> found;
  bool launched = false;  // by the statement that we are in, so far

  void expr(const ir::Expr&) {}
  void stmt(const ir::Stmt& s) {
    const bool outer = launched;
    launched = std::holds_alternative<ir::Launch>(s->node) || std::holds_alternative<ir::LaunchChosen>(s->node);
    Walker::stmt(s);
    if (launched) found.insert(s.get());
    launched = launched || outer;
  }
};

}  // namespace

std::unordered_set<const ir::StmtNode*> launching_stmts(const ir::Block& block) {
  Launching launching;
  launching.body(block);
  return launching.found;
}

}  // namespace heddle::codegen::host
