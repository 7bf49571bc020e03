// What the host program has in scope where an operation stands.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "rewrites/points/host_facts.h"
#include "rewrites/points/layouts.h"

namespace heddle::lower {

// An accumulator of the host program: the arrays that updates go to.
struct HostAcc {
  std::vector<Name> arrays;
  std::vector<seg::Type> types;
  seg::Shape shape;
  std::optional<seg::WithAccOp> op;
};

struct HostScope {
  explicit HostScope(const Layouts& of_arrays) : layouts(of_arrays) {}
  HostScope(const HostScope&) = delete;  // the facts look at the types
  HostScope& operator=(const HostScope&) = delete;

  // ---- Told in the order in which the host program runs. ----

  void exists(const seg::StmPtr& s);
  void enter(const std::vector<seg::Param>& params);  // of a function
  void enter(const seg::Loop& loop);
  void enter(const seg::WithAcc& with);
  // Accumulators have many names for the same thing.
  void alias(const Name& name, const Name& acc);
  void alias_results(const seg::Stm& s);

  std::unordered_map<Name, seg::Type> types;
  std::unordered_map<Name, HostAcc> accs;
  const Layouts& layouts;
  // Arrays made by maps that are gathers (graph/gathers.h) and cannot fail, with the arrays that their elements are read from.
  // All of these have still the elements that they had then.
  std::unordered_map<Name, std::vector<Name>> gathers;
  HostFacts facts{types};

 private:
  Name acc_of(const seg::SegOp& op, const Name& result) const;
};

}  // namespace heddle::lower
