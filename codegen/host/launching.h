// Which statements of a function launch kernels.
#pragma once

#include <unordered_set>
#include <vector>

#include "ir/host/host.h"

namespace heddle::codegen::host {

// The statements that launch kernels, or hold such that do.
std::unordered_set<const heddle::host::StmtNode*> launching_stmts(const heddle::host::Block& block);

// For each kernel whether one of its launches may run beside another's (ir::Launch::beside_next).
std::vector<bool> kernels_beside_others(const heddle::host::Program& program);

}  // namespace heddle::codegen::host
