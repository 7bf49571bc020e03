// Names that begin with `*`, as the host makes them of operators, begin otherwise. As arguments they are written like what is
// consumed, and the host's reader, unlike ours, takes `apply log64(**_lhs_1)` for `*_lhs_1` consumed: another text for the same
// tag, so that its C code uses a variable that it never declares.
//
//   let {**_lhs_1 : f64} = ...                     let {op**_lhs_1 : f64} = ...
//   let {y_2 : f64} = apply log64(**_lhs_1)   =>   let {y_2 : f64} = apply log64(op**_lhs_1)
#pragma once

#include "ir/seg/syntax.h"

namespace heddle::seg {

FunDef plain_names(FunDef function);

}  // namespace heddle::seg
