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
  std::vector<Stage> stages{local("blurx", {around(input(), {0, 2})}), local("blury", {around(stage(0), {2, 0})}),
                            point("sharpen", {same(input()), same(stage(1))}),
                            point("masked", {same(input()), same(stage(1)), same(stage(2))})};
  return pipeline({{"img", size(kSize, kSize)}}, stages);
}

}  // namespace heddle::stencil::examples
