// What the host program has in scope where an operation stands.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/seg/traverse.h"
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

// An array whose elements readers may compute themselves (graph/computed_where_read.h): the `result`-th of a map that cannot
// fail. All arrays that it reads have still the elements that they had then.
struct ComputedArray {
  seg::StmPtr map;
  size_t result = 0;
  bool by_all = false;          // else by contractions
  std::vector<Name> read = {};  // arrays of the host, those included that these are computed from

  const seg::SegOp& op() const { return std::get<seg::SegOp>(map->exp); }
};

using ComputedArrays = std::unordered_map<Name, ComputedArray>;

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
  ComputedArrays computed;
  // The array of which the expression reads a single element that it is to compute instead; null: there is none.
  const ComputedArray* computed_by_reader(const seg::Exp& e) const;
  HostFacts facts{types};
  // What may differ between the rounds of the loops around: what they hand on, their indices, and what is computed of these.
  seg::NameSet changing;
  // Whether the host has to wait for an element of an array to know it.
  bool follows_from_elements(const nest::Expr& scalar) const;

 private:
  Name acc_of(const seg::SegOp& op, const Name& result) const;

  seg::NameSet elements_;
};

}  // namespace heddle::lower
