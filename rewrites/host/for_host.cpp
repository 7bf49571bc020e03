#include "rewrites/host/for_host.h"

#include <algorithm>

#include "rewrites/host/each_block.h"

namespace heddle::host {

namespace {

// Buffers that a kernel does anything with but storing.
nest::NameSet not_only_stored(const nest::Kernel& kernel) {
  struct Uses : nest::Walker<Uses> {
    nest::NameSet names;
    void use(const Name& n) { names.insert(n); }
    void stmt(const nest::Stmt& s) {
      const auto* store = std::get_if<nest::Store>(&s->node);
      if (!store) return nest::Walker<Uses>::stmt(s);
      for (const Expr& e : store->index) expr(e);
      expr(store->value);
    }
  } uses;
  uses.body(kernel.body);
  return std::move(uses.names);
}

bool is_one_element(const Alloc& a) {
  return std::ranges::all_of(a.shape, [](const Expr& e) { return nest::int_constant(e) == 1; });
}

// Of the arrays of one element that a body makes, those that it reads, and those that it does anything else with but having kernels
// store to them.
struct Search : Walker<Search> {
  const Program& program;
  nest::NameSet made, read, otherwise;
  explicit Search(const Program& program) : program(program) {}

  void expr(const Expr&) {}
  void use(const Name& n) { otherwise.insert(n); }
  void write(const Name& n) { use(n); }
  void end(const Name& n) { use(n); }
  void stmt(const Stmt& s) {
    if (std::holds_alternative<Free>(s->node)) return;
    if (const auto* alloc = std::get_if<Alloc>(&s->node); alloc && !alloc->from && is_one_element(*alloc)) {
      made.insert(alloc->name);
    } else if (const auto* element = std::get_if<ReadElement>(&s->node)) {
      read.insert(element->array);
    } else if (const auto* launch = std::get_if<Launch>(&s->node)) {
      if (std::ranges::none_of(launch->buffers, [&](const Name& n) { return made.contains(n); })) return;
      const nest::Kernel& kernel = program.kernels[static_cast<size_t>(launch->kernel)];
      nest::NameSet uses = not_only_stored(kernel);
      for (size_t i = 0; i < launch->buffers.size(); ++i) {
        if (uses.contains(kernel.buffers[i].name)) use(launch->buffers[i]);
      }
    } else {
      Walker<Search>::stmt(s);
    }
  }
};

void for_host_in(Block& body, const Program& program) {
  Search search(program);
  search.body(body);
  each_block(body, [&](Block& b) {
    for (Stmt& s : b.stmts) {
      const auto* found = std::get_if<Alloc>(&s->node);
      if (!found || !search.made.contains(found->name)) continue;
      if (!search.read.contains(found->name) || search.otherwise.contains(found->name)) continue;
      Alloc alloc = *found;
      alloc.for_host = true;
      s = stmt(std::move(alloc));
    }
  });
}

}  // namespace

Program for_host(Program program) {
  for_host_in(program.init, program);
  for (Function& f : program.functions) for_host_in(f.body, program);
  return program;
}

}  // namespace heddle::host
