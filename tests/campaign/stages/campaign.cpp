// Random pipelines of stages, compiled by heddle in several ways and evaluated, against the evaluator of the program itself.
//
// A case is one pipeline on one draw of sizes and inputs, compiled in one way: by one strategy, with the model's tiles or a small
// one. What differs is made smaller for as long as it differs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "tests/campaign/stages/check.h"
#include "tests/runtime_io/process.h"

namespace fs = std::filesystem;
using namespace heddle;
using namespace heddle::campaign;

namespace {

struct Options {
  std::string futhark, work = "stages-work";
  uint64_t seed = 1;
  int64_t programs = 1, first = 0, entries = 20, sizes = 2, ways = 4, seconds = 0;
  int64_t warps = 50, streams = 30, hybrids = 0, folds = 50, walks = 60, nests = 40;
  bool widened_walks = false, repeated = false;
  int only = -1;  // an entry
  bool shrink = true;
};

struct Count {
  int64_t pipelines = 0, cases = 0, failing = 0, not_evaluated = 0, groups = 0, grouped_stages = 0, streams = 0,
          hybrids = 0, nested = 0, joined = 0, rounds = 0, walks = 0, findings = 0;
};

class Program {
 public:
  Program(const Options& options, int64_t number)
      : options_(options),
        number_(number),
        random_(options.seed * 1'000'003 + static_cast<uint64_t>(number)),
        streams_(options.seed * 1'000'033 + static_cast<uint64_t>(number)),
        hybrids_(options.seed * 1'000'037 + static_cast<uint64_t>(number)),
        folds_(options.seed * 1'000'039 + static_cast<uint64_t>(number)),
        walks_(options.seed * 1'000'081 + static_cast<uint64_t>(number)),
        nests_(options.seed * 1'000'099 + static_cast<uint64_t>(number)) {}

  Count run() {
    for (int64_t i = 0; i < options_.entries; ++i) {
      Pipeline p = draw_pipeline(random_, fmt::format("e{}", i));
      while (options_.repeated && !p.repeated) p = draw_pipeline(random_, fmt::format("e{}", i));
      // Warps walk no steps that end by them.
      const bool is_one_step = p.repeated && p.stages.size() == 1;
      if (folds_.percent(is_one_step ? options_.folds / 3 : options_.folds)) draw_folds(folds_, p);
      if (options_.only < 0 || options_.only == i) pipelines_.push_back(std::move(p));
    }
    Result<seg::Program> program = read(pipelines_);
    if (!program) {
      finding(program.error().message);
      return count_;
    }
    count_.pipelines = static_cast<int64_t>(pipelines_.size());
    compile_in_all_ways(*program);
    for (const Pipeline& p : pipelines_) {
      for (int64_t k = 0; k < options_.sizes; ++k) one(*program, p);
    }
    return count_;
  }

 private:
  // ---- Compiling. ----

  Result<seg::Program> read(const std::vector<Pipeline>& pipelines) const {
    const std::string file = (fs::path(options_.work) / fmt::format("{}-{}.fut", options_.seed, number_)).string();
    std::string source(prelude());
    for (const Pipeline& p : pipelines) source += "\n" + text(p);
    write_file(file, source);
    ProcessResult ir = run_process({options_.futhark, "dev", "-w", "-s", "--extract-kernels", "-e", file}, "");
    if (ir.exit_code != 0) return unsupported("the generator: " + ir.err);
    fs::remove(file);
    return read_program(ir.out, file);
  }

  Way draw_way(int64_t number) {
    static const std::vector<stencil::TileSides> tiles = {{4, 4}, {4, 4}, {8, 4},  {8, 4},
                                                          {4, 8}, {8, 8}, {16, 4}, {16, 16}};
    const auto& strategies = stencil::kStrategies;
    Way way;
    way.by_default = number % 4 == 1;
    if (way.by_default) return way;
    // Most ways take whatever a small tile has room for.
    if (number % 4 == 2)
      way.fusion = strategies[static_cast<size_t>(random_.below(static_cast<int64_t>(strategies.size())))].strategy;
    if (number % 4 == 3) way.fusion = stencil::Strategy::None;
    if (random_.percent(80)) way.tile = random_.pick(tiles);
    if (random_.percent(50)) way.time_tile = random_.between(1, 4);
    if (random_.percent(options_.warps)) way.scope = stencil::TileScope::Warp;
    // By draws of their own, so that seeds that were tried before there were streams still draw the same pipelines.
    if (streams_.percent(options_.streams)) way.scope = stencil::TileScope::Stream;
    if (hybrids_.percent(options_.hybrids)) draw_hybrid(way);
    static const std::vector<int64_t> columns = {1, 1, 2, 4};
    if (way.scope == stencil::TileScope::Stream && walks_.percent(options_.walks)) {
      way.scope = stencil::TileScope::Walk;
      way.walked_columns = walks_.pick(columns);
      way.time_tile = walks_.between(1, 6);
    }
    // Of large images, by default.
    if (way.scope == stencil::TileScope::Block && walks_.percent(options_.walks)) way.walked_columns = 4;
    if (nests_.percent(options_.nests))
      way.nesting = nests_.percent(80) ? stencil::Nesting::Forced : stencil::Nesting::Gated;
    return way;
  }

  void draw_hybrid(Way& way) {
    static const std::vector<stencil::HybridModel::Sides> shapes = {{32, 2}, {32, 4}, {64, 2},
                                                                    {64, 3}, {96, 1}, {128, 2}};
    static const std::vector<double> fractions = {0, 0.25, 0.5, 0.5, 0.75, 1, 1};
    way.scope = stencil::TileScope::Hybrid;
    way.hybrid.shapes = {hybrids_.pick(shapes)};
    way.hybrid.in_registers = hybrids_.pick(fractions);
    way.hybrid.most_registers = 512;
    way.tile = stencil::TileSides{8, 8};  // of the groups that cannot
  }

  // Wide enough for a tile of several turns away from all borders, which is not the first, and no higher than evaluators have time for.
  std::vector<int64_t> widened(const Pipeline& p, std::vector<int64_t> sizes) {
    static const std::vector<int64_t> columns = {97, 139, 201, 269};
    const bool for_hybrids = options_.hybrids > 0, for_walks = options_.widened_walks && p.repeated;
    if (!(for_hybrids || for_walks) || p.rank < 2 || !hybrids_.percent(60)) return sizes;
    int64_t &rows = sizes[static_cast<size_t>(p.rank) - 2], &last = sizes[static_cast<size_t>(p.rank) - 1];
    last = hybrids_.pick(columns);
    if (for_walks) return sizes;
    rows = std::min<int64_t>(rows, 17);
    return sizes;
  }

  // ---- Comparing. ----

  void compile_in_all_ways(const seg::Program& program) {
    for (int64_t w = 0; w < options_.ways; ++w) {
      const Way way = draw_way(w);
      Result<Compiled> compiled = compile(program, way);
      if (!compiled) {
        not_compiled(way, compiled.error().message);
        continue;
      }
      count_.groups += compiled->groups;
      count_.streams += compiled->streams;
      count_.hybrids += compiled->hybrids;
      count_.nested += compiled->nested;
      count_.joined += compiled->joined;
      count_.rounds += compiled->rounds;
      count_.walks += compiled->walks;
      count_.grouped_stages += compiled->grouped_stages;
      compiled_.emplace_back(way, *std::move(compiled));
    }
  }

  void one(const seg::Program& program, const Pipeline& p) {
    const std::vector<int64_t> sizes = widened(p, draw_sizes(random_, p));
    const auto seed = static_cast<uint64_t>(random_.below(1'000'000));
    Random random(seed);
    const std::vector<seg::TypedValue> inputs = draw_inputs(random, p, sizes);
    const seg::EvalResult expected = reference(program, p.name, inputs);
    for (const auto& [way, compiled] : compiled_) {
      Comparison c = compare(expected, compiled, p.name, inputs);
      ++count_.cases;
      count_.failing += c.verdict == Verdict::SameFailure;
      count_.not_evaluated += c.verdict == Verdict::NotEvaluated;
      if (c.verdict == Verdict::Different) different(p, sizes, seed, way, c.difference);
    }
  }

  void not_compiled(const Way& way, const std::string& message) {
    for (const Pipeline& p : pipelines_) {
      if (!refusal(p, way).empty()) {
        Pipeline least = shrunk(p, [&](const Pipeline& q) { return !refusal(q, way).empty(); });
        return finding(fmt::format("{}, {}: {}\n{}", p.name, to_text(way), refusal(least, way), text(least)));
      }
    }
    finding(fmt::format("{}, only together: {}", to_text(way), message));
  }

  std::string refusal(const Pipeline& p, const Way& way) const {
    Result<seg::Program> program = read({p});
    if (!program) return "";
    Result<Compiled> compiled = compile(*program, way);
    return compiled ? "" : compiled.error().message;
  }

  std::string difference(const Pipeline& p, const std::vector<int64_t>& sizes, uint64_t seed, const Way& way) const {
    Result<seg::Program> program = read({p});
    if (!program) return "";
    Result<Compiled> compiled = compile(*program, way);
    if (!compiled) return "";
    Random random(seed);
    std::vector<seg::TypedValue> inputs = draw_inputs(random, p, sizes);
    Comparison c = compare(reference(*program, p.name, inputs), *compiled, p.name, inputs);
    return c.verdict == Verdict::Different ? c.difference : "";
  }

  void different(const Pipeline& p, std::vector<int64_t> sizes, uint64_t seed, const Way& way, const std::string& how) {
    Pipeline least = shrunk(p, [&](const Pipeline& q) { return !difference(q, sizes, seed, way).empty(); });
    for (int64_t& n : sizes) {
      for (int64_t less : {n / 4, n / 2, n - 4, n - 1}) {
        if (!options_.shrink || less < 1) continue;
        int64_t before = std::exchange(n, less);
        if (!difference(least, sizes, seed, way).empty()) break;
        n = before;
      }
    }
    std::string again = difference(least, sizes, seed, way);
    finding(fmt::format("{}, {}, sizes {}, inputs {}: {}\n{}", p.name, to_text(way), fmt::join(sizes, " x "), seed,
                        again.empty() ? how + " (not alone)" : again, text(least)));
  }

  template <class Holds>
  Pipeline shrunk(Pipeline p, Holds holds) const {
    if (!options_.shrink || !holds(p)) return p;
    for (bool changed = true; changed;) {
      changed = false;
      for (Pipeline& less : smaller(p)) {
        if (!holds(less)) continue;
        p = std::move(less);
        changed = true;
        break;
      }
    }
    return p;
  }

  void finding(const std::string& what) {
    ++count_.findings;
    fmt::print("program {}: {}\n", number_, what);
    std::fflush(stdout);
  }

  const Options& options_;
  int64_t number_;
  Random random_, streams_, hybrids_, folds_, walks_, nests_;
  std::vector<Pipeline> pipelines_;
  std::vector<std::pair<Way, Compiled>> compiled_;
  Count count_;
};

std::string to_text(const Count& c) {
  return fmt::format(
      "{} pipelines, {} cases ({} fail as they must, {} are too long), {} groups of {} stages in all, of which {} "
      "stream and {} are hybrid, {} stages nested, {} loops that stream, {} that warps walk, {} stages with "
      "reductions, {} findings",
      c.pipelines, c.cases, c.failing, c.not_evaluated, c.groups, c.grouped_stages, c.streams, c.hybrids, c.nested,
      c.rounds, c.walks, c.joined, c.findings);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Compares what heddle makes of random pipelines of stages with what they compute.");
  Options o;
  app.add_option("--futhark", o.futhark, "the futhark that reads the programs");
  app.add_option("--work", o.work, "folder for programs");
  app.add_option("--seed", o.seed, "of all random choices");
  app.add_option("--programs", o.programs, "how many");
  app.add_option("--first", o.first, "number of the first program");
  app.add_option("--entries", o.entries, "pipelines of a program");
  app.add_option("--sizes", o.sizes, "draws of sizes and inputs for a pipeline compiled in a way");
  app.add_option("--ways", o.ways, "ways to compile a program");
  app.add_option("--warps", o.warps, "percent of the ways that have a tile for each warp, where it has room");
  app.add_option("--streams", o.streams, "percent of the ways in which blocks go down strips, where they can");
  app.add_option("--hybrids", o.hybrids,
                 "percent of the ways in which warps keep a part of a tile in registers, where they can");
  app.add_option("--walks", o.walks,
                 "percent of these in which warps walk, and of ways with tiles of blocks in which they do of large "
                 "images, where they can");
  app.add_option("--nests", o.nests,
                 "percent of the ways in which threads compute stages for themselves, where they can");
  app.add_flag("--repeated", o.repeated, "repeated pipelines alone");
  app.add_flag("--wide", o.widened_walks, "images of repeated pipelines that are wider than a warp's strip");
  app.add_option("--folds", o.folds, "percent of the pipelines that have reductions of what they compute");
  app.add_option("--seconds", o.seconds, "begin no further program after so many");
  app.add_option("--only", o.only, "test only the pipeline of this number");
  app.add_flag("!--no-shrink", o.shrink, "leave what differs as it is");
  CLI11_PARSE(app, argc, argv);
  if (o.futhark.empty() || !fs::exists(o.futhark)) {
    fmt::print("there is no Futhark compiler\n");
    return std::getenv("HEDDLE_TESTS_NEED_ALL") != nullptr ? 1 : 77;  // as tests/need.h says
  }
  setenv("LC_ALL", "C.UTF-8", 1);
  fs::create_directories(o.work);
  Count all;
  auto start = std::chrono::steady_clock::now();
  for (int64_t p = o.first; p < o.first + o.programs; ++p) {
    std::chrono::duration<double> gone = std::chrono::steady_clock::now() - start;
    if (o.seconds > 0 && gone.count() > static_cast<double>(o.seconds)) break;
    Count c = Program(o, p).run();
    for (auto member : {&Count::pipelines, &Count::cases, &Count::failing, &Count::not_evaluated, &Count::groups,
                        &Count::grouped_stages, &Count::streams, &Count::hybrids, &Count::nested, &Count::joined,
                        &Count::rounds, &Count::walks, &Count::findings})
      all.*member += c.*member;
    fmt::print("program {}: {}\n", p, to_text(c));
    std::fflush(stdout);
  }
  fmt::print("seed {}: {}\n", o.seed, to_text(all));
  return all.findings > 0 ? 1 : 0;
}
