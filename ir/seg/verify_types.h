// Small computations on types, for the verifier and the evaluator.
#pragma once

#include <span>
#include <string>

#include "ir/seg/syntax.h"

namespace heddle::seg {

const Type& scalar_type(prim::Type type);
inline const Type& i64_type() { return scalar_type(prim::Type::I64); }
// Equal but for uniqueness.
bool same(const Type& a, const Type& b);
bool same(std::span<const Type> a, std::span<const Type> b);
// An array of this outer shape of `elem`; accumulators stay what they are.
Type array_of(const Shape& shape, const Type& elem);
// Without the `count` outermost dimensions; the type must have so many.
Type strip(const Type& type, int count);
Type with_shape(const Type& type, const Shape& shape);
Shape sizes(const Slice& slice);
std::string text(const SubExp& e);
std::string text(const Shape& shape);
std::string text(const Type& type);
std::string text(std::span<const Type> types);

}  // namespace heddle::seg
