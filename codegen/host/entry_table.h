// The table of entry points, and the program that binds all tables together.
#pragma once

#include "codegen/host/generate.h"
#include "codegen/host/type_table.h"

namespace heddle::codegen::host {

struct EntryFunction {
  const heddle::host::Function* function;
  std::string c_name;
};

// Sorted by the names of the entry points, as Futhark lists them.
std::vector<EntryFunction> entry_functions(const heddle::host::Program& program);

// Whether there is something to compute before all functions.
inline bool has_init(const heddle::host::Program& program) {
  return !program.init.stmts.empty() || !program.constants.empty();
}

// Defines `entries` ...
std::string entries_table(const std::vector<EntryFunction>& entries, const TypeTable& types);
// ... and `hd_this_program`, which refers to `types`, `tuning_params`, `failures`, `kernels`, `kernel_text` and
// `init_constants` where there are any.
std::string program_table(const heddle::host::Program& program, const TypeTable& types,
                          const std::vector<EntryFunction>& entries, Target target, const std::string& name);

}  // namespace heddle::codegen::host
