// Gives names that are bound in several places, as of other functions or branches, a tag of their own in each:
//
//   entry a { let {x_7 : i64} = add64(n_1, 1i64) in {x_7} }
//   entry b { let {y_7 : i64} = mul64(m_2, 2i64) in {y_7} }
// becomes
//   entry a { let {x_7 : i64} = add64(n_1, 1i64) in {x_7} }
//   entry b { let {y_8 : i64} = mul64(m_2, 2i64) in {y_8} }
//
// What is known of a name then holds wherever in the program it stands.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

Result<Program> unique_names(const Program& program);

}  // namespace heddle::seg
