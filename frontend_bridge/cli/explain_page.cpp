#include "frontend_bridge/cli/explain_page.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "embedded_explain_page.h"
#include "frontend_bridge/cli/explain_plan.h"
#include "frontend_bridge/cli/page.h"

namespace heddle::cli {

namespace {

using nlohmann::json;

struct Times {
  int64_t runs = 0;
  double microseconds = 0;
};

// Events are lists called "events", however deep: bench has a report for each dataset.
void add_events(const json& report, std::map<std::string, Times>& times) {
  if (report.is_array()) {
    for (const json& part : report) add_events(part, times);
  }
  if (!report.is_object()) return;
  for (const auto& [name, part] : report.items()) {
    if (name != "events" || !part.is_array()) {
      add_events(part, times);
      continue;
    }
    for (const json& event : part) {
      if (!event.is_object() || !event.contains("name") || !event.contains("duration")) continue;
      if (!event["name"].is_string() || !event["duration"].is_number()) continue;
      Times& t = times[event["name"].get<std::string>()];
      ++t.runs;
      t.microseconds += event["duration"].get<double>();
    }
  }
}

Result<json> profile_json(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return input_error("cannot read " + path);
  const json report = json::parse(file, nullptr, false);
  std::map<std::string, Times> times;
  if (!report.is_discarded()) add_events(report, times);
  if (times.empty())
    return input_error(
        path + " is no profiling report: it has no events, as a server's report or bench --json --profile have");
  json events = json::array();
  for (const auto& [name, t] : times)
    events.push_back({{"name", name}, {"runs", t.runs}, {"microseconds", t.microseconds}});
  return events;
}

}  // namespace

Result<std::string> page_html(const lower::PlannedProgram& program, const PageOptions& options) {
  auto given = read_sizes(options.tilings.sizes);
  if (!given) return given.error();
  HostSizes sizes(program.program, *given);
  json data = plan_json(program, sizes);
  Result<json> tilings = tilings_json(program, options.tilings, sizes.unused());
  if (!tilings) return tilings.error();
  data["tilings"] = std::move(*tilings);
  data["program"] = options.program;
  data["heddle"] = HEDDLE_VERSION;
  if (!options.profile.empty()) {
    Result<json> profile = profile_json(options.profile);
    if (!profile) return profile.error();
    data["profile"] = std::move(*profile);
  }
  return page_with(embedded::explain_page, data);
}

}  // namespace heddle::cli
