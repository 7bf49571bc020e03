// What a command can be told, as data: what its usage, the manual and the shells' completions are made of.
#pragma once

#include <string>
#include <vector>

namespace heddle::cli {

struct OptionInfo {
  std::vector<std::string> names;         // "-o", "--output"
  std::string argument = {};              // what its value is called; "" where it has none
  bool may_be_alone = false;              // the value may be left out, and else belongs to the same word
  std::vector<std::string> choices = {};  // all values, where they are a list
  std::string help = {};
};

}  // namespace heddle::cli
