#include "rewrites/lower/host_ops.h"

#include <utility>

#include "ir/seg/printer.h"
#include "ir/seg/traverse.h"

namespace heddle::lower {

namespace {

struct Collect {
  const LoweredProgram& program;
  std::string entry;
  std::vector<HostOp> ops;

  void use(const seg::Name&) {}
  void bind(const seg::Name&) {}
  bool enter(const seg::BodyPtr& body) {
    stms(body->stms);
    return false;
  }
  bool enter(const seg::KernelBodyPtr&) { return false; }

  void stms(const seg::Stms& stms) {
    for (const seg::StmPtr& s : stms) {
      auto it = program.kernels.find(s.get());
      if (it == program.kernels.end()) {
        seg::walk(*this, s->exp);
      } else {
        ops.push_back({entry, s.get(), &it->second});
      }
    }
  }
};

}  // namespace

std::vector<HostOp> host_ops(const LoweredProgram& program) {
  Collect c{program, "(constants)", {}};
  c.stms(program.program.constants);
  for (const seg::FunDef& f : program.program.functions) {
    c.entry = f.entry ? f.entry->name : f.name;
    c.stms(f.body->stms);
  }
  return std::move(c.ops);
}

std::string describe(const seg::Stm& s) {
  std::string text;
  for (const seg::PatElem& p : s.pat) text += (text.empty() ? "" : ", ") + p.name.text();
  const auto* op = std::get_if<seg::SegOp>(&s.exp);
  return text + (op ? " = segmap" + seg::print(op->space) : " = gpu");
}

}  // namespace heddle::lower
