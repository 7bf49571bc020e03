// The values of a program's host scalars, for sizes that somebody gives.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/nest/nest.h"
#include "ir/seg/syntax.h"

namespace heddle::cli {

class HostSizes {
 public:
  // `given`: parameters of entry points by the name that the source gives them, and any other scalar by its full name.
  HostSizes(const seg::Program& program, std::vector<std::pair<std::string, int64_t>> given);

  // Of an expression over host scalars. Where something is missing, or leaves 64 bits, that is noted, and the value
  // is 1.
  int64_t value(const nest::Expr& e);

  // The same, or nothing; nothing is noted of what is missing.
  std::optional<int64_t> value_if_known(const nest::Expr& e);

  const std::set<std::string>& missing() const { return missing_; }
  // What was computed with values that 64 bits do not hold: the first such expression; "" if there is none.
  const std::string& overflowing() const { return overflowing_; }
  // Those given that no value depended on.
  std::vector<std::string> unused() const;

 private:
  std::optional<prim::Value> known(const Name& name);
  std::optional<prim::Value> computed(const Name& name);

  std::vector<std::pair<std::string, int64_t>> given_;
  std::unordered_map<Name, prim::Type> params_;       // of entry points
  std::unordered_map<Name, seg::StmPtr> statements_;  // that define scalars
  std::set<std::string> missing_, used_;
  std::string overflowing_;
};

}  // namespace heddle::cli
