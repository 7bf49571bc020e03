// Where the memory comes from in which an array that a body returns lies.
#pragma once

#include <optional>
#include <vector>

#include "ir/seg/syntax.h"

namespace heddle::lower {

// Of `c` in
//   let {a} = replicate([n], 0)
//   let {c} = loop {b = a} for i < n do { let {b'} = b with [i] = x in {b'} }
// c, b and a: all are the same memory, if it is made where the last of them is.
struct WhereMade {
  std::vector<Name> names;        // from the result back
  std::optional<Name> outside{};  // what is updated, or returned as it is, if the memory is made before the body
};

WhereMade where_made(const seg::Body& body, const seg::SubExp& result);

// The name outside of all branches whose array each of them updates, or returns as it is, for the result.
std::optional<Name> kept_by_branches(const seg::Match& match, size_t result);

}  // namespace heddle::lower
