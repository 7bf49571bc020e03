#include "rewrites/contraction/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "rewrites/contraction/schedule_steps.h"
#include "rewrites/contraction/schedule_text.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/contraction_examples.h"

namespace heddle::contraction {
namespace {

struct Scheduled {
  Schedule full;
  std::vector<Name> constants;
};

Scheduled scheduled(const examples::Example& e, NameSource& names) {
  Tiling tiling = name_tiling(e.contraction, names);
  return {full_schedule(e.contraction, structure_of(e.contraction, e.direct.buffers), tiling), constants_of(tiling)};
}

TEST(Schedule, Text) {
  NameSource names(1);
  EXPECT_GOLDEN("rewrites/schedule/convolution.txt", to_text(scheduled(examples::convolution(names), names).full));
}

TEST(Schedule, IsReadAsItIsPrinted) {
  NameSource names(1);
  for (const examples::Example& e :
       {examples::convolution(names), examples::product(names), examples::backwards(names)}) {
    Scheduled s = scheduled(e, names);
    for (const ScheduleRewrite& rewrite : schedule_rewrites()) {
      std::string text = to_text(*schedule_until(rewrite.name, s.full));
      Result<Schedule> read = read_schedule(text, s.constants);
      ASSERT_TRUE(read) << read.error().message;
      EXPECT_EQ(to_text(*read), text);
    }
  }
}

// Each rewrite decides something, and the last one has decided all.
TEST(Schedule, RewritesLeadToTheFullOne) {
  NameSource names(1);
  Scheduled s = scheduled(examples::convolution(names), names);
  std::string before = to_text(first_schedule(s.full));
  for (const ScheduleRewrite& rewrite : schedule_rewrites()) {
    std::string after = to_text(*schedule_until(rewrite.name, s.full));
    // The first one makes the nest that the others change.
    EXPECT_EQ(after == before, rewrite.name == "map_threads") << rewrite.name;
    before = after;
  }
  EXPECT_EQ(before, to_text(s.full));
  EXPECT_FALSE(schedule_until("none such", s.full));
}

TEST(Schedule, WhatIsNoneIsRefused) {
  NameSource names(1);
  Scheduled s = scheduled(examples::product(names), names);
  std::string text = to_text(s.full);
  auto refused = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    Result<Schedule> read = read_schedule(changed, s.constants);
    return read ? std::string() : read.error().message;
  };
  EXPECT_EQ(refused("reads = registers", "reads = caches"),
            "reads is none of guarded, branchless, shared, registers: 'caches'");
  EXPECT_EQ(refused("sliced = 0\n", ""), "the schedule has no line for sliced");
  EXPECT_EQ(refused("sliced = 0", "sliced = one"), "sliced is no number: 'one'");
  EXPECT_EQ(refused("serpentine = true", "serpentine = yes"), "serpentine is neither true nor false: 'yes'");
  EXPECT_EQ(refused("sliced = 0", "sliced = 0\nsliced = 0"), "sliced occurs twice");
  EXPECT_EQ(refused("sliced = 0", "sliced = 0\nsplit = 0"), "split is no decision of this schedule");
  EXPECT_EQ(refused("sliced = 0", "sliced=0"), "'sliced=0' is no line of a schedule");
}

}  // namespace
}  // namespace heddle::contraction
