// Finds data races while a kernel is evaluated. Every element keeps the accesses that a later one could conflict with;
// what barriers order does not conflict.
#pragma once

#include <cstdint>
#include <optional>

namespace heddle::nest {

enum class Access : uint8_t { Read, Write, Atomic };

// Who accesses, and when: the numbers of barriers that the thread's block and warp have passed.
struct Moment {
  int64_t block = -1;
  int32_t thread = -1;
  int32_t warp = -1;
  int32_t block_barriers = 0;
  int32_t warp_barriers = 0;
};

// The threads of one block that have accessed an element in one way since the last barrier. Two of them suffice to tell
// whether any access to come conflicts with one of them.
class RecentThreads {
 public:
  void add(const Moment& now);
  // A thread that no barrier separates from `now`, if there is one.
  std::optional<int32_t> concurrent(const Moment& now) const;

 private:
  Moment a_, b_;
};

// The blocks that have accessed an element in one way.
class SomeBlocks {
 public:
  void add(int64_t block);
  std::optional<int64_t> other_than(int64_t block) const;

 private:
  int64_t a_ = -1, b_ = -1;
};

struct Conflict {
  bool same_block;
  int64_t who;  // the thread, or the block if it is another one
  Access how;
};

class AccessHistory {
 public:
  // Records an access and returns an earlier one that conflicts with it.
  std::optional<Conflict> access(Access how, const Moment& now);

 private:
  int64_t block_ = -1;  // whose threads are recorded
  RecentThreads threads_[3];
  SomeBlocks blocks_[3];
};

}  // namespace heddle::nest
