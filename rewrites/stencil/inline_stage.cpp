#include "rewrites/stencil/inline_stage.h"

#include <fmt/format.h>

namespace heddle::stencil {

namespace {

// What is read where `inner` reads at an index that `outer` makes.
Window composed(const Window& outer, const Window& inner) {
  Window w = inner;
  w.follows = outer.follows;
  if (!outer.follows) {
    // Of fixed indices fixed ones.
    w.num = w.den = 1;
    auto at = [&](int64_t x, int64_t o) { return (inner.num * x + o) / inner.den; };
    w.lo = at(outer.lo, inner.lo);
    w.hi = at(outer.hi, inner.hi);
  } else if (outer.den == 1) {
    w.num = inner.num * outer.num;
    w.lo = inner.num * outer.lo + inner.lo;
    w.hi = inner.num * outer.hi + inner.hi;
  } else if (inner.num == 1) {
    w.num = outer.num;
    w.den = inner.den * outer.den;
    w.lo = outer.lo + outer.den * inner.lo;
    w.hi = outer.hi + outer.den * inner.hi;
  } else {
    refuse("a sampling of a sampling that is none");
  }
  return w;
}

Read composed(const Read& outer, const Read& inner) {
  Read r{inner.source, {}};
  for (const Window& w : inner.windows) r.windows.push_back(w.follows ? composed(outer.windows[*w.follows], w) : w);
  return r;
}

void take_over(Stage& reader, const Stage& inlined, size_t number) {
  std::vector<Read> reads;
  for (const Read& r : reader.reads) {
    if (r.source != Source{Source::Kind::Stage, number}) {
      reads.push_back(r);
      continue;
    }
    int64_t times = loads(r);
    reader.alu_ops += times * inlined.alu_ops;
    reader.sfu_ops += times * inlined.sfu_ops;
    for (const Read& inner : inlined.reads) {
      reads.push_back(composed(r, inner));
      if (loads(reads.back()) > 1 && reader.kind == StageKind::Point) reader.kind = StageKind::Local;
    }
  }
  reader.reads = std::move(reads);
}

}  // namespace

Result<Pipeline> inline_stage(const Pipeline& p, size_t stage) {
  if (p.stage(stage).live_out || p.consumers(stage).empty())
    return unsupported(fmt::format("{} is a result", p.stage(stage).name));
  std::vector<Stage> stages;
  try {
    for (size_t s = 0; s < p.size(); ++s) {
      if (s == stage) continue;
      stages.push_back(p.stage(s));
      take_over(stages.back(), p.stage(stage), stage);
      for (Read& r : stages.back().reads) {
        if (r.source.kind == Source::Kind::Stage && r.source.number > stage) --r.source.number;
      }
    }
  } catch (const Refused& r) {
    return r.error;
  }
  return Pipeline::of(p.inputs(), std::move(stages));
}

}  // namespace heddle::stencil
