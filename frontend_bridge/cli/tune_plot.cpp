#include "frontend_bridge/cli/tune_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

namespace heddle::cli {

using nlohmann::json;

namespace {

constexpr size_t kColumns = 64, kRows = 8;

std::optional<double> time_of(const json& record, const char* name) {
  const json& time = record.at(name);
  return time.is_null() ? std::nullopt : std::optional(time.get<double>());
}

// Where times from `least` to `most` lie, from the top.
size_t row_of(double time, double least, double most) {
  const double part = most > least ? std::log(most / time) / std::log(most / least) : 1;
  return static_cast<size_t>(std::lround(part * (kRows - 1)));
}

}  // namespace

Result<std::vector<TriedTilings>> read_tried(const std::string& record) {
  std::vector<TriedTilings> result;
  std::istringstream lines(record);
  try {
    for (std::string line; std::getline(lines, line);) {
      const json tried = json::parse(line);
      const auto of = tried.at("of").get<std::string>();
      auto at = std::find_if(result.begin(), result.end(), [&](const TriedTilings& t) { return t.of == of; });
      if (at == result.end()) at = result.insert(at, {of, {}});
      at->tried.push_back(
          {tried.at("values").get<std::string>(), time_of(tried, "expected"), time_of(tried, "measured")});
    }
  } catch (const json::exception& e) {
    return internal_error(fmt::format("what the program told of its tilings cannot be read: {}", e.what()));
  }
  return result;
}

std::string plot(const TriedTilings& tilings) {
  const std::vector<Tried>& tried = tilings.tried;
  const Tried* best = nullptr;
  double most = 0;
  for (const Tried& t : tried) {
    if (!t.measured) continue;
    most = std::max(most, *t.measured);
    if (!best || *t.measured < *best->measured) best = &t;
  }
  if (!best) return fmt::format("{}: none of {} tilings could be run\n", tilings.of, tried.size());
  const double least = *best->measured;
  const size_t columns = std::min(kColumns, tried.size());
  std::vector<std::string> rows(kRows, std::string(columns, ' '));
  // The best so far is seen wherever others fall on its place.
  double so_far = INFINITY;
  for (size_t i = 0; i < tried.size(); ++i) {
    if (!tried[i].measured) continue;
    char& place = rows[row_of(*tried[i].measured, least, most)][i * columns / tried.size()];
    const bool better = *tried[i].measured < so_far;
    so_far = std::min(so_far, *tried[i].measured);
    if (i == 0) {
      place = 'm';
    } else if (place != 'm' && (better || place == ' ')) {
      place = better ? '*' : 'o';
    }
  }
  std::string text = fmt::format("{}, microseconds in the order of measuring:\n", tilings.of);
  for (size_t r = 0; r < kRows; ++r) {
    const double time = most * std::pow(least / most, static_cast<double>(r) / (kRows - 1));
    rows[r].erase(rows[r].find_last_not_of(' ') + 1);
    text += fmt::format("{:>11.1f} |{}\n", time, rows[r]);
  }
  return text +
         fmt::format("{:>11} +{:-<{}}\n{:>13}m: the model's choice, *: the best so far, o: others; {} tilings\n", "",
                     "", columns, "", tried.size()) +
         fmt::format("{:>13}best: {}\n", "", best->values);
}

}  // namespace heddle::cli
