// Kernels that run where there is none for the sizes at hand: what they read ahead. Texts are in passes_test.cpp.
#include "rewrites/host/wait_less.h"

#include <gtest/gtest.h>

#include <map>

#include "ir/host/traverse.h"
#include "tests/rewrites/planned.h"

namespace heddle::host {
namespace {

bool reads_ahead(const nest::Kernel& kernel) {
  bool found = false;
  nest::for_each_stmt(kernel.body, [&](const nest::Stmt& s) {
    const auto* alloc = std::get_if<nest::Alloc>(&s->node);
    found |= alloc && alloc->buffer.name.base == "ahead";
  });
  return found;
}

// Of kernels in the place of such for the sizes at hand, by entry point.
std::map<std::string, bool> by_entry(const Program& program) {
  std::map<std::string, bool> found;
  for (const Function& f : program.functions) {
    for_each_stmt(f.body, [&](const Stmt& s) {
      const auto* choose = std::get_if<Choose>(&s->node);
      if (!choose) return;
      for_each_stmt(choose->otherwise, [&](const Stmt& o) {
        if (const auto* launch = std::get_if<Launch>(&o->node))
          found[f.entry.name] |= reads_ahead(program.kernels.at(static_cast<size_t>(launch->kernel)));
      });
    });
  }
  return found;
}

TEST(WaitLess, InKernelsThatManySizesHaveToDoWith) {
  KernelOptions options;
  options.for_blocks();
  Result<Program> program = host_program(planned(test_program("changing_products.fut_gpu"), options), {true}, options);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(by_entry(*program), (std::map<std::string, bool>{{"changing", true}, {"steady", false}}));
}

}  // namespace
}  // namespace heddle::host
