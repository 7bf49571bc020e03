// Pages that a browser shows without a network: a text with the data that its script draws.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace heddle::cli {

// `page`: page_head.html and what follows it.
std::string page_with(std::string_view page, const nlohmann::json& data);

}  // namespace heddle::cli
