#include "frontend_bridge/cli/explain_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/graphviz.hpp>
#include <sstream>

#include "frontend_bridge/cli/explain_stages.h"
#include "ir/nest/printer.h"
#include "ir/seg/printer.h"
#include "rewrites/graph/graph.h"
#include "rewrites/plan/accesses.h"
#include "rewrites/plan/host_ops.h"

namespace heddle::cli {

namespace {

using graph::Arrays;
using graph::Graph;
using graph::Node;
using graph::NodeKind;

// Elements of an array that are written out.
constexpr size_t kMostElements = 4;
constexpr size_t kLongestElement = 100;  // characters

std::string names_of(const seg::Pat& pat) {
  std::string text;
  for (const seg::PatElem& p : pat) text += (text.empty() ? "" : ", ") + p.name.text();
  return text;
}

std::string control_of(const seg::Stm& s) {
  if (const auto* loop = std::get_if<seg::Loop>(&s.exp)) {
    if (const auto* f = std::get_if<seg::ForLoop>(&loop->form))
      return fmt::format("loop {} < {}", f->index.text(), seg::print(f->bound));
    return "loop while " + std::get<seg::WhileLoop>(loop->form).condition.text();
  }
  const auto* match = std::get_if<seg::Match>(&s.exp);
  if (!match) return "host";
  std::string subjects;
  for (const seg::SubExp& x : match->subjects) subjects += (subjects.empty() ? "" : ", ") + seg::print(x);
  return (match->sort == seg::MatchSort::Equiv ? "versions by " : "branch on ") + subjects;
}

std::string element_text(const std::vector<nest::Expr>& index) {
  std::string text;
  for (const nest::Expr& e : index) text += "[" + nest::to_text(e) + "]";
  return text.size() < kLongestElement ? text : "[...]";
}

class FunctionPlan {
 public:
  FunctionPlan(const lower::PlannedProgram& program, const seg::FunDef& function)
      : program_(program), graph_(program.program.constants, function) {}

  std::string text() const {
    std::string out;
    for (size_t v = 0; v < boost::num_vertices(arrays()); ++v) {
      const Node& node = arrays()[v];
      if (node.kind == NodeKind::Input) continue;
      std::string indent(2 * depth(node) + 2, ' ');
      if (node.kind == NodeKind::Output) {
        out += indent + "results: " + inputs(v) + "\n";
        continue;
      }
      const lower::Plan* plan = plan_of(node);
      std::string part = branch_of(node);
      out += fmt::format("{}{}{}", indent, part,
                         plan ? lower::describe(*node.stm) : names_of(node.stm->pat) + " = " + control_of(*node.stm));
      std::string from = inputs(v);
      out += (from.empty() ? "" : " of " + from) + "\n";
      if (plan) out += plan_lines(*node.stm, *plan, indent + "    ");
      if (auto loop = program_.loops.find(node.stm); loop != program_.loops.end()) {
        for (const std::string& line : loop->second) out += fmt::format("{}    {}\n", indent, line);
      }
    }
    return out;
  }

  // The pipelines whose stages are in this function, lone stages apart.
  std::vector<const lower::FusionRecord*> pipelines() const {
    std::vector<const lower::FusionRecord*> found;
    for (const lower::FusionRecord& f : program_.fusions) {
      bool here = false;
      for (size_t v = 0; v < boost::num_vertices(arrays()); ++v)
        here |= arrays()[v].stm && std::ranges::find(f.stms, arrays()[v].stm, &seg::StmPtr::get) != f.stms.end();
      if (here && f.pipeline.size() > 1) found.push_back(&f);
    }
    return found;
  }

  void dot(std::ostream& out) const {
    boost::write_graphviz(
        out, arrays(), [&](std::ostream& o, size_t v) { o << attributes(arrays()[v]); },
        [&](std::ostream& o, const Arrays::edge_descriptor& e) {
          o << fmt::format("[label={}{}]", seg::quote(arrays()[e].array.text()),
                           arrays()[e].overwrites ? ", style=bold" : "");
        });
  }

 private:
  const Arrays& arrays() const { return graph_.arrays(); }

  const lower::Plan* plan_of(const Node& node) const {
    auto it = program_.plans.find(node.stm);
    return it == program_.plans.end() ? nullptr : &it->second;
  }

  size_t depth(const Node& node) const {
    size_t levels = 0;
    for (const Node* at = &node; at->within; at = &arrays()[*at->within]) ++levels;
    return levels;
  }

  std::string branch_of(const Node& node) const {
    if (!node.within) return "";
    NodeKind kind = arrays()[*node.within].kind;
    return kind == NodeKind::Branch || kind == NodeKind::Versions ? fmt::format("({}) ", node.part + 1) : "";
  }

  std::string inputs(size_t v) const {
    std::vector<std::string> names;
    auto [edge, end] = boost::in_edges(v, arrays());
    for (; edge != end; ++edge)
      names.push_back(arrays()[*edge].array.text() + (arrays()[*edge].overwrites ? " (in place)" : ""));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return fmt::format("{}", fmt::join(names, ", "));
  }

  static std::string plan_lines(const seg::Stm& stm, const lower::Plan& plan, const std::string& indent) {
    std::string out;
    std::vector<Name> results;
    for (const seg::PatElem& p : stm.pat) results.push_back(p.name);
    for (const lower::Access& a : lower::accesses(plan, results)) {
      std::string elements;
      for (size_t k = 0; k < a.elements.size() && k < kMostElements; ++k)
        elements += (k == 0 ? "" : ", ") + element_text(a.elements[k]);
      if (a.elements.size() > kMostElements) elements += fmt::format(" and {} more", a.elements.size() - kMostElements);
      out += fmt::format("{}{} {} {}\n", indent, a.writes ? "writes" : "reads", a.array.text(), elements);
    }
    for (const lower::Work& w : lower::work_of(plan)) {
      out += fmt::format("{}{}: {} loads, {} stores, {} operations\n", indent,
                         w.steps ? "each of " + nest::to_text(w.steps) + " steps" : "a point", w.loads, w.stores,
                         w.operations);
    }
    for (const lower::Considered& c : plan.considered) {
      out += fmt::format("{}{}: {}\n", indent, c.recipe,
                         c.why_not.empty() ? "chosen, " + plan.recipe : "no, " + c.why_not);
    }
    for (const lower::Specialized& way : plan.specialized) {
      out += fmt::format("{}  tiled{}{}\n", indent, way.name.empty() ? "" : " (" + way.name + ")",
                         way.guard ? " if " + nest::to_text(way.guard) : "");
    }
    for (const lower::Launch& l : plan.launches)
      out += fmt::format("{}  kernel {}: {} blocks\n", indent, l.kernel.name, nest::to_text(l.num_blocks));
    return out;
  }

  std::string attributes(const Node& node) const {
    if (node.kind == NodeKind::Input) return "[label=\"input\", shape=plaintext]";
    if (node.kind == NodeKind::Output) return "[label=\"output\", shape=plaintext]";
    const lower::Plan* plan = plan_of(node);
    if (!plan) return fmt::format("[label={}]", seg::quote(names_of(node.stm->pat) + "\n" + control_of(*node.stm)));
    auto chosen = std::ranges::find(plan->considered, "", &lower::Considered::why_not);
    std::string recipe = chosen == plan->considered.end() ? plan->recipe : chosen->recipe;
    return fmt::format("[label={}, shape=box]", seg::quote(lower::describe(*node.stm) + "\n" + recipe));
  }

  const lower::PlannedProgram& program_;
  Graph graph_;
};

}  // namespace

std::string plan_text(const lower::PlannedProgram& program, const stencil::Tile& tile) {
  std::string out;
  for (const seg::FunDef& f : program.program.functions) {
    const FunctionPlan plan(program, f);
    out += (f.entry ? f.entry->name : f.name) + ":\n" + plan.text();
    for (const lower::FusionRecord* fusion : plan.pipelines()) out += stages_text(*fusion, tile);
  }
  for (const lower::DroppedVersion& d : program.dropped)
    out += fmt::format("{}: left out a version (line {}): {}\n", d.function, d.line, d.reason);
  return out;
}

std::string plan_dot(const lower::PlannedProgram& program) {
  std::ostringstream out;
  for (const seg::FunDef& f : program.program.functions) {
    const FunctionPlan plan(program, f);
    plan.dot(out);
    for (const lower::FusionRecord* fusion : plan.pipelines()) out << stages_dot(*fusion);
  }
  return out.str();
}

}  // namespace heddle::cli
