#include "frontend_bridge/cli/explain_tilings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "frontend_bridge/cli/host_sizes.h"
#include "ir/nest/printer.h"
#include "ir/seg/traverse.h"
#include "rewrites/contraction/model_shape.h"
#include "rewrites/host/build.h"
#include "rewrites/recipes/way.h"

extern "C" {
#include "runtime/contraction/contraction_family.h"
#include "runtime/contraction/detour.h"
#include "runtime/contraction/parts.h"
#include "runtime/contraction/tiling_explain.h"
}

namespace heddle::cli {

namespace {

struct Device {
  const char* name;
  const char* title;
  hd_device_model model;
};

// What the driver says of each, as backend_cuda.c turns it into a model.
constexpr Device kDevices[] = {
    {"h100", "an H100", {132, 1.98e9, 128, 32, 2.85e12, 65536, 233472, 232448, 2048}},
    {"a100", "an A100", {108, 1.41e9, 64, 32, 1.32e12, 65536, 167936, 166912, 2048}},
};

// More than the memory of any device, and more than it computes within a month. Below, nothing that the model computes
// leaves 64 bits.
constexpr double kMostBytes = 1LL << 43;
constexpr double kMostMultiplications = 1LL << 61;

// The numbers of a contraction, and the shape that refers to them.
class Numbers {
 public:
  Numbers(const lower::Specialized& s, const lower::Launch& direct, HostSizes& sizes, const Device& device) {
    nest::Substitution scalars = lower::host_values(direct), answers;
    scalars.merge(lower::host_values(s.launch));
    auto number = [&](const nest::Expr& e) {
      return sizes.value(nest::substitute(answers, nest::substitute(scalars, e)));
    };
    if (s.parts) {
      int64_t n = hd_parts_on(&device.model, number(s.parts->points), number(s.parts->extent), number(s.parts->depth));
      answers.emplace(s.parts->name, nest::constant(n));
    }
    if (s.detour) {
      bool pays =
          hd_detour_pays_on(&device.model, number(s.detour->saved), number(s.detour->moved), number(s.detour->kernels));
      answers.emplace(s.detour->pays, nest::constant(int64_t{pays}));
    }
    if (s.guard) {
      open_ = number(s.guard) != 0;
      guard_ = nest::to_text(s.guard);
    }

    const std::vector<nest::Buffer>& buffers = s.launch.kernel.buffers;
    for (const recognize::Operand& o : s.match.operands) {
      auto buffer = std::find_if(buffers.begin(), buffers.end(), [&](const auto& b) { return b.name == o.buffer; });
      double bytes = static_cast<double>(prim::size_bytes(o.elem));
      for (const nest::Expr& d : buffer->dims) bytes *= static_cast<double>(number(d));
      if (bytes > kMostBytes) too_large_ = fmt::format("{} has {:.3g} bytes", o.buffer.base, bytes);
    }
    shape_.emplace(contraction::shape_of(s.match, s.launch.kernel.buffers), s.geometry, s.tiling, number,
                   s.parts ? 1 : 0);
  }
  Numbers(const Numbers&) = delete;

  const hd_contraction& shape() const { return shape_->contraction(); }
  bool open() const { return open_; }
  const std::string& guard() const { return guard_; }
  bool empty() const {
    for (int i = 0; i < num_indices(); ++i) {
      if (shape().extents[i] <= 0) return true;
    }
    return false;
  }
  // Why no device computes this; "" if one might.
  std::string too_large() const {
    bool is_long = multiplications() > kMostMultiplications;
    return is_long ? fmt::format("there are {:.3g} terms", multiplications()) : too_large_;
  }
  double multiplications() const {
    double product = 1;
    for (int i = 0; i < num_indices(); ++i) product *= static_cast<double>(shape().extents[i]);
    return product;
  }

 private:
  int num_indices() const { return shape().num_parallel + shape().num_reduction; }

  std::optional<contraction::ModelShape> shape_;
  bool open_ = true;
  std::string guard_, too_large_;
};

// A way with the numbers that it has for the given sizes, and what becomes of it.
struct Judged {
  std::string label;
  const lower::Specialized* way;
  std::unique_ptr<Numbers> numbers;
  std::vector<hd_ranked_tiling> ranked;  // of the way that is taken, the best first
  std::string why_not;                   // of the others: what follows their names
};

// The way that is taken is the first that is open and has a tiling. Ways whose sizes are not known are left out.
std::vector<Judged> judge(const std::vector<host::LabelledWay>& ways, HostSizes& sizes, const Device& device,
                          int most) {
  std::vector<Judged> all;
  bool taken = false;
  for (const host::LabelledWay& way : ways) {
    Judged j{way.label, way.way, std::make_unique<Numbers>(*way.way, way.of->launches[0], sizes, device), {}, ""};
    if (!sizes.missing().empty() || !sizes.overflowing().empty()) continue;
    if (!j.numbers->open()) {
      j.why_not = "is not open, which needs " + j.numbers->guard();
    } else if (std::string too_large = j.numbers->too_large(); !too_large.empty()) {
      j.why_not = fmt::format("is too large for {}: {}", device.title, too_large);
    } else if (j.numbers->empty()) {
      j.why_not = "has nothing to do";
    } else if (taken) {
      j.why_not = "would be next";
    } else {
      j.ranked.resize(HD_MAX_SHORTLIST);
      j.ranked.resize(static_cast<size_t>(
          hd_tiling_shortlist(&device.model, &j.numbers->shape(), std::min(most, HD_MAX_SHORTLIST), j.ranked.data())));
      taken = !j.ranked.empty();
      if (!taken) j.why_not = fmt::format("has no tiling that fits {}", device.title);
    }
    all.push_back(std::move(j));
  }
  return all;
}

double teraflops(const Judged& j) { return 2 * j.numbers->multiplications() / j.ranked[0].cost.seconds / 1e12; }

std::string taken_text(const Judged& j, const Device& device) {
  hd_text text{};
  hd_explain(&text, hd_contraction_family(), &device.model, device.title, &j.numbers->shape(),
             static_cast<int>(j.ranked.size()));
  std::string result = fmt::format("{}.{}   {:.1f} TFLOP/s\n", j.label, text.chars, teraflops(j));
  hd_text_clear(&text);
  return result;
}

std::string ways_text(const std::vector<Judged>& ways, const Device& device) {
  std::string taken, others;
  for (const Judged& j : ways) {
    if (j.ranked.empty()) {
      others += fmt::format("  {} {}\n", j.label, j.why_not);
    } else {
      taken = taken_text(j, device);
    }
  }
  return taken + others;
}

std::string tiling_text(const hd_contraction& shape, const hd_tiling& tiling) {
  hd_text text{};
  hd_tiling_add(&text, &shape, &tiling);
  std::string result = text.chars;
  hd_text_clear(&text);
  return result;
}

nlohmann::json ranked_json(const Judged& j, const hd_ranked_tiling& r, const Device& device) {
  const hd_tiling_cost& c = r.cost;
  return {{"values", tiling_text(j.numbers->shape(), r.tiling)},
          {"microseconds", 1e6 * c.seconds},
          {"fma", 1e6 * c.fma_seconds},
          {"issue", 1e6 * c.issue_seconds},
          {"shared", 1e6 * c.shared_seconds},
          {"memory", 1e6 * c.memory_seconds},
          {"limit", hd_tiling_limit(&c)},
          {"threads", c.threads},
          {"blocks", c.num_blocks},
          {"blocks_at_a_time", c.blocks_per_multiprocessor},
          {"registers", hd_tiling_register_limit(&device.model, &c)},
          {"shared_bytes", c.shared_bytes},
          {"flops", 2 * j.numbers->multiplications()},
          {"bytes", c.memory_seconds * device.model.bytes_per_second}};
}

nlohmann::json device_json(const Device& d) {
  return {{"name", d.name},
          {"title", d.title},
          {"multiprocessors", d.model.multiprocessors},
          {"flops", 2 * d.model.fma_per_clock * d.model.clock_hz * static_cast<double>(d.model.multiprocessors)},
          {"bytes_per_second", d.model.bytes_per_second},
          {"registers", d.model.registers},
          {"shared_bytes", d.model.shared_bytes},
          {"shared_bytes_of_block", d.model.shared_bytes_of_block}};
}

}  // namespace

Result<std::vector<std::pair<std::string, int64_t>>> read_sizes(const std::vector<std::string>& assignments) {
  std::vector<std::pair<std::string, int64_t>> result;
  for (const std::string& a : assignments) {
    size_t equals = a.find('=');
    int64_t value = 0;
    const char* end = a.data() + a.size();
    bool is_assignment = equals != std::string::npos && equals != 0 && equals + 1 != a.size();
    auto [stopped, error] = is_assignment ? std::from_chars(a.data() + equals + 1, end, value)
                                          : std::from_chars_result{a.data(), std::errc::invalid_argument};
    if (stopped != end || error == std::errc::invalid_argument)
      return input_error(fmt::format("\"{}\" is no size; sizes are given as in --tilings n=4096,k=5", a));
    if (error == std::errc::result_out_of_range || value < 0) {
      return input_error(
          fmt::format("\"{}\" is no size: sizes are between 0 and {}", a, std::numeric_limits<int64_t>::max()));
    }
    result.emplace_back(a.substr(0, equals), value);
  }
  return result;
}

std::vector<std::string> known_devices() {
  std::vector<std::string> names;
  for (const Device& d : kDevices) names.emplace_back(d.name);
  return names;
}

namespace {

using Contractions = std::vector<std::vector<Judged>>;

const Device& device_of(const TilingsOptions& options) {
  return *std::find_if(std::begin(kDevices), std::end(kDevices),
                       [&](const Device& d) { return d.name == options.device; });
}

// For each contraction its ways; an input error where the sizes are not those that the program has.
// Of the sizes that are given, each must be one of the contractions', or not in `needless`.
Result<Contractions> judge_all(const lower::PlannedProgram& program, const TilingsOptions& options,
                               const std::vector<std::string>* needless = nullptr) {
  auto given = read_sizes(options.sizes);
  if (!given) return given.error();
  HostSizes sizes(program.program, *given);
  std::vector<std::vector<host::LabelledWay>> contractions;
  for (host::LabelledWay& way : host::labelled_ways(program)) {
    if (contractions.empty() || contractions.back()[0].of != way.of) contractions.emplace_back();
    contractions.back().push_back(std::move(way));
  }
  Contractions judged;
  for (const auto& ways : contractions) judged.push_back(judge(ways, sizes, device_of(options), options.most));
  if (contractions.empty() && !needless) return judged;
  if (!sizes.overflowing().empty())
    return input_error(fmt::format("with these sizes, {} leaves 64 bits", sizes.overflowing()));
  if (!sizes.missing().empty()) {
    return input_error(fmt::format("sizes are missing: {}; give them as in --tilings {}=1000",
                                   fmt::join(sizes.missing(), ", "), *sizes.missing().begin()));
  }
  std::vector<std::string> unused = sizes.unused();
  if (needless)
    std::erase_if(unused, [&](const auto& size) { return std::ranges::find(*needless, size) == needless->end(); });
  if (!unused.empty()) {
    return input_error(
        fmt::format("no {} depends on a size {}", needless ? "kernel" : "tiling", fmt::join(unused, ", ")));
  }
  return judged;
}

}  // namespace

Result<std::string> tilings_text(const lower::PlannedProgram& program, const TilingsOptions& options) {
  Result<Contractions> judged = judge_all(program, options);
  if (!judged) return judged.error();
  if (judged->empty()) return std::string("The program has no tiled contractions.\n");
  std::string text;
  for (const std::vector<Judged>& ways : *judged) text += ways_text(ways, device_of(options)) + "\n";
  return text;
}

Result<nlohmann::json> tilings_json(const lower::PlannedProgram& program, const TilingsOptions& options,
                                    const std::vector<std::string>& needless) {
  nlohmann::json contractions = nlohmann::json::array();
  if (!options.sizes.empty()) {
    Result<Contractions> judged = judge_all(program, options, &needless);
    if (!judged) return judged.error();
    for (const std::vector<Judged>& ways : *judged) {
      nlohmann::json all = nlohmann::json::array();
      for (const Judged& j : ways) {
        nlohmann::json ranked = nlohmann::json::array();
        for (const hd_ranked_tiling& r : j.ranked) ranked.push_back(ranked_json(j, r, device_of(options)));
        all.push_back({{"label", j.label},
                       {"kernel", j.way->launch.kernel.name},
                       {"why_not", j.why_not},
                       {"ranked", std::move(ranked)}});
      }
      contractions.push_back(std::move(all));
    }
  }
  return nlohmann::json{
      {"sizes", options.sizes}, {"device", device_json(device_of(options))}, {"contractions", std::move(contractions)}};
}

}  // namespace heddle::cli
