// A contraction as somebody might have written it: one of the many Futhark programs that compute it, chosen at random.
#pragma once

#include "tests/campaign/contraction.h"

namespace heddle::campaign {

struct Param {
  std::string name, type;
  std::vector<Number> dims;  // none: a scalar
  bool is_size = false;      // an i64 argument that is one of the contraction's sizes
};

struct Entry {
  std::string name, text;
  std::vector<Param> params;
  std::vector<std::string> tags;  // the ways of writing that were used
  Contraction contraction;
};

Entry spell(Random& random, Contraction contraction, const std::string& name);

}  // namespace heddle::campaign
