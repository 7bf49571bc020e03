// Proofs that an integer polynomial is never negative, from others that are known not to be.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/poly/polynomial.h"

namespace heddle::poly {

// A stack of facts `f >= 0` over integers.
//
// A goal p >= 0 is proved by taking multiples of facts away from it until what is left is a sum of products of names
// that are known not to be negative: each step eliminates one name of the goal, the one met last in the facts first,
// because facts bound later names (indices) by earlier ones (sizes). With p = c*v + r and f = e*v + s, where c and e
// have the same sign, |e|*p = |c|*f + (|e|*r - |c|*s), and an integer p is not negative iff |e|*p > -|e|. The search
// gives up after a fixed number of steps; a goal that is not proved need not be wrong.
class Inequalities {
 public:
  void add(Polynomial not_negative);
  size_t size() const { return facts_.size(); }
  // Forgets all facts but the first `size`.
  void shrink(size_t size);

  // The goals looked at so far, those on the way to others included.
  int64_t effort() const { return effort_; }

  bool prove(const Polynomial& goal) const;
  // As prove, where the names in `bounded` are also known to lie between -bound and bound.
  bool prove_within(const Polynomial& goal, const std::unordered_set<Name>& bounded, int64_t bound) const;

 private:
  struct Search;
  struct Bound {  // what a fact says of a name that is in it to the first power
    size_t fact;
    Polynomial factor;  // of the name
    int sign;           // of the factor; 0 if it is no constant
    bool is_name;       // the fact says that the name is not negative, and nothing else
  };
  // What was asked, and under which facts: what was proved from some facts stays proved as long as they are there; what
  // was not may be with others.
  struct Answer {
    bool proved;
    size_t num_facts;
    size_t last_fact;  // the number of the last of them, counted since the beginning
  };
  size_t last_fact() const { return numbers_.empty() ? 0 : numbers_.back(); }
  bool is_valid(const Answer& a) const;

  std::vector<Polynomial> facts_;
  std::vector<size_t> numbers_;  // of the facts, counted since the beginning
  size_t next_number_ = 1;
  std::unordered_map<Name, std::vector<Bound>> bounds_;  // in order of addition
  mutable std::unordered_map<Polynomial, Answer> answers_;
  mutable int64_t effort_ = 0;
};

}  // namespace heddle::poly
