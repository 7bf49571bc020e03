// A contraction as one block-level segmap in the host's own language. Each block computes a tile of the results, of which
// each thread has several in registers; what they read is copied to shared memory before, a chunk of the reduction at a
// time.
//
//   let {c} = segmap(thread) (z < h, x < w) { sum over k < n of a[z, k] * b[k, x] }
// becomes, where a block has 4 x 32 threads with 16 points below each other, and takes 64 steps at a time,
//   let {c} = segmap(block) (tz < sdiv_up64(h, 64), tx < sdiv_up64(w, 32)) {
//     let {sums} = segmap(inblock) (i < 4, l < 32) { return {returns (private) registers with 16 zeros} }
//     let {s, ..., ...} = loop {s, a_tile, b_tile} = {sums, scratch(...), scratch(...)} for chunk < sdiv_up64(n, 64) do {
//       let {a_copied} = segmap(inblock) (...) {
//         a_tile with [64*k + z] = a[64*tz + z, 64*chunk + k], or 0 where a has no such element
//       }
//       let {b_copied} = ...
//       let {summed} = segmap(inblock) (i < 4, l < 32) {
//         loop {r} = {s[i, l]} for k < smin64(64, n - 64*chunk) do {
//           let {as} = a_copied[64*k + 16*i + m] for m < 16    let {bs} = b_copied[32*k + l]
//           loop over m < 16 of r with [m, 0] = r[m, 0] + as[m] * bs[0]
//         }
//       }
//     }
//     return {blkreg_tile(h / (4 * 16), w / (32 * 1)) s}
//   }
// Sizes need not divide: elements beyond the arrays are copied as zeros, results beyond are not written, and the last
// chunk has fewer steps.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

struct TiledContraction {
  struct Parallel {  // a dimension of the result
    SubExp extent;
    int64_t threads, points;  // of a tile; neighbouring threads have neighbouring points where `points` is 1
  };
  struct Reduction {
    SubExp extent;
    int64_t most;      // steps of a chunk along it
    int64_t together;  // and along it and those within it
  };
  // How far an index of an operand goes with an index of the contraction. What is no number must not be negative.
  struct Step {
    SubExp size;
    bool backwards = false;
  };
  struct Dim {
    std::vector<std::optional<Step>> parallel, reduction;  // none: it does not go with that one
    SubExp constant;
    SubExp extent;  // of the array
  };
  struct Operand {
    Name array;
    prim::Type elem;
    std::vector<Dim> dims;
    std::vector<size_t> order;  // of the dimensions in memory, innermost last
  };

  std::vector<Parallel> parallel;
  std::vector<Reduction> reduction;
  std::vector<Operand> operands;
  Lambda
      term;  // of an element of each, and where there are more parameters, the indices: parallel ones, then the others
  prim::Op reduce;
  prim::Value neutral;
  std::optional<Lambda> result;  // of the sum and the point's indices; none: the sum
};

struct ContractionCode {
  Stms sizes;           // what can neither fail nor takes time
  SubExp shared_bytes;  // of a block, one of these
  Stms stms;            // the last is the segmap, which binds `pat`, an array of scalars
};
ContractionCode tile_contraction(const TiledContraction& c, const Pat& pat, NameSource& names);

}  // namespace heddle::seg
