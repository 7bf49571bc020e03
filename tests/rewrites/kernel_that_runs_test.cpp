// That a derivation ends with the kernel that a program launches.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cctype>
#include <map>

#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "rewrites/contraction/schedule_steps.h"
#include "rewrites/contraction/steps.h"
#include "rewrites/plan/stop_derivations.h"
#include "rewrites/recipes/alternatives.h"
#include "rewrites/recipes/specialize.h"
#include "tests/rewrites/contraction_examples.h"
#include "tests/rewrites/random_contraction.h"

namespace heddle::contraction {
namespace {

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The text with names numbered in the order in which they occur.
std::string with_numbered_names(const std::string& text) {
  std::map<std::string, size_t> numbers;
  std::string result;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && in_word(text[end])) ++end;
    std::string word = text.substr(at, end - at);
    bool is_name = word.find('_') != std::string::npos && std::isdigit(static_cast<unsigned char>(word.back())) != 0;
    if (is_name) word = "name" + std::to_string(numbers.try_emplace(word, numbers.size()).first->second);
    result += word;
    if (end == at) result += text[end++];
    at = end;
  }
  return result;
}

// What is in the kernel, but for parameters that another way to compute the contraction may need.
std::string in_one_text(const nest::Kernel& k) {
  return with_numbered_names(nest::to_text(k.body) + nest::to_text(k.bounds->threads) +
                             nest::to_text(k.bounds->registers));
}

// Registers of the body that are kept with 32 bits.
size_t num_narrow(const nest::Kernel& k) {
  size_t count = 0;
  nest::for_each_stmt(k.body, [&](const nest::Stmt& s) {
    const auto* alloc = std::get_if<nest::Alloc>(&s->node);
    count += alloc && nest::is_address_scalar(k, alloc->buffer.name) ? 1 : 0;
  });
  return count;
}

void expect_derived(const recognize::Contraction& match, const lower::Launch& direct, NameSource& names) {
  auto ways = lower::alternatives(match, direct, lower::Products::AsWritten, names);
  RC_PRE(static_cast<bool>(ways));
  for (const lower::Specialized& way : *ways) {
    Derivation d = derive(way.match, lower::unfixed_kernel(way));
    RC_ASSERT(d.stopped == "");
    nest::Kernel derived = d.steps.back().kernel;
    RC_ASSERT(in_one_text(derived) == in_one_text(way.launch.kernel));
    RC_ASSERT(num_narrow(derived) == num_narrow(way.launch.kernel));
  }
}

RC_GTEST_PROP(KernelThatRuns, IsTheLastOfItsDerivation, ()) {
  NameSource names(1);
  examples::RandomContraction random = examples::random_contraction(names);
  expect_derived(random.match, random.direct, names);
}

// The nest that the derivation begins with does not read it, but tiles of it are filled.
TEST(KernelThatRuns, IsTheLastOfItsDerivationWhereAnOperandIsAlwaysBeyondItsEnds) {
  NameSource names(1);
  examples::Example e = examples::product(names);
  nest::Buffer beyond{names.fresh("beyond"), prim::Type::F32, nest::Space::Global, e.direct.buffers[0].dims, {}};
  beyond.strides = nest::dense_strides(beyond.dims);
  recognize::Operand never{names.fresh("z"), beyond.name, beyond.elem, {}, true};
  for (size_t d = 0; d < beyond.dims.size(); ++d) never.index.emplace_back(-1);
  e.contraction.term = nest::operation(prim::Op(prim::Family::FMul, beyond.elem),
                                       {e.contraction.term, nest::var(never.value, beyond.elem)});
  e.contraction.operands.push_back(never);
  lower::Launch direct;
  direct.kernel = e.direct;
  direct.kernel.buffers.push_back(beyond);
  for (const nest::ScalarParam& s : direct.kernel.scalars) direct.scalar_args.emplace_back(nest::var(s.name, s.type));
  for (const nest::Buffer& b : direct.kernel.buffers)
    direct.buffer_args.push_back(b.name == e.contraction.result.buffer
                                     ? lower::BufferArg(lower::ResultArray{0})
                                     : lower::BufferArg(lower::HostArray{names.fresh("host")}));
  auto ways = lower::alternatives(e.contraction, direct, lower::Products::AsWritten, names);
  ASSERT_TRUE(ways);
  EXPECT_FALSE(ways->empty());
  for (const lower::Specialized& way : *ways) {
    Derivation d = derive(way.match, lower::unfixed_kernel(way));
    EXPECT_EQ(d.stopped, "");
    EXPECT_FALSE(nest::free_names(d.direct.kernel.body).contains(beyond.name));
    EXPECT_EQ(in_one_text(d.steps.back().kernel), in_one_text(way.launch.kernel));
  }
}

// What `--until` makes of the last step is the kernel that runs, its narrow registers included.
RC_GTEST_PROP(KernelThatRuns, IsWhatStoppingAtTheLastStepYields, ()) {
  NameSource names(1);
  examples::RandomContraction random = examples::random_contraction(names);
  auto ways = lower::alternatives(random.match, random.direct, lower::Products::AsWritten, names);
  RC_PRE(static_cast<bool>(ways));
  lower::PlannedProgram program;
  program.plans[nullptr].specialized = *ways;
  RC_ASSERT(!lower::stop_derivations(program, schedule_rewrites().back().name));
  for (size_t i = 0; i < ways->size(); ++i) {
    const nest::Kernel &stopped = program.plans[nullptr].specialized[i].launch.kernel,
                       &kernel = (*ways)[i].launch.kernel;
    RC_ASSERT(in_one_text(stopped) == in_one_text(kernel));
    RC_ASSERT(num_narrow(stopped) == num_narrow(kernel));
  }
}

}  // namespace
}  // namespace heddle::contraction
