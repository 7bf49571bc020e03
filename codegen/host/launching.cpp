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

struct BesideOthers : ir::Walker<BesideOthers> {
  std::vector<bool> found;  // by kernel

  explicit BesideOthers(size_t num_kernels) : found(num_kernels) {}
  void expr(const ir::Expr&) {}
  void body(const ir::Block& block) {
    bool beside = false;  // the launch before
    for (const ir::Stmt& s : block.stmts) {
      if (const auto* launch = std::get_if<ir::Launch>(&s->node)) {
        if (beside || launch->beside_next) found[static_cast<size_t>(launch->kernel)] = true;
        beside = launch->beside_next;
      }
    }
    Walker::body(block);
  }
};

}  // namespace

std::unordered_set<const ir::StmtNode*> launching_stmts(const ir::Block& block) {
  Launching launching;
  launching.body(block);
  return launching.found;
}

std::vector<bool> kernels_beside_others(const ir::Program& program) {
  BesideOthers beside(program.kernels.size());
  beside.body(program.init);
  for (const ir::Function& f : program.functions) beside.body(f.body);
  return beside.found;
}

}  // namespace heddle::codegen::host
