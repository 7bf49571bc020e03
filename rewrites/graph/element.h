// What it takes to compute one element of an array that a map makes.
#pragma once

#include <unordered_set>

#include "ir/seg/syntax.h"

namespace heddle::graph {

// Of the statements of a point, those within branches and inner maps included.
class Element {
 public:
  explicit Element(const seg::Stms& statements) { stms(statements); }

  // Statements; each is taken to cost the same.
  size_t operations() const { return operations_; }
  // Arithmetic on scalars and choices among them, and nothing else.
  bool is_scalar_code() const { return scalar_code_; }
  // An element of some array, or one of several as a condition on indices has it; nothing is computed of elements.
  bool is_moved() const { return moved_; }
  // No loops.
  bool is_straight() const { return straight_; }

 private:
  bool is_element(const seg::SubExp& x) const { return x.is_var() && elements_.contains(x.name()); }
  void stms(const seg::Stms& all);
  void stm(const seg::Stm& s);
  void index(const Name& result, const seg::Index& e);
  void match(const Name& result, const seg::Match& e);

  std::unordered_set<Name> elements_;  // read from arrays, or chosen among such
  size_t operations_ = 0;
  bool scalar_code_ = true, moved_ = true, straight_ = true;
};

}  // namespace heddle::graph
