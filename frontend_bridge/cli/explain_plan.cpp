#include "frontend_bridge/cli/explain_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/graphviz.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "frontend_bridge/explain/stages.h"
#include "ir/nest/printer.h"
#include "ir/seg/printer.h"
#include "rewrites/graph/graph.h"
#include "rewrites/plan/accesses.h"
#include "rewrites/plan/host_ops.h"
#include "rewrites/recipes/way.h"

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

std::vector<Name> names_of_results(const seg::Stm& s) {
  std::vector<Name> names;
  for (const seg::PatElem& p : s.pat) names.push_back(p.name);
  return names;
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

// Views and the like as the program has them, where that is a line.
std::string host_text(const seg::Stm& s) {
  std::string control = control_of(s);
  if (control != "host") return control;
  const std::string text = seg::print(s.exp);
  return text.size() < kLongestElement && text.find('\n') == std::string::npos ? "host: " + text : control;
}

std::string element_text(const std::vector<nest::Expr>& index) {
  std::string text;
  for (const nest::Expr& e : index) text += "[" + nest::to_text(e) + "]";
  return text.size() < kLongestElement ? text : "[...]";
}

// What the host checks for all points at once, so that no thread does; each once.
std::vector<std::string> checks_of(const lower::Launch& launch) {
  std::vector<std::string> checks;
  for (const lower::HostCheck& c : launch.checks) {
    std::string text = nest::to_text(c.holds);
    if (std::ranges::find(checks, text) == checks.end()) checks.push_back(std::move(text));
  }
  return checks;
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

  nlohmann::json json(HostSizes& sizes) const {
    nlohmann::json nodes = nlohmann::json::array(), edges = nlohmann::json::array(),
                   of_stages = nlohmann::json::array();
    for (size_t v = 0; v < boost::num_vertices(arrays()); ++v) nodes.push_back(node_json(arrays()[v], sizes));
    for (auto [edge, end] = boost::edges(arrays()); edge != end; ++edge) {
      edges.push_back({{"from", boost::source(*edge, arrays())},
                       {"to", boost::target(*edge, arrays())},
                       {"array", arrays()[*edge].array.text()},
                       {"overwrites", arrays()[*edge].overwrites}});
    }
    for (size_t v = 0; v < boost::num_vertices(arrays()); ++v) add_reads_of_others(v, edges);
    for (const lower::FusionRecord* f : pipelines()) of_stages.push_back(pipeline_json(*f));
    return {{"nodes", nodes}, {"edges", edges}, {"pipelines", of_stages}};
  }

  // The pipelines whose stages are in this function, lone stages apart.
  std::vector<const lower::FusionRecord*> pipelines() const {
    std::vector<const lower::FusionRecord*> found;
    for (const lower::FusionRecord& f : program_.fusions) {
      bool here = false;
      for (size_t v = 0; v < boost::num_vertices(arrays()); ++v)
        here |= arrays()[v].stm && std::ranges::find(f.stms, arrays()[v].stm, &seg::StmPtr::get) != f.stms.end();
      const bool is_nested = std::ranges::any_of(f.groups, [](const auto& g) { return !g.nesting.empty(); });
      if (here && (f.pipeline.size() > 1 || is_nested)) found.push_back(&f);
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

  // A group's kernel reads what its stages read, of which the operation itself says nothing.
  void add_reads_of_others(size_t v, nlohmann::json& edges) const {
    const lower::Plan* plan = plan_of(arrays()[v]);
    if (!plan || boost::in_degree(v, arrays()) > 0) return;
    for (const lower::Access& a : lower::accesses(*plan, names_of_results(*arrays()[v].stm))) {
      if (a.writes) continue;
      size_t maker = 0;  // the input
      for (size_t m = 0; m < v; ++m) {
        const seg::Stm* s = arrays()[m].stm;
        if (s && std::ranges::find(s->pat, a.array, &seg::PatElem::name) != s->pat.end()) maker = m;
      }
      edges.push_back({{"from", maker}, {"to", v}, {"array", a.array.text()}, {"overwrites", false}});
    }
  }

  nlohmann::json node_json(const Node& node, HostSizes& sizes) const {
    nlohmann::json n = {{"depth", depth(node)}, {"branch", branch_of(node)}};
    if (node.kind == NodeKind::Input || node.kind == NodeKind::Output) {
      n["title"] = node.kind == NodeKind::Input ? "input" : "results";
      return n;
    }
    const lower::Plan* plan = plan_of(node);
    n["title"] = names_of(node.stm->pat);
    n["what"] = plan ? lower::describe(*node.stm) : host_text(*node.stm);
    n["another_name"] = std::holds_alternative<seg::Atom>(node.stm->exp);
    if (auto loop = program_.loops.find(node.stm); loop != program_.loops.end()) n["loop"] = loop->second;
    if (!plan) return n;
    n["recipe"] = plan->recipe;
    n["match"] = plan->match ? "contraction: " + recognize::to_text(*plan->match) : "";
    n["why_not"] = plan->why_not;
    for (const char* list : {"considered", "kernels", "ways"}) n[list] = nlohmann::json::array();
    for (const lower::Considered& c : plan->considered)
      n["considered"].push_back({{"recipe", c.recipe}, {"why_not", c.why_not}});
    auto launch_json = [&](const lower::Launch& l) {
      nlohmann::json launch = {{"name", l.kernel.name},
                               {"blocks", nest::to_text(l.num_blocks)},
                               {"threads", nest::to_text(l.block_size)},
                               {"checks", checks_of(l)},
                               {"loops", nest::to_text(l.kernel)}};
      std::optional<int64_t> blocks = sizes.value_if_known(nest::substitute(lower::host_values(l), l.num_blocks));
      if (blocks) launch["number_of_blocks"] = *blocks;
      return launch;
    };
    for (const lower::Launch& l : plan->launches) n["kernels"].push_back(launch_json(l));
    for (const lower::Specialized& way : plan->specialized) {
      n["ways"].push_back({{"name", way.name},
                           {"guard", way.guard ? nest::to_text(way.guard) : ""},
                           {"match", recognize::to_text(way.match)},
                           {"kernel", launch_json(way.launch)}});
    }
    if (fusion_of(program_, *node.stm)) {
      JsonWriter group;
      write_group(program_, *node.stm, group);
      n["group"] = nlohmann::json::parse(group.take());
    }
    return n;
  }

  static std::string plan_lines(const seg::Stm& stm, const lower::Plan& plan, const std::string& indent) {
    std::string out;
    for (const lower::Access& a : lower::accesses(plan, names_of_results(stm))) {
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
    for (const lower::Launch& l : plan.launches) {
      out += fmt::format("{}  kernel {}: {} blocks\n", indent, l.kernel.name, nest::to_text(l.num_blocks));
      const std::vector<std::string> checks = checks_of(l);
      for (size_t k = 0; k < checks.size() && k < kMostElements; ++k)
        out += fmt::format("{}    the host checks before: {}\n", indent, checks[k]);
      if (checks.size() > kMostElements)
        out += fmt::format("{}    and {} more\n", indent, checks.size() - kMostElements);
    }
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

nlohmann::json plan_json(const lower::PlannedProgram& program, HostSizes& sizes) {
  nlohmann::json functions = nlohmann::json::array(), dropped = nlohmann::json::array();
  for (const seg::FunDef& f : program.program.functions) {
    nlohmann::json function = FunctionPlan(program, f).json(sizes);
    function["name"] = f.entry ? f.entry->name : f.name;
    functions.push_back(std::move(function));
  }
  for (const lower::DroppedVersion& d : program.dropped)
    dropped.push_back(fmt::format("{}, line {}: {}", d.function, d.line, d.reason));
  return {{"functions", functions}, {"dropped", dropped}};
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
