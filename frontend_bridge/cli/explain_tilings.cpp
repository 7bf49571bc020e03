#include "frontend_bridge/cli/explain_tilings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <set>

#include "frontend_bridge/cli/host_sizes.h"
#include "ir/nest/printer.h"
#include "ir/seg/traverse.h"
#include "rewrites/contraction/model_shape.h"
#include "rewrites/host/build.h"
#include "rewrites/recipes/way.h"

extern "C" {
#include "runtime/contraction/contraction_family.h"
#include "runtime/contraction/packing.h"
#include "runtime/contraction/parts.h"
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
    if (s.packing) {
      bool pays = hd_packing_pays_on(&device.model, number(s.packing->steps), number(s.packing->bytes));
      answers.emplace(s.packing->pays, nest::constant(int64_t{pays}));
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

// Of a shape of the family; nothing if no tiling fits the device.
std::string ranking(const std::string& label, const hd_family& family, const void* shape, double multiplications,
                    const Device& device, int most) {
  hd_text text{};
  double seconds = hd_explain(&text, &family, &device.model, device.title, shape, most);
  std::string result;
  if (seconds > 0)
    result = fmt::format("{}.{}   {:.1f} TFLOP/s\n", label, text.chars, 2 * multiplications / seconds / 1e12);
  hd_text_clear(&text);
  return result;
}

// The way that is taken, and why others are not.
std::string ways_text(const std::vector<host::LabelledWay>& ways, HostSizes& sizes, const Device& device, int most) {
  std::string taken, others;
  for (const host::LabelledWay& way : ways) {
    Numbers numbers(*way.way, way.of->launches[0], sizes, device);
    if (!sizes.missing().empty() || !sizes.overflowing().empty()) continue;
    if (!numbers.open()) {
      others += fmt::format("  {} is not open, which needs {}\n", way.label, numbers.guard());
    } else if (std::string too_large = numbers.too_large(); !too_large.empty()) {
      others += fmt::format("  {} is too large for {}: {}\n", way.label, device.title, too_large);
    } else if (numbers.empty()) {
      others += fmt::format("  {} has nothing to do\n", way.label);
    } else if (!taken.empty()) {
      others += fmt::format("  {} would be next\n", way.label);
    } else {
      taken = ranking(way.label, *hd_contraction_family(), &numbers.shape(), numbers.multiplications(), device, most);
      if (taken.empty()) others += fmt::format("  {} has no tiling that fits {}\n", way.label, device.title);
    }
  }
  return taken + others;
}

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

}  // namespace

std::vector<std::string> known_devices() {
  std::vector<std::string> names;
  for (const Device& d : kDevices) names.emplace_back(d.name);
  return names;
}

Result<std::string> tilings_text(const lower::PlannedProgram& program, const TilingsOptions& options) {
  const Device& device = *std::find_if(std::begin(kDevices), std::end(kDevices),
                                       [&](const Device& d) { return d.name == options.device; });
  auto given = read_sizes(options.sizes);
  if (!given) return given.error();
  HostSizes sizes(program.program, *given);
  std::vector<std::vector<host::LabelledWay>> contractions;
  for (host::LabelledWay& way : host::labelled_ways(program)) {
    if (contractions.empty() || contractions.back()[0].of != way.of) contractions.emplace_back();
    contractions.back().push_back(std::move(way));
  }
  if (contractions.empty()) return std::string("The program has no tiled contractions.\n");
  std::string text;
  for (const auto& ways : contractions) text += ways_text(ways, sizes, device, options.most) + "\n";
  if (!sizes.overflowing().empty())
    return input_error(fmt::format("with these sizes, {} leaves 64 bits", sizes.overflowing()));
  if (!sizes.missing().empty()) {
    return input_error(fmt::format("sizes are missing: {}; give them as in --tilings {}=1000",
                                   fmt::join(sizes.missing(), ", "), *sizes.missing().begin()));
  }
  if (!sizes.unused().empty()) {
    return input_error(fmt::format("no tiling depends on a size {}", fmt::join(sizes.unused(), ", ")));
  }
  return text;
}

}  // namespace heddle::cli
