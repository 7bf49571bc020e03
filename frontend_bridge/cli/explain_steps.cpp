#include "frontend_bridge/cli/explain_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/nest/printer.h"
#include "rewrites/contraction/samples.h"
#include "rewrites/contraction/steps.h"
#include "rewrites/nest/compare.h"
#include "rewrites/recipes/specialize.h"

namespace heddle::cli {

namespace {

struct Derived {
  std::string kernel;
  std::optional<contraction::Derivation> derivation;
  std::vector<contraction::Sample> samples;  // on which all steps were compared
  std::string why_not;                       // why there are no more steps, or none
};

constexpr const char* kBitForBit = "bit for bit with the nest before";
constexpr const char* kInAnyOrder =
    "bit for bit with the direct nest, since sums may be taken in another order with small integers in place of their "
    "terms, by the terms' bits: these have exact sums in any order";

bool reduces_floats(const contraction::Derivation& d) {
  return prim::is_float(prim::result_type(d.direct.contraction.reduce));
}

// How the nest after a step was compared.
const char* comparison(const contraction::Derivation& d, bool reorders) {
  return reorders && reduces_floats(d) ? kInAnyOrder : kBitForBit;
}

// What the steps compute other than the direct nest for a sample, or nothing. Each is compared with the nest before it,
// all bits of floats included, but where the reduction is taken in another order.
std::string difference(const contraction::Derivation& d, const contraction::Sample& s) {
  using nest::Expected;
  using nest::Rounding;
  const nest::Kernel& direct = d.direct.kernel;
  auto text = [&](const std::string& after, const std::string& differs, const nest::Kernel& kernel) {
    return fmt::format("after {} the nest computes something else than before: {}, where {}\n{}", after, differs,
                       contraction::to_text(s), nest::to_text(kernel));
  };
  Expected bits(direct, s), terms(direct, s, Rounding::InAnyOrder);
  for (const contraction::Step& step : d.steps) {
    bool reorders = step.reorders && reduces_floats(d);
    std::string differs = (reorders ? terms : bits).difference(step.kernel);
    if (!differs.empty()) return text(step.name + " of " + step.parameters, differs, step.kernel);
    if (reorders) bits = Expected(step.kernel, s);
  }
  if (!d.in_parts) return "";
  const nest::Kernel &first = d.in_parts->first, &second = d.in_parts->second;
  std::string differs = (reduces_floats(d) ? terms : Expected(direct, s)).difference({first, second});
  return differs.empty() ? "" : text("reducing in parts", differs, second);
}

Result<Derived> derive_one(const std::string& name, const recognize::Contraction& match, const nest::Kernel& kernel) {
  try {
    contraction::Derivation d = contraction::derive(match, kernel);
    std::vector<contraction::Sample> samples = contraction::samples(d);
    for (const contraction::Sample& s : samples) {
      std::string wrong = difference(d, s);
      if (!wrong.empty()) return internal_error(fmt::format("{}: {}", name, wrong));
    }
    std::string why_not = d.stopped;
    return Derived{name, std::move(d), std::move(samples), why_not};
  } catch (const Refused& refused) {
    return Derived{name, std::nullopt, {}, refused.error.message};
  }
}

Result<std::vector<Derived>> derive_all(const lower::PlannedProgram& program) {
  std::vector<Derived> all;
  auto add = [&](Result<Derived> one) -> std::optional<Error> {
    if (!one) return one.error();
    all.push_back(std::move(*one));
    return std::nullopt;
  };
  for (const auto& [stm, op] : program.plans) {
    if (op.launches.empty()) continue;
    const nest::Kernel& direct = op.launches[0].kernel;
    if (!op.match) {
      all.push_back({direct.name, std::nullopt, {}, op.why_not});
    } else if (op.specialized.empty()) {
      if (auto error = add(derive_one(direct.name, *op.match, direct))) return *error;
    }
    for (const lower::Specialized& way : op.specialized) {
      if (auto error = add(derive_one(way.launch.kernel.name, way.match, lower::unfixed_kernel(way)))) return *error;
    }
  }
  std::ranges::stable_sort(all, {}, &Derived::kernel);
  return all;
}

std::string checked(const Derived& d) {
  if (d.samples.empty()) return "not checked: no small sizes were found that suit the direct nest\n";
  std::string text;
  for (const contraction::Sample& s : d.samples) text += fmt::format("  {}\n", contraction::to_text(s));
  return "after each step checked on sizes\n" + text;
}

std::string compared(const Derived& d, bool reorders) {
  if (d.samples.empty()) return "";
  return fmt::format("-- compared {}\n", comparison(*d.derivation, reorders));
}

}  // namespace

Result<std::string> steps_text(const lower::PlannedProgram& program) {
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
      text += fmt::format("-- step {}: {} {}\n-- legal, because {}\n{}", ++number, s.name, s.parameters, s.why_legal,
                          compared(d, s.reorders));
      if (!s.reached.empty()) text += fmt::format("-- reached: {}\n", s.reached);
      // Parameters are shown again where they change.
      bool same = s.kernel.constants.size() == num_constants;
      num_constants = s.kernel.constants.size();
      text += fmt::format("{}\n", same ? nest::to_text(s.kernel.body) : nest::to_text(s.kernel));
    }
    if (const auto& parts = d.derivation->in_parts) {
      text +=
          fmt::format("-- for few results, from the direct nest: split_reduction {}\n-- legal, because {}\n{}{}\n{}\n",
                      parts->parameters, parts->why_legal, compared(d, true), nest::to_text(parts->first),
                      nest::to_text(parts->second));
    }
    for (const std::string& step : d.derivation->left_out) text += fmt::format("-- left out: {}\n", step);
    if (!d.why_not.empty()) text += fmt::format("-- {}: the steps end here, because {}\n", d.kernel, d.why_not);
    text += fmt::format("-- {}: {} steps, {}\n", d.kernel, number, checked(d));
  }
  if (text.empty()) text = "The program has no parallel operations.\n";
  return text;
}

Result<std::string> steps_json(const lower::PlannedProgram& program) {
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
                         {"compared", comparison(*d.derivation, s.reorders)},
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
                       {"compared", comparison(*d.derivation, true)},
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
