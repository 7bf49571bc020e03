// What a segred, segscan or seghist is made of, as code that passes put together anew: segments, operators, elements.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rewrites/seg/builder.h"

namespace heddle::seg {

using Operands = std::vector<SubExp>;
// Emits the code that computes the operands at element `j` of the segment with these indices.
using Producer = std::function<Operands(Builder&, const Operands& segment, const SubExp& j)>;

Lambda make_lambda(std::vector<Param> params, std::vector<Type> ret, Builder body, Operands results);

struct Segments {
  Shape sizes;    // of all dimensions but the last
  SubExp width;   // the last
  SubExp number;  // product of sizes, at least 1
};

// The operators of a segred or segscan as plain ones, with their neutral elements as values of full shape.
struct Ops {
  std::vector<ReduceOp> ops;
  std::vector<Type> types;
  Operands neutral;
  bool commutative = true;
};

// Refuses operators that use the indices of the operation's points, which are computed elsewhere. The host's compiler makes none.
void expect_same_operators_for_all(const SegOp& op);

class FoldParts {
 public:
  explicit FoldParts(NameSource& names) : names_(names) {}

  NameSource& names() { return names_; }

  Segments segments_of(Builder& host, const SegOp& op);

  // An operator that is a map over `shape` becomes one on arrays.
  Lambda lifted(const Lambda& op, const Shape& shape);
  Ops plain_ops(Builder& host, const std::vector<SegBinOp>& ops);
  // op(acc, x), inline.
  Operands apply(Builder& b, const Ops& ops, const Operands& acc, const Operands& x);

  // What the operation's points return, of that so many from `first` on. They can be computed in loops, and several times.
  Producer elements_of(const SegOp& op, size_t first, size_t count);
  Producer elements_of(const std::vector<Name>& arrays, const std::vector<Type>& types);

  // segmap over the segments (or one point), and over `threads` per segment if given. `emit` gets the segment's indices
  // and the thread's, and returns the results.
  using PointCode = std::function<Operands(Builder&, const Operands& segment, const SubExp& thread)>;
  std::vector<Name> segmap(Builder& host, const Shape& segments, const std::optional<SubExp>& threads,
                           const std::vector<Type>& types, const std::string& base, const PointCode& emit);

  // Binds the statement's names from the first on to arrays that have an extra dimension of one if there are no segments.
  void bind_results(Builder& host, const Stm& s, const Segments& segments, const std::vector<Name>& arrays);
  // Binds what a segred or segscan returns besides its reductions, and returns its elements. They are computed again
  // wherever they are needed, unless the body updates accumulators: that must happen once, so they are stored
  // (store_elements.h). `store`: in any case.
  Producer mapped(Builder& host, const Stm& s, const SegOp& op, const Ops& ops, bool store = false);

 private:
  NameSource& names_;
};

}  // namespace heddle::seg
