#include "ir/nest/eval_races.h"

namespace heddle::nest {

namespace {

// Whether `before`, of the same block, is nothing to worry about at `now`, nor at any later moment that `now` itself is
// not.
bool passed(const Moment& before, const Moment& now) {
  return before.thread == now.thread || before.block_barriers != now.block_barriers ||
         (before.warp == now.warp && before.warp_barriers != now.warp_barriers);
}

bool conflict(Access a, Access b) {
  if (a == Access::Atomic && b == Access::Atomic) return false;
  return a != Access::Read || b != Access::Read;
}

}  // namespace

void RecentThreads::add(const Moment& now) {
  bool a_passed = a_.thread < 0 || passed(a_, now), b_passed = b_.thread < 0 || passed(b_, now);
  if (a_passed) {
    a_ = now;
    if (b_passed) b_ = Moment();
  } else if (b_passed || b_.warp == a_.warp) {
    // Threads of two warps conflict with every other thread, threads of one only with those that no warp barrier
    // separates.
    b_ = now;
  }
}

std::optional<int32_t> RecentThreads::concurrent(const Moment& now) const {
  if (a_.thread >= 0 && !passed(a_, now)) return a_.thread;
  if (b_.thread >= 0 && !passed(b_, now)) return b_.thread;
  return std::nullopt;
}

void SomeBlocks::add(int64_t block) {
  if (a_ < 0 || a_ == block) {
    a_ = block;
  } else {
    b_ = block;
  }
}

std::optional<int64_t> SomeBlocks::other_than(int64_t block) const {
  if (a_ >= 0 && a_ != block) return a_;
  if (b_ >= 0 && b_ != block) return b_;
  return std::nullopt;
}

std::optional<Conflict> AccessHistory::access(Access how, const Moment& now) {
  if (block_ != now.block) {
    block_ = now.block;
    for (RecentThreads& t : threads_) t = RecentThreads();
  }
  for (Access earlier : {Access::Read, Access::Write, Access::Atomic}) {
    if (!conflict(earlier, how)) continue;
    auto i = static_cast<size_t>(earlier);
    if (auto thread = threads_[i].concurrent(now)) return Conflict{true, *thread, earlier};
    if (auto block = blocks_[i].other_than(now.block)) return Conflict{false, *block, earlier};
  }
  threads_[static_cast<size_t>(how)].add(now);
  blocks_[static_cast<size_t>(how)].add(now.block);
  return std::nullopt;
}

}  // namespace heddle::nest
