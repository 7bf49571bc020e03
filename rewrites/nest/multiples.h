// What must be multiples of a width so that so many neighbouring elements can be moved at once.
#pragma once

#include <string>
#include <vector>

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// Collects what must be a multiple of a constant. Terms with the width as a factor are; of others, those that are known
// at launch are left to a test at run time. All functions throw Refused where no test at launch could tell.
class Multiples {
 public:
  Multiples(const Kernel& kernel, const Expr& width, NameSource& names);

  void require(const Expr& e);
  // That so many elements from this one on along the last dimension lie side by side, and begin where an access of that
  // width may, if the buffer does.
  void require_row(const Buffer& buffer, const std::vector<Expr>& first);
  // That a condition has the same outcome for all values of `index` below the width.
  void require_same(const Expr& condition, const Name& index);

  // What is left to be tested; `true` if nothing is.
  Expr test() const;

 private:
  Polynomial polynomial(const Expr& e);
  void require(const Polynomial& p);
  bool is_multiple(const Polynomial& term) const;

  const Kernel& kernel_;
  Expr width_;
  Polynomial factor_;
  Substitution lets_;
  DivisionAtoms atoms_;
  std::vector<Polynomial> tested_;
};

// The next multiple of a positive width.
Expr round_up(const Expr& e, const Expr& width);

}  // namespace heddle::nest
