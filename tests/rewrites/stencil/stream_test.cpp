// Which groups stream, and how many rows of which stage are kept where.
#include "rewrites/stencil/stream.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "rewrites/stencil/fit_tile.h"
#include "tests/rewrites/stencil/images.h"

namespace heddle::stencil {
namespace {

Result<Stream> streamed(std::vector<Stage> stages, const StreamModel& model = {}) {
  stages.back().live_out = true;
  Result<Pipeline> p = Pipeline::of({}, std::move(stages));
  if (!p) return p.error();
  Result<Halos> halos = tight_halos(*p, whole(*p));
  if (!halos) return halos.error();
  return fit_stream(*p, *halos, model);
}

// What is read in its own column stays with the thread; nobody waits for it.
TEST(Stream, KeepsColumnsInRegisters) {
  const Result<Stream> s = streamed({image("a", {}), image("b", {window(0, {0, -1, 1}, {1, 0, 0})})});
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_EQ(s->columns(), s->threads);
  EXPECT_EQ(s->stages[0].kept, Kept::Registers);
  EXPECT_EQ(s->stages[0].ahead, 0);
  EXPECT_EQ(s->stages[0].rows, s->step + 2);
  EXPECT_EQ(s->stages[1].kept, Kept::Nowhere);
}

// Neighbours' columns lie in shared memory, a step ahead: what is read and what is written meanwhile has room.
TEST(Stream, KeepsOthersInSharedMemory) {
  const Result<Stream> s =
      streamed({image("a", {}), image("b", {window(0, {0, -1, 1}, {1, -2, 1})}),
                image("c", {window(1, {0, 0, 2}, {1, 0, 0})}), image("d", {window(2, {0, 0, 0}, {1, -1, 1})})});
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_EQ(s->left, 3);
  EXPECT_EQ(s->right, 2);
  EXPECT_EQ(s->stages[0].kept, Kept::Shared);
  EXPECT_EQ(s->stages[1].kept, Kept::Registers);
  EXPECT_EQ(s->stages[2].kept, Kept::Shared);
  EXPECT_EQ(s->stages[0].ahead, 2);
  EXPECT_EQ(s->stages[1].ahead, 1);
  EXPECT_EQ(s->stages[2].ahead, 1);
  EXPECT_GE(s->stages[0].rows, 2 * s->step + 4);
  EXPECT_GE(s->stages[2].rows, 2 * s->step);
}

// A thread's rows are those of one step, so who reads them must be as far ahead.
TEST(Stream, KeepsInSharedMemoryWhatIsReadAtDifferentSteps) {
  const Result<Stream> s = streamed({image("a", {}), image("b", {window(0, {0, 0, 0}, {1, 0, 0})}),
                                     image("c", {window(1, {0, 0, 0}, {1, -1, 1}), window(0, {0, 0, 0}, {1, 0, 0})})});
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_EQ(s->stages[0].kept, Kept::Shared);
  EXPECT_GE(s->stages[0].rows, 3 * s->step);
}

TEST(Stream, SaysWhyNot) {
  const Stage a = image("a", {});
  const Window twice{0, 0, 0, 2}, row{1, 0, 0};
  Stage coarse = image("b", {window(0, twice, row)});
  coarse.domain[0].last = kSize / 2 - 1;
  EXPECT_EQ(streamed({a, coarse}).error().message, "a is sampled at another rate");
  EXPECT_EQ(streamed({a, image("b", {window(0, {0, -20, 20}, row)})}).error().message,
            "a needs 40 rows before a segment's, of at most 32");
  EXPECT_EQ(streamed({a, image("b", {window(0, {0, 0, 0}, {1, -40, 40})})}).error().message,
            "31 % of a strip's columns would be beside it");
}

// Whole steps, no fewer rows than make it worthwhile to begin, and else so many that there are enough blocks.
TEST(Stream, HasAsManySegmentsAsFillADevice) {
  const Stream s{.threads = 256,
                 .step = 6,
                 .left = 0,
                 .right = 0,
                 .blocks = 1000,
                 .least_segment = 32,
                 .registers = 64,
                 .stages = {}};
  EXPECT_EQ(s.segment(100, 100, 1), 36);
  EXPECT_EQ(s.segment(100'000, 256, 1), 102);
  EXPECT_EQ(s.segment(100'000, 512, 3), 600);
}

// Groups that cannot stream have tiles.
TEST(Stream, StandsBesideTiles) {
  FitModel model;
  model.scope = TileScope::Stream;
  auto fitted = [&](Stage last) {
    last.live_out = true;
    Result<Pipeline> p = Pipeline::of({}, {image("a", {}), last});
    return fit_tile(*p, whole(*p), model);
  };
  Stage coarse = image("b", {window(0, {0, 0, 1, 2}, {1, 0, 1, 2})});
  coarse.domain = {{0, kSize / 2 - 1}, {0, kSize / 2 - 1}};
  const auto tiles = fitted(coarse), stream = fitted(image("b", {window(0, {0, -1, 1}, {1, -1, 1})}));
  ASSERT_TRUE(tiles && stream);
  EXPECT_FALSE(tiles->stream);
  EXPECT_EQ(tiles->why_not_as_asked, "not streamed, since a is sampled at another rate");
  EXPECT_TRUE(stream->stream);
  EXPECT_EQ(stream->why_not_as_asked, "");
  EXPECT_EQ(stream->scope, TileScope::Stream);
}

// ---- Rings of rows, of which numbers suffice: all readers find those they ask for, and no thread waits for others within a step. ----

int64_t pick(int64_t low, int64_t high) { return *rc::gen::inRange<int64_t>(low, high + 1); }

Window window_of(size_t dim, int64_t most) {
  const int64_t lo = pick(-most, most);
  return {dim, lo, pick(lo, most)};
}

class Walk {
 public:
  Walk(const Pipeline& p, const Halos& halos, const Stream& s)
      : p_(p), halos_(halos), s_(s), rings_(p.size()), written_(p.size()) {}

  void run(int64_t steps) {
    for (int64_t step = 0; step < steps + s_.most_ahead(); ++step) {
      for (std::set<int64_t>& slots : written_) slots.clear();
      for (size_t k = 0; k < p_.size(); ++k) {
        const int64_t own = step - s_.most_ahead() + s_.stages[k].ahead;
        if (own < 0 || own >= steps) continue;
        const int64_t before = rows(k).left + rows(k).right;
        for (int64_t r = own == 0 ? 0 : before; r < before + s_.step; ++r) compute(k, own, r, step);
      }
      for (size_t k = 0; k < p_.size(); ++k) hand_on(k);
    }
  }

 private:
  const Halo& rows(size_t k) const { return halos_.stages[k][0]; }
  int64_t top(size_t k, int64_t own) const { return s_.step * own - rows(k).left; }

  // Row number `r` of those that belong to the stage's step `own`.
  void compute(size_t k, int64_t own, int64_t r, int64_t step) {
    const int64_t row = top(k, own) + r;
    for (const Read& read : p_.stage(k).reads) {
      const size_t producer = read.source.number;
      for (int64_t i = read.windows[0].lo; i <= read.windows[0].hi; ++i) {
        const std::optional<int64_t> at = slot(producer, row + i, step);
        RC_ASSERT(at && rings_[producer].at(*at) == row + i);
        RC_ASSERT(s_.stages[producer].kept == Kept::Registers || !written_[producer].contains(*at));
      }
    }
    if (s_.stages[k].kept == Kept::Nowhere) return;
    const std::optional<int64_t> at = slot(k, row, step);
    RC_ASSERT(at.has_value());
    rings_[k][*at] = row;
    written_[k].insert(*at);
  }

  std::optional<int64_t> slot(size_t k, int64_t row, int64_t step) const {
    const int64_t size = s_.stages[k].rows;
    if (s_.stages[k].kept == Kept::Shared) return (row + rows(k).left) & (size - 1);
    const int64_t at = row - top(k, step - s_.most_ahead() + s_.stages[k].ahead);
    return at >= 0 && at < size ? std::optional(at) : std::nullopt;
  }

  void hand_on(size_t k) {
    if (s_.stages[k].kept != Kept::Registers) return;
    std::map<int64_t, int64_t> next;
    for (const auto& [at, row] : rings_[k]) {
      if (at >= s_.step) next[at - s_.step] = row;
    }
    rings_[k] = std::move(next);
  }

  const Pipeline& p_;
  const Halos& halos_;
  const Stream& s_;
  std::vector<std::map<int64_t, int64_t>> rings_;  // by stage and slot, the row that is there
  std::vector<std::set<int64_t>> written_;         // in this step
};

RC_GTEST_PROP(StreamProperty, HasEachRowWhereItsReadersLook, ()) {
  std::vector<Stage> stages;
  const int64_t count = pick(2, 6);
  for (int64_t k = 0; k < count; ++k) {
    std::vector<Read> reads;
    const int64_t others = k == 0 ? 0 : pick(1, 2);
    for (int64_t r = 0; r < others; ++r) {
      // Each reads the one before, so that none is for nobody.
      const int64_t of = r == 0 ? k - 1 : pick(0, k - 1);
      reads.push_back(
          window(static_cast<size_t>(of), window_of(0, 3), pick(0, 1) == 0 ? Window{1, 0, 0} : window_of(1, 2)));
    }
    stages.push_back(image(std::string(1, static_cast<char>('a' + k)), std::move(reads)));
  }
  stages.back().live_out = true;
  StreamModel model;
  model.steps = {pick(1, 9)};
  model.most_registers = pick(1, 60);
  model.most_scratch = 1 << 24;
  const Result<Pipeline> p = Pipeline::of({}, std::move(stages));
  RC_ASSERT(static_cast<bool>(p));
  const Result<Halos> halos = tight_halos(*p, whole(*p));
  RC_ASSERT(static_cast<bool>(halos));
  const Result<Stream> s = fit_stream(*p, *halos, model);
  RC_PRE(static_cast<bool>(s));
  Walk(*p, *halos, *s).run(pick(1, 5));
}

}  // namespace
}  // namespace heddle::stencil
