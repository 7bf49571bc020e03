// Draws expressions of a wanted type. `fuel` is about how many expressions the drawn one consists of.
#pragma once

#include "tests/campaign/general/function.h"

namespace heddle::campaign {

// An associative operator on elements of a type. Of floats, elements must be rounded before (`before`, a function of the
// prelude), so that every order gives the same bits.
struct Operator {
  std::string op, neutral, before;
  bool commutative = true;
};

// One on pairs.
struct PairOperator {
  std::string op, neutral, first, second;  // types
  bool commutative = true;
};

class Drawer {
 public:
  Drawer(Random& random, std::vector<std::string> dims);

  struct Variable {
    std::string name;
    Type type;
  };

  // One of the function's arguments.
  void declare(Variable v) {
    arguments_.push_back(v.name);
    scope_.push_back(std::move(v));
  }
  Expression draw(const Type& type, int fuel) {
    return type.dims.empty() ? scalar(type.elem, fuel) : array(type, fuel);
  }

  std::string elem();
  std::string dim();
  const std::vector<std::vector<std::string>>& nests() const { return nests_; }

 private:
  using Expressions = std::vector<Expression>;
  using Names = std::vector<std::string>;

  // scalars.cpp
  Expression scalar(const std::string& elem, int fuel);
  Expression scalar_leaf(const std::string& elem);
  Expression element(const std::string& elem);
  Expression converted(const std::string& elem, int fuel);
  Expression integer_operation(const std::string& elem, int fuel);
  Expression float_operation(const std::string& elem, int fuel);
  Expression bool_operation(int fuel);
  Expression reduction(const std::string& elem, int fuel);
  Expression pair_reduction(const std::string& elem, int fuel);
  Expression irregular_reduction(const std::string& elem, int fuel);
  Expression scalar_loop(const std::string& elem, int fuel);
  Expression filtered(const std::string& elem, int fuel);
  Operator op(const std::string& elem, bool commutative);
  PairOperator pair_op(const std::string& elem, bool commutative);
  std::string literal_of(const std::string& elem);

  // arrays.cpp
  Expression array(const Type& type, int fuel);
  Expression array_leaf(const Type& type);
  Expression map(const Type& type, int fuel);
  Expression rows(const Type& type, int fuel);
  Expression map_of_several(const Type& type, int fuel);
  Expression tabulate(const Type& type, int fuel);
  Expression scan(const Type& type, int fuel);
  Expression pair_scan(const Type& type, int fuel);
  Expression matrices_scan(const Type& type, int fuel);
  Expression read_scan(const Type& type, int fuel);
  Expression vector_reduction(const Type& type, int fuel);
  Expression histogram(const Type& type, int fuel);
  Expression pair_histogram(const Type& type, int fuel);
  Expression plane_histogram(const Type& type, int fuel);
  Expression scatter(const Type& type, int fuel);
  Expression gradient(const Type& type, int fuel);
  Expression update(const Type& type, int fuel);
  Expression update_loop(const Type& type, int fuel);
  Expression array_loop(const Type& type, int fuel);
  Expression moved(const Type& type, int fuel);
  Expression backwards(const Type& type, const char* text, Expression of);
  Expression joined(const Type& type, int fuel);
  Expression packed(const Type& type, int fuel);

  // Of any type.
  Expression choice(const Type& type, int fuel);
  Expression let(const Type& type, int fuel);

  // The array of `elem` with these dimensions, its elements rounded as the operator wants.
  Expression operand(const Operator& op, const Type& type, int fuel);
  // What a function computes of variables, in a loop as long as `extent`.
  Expression inside(const std::string& extent, const std::vector<Variable>& variables, const Type& type, int fuel);
  std::string fresh(const char* stem) { return stem + std::to_string(++num_names_); }
  Type row(const Type& type) { return {type.elem, {type.dims.begin() + 1, type.dims.end()}}; }
  Expression node(const Type& type, const std::string& text, Expressions children, Names binds = {});
  bool may_nest() const { return nest_.size() < 3; }

  Random& random_;
  std::vector<std::string> dims_;
  std::vector<std::string> elems_;  // most of a function's types, so that its variables fit
  Names arguments_;
  std::vector<Variable> scope_;
  std::vector<std::string> nest_;
  std::vector<std::vector<std::string>> nests_;
  int num_names_ = 0;
};

bool is_integer(const std::string& elem);

// A function from one element type to another, of which every compiler must give the same.
std::string conversion(const std::string& from, const std::string& to);

}  // namespace heddle::campaign
