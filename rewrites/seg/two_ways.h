// A statement by either of two lists of statements.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/names.h"

namespace heddle::seg {

// let {s's names} = if <equiv> condition then { one } else { other }, of which each binds these names.
Stm two_ways(const Stm& s, const SubExp& condition, const Stms& one, const Stms& other, NameSource& names);

}  // namespace heddle::seg
