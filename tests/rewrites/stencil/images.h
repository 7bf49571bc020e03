// Stages that are images of one size, for tests of how groups of such are tiled.
#pragma once

#include <string>
#include <vector>

#include "rewrites/stencil/pipeline.h"

namespace heddle::stencil {

inline constexpr int64_t kSize = 2048;

inline Stage image(const std::string& name, std::vector<Read> reads, int64_t alu_ops = 4) {
  Stage s;
  s.name = name;
  s.domain = {{0, kSize - 1}, {0, kSize - 1}};
  s.alu_ops = alu_ops;
  s.reads = std::move(reads);
  return s;
}

inline Read window(size_t of, const Window& rows, const Window& columns) {
  return {{Source::Kind::Stage, of}, {rows, columns}};
}

}  // namespace heddle::stencil
