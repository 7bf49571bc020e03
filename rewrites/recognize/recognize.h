// Recognizes contractions in what one point of a segmented map computes.
//
//   alloc acc: register f32; acc[] := 0.0f32;
//   for k in n (serial) { let t = a[i][k] * b[k][j]; acc[] := acc[] + t; }
//   result[i][j] := acc[];
// is the sum over k of a[i][k] * b[k][j], whatever nested maps, reductions, loops, slices or transpositions it was
// written with: to a nest they are all the same.
#pragma once

#include <functional>
#include <variant>

#include "rewrites/recognize/contraction.h"

namespace heddle::recognize {

// What may be supposed in a proof.
struct Premises {
  std::vector<Index> indices;
  std::vector<nest::Expr> conditions;
};

// What is computed for every combination of 0 <= indices[k].name < indices[k].extent, the last ones being neighbours in
// the result's memory. Names that are neither bound in `work` nor indices are the kernel's scalars and buffers.
struct PointNest {
  std::vector<Index> indices;
  nest::Block work;
  std::vector<nest::Buffer> buffers;
  // Whether a condition follows from what is known about the kernel and these premises.
  std::function<bool(const Premises&, const nest::Expr&)> implies;
};

// Which condition does not hold, as a clause: "the result is stored twice".
struct WhyNot {
  std::string reason;
  bool only_an_index = false;  // all that stands in the way is an index that is not affine
};

std::variant<Contraction, WhyNot> recognize(const PointNest& point, NameSource& names);

}  // namespace heddle::recognize
