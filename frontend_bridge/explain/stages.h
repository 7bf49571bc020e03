// The stages of image pipelines: what each reads, which of them are one kernel, and what decided it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "frontend_bridge/explain/json_writer.h"
#include "rewrites/plan/planned_program.h"

namespace heddle {

// The record of the body of host code in which the operation stands as a stage; null if it is none.
const lower::FusionRecord* fusion_of(const lower::PlannedProgram& program, const seg::Stm& operation);

// Stages with their windows, what the strategy went by, and each group with its tile, or why it has none. `tile`: if
// it is not
// empty, what groups need in tiles of these sizes, too.
std::string stages_text(const lower::FusionRecord& fusion, const stencil::Tile& tile);

// For Graphviz: groups as clusters, windows and Hipacc's weights on the edges.
std::string stages_dot(const lower::FusionRecord& fusion);

// All of a pipeline as data: stages with their windows, groups with what they need of a device, what the strategy went by.
nlohmann::json pipeline_json(const lower::FusionRecord& fusion);

// The group of stages of which the operation computes the result; null if it is none.
void write_group(const lower::PlannedProgram& program, const seg::Stm& operation, JsonWriter& out);

// Tile and halos, where the operation computes the result of several stages; else empty.
std::string tiles_of_group(const lower::FusionRecord& fusion, const seg::Stm& operation);

}  // namespace heddle
