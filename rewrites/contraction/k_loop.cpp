#include "rewrites/contraction/k_loop.h"

#include <optional>
#include <utility>

namespace heddle::contraction {

using nest::add;
using nest::constant;
using nest::Expr;
using nest::mul;
using nest::Role;
using nest::sub;
using prim::Type;

void KLoop::write() {
  if (!x_.schedule.by_chunks) return index_by_index();
  Expr chunks = x_.w.let("chunks", chunks_.count());
  if (x_.schedule.asynchronous) {
    copy_ahead(chunks);
  } else {
    copy_and_wait(chunks);
  }
}

void KLoop::index_by_index() {
  std::vector<Expr> extents, none(x_.num_reduction(), zero());
  for (const recognize::Index& r : x_.c.reduction) extents.push_back(r.extent);
  x_.w.loops("index", extents, Role::Serial, [&](const std::vector<Expr>& index) {
    leaf_.write({zero(), none, index, none}, leaf_.first_values(none, index), nullptr, {});
  });
}

// ---- Chunks. ----

void KLoop::copy_and_wait(const Expr& chunks) {
  x_.w.loop("chunk", chunks, Role::Serial, [&](const Expr& chunk) {
    if (staging_) {
      staging_->copy(chunk, thread_);
      x_.w.emit(nest::Barrier{nest::Scope::Block});
    }
    compute_chunk(zero(), chunks_.first(chunk));
    if (staging_) x_.w.emit(nest::Barrier{nest::Scope::Block});
  });
}

// While a chunk is computed with, those after it are on their way: as many as there are stages, but for its own.
void KLoop::copy_ahead(const Expr& chunks) {
  StatementWriter& w = x_.w;
  const Expr& stages = x_.schedule.stages;
  Expr ahead = sub(stages, one());
  w.loop("ahead", ahead, Role::Unrolled, [&](const Expr& chunk) {
    w.when(nest::less(chunk, chunks), [&] { staging_->copy(chunk, thread_); });
    w.emit(nest::AsyncCommit{});
  });
  w.loop("chunk", chunks, Role::Serial, [&](const Expr& chunk) {
    w.emit(nest::AsyncWait{sub(ahead, one())});
    w.emit(nest::Barrier{nest::Scope::Block});
    Expr next = w.let("next", add(chunk, ahead));
    w.when(nest::less(next, chunks), [&] { staging_->copy(next, thread_); });
    w.emit(nest::AsyncCommit{});
    std::vector<Expr> first = chunks_.first(chunk);
    compute_chunk(staging_->stage_of(chunk), first);
  });
}

void KLoop::compute_chunk(const Expr& stage, const std::vector<Expr>& first) {
  std::vector<Expr> rest;
  for (size_t r = 0; r < first.size(); ++r)
    rest.push_back(nest::min(x_.geometry.chunk[r], sub(x_.c.reduction[r].extent, first[r])));
  x_.w.choose(
      nest::less(zero(), x_.schedule.ahead), [&] { compute_ahead(stage, first, rest); },
      [&] { compute_in_turn(stage, first, rest); });
}

// ---- Groups. ----

// Every slice of threads takes one of so many groups, along one index of the reduction.
void KLoop::compute_in_turn(const Expr& stage, const std::vector<Expr>& first, const std::vector<Expr>& rest) {
  StatementWriter& w = x_.w;
  std::vector<Expr> groups;
  for (size_t r = 0; r < rest.size(); ++r) groups.push_back(w.let("groups", x_.geometry.groups(r, rest[r])));
  size_t shared = x_.schedule.sliced;
  Expr all = std::exchange(groups[shared], one());
  std::optional<OperandRegisters> registers;
  if (x_.schedule.reads == Reads::Registers) registers.emplace(x_, *staging_, thread_, 0);
  w.loop("group", x_.geometry.rounds(all), Role::Serial, [&](const Expr& round) {
    Expr sliced = w.let("group", add(mul(round, x_.schedule.slices), thread_.slice));
    w.when(nest::less(sliced, all), [&] {
      w.loops("group", groups, Role::Serial, [&](std::vector<Expr> start) {
        start[shared] = sliced;
        for (size_t r = 0; r < start.size(); ++r) start[r] = mul(start[r], x_.geometry.unroll[r]);
        compute_group(registers ? &*registers : nullptr, stage, first, zero(), start, start);
      });
    });
  });
}

// Registers are loaded ahead of the arithmetic: those of a group's box a group, those of a member a member. Of two
// groups one reads the first set of registers, the other the second.
void KLoop::compute_ahead(const Expr& stage, const std::vector<Expr>& first, const std::vector<Expr>& rest) {
  StatementWriter& w = x_.w;
  std::vector<Expr> num_groups;
  for (size_t r = 0; r < rest.size(); ++r) {
    // At least one: said so that it is known to be small.
    Expr at_least_one = w.let("rest", nest::max(rest[r], one()));
    num_groups.push_back(w.let("groups", x_.geometry.groups(r, at_least_one)));
  }
  w.when(nest::less(thread_.slice, num_groups[x_.schedule.sliced]),
         [&] { compute_slice_ahead(stage, first, num_groups); });
}

void KLoop::compute_slice_ahead(const Expr& stage, const std::vector<Expr>& first, std::vector<Expr> num_groups) {
  StatementWriter& w = x_.w;
  Odometer groups = odometer(num_groups);
  Expr& sliced = num_groups[x_.schedule.sliced];
  sliced = x_.geometry.rounds(sub(sliced, thread_.slice));
  Expr two = constant(int64_t{2}), num_pairs = w.let("pairs", nest::div(product(num_groups), two));
  OperandRegisters registers(x_, *staging_, thread_, 1);
  for (bool by_group : {false, true}) registers.load(by_group, zero(), stage, first, groups.values());
  w.loop("pair", num_pairs, Role::Serial, [&](const Expr&) {
    w.loop("set", two, Role::Unrolled, [&](const Expr& set) {
      std::vector<Expr> start;
      for (const Expr& at : groups.values()) start.push_back(w.let("start", at));
      advance(groups);
      compute_group(&registers, stage, first, set, start, groups.values());
    });
  });
}

std::vector<Expr> KLoop::Odometer::values() const {
  std::vector<Expr> values;
  for (const Name& n : at) values.push_back(nest::load(n, Type::I64, {}));
  return values;
}

KLoop::Odometer KLoop::odometer(const std::vector<Expr>& num_groups) {
  Odometer o;
  for (size_t r = 0; r < num_groups.size(); ++r) {
    bool sliced = r == x_.schedule.sliced;
    const Expr& unroll = x_.schedule.reduction[r].unroll;
    o.at.push_back(x_.w.alloc("at", Type::I64, nest::Space::Register, {}).name);
    o.first.push_back(sliced ? mul(thread_.slice, unroll) : zero());
    o.step.push_back(sliced ? mul(x_.schedule.slices, unroll) : unroll);
    o.limit.push_back(x_.w.let("limit", mul(num_groups[r], unroll)));
    x_.w.emit(nest::Store{o.at[r], {}, o.first[r]});
  }
  address_scalars_.insert(address_scalars_.end(), o.at.begin(), o.at.end());
  return o;
}

void KLoop::advance(const Odometer& o) const {
  Expr carry = constant(prim::Value::of_bool(true));
  for (size_t r = o.at.size(); r-- > 0;) {
    Expr at = nest::load(o.at[r], Type::I64, {});
    Expr next = x_.w.let("next", add(at, nest::select(carry, o.step[r], zero())));
    carry = x_.w.let("carry", nest::negate(nest::less(next, o.limit[r])));
    x_.w.emit(nest::Store{o.at[r], {}, nest::select(carry, o.first[r], next)});
  }
}

// ---- Members. ----

void KLoop::compute_group(const OperandRegisters* registers, const Expr& stage, const std::vector<Expr>& first,
                          const Expr& set, const std::vector<Expr>& start, const std::vector<Expr>& next) {
  std::vector<Expr> values = leaf_.first_values(first, start);
  const std::vector<Expr>& unrolled = x_.geometry.unroll;
  int64_t num_ahead = registers ? registers->ahead() : 0;
  Expr ahead = constant(num_ahead), sets = constant(num_ahead + 1), num_members = product(unrolled);
  auto load = [&](bool by_group, const Expr& step, const std::vector<Expr>& from) {
    if (registers) registers->load(by_group, nest::mod(add(step, ahead), sets), stage, first, from);
  };
  load(true, set, next);
  for_members(num_ahead, [&](const std::vector<Expr>& member, const Expr& number) {
    Expr step = add(mul(set, num_members), number), loaded = add(number, ahead);
    std::vector<Expr> from = num_ahead > 0 ? digits(loaded, unrolled) : member;
    for (size_t r = 0; r < from.size(); ++r) {
      from[r] = add(start[r], from[r]);
      if (num_ahead > 0) from[r] = nest::select(nest::less(loaded, num_members), from[r], next[r]);
    }
    load(false, step, from);
    std::vector<Expr> set_of;
    for (const Schedule::Operand& o : x_.schedule.operands) set_of.push_back(o.by_group ? set : nest::mod(step, sets));
    leaf_.write({stage, first, start, member}, values, registers, set_of);
  });
}

// The members of a group, and their numbers if they are loaded ahead. Otherwise one loop per index: the compiler then
// puts what is constant in places into the instructions.
void KLoop::for_members(int64_t ahead, const std::function<void(const std::vector<Expr>&, const Expr&)>& body) const {
  const std::vector<Expr>& unrolled = x_.geometry.unroll;
  if (ahead == 0) {
    x_.w.loops("member", unrolled, Role::Unrolled, [&](const std::vector<Expr>& member) { body(member, zero()); });
  } else {
    x_.w.loop("member", product(unrolled), Role::Unrolled, [&](const Expr& n) { body(digits(n, unrolled), n); });
  }
}

}  // namespace heddle::contraction
