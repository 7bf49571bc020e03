// Which values are the same in all threads of a block, so that these take the same way by them, or read the same element.
#pragma once

#include "ir/nest/traverse.h"

namespace heddle::nest {

//   let n = sizes[y]; acc[] := 0; for i in n { let first = begins[i]; acc[] := acc[] + xs[first + x] }
// where y is the same: n, i and first, but not what is in acc.
class Uniform {
 public:
  // Of what each thread does; `names` are the same in all threads, and nobody writes the buffers.
  Uniform(const Block& work, NameSet names, NameSet only_read);

  bool has(const Expr& e) const;
  // Not of names that statements bind only where a branch or a loop makes threads differ.
  bool has(const Name& n) const { return names_.contains(n); }

 private:
  void learn(const Block& work, bool together);
  void vary(const Name& buffer);

  const NameSet given_, only_read_;
  NameSet names_, varying_, registers_;
  bool again_ = true;
};

}  // namespace heddle::nest
