#include "frontend_bridge/cli/tune_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace heddle::cli {

Result<Runtimes> read_runtimes(const std::string& json) {
  Runtimes result;
  try {
    const nlohmann::json all = nlohmann::json::parse(json);
    for (const auto& [program, facts] : all.items()) {
      for (const auto& [dataset, outcome] : facts.at("datasets").items()) {
        if (!outcome.is_object()) continue;
        auto times = outcome.at("runtimes").get<std::vector<double>>();
        if (times.empty()) continue;
        auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
        std::nth_element(times.begin(), middle, times.end());
        result.emplace(fmt::format("{}: {}", program, dataset), *middle);
      }
    }
  } catch (const nlohmann::json::exception& e) {
    return internal_error(fmt::format("the times that futhark bench wrote cannot be read: {}", e.what()));
  }
  return result;
}

int count_thresholds(std::string_view params) {
  int count = 0;
  for (size_t at = 0; (at = params.find(" (threshold(", at)) != std::string_view::npos; ++at) ++count;
  return count;
}

TuningContent read_tuning(std::string_view file) {
  TuningContent content;
  std::set<std::string> contractions;
  std::istringstream in{std::string(file)};
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.starts_with("--")) continue;
    if (line.find(".contraction_") == std::string::npos) {
      content.thresholds.push_back(line);
    } else {
      contractions.insert(line.substr(0, line.rfind('.')));
    }
  }
  content.tilings = contractions.size();
  return content;
}

std::string compare_runtimes(const Runtimes& before, const Runtimes& after) {
  size_t width = 7;
  for (const auto& [dataset, time] : before) width = std::max(width, dataset.size());
  std::string text = fmt::format("{:<{}}  {:>12}  {:>12}  {:>7}\n", "dataset", width, "before", "after", "ratio");
  for (const auto& [dataset, time] : before) {
    auto now = after.find(dataset);
    if (now == after.end()) continue;
    text += fmt::format("{:<{}}  {:>9.0f} us  {:>9.0f} us  {:>7.2f}\n", dataset, width, time, now->second,
                        now->second > 0 ? time / now->second : 1.0);
  }
  return text;
}

}  // namespace heddle::cli
