#include "rewrites/host/build.h"

#include <fmt/format.h>

#include "ir/seg/entry.h"
#include "rewrites/host/builder.h"
#include "rewrites/plan/host_ops.h"

namespace heddle::host {

void Tables::add_param(const std::string& name, const seg::SizeClass& size_class) {
  if (std::ranges::find(program.params, name, &TuningParam::name) == program.params.end())
    program.params.push_back({name, size_class});
}

std::vector<LabelledWay> labelled_ways(const lower::PlannedProgram& lowered) {
  std::vector<LabelledWay> all;
  std::unordered_set<const lower::Plan*> known;
  std::string scope;
  int in_scope = 0;
  for (const lower::HostOp& op : lower::host_ops(lowered)) {
    if (op.lowered->specialized.empty() || !known.insert(op.lowered).second) continue;
    if (op.entry != scope) in_scope = 0;
    scope = op.entry;
    std::string label = fmt::format("{}.contraction_{}", scope == "(constants)" ? "constants" : scope, in_scope++);
    for (const lower::Specialized& way : op.lowered->specialized)
      all.push_back({way.name.empty() ? label : label + "_" + way.name, &way, op.lowered});
  }
  return all;
}

namespace {

class ProgramBuilder {
 public:
  ProgramBuilder(const lower::PlannedProgram& lowered, const BuildOptions& options)
      : seg_(lowered.program), tables_{lowered, options.compiles, {}, {}, {}, {}} {
    for (const LabelledWay& way : labelled_ways(lowered)) tables_.labels.emplace(way.way, way.label);
    for (const lower::Failure& f : lowered.failures) {
      tables_.program.failures.push_back({f.message, f.location});
      check_failure(tables_.program.failures.back(), {});
    }
  }

  Program run() {
    tables_.program.types = seg_.types;
    Builder init(tables_);
    init.statements(seg_.constants);
    nest::NameSet used;
    for (const seg::FunDef& f : seg_.functions) {
      tables_.program.functions.push_back(function(f));
      used.merge(free_names(tables_.program.functions.back().body));
    }
    std::vector<Value> yields;
    for (const seg::StmPtr& s : seg_.constants) {
      for (const seg::PatElem& p : s->pat) {
        if (!used.contains(p.name)) continue;
        tables_.program.constants.push_back({p.name, {p.type.elem, p.type.rank()}});
        yields.push_back(p.type.is_array() ? init.yield(p.name) : Value(nest::var(p.name, p.type.elem)));
      }
    }
    tables_.program.init = init.finish(std::move(yields));
    return std::move(tables_.program);
  }

 private:
  Function function(const seg::FunDef& f) {
    if (!f.entry)
      refuse_at(fmt::format("the function {}, which is not an entry point, and calls to it", f.name), f.position);
    Builder builder(tables_);
    for (const seg::StmPtr& s : seg_.constants) {
      for (const seg::PatElem& p : s->pat) builder.borrow(p.name, p.type);
    }
    Function result{*f.entry, {}, {}};
    seg::OpaqueTypes types(seg_);
    size_t num_inputs = 0, num_outputs = 0;
    for (const seg::EntryParam& p : f.entry->params) num_inputs += constituents(types, p.type);
    for (const seg::EntryResult& r : f.entry->results) num_outputs += constituents(types, r.type);
    size_t num_sizes = f.params.size() - num_inputs;
    std::vector<Name> inputs;
    for (size_t i = num_sizes; i < f.params.size(); ++i) {
      const seg::Param& p = f.params[i];
      inputs.push_back(builder.borrow(p.name, p.type));
      result.inputs.push_back({inputs.back(), {p.type.elem, p.type.rank()}});
    }
    builder.bind_sizes(f.params, num_sizes, inputs);
    builder.statements(f.body->stms);
    std::vector<Value> yields;
    for (size_t i = f.ret.size() - num_outputs; i < f.body->result.size(); ++i)
      yields.push_back(builder.deliver(f.body->result[i].value));
    result.body = builder.finish(std::move(yields));
    return result;
  }

  static size_t constituents(const seg::OpaqueTypes& types, const seg::EntryType& type) {
    auto all = types.constituents(type);
    return all ? all->size() : 0;
  }

  const seg::Program& seg_;
  Tables tables_;
};

}  // namespace

Result<Program> build(const lower::PlannedProgram& lowered, const BuildOptions& options) {
  try {
    return ProgramBuilder(lowered, options).run();
  } catch (const Refused& refused) {
    return refused.error;
  }
}

}  // namespace heddle::host
