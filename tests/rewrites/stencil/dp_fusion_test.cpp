// Dynamic programming finds what trying all partitions does.
#include "rewrites/stencil/dp_fusion.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/rewrites/stencil/small_pipelines.h"

namespace heddle::stencil {
namespace {

// Each stage reads one to three of those before it, or the image.
Pipeline random_points(size_t most) {
  size_t count = *rc::gen::inRange<size_t>(1, most + 1);
  std::vector<Stage> stages;
  for (size_t s = 0; s < count; ++s) {
    std::vector<Read> reads;
    for (int r = *rc::gen::inRange(1, 4); r > 0; --r) {
      size_t of = *rc::gen::inRange<size_t>(0, s + 1);
      reads.push_back(examples::same(of == s ? examples::input() : examples::stage(of)));
    }
    stages.push_back(examples::point("s" + std::to_string(s), std::move(reads)));
  }
  return examples::pipeline({{"img", examples::size(8, 8)}}, std::move(stages));
}

// Any costs, some of them none.
GroupCost some_cost(uint64_t seed) {
  return [seed](const Group& g) -> std::optional<double> {
    uint64_t h = seed;
    for (size_t s : g.stages) h = (h ^ (s + 1)) * 0x9E3779B97F4A7C15U + (h >> 31);
    h >>= 40;
    if (g.stages.size() > 1 && h % 7 == 0) return std::nullopt;
    return static_cast<double>(h % 1000) + 400;
  };
}

GroupCost random_cost() { return some_cost(*rc::gen::arbitrary<uint64_t>()); }

class AllPartitions {
 public:
  AllPartitions(const Pipeline& p, const GroupCost& cost) : p_(p), cost_(cost) { place(0); }
  double least() const { return least_; }

 private:
  void place(size_t s) {
    if (s == p_.size()) return count();
    size_t so_far = groups_.size();
    for (size_t i = 0; i < so_far; ++i) {
      groups_[i].stages.push_back(s);
      place(s + 1);
      groups_[i].stages.pop_back();
    }
    groups_.push_back({{s}});
    place(s + 1);
    groups_.pop_back();
  }

  void count() {
    double sum = 0;
    for (const Group& g : groups_) {
      std::optional<double> c = is_connected(p_, g) ? cost_(g) : std::nullopt;
      if (!c) return;
      sum += *c;
    }
    if (sum < least_ && in_order(p_, groups_)) least_ = sum;
  }

  const Pipeline& p_;
  const GroupCost& cost_;
  std::vector<Group> groups_;
  double least_ = 1e30;
};

double sum(const Partition& parts, const GroupCost& cost) {
  double result = 0;
  for (const Group& g : parts.groups) result += cost(g).value();
  return result;
}

bool can_run(const Pipeline& p, const Partition& parts) {
  std::vector<bool> done(p.size(), false);
  size_t count = 0;
  for (const Group& g : parts.groups) {
    for (size_t s : g.stages) {
      for (size_t producer : p.producers(s)) {
        if (!done[producer]) return false;
      }
      if (done[s]) return false;
      done[s] = true;
      ++count;
    }
  }
  return count == p.size();
}

RC_GTEST_PROP(DpFusion, FindsTheBestOfAllPartitions, ()) {
  Pipeline p = random_points(7);
  GroupCost cost = random_cost();
  Decision d = dp_fusion(p, cost);
  RC_ASSERT(can_run(p, d.partition));
  RC_ASSERT(sum(d.partition, cost) == AllPartitions(p, cost).least());
}

// All 115,975 partitions of ten stages, each of which reads two of the three before it.
TEST(DpFusion, FindsTheBestOfAllPartitionsOfTenStages) {
  std::vector<Stage> stages;
  for (size_t s = 0; s < 10; ++s) {
    auto before = [&](size_t back) { return back > s ? examples::input() : examples::stage(s - back); };
    stages.push_back(examples::point("s" + std::to_string(s),
                                     {examples::same(before(1 + s % 2)), examples::same(before(2 + s % 3 / 2))}));
  }
  Pipeline p = examples::pipeline({{"img", examples::size(8, 8)}}, stages);
  DpBounds bounds;
  bounds.group = 16;
  bounds.states = 1 << 10;
  for (uint64_t seed : {1, 2, 3}) {
    GroupCost cost = some_cost(seed);
    Decision d = dp_fusion(p, cost, bounds);
    EXPECT_TRUE(can_run(p, d.partition));
    EXPECT_EQ(sum(d.partition, cost), AllPartitions(p, cost).least()) << seed;
  }
}

RC_GTEST_PROP(DpFusion, YieldsWhatCanRunWithinAnyBounds, ()) {
  Pipeline p = random_points(20);
  GroupCost cost = random_cost();
  DpBounds bounds{*rc::gen::inRange<size_t>(1, 5), *rc::gen::inRange<size_t>(1, 50), *rc::gen::inRange<size_t>(1, 5)};
  Decision d = dp_fusion(p, cost, bounds);
  RC_ASSERT(can_run(p, d.partition));
  double apart = 0;
  for (size_t s = 0; s < p.size(); ++s) apart += cost({{s}}).value();
  RC_ASSERT(sum(d.partition, cost) <= apart);
}

TEST(DpFusion, GoesOnWithGroupsAsStages) {
  // A chain of 20 points, of which each group costs as much as any other.
  std::vector<Stage> stages;
  for (size_t s = 0; s < 20; ++s)
    stages.push_back(examples::point("s" + std::to_string(s),
                                     {examples::same(s == 0 ? examples::input() : examples::stage(s - 1))}));
  Pipeline p = examples::pipeline({{"img", examples::size(8, 8)}}, stages);
  Decision d = dp_fusion(p, [](const Group&) { return 1.0; });
  EXPECT_EQ(d.partition.groups.size(), 1);
  EXPECT_EQ(d.trace.lines[0], "groups of up to 8 stages: 132 looked at, 3 chosen, cost 3");
}

TEST(DpFusion, OfUnsharpIsOneGroup) {
  Pipeline p = examples::unsharp();
  Decision d = partition(p, *find_device("V100"), Strategy::Dp);
  EXPECT_EQ(text(p, d.partition), "{blur, high, scaled, sharp}");
}

}  // namespace
}  // namespace heddle::stencil
