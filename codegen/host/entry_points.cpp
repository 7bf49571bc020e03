// Entry points: from the constituents of their inputs to those of their results.
#include "codegen/host/function_writer.h"
#include "codegen/host/lifetimes.h"

namespace heddle::codegen::host {

namespace {

size_t num_constituents_of_inputs(const lower::LoweredProgram& program, const seg::EntryPoint& entry);
size_t num_constituents_of_results(const lower::LoweredProgram& program, const seg::EntryPoint& entry);

}  // namespace
}  // namespace heddle::codegen::host
