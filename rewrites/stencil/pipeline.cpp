#include "rewrites/stencil/pipeline.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::stencil {

namespace {

void add_once(std::vector<size_t>& list, size_t s) {
  auto place = std::lower_bound(list.begin(), list.end(), s);
  if (place == list.end() || *place != s) list.insert(place, s);
}

void check(const Pipeline& p, size_t s) {
  const Stage& stage = p.stage(s);
  if (stage.element_bytes.empty()) refuse(fmt::format("stage {} has no result", stage.name));
  for (const Read& r : stage.reads) {
    bool of_input = r.source.kind == Source::Kind::Input;
    if (r.source.number >= (of_input ? p.inputs().size() : s))
      refuse(fmt::format("stage {} reads what is not computed before it", stage.name));
    if (r.windows.size() != p.domain(r.source).size())
      refuse(fmt::format("stage {} reads {} with {} indices for {} dimensions", stage.name, p.name(r.source),
                         r.windows.size(), p.domain(r.source).size()));
    for (const Window& w : r.windows) {
      if (w.follows && *w.follows >= stage.domain.size())
        refuse(fmt::format("stage {} has no dimension {}", stage.name, *w.follows));
      if (w.num < 1 || w.den < 1 || w.hi < w.lo)
        refuse(fmt::format("stage {} reads {} against the order of its points", stage.name, p.name(r.source)));
    }
  }
}

}  // namespace

Result<Pipeline> Pipeline::of(std::vector<Image> inputs, std::vector<Stage> stages) {
  Pipeline p;
  p.inputs_ = std::move(inputs);
  p.stages_ = std::move(stages);
  p.consumers_.resize(p.size());
  p.producers_.resize(p.size());
  try {
    for (size_t s = 0; s < p.size(); ++s) check(p, s);
  } catch (const Refused& r) {
    return r.error;
  }
  for (size_t s = 0; s < p.size(); ++s) {
    for (const Read& r : p.stages_[s].reads) {
      if (r.source.kind != Source::Kind::Stage) continue;
      add_once(p.consumers_[r.source.number], s);
      add_once(p.producers_[s], r.source.number);
    }
  }
  return p;
}

std::vector<Edge> Pipeline::edges() const {
  std::vector<Edge> result;
  for (size_t consumer = 0; consumer < size(); ++consumer) {
    for (size_t producer : producers_[consumer]) {
      Edge e{producer, consumer, {}};
      for (const Read& r : stages_[consumer].reads) {
        if (r.source == Source{Source::Kind::Stage, producer}) e.reads.push_back(&r);
      }
      result.push_back(std::move(e));
    }
  }
  return result;
}

std::vector<Source> Pipeline::sources(size_t s) const {
  std::vector<Source> result;
  for (const Read& r : stages_[s].reads) {
    if (std::find(result.begin(), result.end(), r.source) == result.end()) result.push_back(r.source);
  }
  return result;
}

const std::vector<Interval>& Pipeline::domain(const Source& source) const {
  return source.kind == Source::Kind::Input ? inputs_[source.number].domain : stages_[source.number].domain;
}

const std::string& Pipeline::name(const Source& source) const {
  return source.kind == Source::Kind::Input ? inputs_[source.number].name : stages_[source.number].name;
}

int64_t points(const std::vector<Interval>& domain) {
  int64_t n = 1;
  for (const Interval& i : domain) n = i.size() > 0 && n > kManyPoints / i.size() ? kManyPoints : n * i.size();
  return n;
}

int64_t bytes_per_point(const Stage& s) {
  int64_t bytes = 0;
  for (int64_t b : s.element_bytes) bytes += b;
  return bytes;
}

int64_t loads(const Read& r) {
  int64_t n = 1;
  for (const Window& w : r.windows) n *= w.hi - w.lo + 1;
  return n;
}

int64_t loads(const Stage& s) {
  int64_t n = 0;
  for (const Read& r : s.reads) n += loads(r);
  return n;
}

}  // namespace heddle::stencil
