#include "frontend_bridge/cli/options_of.h"

#include <sstream>

namespace heddle::cli {

namespace {

// CLI::IsMember says "{a,b}" of itself.
std::vector<std::string> choices_of(const std::string& type) {
  const size_t begin = type.find('{'), end = type.find('}');
  std::vector<std::string> choices;
  if (begin == std::string::npos || end == std::string::npos) return choices;
  std::istringstream words(type.substr(begin + 1, end - begin - 1));
  for (std::string word; std::getline(words, word, ',');) choices.push_back(word);
  return choices;
}

std::string argument_of(const std::string& type) {
  if (type.empty()) return "";
  if (!choices_of(type).empty()) return "WORD";
  return type.starts_with("TEXT") ? "TEXT" : "NUMBER";
}

}  // namespace

std::vector<OptionInfo> options_of(const CLI::App& app) {
  std::vector<OptionInfo> all;
  for (const CLI::Option* o : app.get_options()) {
    OptionInfo info;
    for (const std::string& name : o->get_snames()) info.names.push_back("-" + name);
    for (const std::string& name : o->get_lnames()) info.names.push_back("--" + name);
    if (info.names.empty()) continue;  // a positional one
    const std::string type = o->get_items_expected_max() == 0 ? "" : o->get_type_name();
    info.argument = argument_of(type);
    info.choices = choices_of(type);
    info.help = o->get_description();
    all.push_back(std::move(info));
  }
  return all;
}

}  // namespace heddle::cli
