#include "codegen/host/survey.h"

#include <fmt/format.h>

#include <unordered_set>

#include "codegen/host/c_writer.h"
#include "codegen/host/lifetimes.h"
#include "codegen/host/unneeded.h"
#include "ir/nest/traverse.h"
#include "runtime/device/limits.h"

namespace heddle::codegen::host {

namespace {

bool reads_memory(const nest::Expr& expr) {
  bool found = false;
  nest::for_each_expr(expr, [&](const nest::Expr& e) { found |= std::holds_alternative<nest::Load>(e->node); });
  return found;
}

std::string outside_kernels(const std::string& what) { return fmt::format("{} outside kernels", what); }

class Surveyor {
 public:
  Surveyor(const lower::LoweredProgram& program, bool compiles) : program_(program), compiles_(compiles) {
    survey_.unneeded = unneeded_scalars(program);
    survey_.failures = program.failures.all();
    for (const lower::Failure& failure : survey_.failures) check_failure(failure);
  }

  Survey run() {
    stms(program_.program.constants);
    for (const seg::FunDef& f : program_.program.functions) {
      if (!f.entry) refuse(fmt::format("the function {}, which is not an entry point, and calls to it", f.name));
      for (const seg::Param& p : f.params) check_type(p.type);
      scope_ = f.entry->name;
      num_contractions_ = 0;
      body(*f.body);
    }
    constants();
    return std::move(survey_);
  }

 private:
  [[noreturn]] void refuse(const std::string& construct) const {
    std::string where = position_.line > 0 ? fmt::format(" (line {} of the IR)", position_.line) : "";
    heddle::refuse(construct + where);
  }

  void check_type(const seg::Type& type) {
    if (type.rank() > HD_MAX_RANK) refuse(fmt::format("arrays of more than {} dimensions", HD_MAX_RANK));
  }

  void check_failure(const lower::Failure& failure) {
    size_t num_args = 0;
    for (const auto& part : failure.message) num_args += std::holds_alternative<prim::Type>(part) ? 1 : 0;
    if (num_args > HD_MAX_FAILURE_ARGS)
      refuse(fmt::format("error messages with more than {} values", HD_MAX_FAILURE_ARGS));
  }

  void body(const seg::Body& b) { stms(b.stms); }

  void stms(const seg::Stms& all) {
    for (const seg::StmPtr& s : all) {
      if (survey_.unneeded.contains(s.get())) continue;
      position_ = s->position;
      for (const seg::PatElem& p : s->pat) check_type(p.type);
      stm_ = s.get();
      std::visit(*this, s->exp);
    }
  }

 public:
  // Statements that need no table are all alike.
  template <class E>
  void operator()(const E&) {}

  void operator()(const seg::Assert& a) {
    lower::Failure failure;
    for (const seg::ErrorPart& part : a.message) {
      if (const auto* text = std::get_if<std::string>(&part)) {
        failure.message.emplace_back(*text);
      } else {
        failure.message.emplace_back(std::get<seg::ErrorVal>(part).type);
      }
    }
    failure.location = a.location;
    check_failure(failure);
    survey_.failure_index[stm_] = static_cast<int>(survey_.failures.size());
    survey_.failures.push_back(std::move(failure));
  }

  void operator()(const seg::Apply& a) {
    if (!prim::find_function(a.function)) refuse(fmt::format("calls of the function {}", a.function));
  }

  void operator()(const seg::Match& m) {
    for (const seg::Case& c : m.cases) body(*c.body);
    body(*m.otherwise);
  }

  void operator()(const seg::Loop& l) {
    for (const seg::Param& p : l.params) check_type(p.type);
    body(*l.body);
  }
  void operator()(const seg::WithAcc& w) { body(*w.lambda.body); }

  void operator()(const seg::GetSize& g) { add_param(g.key, g.size_class); }
  void operator()(const seg::CmpSize& c) { add_param(c.key, c.size_class); }
  void operator()(const seg::CalcNumBlocks& c) {
    add_param(c.max_blocks_key, seg::SizeClass{seg::SizeClassKind::Grid, {}, {}, {}});
  }

  void operator()(const seg::SegOp& s) {
    static constexpr const char* kNames[] = {"segmap", "segred", "segscan", "seghist"};
    lowered(fmt::format("this {}", kNames[static_cast<int>(s.kind)]));
  }
  void operator()(const seg::GpuBody&) { lowered("this gpu block"); }

  void operator()(const seg::Screma&) { refuse(outside_kernels("map, reduce and scan")); }
  void operator()(const seg::Scatter&) { refuse(outside_kernels("scatter")); }
  void operator()(const seg::Hist&) { refuse(outside_kernels("hist")); }
  void operator()(const seg::Stream&) { refuse(outside_kernels("streams")); }
  void operator()(const seg::Derivative&) { refuse(outside_kernels("jvp and vjp")); }
  void operator()(const seg::UpdateAcc&) { refuse(outside_kernels("accumulator updates")); }

 private:
  void add_param(const std::string& name, const seg::SizeClass& size_class) {
    if (survey_.param_index.emplace(name, static_cast<int>(survey_.params.size())).second) {
      survey_.params.push_back({name, size_class});
    }
  }

  void lowered(const std::string& what) {
    auto it = program_.kernels.find(stm_);
    if (it == program_.kernels.end()) refuse(what);
    for (const lower::Launch& launch : it->second.launches) add_kernel(launch);
    const std::vector<lower::Specialized>& ways = it->second.specialized;
    if (!compiles_ || ways.empty() || survey_.specialized_index.contains(ways.data())) return;
    std::string label = fmt::format("{}.contraction_{}", scope_, num_contractions_++);
    for (const lower::Specialized& way : ways) {
      survey_.specialized_index.emplace(&way, static_cast<int>(survey_.specialized.size()));
      for (const lower::Launch& l : way.after) add_kernel(l);
      survey_.ways.push_back(&way);
      survey_.specialized.push_back(way.launch.kernel);
      survey_.specialized.back().name = unique_name(way.launch.kernel.name);
      survey_.labels.push_back(way.name.empty() ? label : label + "_" + way.name);
    }
  }

  void add_kernel(const lower::Launch& launch) {
    for (const lower::ScalarArg& arg : launch.scalar_args) {
      const auto* expr = std::get_if<nest::Expr>(&arg);
      if (expr && reads_memory(*expr)) refuse("launch arguments that read arrays");
    }
    if (!survey_.kernel_index.emplace(&launch, static_cast<int>(survey_.kernels.size())).second) return;
    survey_.kernels.push_back({launch.kernel, launch.can_fail});
    nest::Kernel& kernel = survey_.kernels.back().kernel;
    kernel.name = unique_name(kernel.name);
  }

  std::string unique_name(const std::string& wanted) {
    std::string base = c_identifier(wanted), name = base;
    for (int i = 1; !kernel_names_.insert(name).second; ++i) name = fmt::format("{}_v{}", base, i);
    return name;
  }

  void constants() {
    seg::NameSet used;
    for (const seg::FunDef& f : program_.program.functions) {
      used.merge(uses(program_, *f.body));
    }
    for (const seg::StmPtr& s : program_.program.constants) {
      for (const seg::PatElem& p : s->pat) {
        if (!used.contains(p.name) || p.type.is_acc()) continue;
        if (p.type.is_scalar() && p.type.elem == prim::Type::Unit) continue;
        survey_.constant_index[p.name] = static_cast<int>(survey_.constants.size());
        survey_.constants.push_back({p.name, p.type});
      }
    }
  }

  const lower::LoweredProgram& program_;
  bool compiles_;
  Survey survey_;
  seg::Position position_;
  const seg::Stm* stm_ = nullptr;
  std::unordered_set<std::string> kernel_names_;
  std::string scope_ = "constants";  // the entry point
  int num_contractions_ = 0;         // in it so far
};

}  // namespace

Result<Survey> survey(const lower::LoweredProgram& program, bool compiles) {
  try {
    return Surveyor(program, compiles).run();
  } catch (const Refused& refused) {
    return refused.error;
  }
}

}  // namespace heddle::codegen::host
