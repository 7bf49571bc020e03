#include "rewrites/host/share_kernels.h"

#include <unordered_map>

#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "rewrites/host/each_block.h"

namespace heddle::host {

namespace {

// Names kernels' names by the order in which they occur.
struct Numbered : nest::Rebuilder<Numbered> {
  std::unordered_map<Name, int> numbers;
  void use(Name& n) { n = Name{"x", numbers.emplace(n, static_cast<int>(numbers.size())).first->second}; }
  void bind(Name& n) { use(n); }
};

// What all kernels have in common that compute the same in the same order from arguments in the same order.
std::string form_of(nest::Kernel kernel) {
  Numbered numbered;
  kernel.name = "kernel";
  for (nest::ScalarParam& p : kernel.scalars) numbered.bind(p.name);
  for (Name& n : kernel.constants) numbered.bind(n);
  for (Name& n : kernel.address_scalars) numbered.use(n);
  for (nest::Buffer& b : kernel.buffers) numbered.buffer(b);
  if (kernel.bounds) {
    numbered.expr(kernel.bounds->threads);
    numbered.expr(kernel.bounds->registers);
  }
  numbered.body(kernel.body);
  return nest::to_text(kernel);
}

// Of failures that say the same the first is named.
void name_first_failures(Program& program) {
  std::unordered_map<std::string, int> known;
  std::vector<int> first;
  for (const Failure& f : program.failures) {
    std::string words = f.location;
    for (const auto& part : f.message) {
      const auto* text = std::get_if<std::string>(&part);
      words += '\0';
      if (text) words += "text " + *text;
      if (!text) words += prim::name(std::get<prim::Type>(part));
    }
    first.push_back(known.emplace(std::move(words), static_cast<int>(first.size())).first->second);
  }
  struct Fails : nest::Rebuilder<Fails> {
    const std::vector<int>& first;
    explicit Fails(const std::vector<int>& first) : first(first) {}
    void expr(nest::Expr&) {}
    void stmts(const nest::Stmt& s, nest::Block& out) {
      const auto* fail = std::get_if<nest::Fail>(&s->node);
      if (!fail) return Rebuilder<Fails>::stmts(s, out);
      out.push_back(nest::stmt(nest::Fail{first.at(static_cast<size_t>(fail->id)), fail->args}));
    }
  } fails(first);
  for (nest::Kernel& k : program.kernels) fails.body(k.body);
}

std::vector<bool> launched_kernels(const Program& program) {
  std::vector<bool> launched(program.kernels.size());
  for_each_stmt(program, [&](const Stmt& s) {
    if (const auto* launch = std::get_if<Launch>(&s->node)) launched[static_cast<size_t>(launch->kernel)] = true;
  });
  return launched;
}

}  // namespace

Program share_kernels(Program program) {
  name_first_failures(program);
  std::vector<bool> launched = launched_kernels(program);
  std::unordered_map<std::string, int> known;
  std::vector<int> shared(program.kernels.size());
  std::vector<nest::Kernel> kept;
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    if (!launched[i]) continue;
    nest::Kernel& k = program.kernels[i];
    auto [it, is_new] = known.emplace(form_of(k), static_cast<int>(kept.size()));
    shared[i] = it->second;
    if (is_new) kept.push_back(std::move(k));
  }
  program.kernels = std::move(kept);
  each_block(program, [&](Block& b) {
    for (Stmt& s : b.stmts) {
      const auto* launch = std::get_if<Launch>(&s->node);
      if (!launch) continue;
      s = stmt(Launch{shared.at(static_cast<size_t>(launch->kernel)), launch->scalars, launch->buffers});
    }
  });
  return program;
}

}  // namespace heddle::host
