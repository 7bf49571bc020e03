#include "tests/campaign/stages/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ir/host/eval.h"
#include "rewrites/plan/join_reductions.h"

namespace heddle::campaign {

namespace {

constexpr int64_t kMostSteps = 60'000'000;

prim::Value draw_value(Random& random, prim::Type type, bool may_be_special) {
  if (prim::is_int(type))
    return prim::Value::of_int(type, random.percent(90) ? random.between(-9, 99) : random.between(-99'999, 99'999));
  if (may_be_special && random.percent(1)) {
    static const std::vector<double> special = {-0.0, std::numeric_limits<double>::infinity(),
                                                std::numeric_limits<double>::quiet_NaN()};
    return prim::Value::of_float(type, random.pick(special));
  }
  return prim::Value::of_float(type, static_cast<double>(random.between(-999, 999)) / 100);
}

prim::Type elem_type(const std::string& name) { return name == "u8" ? prim::Type::I8 : *prim::parse_type(name); }

// "Index [7, 3] out of bounds" with no numbers: which point is the first to fail is open.
std::string without_numbers(const std::string& message) {
  std::string text;
  for (char c : message) {
    if (!std::isdigit(static_cast<unsigned char>(c)) && c != '-') text += c;
  }
  return text;
}

std::string described(const seg::EvalResult& r) {
  std::string text = fmt::format("outcome {}: {}", static_cast<int>(r.outcome), r.message);
  return r.outcome == seg::Outcome::Ok ? "values" : text;
}

std::string first_difference(const seg::EvalResult& expected, const seg::EvalResult& got) {
  for (size_t k = 0; k < expected.values.size(); ++k) {
    const auto* a = std::get_if<seg::Array>(&expected.values[k].value);
    const auto* b = std::get_if<seg::Array>(&got.values[k].value);
    if (!a || !b || a->shape != b->shape) {
      if (!seg::equal(expected.values[k].value, got.values[k].value)) return fmt::format("result {}: another shape", k);
      continue;
    }
    int64_t apart = 0, first = -1;
    for (int64_t i = 0; i < a->size(); ++i) {
      if (a->at(i) == b->at(i)) continue;
      if (apart++ == 0) first = i;
    }
    if (apart > 0)
      return fmt::format("result {}: {} of {} elements, the first number {}: {}, not {}", k, apart, a->size(), first,
                         prim::to_text(b->at(first)), prim::to_text(a->at(first)));
  }
  return "";
}

}  // namespace

std::string to_text(const Way& way) {
  if (way.by_default) return "by default";
  std::string text;
  for (const stencil::NamedStrategy& s : stencil::kStrategies) {
    if (s.strategy == way.fusion) text = s.name;
  }
  if (way.tile) text += fmt::format(", tiles of {} x {}", way.tile->before, way.tile->last);
  if (way.scope == stencil::TileScope::Warp) text += ", for each warp";
  if (way.scope == stencil::TileScope::Hybrid)
    text += fmt::format(", hybrid, {} of {}", way.hybrid.in_registers, way.hybrid.shapes[0].columns);
  if (way.scope == stencil::TileScope::Stream) text += ", streamed";
  if (way.nesting == stencil::Nesting::Gated) text += ", nested where it is worth it";
  if (way.nesting == stencil::Nesting::Forced) text += ", nested";
  if (way.walked_columns) text += fmt::format(", walked by {} columns", *way.walked_columns);
  if (way.time_tile) text += fmt::format(", {} steps in a kernel", *way.time_tile);
  return text;
}

namespace {

void have_done(const Way& way, lower::PlanOptions& plan) {
  plan.fusion = way.fusion;
  plan.time_tile = way.time_tile;
  plan.models.fit.scope = way.scope;
  plan.models.fit.hybrid = way.hybrid;
  plan.models.nesting = way.nesting;
  stencil::WalkModel& walk = plan.models.fit.walk;
  walk.columns.clear();
  if (way.walked_columns)
    walk = {.columns = {*way.walked_columns},
            .most_beside = 0.9,
            .multiprocessors = 1,
            .most_warps = 4,
            .least_segment = 2};
  if (way.tile) {
    stencil::FitModel& fit = plan.models.fit;
    fit.shapes = fit.warp_shapes = {*way.tile};
    fit.line = 16 * way.tile->last;
    fit.stream.threads = 6 * way.tile->last;
    fit.stream.steps = {way.tile->before / 2, 3, 1};
    fit.stream.most_beside = 0.8;
    fit.stream.least_segment = way.tile->before;
    fit.most_redundant = fit.most_redundant_work = std::numeric_limits<double>::infinity();
  }
}

}  // namespace

Result<Compiled> compile(const seg::Program& program, const Way& way) {
  KernelOptions options;
  options.verify = true;
  options.for_blocks();
  if (!way.by_default) have_done(way, options.plan);
  Result<lower::PlannedProgram> planned = compile_kernels(program, options);
  if (!planned) return planned.error();
  Compiled compiled;
  for (const lower::FusionRecord& f : planned->fusions) {
    for (const lower::GroupRecord& g : f.groups) {
      compiled.nested += std::ranges::count_if(
          g.nesting, [](const std::string& line) { return line.find("by each thread") != std::string::npos; });
      if (!g.kernel) continue;
      ++compiled.groups;
      compiled.streams += g.kernel->stream.has_value();
      compiled.walks += g.kernel->walk.has_value() + g.kernel->where_large.has_value();
      compiled.hybrids += g.kernel->hybrid.has_value();
      compiled.grouped_stages += static_cast<int64_t>(g.group.stages.size());
    }
  }
  for (const auto& [stm, decided] : planned->loops) {
    compiled.rounds += decided.back().find("that stream") != std::string::npos;
    compiled.walks += decided.back().find("that warps walk") != std::string::npos;
  }
  for (const auto& [stm, plan] : planned->plans) compiled.joined += plan.recipe == lower::kReducedAsComputed;
  Result<host::Program> host = host_program(*planned, {true}, options);
  if (!host) return host.error();
  compiled.program = std::move(*host);
  return compiled;
}

std::vector<seg::TypedValue> draw_inputs(Random& random, const Pipeline& p, const std::vector<int64_t>& sizes) {
  std::vector<seg::TypedValue> inputs;
  auto array = [&](const std::string& type, std::vector<int64_t> shape) {
    auto count = static_cast<size_t>(*seg::element_count(shape));
    seg::Array a{elem_type(type), std::move(shape), std::make_shared<std::vector<int64_t>>(count)};
    const bool may_be_special = random.percent(10);
    for (int64_t i = 0; i < a.size(); ++i) a.set(i, draw_value(random, a.elem, may_be_special));
    inputs.push_back({a, type == "u8"});
  };
  // Warps walk ten steps at a time, if nobody says how many.
  const int64_t most_steps = p.stages.size() == 1 ? 23 : 7;
  if (p.repeated) inputs.push_back({prim::Value::i64(random.between(0, most_steps)), false});
  if (!p.computes_table) array("i32", {256});
  for (const Image& image : p.images) {
    std::vector<int64_t> shape;
    for (const Extent& e : image.dims) shape.push_back(e.size < 0 ? e.constant : sizes[static_cast<size_t>(e.size)]);
    array(image.type, shape);
  }
  return inputs;
}

seg::EvalResult reference(const seg::Program& program, const std::string& entry,
                          const std::vector<seg::TypedValue>& inputs) {
  seg::EvalOptions options;
  options.max_steps = kMostSteps;
  return seg::evaluate(program, entry, inputs, options);
}

Comparison compare(const seg::EvalResult& expected, const Compiled& compiled, const std::string& entry,
                   const std::vector<seg::TypedValue>& inputs) {
  if (expected.outcome != seg::Outcome::Ok && expected.outcome != seg::Outcome::ProgramError)
    return {Verdict::NotEvaluated, described(expected)};
  seg::EvalOptions options;
  options.max_steps = kMostSteps;
  seg::EvalResult got = host::evaluate(compiled.program, entry, inputs, options);
  if (got.outcome == seg::Outcome::Limit || got.outcome == seg::Outcome::Unsupported)
    return {Verdict::NotEvaluated, described(got)};
  if (got.outcome != expected.outcome || without_numbers(got.message) != without_numbers(expected.message))
    return {Verdict::Different, fmt::format("{}; it should be {}", described(got), described(expected))};
  if (got.outcome == seg::Outcome::ProgramError) return {Verdict::SameFailure, ""};
  std::string difference = first_difference(expected, got);
  return {difference.empty() ? Verdict::Same : Verdict::Different, difference};
}

}  // namespace heddle::campaign
