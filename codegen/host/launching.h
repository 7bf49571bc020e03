// Which statements of a function launch kernels.
#pragma once

#include <unordered_set>

#include "ir/host/host.h"

namespace heddle::codegen::host {

// The statements that launch kernels, or hold such that do.
std::unordered_set<const heddle::host::StmtNode*> launching_stmts(const heddle::host::Block& block);

}  // namespace heddle::codegen::host
