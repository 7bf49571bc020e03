#include "frontend_bridge/cli/page.h"

#include <nlohmann/json.hpp>

namespace heddle::cli {

using nlohmann::json;

namespace {

// Of a text within the page's script: its end must not be found in it.
std::string in_script(const json& data) {
  std::string text = data.dump(-1, ' ', false, json::error_handler_t::replace), out;
  for (size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '<' && i + 1 < text.size() && (text[i + 1] == '/' || text[i + 1] == '!')) {
      out.pop_back();
      out += "\\u003c";
    }
  }
  return out;
}

}  // namespace

std::string page_with(std::string_view page, const json& data) {
  constexpr std::string_view kData = "@DATA@";
  std::string text(page);
  return text.replace(text.find(kData), kData.size(), in_script(data));
}

}  // namespace heddle::cli
