#include "frontend_bridge/cli/explain_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/nest/printer.h"
#include "rewrites/contraction/samples.h"
#include "rewrites/contraction/steps.h"
#include "rewrites/nest/compare.h"

namespace heddle::cli {

namespace {

struct Derived {
  std::string kernel;
  std::optional<contraction::Derivation> derivation;
  std::vector<contraction::Sample> samples;
  std::string why_not;
};

Result<std::vector<Derived>> derive_all(const lower::LoweredProgram& program) {
  std::vector<Derived> all;
  for (const auto& [stm, op] : program.kernels) {
    if (op.launches.empty()) continue;
    const nest::Kernel& kernel = op.launches[0].kernel;
    if (!op.match) {
      all.push_back({kernel.name, std::nullopt, {}, op.why_not});
      continue;
    }
    contraction::Derivation d = contraction::derive(*op.match, kernel);
    std::vector<contraction::Sample> samples = contraction::samples(d.direct);
    for (const contraction::Sample& s : samples) {
      nest::Expected expected(d.direct.kernel, s);
      auto check = [&](const std::string& after, const std::vector<nest::Kernel>& kernels) -> std::optional<Error> {
        std::string difference = expected.difference(kernels);
        if (difference.empty()) return std::nullopt;
        return internal_error(
            fmt::format("{}: after {} the nest computes something else than the direct one: {}, where {}\n{}",
                        kernel.name, after, difference, contraction::to_text(s), nest::to_text(kernels.back())));
      };
      for (const contraction::Step& step : d.steps) {
        if (auto wrong = check(step.name + " of " + step.parameters, {step.kernel})) return *wrong;
      }
      if (!d.in_parts) continue;
      if (auto wrong = check("reducing in parts", {d.in_parts->first, d.in_parts->second})) return *wrong;
    }
    std::string why_not = d.stopped;
    all.push_back({kernel.name, std::move(d), std::move(samples), why_not});
  }
  std::ranges::sort(all, {}, &Derived::kernel);
  return all;
}

std::string checked(const Derived& d) {
  if (d.samples.empty()) return "not checked: no small sizes were found that suit the direct nest\n";
  std::string text;
  for (const contraction::Sample& s : d.samples) text += fmt::format("  {}\n", contraction::to_text(s));
  return "after each step checked on sizes\n" + text;
}

}  // namespace

Result<std::string> steps_text(const lower::LoweredProgram& program) {
  Result<std::vector<Derived>> all = derive_all(program);
  if (!all) return all.error();
  std::string text;
  for (const Derived& d : *all) {
    if (!d.derivation) {
      text += fmt::format("-- {}: no contraction, because {}\n", d.kernel, d.why_not);
      continue;
    }
    text += fmt::format("-- {}: direct nest\n{}\n", d.kernel, nest::to_text(d.derivation->direct.kernel));
    size_t number = 0, num_constants = d.derivation->direct.kernel.constants.size();
    for (const contraction::Step& s : d.derivation->steps) {
      text += fmt::format("-- step {}: {} {}\n-- legal, because {}\n", ++number, s.name, s.parameters, s.why_legal);
      if (!s.reached.empty()) text += fmt::format("-- reached: {}\n", s.reached);
      // Parameters are shown again where they change.
      bool same = s.kernel.constants.size() == num_constants;
      num_constants = s.kernel.constants.size();
      text += fmt::format("{}\n", same ? nest::to_text(s.kernel.body) : nest::to_text(s.kernel));
    }
    if (const auto& parts = d.derivation->in_parts) {
      text +=
          fmt::format("-- for few results, from the direct nest: split_reduction {}\n-- legal, because {}\n{}\n{}\n",
                      parts->parameters, parts->why_legal, nest::to_text(parts->first), nest::to_text(parts->second));
    }
    for (const std::string& step : d.derivation->left_out) text += fmt::format("-- left out: {}\n", step);
    if (!d.why_not.empty()) text += fmt::format("-- {}: the steps end here, because {}\n", d.kernel, d.why_not);
    text += fmt::format("-- {}: {} steps, {}\n", d.kernel, number, checked(d));
  }
  if (text.empty()) text = "The program has no parallel operations.\n";
  return text;
}

Result<std::string> steps_json(const lower::LoweredProgram& program) {
  Result<std::vector<Derived>> all = derive_all(program);
  if (!all) return all.error();
  nlohmann::json steps = nlohmann::json::array();
  for (const Derived& d : *all) {
    std::vector<std::string> sizes;
    for (const contraction::Sample& s : d.samples) sizes.push_back(contraction::to_text(s));
    if (d.derivation) {
      steps.push_back({{"kernel", d.kernel},
                       {"step", 0},
                       {"name", "direct"},
                       {"nest", nest::to_text(d.derivation->direct.kernel)}});
      for (size_t k = 0; k < d.derivation->steps.size(); ++k) {
        const contraction::Step& s = d.derivation->steps[k];
        steps.push_back({{"kernel", d.kernel},
                         {"step", k + 1},
                         {"name", s.name},
                         {"parameters", s.parameters},
                         {"why_legal", s.why_legal},
                         {"nest", nest::to_text(s.kernel)},
                         {"reached", s.reached},
                         {"checked_on", sizes}});
      }
    }
    if (d.derivation && d.derivation->in_parts) {
      const contraction::InParts& parts = *d.derivation->in_parts;
      steps.push_back({{"kernel", d.kernel},
                       {"name", "split_reduction"},
                       {"parameters", parts.parameters},
                       {"why_legal", parts.why_legal},
                       {"nests", {nest::to_text(parts.first), nest::to_text(parts.second)}},
                       {"checked_on", sizes}});
    }
    if (d.derivation && !d.derivation->left_out.empty())
      steps.push_back({{"kernel", d.kernel}, {"left_out", d.derivation->left_out}});
    if (!d.why_not.empty()) steps.push_back({{"kernel", d.kernel}, {"why_not", d.why_not}});
  }
  // Names come from the input and need not be valid UTF-8.
  return steps.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::cli
