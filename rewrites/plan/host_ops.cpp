#include "rewrites/plan/host_ops.h"

#include "ir/seg/host_stms.h"
#include "ir/seg/printer.h"

namespace heddle::lower {

std::vector<HostOp> host_ops(const PlannedProgram& program) {
  std::vector<HostOp> ops;
  auto collect = [&](const std::string& entry, const seg::Stms& stms) {
    seg::for_each_host_stm(stms, [&](const seg::StmPtr& s) {
      auto it = program.plans.find(s.get());
      if (it != program.plans.end()) ops.push_back({entry, s.get(), &it->second});
    });
  };
  collect("(constants)", program.program.constants);
  for (const seg::FunDef& f : program.program.functions) collect(f.entry ? f.entry->name : f.name, f.body->stms);
  return ops;
}

std::string describe(const seg::Stm& s) {
  std::string text;
  for (const seg::PatElem& p : s.pat) text += (text.empty() ? "" : ", ") + p.name.text();
  const auto* op = std::get_if<seg::SegOp>(&s.exp);
  if (!op) return text + " = gpu";
  static constexpr const char* kKinds[] = {"segmap", "segred", "segscan", "seghist"};
  return text + " = " + kKinds[static_cast<size_t>(op->kind)] + seg::print(op->space);
}

}  // namespace heddle::lower
