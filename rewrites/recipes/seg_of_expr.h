// Expressions of nests as statements of seg: lowering, backwards.
#pragma once

#include <functional>
#include <unordered_map>

#include "ir/nest/nest.h"
#include "rewrites/seg/builder.h"

namespace heddle::lower {

// What an expression's names stand for; others are those of the program.
struct Meanings {
  std::unordered_map<Name, seg::SubExp> values;
  // The array that a buffer is; null where nothing may be read.
  std::function<Name(const Name&)> array = nullptr;
};

// Divisions are such that do not fail where they are not asked for; what else may fail is refused.
seg::SubExp seg_of(const nest::Expr& e, const Meanings& meanings, seg::Builder& out);

}  // namespace heddle::lower
