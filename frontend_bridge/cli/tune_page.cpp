#include "frontend_bridge/cli/tune_page.h"

#include <nlohmann/json.hpp>

#include "embedded_tune_page.h"
#include "frontend_bridge/cli/page.h"

namespace heddle::cli {

using nlohmann::json;

namespace {

json time_json(const std::optional<double>& time) { return time ? json(*time) : json(); }

json tilings_json(const TriedTilings& tilings) {
  json tried = json::array();
  for (const Tried& t : tilings.tried)
    tried.push_back({{"values", t.values}, {"expected", time_json(t.expected)}, {"measured", time_json(t.measured)}});
  return {{"of", tilings.of}, {"tried", std::move(tried)}};
}

}  // namespace

std::string tune_page_html(const Tuned& tuned) {
  json datasets = json::array(), contractions = json::array();
  for (const auto& [dataset, time] : tuned.before) {
    if (auto now = tuned.after.find(dataset); now != tuned.after.end())
      datasets.push_back({{"name", dataset}, {"before", time}, {"after", now->second}});
  }
  for (const TriedTilings& t : tuned.tilings) contractions.push_back(tilings_json(t));
  return page_with(embedded::tune_page, {{"program", tuned.program},
                                         {"file", tuned.tuning_file},
                                         {"datasets", std::move(datasets)},
                                         {"thresholds", tuned.thresholds},
                                         {"contractions", std::move(contractions)},
                                         {"heddle", HEDDLE_VERSION}});
}

}  // namespace heddle::cli
