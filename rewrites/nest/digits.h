// Puts two indices in the place of one.
#pragma once

#include "ir/nest/facts.h"
#include "ir/nest/traverse.h"

namespace heddle::nest {

// q = by * i + j, where i is one of `rows` and j one of `by`.
class TwoIndices {
 public:
  TwoIndices(const Facts::Digits& digits, NameSource& names);

  Name outer, inner;
  Expr rows, by;

  // What is done for each q, done for each i and j.
  Block in(const Block& work) const;
  // for q in rows * by { S(q) }  becomes  for i in rows { for j in by { S(by * i + j) } }
  Stmt in(const For& loop) const;

 private:
  Name index_;
};

}  // namespace heddle::nest
