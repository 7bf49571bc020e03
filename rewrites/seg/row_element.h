// A single element of an array that a point makes by maps, or in branches, or reads.
#pragma once

#include <span>

#include "rewrites/seg/builder.h"

namespace heddle::seg {

// Statements, which see those of an outer scope.
struct Scope {
  const Stms& stms;
  const Scope* outer = nullptr;
};

// The scalar that `value`, of this type, is at the indices: of
//   let {row : [d]t} = if c then { let {y} = map(d, {xs}, \x -> f(x)) in {y} } else { ys }
// row[j] becomes
//   let {e} = if c then { let {x} = xs[j] let {y} = f(x) in {y} } else { let {y} = ys[j] in {y} }
// which `b` is given, and which may use what the scope binds besides such arrays. Nothing where an array is made otherwise. It may fail as the array may, and take
// long: whoever wants it otherwise asks has_checks and takes_little of what he then needs.
std::optional<SubExp> row_element(const SubExp& value, std::span<const SubExp> at, const Type& type, const Scope& scope,
                                  Builder& b);

// The statement that makes an array so that its elements are no copies of what is in memory; nullptr where there is none.
const Stm* maker_of_row(const SubExp& value, const Scope& scope);

// Whether statements, with those in their branches, are a few operations and reads.
bool takes_little(const Stms& stms);

}  // namespace heddle::seg
