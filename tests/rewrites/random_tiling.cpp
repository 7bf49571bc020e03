#include "tests/rewrites/random_tiling.h"

#include <rapidcheck.h>

#include <stdexcept>

#include "ir/nest/eval.h"
#include "ir/nest/printer.h"
#include "rewrites/recipes/way.h"

namespace heddle::contraction {

int64_t pick(int64_t low, int64_t high) { return *rc::gen::inRange<int64_t>(low, high + 1); }

namespace {

int64_t power_of_two(int64_t most) {
  int64_t n = 1;
  while (n < most && *rc::gen::arbitrary<bool>()) n *= 2;
  return n;
}

}  // namespace

Numbers::Numbers(const std::unordered_map<Name, int64_t>& scalars) {
  for (const auto& [name, value] : scalars) set(name, value);
}

void Numbers::set(const Name& name, int64_t value) { values_.insert_or_assign(name, prim::Value::i64(value)); }

int64_t Numbers::operator()(const nest::Expr& e) const {
  std::optional<prim::Value> value = nest::evaluate(e, values_);
  if (!value) throw std::logic_error("no value: " + nest::to_text(e));
  return value->type == prim::Type::Bool ? value->as_bool() : value->i;
}

Numbers random_numbers(const examples::RandomContraction& random, const lower::Specialized& way) {
  Numbers numbers(random.scalars);
  if (way.parts) numbers.set(way.parts->name, pick(2, 5));
  if (way.detour) numbers.set(way.detour->pays, pick(0, 1));
  // A way's own scalars, such as the length of a part, are computed from the host's.
  for (const auto& [name, value] : lower::host_values(way.launch)) numbers.set(name, numbers(value));
  for (const auto& [name, value] : way.fixed) numbers.set(name, numbers(value));
  return numbers;
}

hd_tiling random_tiling(const hd_contraction& c) {
  hd_tiling t{};
  for (int p = 0; p < c.num_parallel; ++p) {
    bool by_blocks = p < c.num_by_blocks;
    t.parallel[p].warps = by_blocks ? 1 : power_of_two(4);
    t.parallel[p].lanes = by_blocks ? 1 : power_of_two(8);
    t.parallel[p].points = by_blocks ? 1 : pick(1, 8);
  }
  for (int r = 0; r < c.num_reduction; ++r) {
    t.reduction[r].unroll = pick(1, 5);
    t.reduction[r].chunk = t.reduction[r].unroll * pick(1, 6);
  }
  t.slices = power_of_two(4);
  t.result_shared = pick(0, 1);
  t.stages = pick(2, 5);
  t.ahead = pick(0, 1);
  t.registers = 255;
  hd_tiling_complete(&c, &t);
  for (int o = 0; o < c.num_operands && *rc::gen::arbitrary<bool>(); ++o) {
    t.operands[o].load_width = power_of_two(t.operands[o].load_width);
    t.operands[o].padding = t.operands[o].load_width * pick(0, 5);
  }
  return t;
}

}  // namespace heddle::contraction
