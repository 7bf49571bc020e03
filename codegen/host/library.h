// The C API of a program as a library: its header's and its functions' text, and the manifest that describes them. A
// function does no more than to hand its arguments to runtime/io/library.h with the number of its type or entry point.
#pragma once

#include "codegen/host/entry_table.h"
#include "codegen/host/type_table.h"

namespace heddle::codegen::host {

struct LibraryApi {
  std::string header;     // all of it
  std::string functions;  // their definitions, besides those that every library has
  std::string manifest;   // JSON
};

// An error when two functions would have the same name, or a type is not what its definition says.
Result<LibraryApi> library_api(const std::vector<EntryFunction>& entries, const TypeTable& types,
                               const heddle::host::Program& program, Target target, const std::string& version);

}  // namespace heddle::codegen::host
