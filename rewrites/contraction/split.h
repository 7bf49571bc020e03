// The reduction in parts, for results that are too few to keep a device busy.
#pragma once

#include "ir/support/error.h"
#include "rewrites/contraction/view.h"

namespace heddle::contraction {

// Which index of the reduction can be split: one to which nothing or only others are added in each dimension that it is in, so that this can be
// seen as two. Parts of windows, as in a[i + k], overlap then.
Result<size_t> index_to_split(const recognize::Contraction& c, const std::vector<nest::Buffer>& buffers);

//   out[i][j] = f(sum over k < n of a[i][k] * b[k][j])
// becomes
//   partial[part][i][j] = sum over k < each of a[i][part * each + k] * b[part * each + k][j]
//   out[i][j] = f(partial[0][i][j] + ... + partial[parts - 1][i][j]
//                 + sum over k from parts * each on of a[i][k] * b[k][j])
// Parts times each are n or fewer.
struct Split {
  recognize::Contraction first;  // whose result is `partial`
  Viewed seen;  // the same with a[i][part][k] and b[part][k][j], where the part is alone in its dimension
  nest::Buffer partial;
  nest::Block second;  // what computes one point of the result, with the names of the parallel indices
};
Split split(const recognize::Contraction& c, const std::vector<nest::Buffer>& buffers, size_t index, const Name& parts,
            const Name& each, NameSource& names);

}  // namespace heddle::contraction
