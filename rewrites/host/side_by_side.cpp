#include "rewrites/host/side_by_side.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "ir/nest/uses.h"
#include "rewrites/host/each_block.h"
#include "rewrites/host/same_memory.h"

namespace heddle::host {

namespace {

// Statements of a thread, one after the other, that take a few microseconds.
constexpr int64_t kMany = 256;

// What a kernel does to the memory that it is handed, and whether it may run beside others.
struct Traits {
  bool can_fail = false;
  bool takes_long = false;
  std::vector<bool> writes;  // by buffer
};

// How many statements a thread executes, as far as is known; kMany for all that are more, and for loops of unknown length.
struct Steps : nest::Walker<Steps> {
  int64_t count = 0;

  void expr(const nest::Expr&) {}
  void stmt(const nest::Stmt& s) {
    if (count >= kMany) return;
    const int64_t before = count;
    count = 0;
    Walker::stmt(s);
    int64_t times = 1;
    if (const auto* loop = std::get_if<nest::For>(&s->node)) {
      const bool in_turn = loop->role == nest::Role::Serial || loop->role == nest::Role::Unrolled;
      if (in_turn) times = nest::int_constant(loop->extent).value_or(kMany);
    }
    if (std::holds_alternative<nest::While>(s->node)) times = kMany;
    count = std::min(kMany, before + std::min(kMany, times) * (count + 1));
  }
};

Traits traits_of(const nest::Kernel& kernel) {
  Traits traits;
  const nest::NameSet written = nest::written_buffers(kernel.body);
  for (const nest::Buffer& b : kernel.buffers) traits.writes.push_back(written.contains(b.name));
  nest::for_each_stmt(kernel.body,
                      [&](const nest::Stmt& s) { traits.can_fail |= std::holds_alternative<nest::Fail>(s->node); });
  Steps steps;
  steps.body(kernel.body);
  traits.takes_long = steps.count >= kMany;
  return traits;
}

// Statements that the host executes by itself: nothing is queued for them.
template <class... Node>
bool is_one_of(const Stmt& s) {
  return (std::holds_alternative<Node>(s->node) || ...);
}
bool queues_nothing(const Stmt& s) {
  return is_one_of<Let, Measure, GetParam, GetMax, Compare, Alloc, Free, Share, Slice, FlatSlice, Rearrange, Broadcast,
                   Assert, Check>(s);
}

struct Use {
  Name memory;
  bool written;
};

class Runs {
 public:
  Runs(const std::vector<Traits>& traits, const Block& body) : traits_(traits), memory_(body) {}

  void mark_in(Block& b) const {
    std::vector<Use> run;  // all that its kernels use
    Stmt* latest = nullptr;
    for (Stmt& s : b.stmts) {
      if (queues_nothing(s)) continue;
      const auto* launch = std::get_if<Launch>(&s->node);
      if (!launch || !may_take_part(traits_[static_cast<size_t>(launch->kernel)])) {
        latest = nullptr;
        continue;
      }
      const std::vector<Use> uses = uses_of(*launch);
      if (uses.empty()) {
        latest = nullptr;
        continue;
      }
      if (latest && independent(run, uses)) {
        Launch before = std::get<Launch>((*latest)->node);
        before.beside_next = true;
        *latest = stmt(std::move(before));
      } else {
        run.clear();
      }
      run.insert(run.end(), uses.begin(), uses.end());
      latest = &s;
    }
  }

 private:
  static bool may_take_part(const Traits& traits) { return traits.takes_long && !traits.can_fail; }

  std::vector<Use> uses_of(const Launch& launch) const {
    std::vector<Use> uses;
    const Traits& traits = traits_[static_cast<size_t>(launch.kernel)];
    for (size_t i = 0; i < launch.buffers.size(); ++i)
      uses.push_back({memory_.of(launch.buffers[i]), traits.writes[i]});
    return uses;
  }

  static bool independent(const std::vector<Use>& some, const std::vector<Use>& others) {
    return std::ranges::none_of(some, [&](const Use& a) {
      return std::ranges::any_of(others,
                                 [&](const Use& b) { return (a.written || b.written) && a.memory == b.memory; });
    });
  }

  const std::vector<Traits>& traits_;
  SameMemory memory_;
};

}  // namespace

Program side_by_side(Program program) {
  std::vector<Traits> traits;
  for (const nest::Kernel& k : program.kernels) traits.push_back(traits_of(k));
  each_body(program, [&](Block& body) {
    const Runs runs(traits, body);
    each_block(body, [&](Block& b) { runs.mark_in(b); });
  });
  return program;
}

}  // namespace heddle::host
