#include "rewrites/host/side_by_side.h"

#include <algorithm>

#include "rewrites/host/beside.h"
#include "rewrites/host/each_block.h"

namespace heddle::host {

namespace {

class Runs {
 public:
  Runs(const std::vector<KernelTraits>& traits, const Block& body) : traits_(traits), memory_(body) {}

  void mark_in(Block& b) const {
    std::vector<Member> run;
    for (Stmt& s : b.stmts) {
      const auto* launch = std::get_if<Launch>(&s->node);
      if (!launch && queues_nothing(s)) continue;
      if (!launch || launch->buffers.empty() || !traits_of(*launch).may_run_beside()) {
        run.clear();
        continue;
      }
      const KernelTraits& traits = traits_of(*launch);
      Member next{&s, uses_of(*launch, traits, memory_), traits.steps};
      make_independent(run, next);
      if (!run.empty()) set_beside_next(run.back(), true);
      run.push_back(std::move(next));
    }
  }

 private:
  struct Member {
    Stmt* launch;
    std::vector<Use> uses;
    int64_t steps;
  };

  static void set_beside_next(const Member& m, bool beside) {
    Launch launch = std::get<Launch>((*m.launch)->node);
    launch.beside_next = beside;
    *m.launch = stmt(std::move(launch));
  }

  // Leaves those of a run that the next may join: all or none, or those behind the last that it needs, where to join these gains more than they
  // lose without the others.
  static void make_independent(std::vector<Member>& run, const Member& next) {
    size_t needed = run.size();  // how many up to that one
    while (needed > 0 && independent(run[needed - 1].uses, next.uses)) --needed;
    if (needed == 0) return;
    const auto end = run.begin() + static_cast<std::ptrdiff_t>(needed);
    const int64_t behind = longest(end, run.end());
    if (std::min(behind, next.steps) <= std::min(behind, longest(run.begin(), end))) return run.clear();
    set_beside_next(run[needed - 1], false);
    run.erase(run.begin(), end);
  }
  static int64_t longest(std::vector<Member>::iterator first, std::vector<Member>::iterator last) {
    int64_t steps = 0;
    for (; first != last; ++first) steps = std::max(steps, first->steps);
    return steps;
  }

  const KernelTraits& traits_of(const Launch& launch) const { return traits_[static_cast<size_t>(launch.kernel)]; }

  const std::vector<KernelTraits>& traits_;
  SameMemory memory_;
};

void free_behind_runs(Block& b) {
  std::vector<Stmt> stmts, held;
  bool goes_on = false;
  for (Stmt& s : b.stmts) {
    const auto* launch = std::get_if<Launch>(&s->node);
    const bool is_held = goes_on && std::holds_alternative<Free>(s->node);
    if (launch) goes_on = launch->beside_next;
    (is_held ? held : stmts).push_back(std::move(s));
    if (goes_on) continue;
    stmts.insert(stmts.end(), held.begin(), held.end());
    held.clear();
  }
  b.stmts = std::move(stmts);
}

}  // namespace

Program side_by_side(Program program) {
  const std::vector<KernelTraits> traits = kernel_traits(program);
  each_body(program, [&](Block& body) {
    const Runs runs(traits, body);
    each_block(body, [&](Block& b) {
      runs.mark_in(b);
      free_behind_runs(b);
    });
  });
  return program;
}

}  // namespace heddle::host
