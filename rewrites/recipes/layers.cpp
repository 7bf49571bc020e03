#include "rewrites/recipes/layers.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "rewrites/stencil/tiles.h"

namespace heddle::lower {

using nest::Expr;

namespace {

bool is_same_place(const stencil::Window& w, size_t dimension) {
  return w.follows == dimension && w.lo == 0 && w.hi == 0 && w.num == 1 && w.den == 1;
}

std::optional<int64_t> num_layers(const StageCode& s) {
  if (s.indices.size() < 3) return std::nullopt;
  const std::optional<int64_t> extent = nest::int_constant(s.indices[0].extent);
  return extent && *extent > 1 && *extent <= stencil::kNarrow ? extent : std::nullopt;
}

// Whether each layer that is read of the producer is a number or the reader's own.
bool are_known(const StageCode& producer, const StageCode& reader, const nest::Block& work) {
  bool known = true;
  nest::for_each_expr(work, [&](const Expr& e) {
    const auto* load = std::get_if<nest::Load>(&e->node);
    if (!load || std::ranges::find(producer.arrays, load->buffer) == producer.arrays.end()) return;
    const auto* name = std::get_if<nest::Var>(&load->index[0]->node);
    known &= nest::int_constant(load->index[0]).has_value() || (name && name->name == reader.indices[0].name);
  });
  return known;
}

}  // namespace

bool is_common(const recognize::WindowedRead& read) {
  return std::ranges::none_of(read.windows, [](const stencil::Window& w) { return is_same_place(w, 0); });
}

std::optional<int64_t> common_layers(const StageCode& stage) {
  return std::ranges::any_of(stage.reads, is_common) ? num_layers(stage) : std::nullopt;
}

bool is_read_at_point(const StageCode& producer, const StageCode& reader) {
  if (producer.indices.size() != reader.indices.size()) return false;
  for (size_t d = 0; d < producer.indices.size(); ++d) {
    if (!nest::equal(producer.indices[d].extent, reader.indices[d].extent)) return false;
  }
  return std::ranges::all_of(reader.reads, [&](const recognize::WindowedRead& read) {
    if (std::ranges::find(producer.arrays, read.buffer) == producer.arrays.end()) return true;
    for (size_t d = 0; d < read.windows.size(); ++d) {
      if (!is_same_place(read.windows[d], d)) return false;
    }
    return true;
  });
}

bool is_read_in_layers(const StageCode& producer, const StageCode& reader) {
  const bool has_layers = producer.indices.size() == reader.indices.size();
  if (!num_layers(reader) || (has_layers && !num_layers(producer))) return false;
  const size_t own = has_layers ? 1 : 0;  // dimensions of the producer before those of the place
  if (producer.indices.size() != reader.indices.size() - 1 + own) return false;
  for (size_t d = own; d < producer.indices.size(); ++d) {
    if (!nest::equal(producer.indices[d].extent, reader.indices[d + 1 - own].extent)) return false;
  }
  for (const recognize::WindowedRead& read : reader.reads) {
    if (std::ranges::find(producer.arrays, read.buffer) == producer.arrays.end()) continue;
    for (size_t d = own; d < read.windows.size(); ++d) {
      if (!is_same_place(read.windows[d], d + 1 - own)) return false;
    }
  }
  return !has_layers || (are_known(producer, reader, reader.work) && are_known(producer, reader, reader.inside.work));
}

}  // namespace heddle::lower
