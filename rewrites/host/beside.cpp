#include "rewrites/host/beside.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "ir/nest/uses.h"

namespace heddle::host {

namespace {

// So many take a few microseconds, and a loop of unknown length counts as so many.
constexpr int64_t kMany = 256;
constexpr int64_t kMost = int64_t{1} << 30;

struct Steps : nest::Walker<Steps> {
  int64_t count = 0;

  void expr(const nest::Expr&) {}
  void stmt(const nest::Stmt& s) {
    const int64_t before = count;
    count = 0;
    Walker::stmt(s);
    int64_t times = 1;
    if (const auto* loop = std::get_if<nest::For>(&s->node)) {
      const bool in_turn = loop->role == nest::Role::Serial || loop->role == nest::Role::Unrolled;
      if (in_turn) times = nest::int_constant(loop->extent).value_or(kMany);
    }
    if (std::holds_alternative<nest::While>(s->node)) times = kMany;
    count = std::min(kMost, before + std::min(kMost, times) * (count + 1));
  }
};

template <class... Node>
bool is_one_of(const Stmt& s) {
  return (std::holds_alternative<Node>(s->node) || ...);
}

KernelTraits traits_of(const nest::Kernel& kernel) {
  KernelTraits traits;
  const nest::NameSet written = nest::written_buffers(kernel.body);
  for (const nest::Buffer& b : kernel.buffers) traits.writes.push_back(written.contains(b.name));
  nest::for_each_stmt(kernel.body,
                      [&](const nest::Stmt& s) { traits.can_fail |= std::holds_alternative<nest::Fail>(s->node); });
  Steps steps;
  steps.body(kernel.body);
  traits.steps = steps.count;
  return traits;
}

}  // namespace

bool KernelTraits::may_run_beside() const { return steps >= kMany && !can_fail; }

std::vector<KernelTraits> kernel_traits(const Program& program) {
  std::vector<KernelTraits> traits;
  for (const nest::Kernel& k : program.kernels) traits.push_back(traits_of(k));
  return traits;
}

std::vector<Use> uses_of(const Launch& launch, const KernelTraits& traits, const SameMemory& memory) {
  std::vector<Use> uses;
  for (size_t i = 0; i < launch.buffers.size(); ++i) uses.push_back({memory.of(launch.buffers[i]), traits.writes[i]});
  return uses;
}

bool independent(const std::vector<Use>& some, const std::vector<Use>& others) {
  return std::ranges::none_of(some, [&](const Use& a) {
    return std::ranges::any_of(others, [&](const Use& b) { return (a.written || b.written) && a.memory == b.memory; });
  });
}

bool queues_nothing(const Stmt& s) {
  return is_one_of<Let, Measure, GetParam, GetMax, Compare, Alloc, Free, Share, Slice, FlatSlice, Rearrange, Broadcast,
                   Assert, Check>(s);
}

}  // namespace heddle::host
