#include "tests/rewrites/stencil/small_pipelines.h"

#include <stdexcept>

namespace heddle::stencil::examples {

Pipeline pipeline(std::vector<Image> inputs, std::vector<Stage> stages) {
  Result<Pipeline> p = Pipeline::of(std::move(inputs), std::move(stages));
  if (!p) throw std::logic_error(p.error().message);
  return *p;
}

Source input(size_t number) { return {Source::Kind::Input, number}; }

Source stage(size_t number) { return {Source::Kind::Stage, number}; }

Read around(Source source, const std::vector<int64_t>& radii, Border border) {
  Read r{source, {}};
  for (size_t d = 0; d < radii.size(); ++d) r.windows.push_back({d, -radii[d], radii[d], 1, 1, border});
  return r;
}

Read same(Source source) { return around(source, {0, 0}, Border::None); }

std::vector<Interval> size(int64_t rows, int64_t columns) { return {{0, rows - 1}, {0, columns - 1}}; }

namespace {

constexpr int64_t kSize = 2048;

Stage of_kind(StageKind kind, std::string name, std::vector<Read> reads, int64_t alu_ops) {
  Stage s;
  s.name = std::move(name);
  s.kind = kind;
  s.domain = size(kSize, kSize);
  s.alu_ops = alu_ops;
  s.reads = std::move(reads);
  return s;
}

}  // namespace

Stage point(std::string name, std::vector<Read> reads, int64_t alu_ops) {
  return of_kind(StageKind::Point, std::move(name), std::move(reads), alu_ops);
}

Stage local(std::string name, std::vector<Read> reads, int64_t alu_ops) {
  return of_kind(StageKind::Local, std::move(name), std::move(reads), alu_ops);
}

Pipeline three_levels(int64_t n) {
  auto at = [](int64_t o) { return Window{0, o, o}; };
  auto reads = [&](size_t of, int64_t reach) {
    return std::vector<Read>{{stage(of), {at(-reach)}}, {stage(of), {at(0)}}, {stage(of), {at(reach)}}};
  };
  Stage a = point("a", {});
  a.domain = {{1, n - 1}};
  Stage b = local("b", reads(0, 1));
  b.domain = {{2, n - 2}};
  Stage c = local("c", reads(1, 2));
  c.domain = {{4, n - 4}};
  return pipeline({}, {a, b, c});
}

Pipeline unsharp_of_polymage() {
  std::vector<Stage> stages{local("blurx", {around(input(), {2, 0})}), local("blury", {around(stage(0), {0, 2})}),
                            point("sharpen", {same(input()), same(stage(1))}),
                            point("masked", {same(input()), same(stage(1)), same(stage(2))})};
  return pipeline({{"img", size(kSize, kSize)}}, stages);
}

namespace {

Read window(Source source, int64_t radius) { return around(source, {radius, radius}); }

Image image() { return {"img", size(kSize, kSize)}; }

}  // namespace

Pipeline harris() {
  std::vector<Stage> s{local("dx", {window(input(), 1)}),
                       local("dy", {window(input(), 1)}),
                       point("sx", {same(stage(0))}),
                       point("sxy", {same(stage(0)), same(stage(1))}),
                       point("sy", {same(stage(1))}),
                       local("gx", {window(stage(2), 1)}),
                       local("gxy", {window(stage(3), 1)}),
                       local("gy", {window(stage(4), 1)}),
                       point("hc", {same(stage(5)), same(stage(6)), same(stage(7))})};
  return pipeline({image()}, s);
}

Pipeline sobel() {
  return pipeline({image()}, {local("dx", {window(input(), 1)}), local("dy", {window(input(), 1)}),
                              point("mag", {same(stage(0)), same(stage(1))})});
}

Pipeline unsharp() {
  return pipeline({image()},
                  {local("blur", {window(input(), 1)}), point("high", {same(input()), same(stage(0))}),
                   point("scaled", {same(input()), same(stage(1))}), point("sharp", {same(input()), same(stage(2))})});
}

Pipeline enhance() {
  return pipeline({image()}, {local("gauss", {window(input(), 1)}), point("gamma", {same(stage(0))}),
                              point("stretch", {same(stage(1))})});
}

Pipeline night() {
  std::vector<Stage> s{local("atrous0", {window(input(), 1)}, 68), local("atrous1", {window(stage(0), 2)}, 68),
                       point("scoto", {same(stage(1))}, 89)};
  for (Stage& each : s) each.domain = size(1200, 1920);
  return pipeline({{"img", size(1200, 1920)}}, s);
}

Pipeline reordered(const Pipeline& p, const std::vector<size_t>& choices) {
  std::vector<size_t> place(p.size(), p.size());  // in the new order
  std::vector<Stage> stages;
  while (stages.size() < p.size()) {
    std::vector<size_t> ready;
    for (size_t s = 0; s < p.size(); ++s) {
      bool waits = place[s] != p.size();
      for (size_t producer : p.producers(s)) waits |= place[producer] == p.size();
      if (!waits) ready.push_back(s);
    }
    size_t next = ready[choices.empty() ? 0 : choices[stages.size() % choices.size()] % ready.size()];
    place[next] = stages.size();
    stages.push_back(p.stage(next));
  }
  for (Stage& s : stages) {
    for (Read& r : s.reads) {
      if (r.source.kind == Source::Kind::Stage) r.source.number = place[r.source.number];
    }
  }
  return pipeline(p.inputs(), stages);
}

}  // namespace heddle::stencil::examples
