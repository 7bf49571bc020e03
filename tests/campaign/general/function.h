// A Futhark program's entry point drawn at random, as a tree of well-typed expressions.
#pragma once

#include <string>
#include <vector>

#include "tests/campaign/spelling.h"

namespace heddle::campaign {

struct Type {
  std::string elem;
  std::vector<std::string> dims;  // as they are written: names of sizes, literals, sums and products of two of them
  bool operator==(const Type&) const = default;
};

std::string text(const Type& type);

struct Expression {
  Type type;
  std::string text;  // $0, $1, ... stand for the children
  std::vector<Expression> children;
  std::vector<std::string> binds;  // names, all of them different, that children may use
};

struct Function {
  std::string name;
  std::vector<std::string> sizes;
  std::vector<std::pair<std::string, Type>> params;
  Expression body;
  // The extents of the loops around each expression, its own included: what a call's work is.
  std::vector<std::vector<std::string>> nests;
};

// What all programs begin with.
std::string_view general_prelude();

Function draw_function(Random& random, const std::string& name);

// Sizes with which a call is short.
Values draw_sizes(Random& random, const Function& function);

// The function as an entry point that can be called.
Entry entry(const Function& function);

// Functions that have something less.
std::vector<Function> smaller(const Function& function);

}  // namespace heddle::campaign
